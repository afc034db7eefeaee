"""A key that its own first choices have locked: a search over its whole option set."""

import math
from itertools import permutations

import numpy as np

from cmb_harness.construction.distractors.pool import Pool
from cmb_harness.construction.distractors.slots import EMPTY, SLOTS, Slots

# Far above what real tables need; it ends the search where thousands of concepts rival one another.
MOST_TRIALS = 20_000


def refill(slots: Slots, key: int) -> bool:
    """Give the key another, full option set: under the cap and robbing no concept of its only use, if possible.

    Returns:
        Whether a full set was found. If not, the key keeps what it had.
    """
    before = slots.chosen[key].copy()
    only_uses = [int(c) for c in before if c != EMPTY and slots.usage[c] == 1]
    slots.clear(key)
    for kept, cap in ((only_uses, slots.cap), (only_uses, math.inf), ([], slots.cap), ([], math.inf)):
        if _complete_around(slots, key, kept, cap):
            slots.cap = max(slots.cap, int(slots.usage[slots.chosen[key]].max()))
            return True
    for slot in np.flatnonzero(before != EMPTY).tolist():
        slots.place(key, slot, int(before[slot]))
    return False


def unfillable(pool: Pool) -> list[int]:
    """Input indices of the concepts for which no full option set exists at any cap."""
    slots = Slots(pool, len(pool))
    keys = []
    for key in range(len(pool)):
        if not _complete(slots, key, math.inf, [MOST_TRIALS]):
            keys.append(int(pool.order[key]))
        slots.clear(key)
    return sorted(keys)


def _complete_around(slots: Slots, key: int, kept: list[int], cap: float) -> bool:
    """Fill the key with the ``kept`` concepts, in whichever slots take them, and others."""
    for chosen_slots in permutations(range(SLOTS), len(kept)):
        if all(
            _try(slots, key, slot, c, cap) for slot, c in zip(chosen_slots, kept, strict=True)
        ) and _complete(slots, key, cap, [MOST_TRIALS]):
            return True
        slots.clear(key)
    return False


def _try(slots: Slots, key: int, slot: int, concept: int, cap: float) -> bool:
    if not slots.candidates(key, slot, cap)[concept]:
        return False
    slots.place(key, slot, concept)
    return True


def _complete(slots: Slots, key: int, cap: float, trials_left: list[int]) -> bool:
    """Fill the open slots, the one with the fewest candidates first, the most similar concepts first."""
    valid = {slot: np.flatnonzero(slots.candidates(key, slot, cap)) for slot in slots.open_slots(key)}
    if not valid:
        return True
    slot = min(valid, key=lambda s: len(valid[s]))
    closest_first = np.argsort(-slots.pool.similarity[key, valid[slot]], kind="stable")
    for concept in valid[slot][closest_first].tolist():
        trials_left[0] -= 1
        if trials_left[0] < 0:
            return False
        slots.place(key, slot, concept)
        if _complete(slots, key, cap, trials_left):
            return True
        slots.take_back(key, slot)
    return False
