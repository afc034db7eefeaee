"""Attacks on option sets: planted structures that they must break, and blocks that they must not."""

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

from cmb_harness.construction.audit import Settings, attacks
from cmb_harness.construction.audit.attack_checks import attack_findings
from cmb_harness.construction.audit.attacked import attack
from cmb_harness.construction.audit.findings import Finding
from cmb_harness.construction.audit.matching_checks import matching_findings
from cmb_harness.construction.audit.release import Concepts, Named
from cmb_harness.construction.audit.structure import (
    country_pattern,
    full_blocks,
    not_public,
    structure_of,
)

STRUCTURAL = (
    "rarest option",
    "commonest option",
    "country pattern",
    "struck out: keys of public items",
    "matching",
    "matching, countries known",
    "hubs, one option each",
    "hubs, one option each, countries known",
    "medoid of the names",
    "medoid of the descriptions",
    "S2 from the right S1 name",
    "S2 unwatched: hubs with countries, then ties",
)


def by_check(findings: list[Finding]) -> dict[tuple[str, str], Finding]:
    return {(finding.check, finding.where): finding for finding in findings}


@pytest.fixture(scope="module")
def of_blocks(made) -> dict[tuple[str, str], Finding]:
    return by_check(attack_findings(made.release(), Settings(n_resamples=2_000)))


@pytest.fixture(scope="module")
def of_the_paper(made_by_the_paper) -> dict[tuple[str, str], Finding]:
    return by_check(attack_findings(made_by_the_paper.release(), Settings(n_resamples=2_000)))


@pytest.mark.parametrize("check", STRUCTURAL)
def test_quiet_on_full_blocks(of_blocks, check: str) -> None:
    found = [finding for (name, _), finding in of_blocks.items() if name == check]
    assert found
    assert {finding.severity for finding in found} == {"ok"}


@pytest.mark.parametrize(
    "check",
    [
        "country pattern",
        "matching, countries known",
        "hubs, one option each",
        "hubs, one option each, countries known",
        "S2 from the right S1 name",
        "S2 unwatched: hubs with countries, then ties",
    ],
)
def test_fires_on_the_papers_sampler(of_the_paper, check: str) -> None:
    found = [finding for (name, where), finding in of_the_paper.items() if name == check and "test" in where]
    assert found
    assert {finding.severity for finding in found} <= {"warning", "serious"}


def test_full_blocks_with_countries_are_at_chance_exactly(made) -> None:
    for keys in (True, False):
        found = attack(made.release(keys=keys), "s1", "test", 0)
        assert full_blocks(found.structure).all()
        for marginals in (found.free, found.with_countries):
            np.testing.assert_allclose(marginals.shares, 0.25, atol=1e-12)
            np.testing.assert_allclose(marginals.guess_score, 0.25, atol=1e-12)
        np.testing.assert_allclose(found.hubs_with_countries, 0.25)


def test_blocks_and_leftovers_are_told_apart(make_release: Callable, settings: Settings) -> None:
    # Five concepts a cell leave some over on either side.
    found = by_check(attack_findings(make_release(5, seed=3).release(), settings))
    blocks = found["matching, countries known: full blocks", "s1 test"]
    left = found["matching, countries known: leftovers", "s1 test"]
    assert (blocks.figure, blocks.severity) == (0.25, "ok")
    assert left.figure > 0.25
    assert blocks.n + left.n == found["matching, countries known", "s1 test"].n
    assert left.n > 0


def test_without_keys_figures_are_expectations(made_by_the_paper) -> None:
    release = made_by_the_paper.release(keys=False)
    found = by_check(attack_findings(release, Settings(n_resamples=500)))
    assert found["country pattern", "s1 test"].figure == pytest.approx(0.5, abs=0.02)
    assert "expected" in found["matching", "s1 test"].evidence
    assert found["hubs, one option each", "s1 test"].severity == "not measured"
    assert "on the keys" in found["matching", "s1 train"].evidence


def test_country_pattern_done_by_hand(pieces) -> None:
    item, _, _ = pieces
    names = {"Aba": "KH", "Bebe": "ID", "Coco": "KH", "Dudu": "MY", "Efe": "TH"}
    concepts = Concepts(Named(f"{c}-Dance-0{i}", c, "Dance", n) for i, (n, c) in enumerate(names.items(), 1))
    items = [
        item(("Aba", "Bebe", "Coco", "Dudu")),
        item(("Bebe", "Coco", "Dudu", "Efe")),
        item(("Aba", "Bebe", "Coco", "Unheard")),
    ]
    allowed, unknown = country_pattern(structure_of(items, concepts, "train"), concepts)
    # The pair of KH; no pair, so all; an unknown name, so all.
    assert allowed.tolist() == [[True, False, True, False], [True] * 4, [True] * 4]
    assert unknown == 1


