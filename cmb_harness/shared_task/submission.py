"""A submission checked, from its bytes, without a label: the same function for the participant and for the scorer.

A file answers all items of its phase: S1 once, S2 and S3 in every mode that the file has (one row in ``reset`` and in
``carry``, four rows with ``truth`` 0-3 in ``feedback``). A mode is there whole or not at all. An empty answer (a choice
of null or -1, a span of null or []) is an answer, scored 0. A choice outside 0-3 is refused, since whoever counts from
1 wants to hear it before a submission is spent. A span is taken as it is: one that is reversed, empty or outside its
video is told of and scored for what it is worth. Numbers are finite, setting and variant are the default ones.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.json_objects import Limits, shown
from cmb_harness.modes import CONTEXTS
from cmb_harness.predictions import FIELDS, MODES, row_faults, scan_predictions
from cmb_harness.prompts import STAGES
from cmb_harness.shared_task.asked import Asked, answers_to
from cmb_harness.shared_task.names import clean_name, name_fault
from cmb_harness.shared_task.reading import unpack

Row = dict[str, Any]

LIMITS = Limits(
    lines=200_000,
    line_bytes=2**16,
    depth=6,
    key_characters=64,
    number_characters=32,
    finite=True,
    whole_characters=True,
)
FAULTS_SHOWN = 100
LINES_SHOWN = 5
MISSING_SHOWN = 20
ANSWERS = {stage: frozenset(answers_to(stage)) for stage in STAGES}
ANSWERS_EXPECTED = {
    "s1": "expected mode reset without truth: S1 is asked once",
    "s2": "expected truth 0-3 in mode feedback, and none in the others",
    "s3": "expected truth 0-3 in mode feedback, and none in the others",
}
DEFAULTS = {"setting": "full", "variant": "common_latin"}
HEADER_FIELDS = ("team", "model", "context", "settings")


@dataclass(frozen=True)
class Submission:
    """A file without fault.

    Attributes:
        phase: whose items it answers.
        rows: ``{item_id, mode, truth, choice}`` or ``{…, span}``; truth is None outside ``feedback``; a choice is 0-3
            or None, a span a list of two finite floats or None. Sorted by key: the order of the file tells nothing.
        modes: those of `MODES` that the file has, each whole.
        team, model: as the header names them, in NFC, or None.
        context: ``previous`` or ``all``, where the header says so.
        sha256: hex digits of the file as it was sent.
        warnings: what its sender may not have meant, one line each.
    """

    phase: str
    rows: Sequence[Row]
    modes: tuple[str, ...]
    team: str | None
    model: str | None
    context: str | None
    sha256: str
    warnings: Sequence[str] = ()


class FirstFaults(list[str]):
    """Faults of the file ``path``, until there are `FAULTS_SHOWN`: then no more of it is read.

    So a large file that is wrong everywhere costs no more than a small one.
    """

    def __init__(self, path: str | os.PathLike[str]):
        super().__init__()
        self.path = path

    def append(self, fault: str) -> None:
        """Add a fault.

        Raises:
            InputError: there are enough.
        """
        super().append(fault)
        if len(self) == FAULTS_SHOWN:
            raise InputError([*self, f"{self.path}: {FAULTS_SHOWN} faults: the rest is not read"])

    def extend(self, faults: Iterable[str]) -> None:
        """`append` each."""
        for fault in faults:
            self.append(fault)


def check_submission(content: bytes, asked: Asked, path: str | os.PathLike[str] = "submission") -> Submission:
    """Read and check a submission; pure, and no label comes near it.

    Args:
        content: the file as it was sent, plain or with gzip.
        asked: what its phase asks.
        path: what messages call the file.

    Raises:
        InputError: every fault with its line, up to `FAULTS_SHOWN`.
    """
    text = unpack(content, path)
    n_lines = text.count(b"\n") + 1
    if LIMITS.lines is not None and n_lines > LIMITS.lines:
        raise InputError(f"{path}: {n_lines} lines: expected at most {LIMITS.lines}")
    faults = FirstFaults(path)
    predictions = scan_predictions(
        text, path, faults, limits=LIMITS, check=lambda row: submitted_row_faults(row, asked)
    )
    faults.extend(f"{path}: header: {fault}" for fault in header_faults(predictions.header))
    rows = [_slim(row) for row in predictions.rows]
    modes = _modes(rows, asked)
    faults.extend(f"{path}: {fault}" for fault in _missing(rows, modes, asked, told=bool(faults)))
    if faults:
        raise InputError(faults)
    return Submission(
        asked.phase,
        sorted(rows, key=_order),
        modes,
        clean_name(predictions.header.get("team")),
        clean_name(predictions.header.get("model")),
        predictions.header.get("context"),
        hashlib.sha256(content).hexdigest(),
        [f"{path}: {warning}" for warning in _warnings(predictions.lines, rows, asked)],
    )


def check_together(submission: Submission, recognition: Submission) -> None:
    """Refuse a localization file beside a recognition file that cannot be of the same team.

    Raises:
        InputError: a mode without its S2 answers, which the Joint and c-mIoU of that mode need, or another team.
    """
    lacking = [mode for mode in submission.modes if mode not in recognition.modes]
    faults = [f"mode {mode}: the recognition file has no rows of it" for mode in lacking]
    teams = {team for team in (submission.team, recognition.team) if team is not None}
    if len(teams) > 1:
        faults.append(
            f"team: {shown(submission.team)}, but the recognition file is of {shown(recognition.team)}"
        )
    if faults:
        raise InputError(faults)


def header_faults(header: Mapping[str, Any]) -> list[str]:
    """What is wrong with ``{team?, model?, context?, settings?}``.

    Names are as `name_fault` has them, ``settings`` is an object, and ``context``, one of `CONTEXTS`, says how much the
    prompts of carry and feedback held of the earlier stages.
    """
    expected = ", ".join(HEADER_FIELDS)
    faults = [f"{shown(name)}: expected {expected} alone" for name in header if name not in HEADER_FIELDS]
    if header.get("context") is not None and header["context"] not in CONTEXTS:
        faults.append(f"context: {shown(header['context'])}: expected {' or '.join(CONTEXTS)}")
    for name in ("team", "model"):
        fault = None if header.get(name) is None else name_fault(header[name])
        if fault is not None:
            faults.append(f"{name}: {fault}")
    if not isinstance(header.get("settings", {}), dict):
        faults.append(f"settings: {shown(header['settings'])}: expected an object")
    return faults


def submitted_row_faults(row: Mapping[str, Any], asked: Asked) -> list[str]:
    """The faults of one row: those of any prediction row, else what keeps it from answering an item of the phase."""
    return row_faults(row, FIELDS) or list(_answer_faults(row, asked))


def _answer_faults(row: Mapping[str, Any], asked: Asked) -> Iterator[str]:
    stage = asked.stage_of.get(row["item_id"])
    if stage is None:
        known = row["item_id"] in asked.elsewhere
        why = f"not asked in phase {asked.phase}" if known else "the dataset has no such item"
        yield f"item_id: {shown(row['item_id'])}: {why}"
        return
    for name, default in DEFAULTS.items():
        if row.get(name, default) != default:
            yield f"{name}: {shown(row[name])}: expected {default}"
    if (row["mode"], row.get("truth")) not in ANSWERS[stage]:
        yield f"mode, truth: {row['mode']}, {shown(row.get('truth'))}: {ANSWERS_EXPECTED[stage]}"
    wanted = "span" if stage == "s3" else "choice"
    if wanted not in row:
        yield f"{wanted}: not there: expected it in an answer to an {stage} item"
    elif wanted == "choice" and row["choice"] is not None and not -1 <= row["choice"] <= 3:
        yield f"choice: {shown(row['choice'])}: expected 0-3 (A is 0) or null"


def _slim(row: Mapping[str, Any]) -> Row:
    key = {"item_id": row["item_id"], "mode": row["mode"], "truth": row.get("truth")}
    if "choice" in row:
        return key | {"choice": None if row["choice"] == -1 else row["choice"]}
    return key | {"span": list(map(float, row["span"])) if row["span"] else None}


def _key(row: Mapping[str, Any]) -> tuple[str, str, int | None]:
    return row["item_id"], row["mode"], row["truth"]


def _order(row: Mapping[str, Any]) -> tuple[str, str, int]:
    return row["item_id"], row["mode"], -1 if row["truth"] is None else row["truth"]


def _modes(rows: Iterable[Row], asked: Asked) -> tuple[str, ...]:
    found = {row["mode"] for row in rows if asked.stage_of[row["item_id"]] != "s1"}
    return tuple(mode for mode in MODES if mode in found)


def _missing(rows: Iterable[Row], modes: Sequence[str], asked: Asked, *, told: bool) -> Iterator[str]:
    """What a complete file has and this one has not; a sum alone where faults already told explain some of it."""
    if not modes:
        yield f"no usable row of {asked.stages[-1]}: expected those of {', '.join(MODES)}, or of some of them"
    there = {_key(row) for row in rows}
    missing = [key for key in asked.expected(modes) if key not in there]
    for item_id, mode, truth in missing[: 0 if told else MISSING_SHOWN]:
        yield f"missing: {item_id}, mode {mode}" + ("" if truth is None else f", truth {truth}")
    if told or len(missing) > MISSING_SHOWN:
        yield f"missing: {len(missing)} rows of a complete file are not there or not usable"


def _warnings(lines: Sequence[int], rows: Sequence[Row], asked: Asked) -> Iterator[str]:
    answers = [(line, row, row.get("choice", row.get("span"))) for line, row in zip(lines, rows, strict=True)]
    spans = [(line, row, answer) for line, row, answer in answers if isinstance(answer, list)]
    found = {
        "empty answers, scored 0": [line for line, _, answer in answers if answer is None],
        "spans that do not start before they end, scored 0": [
            line for line, _, span in spans if not span[0] < span[1]
        ],
        "spans that reach outside their video": [
            line for line, row, span in spans if is_outside(span, asked.items[row["item_id"]])
        ],
    }
    for what, where in found.items():
        if where:
            more = ", …" if len(where) > LINES_SHOWN else ""
            yield f"{len(where)} {what}: line {', '.join(map(str, where[:LINES_SHOWN]))}{more}"


def is_outside(span: Sequence[float], row: Mapping[str, Any]) -> bool:
    """Whether a span begins before 0 or ends after the ``duration_s`` of its row, where that is known."""
    duration_s = row.get("duration_s")
    return min(span) < 0 or (duration_s is not None and max(span) > duration_s)
