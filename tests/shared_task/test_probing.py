"""The simulated prober: what it is told is true, and cells give away what totals do not."""

import sys
from pathlib import Path

import numpy as np
import pytest

from cmb_harness.shared_task.policy import justified_step

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
from simulate_probing import (  # noqa: E402
    LAYOUTS,
    POLICIES,
    Layout,
    Prober,
    hidden_inventory,
    probe,
    scores_told,
)


def layout(name: str, share: float = 0.3, seed: int = 0) -> Layout:
    generator = np.random.default_rng(seed)
    return LAYOUTS[name](*hidden_inventory(share, generator), generator)


@pytest.mark.parametrize("name", LAYOUTS)
def test_each_concept_is_the_key_once(name: str) -> None:
    made = layout(name)
    keys = made.names[np.arange(len(made.keys)), made.keys]
    assert sorted(keys) == list(range(len(made.keys)))
    # Four different options, all of one category and so at most seven countries' cells.
    assert all(len(set(row)) == 4 for row in made.names)
    assert len(np.unique(made.cells)) <= 35
    # The same option is not always first, nor an item's own number.
    assert 0.1 < (made.keys == 0).mean() < 0.4
    assert (keys == np.arange(len(keys))).mean() < 0.1


def test_option_sets_follow_their_sampler() -> None:
    made = layout("block")
    sets = [frozenset(row) for row in made.names.tolist()]
    assert {sets.count(one) for one in sets} == {4}
    for row, key in zip((paper := layout("paper")).names, paper.keys, strict=True):
        cells = paper.cells[row]
        # Two of the key's own cell, the two others of two more cells (36 cells hold one concept: then none is shared).
        assert (cells == cells[key]).sum() <= 2


@pytest.mark.parametrize("policy", POLICIES)
def test_what_the_prober_is_told_is_true(policy: str) -> None:
    made = layout("paper")
    n_items = len(made.keys)
    truth = np.zeros((n_items, 4))
    truth[np.arange(n_items), made.keys] = 1
    answers = np.random.default_rng(1).integers(0, 4, n_items)
    sums, values, variance = scores_told(policy, made, answers)
    off = np.abs(sums @ truth.ravel() - values).max()
    if policy == "open policy":
        half = justified_step(n_items) * n_items / 2
        assert off <= half + 1e-9
        # A uniform error of half-width h has variance h² / 3.
        assert variance == pytest.approx(half**2 / 3)
    else:
        assert off == pytest.approx(0, abs=1e-9)
        assert variance == 0


def test_a_prober_that_is_told_an_item_knows_it() -> None:
    made = layout("block")
    prober = Prober(made.names, np.random.default_rng(0))
    assert prober.mean.reshape(-1, 4).sum(axis=1) == pytest.approx(1)
    n_options = 4 * len(made.keys)
    told = np.zeros((1, n_options))
    told[0, made.keys[5] + 4 * 5] = 1
    prober.learn(told, np.ones(1), 0.0)
    assert prober.best()[5] == made.keys[5]
    assert prober.mean.reshape(-1, 4)[5] == pytest.approx(np.eye(4)[made.keys[5]], abs=1e-3)


def test_cells_give_away_what_totals_do_not() -> None:
    made = layout("block")
    counts = (0, 14)
    start, told_totals = probe("open policy", made, counts, np.random.default_rng(0))
    _, told_cells = probe("exact cells", made, counts, np.random.default_rng(0))
    assert start < 0.45
    assert told_totals < 0.65
    assert told_cells > 0.9
