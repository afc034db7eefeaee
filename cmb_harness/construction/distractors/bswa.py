"""The paper's sampler (A.1, Algorithm 1): coverage first, then similarity, under a cap on re-use."""

import math
from collections.abc import Sequence

import numpy as np

from cmb_harness.construction.distractors.pool import make_pool
from cmb_harness.construction.distractors.repair import refill
from cmb_harness.construction.distractors.slots import Slots
from cmb_harness.construction.faults import ConstructionError


def sample_bswa(
    names: Sequence[str],
    countries: Sequence[str],
    similarity: np.ndarray,
    ambiguity_groups: Sequence[Sequence[int]],
    *,
    cap: float = 0.1,
) -> np.ndarray:
    """Three distractors for each concept of one category, by the paper's Algorithm 1.

    Phase 1 takes the concepts that fit the fewest slots first and puts each into the open slot of the most similar
    key. Phase 2 goes over the keys with open slots, those with the least capacity left first, and fills one slot of
    each with its most similar valid concept. When no open slot finds a concept, the cap rises to the
    lowest value at which one does. Ties go to the concept (or key) that is first by country and name, then to
    the lowest slot, so the order of the input does not matter.

    Args:
        names: N concept names. Equal names of two countries are treated as an ambiguity group.
        countries: N country codes.
        similarity: (N, N) symmetric similarities, higher is closer.
        ambiguity_groups: lists of indices; two concepts of one group never stand in one option set.
        cap: share of N that one concept's uses as a distractor may reach, at least one use.

    Returns:
        (N, 3) indices; column 0 holds the same-country distractor, columns 1 and 2 those of two other countries.
        A concept without a companion of its country has a foreign one in column 0 too; where only one other
        country is there, columns 1 and 2 share it. -1 marks a slot that no concept may fill.

    Raises:
        ConstructionError: fewer than four concepts, one country only, a name twice in one country, a matrix of the
            wrong size, asymmetric or not finite, a group index out of range, or a cap that is no share.
    """
    pool = make_pool(names, countries, similarity, ambiguity_groups)
    slots = Slots(pool, cap_of(len(pool), cap))
    cover(slots, np.arange(len(pool)))
    fill(slots)
    return pool.to_input(slots.chosen)


def cap_of(n: int, cap: float) -> int:
    """How often one of ``n`` concepts may be a distractor: ⌊cap·n⌋, at least once.

    Raises:
        ConstructionError: the cap is not within 0 to 1.
    """
    if not 0 <= cap <= 1:
        raise ConstructionError(f"cap: {cap!r} is not a share between 0 and 1")
    # 0.29 * 100 is a hair under 29.
    return max(1, math.floor(cap * n + 1e-9))


def cover(slots: Slots, concepts: np.ndarray) -> None:
    """Phase 1: place each of the concepts that has no use yet, those with the fewest places first."""
    placability = [int(slots.places(int(concept)).sum()) for concept in concepts]
    for concept in concepts[np.argsort(placability, kind="stable")]:
        if slots.usage[concept] == 0:
            _place_once(slots, int(concept))


def fill(slots: Slots) -> None:
    """Phase 2: fill what is open; relax the cap, then the keys already filled in part, only when stuck."""
    while slots.open().any():
        if _one_pass(slots):
            continue
        cap = _lowest_cap_that_helps(slots)
        if cap is not None:
            slots.cap = cap
        else:
            _unlock(slots)


def _place_once(slots: Slots, concept: int) -> None:
    places = slots.places(concept)
    anywhere = places[:, 0] | places[:, 1] | places[:, 2]
    key = int(np.where(anywhere, slots.pool.similarity[concept], -np.inf).argmax())
    if anywhere[key]:
        slots.place(key, int(places[key].argmax()), concept)


def _one_pass(slots: Slots) -> bool:
    """Give each key with an open slot one concept, if one is valid; whether any slot was filled."""
    keys = np.flatnonzero(slots.open().any(axis=1))
    capacity = [slots.capacity(int(key)) for key in keys]
    moved = False
    for key in keys[np.argsort(capacity, kind="stable")]:
        moved |= _fill_one(slots, int(key))
    return moved


def _fill_one(slots: Slots, key: int) -> bool:
    for slot in slots.open_slots(key):
        valid = slots.candidates(key, slot)
        best = int(np.where(valid, slots.pool.similarity[key], -np.inf).argmax())
        if valid[best]:
            slots.place(key, slot, best)
            return True
    return False


def _lowest_cap_that_helps(slots: Slots) -> int | None:
    """The lowest cap at which some open slot finds a concept; None if no cap helps."""
    uses = [
        int(slots.usage[candidates].min())
        for key, slot in np.argwhere(slots.open()).tolist()
        if (candidates := slots.candidates(key, slot, cap=math.inf)).any()
    ]
    return min(uses) + 1 if uses else None


def _unlock(slots: Slots) -> None:
    """Choose anew for the first key that its own earlier slots have locked; give its open slots up if none helps."""
    key = int(np.flatnonzero(slots.open().any(axis=1))[0])
    before = slots.chosen[key].copy()
    if refill(slots, key):
        for concept in before[before >= 0]:
            if slots.usage[concept] == 0:
                _place_once(slots, int(concept))
    else:
        slots.sealed[key] |= slots.chosen[key] < 0
