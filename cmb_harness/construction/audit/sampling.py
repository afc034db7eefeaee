"""Perfect matchings drawn by Markov chains, where there are too many partial ones to count.

A chain lets one item go of its option; the item without an option takes one of its own at random and so puts out
the item that had it, until one takes an option that is free. With the start drawn evenly over items and each choice
over the item's options, the chain is reversible and every complete matching is equally probable (the argument is in
docs/audit.md). Many chains run side by side, from random far-apart starts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

N_CHAINS = 256
ROUND_STEPS, MOST_STEPS = 4_000, 64_000
R_HAT_LIMIT, ERROR_LIMIT = 1.05, 0.02
FREE, WHOLE = -1, -1


@dataclass(frozen=True)
class Drawn:
    """Shares by the two halves of the chains, one array a candidate list, and how far the chains agree."""

    halves: list[list[NDArray[np.float64]]]
    r_hat: float
    error: float


def sampled_shares(candidates: Sequence[Sequence[int]], rng: np.random.Generator) -> Drawn:
    """For each item the share of matchings that give it each of its candidates.

    The chains go on until the Gelman-Rubin statistic of every item and candidate is at most 1.05 and the standard error
    of every share at most 0.02, or `MOST_STEPS` are done; `Drawn` says how far they came.

    Args:
        candidates: as for ``counted_shares``; at least one matching must exist.
        rng: draws starts and steps.
    """
    chains = _Chains(candidates, rng)
    chains.run(ROUND_STEPS)
    chains.forget()
    while True:
        chains.run(ROUND_STEPS)
        r_hat, error = chains.agreement()
        if (r_hat <= R_HAT_LIMIT and error <= ERROR_LIMIT) or chains.n_steps >= MOST_STEPS:
            return Drawn(chains.halves(), r_hat, error)


class _Chains:
    """The state of all chains: the place of each item's choice, who holds each option, which item holds none."""

    def __init__(self, candidates: Sequence[Sequence[int]], rng: np.random.Generator):
        self.rng = rng
        self.lengths = np.array([len(one) for one in candidates])
        names = {
            option: number for number, option in enumerate(sorted({o for one in candidates for o in one}))
        }
        self.options = np.zeros((len(candidates), int(self.lengths.max())), dtype=int)
        for item, one in enumerate(candidates):
            self.options[item, : len(one)] = [names[option] for option in one]
        self.rows = np.arange(N_CHAINS)
        self.holder = np.full((N_CHAINS, len(names)), FREE)
        self.choice = np.stack([self._start(len(names)) for _ in self.rows])
        held = self.options[np.arange(len(candidates)), self.choice]
        self.holder[self.rows[:, None], held] = np.arange(len(candidates))
        self.without = np.full(N_CHAINS, WHOLE)
        self.n_steps = 0
        self.forget()

    def _start(self, n_options: int) -> NDArray[np.int_]:
        """The best matching under random values."""
        from scipy.optimize import linear_sum_assignment

        there = np.arange(self.options.shape[1]) < self.lengths[:, None]
        items, _ = np.nonzero(there)
        value = np.full((len(self.options), n_options), -1e6)
        value[items, self.options[there]] = self.rng.random(len(items))
        option = linear_sum_assignment(value, maximize=True)[1]
        return ((self.options == option[:, None]) & there).argmax(axis=1)

    def forget(self) -> None:
        """Start counting."""
        self.counts = np.zeros((N_CHAINS, *self.options.shape))
        self.n_whole = np.zeros(N_CHAINS)

    def run(self, n_steps: int) -> None:
        """One choice in every chain, ``n_steps`` times; complete matchings are counted when they come about."""
        n_items = len(self.options)
        every = np.arange(n_items)
        for _ in range(n_steps):
            whole = self.without == WHOLE
            item = np.where(whole, self.rng.integers(0, n_items, N_CHAINS), self.without)
            let_go = self.options[item, self.choice[self.rows, item]]
            self.holder[self.rows[whole], let_go[whole]] = FREE
            place = (self.rng.random(N_CHAINS) * self.lengths[item]).astype(int)
            option = self.options[item, place]
            self.without = self.holder[self.rows, option]
            self.holder[self.rows, option] = item
            self.choice[self.rows, item] = place
            done = np.flatnonzero(self.without == WHOLE)
            self.counts[done[:, None], every, self.choice[done]] += 1
            self.n_whole[done] += 1
        self.n_steps += n_steps

    def agreement(self) -> tuple[float, float]:
        """(the worst Gelman-Rubin statistic, the largest standard error of a share); infinite at first."""
        if (self.n_whole < 2).any():
            return np.inf, np.inf
        means = self.counts / self.n_whole[:, None, None]
        between = means.var(axis=0, ddof=1)
        within = (means * (1 - means)).mean(axis=0)
        moves = within > 0
        length = self.n_whole.mean()
        ratio = np.sqrt((length - 1) / length + between[moves] / within[moves])
        stuck = bool((between[~moves] > 0).any())
        r_hat = np.inf if stuck else float(ratio.max(initial=1.0))
        return r_hat, float(np.sqrt(between.max() / N_CHAINS))

    def halves(self) -> list[list[NDArray[np.float64]]]:
        """The shares by the first and the second half of the chains."""
        return [
            [
                row[:length] / self.n_whole[half].sum()
                for row, length in zip(counts, self.lengths, strict=True)
            ]
            for half in (slice(0, N_CHAINS // 2), slice(N_CHAINS // 2, None))
            for counts in [self.counts[half].sum(axis=0)]
        ]
