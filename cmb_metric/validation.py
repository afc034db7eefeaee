"""What may come in: reference rows and prediction rows, checked before anything is scored.

Checks look at types and ids only. A usable type with an unusable value (choice 7, a reversed span) is no fault: it is
an *invalid* answer, scored 0 and counted in `items`.
"""

import math
import operator
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

STAGES = ("s1", "s2", "s3")
N_OPTIONS = 4
CELL_KINDS = ("country", "category", "writing_cluster")

Row = Mapping[str, Any]

_SHOWN = 5


class MetricError(ValueError):
    """Rows that cannot be scored. The message lists every kind of fault, each with its first few ids."""


def check_references(references: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """Split reference rows into those with a key and those without (hidden, set aside).

    A row is ``{item_id, concept_id, stage, country, category, writing_cluster, answer, span}``: S1 and S2 rows carry
    ``answer`` (0-3), S3 rows ``span`` ([start_s, end_s], start before end). The other of the two is None, -1 or [].

    Returns:
        The rows with a key and the rows without one, each in the order given.

    Raises:
        MetricError: no row at all, a row without a usable item_id or stage, an item_id twice, a key that is none (an
            answer outside 0-3, a reversed span), a keyed row without concept_id, two S1 or S2 items of one concept, or
            rows of one concept that disagree on country, category or writing cluster.
    """
    rows = listed_rows(references, "references")
    if not rows:
        raise MetricError("references: there are no rows, so there is nothing to score")
    faults = _Faults("references")
    keyed, hidden = [], []
    for position, row in enumerate(rows):
        name = _name(row, position)
        if not isinstance(row.get("item_id"), str) or not row["item_id"]:
            faults.add("item_id: expected a non-empty string", name)
        elif row.get("stage") not in STAGES:
            faults.add(f"stage: expected one of {', '.join(STAGES)}", name)
        elif _has_key(row):
            keyed.append(row)
            _check_key(row, faults)
        else:
            hidden.append(row)
    _check_repeats(rows, faults)
    _check_concepts(keyed, faults)
    faults.raise_any()
    return keyed, hidden


def check_predictions(predictions: Iterable[Row], references: Sequence[Row]) -> dict[str, Row]:
    """Prediction rows by item id. Keys other than ``item_id``, ``choice`` and ``span`` are ignored.

    Args:
        predictions: rows of ONE mode, ``{item_id, choice}`` for S1 and S2 and ``{item_id, span}`` for S3.
        references: every reference row, hidden ones too: what is not among them is an unknown id.

    Raises:
        MetricError: an id twice or unknown; a choice that is no integer ("2", 2.7, True); a span that is not two
            numbers; a row that answers with the other stage's field.
    """
    rows = listed_rows(predictions, "predictions")
    faults = _Faults("predictions")
    check_answer_types(rows, faults)
    stages = {row["item_id"]: row["stage"] for row in references}
    for row in rows:
        stage = stages.get(row.get("item_id"))
        if stage is None:
            if isinstance(row.get("item_id"), str):
                faults.add("item_id: not in the references", repr(row["item_id"]))
            continue
        wanted, other = ("span", "choice") if stage == "s3" else ("choice", "span")
        if wanted not in row and not _is_missing(row.get(other)):
            faults.add(
                f"{wanted}: not there, but {other} is, in an answer to an {stage} item", row["item_id"]
            )
    _check_repeats(rows, faults, hint=" (give the rows of one mode, setting and variant)")
    faults.raise_any()
    return {row["item_id"]: row for row in rows}


def check_answer_types(rows: Sequence[Row], faults: "_Faults | None" = None) -> None:
    """Raise unless every row has a string id, an integer or no choice, and two numbers or no span.

    With ``faults`` given, the faults are added there and nothing is raised.
    """
    found = _Faults("predictions") if faults is None else faults
    for position, row in enumerate(rows):
        name = _name(row, position)
        if not isinstance(row.get("item_id"), str) or not row["item_id"]:
            found.add("item_id: expected a non-empty string", name)
        choice, span = row.get("choice"), row.get("span")
        if choice is not None and not is_integer(choice):
            found.add("choice: expected an integer 0-3 or None", f"{name} has {_shown(choice)}")
        if not _is_span_or_missing(span):
            found.add("span: expected [start_s, end_s] or None", f"{name} has {_shown(span)}")
    if faults is None:
        found.raise_any()


def check_settings(mode: str, n_resamples: int, seed: int, confidence_level: float) -> None:
    """Raise `MetricError` unless the keyword arguments of `score` and `compare` can be meant."""
    if mode not in ("reset", "carry", "feedback"):
        raise MetricError(f"mode: {mode!r}: expected reset, carry or feedback")
    if not is_integer(n_resamples) or n_resamples < 1:
        raise MetricError(f"n_resamples: {n_resamples!r}: expected a positive integer")
    if not is_integer(seed) or seed < 0:
        raise MetricError(f"seed: {seed!r}: expected a non-negative integer")
    if not (is_number(confidence_level) and 0 < confidence_level < 1):
        raise MetricError(f"confidence_level: {confidence_level!r}: expected a number between 0 and 1")


def is_integer(value: Any) -> bool:
    """Whether ``value`` is a whole-number type (numpy's included); True and False are not."""
    if isinstance(value, bool | np.bool_):
        return False
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


def is_number(value: Any) -> bool:
    """Whether ``value`` is an integer or a float (numpy's included, NaN and infinities too)."""
    return isinstance(value, float | np.floating) or is_integer(value)


def is_missing_choice(choice: Any) -> bool:
    """None and -1 say that there is no answer."""
    return choice is None or choice == -1


def is_missing_span(span: Any) -> bool:
    """None and an empty list say that there is no answer."""
    return span is None or len(span) == 0


def as_seconds(value: Any) -> float:
    """``value`` as a float; an integer too large for one counts as infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


class _Faults:
    """Faults by kind, so that a file with 300 bad rows gives one line a kind and not 300."""

    def __init__(self, what: str):
        self.what = what
        self.places: dict[str, list[str]] = {}

    def add(self, kind: str, place: str) -> None:
        self.places.setdefault(kind, []).append(place)

    def raise_any(self) -> None:
        if self.places:
            raise MetricError("\n".join(self._line(kind, places) for kind, places in self.places.items()))

    def _line(self, kind: str, places: list[str]) -> str:
        more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
        return f"{self.what}: {kind}: {', '.join(places[:_SHOWN])}{more}"


def listed_rows(rows: Iterable[Row], what: str) -> list[Row]:
    """Rows as a list; `MetricError` unless each is an object. ``what`` names them in the message."""
    if isinstance(rows, Mapping | str | bytes):
        raise MetricError(f"{what}: expected a list of rows, not {type(rows).__name__}")
    listed = list(rows)
    for position, row in enumerate(listed):
        if not isinstance(row, Mapping):
            raise MetricError(f"{what}: row {position}: expected an object with item_id, not {_shown(row)}")
    return listed


def _has_key(row: Row) -> bool:
    if row["stage"] == "s3":
        return not _is_missing(row.get("span"))
    return not _is_missing(row.get("answer"))


def _check_key(row: Row, faults: _Faults) -> None:
    item_id = row["item_id"]
    if not isinstance(row.get("concept_id"), str) or not row["concept_id"]:
        faults.add("concept_id: a row with a key needs one", item_id)
    if row["stage"] == "s3":
        if not _is_usable_span(row["span"]):
            faults.add(
                "span: expected [start_s, end_s], start before end", f"{item_id} has {_shown(row['span'])}"
            )
    elif not is_integer(row["answer"]) or not 0 <= row["answer"] < N_OPTIONS:
        faults.add("answer: expected an integer 0-3", f"{item_id} has {_shown(row['answer'])}")


def _check_repeats(rows: Sequence[Row], faults: _Faults, hint: str = "") -> None:
    counts = Counter(row["item_id"] for row in rows if isinstance(row.get("item_id"), str))
    for item_id, count in counts.items():
        if count > 1:
            faults.add(f"item_id: more than one row{hint}", f"{item_id} ({count} rows)")


def _check_concepts(rows: Sequence[Row], faults: _Faults) -> None:
    first: dict[str, Row] = {}
    asked: set[tuple[str, str]] = set()
    for row in rows:
        concept_id, stage = row.get("concept_id"), row["stage"]
        if not isinstance(concept_id, str):
            continue
        if stage != "s3" and (concept_id, stage) in asked:
            faults.add(f"concept_id: two {stage} items of one concept", concept_id)
        asked.add((concept_id, stage))
        known = first.setdefault(concept_id, row)
        for kind in CELL_KINDS:
            if row.get(kind) != known.get(kind):
                faults.add(f"{kind}: rows of one concept disagree", concept_id)
            if row.get(kind) is not None and not isinstance(row[kind], str):
                faults.add(f"{kind}: expected a string or None", row["item_id"])


def _is_missing(value: Any) -> bool:
    return value is None or (is_integer(value) and value == -1) or (_is_list(value) and len(value) == 0)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple | np.ndarray)


def _is_span_or_missing(value: Any) -> bool:
    if value is None:
        return True
    return _is_list(value) and (len(value) == 0 or (len(value) == 2 and all(map(is_number, value))))


def _is_usable_span(value: Any) -> bool:
    if not _is_list(value) or len(value) != 2 or not all(map(is_number, value)):
        return False
    start_s, end_s = map(as_seconds, value)
    return math.isfinite(start_s) and math.isfinite(end_s) and start_s < end_s


def _name(row: Row, position: int) -> str:
    item_id = row.get("item_id")
    return item_id if isinstance(item_id, str) and item_id else f"row {position}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "…"
