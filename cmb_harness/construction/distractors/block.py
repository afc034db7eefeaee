"""The block sampler: four concepts share one option set and are each the key once."""

from collections.abc import Sequence

import numpy as np

from cmb_harness.construction.distractors.bswa import cap_of, cover, fill
from cmb_harness.construction.distractors.exact import EXACT_UP_TO, best_blocks
from cmb_harness.construction.distractors.pool import Pool, make_pool
from cmb_harness.construction.distractors.search import search_blocks
from cmb_harness.construction.distractors.slots import Slots

LEFTOVER = -1


def sample_block(
    names: Sequence[str],
    countries: Sequence[str],
    similarity: np.ndarray,
    ambiguity_groups: Sequence[Sequence[int]],
    *,
    seed: int = 0,
    cap: float = 0.1,
) -> tuple[np.ndarray, np.ndarray]:
    """Blocks of four concepts, two from each of two countries, that are one another's distractors.

    Every option of a block is the key of one of its items, so neither countries nor a matching over all items
    says more than chance does. It breaks a rule of the paper's A.1 for that: the two foreign distractors share
    their country.

    First come the most blocks, then the highest sum of all six similarities in each. Up to 18 concepts the
    choice is optimal; above, it is the best of several seeded searches, with the most blocks that the countries'
    numbers of concepts allow. Concepts in no block (*leftovers*) get the paper's kind of options
    from the whole category, leftovers first covered by one another.

    Args:
        names, countries, similarity, ambiguity_groups: as for ``sample_bswa``.
        seed: of the searches; the same seed gives the same blocks from any order of the input.
        cap: as for ``sample_bswa``, over the leftovers' options.

    Returns:
        distractors: (N, 3) indices; column 0 holds the same-country one; -1 marks a slot no concept may fill.
        block: (N,) number of each concept's block, from 0, and -1 for leftovers.

    Raises:
        ConstructionError: as for ``sample_bswa``.
    """
    pool = make_pool(names, countries, similarity, ambiguity_groups)
    blocks = _choose(pool, seed)
    number = np.full(len(pool), LEFTOVER)
    number[blocks] = np.arange(len(blocks))[:, None]
    chosen = _leftover_options(pool, np.flatnonzero(number == LEFTOVER), cap_of(len(pool), cap))
    for block in blocks:
        for key in block:
            chosen[key] = _rest_of_block(pool, block, key)
    block_of = np.empty_like(number)
    block_of[pool.order] = number
    return pool.to_input(chosen), block_of


def _choose(pool: Pool, seed: int) -> np.ndarray:
    """(B, 4) the blocks, each sorted, in the order of their first concepts."""
    few = len(pool) <= EXACT_UP_TO
    blocks = best_blocks(pool) if few else search_blocks(pool, np.random.default_rng(seed))
    blocks = np.sort(blocks, axis=1)
    return blocks[np.argsort(blocks[:, 0])] if len(blocks) else blocks


def _rest_of_block(pool: Pool, block: np.ndarray, key: int) -> list[int]:
    """The three others: the key's compatriot, then the foreign ones, the more similar first."""
    others = [int(c) for c in block if c != key]
    return sorted(
        others, key=lambda c: (pool.countries[c] != pool.countries[key], -pool.similarity[key, c], c)
    )


def _leftover_options(pool: Pool, leftovers: np.ndarray, cap: int) -> np.ndarray:
    """(N, 3) options of the leftovers by Algorithm 1, whose phase 1 covers the leftovers alone; other rows -1."""
    slots = Slots(pool, cap, keys=leftovers)
    cover(slots, leftovers)
    fill(slots)
    return slots.chosen
