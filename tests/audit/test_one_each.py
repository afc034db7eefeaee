"""Using each option once: gains that are known beforehand."""

import itertools

import numpy as np
import pytest
from scipy.stats import norm

from cmb_harness.construction.audit import Settings, one_each
from cmb_harness.construction.audit.assignment import best_assignment, by_category
from cmb_harness.construction.audit.attack_checks import attack_findings
from cmb_harness.construction.audit.release import Concepts
from cmb_harness.construction.audit.structure import structure_of

CHECKS = [f"one option each: solver of {accuracy:.0%}" for accuracy in one_each.SOLVERS]


def test_sensitivity_of_two_alternatives_is_known_in_closed_form() -> None:
    # 2-AFC: accuracy = Φ(d' / √2) (Green and Swets).
    for distance in (0.5, 1.0, 2.0):
        assert one_each.sensitivity(norm.cdf(distance / np.sqrt(2)), 2) == pytest.approx(distance, abs=1e-9)


@pytest.mark.parametrize(("accuracy", "distance"), [(0.5, 0.84), (0.7, 1.49), (0.86, 2.20)])
def test_sensitivity_of_four_alternatives_by_simulation(accuracy: float, distance: float) -> None:
    found = one_each.sensitivity(accuracy)
    assert found == pytest.approx(distance, abs=0.005)
    evidence = np.random.default_rng(0).normal(size=(200_000, 4))
    evidence[:, 0] += found
    assert (evidence.argmax(axis=1) == 0).mean() == pytest.approx(accuracy, abs=0.004)


def lone_items(pieces, n: int) -> list:
    """Items that share no option with any other: there is nothing to use once."""
    item, _, _ = pieces
    return [
        item(tuple(f"{letter}{i}" for letter in "ABCD"), i % 4, concept_id=f"KH-Dance-{i:02d}")
        for i in range(n)
    ]


def test_no_gain_where_no_option_is_shown_twice(pieces) -> None:
    structure = structure_of(lone_items(pieces, 40), Concepts([]), "train")
    alone, fitted = one_each.solver_scores(structure, structure.keys, 0.7, np.random.default_rng(0))
    np.testing.assert_array_equal(alone, fitted)
    assert alone.mean() == pytest.approx(0.7, abs=0.03)


def test_a_pair_of_items_done_by_hand(pieces) -> None:
    # Two items with the same two likely options: together they are right if the sum of the keys' evidence is larger, a
    # difference of two times d' over four normals: Φ(2 d' / √4) = Φ(d').
    item, _, _ = pieces
    items = [item(("Aba", "Bebe", "C", "D"), 0), item(("Aba", "Bebe", "E", "F"), 1)]
    structure = structure_of(items, Concepts([]), "train")
    rng = np.random.default_rng(1)
    distance = 1.2
    right = []
    for _ in range(4_000):
        values = rng.normal(size=(2, 4))
        values[[0, 1], [0, 1]] += distance
        values[:, 2:] = -50
        right.append((best_assignment(structure, np.arange(2), values) == [0, 1]).all())
    assert np.mean(right) == pytest.approx(norm.cdf(distance), abs=0.02)


def test_best_assignment_against_all_assignments(pieces) -> None:
    item, _, _ = pieces
    items = [item(("A", "B", "C", "D")), item(("B", "A", "E", "C")), item(("C", "B", "A", "F"))]
    structure = structure_of(items, Concepts([]), "train")
    values = np.random.default_rng(4).normal(size=(3, 4))
    best = max(
        (values[0, i] + values[1, j] + values[2, k], (i, j, k))
        for i, j, k in itertools.product(range(4), repeat=3)
        if len({items[0].options[i], items[1].options[j], items[2].options[k]}) == 3
    )
    assert tuple(best_assignment(structure, np.arange(3), values)) == best[1]


def test_too_few_options_for_the_items(pieces) -> None:
    item, _, _ = pieces
    structure = structure_of([item()] * 5, Concepts([]), "train")
    with pytest.raises(ValueError, match="no way to use each option once"):
        one_each.drawn_keys(structure, np.random.default_rng(0))


def test_drawn_keys_use_each_option_once(made) -> None:
    release = made.release(keys=False)
    structure = structure_of(release.items["s1", "test"], release.concepts, "test")
    keys = one_each.drawn_keys(structure, np.random.default_rng(0))
    taken = structure.options[np.arange(len(structure)), keys]
    assert len(set(taken.tolist())) == len(structure)
    assert len(by_category(structure)) == 2


@pytest.mark.parametrize("keys", [True, False])
def test_findings_fire_on_shared_options(made_by_the_paper, settings: Settings, keys: bool) -> None:
    found = [f for f in attack_findings(made_by_the_paper.release(keys=keys), settings) if f.check in CHECKS]
    assert len(found) == 6
    assert {finding.severity for finding in found} <= {"warning", "serious"}
    for finding in found:
        assert finding.figure > finding.chance
        assert ("keys drawn" in finding.evidence) == (not keys and finding.where == "s1 test")


def test_findings_are_quiet_where_nothing_is_shared(made, settings: Settings) -> None:
    rows = made.changed()
    for part in rows["s1"].values():
        for number, row in enumerate(part):
            row["options"] = [f"{name} {number}" for name in row["options"]]
    found = [f for f in attack_findings(made.release(rows=rows), settings) if f.check in CHECKS]
    assert {finding.severity for finding in found} == {"ok"}
    assert all(finding.figure == pytest.approx(finding.chance) for finding in found)
