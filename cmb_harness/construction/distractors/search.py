"""Good blocks of a category that is too large for all its subsets: repeated optimal reassignment.

One member of every block is taken out, and the members are put back where they fit best, country by country, an
assignment problem with an exact solution; then the same with one of the two couples of every block. Each step
keeps the number of blocks and never lowers the total. Several seeded starts are improved, and the best is kept.
"""

import numpy as np
from scipy.optimize import linear_sum_assignment

from cmb_harness.construction.distractors.exact import block_totals
from cmb_harness.construction.distractors.pool import Pool

# Members are cheap to move, couples are not.
MEMBER_STEPS = 4


def search_blocks(
    pool: Pool, rng: np.random.Generator, *, starts: int = 20, patience: int = 20
) -> np.ndarray:
    """Blocks with a high sum of similarities; as many as the numbers of concepts of the countries allow.

    Args:
        pool: the category.
        rng: decides the starts and what each step takes out.
        starts: how many starts are improved.
        patience: steps without a gain that end a start.

    Returns:
        (B, 4) canonical indices, two concepts of one country, then two of another, no two of them rivals.
    """
    attraction = _attraction(pool)
    best, best_value = np.empty((0, 4), dtype=int), -np.inf
    for _ in range(starts):
        blocks = _improve(pool, attraction, _start(pool, rng), rng, patience)
        value = block_totals(attraction, blocks).sum()
        if value > best_value:
            best, best_value = blocks, value
    return best[~_has_rivals(pool, best)]


def _attraction(pool: Pool) -> np.ndarray:
    """The similarities, less a penalty on rivals that no gain elsewhere outweighs."""
    attraction = pool.similarity.copy()
    penalty = 1 + 4 * len(pool) * float(np.abs(attraction).max())
    for concept, others in enumerate(pool.rivals):
        attraction[concept, others] -= penalty
    return attraction


def _start(pool: Pool, rng: np.random.Generator) -> np.ndarray:
    """Random couples within each country, joined across countries into as many blocks as there can be."""
    couples = _couples(pool, rng.permutation(len(pool)))
    sizes = np.bincount(pool.countries[couples[:, 0]], minlength=1)
    couples = couples[np.argsort(-sizes[pool.countries[couples[:, 0]]], kind="stable")]
    largest = int(sizes.max())
    n_blocks = min(len(couples) // 2, len(couples) - largest)
    # No country keeps more than n_blocks couples, so the couple n_blocks places on is of another country.
    kept = np.concatenate([couples[:largest][:n_blocks], couples[largest:]])[: 2 * n_blocks]
    return np.concatenate([kept[:n_blocks], kept[n_blocks:]], axis=1)


def _improve(
    pool: Pool, attraction: np.ndarray, blocks: np.ndarray, rng: np.random.Generator, patience: int
) -> np.ndarray:
    """Reassign until ``patience`` steps in a row gain nothing."""
    value, idle = block_totals(attraction, blocks).sum(), 0
    while idle < patience:
        for _ in range(MEMBER_STEPS):
            blocks = _reassign_members(pool, attraction, blocks, rng)
        blocks = _reassign_couples(pool, attraction, blocks, rng)
        before, value = value, block_totals(attraction, blocks).sum()
        idle = 0 if value > before + 1e-9 * abs(before) else idle + 1
    return blocks


def _reassign_members(
    pool: Pool, attraction: np.ndarray, blocks: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Take one member out of every block and put those, or spare concepts of their countries, back in at best."""
    rows = np.arange(len(blocks))
    position = rng.integers(0, 4, len(blocks))
    out = blocks[rows, position]
    rest = blocks[rows[:, None], (position[:, None] + [1, 2, 3]) % 4]
    spare = _spare(pool, blocks)
    blocks = blocks.copy()
    for country in np.unique(pool.countries[out]):
        slots = np.flatnonzero(pool.countries[out] == country)
        members = np.concatenate([out[slots], spare[pool.countries[spare] == country]])
        gain = sum(attraction[np.ix_(rest[slots, i], members)] for i in range(3))
        chosen = linear_sum_assignment(gain, maximize=True)[1]
        blocks[slots, position[slots]] = members[chosen]
    return blocks


def _reassign_couples(
    pool: Pool, attraction: np.ndarray, blocks: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Take one couple out of every block and put those, or spare couples, back beside the others at best."""
    side = rng.integers(0, 2, len(blocks)).astype(bool)
    out = np.where(side[:, None], blocks[:, 2:], blocks[:, :2])
    rest = np.where(side[:, None], blocks[:, :2], blocks[:, 2:])
    out = np.concatenate([out, _couples(pool, rng.permutation(_spare(pool, blocks)))])
    gain = sum(attraction[np.ix_(rest[:, i], out[:, j])] for i in range(2) for j in range(2))
    gain = gain + attraction[out[:, 0], out[:, 1]]
    gain[pool.countries[rest[:, :1]] == pool.countries[out[:, 0]]] = -np.inf
    chosen = linear_sum_assignment(gain, maximize=True)[1]
    return np.concatenate([rest, out[chosen]], axis=1)


def _spare(pool: Pool, blocks: np.ndarray) -> np.ndarray:
    return np.setdiff1d(np.arange(len(pool)), blocks)


def _couples(pool: Pool, concepts: np.ndarray) -> np.ndarray:
    """(M, 2) couples of one country each, in the order given."""
    couples = [np.empty((0, 2), dtype=int)]
    for country in np.unique(pool.countries[concepts]):
        members = concepts[pool.countries[concepts] == country]
        couples.append(members[: len(members) // 2 * 2].reshape(-1, 2))
    return np.concatenate(couples)


def _has_rivals(pool: Pool, blocks: np.ndarray) -> np.ndarray:
    """(B,) whether two of a block's concepts are rivals."""
    return np.array(
        [any(np.isin(pool.rivals[concept], block).any() for concept in block) for block in blocks], dtype=bool
    )
