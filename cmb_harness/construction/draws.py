"""Seeded draws that depend on names alone: not on the order of the input, nor on a library's generator."""

import hashlib
from collections.abc import Callable, Iterable
from typing import Any


def draw(seed: int, *names: object) -> float:
    """A number in [0, 1) for a seed and names: the first 53 bits of their SHA-256."""
    digest = hashlib.sha256("/".join(map(str, (seed, *names))).encode()).digest()
    return (int.from_bytes(digest[:7], "big") >> 3) / 2**53


def shuffled(items: Iterable[Any], seed: int, *names: object, key: Callable[[Any], str] = str) -> list[Any]:
    """The items in an order drawn for the seed and names; ``key`` names an item."""
    return sorted(items, key=lambda item: (draw(seed, *names, key(item)), key(item)))
