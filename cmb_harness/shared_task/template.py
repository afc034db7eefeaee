"""The rows of a complete submission: empty, or filled from the run folder of a model."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cmb_harness.predictions import MODES
from cmb_harness.shared_task.asked import AnswerKey, Asked

Row = dict[str, Any]


def template_lines(
    asked: Asked, modes: Sequence[str] = MODES, answers: Mapping[AnswerKey, Any] | None = None
) -> Iterator[Row]:
    """Yield the lines of a file: a header to fill in, then each row that the phase asks in ``modes``.

    Args:
        answers: (item_id, mode, truth) → choice or span; a row without one is empty (null).
    """
    yield {"header": {"team": None, "model": None}}
    for key in asked.expected(modes):
        item_id, mode, truth = key
        row: Row = {"item_id": item_id, "mode": mode}
        if truth is not None:
            row["truth"] = truth
        answer = "span" if asked.stage_of[item_id] == "s3" else "choice"
        yield row | {answer: (answers or {}).get(key)}


def answers_of(rows: Iterable[Mapping[str, Any]]) -> dict[AnswerKey, Any]:
    """(item_id, mode, truth) → choice or span of prediction rows with the default setting and variant."""
    return {
        (row["item_id"], row["mode"], row.get("truth")): row.get("choice", row.get("span"))
        for row in rows
        if (row.get("setting", "full"), row.get("variant", "common_latin")) == ("full", "common_latin")
    }
