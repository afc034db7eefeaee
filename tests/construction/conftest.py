"""The paper's inventory category by category, and similarity matrices with the shape of real ones."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from cmb_harness.records import read_region

REGIONS = Path(__file__).resolve().parent.parent.parent / "cmb_harness" / "regions"


class Category(NamedTuple):
    """The first and the last two arguments of a sampler, without the similarity."""

    names: list[str]
    countries: list[str]
    groups: list[list[int]]


@pytest.fixture(scope="session")
def inventory() -> dict[str, Category]:
    """Category → its concepts, as Table 5 and A.1 of the paper list them."""
    with open(REGIONS / "southeast_asia_inventory.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    groups = read_region().ambiguity_groups
    categories = {}
    for name in ("Celebration", "Dance", "Game", "Music", "Wedding"):
        members = [row for row in rows if row["category"] == name]
        place = {row["concept_id"]: i for i, row in enumerate(members)}
        categories[name] = Category(
            [row["common_latin"] for row in members],
            [row["country"] for row in members],
            [[place[i] for i in group] for group in groups if group[0] in place],
        )
    return categories


@pytest.fixture(scope="session")
def cosines() -> Callable[..., np.ndarray]:
    """(n, seed, dimensions) → cosines of random vectors: few dimensions make some concepts everybody's neighbour."""

    def make(n: int, seed: int, dimensions: int = 12) -> np.ndarray:
        vectors = np.random.default_rng(seed).normal(size=(n, dimensions)) + 0.7
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors @ vectors.T

    return make


@pytest.fixture(scope="session")
def broken_rules() -> Callable[..., list[str]]:
    """(key, its three distractors, countries, groups, names) → the rules of A.1 that the option set breaks.

    A key with no companion at home may take a foreign one, and a key with one other country only may take two of it.
    """

    def apart(a: int, b: int, groups: list[list[int]], names: list[str]) -> bool:
        return names[a] != names[b] and not any(a in group and b in group for group in groups)

    def check(k: int, options: list[int], countries: list[str], groups: list[list[int]], names: list[str]):
        around = [c for c in range(len(names)) if c != k and apart(k, c, groups, names)]
        companions = [c for c in around if countries[c] == countries[k]]
        abroad = {countries[c] for c in around if countries[c] != countries[k]}
        of = [countries[c] for c in options]
        four = [k, *options]
        rules = {
            "four different concepts": len(set(four)) == 4,
            "no rivals": all(apart(a, b, groups, names) for a in four for b in four if a < b),
            "a compatriot": not companions or of[0] == countries[k],
            "two from abroad": countries[k] not in of[1:],
            "of two countries": len(abroad) < 2 or of[1] != of[2],
            "a lone key's are of three": bool(companions) or len(abroad) < 3 or len(set(of)) == 3,
        }
        return [rule for rule, kept in rules.items() if not kept]

    return check
