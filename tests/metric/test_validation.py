"""What is refused, and how the message says so."""

import numpy as np
import pytest
from definitions import fixed_data

import cmb_metric
from cmb_metric import MetricError

PREDICTIONS, REFERENCES = fixed_data(8)
S1 = next(row["item_id"] for row in REFERENCES if row["stage"] == "s1")
S3 = next(row["item_id"] for row in REFERENCES if row["stage"] == "s3")
OTHERS = [row for row in PREDICTIONS if row["item_id"] not in (S1, S3)]


def score(*rows: dict, references: list[dict] = REFERENCES, **settings: object) -> dict:
    return cmb_metric.score([*OTHERS, *rows], references, n_resamples=2, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "choice", ["2", 2.0, 2.7, True, False, "B", [2], {}, float("nan"), np.float64(1), np.True_]
)
def test_a_choice_that_is_no_integer_raises(choice: object) -> None:
    with pytest.raises(MetricError, match=f"choice: expected an integer 0-3 or None: {S1} has"):
        score({"item_id": S1, "choice": choice})


@pytest.mark.parametrize("choice", [4, -2, 99, 10**30, np.int64(7)])
def test_an_integer_outside_the_options_is_invalid(choice: int) -> None:
    assert score({"item_id": S1, "choice": choice})["n_invalid"]["s1"] == 1 + score()["n_invalid"]["s1"]


@pytest.mark.parametrize("row", [{}, {"choice": None}, {"choice": -1}, {"choice": np.int64(-1)}])
def test_no_choice_is_missing(row: dict) -> None:
    result = score({"item_id": S1, **row})
    assert (result["n_missing"], result["n_invalid"]) == (score()["n_missing"], score()["n_invalid"])


@pytest.mark.parametrize(
    "span", ["1-2", [1], [1, 2, 3], ["1", "2"], [None, 2], [True, 2], 5, {"start": 1}, [[1, 2]], (1, "2")]
)
def test_a_span_that_is_not_two_numbers_raises(span: object) -> None:
    with pytest.raises(MetricError, match=rf"span: expected \[start_s, end_s\] or None: {S3} has"):
        score({"item_id": S3, "span": span})


@pytest.mark.parametrize(
    "span", [[2, 1], [1, 1], [float("nan"), 1], [0, float("inf")], (3, 2), np.array([2.0, 1.0]), [0, 10**400]]
)
def test_an_unusable_span_is_invalid(span: object) -> None:
    assert score({"item_id": S3, "span": span})["n_invalid"]["s3"] == 1 + score()["n_invalid"]["s3"]


@pytest.mark.parametrize("span", [None, [], (), np.array([])])
def test_no_span_is_missing(span: object) -> None:
    result = score({"item_id": S3, "span": span})
    assert (result["n_missing"], result["n_invalid"]) == (score()["n_missing"], score()["n_invalid"])


def test_a_numpy_span_and_choice_are_as_good_as_plain_ones() -> None:
    plain = score({"item_id": S1, "choice": 1}, {"item_id": S3, "span": [1.0, 2.0]})
    assert score({"item_id": S1, "choice": np.int8(1)}, {"item_id": S3, "span": np.array([1, 2])}) == plain


def test_an_id_twice_raises_even_with_the_same_answer() -> None:
    row = {"item_id": S1, "choice": 1}
    with pytest.raises(MetricError, match=rf"predictions: item_id: more than one row.*{S1} \(2 rows\)"):
        score(row, row)


def test_unknown_ids_raise_and_the_first_few_are_named() -> None:
    rows = [{"item_id": f"ID-Nothing-{number}/s1", "choice": 1} for number in range(8)]
    with pytest.raises(MetricError, match=r"not in the references: 'ID-Nothing-0/s1'.*-4/s1' and 3 more"):
        score(*rows)


@pytest.mark.parametrize("row", [{"choice": 1}, {"item_id": None}, {"item_id": 3}, {"item_id": ""}])
def test_a_row_without_an_id_raises(row: dict) -> None:
    with pytest.raises(MetricError, match=f"item_id: expected a non-empty string: row {len(OTHERS)}"):
        score(row)


