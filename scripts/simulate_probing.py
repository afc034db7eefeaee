"""How much of the hidden keys a prober learns from scores alone, after k submissions, under three output policies.

The prober looks at no description and no video. It knows the option sets, that each hidden concept is the key once, and
(for cells) which country a name is from. It sends files, reads scores, and keeps a mean and a covariance of the keys:
each score is a sum of unknown zeros and ones, so that conditioning a normal distribution on it is the best linear
estimate. Each file is a matching drawn near the estimate; the last one is the estimate itself. A cleverer prober
exists, so the table says what is given away at least.

    python scripts/simulate_probing.py --repeats 20
"""

import argparse
import csv
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from tqdm import tqdm

from cmb_harness.shared_task.policy import open_policy

Array = NDArray[Any]
POLICIES = ("open policy", "exact totals", "exact cells")
SHOWN_AFTER = (0, 1, 2, 3, 5, 10, 14, 20, 30, 50)
NOISE = 1e-6


@dataclass(frozen=True)
class Layout:
    """A hidden stage as its participants see it, and its keys.

    Attributes:
        names: (N, 4) the concept that each option is the name of.
        keys: (N,) columns of the keys.
        cells: (N,) the country × category cell of each concept, as a number.
    """

    names: Array
    keys: Array
    cells: Array


def paper_layout(
    countries: Sequence[str], categories: Sequence[str], generator: np.random.Generator
) -> Layout:
    """Option sets by the paper's rule (A.1), drawn at random: one of the key's country, two of others, one category."""
    country, category = np.array(countries), np.array(categories)
    names = np.empty((len(country), 4), dtype=np.int64)
    for i in range(len(country)):
        same = np.flatnonzero((category == category[i]) & (country == country[i]))
        other = generator.permutation(np.flatnonzero((category == category[i]) & (country != country[i])))
        first = other[0]
        second = next((j for j in other if country[j] not in (country[i], country[first])), other[1])
        own = same[same != i]
        third = generator.choice(own) if len(own) else other[2]
        names[i] = i, third, first, second
    return _shuffled(names, country, category, generator)


def block_layout(
    countries: Sequence[str], categories: Sequence[str], generator: np.random.Generator
) -> Layout:
    """Blocks of four concepts, two of each of two countries of a category, that share one option set; no leftovers."""
    country, category = np.array(countries), np.array(categories)
    blocks: list[Array] = []
    for name in sorted(set(categories)):
        pairs = []
        for code in sorted(set(countries)):
            members = generator.permutation(np.flatnonzero((country == code) & (category == name)))
            pairs += [(code, members[i : i + 2]) for i in range(0, len(members) - 1, 2)]
        # The country with most pairs left goes first, so that few are left over.
        while pairs:
            counts = {code: sum(other == code for other, _ in pairs) for code, _ in pairs}
            first, *rest = sorted(counts, key=lambda code: -counts[code])
            if not rest:
                break
            two = [next(pair for pair in pairs if pair[0] == code) for code in (first, rest[0])]
            pairs = [pair for pair in pairs if not any(pair is one for one in two)]
            blocks.append(np.concatenate([two[0][1], two[1][1]]))
    kept = np.concatenate(blocks)
    renumbered = {concept: i for i, concept in enumerate(kept)}
    sets = np.array([[renumbered[c] for c in block] for block in blocks]).repeat(4, axis=0)
    own = np.arange(len(kept))
    names = np.array([[i, *(n for n in row if n != i)] for i, row in zip(own, sets, strict=True)])
    return _shuffled(names, country[kept], category[kept], generator)


def _shuffled(names: Array, country: Array, category: Array, generator: np.random.Generator) -> Layout:
    # Neither the number of a concept nor the place of its key may tell which item it is the key of.
    label = generator.permutation(len(names))
    order = generator.permuted(np.tile(np.arange(4), (len(names), 1)), axis=1)
    _, cells = np.unique([f"{a}/{b}" for a, b in zip(country, category, strict=True)], return_inverse=True)
    shuffled = np.take_along_axis(label[names], order, axis=1)
    return Layout(shuffled, (order == 0).argmax(axis=1), cells[np.argsort(label)])


