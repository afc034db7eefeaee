"""Outcomes that a printed table leaves possible: integer counts, and concepts right or wrong that meet all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cmb_harness.faults import InputError

Cell = tuple[str, str]
# How an S1 and an S2 outcome can fall out together.
BOTH, S1_ONLY, S2_ONLY, NEITHER = range(4)


@dataclass(frozen=True)
class Margins:
    """What a table says of one model.

    Attributes:
        s1, s2: cell code (a country, a category) → number of concepts right.
        both: concepts right at S1 and at S2: the numerator of c-S2.
    """

    s1: Mapping[str, int]
    s2: Mapping[str, int]
    both: int


def counts_of(percent: float, n: int, decimals: int = 1) -> list[int]:
    """The whole numbers out of ``n`` whose share prints as ``percent``; a tie may have been rounded either way."""
    half = 0.5 * 10.0**-decimals + 1e-9
    return [count for count in range(n + 1) if abs(100 * count / n - percent) <= half]


def fit_outcomes(sizes: Mapping[Cell, int], margins: Margins) -> dict[Cell, list[int]]:
    """Counts of (both, S1 only, S2 only, neither) for each country × category cell that meet every margin.

    Args:
        sizes: (country, category) → number of concepts.
        margins: counts by country and by category code.

    Returns:
        (country, category) → four counts. One solution of usually many, found by integer programming.

    Raises:
        InputError: no outcomes meet all margins.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    cells = list(sizes)
    rows, targets = _equations(cells, sizes, margins)
    n_variables = 4 * len(cells)
    solution = milp(
        np.zeros(n_variables),
        integrality=np.ones(n_variables),
        bounds=Bounds(0, np.repeat([sizes[cell] for cell in cells], 4)),
        constraints=LinearConstraint(rows, targets, targets),
    )
    if not solution.success:
        raise InputError(f"no outcomes meet all margins: {solution.message}")
    counts = np.rint(solution.x).astype(int).reshape(-1, 4)
    return dict(zip(cells, counts.tolist(), strict=True))


def outcomes(counts: Sequence[int]) -> list[tuple[bool, bool]]:
    """The (S1, S2) outcomes of a cell's concepts, in order, that have these four counts."""
    kinds = [(True, True), (True, False), (False, True), (False, False)]
    return [kind for kind, count in zip(kinds, counts, strict=True) for _ in range(count)]


def _equations(
    cells: Sequence[Cell], sizes: Mapping[Cell, int], margins: Margins
) -> tuple[np.ndarray, np.ndarray]:
    rows, targets = [], []

    def equation(target: int, terms: Mapping[int, Sequence[int]]) -> None:
        row = np.zeros(4 * len(cells))
        for cell, kinds in terms.items():
            row[[4 * cell + kind for kind in kinds]] = 1
        rows.append(row)
        targets.append(target)

    for position, cell in enumerate(cells):
        equation(sizes[cell], {position: range(4)})
    for counts, kinds in ((margins.s1, (BOTH, S1_ONLY)), (margins.s2, (BOTH, S2_ONLY))):
        for code, target in counts.items():
            equation(target, {at: kinds for at, cell in enumerate(cells) if code in cell})
    equation(margins.both, dict.fromkeys(range(len(cells)), (BOTH,)))
    return np.array(rows), np.array(targets, dtype=float)
