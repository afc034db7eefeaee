"""A greedy start for the search over blocks: the closest compatriots coupled, the closest couples joined."""

import numpy as np

from cmb_harness.construction.distractors.pool import Pool


def greedy_blocks(pool: Pool, attraction: np.ndarray) -> np.ndarray:
    """As many blocks as the countries' numbers of concepts allow, the closest first.

    Args:
        attraction: (N, N) similarities, low for rivals.

    Returns:
        (B, 4) two concepts of one country, then two of another.
    """
    couples = greedy_couples(pool, attraction)
    country = pool.countries[couples[:, 0]]
    own = attraction[couples[:, 0], couples[:, 1]]
    closeness = own[:, None] + own
    for i in range(2):
        for j in range(2):
            closeness += attraction[np.ix_(couples[:, i], couples[:, j])]
    closeness[country[:, None] == country] = -np.inf
    blocks, left, needed = [np.empty((0, 4), dtype=int)], np.arange(len(couples)), most_blocks(country)
    while needed:
        near = closeness[np.ix_(left, left)]
        _spare_the_largest(near, country[left], needed)
        taken = _affordable(_closest_pairs(near), country[left], needed)
        blocks.append(couples[left[taken]].reshape(-1, 4))
        left = np.delete(left, taken.ravel())
        needed -= len(taken)
    return np.concatenate(blocks)


def greedy_couples(pool: Pool, attraction: np.ndarray) -> np.ndarray:
    """(M, 2) couples of one country each: those that are one another's closest, then again among the rest."""
    couples = [np.empty((0, 2), dtype=int)]
    for country in np.unique(pool.countries):
        left = np.flatnonzero(pool.countries == country)
        while len(left) > 1:
            near = attraction[np.ix_(left, left)]
            np.fill_diagonal(near, -np.inf)
            pairs = _closest_pairs(near)
            couples.append(left[pairs])
            left = np.delete(left, pairs.ravel())
    return np.concatenate(couples)


def most_blocks(country: np.ndarray) -> int:
    """How many blocks couples of these countries can make, ``country`` holding that of each couple."""
    return min(len(country) // 2, len(country) - int(np.bincount(country, minlength=1).max()))


def _closest_pairs(near: np.ndarray) -> np.ndarray:
    """(P, 2) those that are each other's closest, the closest pair first; at least one if any is allowed."""
    closest = near.argmax(axis=1)
    index = np.arange(len(near))
    first = index[(closest[closest] == index) & (index < closest) & (near[index, closest] > -np.inf)]
    first = first[np.argsort(-near[first, closest[first]], kind="stable")]
    return np.column_stack([first, closest[first]])


def _spare_the_largest(near: np.ndarray, country: np.ndarray, needed: int) -> None:
    """Where every further block must use up a couple of the country that has the most, rule the others out."""
    sizes = np.bincount(country)
    if len(country) - sizes.max() == needed:
        largest = country == sizes.argmax()
        near[largest[:, None] == largest] = -np.inf


def _affordable(pairs: np.ndarray, country: np.ndarray, needed: int) -> np.ndarray:
    """(T, 2) the pairs, in their order, that still leave enough couples of different countries for the rest."""
    sizes = np.bincount(country)
    taken: list[np.ndarray] = []
    for pair in pairs[:needed]:
        after = sizes.copy()
        after[country[pair]] -= 1
        left = int(after.sum())
        if min(left // 2, left - int(after.max())) >= needed - len(taken) - 1:
            sizes = after
            taken.append(pair)
    return np.array(taken)
