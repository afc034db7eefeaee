"""Perfect matchings counted exactly, item by item, over which of the open options are taken.

Items are processed in an order that keeps few options *open* (met by an item that was processed and by one still to
come). All that the rest of the count needs to know of the past is which open options are taken, so partial matchings
are counted by that set, forwards and backwards; their products give the share of matchings with each edge. This is
the transfer-matrix way of a permanent: exponential in the number of open options, not in that of items.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ORDERS_TRIED = 20
# Sets of open options are bits of one signed 64-bit number.
MOST_OPEN = 62

Layer = tuple[NDArray[np.int64], NDArray[np.float64]]


@dataclass(frozen=True)
class Step:
    """One item in the order: the bit of each of its options, and the bits of options that no later item has."""

    item: int
    bits: list[np.int64]
    closing: np.int64


def counted_shares(
    candidates: Sequence[Sequence[int]], most_states: int, seed: int
) -> list[NDArray[np.float64]] | None:
    """For each item the share of matchings that give it each of its candidates; None if that takes too many states.

    Args:
        candidates: the options that each item may take; every option at most once over all items. If there are as
            many options as items, all are taken.
        most_states: how many sets of open options may be held over all steps.
        seed: of the orders that are tried.
    """
    generator = random.Random(seed)
    tries = [_order(candidates, generator) for _ in range(ORDERS_TRIED)]
    states, widest, order = min(tries)
    if states > most_states or widest > MOST_OPEN:
        return None
    steps = _steps(candidates, order)
    all_taken = len({option for one in candidates for option in one}) == len(candidates)
    layers = _forwards(steps, all_taken)
    return _backwards(steps, layers, all_taken)


def _order(candidates: Sequence[Sequence[int]], generator: random.Random) -> tuple[int, int, list[int]]:
    """A greedy order with random ties: (states it takes, at most; most options open; the order)."""
    left: dict[int, int] = {}
    for one in candidates:
        for option in one:
            left[option] = left.get(option, 0) + 1
    rest, opened = set(range(len(candidates))), set()
    order: list[int] = []
    states, widest, closed = 0, 0, 0
    spare = len(left) - len(candidates)

    def growth(item: int) -> tuple[int, float]:
        new = sum(option not in opened for option in candidates[item])
        return new - sum(left[option] == 1 for option in candidates[item]), generator.random()

    while rest:
        item = min(rest, key=growth)
        rest.remove(item)
        order.append(item)
        for option in candidates[item]:
            opened.add(option)
            left[option] -= 1
            if not left[option]:
                opened.remove(option)
                closed += 1
        # Each of the closed options is taken, unless it is one of the spare.
        taken = len(order) - closed
        states += sum(
            math.comb(len(opened), taken + unused) for unused in range(spare + 1) if taken + unused >= 0
        )
        widest = max(widest, len(opened))
    return states, widest, order


def _steps(candidates: Sequence[Sequence[int]], order: Sequence[int]) -> list[Step]:
    last = {option: item for item in order for option in candidates[item]}
    bit_of: dict[int, int] = {}
    free: list[int] = []
    steps = []
    for item in order:
        for option in candidates[item]:
            if option not in bit_of:
                bit_of[option] = free.pop() if free else len(bit_of)
        bits = [np.int64(1 << bit_of[option]) for option in candidates[item]]
        ending = [option for option in candidates[item] if last[option] == item]
        closing = np.int64(sum(1 << bit_of[option] for option in ending))
        free += [bit_of.pop(option) for option in ending]
        steps.append(Step(item, bits, closing))
    return steps


def _forwards(steps: Sequence[Step], all_taken: bool) -> list[Layer]:
    """Before each step and after the last: (sorted sets of taken open options, how often each, up to a factor)."""
    layers: list[Layer] = [(np.zeros(1, dtype=np.int64), np.ones(1))]
    for step in steps:
        sets, counts = layers[-1]
        moves = [_moves(step, bit, sets, all_taken) for bit in step.bits]
        reached = np.concatenate([after for _, after in moves])
        weights = np.concatenate([counts[before] for before, _ in moves])
        next_sets, place = np.unique(reached, return_inverse=True)
        next_counts = np.bincount(place, weights)
        layers.append((next_sets, next_counts / next_counts.max()))
    return layers


def _backwards(steps: Sequence[Step], layers: Sequence[Layer], all_taken: bool) -> list[NDArray[np.float64]]:
    shares: list[NDArray[np.float64]] = [np.empty(0)] * len(steps)
    to_come = np.ones(len(layers[-1][0]))
    for number in range(len(steps) - 1, -1, -1):
        step, (sets, counts), (next_sets, _) = steps[number], layers[number], layers[number + 1]
        sums = np.zeros(len(sets))
        share = np.empty(len(step.bits))
        for at, bit in enumerate(step.bits):
            before, after = _moves(step, bit, sets, all_taken)
            ways = to_come[np.searchsorted(next_sets, after)]
            sums[before] += ways
            share[at] = counts[before] @ ways
        shares[step.item] = share / share.sum()
        to_come = sums / sums.max()
    return shares


def _moves(
    step: Step, bit: np.int64, sets: NDArray[np.int64], all_taken: bool
) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Which of the sets the item can take an option in, and what each becomes."""
    before = np.flatnonzero((sets & bit) == 0)
    after = sets[before] | bit
    if all_taken:
        whole = (after & step.closing) == step.closing
        before, after = before[whole], after[whole]
    return before, after & ~step.closing
