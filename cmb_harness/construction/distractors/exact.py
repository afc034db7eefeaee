"""The best blocks of a small category, exactly: dynamic programming over all subsets of its concepts."""

from itertools import combinations

import numpy as np

from cmb_harness.construction.distractors.pool import Pool

# 2^18 subsets take some tenths of a second, and each concept more doubles that and the memory.
EXACT_UP_TO = 18


def best_blocks(pool: Pool) -> np.ndarray:
    """The most blocks and, among those choices, the highest sum of similarities.

    Args:
        pool: at most ``EXACT_UP_TO`` concepts.

    Returns:
        (B, 4) canonical indices, two concepts of one country, then two of another.
    """
    blocks = valid_blocks(pool)
    if not len(blocks):
        return np.empty((0, 4), dtype=int)
    totals = block_totals(pool.similarity, blocks)
    # One more block outweighs any similarity.
    values = totals + 1 + 2 * (len(pool) // 4) * np.abs(totals).max()
    masks = (1 << blocks).sum(axis=1)
    best, choice = _best_of_subsets(len(pool), masks, values, blocks.max(axis=1))
    chosen, left = [], len(best) - 1
    while left:
        if choice[left] < 0:
            left ^= 1 << (left.bit_length() - 1)
        else:
            chosen.append(choice[left])
            left ^= int(masks[choice[left]])
    return blocks[sorted(chosen)]


def valid_blocks(pool: Pool) -> np.ndarray:
    """(M, 4) every block: two concepts each of two countries, no two of the four rivals."""
    rival_pairs = {(i, int(j)) for i, others in enumerate(pool.rivals) for j in others}
    couples = [
        (i, j)
        for i, j in combinations(range(len(pool)), 2)
        if pool.countries[i] == pool.countries[j] and (i, j) not in rival_pairs
    ]
    blocks = [
        first + second
        for first, second in combinations(couples, 2)
        if pool.countries[first[0]] != pool.countries[second[0]]
        and not any((i, j) in rival_pairs for i in first for j in second)
    ]
    return np.array(blocks, dtype=int).reshape(-1, 4)


def block_totals(similarity: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    """(B,) the sum of the six similarities within each of (B, 4) blocks."""
    return sum(
        (similarity[blocks[:, i], blocks[:, j]] for i, j in combinations(range(4), 2)),
        start=np.zeros(len(blocks)),
    )


def _best_of_subsets(
    n: int, masks: np.ndarray, values: np.ndarray, tops: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """For each subset of ``n`` concepts the best value, and the block that its last concept is in (-1: in none)."""
    best, choice = np.zeros(1 << n), np.full(1 << n, -1)
    for top in range(n):
        half = 1 << top
        # Subsets whose last concept is ``top``: first without it, then with each block that ends in it.
        best[half : 2 * half] = best[:half]
        for block in np.flatnonzero(tops == top):
            mask = int(masks[block])
            holders = np.flatnonzero((np.arange(half, 2 * half) & mask) == mask) + half
            value = best[holders ^ mask] + values[block]
            better = value > best[holders]
            best[holders[better]] = value[better]
            choice[holders[better]] = block
    return best, choice
