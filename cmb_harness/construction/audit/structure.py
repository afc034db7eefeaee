"""The option sets of some items as numbers, and what is known of them before any item is read."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cmb_harness.construction.audit.release import N_OPTIONS, Concepts, Item, Name, token


@dataclass(frozen=True)
class Structure:
    """The option sets of n items.

    Attributes:
        items: the items.
        options: (n, 4) each option as a number; the same name of a category, or moment, has the same number.
        copies: how many concepts each option may stand for.
        keys: (n,) places of the keys, -1 where unknown.
    """

    items: Sequence[Item]
    options: NDArray[np.int_]
    copies: NDArray[np.int_]
    keys: NDArray[np.int_]

    def __len__(self) -> int:
        return len(self.items)

    @property
    def keyed(self) -> bool:
        """Whether all keys are known."""
        return bool((self.keys >= 0).all())

    @property
    def clusters(self) -> list[str]:
        """The concept of each item, for the bootstrap."""
        return [item.cluster for item in self.items]


def structure_of(items: Sequence[Item], concepts: Concepts, split: str) -> Structure:
    """The option sets as numbers.

    A category with more items than names has names that several concepts bear. How many do is taken from what is
    known of the concepts.
    """
    numbers: dict[object, int] = {}
    options = np.array(
        [[numbers.setdefault(token(item, at), len(numbers)) for at in range(N_OPTIONS)] for item in items],
        dtype=int,
    ).reshape(-1, N_OPTIONS)
    copies = np.ones(len(numbers), dtype=int)
    n_items = Counter(item.category for item in items)
    names = [name for name in numbers if isinstance(name, Name)]
    n_names = Counter(name.category for name in names)
    for name in names:
        if n_items[name.category] > n_names[name.category]:
            copies[numbers[name]] = concepts.copies(*name, split)
    keys = np.array([-1 if item.key is None else item.key for item in items], dtype=int)
    return Structure(items, options, copies, keys)


def country_pattern(structure: Structure, concepts: Concepts) -> tuple[NDArray[np.bool_], int]:
    """Options that share a country with another option of their item, and how many items show an unknown name.

    The key has a distractor from its own country (A.1), so it is one of these. Where no two options share a country, or
    one country is unknown, all four may be the key.
    """
    allowed = np.ones((len(structure), N_OPTIONS), dtype=bool)
    unknown = 0
    for number, item in enumerate(structure.items):
        countries = [concepts.countries(item.category, option) for option in item.options]
        if not all(countries):
            unknown += 1
            continue
        paired = [
            any(one & other for j, other in enumerate(countries) if j != i) for i, one in enumerate(countries)
        ]
        if any(paired):
            allowed[number] = paired
    return allowed, unknown


def not_public(structure: Structure, public: Sequence[Item], concepts: Concepts) -> NDArray[np.bool_]:
    """(n, 4) options that are not the key of a public item; each concept is the key once, so those are struck out."""
    taken = Counter(token(item, item.key) for item in public if item.key is not None)
    allowed = np.ones((len(structure), N_OPTIONS), dtype=bool)
    for number, item in enumerate(structure.items):
        for at in range(N_OPTIONS):
            name = token(item, at)
            shared = len(concepts.named(*name)) if isinstance(name, Name) else 1
            allowed[number, at] = taken[name] < max(1, shared)
        if not allowed[number].any():
            allowed[number] = True
    return allowed


def full_blocks(structure: Structure) -> NDArray[np.bool_]:
    """(n,) items that share one set of four options with exactly three others: each of the four is the key once."""
    sets = [frozenset(row) for row in structure.options.tolist()]
    count = Counter(sets)
    return np.array([len(one) == N_OPTIONS and count[one] == N_OPTIONS for one in sets], dtype=bool)
