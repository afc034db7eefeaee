"""Tabu search over blocks: always the best swap of two compatriots or of two couples, even where it is a loss.

What was just swapped stays where it is for some rounds, so the search leaves a local optimum instead of falling
back into it; the best blocks met on the way are kept.
"""

import numpy as np

from cmb_harness.construction.distractors.exact import block_totals
from cmb_harness.construction.distractors.pool import Pool

ROUNDS = 1000
SHORTEST_TABU, LONGEST_TABU = 5, 15


def swap_on(pool: Pool, attraction: np.ndarray, blocks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The best blocks met in ``ROUNDS`` swaps.

    Args:
        attraction: (N, N) similarities, low for rivals.
        blocks: (B, 4) where to start: two concepts of one country, then two of another.
        rng: decides how long what was swapped stays.
    """
    blocks, best = blocks.copy(), blocks
    value = best_value = float(block_totals(attraction, blocks).sum())
    free_again = np.zeros(len(pool), dtype=int)
    for round_ in range(ROUNDS if len(blocks) > 1 else 0):
        # A swap that leads to the best total so far is never tabu.
        needed, held = best_value - value + 1e-9, free_again > round_
        members = _best_swap(_member_gains(pool, attraction, blocks), held, needed)
        couples = _couples_of(blocks)
        pairs = _best_swap(_couple_gains(pool, attraction, couples), held[couples].any(axis=1), needed)
        gain, first, second = max(members, pairs)
        if gain == -np.inf:
            break
        if (gain, first, second) == members:
            moved = np.array([first, second])
            blocks = _members_swapped(blocks, first, second)
        else:
            moved = couples[[first, second]].ravel()
            blocks = _couples_swapped(couples, first, second)
        free_again[moved] = round_ + rng.integers(SHORTEST_TABU, LONGEST_TABU, len(moved))
        value += gain
        if value > best_value + 1e-9:
            best, best_value = blocks, value
    return best


def _member_gains(pool: Pool, attraction: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    """(N, N) gain of swapping two compatriots, of different blocks or one of them spare; -inf for others."""
    spare = len(blocks)
    block_of = np.full(len(pool), spare)
    block_of[blocks] = np.arange(spare)[:, None]
    to_block = np.zeros((len(pool), spare + 1))
    to_block[:, :spare] = attraction[:, blocks].sum(axis=2)
    inside = block_of < spare
    own = to_block[np.arange(len(pool)), block_of] - np.where(inside, attraction.diagonal(), 0)
    # In the other's block, each would find the other gone.
    to_other = to_block[:, block_of] - attraction * inside
    gains = to_other + to_other.T - own[:, None] - own
    compatriots = pool.countries[:, None] == pool.countries
    return np.where(compatriots & (block_of[:, None] != block_of), gains, -np.inf)


def _couple_gains(pool: Pool, attraction: np.ndarray, couples: np.ndarray) -> np.ndarray:
    """(2B, 2B) gain of swapping two couples of different blocks; -inf where a block would be of one country."""
    n_blocks = len(couples) // 2
    partner = (np.arange(2 * n_blocks) + n_blocks) % (2 * n_blocks)
    members = couples.ravel()
    between = attraction[np.ix_(members, members)].reshape(len(couples), 2, len(couples), 2).sum(axis=(1, 3))
    own = between[np.arange(2 * n_blocks), partner]
    to_other = between[:, partner]
    gains = to_other + to_other.T - own[:, None] - own
    country = pool.countries[couples[:, 0]]
    allowed = country[:, None] != country[partner]
    block = np.arange(2 * n_blocks) % n_blocks
    return np.where(allowed & allowed.T & (block[:, None] != block), gains, -np.inf)


def _best_swap(gains: np.ndarray, held: np.ndarray, needed: float) -> tuple[float, int, int]:
    """(gain, first, second) of the best swap that touches nothing held, or that gains what is needed."""
    open_gains = np.where(held[:, None] | held, np.where(gains > needed, gains, -np.inf), gains)
    first, second = divmod(int(open_gains.argmax()), len(gains))
    return float(open_gains[first, second]), first, second


def _couples_of(blocks: np.ndarray) -> np.ndarray:
    """(2B, 2) the couples: couple i and couple i + B make a block."""
    return np.concatenate([blocks[:, :2], blocks[:, 2:]])


def _members_swapped(blocks: np.ndarray, first: int, second: int) -> np.ndarray:
    return np.where(blocks == first, second, np.where(blocks == second, first, blocks))


def _couples_swapped(couples: np.ndarray, first: int, second: int) -> np.ndarray:
    couples = couples.copy()
    couples[[first, second]] = couples[[second, first]]
    n_blocks = len(couples) // 2
    return np.concatenate([couples[:n_blocks], couples[n_blocks:]], axis=1)
