"""The `evaluate` face of the metric: ``evaluate.load("cmb_metric")``. It checks, packs and hands on.

Rows travel as one list per batch, because `evaluate` wants as many predictions as references and we join by id.
"""

from typing import Any

import datasets
import evaluate

# `evaluate` copies the files that this one names, and not what those name in turn: so all of them stand here.
from .comparison import compare
from .concepts import concept_table
from .estimates import estimate
from .items import span_iou
from .keys import references as reference_rows
from .resampling import count_chunks
from .scores import score
from .signature import VERSION
from .validation import N_OPTIONS
from .validation import MetricError
from .validation import as_seconds
from .validation import check_answer_types
from .validation import check_references
from .validation import listed_rows

__all__ = [
    "VERSION",
    "CMBMetric",
    "compare",
    "concept_table",
    "count_chunks",
    "estimate",
    "reference_rows",
    "span_iou",
]

_DESCRIPTION = """\
Scores answers to the Cultural Moment Benchmark: naming (S1), recognition on video (S2), localization in time (S3), the
chain between them (c-S2, c-mIoU, Joint), with percentile intervals from a cluster bootstrap over concepts.
"""

_INPUTS_DESCRIPTION = """\
Args:
    predictions: rows of one mode, {item_id, choice} (S1, S2: 0-3 or None) or {item_id, span} (S3: [start_s, end_s] or
        None).
    references: rows {item_id, concept_id, stage, country, category, writing_cluster, answer, span}.
    mode: "reset", "carry" or "feedback"; goes into the signature.
    n_resamples, seed, confidence_level: of the bootstrap.
Returns:
    a dictionary: s1_accuracy, s2_accuracy, s3_miou, s3_iou@0.3, s3_iou@0.5, s3_iou@0.7, c_s2, c_miou, joint (0 to 1, or
    None where a value is 0/0), joint_parts, ci, p, n, n_invalid, n_missing, cells, macro, profile, signature.
"""

_CITATION = """\
@misc{cmb,
  title = {Cultural Moment Benchmark: Evaluating Video Cultural Reasoning and Grounding in Southeast Asia}
}
"""


class CMBMetric(evaluate.Metric):
    """`cmb_metric.score` behind the interface of `evaluate`."""

    def _info(self) -> evaluate.MetricInfo:
        if self.config_name not in (None, "default"):
            raise MetricError(f"config_name: {self.config_name!r}: there is one configuration, default")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS_DESCRIPTION,
            features=datasets.Features({"predictions": _prediction_rows(), "references": _reference_rows()}),
        )

    def compute(self, *, predictions: Any = None, references: Any = None, **settings: Any) -> dict | None:
        """Score ``predictions`` against ``references``, or what `add_batch` has gathered when neither is given.

        Raises:
            MetricError: the rows cannot be scored. Types are checked here and in `add_batch`, before `evaluate` casts:
                it would make integers of "2", 2.7 and True.
        """
        if (predictions is None) != (references is None):
            raise MetricError("compute: expected both predictions and references, or neither")
        if predictions is not None and self.writer is None and self.num_process == 1:
            # Nothing was gathered before and nobody else gathers: the rows need no way through Arrow.
            return score(predictions, references, **settings)
        return super().compute(predictions=predictions, references=references, **settings)

    def add_batch(self, *, predictions: Any = None, references: Any = None, **unknown: Any) -> None:
        """Add rows. Predictions and references need not be as many: they are joined by id when all are there."""
        if unknown:
            raise MetricError(f"add_batch: expected predictions and references, not {', '.join(unknown)}")
        rows, keys = (
            listed_rows(predictions or [], "predictions"),
            listed_rows(references or [], "references"),
        )
        check_answer_types(rows)
        if keys:
            check_references(keys)
        super().add_batch(
            predictions=[[_packed_prediction(row) for row in rows]],
            references=[[_packed_reference(row) for row in keys]],
        )

    def add(self, *, prediction: Any = None, reference: Any = None, **unknown: Any) -> None:
        """Add one prediction row, one reference row, or both."""
        self.add_batch(
            predictions=None if prediction is None else [prediction],
            references=None if reference is None else [reference],
            **unknown,
        )

    def _compute(self, predictions: list, references: list, **settings: Any) -> dict[str, Any]:
        return score(
            [row for batch in predictions for row in batch],
            [row for batch in references for row in batch],
            **settings,
        )


def _prediction_rows() -> list[dict[str, Any]]:
    return [
        {
            "item_id": datasets.Value("string"),
            "choice": datasets.Value("int64"),
            "span": [datasets.Value("float64")],
        }
    ]


def _reference_rows() -> list[dict[str, Any]]:
    texts = ("item_id", "concept_id", "stage", "country", "category", "writing_cluster")
    return [
        {
            **{name: datasets.Value("string") for name in texts},
            "answer": datasets.Value("int64"),
            "span": [datasets.Value("float64")],
        }
    ]


def _packed_prediction(row: Any) -> dict[str, Any]:
    choice, span = row.get("choice"), row.get("span")
    # Any integer is a choice, right or invalid, but int64 ends somewhere.
    packed = None if choice is None else int(max(-2, min(choice, N_OPTIONS)))
    return {"item_id": row["item_id"], "choice": packed, "span": _packed_span(span)}


def _packed_reference(row: Any) -> dict[str, Any]:
    texts = ("item_id", "concept_id", "stage", "country", "category", "writing_cluster")
    return {
        **{name: row.get(name) for name in texts},
        "answer": row.get("answer"),
        "span": _packed_span(row.get("span")),
    }


def _packed_span(span: Any) -> list[float]:
    # A None in a list of structs can fail in Arrow when it comes first; [] says the same.
    return [] if span is None else [as_seconds(value) for value in span]
