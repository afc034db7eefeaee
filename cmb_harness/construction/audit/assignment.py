"""Answers that use each option once: the assignment of options to items with the largest sum of values."""

import numpy as np
from numpy.typing import NDArray

from cmb_harness.construction.audit.structure import Structure

# What an option that an item does not show is worth to it.
NEVER = -1e6


def best_assignment(
    structure: Structure, items: NDArray[np.intp], values: NDArray[np.float64]
) -> NDArray[np.intp]:
    """The place that each item takes, every option at most as often as concepts bear it.

    Args:
        items: (k,) which items of the structure, such as those of a category.
        values: (k, 4) what each place is worth, far above `NEVER`.

    Returns:
        (k,) places.

    Raises:
        ValueError: there is no such assignment.
    """
    from scipy.optimize import linear_sum_assignment

    options = structure.options[items]
    names = np.unique(options)
    columns = np.repeat(names, structure.copies[names])
    if len(columns) < len(items):
        raise ValueError("no way to use each option once")
    value = np.full((len(items), int(names.max()) + 1), NEVER)
    np.put_along_axis(value, options, values, axis=1)
    chosen = columns[linear_sum_assignment(value[:, columns], maximize=True)[1]]
    taken = options == chosen[:, None]
    if not taken.any(axis=1).all():
        raise ValueError("no way to use each option once")
    return taken.argmax(axis=1)


def by_category(structure: Structure) -> list[NDArray[np.intp]]:
    """The items of each category, whose options are apart from those of all others."""
    categories = np.array([item.category for item in structure.items])
    return [np.flatnonzero(categories == name) for name in np.unique(categories)]