def test_public_keys_are_struck_out(pieces) -> None:
    item, _, _ = pieces
    concepts = Concepts(
        [Named("KH-Dance-01", "KH", "Dance", "Aba"), Named("ID-Dance-01", "ID", "Dance", "Aba")]
    )
    public = [item(("Bebe", "Coco", "Dudu", "Efe"), 0), item(("Aba", "Coco", "Dudu", "Efe"), 0)]
    hidden = [item(("Aba", "Bebe", "Coco", "Dudu"), None, hidden=True)]
    # Bebe is taken. Two concepts bear the name Aba and one of them is public, so the other may be meant.
    allowed = not_public(structure_of(hidden, concepts, "test"), public, concepts)
    assert allowed.tolist() == [[True, False, True, True]]
    np.testing.assert_allclose(attacks.even_guesses(allowed), [[1 / 3, 0, 1 / 3, 1 / 3]])


def test_striking_out_fires_when_options_cross_the_split(made, settings: Settings) -> None:
    rows = made.changed()
    for row in rows["s1"]["test"]:
        at = next(i for i in range(4) if i != _key(made, row))
        public = next(one for one in rows["s1"]["train"] if one["category"] == row["category"])
        row["options"][at] = public["options"][public["answer"]]
    found = by_check(attack_findings(made.release(rows=rows), settings))
    struck = found["struck out: keys of public items", "s1 test"]
    # One of four is out each time.
    assert struck.figure == pytest.approx(1 / 3)
    assert struck.severity == "warning"


def test_rarest_and_commonest_option(pieces) -> None:
    item, _, _ = pieces
    items = [item(("Aba", "Bebe", "Coco", "Dudu")), item(("Bebe", "Coco", "Dudu", "Efe"), 3)]
    items.append(item(("Coco", "Dudu", "Bebe", "Fafa"), 3))
    structure = structure_of(items, Concepts([]), "train")
    assert attacks.rarest_option(structure, items).argmax(axis=1).tolist() == [0, 3, 3]
    # Bebe, Coco and Dudu are shown three times each.
    np.testing.assert_allclose(attacks.commonest_option(structure, items)[0], [0, 1 / 3, 1 / 3, 1 / 3])


def test_rarest_option_fires_where_keys_are_rare(made, settings: Settings) -> None:
    # Distractors from a pool of three for each category: every key is shown once.
    rows = made.changed()
    for row in rows["s1"]["test"]:
        key = _key(made, row)
        row["options"] = [row["options"][i] if i == key else f"Common{row['category']}{i}" for i in range(4)]
    found = by_check(attack_findings(made.release(rows=rows), settings))
    assert found["rarest option", "s1 test"].figure == 1.0
    assert found["rarest option", "s1 test"].severity == "serious"
    # Fifteen items at most can have one of the three for a key, if the names are taken for concepts.
    assert found["matching", "s1 test"].figure == 1.0
    assert found["matching", "s1 test"].severity == "serious"


def test_commonest_option_fires_where_keys_are_common(pieces, settings: Settings) -> None:
    item, _, _ = pieces
    items = [item(("Aba", f"B{i}", f"C{i}", f"D{i}"), concept_id=f"KH-Dance-{i:02d}") for i in range(8)]
    structure = structure_of(items, Concepts([]), "train")
    guesses = attacks.commonest_option(structure, items)
    assert attacks.scores_of(guesses, structure.keys).mean() == 1.0


def test_togetherness_done_by_hand(pieces) -> None:
    item, _, _ = pieces
    items = [item(("A", "B", "C", "D")), item(("A", "B", "E", "F")), item(("G", "H", "C", "I"))]
    company = attacks.togetherness(structure_of(items, Concepts([]), "train"))
    # A: with B in 2 of 2 items, with C in 1 of 3, with D in 1 of 2. C: with A and B in 1 of 3, with D in 1 of 2.
    np.testing.assert_allclose(company[0], [11 / 6, 11 / 6, 7 / 6, 3 / 2])


def test_hubs_use_each_option_once(pieces) -> None:
    item, _, _ = pieces
    items = [item(("A", "B", "C", "D")), item(("A", "B", "C", "E")), item(("A", "F", "G", "H"))]
    structure = structure_of(items, Concepts([]), "train")
    guesses = attacks.hubs(structure, np.ones((3, 4), dtype=bool), np.random.default_rng(0))
    np.testing.assert_allclose(guesses.sum(axis=1), 1)
    used = np.bincount(structure.options.ravel(), guesses.ravel())
    assert used.max() <= 1 + 1e-9
    # B and C are together in all of their items and are worth the same to both items: either may have either.
    np.testing.assert_allclose(guesses[:2, 1] + guesses[:2, 2], [1, 1])
    assert 0.2 < guesses[0, 1] < 0.8


