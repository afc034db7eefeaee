"""The metric again, slowly and directly from the definitions of the paper; and small data sets to try both on.

Nothing here is taken from `cmb_metric`: concepts are Python objects, a resample is a list of them with repeats, and
every statistic is a mean over a list that is built for it.
"""

import random
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np
from hypothesis import strategies as st

COUNTRIES = {"ID": "Latin", "KH": "Local", "VN": "Latin"}
CATEGORIES = ("Dance", "Music")


@dataclass
class Concept:
    """The outcomes of one concept."""

    cells: dict[str, str]
    s1: bool
    s2: bool
    ious: list[float]


def iou(predicted: Any, reference: Any) -> float:
    """Overlap over union of two spans in seconds; an unusable prediction is worth 0."""
    if predicted is None or len(predicted) == 0:
        return 0.0
    (a, b), (c, d) = predicted, reference
    if not (np.isfinite(a) and np.isfinite(b)) or a >= b:
        return 0.0
    overlap = max(0.0, min(b, d) - max(a, c))
    return overlap / ((b - a) + (d - c) - overlap)


def concepts_of(predictions: list[dict], references: list[dict]) -> list[Concept]:
    """Concepts sorted by id."""
    answers = {row["item_id"]: row for row in predictions}
    by_id: dict[str, Concept] = {}
    for row in sorted(references, key=lambda row: row["concept_id"]):
        cells = {kind: row[kind] for kind in ("country", "category", "writing_cluster")}
        cells["country_category"] = f"{row['country']}/{row['category']}"
        concept = by_id.setdefault(row["concept_id"], Concept(cells, False, False, []))
        answer = answers.get(row["item_id"], {})
        if row["stage"] == "s3":
            concept.ious.append(iou(answer.get("span"), row["span"]))
        else:
            setattr(concept, row["stage"], answer.get("choice") == row["answer"])
    return list(by_id.values())


def mean(values: list) -> float | None:
    """None for an empty list: 0/0."""
    return fmean(values) if values else None


def statistics(concepts: list[Concept]) -> dict[str, float | None]:
    """The nine statistics over a list of concepts, in which a concept may stand several times."""
    pairs = [value for concept in concepts for value in concept.ious]
    return {
        "s1_accuracy": mean([concept.s1 for concept in concepts]),
        "s2_accuracy": mean([concept.s2 for concept in concepts]),
        "s3_miou": mean(pairs),
        "s3_iou@0.3": mean([value >= 0.3 for value in pairs]),
        "s3_iou@0.5": mean([value >= 0.5 for value in pairs]),
        "s3_iou@0.7": mean([value >= 0.7 for value in pairs]),
        "c_s2": mean([concept.s2 for concept in concepts if concept.s1]),
        "c_miou": mean([value for concept in concepts if concept.s2 for value in concept.ious]),
        "joint": mean([concept.s1 * concept.s2 * (mean(concept.ious) or 0.0) for concept in concepts]),
    }


def in_cell(concepts: list[Concept], kind: str, code: str) -> list[Concept]:
    """The concepts of one cell, in order."""
    return [concept for concept in concepts if concept.cells[kind] == code]


def macro(concepts: list[Concept], kind: str, codes: list[str], name: str) -> float | None:
    """The mean over the named cells; None where one of them is undefined."""
    values = [statistics(in_cell(concepts, kind, code))[name] for code in codes]
    return None if None in values else mean(values)


def resamples(concepts: list[Concept], n_resamples: int, seed: int) -> list[list[Concept]]:
    """The draw that SPEC and docs state: concepts by id, one call of ``integers``."""
    n = len(concepts)
    drawn = np.random.default_rng(seed).integers(0, n, (n_resamples, n))
    return [[concepts[index] for index in row] for row in drawn]


def interval(values: list[float | None], confidence_level: float = 0.95) -> list[float]:
    """Percentile bounds over what is defined."""
    tails = [50 * (1 - confidence_level), 50 * (1 + confidence_level)]
    return np.percentile([value for value in values if value is not None], tails).tolist()


def p_value(differences: list[float]) -> float:
    """2 · min(share ≤ 0, share ≥ 0), between 1/resamples and 1."""
    n = len(differences)
    at_most = sum(value < 1e-9 for value in differences) / n
    at_least = sum(value > -1e-9 for value in differences) / n
    return min(1.0, max(1 / n, 2 * min(at_most, at_least)))


def reference_rows(n_concepts: int, rng: random.Random, max_pairs: int = 3) -> list[dict[str, Any]]:
    """Reference rows of a small data set; some concepts have no pair."""
    rows = []
    for number in range(n_concepts):
        country, category = rng.choice(list(COUNTRIES)), rng.choice(CATEGORIES)
        concept_id = f"{country}-{category}-{number:02d}"
        common = {
            "concept_id": concept_id,
            "country": country,
            "category": category,
            "writing_cluster": COUNTRIES[country],
            "answer": None,
            "span": None,
        }
        for stage in ("s1", "s2"):
            row = {"item_id": f"{concept_id}/{stage}", "stage": stage, "answer": rng.randrange(4)}
            rows.append(common | row)
        for pair in range(1, rng.randint(0, max_pairs) + 1):
            start_s = rng.uniform(0, 100)
            span = [start_s, start_s + rng.uniform(1, 20)]
            rows.append(common | {"item_id": f"{concept_id}/s3/{pair}", "stage": "s3", "span": span})
    return rows


def prediction_rows(references: list[dict], rng: random.Random, skill: float = 0.6) -> list[dict[str, Any]]:
    """Answers of a model: right, wrong, invalid or missing."""
    rows: list[dict[str, Any]] = []
    for row in references:
        fate = rng.random()
        if fate < 0.05:
            continue
        if row["stage"] == "s3":
            start_s, end_s = row["span"]
            shift = rng.gauss(0, 4)
            span = rng.choice([None, [], [5.0, 2.0], [1.0, 1.0], [float("nan"), 3.0], [0.0, float("inf")]])
            rows.append(
                {"item_id": row["item_id"], "span": span if fate < 0.15 else [start_s + shift, end_s + shift]}
            )
        elif fate < 0.15:
            rows.append({"item_id": row["item_id"], "choice": rng.choice([None, -1, 4, -7])})
        else:
            choice = row["answer"] if rng.random() < skill else rng.randrange(4)
            rows.append({"item_id": row["item_id"], "choice": choice})
    return rows


@st.composite
def data_sets(
    draw: st.DrawFn, min_concepts: int = 1, max_concepts: int = 14
) -> tuple[list[dict], list[dict]]:
    """(predictions, references)."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    references = reference_rows(draw(st.integers(min_concepts, max_concepts)), rng)
    return prediction_rows(references, rng, draw(st.sampled_from([0.0, 0.5, 1.0]))), references


def fixed_data(n_concepts: int = 40, seed: int = 1) -> tuple[list[dict], list[dict]]:
    """(predictions, references), the same every time."""
    rng = random.Random(seed)
    references = reference_rows(n_concepts, rng)
    return prediction_rows(references, rng), references