def test_an_answer_in_the_field_of_another_stage_raises() -> None:
    with pytest.raises(
        MetricError, match=f"choice: not there, but span is, in an answer to an s1 item: {S1}"
    ):
        score({"item_id": S1, "span": [1, 2]})
    with pytest.raises(
        MetricError, match=f"span: not there, but choice is, in an answer to an s3 item: {S3}"
    ):
        score({"item_id": S3, "choice": 2})


def test_every_kind_of_fault_is_told_at_once() -> None:
    with pytest.raises(MetricError) as error:
        score({"item_id": S1, "choice": "A"}, {"item_id": S3, "span": [1]}, {"item_id": "x", "choice": 0})
    assert len(str(error.value).splitlines()) == 3


@pytest.mark.parametrize("rows", [{"item_id": "a"}, "rows", ["a"], [None], [[1]]])
def test_what_is_no_list_of_rows_raises(rows: object) -> None:
    with pytest.raises(MetricError, match="expected"):
        cmb_metric.score(rows, REFERENCES)  # type: ignore[arg-type]


def changed(position: int, **values: object) -> list[dict]:
    """The references with one row changed."""
    rows = [dict(row) for row in REFERENCES]
    rows[position] |= values
    return rows


S1_AT = next(at for at, row in enumerate(REFERENCES) if row["stage"] == "s1")
S2_AT = next(at for at, row in enumerate(REFERENCES) if row["stage"] == "s2")
S3_AT = next(at for at, row in enumerate(REFERENCES) if row["stage"] == "s3")


@pytest.mark.parametrize(
    ("references", "message"),
    [
        (changed(S1_AT, answer=4), "answer: expected an integer 0-3"),
        (changed(S1_AT, answer="1"), "answer: expected an integer 0-3"),
        (changed(S1_AT, answer=True), "answer: expected an integer 0-3"),
        (changed(S3_AT, span=[5, 2]), "span: expected .*start before end"),
        (changed(S3_AT, span=[0, float("inf")]), "span: expected .*start before end"),
        (changed(S1_AT, stage="s4"), "stage: expected one of s1, s2, s3"),
        (changed(S1_AT, item_id=None), "item_id: expected a non-empty string: row 0"),
        (changed(S1_AT, concept_id=None), "concept_id: a row with a key needs one"),
        (changed(S1_AT, country="XX"), "country: rows of one concept disagree"),
        (changed(S2_AT, stage="s1"), "concept_id: two s1 items of one concept"),
        (changed(S1_AT, item_id=S3), "item_id: more than one row"),
        ([], "there are no rows"),
        ([{"item_id": "s1-1", "stage": "s1", "answer": None}], "none of the 1 rows has a key"),
    ],
)
def test_references_that_cannot_be_meant_raise(references: list[dict], message: str) -> None:
    with pytest.raises(MetricError, match=message):
        cmb_metric.score([], references, n_resamples=2)


@pytest.mark.parametrize(
    "settings",
    [
        {"mode": "free"},
        {"n_resamples": 0},
        {"n_resamples": 10.0},
        {"seed": -1},
        {"seed": "42"},
        {"confidence_level": 95},
        {"confidence_level": 0},
        {"confidence_level": float("nan")},
    ],
)
def test_settings_that_cannot_be_meant_raise(settings: dict) -> None:
    with pytest.raises(MetricError, match=next(iter(settings))):
        cmb_metric.score(PREDICTIONS, REFERENCES, **{"n_resamples": 2, **settings})


def test_cells_may_be_unknown() -> None:
    """A region without clusters leaves None: its concepts are in no cluster cell and count everywhere else."""
    rows = [{**row, "writing_cluster": None} for row in REFERENCES]
    result = cmb_metric.score(PREDICTIONS, rows, n_resamples=2)
    assert result["cells"]["writing_cluster"] == {}
    assert result["s1_accuracy"] == cmb_metric.score(PREDICTIONS, REFERENCES, n_resamples=2)["s1_accuracy"]
