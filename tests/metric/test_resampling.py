"""The draw, its chunks, percentiles and p."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_metric import resampling


@pytest.mark.parametrize("chunk", [1, 50, 999, 2**20])
@pytest.mark.parametrize("n_concepts", [1, 3, 64, 306])
def test_chunks_are_the_stream_of_one_call(
    chunk: int, n_concepts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resampling, "CHUNK_CELLS", chunk)
    counts = np.vstack(list(resampling.count_chunks(n_concepts, 37, 42)))
    drawn = np.random.default_rng(42).integers(0, n_concepts, (37, n_concepts))
    expected = [[(row == concept).sum() for concept in range(n_concepts)] for row in drawn]
    assert counts.tolist() == expected


def test_ratios_of_overlapping_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against sums over the drawn concepts themselves, with cells that overlap and are not side by side."""
    monkeypatch.setattr(resampling, "CHUNK_CELLS", 40)
    rng = np.random.default_rng(0)
    over, under = rng.random((9, 2)), rng.integers(0, 3, (9, 2)).astype(float)
    cells = [np.ones(9, dtype=bool), np.arange(9) % 2 == 0, np.arange(9) > 5]
    ratios = resampling.resampled_ratios(over, under, cells, n_resamples=25, seed=3)
    drawn = np.random.default_rng(3).integers(0, 9, (25, 9))
    for at, resample in enumerate(drawn):
        for cell, mask in enumerate(cells):
            inside = [concept for concept in resample if mask[concept]]
            for column in range(2):
                n = under[inside, column].sum()
                expected = over[inside, column].sum() / n if n else np.nan
                assert ratios[cell, column, at] == pytest.approx(expected, nan_ok=True)


@given(
    st.lists(st.one_of(st.floats(-5, 5), st.just(float("nan"))), min_size=1, max_size=30),
    st.floats(0.01, 0.99),
)
def test_percentiles_leave_undefined_resamples_out(values: list[float], level: float) -> None:
    bounds = resampling.percentile_intervals(np.array([values]), level)[0]
    defined = [value for value in values if value == value]
    if defined:
        tails = [50 * (1 - level), 50 * (1 + level)]
        assert bounds.tolist() == pytest.approx(np.percentile(defined, tails).tolist())
    else:
        assert np.isnan(bounds).all()


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([1, 1, 1, 1], 0.25),  # never below 1/resamples
        ([-1, 1, 1, 1], 0.5),
        ([-1, -1, 1, 1], 1.0),
        ([0, 0, 0, 0], 1.0),  # 2 · 1 is cut off at 1
        ([0, 1, 1, 1], 0.5),  # a tie counts on both sides
        ([1e-15, 1, 1, 1], 0.5),
        ([np.nan, 1, 1, 1, 1], 0.25),
    ],
)
def test_p(differences: list[float], expected: float) -> None:
    assert resampling.two_sided_p(np.array(differences, dtype=float)) == pytest.approx(expected)


def test_p_of_nothing_is_undefined() -> None:
    assert np.isnan(resampling.two_sided_p(np.array([np.nan, np.nan])))


def test_memory_does_not_grow_with_concepts_times_resamples() -> None:
    """20,000 concepts × 2,000 resamples would be 320 MB of counts at once."""
    over = np.ones((20_000, 2))
    tracemalloc.start()
    resampling.resampled_ratios(over, over, [np.ones(20_000, dtype=bool)], n_resamples=2_000, seed=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 * 2**20
