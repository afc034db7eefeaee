"""Which units to hide so that every group of concepts is hidden by about the same share: a seeded local search."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from cmb_harness.construction.draws import draw, shuffled
from cmb_harness.construction.units import Placed, Unit

# A side of a category must hold questions: four options, from the key's country and two others (A.1).
LEAST_CONCEPTS = 4
LEAST_COUNTRIES = 3


class Layout:
    """The units as columns of counts over the groups whose shares count, and what each category needs.

    Units that hold one of the concepts ``public`` are not free to be hidden.
    """

    def __init__(
        self,
        concepts: Sequence[Placed],
        units: Sequence[Unit],
        test_share: float,
        tied: bool,
        public: Collection[str] = (),
    ):
        place = {concept.concept_id: concept for concept in concepts}
        unit_of = {name: number for number, unit in enumerate(units) for name in unit}
        groups: dict[tuple[str, ...], int] = {}
        counts: Counter[tuple[int, int]] = Counter()
        for name, unit in unit_of.items():
            country, category = place[name].country, place[name].category
            for group in (("",), ("", country), (category,), (category, country)):
                counts[groups.setdefault(group, len(groups)), unit] += 1
        self.units = units
        self.free = np.array([not set(public) & set(unit) for unit in units], dtype=bool)
        self.share = test_share
        self.counts = np.zeros((len(groups), len(units)))
        for (row, column), count in counts.items():
            self.counts[row, column] = count
        self.goal = test_share * self.counts.sum(axis=1)
        self.gram = self.counts.T @ self.counts
        self.categories = sorted({concept.category for concept in concepts})
        # By category, one row a country: how many of its concepts each unit has.
        self.tables = {
            name: self.counts[[row for group, row in groups.items() if group[0] == name and len(group) == 2]]
            for name in self.categories
        }
        self.categories_of = [sorted({place[name].category for name in unit}) for unit in units]
        self.least_concepts = 1 if tied else LEAST_CONCEPTS
        self.least_countries = {
            name: 1 if tied else min(LEAST_COUNTRIES, len(table)) for name, table in self.tables.items()
        }

    def may_be_hidden(self, undivided: Collection[str]) -> np.ndarray:
        """(U,) bool: units that are free, and none of whose categories stays public as a whole."""
        divided = [not set(undivided) & set(categories) for categories in self.categories_of]
        return self.free & np.array(divided, dtype=bool)

    def cost(self, hidden: np.ndarray) -> tuple[int, float]:
        """(what the sides of all categories lack, squared deviations from the shares)."""
        lack = sum(self.shortfall(hidden, name) for name in self.categories)
        return lack, float(((self.counts @ hidden - self.goal) ** 2).sum())

    def shortfall(self, hidden: np.ndarray, category: str) -> int:
        """How many concepts and countries the two sides of a category lack; 0 if both can hold questions."""
        lack = 0
        for side in (hidden, ~hidden):
            by_country = self.tables[category] @ side
            lack += max(0, self.least_concepts - int(by_country.sum()))
            lack += max(0, self.least_countries[category] - int(np.count_nonzero(by_country)))
        return lack


def start(layout: Layout, seed: int, try_: int, undivided: Collection[str]) -> np.ndarray:
    """(U,) bool: about the share of the units of each kind, rounded up or down by a draw."""
    hidden = np.zeros(len(layout.units), dtype=bool)
    kinds: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for unit in np.flatnonzero(layout.may_be_hidden(undivided)):
        kinds[tuple(np.flatnonzero(layout.counts[:, unit]))].append(int(unit))
    for members in kinds.values():
        names = {unit: layout.units[unit][0] for unit in members}
        mixed = shuffled(members, seed, try_, "side", key=names.__getitem__)
        exact = layout.share * len(mixed)
        count = int(exact) + (draw(seed, try_, "round", names[mixed[0]]) < exact - int(exact))
        hidden[mixed[:count]] = True
    return hidden


def improved(layout: Layout, hidden: np.ndarray, undivided: Collection[str]) -> np.ndarray:
    """Turn units, or swap two, for as long as that brings the cost down."""
    free = layout.may_be_hidden(undivided)
    while True:
        better = _best_step(layout, hidden, free)
        if better is None:
            return hidden
        hidden = better


def _best_step(layout: Layout, hidden: np.ndarray, free: np.ndarray) -> np.ndarray | None:
    cost = layout.cost(hidden)
    turns, swaps = _gains(layout, hidden, free)
    if cost[0]:
        # A side lacks something: mend that first, whatever it costs in balance.
        mended = [_turned(hidden, int(unit)) for unit in np.flatnonzero(free)]
        best = min(mended, key=layout.cost, default=hidden)
        return best if layout.cost(best) < cost else None
    for turned in _by_gain(turns, swaps):
        step = _turned(hidden, *turned)
        touched = {name for unit in turned for name in layout.categories_of[unit]}
        if not any(layout.shortfall(step, name) for name in touched):
            return step
    return None


def _by_gain(turns: np.ndarray, swaps: np.ndarray) -> Iterator[tuple[int, ...]]:
    """The units of every step that lowers the cost, the best step first; turns before swaps of the same gain."""
    gains = np.concatenate([turns, swaps.ravel()])
    for place in np.argsort(gains, kind="stable"):
        if gains[place] > -1e-9:
            return
        yield (int(place),) if place < len(turns) else divmod(int(place) - len(turns), len(turns))


def _gains(layout: Layout, hidden: np.ndarray, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Changes of the squared deviations: (U,) of turning a unit, (U, U) of swapping a hidden one for a public one."""
    sign = np.where(hidden, -1.0, 1.0)
    residual = layout.counts @ hidden - layout.goal
    turns = np.where(free, 2 * sign * (residual @ layout.counts) + layout.gram.diagonal(), np.inf)
    swaps = turns[:, None] + turns[None, :] - 2 * layout.gram
    swaps[~hidden] = np.inf
    swaps[:, hidden] = np.inf
    return turns, swaps


def _turned(hidden: np.ndarray, *units: int) -> np.ndarray:
    turned = hidden.copy()
    turned[list(units)] ^= True
    return turned
