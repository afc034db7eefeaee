"""What one phase asks of a submission: items and modes, and no key."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.predictions import MODES
from cmb_harness.prompts import STAGES

Row = Mapping[str, Any]
AnswerKey = tuple[str, str, int | None]

TRUTHS = (0, 1, 2, 3)
OPEN_PHASES = ("development", "recognition", "localization")
# Phase → the split and the stages that its one file answers.
ASKED = {
    "development": ("train", STAGES),
    "recognition": ("test", ("s1", "s2")),
    "localization": ("test", ("s3",)),
}
KEYS = ("answer", "span")


@dataclass(frozen=True)
class Asked:
    """The items that the file of one phase answers, and those around them.

    Attributes:
        phase: ``development``, ``recognition`` or ``localization``.
        rows: stage → the rows of the split, of all its stages, without ``answer`` and ``span``.
        stages: the stages that the file answers.
        elsewhere: the ids of items that the dataset has, but that this file does not answer.
    """

    phase: str
    rows: Mapping[str, Sequence[Row]]
    stages: tuple[str, ...]
    elsewhere: frozenset[str]

    @cached_property
    def items(self) -> dict[str, Row]:
        """item_id → the row of every item that the file answers, S1 first, in the order of the dataset."""
        return {row["item_id"]: row for stage in self.stages for row in self.rows[stage]}

    @cached_property
    def stage_of(self) -> dict[str, str]:
        """item_id → stage, for the same items."""
        return {row["item_id"]: stage for stage in self.stages for row in self.rows[stage]}

    def expected(self, modes: Sequence[str] = MODES) -> Iterator[AnswerKey]:
        """The (item_id, mode, truth) of every row of a complete file: see `answers_to`."""
        for item_id, stage in self.stage_of.items():
            yield from ((item_id, mode, truth) for mode, truth in answers_to(stage, modes))


def answers_to(stage: str, modes: Sequence[str] = MODES) -> Iterator[tuple[str, int | None]]:
    """The (mode, truth) of every row that answers one item.

    S1 has one row, of mode ``reset``. S2 and S3 have one row in ``reset`` and in ``carry``, without truth, and four in
    ``feedback``: one for each option that may be the key of the stage before (paper, 4.1; the four prompts hold the
    model's own answer and that truth).
    """
    for mode in ("reset",) if stage == "s1" else modes:
        yield from ((mode, truth) for truth in (TRUTHS if mode == "feedback" else (None,)))


def asked_in(phase: str, rows: Mapping[str, Mapping[str, Sequence[Row]]]) -> Asked:
    """What the file of ``phase`` answers in a built dataset.

    Args:
        phase: one of `OPEN_PHASES`.
        rows: stage → split → rows, as ``read_dataset`` has them.

    Raises:
        InputError: the dataset has no such items: it was built for an earlier phase, or without a split.
    """
    split, stages = ASKED[phase]
    asked = {stage: [_without_key(row) for row in rows[stage].get(split, ())] for stage in STAGES}
    asked["s3"] = [row for row in asked["s3"] if _is_linked(row)]
    empty = [stage for stage in stages if not asked[stage]]
    if empty and (phase != "development" or "s3" not in empty or len(empty) > 1):
        raise InputError(
            f"phase {phase}: the dataset has no {split} items of {', '.join(empty)}: "
            "it was built for an earlier phase, or without a phase, or without a split"
        )
    wanted = {row["item_id"] for stage in stages for row in asked[stage]}
    every = {row["item_id"] for stage in STAGES for part in rows[stage].values() for row in part}
    return Asked(phase, asked, stages, frozenset(every - wanted))


def phase_of(rows: Mapping[str, Mapping[str, Sequence[Row]]]) -> str:
    """The phase that a built dataset is in: that of the latest hidden stage that is out."""
    if any(_is_linked(row) for row in rows["s3"].get("test", ())):
        return "localization"
    return "recognition" if rows["s1"].get("test") else "development"


def _is_linked(row: Row) -> bool:
    # A build without a phase, which is for work at home, does not say which concept's S3 item is which.
    return row.get("s2_item_id") is not None


def _without_key(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in KEYS}
