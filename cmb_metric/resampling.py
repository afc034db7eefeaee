"""The cluster bootstrap over concepts: one draw, from which every statistic is taken (paper, D.1).

A resample is N concepts drawn with replacement; here it is the count of each concept in it, so that the sums of a
resample are counts times columns. Counts come in chunks of bounded size and are never held all at once.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

CHUNK_CELLS = 2**20
# Differences of ratios of floats that are equal on paper come out some 1e-17 apart, and a tie must count as one.
TIE = 1e-12


def count_chunks(n_concepts: int, n_resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Yield (r, n_concepts) counts of each concept in r resamples, until n_resamples are through.

    The stream is that of ``default_rng(seed).integers(0, n_concepts, (n_resamples, n_concepts))``.
    """
    generator = np.random.default_rng(seed)
    step = max(1, CHUNK_CELLS // n_concepts)
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
    n_concepts, n_ratios = numerators.shape
    groups, membership = _groups(cells)
    order = np.argsort(groups, kind="stable")
    in_order = bool((order == np.arange(n_concepts)).all())
    edges = np.searchsorted(groups[order], np.arange(membership.shape[1] + 1))
    columns = np.hstack([numerators, denominators])[order]
    ratios = np.full((len(cells), n_ratios, n_resamples), np.nan)
    done = 0
    for counts in count_chunks(n_concepts, n_resamples, seed):
        # Fancy indexing copies, and most inputs have their groups side by side already.
        ordered = counts if in_order else counts[:, order]
        sums = _cell_sums(ordered, columns, edges, membership)
        part = slice(done, done + len(counts))
        _divide(sums[..., :n_ratios], sums[..., n_ratios:], ratios[:, :, part])
        done += len(counts)
    return ratios


def percentile_intervals(values: NDArray[np.float64], confidence_level: float) -> NDArray[np.float64]:
    """(…, R) resampled values → (…, 2) percentile bounds over those that are defined; NaN where none is."""
    tails = [50 * (1 - confidence_level), 50 * (1 + confidence_level)]
    flat = values.reshape(-1, values.shape[-1])
    bounds = np.full((len(flat), 2), np.nan)
    undefined = np.isnan(flat)
    whole = ~undefined.any(axis=1)
    if whole.any():
        bounds[whole] = np.percentile(flat[whole], tails, axis=1).T
    for row in np.flatnonzero(~whole & ~undefined.all(axis=1)):
        bounds[row] = np.percentile(flat[row][~undefined[row]], tails)
    return bounds.reshape(*values.shape[:-1], 2)


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


def _groups(cells: Sequence[NDArray[np.bool_]]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The finest groups that the cells cut the concepts into, (N,), and which cell holds which group, (C, G)."""
    patterns, groups = np.unique(np.array(cells).T, axis=0, return_inverse=True)
    return groups.reshape(-1), patterns.T.astype(np.float64)


def _cell_sums(
    counts: NDArray[np.float64],
    columns: NDArray[np.float64],
    edges: NDArray[np.intp],
    membership: NDArray[np.float64],
) -> NDArray[np.float64]:
    """(r, N) counts → (C, r, M) sums. Each concept is summed once, into its group; cells are sums of groups."""
    n_groups, n_columns = membership.shape[1], columns.shape[1]
    by_group = np.empty((n_groups, len(counts), n_columns))
    for group in range(n_groups):
        part = slice(edges[group], edges[group + 1])
        np.matmul(counts[:, part], columns[part], out=by_group[group])
    flat = membership @ by_group.reshape(n_groups, -1)
    return flat.reshape(len(membership), len(counts), n_columns)


def _divide(
    numerators: NDArray[np.float64], denominators: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """(C, r, K) over (C, r, K), written to (C, K, r); what has no denominator keeps what ``out`` held."""
    over, under = numerators.transpose(0, 2, 1), denominators.transpose(0, 2, 1)
    np.divide(over, under, out=out, where=under > 0)
