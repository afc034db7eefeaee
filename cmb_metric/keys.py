"""Reference rows from a loaded configuration of the dataset."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from .validation import MetricError

_COMMON = ("item_id", "concept_id", "country", "category", "writing_cluster")


def references(dataset: Any) -> list[dict[str, Any]]:
    """Reference rows of a dataset: what an answer is scored against.

    Args:
        dataset: a configuration as `datasets.load_dataset` gives it (a ``Dataset``, or a ``DatasetDict`` of all its
            splits), rows of one as a list of dictionaries, or a dictionary of any of these. Add up the results of
            ``s1``, ``s2`` and ``s3``. Videos are not decoded.

    Returns:
        ``{item_id, concept_id, stage, country, category, writing_cluster, answer, span}`` for each row, in order.
        Rows of hidden items whose keys were not given have neither answer nor span.

    Raises:
        MetricError: rows that belong to no stage (the ``records`` configuration has none).
    """
    if isinstance(dataset, Mapping):
        return [row for part in dataset.values() for row in references(part)]
    return [_reference(row) for row in _plain_rows(dataset)]


def stage_of_columns(columns: Iterable[str], options: Callable[[], Sequence[Any]]) -> str:
    """Which configuration has these columns: S3 has a cue; S2's options are moments, S1's are names.

    Raises:
        MetricError: none has.
    """
    names = set(columns)
    if "cue" in names:
        return "s3"
    if "s1_item_id" in names:
        return "s2"
    if "options" in names:
        return "s1" if all(isinstance(option, str) for option in options()) else "s2"
    raise MetricError(
        f"references: expected rows of s1, s2 or s3, not columns {', '.join(sorted(names)[:8])}"
    )


def _plain_rows(dataset: Any) -> Iterator[Mapping[str, Any]]:
    names = getattr(dataset, "column_names", None)
    if names is None:
        yield from dataset
        return
    stage = stage_of_columns(
        names, lambda: dataset.select_columns(["options"])[0]["options"] if len(dataset) else []
    )
    # Columns that hold clips would be decoded row by row.
    kept = [name for name in (*_COMMON, "answer", "span") if name in names]
    for row in dataset.select_columns(kept):
        yield {**row, "stage": stage}


def _reference(row: Mapping[str, Any]) -> dict[str, Any]:
    stage = row.get("stage") or stage_of_columns(row, lambda: row["options"])
    span = row.get("span") if stage == "s3" else None
    answer = row.get("answer") if stage != "s3" else None
    return {
        **{name: row.get(name) for name in _COMMON},
        "stage": stage,
        "answer": answer,
        "span": None if span is None else list(span),
    }
