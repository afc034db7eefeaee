"""One category's concepts, checked and in canonical order, as both samplers take them."""

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cmb_harness.construction.faults import ConstructionError

ASYMMETRY_TOLERANCE = 1e-6
# Sums of similarities are compared, so their size is limited; cosines are within 1.
LARGEST = 1e6


@dataclass(frozen=True)
class Pool:
    """The concepts of one category, sorted by country and name so that no result depends on the input's order.

    Attributes:
        order: (N,) input index of each concept here.
        countries: (N,) country of each concept, as an integer code in the order of the countries' names.
        similarity: (N, N) symmetric, finite.
        rivals: for each concept the concepts that may never stand in one option set with it: those that share
            an ambiguity group or a name with it.
    """

    order: np.ndarray
    countries: np.ndarray
    similarity: np.ndarray
    rivals: list[np.ndarray]

    def __len__(self) -> int:
        return len(self.order)

    def part(self, members: np.ndarray) -> "Pool":
        """The pool of some of its concepts, given by their canonical indices in rising order."""
        place = {int(member): position for position, member in enumerate(members)}
        rivals = [
            np.array([place[int(rival)] for rival in self.rivals[member] if int(rival) in place], dtype=int)
            for member in members
        ]
        similarity = self.similarity[np.ix_(members, members)]
        return Pool(self.order[members], self.countries[members], similarity, rivals)

    def to_input(self, rows: np.ndarray) -> np.ndarray:
        """Rows of canonical indices (-1 for none) as rows of input indices, in the input's order."""
        named = np.where(rows < 0, -1, self.order[np.maximum(rows, 0)])
        result = np.empty_like(named)
        result[self.order] = named
        return result


def make_pool(
    names: Sequence[str],
    countries: Sequence[str],
    similarity: np.ndarray,
    ambiguity_groups: Sequence[Sequence[int]],
) -> Pool:
    """Check one category's input and put it into canonical order.

    Args:
        names: N names; equal names (NFC, case ignored) may come from different countries only.
        countries: N country codes.
        similarity: (N, N), symmetric to 1e-6 of its largest value, finite, within 1e6.
        ambiguity_groups: lists of indices into ``names``.

    Raises:
        ConstructionError: with every fault found.
    """
    matrix = np.asarray(similarity, dtype=float)
    faults = _concept_faults(names, countries)
    faults += similarity_faults(matrix, len(names))
    faults += _group_faults(ambiguity_groups, len(names))
    if faults:
        raise ConstructionError(faults)
    folded = [fold_name(name) for name in names]
    order = np.array(sorted(range(len(names)), key=lambda i: (countries[i], folded[i])))
    matrix = matrix[np.ix_(order, order)]
    _, codes = np.unique([countries[i] for i in order], return_inverse=True)
    place = {int(index): position for position, index in enumerate(order)}
    groups = [[place[int(i)] for i in group] for group in ambiguity_groups]
    return Pool(order, codes, (matrix + matrix.T) / 2, _rivals([folded[i] for i in order], groups))


def fold_name(name: str) -> str:
    """The form in which two names are the same option: NFC, case and outer blanks ignored."""
    return unicodedata.normalize("NFC", name).strip().casefold()


def similarity_faults(matrix: np.ndarray, n: int) -> list[str]:
    """What is wrong with a similarity matrix of ``n`` concepts, one line a fault."""
    if matrix.shape != (n, n):
        return [f"similarity: the matrix is {matrix.shape}, {n} concepts need {(n, n)}"]
    largest = float(np.abs(matrix).max(initial=0))
    if not largest <= LARGEST:
        wrong = ~(np.abs(matrix) <= LARGEST)
        row, column = np.argwhere(wrong)[0]
        first = f"the first, {matrix[row, column]:g}, at row {row}, column {column}"
        return [f"similarity: {int(wrong.sum())} values are not finite, or beyond {LARGEST:g}; {first}"]
    difference = np.abs(matrix - matrix.T)
    if difference.max(initial=0) > ASYMMETRY_TOLERANCE * max(1.0, largest):
        row, column = np.unravel_index(int(difference.argmax()), matrix.shape)
        values = f"{matrix[row, column]:g} against {matrix[column, row]:g}"
        return [f"similarity: not symmetric: row {row}, column {column} holds {values}"]
    return []


def _concept_faults(names: Sequence[str], countries: Sequence[str]) -> list[str]:
    if len(names) != len(countries):
        return [f"concepts: {len(names)} names, but {len(countries)} countries"]
    faults = []
    if len(names) < 4:
        faults.append(f"concepts: {len(names)} are too few: an option set needs four")
    if len(names) and len(set(countries)) == 1:
        faults.append(f"concepts: all are of one country, {countries[0]}; distractors need another")
    places = defaultdict(list)
    for index, (name, country) in enumerate(zip(names, countries, strict=True)):
        places[country, fold_name(name)].append(index)
    for (country, _), indices in places.items():
        if len(indices) > 1:
            faults.append(f"concepts: {names[indices[0]]!r} is named twice in {country}: rows {indices}")
    return faults


def _group_faults(groups: Sequence[Sequence[int]], n: int) -> list[str]:
    return [
        f"ambiguity group {number}: {index!r} is no index of the {n} concepts"
        for number, group in enumerate(groups)
        for index in group
        if not (isinstance(index, int | np.integer) and 0 <= index < n)
    ]


def _rivals(folded: list[str], groups: list[list[int]]) -> list[np.ndarray]:
    same_name = defaultdict(list)
    for index, name in enumerate(folded):
        same_name[name].append(index)
    rivals: list[set[int]] = [set() for _ in folded]
    for group in [*groups, *same_name.values()]:
        for index in group:
            rivals[index].update(group)
    return [np.array(sorted(others - {index}), dtype=int) for index, others in enumerate(rivals)]