def test_medoid_done_by_hand(pieces) -> None:
    item, _, _ = pieces
    structure = structure_of([item()], Concepts([]), "train")
    likeness = np.array([[[1, 0.9, 0.1, 0], [0.9, 1, 0.5, 0.4], [0.1, 0.5, 1, 0.3], [0, 0.4, 0.3, 1]]])
    # Sums without the diagonal: 1.0, 1.8, 0.9, 0.7.
    np.testing.assert_allclose(attacks.medoid(structure, likeness), [[0, 1, 0, 0]])
    likeness[0, 2, 3] = np.nan
    assert np.isnan(attacks.medoid(structure, likeness)).all()


def test_medoid_of_names_fires_where_the_key_is_made_of_the_others(made, settings: Settings) -> None:
    rows = made.changed()
    for row in rows["s1"]["test"]:
        key = _key(made, row)
        others = [f"Wq{i}xxyy Zr{i}vvww" for i in range(3)]
        row["options"] = [*others[:key], "Wq0xxyy Wq1xxyy Wq2xxyy", *others[key:]]
    found = by_check(attack_findings(made.release(rows=rows), settings))["medoid of the names", "s1 test"]
    assert (found.figure, found.severity) == (1.0, "serious")


def test_medoid_of_descriptions_fires_where_distractors_are_like_the_key(
    made_by_the_paper, settings: Settings
) -> None:
    made, rows = made_by_the_paper, made_by_the_paper.changed()
    moments = [
        [(option["video_id"], option["start_s"]) for option in row["options"]] for row in rows["s2"]["test"]
    ]
    keys = [_key(made, row) for row in rows["s2"]["test"]]
    word = {
        shown[key]: f"w{number:04d}word"
        for number, (shown, key) in enumerate(zip(moments, keys, strict=True))
    }
    for row, shown in zip(rows["s2"]["test"], moments, strict=True):
        row["description"] = " ".join(word[moment] for moment in shown)
    found = by_check(attack_findings(made.release(rows=rows), settings))[
        "medoid of the descriptions", "s2 test"
    ]
    assert found.interval[0] > 0.5
    assert found.severity == "serious"


def test_countries_that_are_not_known_are_not_guessed(made, settings: Settings) -> None:
    release = dataclasses.replace(made.release(keys=False), concepts=Concepts([]))
    found = by_check(attack_findings(release, settings))
    for check in ("country pattern", "matching, countries known"):
        assert found[check, "s1 test"].severity == "not measured"
        assert "--inventory" in found[check, "s1 test"].evidence


def test_names_of_several_concepts_need_the_inventory(made, settings: Settings) -> None:
    # Rename a concept of each of two countries to one name, everywhere.
    first, second = (
        next(
            n.name
            for n in made.inventory
            if n.category == "Dance"
            and n.concept_id in made.secrets["hidden_concepts"]
            and n.country == country
        )
        for country in ("KH", "ID")
    )
    rows = made.changed()
    for row in rows["s1"]["test"]:
        row["options"] = [first if name == second else name for name in row["options"]]
    inventory = [dataclasses.replace(n, name=first if n.name == second else n.name) for n in made.inventory]
    known = dataclasses.replace(made, inventory=inventory).release(keys=False, rows=rows)
    unknown = dataclasses.replace(made, inventory=[]).release(keys=False, rows=rows)
    assert attack(known, "s1", "test", 0).free is not None
    told = by_check(matching_findings(attack(unknown, "s1", "test", 0), "s1", "s1 test", settings))
    assert told["matching", "s1 test"].severity == "not measured"


def test_chains_that_have_not_converged_are_told(made_by_the_paper, settings: Settings) -> None:
    found = attack(made_by_the_paper.release(), "s1", "test", 0)
    for r_hat, severity in ((1.01, "ok"), (1.5, "warning"), (np.inf, "warning")):
        free = dataclasses.replace(found.free, n_sampled=4, r_hat=r_hat, error=0.001)
        told = by_check(matching_findings(dataclasses.replace(found, free=free), "s1", "s1 test", settings))[
            "matching: chains", "s1 test"
        ]
        assert told.severity == severity
        assert ("not converged" in told.evidence) == (severity == "warning")


def _key(made, row) -> int:
    return next(one["answer"] for one in made.references if one["item_id"] == row["item_id"])
