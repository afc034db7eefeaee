"""The cluster bootstrap over concepts: one draw, from which every statistic is taken (paper, D.1).

A resample is N concepts drawn with replacement; here it is the count of each concept in it, so that the sums of a
resample are counts times columns. Counts come in chunks of bounded size and are never held all at once.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

# Counts are held for so many resamples at a time: few enough to stay in the processor's cache, many enough for the
# columns to be read seldom where concepts are many.
CHUNK_CELLS = 2**18
CHUNK_ROWS = 64
# Products of up to so many multiplications run in one thread. Larger ones make BLAS start threads, which cost more than
# they save at these shapes, and far more where processors are shared.
PRODUCT_SIZE = 2**18
# Differences of ratios of floats that are equal on paper come out some 1e-17 apart, and a tie must count as one.
TIE = 1e-12


def count_chunks(n_concepts: int, n_resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Yield (r, n_concepts) counts of each concept in r resamples, until n_resamples are through.

    The stream is that of ``default_rng(seed).integers(0, n_concepts, (n_resamples, n_concepts))``.
    """
    generator = np.random.default_rng(seed)
    step = max(CHUNK_ROWS, CHUNK_CELLS // n_concepts)
    for start in range(0, n_resamples, step):
        rows = min(step, n_resamples - start)
        drawn = generator.integers(0, n_concepts, (rows, n_concepts))
        drawn += np.arange(0, rows * n_concepts, n_concepts)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=rows * n_concepts)
        yield counts.reshape(rows, n_concepts).astype(np.float64)


def resampled_ratios(
    numerators: NDArray[np.float64],
    denominators: NDArray[np.float64],
    cells: Sequence[NDArray[np.bool_]],
    *,
    n_resamples: int,
    seed: int,
) -> NDArray[np.float64]:
    """Ratios of sums over concepts, by cell, in each resample.

    Args:
        numerators: (N, K), one row a concept in the order of the draw.
        denominators: (N, K).
        cells: C masks of shape (N,), which may overlap. Cells are cut inside each resample of all N concepts.

    Returns:
        (C, K, n_resamples); NaN where a resample leaves the denominator of a cell at 0.
    """
    n_ratios = numerators.shape[1]
    groups, members = _groups(cells)
    order = np.argsort(groups, kind="stable")
    in_order = bool((order == np.arange(len(order))).all())
    edges = np.searchsorted(groups[order], np.arange(groups.max(initial=-1) + 2))
    columns, place = _distinct(np.hstack([numerators, denominators])[order].T)
    over, under = place[:n_ratios], place[n_ratios:]
    ratios = np.full((len(cells), n_ratios, n_resamples), np.nan)
    done = 0
    for counts in count_chunks(len(order), n_resamples, seed):
        # Fancy indexing copies, and most inputs have their groups side by side already.
        sums = _group_sums(counts if in_order else counts[:, order], columns, edges)
        part = slice(done, done + len(counts))
        for cell, its_groups in enumerate(members):
            total = sums[its_groups[0]] if len(its_groups) == 1 else sums[its_groups].sum(axis=0)
            np.divide(total[over], total[under], out=ratios[cell, :, part], where=total[under] > 0)
        done += len(counts)
    return ratios


def percentile_intervals(values: NDArray[np.float64], confidence_level: float) -> NDArray[np.float64]:
    """(…, R) resampled values → (…, 2) percentile bounds over those that are defined; NaN where none is.

    The same as `numpy.percentile` on what is defined. Sorting everything at once puts NaN last, and takes half the
    time of doing row by row those that have some.
    """
    ranked = np.sort(values, axis=-1)
    n_defined = values.shape[-1] - np.isnan(values).sum(axis=-1, keepdims=True)
    tails = np.array([0.5 * (1 - confidence_level), 0.5 * (1 + confidence_level)])
    position = tails * np.maximum(n_defined - 1, 0)
    below = np.floor(position).astype(np.intp)
    above = np.minimum(below + 1, np.maximum(n_defined - 1, 0))
    lower = np.take_along_axis(ranked, below, axis=-1)
    upper = np.take_along_axis(ranked, above, axis=-1)
    return lower + (position - below) * (upper - lower)


def two_sided_p(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """(…, R) resampled differences → (…,) p = 2·min(share ≤ 0, share ≥ 0), from 1/R to 1; NaN where none is defined.

    Shares are of the R resamples in which the difference is defined. Differences within 1e-12 of 0 are ties.
    """
    defined = ~np.isnan(differences)
    n = defined.sum(axis=-1)
    at_most = (defined & (differences <= TIE)).sum(axis=-1)
    at_least = (defined & (differences >= -TIE)).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.clip(2 * np.minimum(at_most, at_least) / n, 1 / n, 1)
    return np.where(n > 0, p, np.nan)


def _groups(cells: Sequence[NDArray[np.bool_]]) -> tuple[NDArray[np.intp], list[NDArray[np.intp]]]:
    """The finest groups that the cells cut the concepts into, (N,), and the groups of each cell.

    Groups are numbered as they first appear, so that those that stand side by side stay so.
    """
    patterns, first, groups = np.unique(np.array(cells).T, axis=0, return_index=True, return_inverse=True)
    appearance = np.argsort(first)
    number = np.empty_like(appearance)
    number[appearance] = np.arange(len(appearance))
    return number[groups.reshape(-1)], [np.flatnonzero(pattern) for pattern in patterns[appearance].T]


def _distinct(columns: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The distinct rows of (K, N), and where each row is among them: statistics share denominators."""
    places: dict[bytes, int] = {}
    place = np.array([places.setdefault(column.tobytes(), len(places)) for column in columns], dtype=np.intp)
    _, first = np.unique(place, return_index=True)
    return np.ascontiguousarray(columns[first]), place


def _group_sums(
    counts: NDArray[np.float64], columns: NDArray[np.float64], edges: NDArray[np.intp]
) -> NDArray[np.float64]:
    """(r, N) counts and (M, N) columns → (G, M, r) sums; each concept is summed once, into its group."""
    sums = np.zeros((len(edges) - 1, len(columns), len(counts)))
    step = max(1, PRODUCT_SIZE // (len(columns) * len(counts)))
    for group, (start, end) in enumerate(pairwise(edges)):
        for block in range(start, end, step):
            part = slice(block, min(block + step, end))
            sums[group] += columns[:, part] @ counts[:, part].T
    return sums
