"""Temporal IoU: hand calculations, and what must hold for any two spans."""

import numpy as np
import pytest
from definitions import iou
from hypothesis import assume, given
from hypothesis import strategies as st

from cmb_metric import span_iou

seconds = st.floats(-1e6, 1e6)
spans = st.tuples(seconds, seconds).map(sorted).filter(lambda span: span[0] < span[1])
any_number = st.floats(allow_nan=True, allow_infinity=True)


@pytest.mark.parametrize(
    ("predicted", "reference", "expected"),
    [
        ([0, 10], [0, 10], 1.0),
        ([0, 10], [5, 15], 5 / 15),  # 5 s of overlap in a hull of 15 s
        ([2, 4], [0, 10], 0.2),
        ([0, 10], [2, 4], 0.2),
        ([0, 5], [5, 10], 0.0),  # touching
        ([0, 5], [6, 10], 0.0),
        ([10, 0], [0, 10], 0.0),  # reversed
        ([3, 3], [0, 10], 0.0),  # no length
        ([np.nan, 3], [0, 10], 0.0),
        ([0, np.inf], [0, 10], 0.0),
        ([-np.inf, np.inf], [0, 10], 0.0),
        ([-5, 5], [0, 10], 5 / 15),  # a time before the video is not clipped
        ([-1e308, 1e308], [-1e308, 1e308], 1.0),
        ([-1e308, 1e308], [0, 1e308], 0.5),
        ([0, 5e-324], [0, 5e-324], 1.0),
    ],
)
def test_hand_calculations(predicted: list, reference: list, expected: float) -> None:
    assert span_iou([predicted], [reference]).tolist() == [pytest.approx(expected, abs=0)]


def test_one_value_a_row() -> None:
    predicted = np.array([[0, 10], [0, 1], [4, 2]])
    reference = np.array([[0, 20], [0, 1], [2, 4]])
    assert span_iou(predicted, reference).tolist() == [0.5, 1.0, 0.0]


def test_no_rows() -> None:
    assert span_iou(np.zeros((0, 2)), np.zeros((0, 2))).shape == (0,)
    assert span_iou([], []).shape == (0,)


@pytest.mark.parametrize(
    ("predicted", "reference"), [([0, 1], [0, 1]), ([[0, 1]], [[0, 1], [0, 1]]), ([[0, 1, 2]], [[0, 1, 2]])]
)
def test_other_shapes_are_refused(predicted: list, reference: list) -> None:
    with pytest.raises(ValueError, match=r"\(n, 2\)"):
        span_iou(predicted, reference)


@given(spans, spans)
def test_agrees_with_the_definition(a: list, b: list) -> None:
    assert span_iou([a], [b])[0] == pytest.approx(iou(a, b), abs=1e-9)


@given(spans, spans)
def test_symmetric(a: list, b: list) -> None:
    assert span_iou([a], [b])[0] == span_iou([b], [a])[0]


@given(spans, spans, st.floats(-1e3, 1e3), st.sampled_from([0.25, 2.0, 8.0]))
def test_moves_and_scales(a: list, b: list, shift: float, scale: float) -> None:
    assume(min(a[1] - a[0], b[1] - b[0]) > 1e-3)
    moved = [[scale * (value + shift) for value in span] for span in (a, b)]
    assert span_iou([moved[0]], [moved[1]])[0] == pytest.approx(span_iou([a], [b])[0], abs=1e-5)


@given(st.tuples(any_number, any_number), spans)
def test_always_a_share(predicted: tuple, reference: list) -> None:
    value = span_iou([predicted], [reference])[0]
    assert 0 <= value <= 1


@given(spans, spans, spans)
def test_a_span_within_scores_its_share(a: list, b: list, c: list) -> None:
    times = sorted({*a, *b, *c})
    assume(len(times) >= 4)
    outer, inner = [times[0], times[-1]], [times[1], times[-2]]
    share = (inner[1] - inner[0]) / (outer[1] - outer[0])
    assert span_iou([inner], [outer])[0] == pytest.approx(share)
