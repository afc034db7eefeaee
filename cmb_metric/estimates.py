"""Point values and resampled values of every statistic in every cell, from one draw."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .concepts import RATIOS, CellCode, ConceptTable
from .resampling import percentile_intervals, resampled_ratios

NAMES = tuple(RATIOS)
KINDS = ("country", "category", "writing_cluster", "country_category")
MACRO_KINDS = ("country", "category")
OVERALL: CellCode = ("overall", "all")


@dataclass(frozen=True)
class Estimates:
    """C cells (the whole set first) × K statistics.

    Attributes:
        cells: the C cells, `OVERALL` first.
        names: the K statistics, keys of `RATIOS`.
        points: (C, K) values; NaN where the value is 0/0.
        n: (C, K) denominators: concepts, pairs, or concepts or pairs that meet the condition.
        n_concepts: (C, K) concepts that contribute to the denominator.
        resampled: (C, K, R) values in each resample; NaN where the cell is empty there, or the value 0/0.
    """

    cells: Sequence[CellCode]
    names: Sequence[str]
    points: NDArray[np.float64]
    n: NDArray[np.int64]
    n_concepts: NDArray[np.int64]
    resampled: NDArray[np.float64]

    @cached_property
    def rows(self) -> dict[CellCode, int]:
        """Where each cell stands in the arrays."""
        return {cell: row for row, cell in enumerate(self.cells)}

    def of_kind(self, kind: str) -> list[int]:
        """The rows of the cells of one kind."""
        return [row for row, cell in enumerate(self.cells) if cell[0] == kind]

    def intervals(self, confidence_level: float) -> NDArray[np.float64]:
        """(C, K, 2) percentile bounds. NaN where fewer than two concepts contribute: nothing varies there."""
        bounds = np.full((*self.points.shape, 2), np.nan)
        shown = self.n_concepts >= 2
        bounds[shown] = percentile_intervals(self.resampled[shown], confidence_level)
        return bounds

    def n_left_out(self) -> NDArray[np.int64]:
        """(C, K) resamples without a value, where there is an interval that goes without them."""
        return np.where(self.n_concepts >= 2, np.isnan(self.resampled).sum(axis=2), 0)

    def macro(self, kind: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The unweighted mean over the cells of a kind that have a value: points (K,) and resampled (K, R).

        A resample that leaves one of these cells without a value is NaN: a mean over fewer cells would be another
        quantity.
        """
        rows = self.of_kind(kind)
        defined = ~np.isnan(self.points[rows])
        points = np.full(len(self.names), np.nan)
        resampled = np.full((len(self.names), self.resampled.shape[2]), np.nan)
        for column in np.flatnonzero(defined.any(axis=0)):
            at = [row for row, there in zip(rows, defined[:, column], strict=True) if there]
            points[column] = self.points[at, column].mean()
            resampled[column] = self.resampled[at, column].mean(axis=0)
        return points, resampled

    def macro_intervals(self, kind: str, confidence_level: float) -> NDArray[np.float64]:
        """(K, 2) bounds of `macro`. Macro averages rest on all concepts: they have bounds where the whole set has."""
        bounds = percentile_intervals(self.macro(kind)[1], confidence_level)
        bounds[self.n_concepts[0] < 2] = np.nan
        return bounds


def estimate(
    table: ConceptTable,
    *,
    n_resamples: int,
    seed: int,
    names: Sequence[str] = NAMES,
    kinds: Sequence[str] = KINDS,
) -> Estimates:
    """Estimate ``names`` over the whole set and over the cells of ``kinds``."""
    return estimate_models([table], n_resamples=n_resamples, seed=seed, names=names, kinds=kinds)[0]


def estimate_models(
    tables: Sequence[ConceptTable],
    *,
    n_resamples: int,
    seed: int,
    names: Sequence[str] = NAMES,
    kinds: Sequence[str] = KINDS,
) -> list[Estimates]:
    """The estimates of several models that were scored on the same items, all from one draw."""
    first = tables[0]
    everything = np.ones(len(first.concept_ids), dtype=bool)
    cells = {OVERALL: everything} | {cell: mask for cell, mask in first.cells.items() if cell[0] in kinds}
    over, under = (_columns(tables, names, side) for side in (0, 1))
    masks = list(cells.values())
    resampled = resampled_ratios(over, under, masks, n_resamples=n_resamples, seed=seed)
    found = []
    for at in range(len(tables)):
        part = slice(at * len(names), (at + 1) * len(names))
        sums = [(over[mask, part].sum(axis=0), under[mask, part].sum(axis=0)) for mask in masks]
        found.append(
            Estimates(
                list(cells),
                names,
                np.array([_ratios(*pair) for pair in sums]),
                np.array([n for _, n in sums]).astype(np.int64),
                np.array([(under[mask, part] > 0).sum(axis=0) for mask in masks]),
                resampled[:, part],
            )
        )
    return found


def _columns(tables: Sequence[ConceptTable], names: Sequence[str], side: int) -> NDArray[np.float64]:
    """(N, models · K): the numerators (side 0) or denominators (1) of every model."""
    return np.column_stack([table.sums[RATIOS[name][side]] for table in tables for name in names])


def _ratios(over: NDArray[np.float64], under: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(over, under, out=np.full_like(over, np.nan), where=under > 0)
