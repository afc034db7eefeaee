"""How probable each option is to be the key, given that every option is the key of one item.

With nothing else known, all ways to give each item its own option are equally likely: the perfect matchings of items
and options. An option's probability is the share of matchings that give it to the item. Counted exactly where that is
feasible, sampled from Markov chains elsewhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cmb_harness.construction.audit.counting import counted_shares
from cmb_harness.construction.audit.sampling import sampled_shares

MOST_STATES = 4_000_000


@dataclass(frozen=True)
class Marginals:
    """Posterior probabilities of the keys of n items.

    Attributes:
        shares: (n, 4), each row adds up to 1.
        guess_score: (n,) the expected score of guessing the likeliest option. For sampled items the guess is taken
            from one half of the chains and scored on the other, since the largest of noisy shares is too large.
        n_sampled: how many items were sampled; the others are exact.
        r_hat: the worst Gelman-Rubin statistic of the chains, None without chains.
        error: the largest standard error of a sampled share, None without chains.
    """

    shares: NDArray[np.float64]
    guess_score: NDArray[np.float64]
    n_sampled: int = 0
    r_hat: float | None = None
    error: float | None = None

    def guesses(self) -> NDArray[np.float64]:
        """(n, 4) the likeliest option; options that are equally likely share the guess."""
        return ties(self.shares)


class NoMatching(ValueError):
    """No way of answering uses every option as the premise says."""


def key_marginals(
    options: NDArray[np.int_],
    allowed: NDArray[np.bool_] | None = None,
    copies: NDArray[np.int_] | None = None,
    *,
    seed: int = 0,
    most_states: int = MOST_STATES,
) -> Marginals:
    """Posterior probabilities of the keys.

    Where there are as many items as options (in a connected part), each option is the key once; where there are more
    options than items, at most once.

    Args:
        options: (n, 4) the option at each place, as a number from 0.
        allowed: (n, 4) places that may be the key; all if None.
        copies: how often each option is the key, for names that several concepts bear; once each if None.
        seed: of the chains.
        most_states: how many states may be counted before a part is sampled instead.

    Raises:
        NoMatching: no answer to all items is possible.
    """
    allowed = np.ones(options.shape, dtype=bool) if allowed is None else allowed
    candidates, first = _candidates(options, allowed, copies)
    shares, scores = np.zeros(options.shape), np.zeros(len(options))
    r_hats, errors, n_sampled = [], [], 0
    for items in parts(candidates, int(first[-1])):
        part = [candidates[item] for item in items]
        counted = counted_shares(part, most_states, seed)
        if counted is not None:
            halves = [counted, counted]
        else:
            drawn = sampled_shares(part, np.random.default_rng([seed, items[0]]))
            halves = drawn.halves
            r_hats.append(drawn.r_hat)
            errors.append(drawn.error)
            n_sampled += len(items)
        for at, item in enumerate(items):
            by_copy = [dict(zip(part[at], half[at], strict=True)) for half in halves]
            by_place = [_of_places(options[item], allowed[item], first, one) for one in by_copy]
            shares[item] = (by_place[0] + by_place[1]) / 2
            scores[item] = (ties(by_place[0]) @ by_place[1] + ties(by_place[1]) @ by_place[0]) / 2
    return Marginals(shares, scores, n_sampled, max(r_hats, default=None), max(errors, default=None))


def has_matching(
    options: NDArray[np.int_], allowed: NDArray[np.bool_], copies: NDArray[np.int_] | None = None
) -> bool:
    """Whether all items can be answered with each option used as often as it may be."""
    candidates, first = _candidates(options, allowed, copies)
    return bool((_matched(candidates, int(first[-1]))[0] >= 0).all())


def ties(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(…, k) → the largest of each row as a guess; several that are equal to within 1e-9 share it."""
    best = values >= values.max(axis=-1, keepdims=True) - 1e-9
    return best / best.sum(axis=-1, keepdims=True)


def parts(candidates: Sequence[Sequence[int]], n_options: int) -> Iterable[list[int]]:
    """Items that bear on one another, after all that no matching uses is gone from ``candidates`` (in place).

    Raises:
        NoMatching: some items have no option left for them.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = len(candidates)
    matched, row, column = _matched(candidates, n_options)
    if (matched < 0).any():
        raise NoMatching(f"{int((matched < 0).sum())} of {n} items find no option of their own")
    # Items lead to their options and an option to its item. An edge is in some perfect matching if it lies on a cycle;
    # an option that may stay unused leads anywhere, through one more vertex.
    spare = np.setdiff1d(np.unique(column), matched)
    tails = np.concatenate([row, n + matched, n + spare, np.full(n_options, n + n_options)])
    heads = np.concatenate(
        [n + column, np.arange(n), np.full(len(spare), n + n_options), n + np.arange(n_options)]
    )
    if not len(spare):
        tails, heads = tails[: len(row) + n], heads[: len(row) + n]
    size = n + n_options + 1
    directed = csr_array((np.ones(len(tails), dtype=np.int8), (tails, heads)), shape=(size, size))
    _, label = connected_components(directed, directed=True, connection="strong")
    for item, one in enumerate(candidates):
        kept = [option for option in one if label[n + option] == label[item]]
        one[:] = kept  # type: ignore[index]
    members: dict[int, list[int]] = {}
    for item in range(n):
        members.setdefault(int(label[item]), []).append(item)
    return members.values()


def _matched(
    candidates: Sequence[Sequence[int]], n_options: int
) -> tuple[NDArray[np.int_], NDArray[np.int_], NDArray[np.int_]]:
    """A matching of as many items as possible ((n,) options, -1 for none), and the edges as two columns."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    row = np.repeat(np.arange(len(candidates)), [len(one) for one in candidates])
    column = np.fromiter((option for one in candidates for option in one), dtype=int, count=len(row))
    graph = csr_array((np.ones(len(row), dtype=np.int8), (row, column)), shape=(len(candidates), n_options))
    return maximum_bipartite_matching(graph, perm_type="column"), row, column


def _candidates(
    options: NDArray[np.int_], allowed: NDArray[np.bool_], copies: NDArray[np.int_] | None
) -> tuple[list[list[int]], NDArray[np.int_]]:
    """Each item's options as numbers of their own for every copy, and the first such number of each option."""
    n_options = int(options.max(initial=-1)) + 1
    copies = np.ones(n_options, dtype=int) if copies is None else copies
    first = np.concatenate([[0], np.cumsum(copies)]).astype(int)
    candidates = [
        [int(copy) for option in row[may] for copy in range(first[option], first[option + 1])]
        for row, may in zip(options, allowed, strict=True)
    ]
    return candidates, first


def _of_places(
    row: NDArray[np.int_], may: NDArray[np.bool_], first: NDArray[np.int_], by_copy: dict[int, float]
) -> NDArray[np.float64]:
    """(4,) the share of each place: that of all copies of its option."""
    return np.array(
        [
            sum(by_copy.get(copy, 0.0) for copy in range(first[option], first[option + 1])) if ok else 0.0
            for option, ok in zip(row, may, strict=True)
        ]
    )