class Prober:
    """Beliefs about the keys: mean and covariance of (item, option) → 1 for the key, else 0."""

    def __init__(self, names: Array, generator: np.random.Generator):
        self.names = names
        self.generator = generator
        n_items = len(names)
        once = (names.ravel()[None, :] == np.arange(n_items)[:, None]).astype(float)
        shares = _balanced(once, n_items)
        self.mean = shares.ravel()
        self.covariance = np.zeros((4 * n_items, 4 * n_items))
        for i, share in enumerate(shares):
            own = slice(4 * i, 4 * i + 4)
            self.covariance[own, own] = np.diag(share) - np.outer(share, share)
        self.learn(once, np.ones(n_items), 0.0)

    def learn(self, sums: Array, values: Array, variance: float) -> None:
        """Condition on ``sums`` (m, 4N) @ keys = ``values`` (m,), each known up to ``variance``."""
        spread = self.covariance @ sums.T
        observed = sums @ spread + (variance + NOISE) * np.eye(len(sums))
        gain = np.linalg.solve(observed, spread.T).T
        self.mean = self.mean + gain @ (values - sums @ self.mean)
        self.covariance = self.covariance - gain @ spread.T

    def best(self) -> Array:
        """(N,) the matching of the largest total mean."""
        return self._matching(self.mean)

    def probe(self) -> Array:
        """(N,) a matching near the estimate: means plus noise of their own standard deviation."""
        deviation = np.sqrt(np.clip(np.diag(self.covariance), 0, None))
        return self._matching(self.mean + deviation * self.generator.standard_normal(len(self.mean)))

    def _matching(self, worth: Array) -> Array:
        n_items = len(self.names)
        table = np.full((n_items, n_items), -1e6)
        np.put_along_axis(table, self.names, worth.reshape(n_items, 4), axis=1)
        rows, columns = linear_sum_assignment(table, maximize=True)
        matched = self.names == columns[np.argsort(rows)][:, None]
        return np.where(matched.any(axis=1), matched.argmax(axis=1), worth.reshape(n_items, 4).argmax(axis=1))


def _balanced(once: Array, n_items: int) -> Array:
    """(N, 4) shares that sum to 1 over each item and each name: about how often an option is the key in a matching."""
    shares = np.full(4 * n_items, 0.25)
    for _ in range(200):
        shares = shares / (once.T @ (once @ shares))
        shares = (shares.reshape(n_items, 4) / shares.reshape(n_items, 4).sum(axis=1, keepdims=True)).ravel()
    return shares.reshape(n_items, 4)


def scores_told(policy: str, layout: Layout, answers: Array) -> tuple[Array, Array, float]:
    """What a policy says of a file: sums over (item, option), their values, and the variance of the rounding."""
    n_items = len(answers)
    chosen = np.zeros((n_items, 4))
    chosen[np.arange(n_items), answers] = 1
    right = answers == layout.keys
    if policy == "exact cells":
        # A right answer counts in the cell of the concept that was named.
        cell = layout.cells[layout.names[np.arange(n_items), answers]]
        inside = cell[None, :] == np.unique(layout.cells)[:, None]
        return (inside[:, :, None] * chosen[None]).reshape(len(inside), -1), inside @ right.astype(float), 0.0
    value, variance = float(right.mean()), 0.0
    if policy == "open policy":
        allowed = open_policy(n_items)
        value = allowed.rounded(value) or 0.0
        variance = ((allowed.step or 0) * n_items) ** 2 / 12
    return chosen.reshape(1, -1), np.array([value * n_items]), variance


def probe(
    policy: str, layout: Layout, shown_after: Sequence[int], generator: np.random.Generator
) -> list[float]:
    """Accuracy of the prober's estimate after each number of files."""
    prober = Prober(layout.names, generator)
    reached = []
    for sent in range(max(shown_after) + 1):
        if sent in shown_after:
            reached.append(float((prober.best() == layout.keys).mean()))
        prober.learn(*scores_told(policy, layout, prober.probe()))
    return reached


def hidden_inventory(share: float, generator: np.random.Generator) -> tuple[list[str], list[str]]:
    """Countries and categories of a hidden ``share`` of the region's concepts, cell by cell."""
    text = resources.files("cmb_harness").joinpath("regions/southeast_asia_inventory.csv").read_text("utf-8")
    cells = [(row["country"], row["category"]) for row in csv.DictReader(text.splitlines())]
    kept = [cell for cell in sorted(set(cells)) for _ in range(max(1, round(share * cells.count(cell))))]
    return [country for country, _ in kept], [category for _, category in kept]


LAYOUTS: dict[str, Callable[..., Layout]] = {"paper": paper_layout, "block": block_layout}


def simulate(layout_name: str, share: float, shown_after: Sequence[int], repeats: int, seed: int) -> Array:
    """(repeats, policies, counts) accuracies."""
    reached = []
    for repeat in tqdm(range(repeats), desc=layout_name):
        generator = np.random.default_rng([seed, repeat])
        layout = LAYOUTS[layout_name](*hidden_inventory(share, generator), generator)
        reached.append([probe(policy, layout, shown_after, generator) for policy in POLICIES])
    return np.array(reached)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=20, help="hidden sets to draw and probe")
    parser.add_argument("--share", type=float, default=0.8, help="share of the 306 concepts that is hidden")
    parser.add_argument("--sampler", choices=tuple(LAYOUTS), action="append", help="default: both")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for name in arguments.sampler or LAYOUTS:
        reached = simulate(name, arguments.share, SHOWN_AFTER, arguments.repeats, arguments.seed)
        mean, error = reached.mean(axis=0) * 100, reached.std(axis=0) * 100
        print(
            f"\n{name} sampler, % of keys known (standard deviation over {arguments.repeats} hidden sets)\n"
        )
        print("| submissions | " + " | ".join(POLICIES) + " |\n" + "|---" * (1 + len(POLICIES)) + "|")
        for column, sent in enumerate(SHOWN_AFTER):
            cells = (f"{mean[row, column]:.0f} ± {error[row, column]:.0f}" for row in range(len(POLICIES)))
            print(f"| {sent} | " + " | ".join(cells) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
