"""Names and moments that stand together: done by hand, and on made releases."""

import dataclasses

import numpy as np
import pytest

from cmb_harness.construction.audit import Settings, cooccurrence
from cmb_harness.construction.audit.attack_checks import FROM_NAME, attack_findings

M = [(f"video{i:05d}x", 1.0, 3.0) for i in range(6)]


@pytest.fixture
def three_pairs(pieces) -> list:
    """Moment i belongs to name i; names 0 and 1 stand in all three items, 2 and 3 in one more, 4 and 5 in one each."""
    item, moment_item, _ = pieces
    shown = [(0, 1, 2, 3), (1, 0, 4, 2), (0, 1, 3, 5)]
    return [
        (item([f"N{i}" for i in names], 0), moment_item([M[i] for i in reversed(names)], 3))
        for names in shown
    ]


def test_links_done_by_hand(three_pairs) -> None:
    links = cooccurrence.name_moment_links(three_pairs, three_pairs)
    # In the first item, moments stand in the order 3, 2, 1, 0. Names 0 and 1 are in the same items, so that either of
    # their moments may be it; name 2 is in items 1 and 2, name 3 in items 1 and 3, so that each is tied to its own.
    np.testing.assert_allclose(links[0], [[0, 0, 0.5, 0.5], [0, 0, 0.5, 0.5], [0, 1, 0, 0], [1, 0, 0, 0]])
    # Tied: both of the last two names of each item; 6 of 12.
    assert cooccurrence.tied_share(links) == pytest.approx(0.5)


def test_scores_from_the_right_name(three_pairs) -> None:
    links = cooccurrence.name_moment_links(three_pairs, three_pairs)
    names = cooccurrence.right_names(three_pairs, {})
    np.testing.assert_allclose(cooccurrence.link_scores(three_pairs, names, links), [0.5, 0.5, 0.5])
    unknown = [(dataclasses.replace(a, key=None), dataclasses.replace(b, key=None)) for a, b in three_pairs]
    even = cooccurrence.right_names(unknown, {})
    # A quarter each: two names that are tied for certain, two that are a toss-up.
    np.testing.assert_allclose(cooccurrence.link_scores(unknown, even, links), [0.75, 0.75, 0.75])


def test_items_join_by_id_or_else_by_a_description_that_one_has(pieces) -> None:
    item, moment_item, _ = pieces
    s1 = [
        item(item_id="a", description="x"),
        item(item_id="b", description="y"),
        item(item_id="c", description="y"),
    ]
    s2 = [
        moment_item(M[:4], item_id="p", s1_item_id="b", description="y"),
        moment_item(M[:4], item_id="q", s1_item_id=None, description="x"),
        moment_item(M[:4], item_id="r", s1_item_id=None, description="y"),
    ]
    assert [(a.item_id, b.item_id) for a, b in cooccurrence.joined_items(s1, s2)] == [("b", "p"), ("a", "q")]


def test_same_place_share(pieces) -> None:
    item, moment_item, _ = pieces
    names, more = ["N0", "N1", "N2", "N3"], ["N0", "N4", "N5", "N6"]
    extra = [(f"other{i:05d}x", 1.0, 2.0) for i in range(3)]
    pairs = [
        (item(names), moment_item(M[:4])),
        (item(more), moment_item([M[0], *extra])),
    ]
    links = cooccurrence.name_moment_links(pairs, pairs)
    # N0 alone is tied, in both items, and stands at A in both files.
    np.testing.assert_allclose(cooccurrence.same_place_share(pairs, links), [1.0, 1.0])


def test_expectation_without_keys_is_near_the_score_with_them(made_by_the_paper) -> None:
    settings = Settings(n_resamples=200)
    exact, expected = (
        next(
            finding.figure
            for finding in attack_findings(made_by_the_paper.release(keys=keys), settings)
            if (finding.check, finding.where) == (FROM_NAME, "s2 test")
        )
        for keys in (True, False)
    )
    assert exact == pytest.approx(expected, abs=0.1)
