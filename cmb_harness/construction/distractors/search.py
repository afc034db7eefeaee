"""Good blocks of a category that is too large for all its subsets.

Starts, one greedy and others random, are improved by optimal reassignment: one member of every block is taken out,
and the members are put back where they fit best, country by country, an assignment problem that is solved exactly;
then the same with one of the two couples of every block. Each step keeps the number of blocks and never lowers
the total. In categories of up to ``TABU_UP_TO`` concepts the best results are improved further by a tabu search, and
by exact choices among a few blocks at a time.
"""

import numpy as np
from scipy.optimize import linear_sum_assignment

from cmb_harness.construction.distractors.exact import EXACT_UP_TO, best_blocks, block_totals
from cmb_harness.construction.distractors.greedy import greedy_blocks, most_blocks
from cmb_harness.construction.distractors.pool import Pool
from cmb_harness.construction.distractors.tabu import swap_on

# A swap is chosen among all pairs of concepts, so its cost grows with their square.
TABU_UP_TO = 200
SMALL_STARTS, IMPROVED_FURTHER = 10, 3
# Steps in a row without a gain that end the improvement of a start, and the most steps times concepts.
PATIENCE, MOST_STEPS_BY_N = 8, 75_000
# Members are cheap to move, couples are not.
MEMBER_STEPS = 4
POLISHING_ROUNDS, MOST_SPARE = 30, 8


def search_blocks(pool: Pool, rng: np.random.Generator) -> np.ndarray:
    """Blocks with a high sum of similarities; as many as the numbers of concepts of the countries allow.

    Args:
        pool: the category.
        rng: decides the random starts and what each step takes out.

    Returns:
        (B, 4) canonical indices, two concepts of one country, then two of another, no two of them rivals.
    """
    attraction = _attraction(pool)
    small = len(pool) <= TABU_UP_TO
    starts = [greedy_blocks(pool, attraction)]
    if small:
        starts += [_joined(pool, _couples(pool, rng.permutation(len(pool)))) for _ in range(SMALL_STARTS - 1)]
    found = [_improve(pool, attraction, start, rng) for start in starts]
    if small:
        found.sort(key=lambda blocks: -block_totals(attraction, blocks).sum())
        found = [swap_on(pool, attraction, blocks, rng) for blocks in found[:IMPROVED_FURTHER]]
    best = max(found, key=lambda blocks: block_totals(attraction, blocks).sum())
    best = best[~_has_rivals(pool, best)]
    return _polished(pool, best, rng) if small else best


def _attraction(pool: Pool) -> np.ndarray:
    """The similarities, less a penalty on rivals that no gain elsewhere outweighs."""
    attraction = pool.similarity.copy()
    penalty = 1 + 4 * len(pool) * float(np.abs(attraction).max())
    for concept, others in enumerate(pool.rivals):
        attraction[concept, others] -= penalty
    return attraction


def _couples(pool: Pool, concepts: np.ndarray) -> np.ndarray:
    """(M, 2) couples of one country each, in the order given."""
    couples = [np.empty((0, 2), dtype=int)]
    for country in np.unique(pool.countries[concepts]):
        members = concepts[pool.countries[concepts] == country]
        couples.append(members[: len(members) // 2 * 2].reshape(-1, 2))
    return np.concatenate(couples)


def _joined(pool: Pool, couples: np.ndarray) -> np.ndarray:
    """(B, 4) couples, grouped by country, joined across countries into as many blocks as there can be."""
    sizes = np.bincount(pool.countries[couples[:, 0]], minlength=1)
    couples = couples[np.argsort(-sizes[pool.countries[couples[:, 0]]], kind="stable")]
    largest, n_blocks = int(sizes.max()), most_blocks(pool.countries[couples[:, 0]])
    # No country keeps more than n_blocks couples, so the couple n_blocks places on is of another country.
    kept = np.concatenate([couples[:largest][:n_blocks], couples[largest:]])[: 2 * n_blocks]
    return np.concatenate([kept[:n_blocks], kept[n_blocks:]], axis=1)


def _improve(pool: Pool, attraction: np.ndarray, blocks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Reassign until ``PATIENCE`` steps in a row gain nothing."""
    value, idle = block_totals(attraction, blocks).sum(), 0
    for _ in range(MOST_STEPS_BY_N // len(pool)):
        for _ in range(MEMBER_STEPS):
            blocks = _reassign_members(pool, attraction, blocks, rng)
        blocks = _reassign_couples(pool, attraction, blocks, rng)
        before, value = value, block_totals(attraction, blocks).sum()
        idle = 0 if value > before + 1e-9 * abs(before) else idle + 1
        if idle == PATIENCE:
            break
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
        gain = np.sum([attraction[np.ix_(rest[slots, i], members)] for i in range(3)], axis=0)
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
    gain = attraction[out[:, 0], out[:, 1]][None, :] + np.zeros((len(rest), 1))
    for i in range(2):
        for j in range(2):
            gain += attraction[np.ix_(rest[:, i], out[:, j])]
    gain[pool.countries[rest[:, :1]] == pool.countries[out[:, 0]]] = -np.inf
    chosen = linear_sum_assignment(gain, maximize=True)[1]
    return np.concatenate([rest, out[chosen]], axis=1)


def _spare(pool: Pool, blocks: np.ndarray) -> np.ndarray:
    return np.setdiff1d(np.arange(len(pool)), blocks)


def _polished(pool: Pool, blocks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Choose the best blocks of some blocks and spare concepts anew, exactly, time and again.

    It wins back blocks that were given up for their rivals, and the optimum of categories just above the exact size.
    """
    for _ in range(POLISHING_ROUNDS):
        spare = rng.permutation(_spare(pool, blocks))[:MOST_SPARE]
        again = rng.permutation(len(blocks))[: (EXACT_UP_TO - len(spare)) // 4]
        members = np.sort(np.concatenate([spare, blocks[again].ravel()]))
        if len(members) < 4:
            break
        chosen = members[best_blocks(pool.part(members))]
        before, after = (
            (len(some), block_totals(pool.similarity, some).sum()) for some in (blocks[again], chosen)
        )
        if after > before:
            blocks = np.concatenate([np.delete(blocks, again, axis=0), chosen])
    return blocks


def _has_rivals(pool: Pool, blocks: np.ndarray) -> np.ndarray:
    """(B,) whether two of a block's concepts are rivals."""
    return np.array(
        [any(np.isin(pool.rivals[concept], block).any() for concept in block) for block in blocks], dtype=bool
    )
