"""Probabilities of keys: against all matchings written out, and against sums done by hand."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_harness.construction.audit.marginals import NoMatching, has_matching, key_marginals, parts
from cmb_harness.construction.audit.sampling import sampled_shares


def all_matchings(options: np.ndarray, allowed: np.ndarray, copies: np.ndarray) -> Iterator[tuple[int, ...]]:
    """Every way to give each item a place, no option more often than its copies."""
    for places in itertools.product(range(4), repeat=len(options)):
        if all(may[at] for may, at in zip(allowed, places, strict=True)):
            taken = np.bincount(
                [row[at] for row, at in zip(options, places, strict=True)], minlength=len(copies)
            )
            if (taken <= copies).all():
                yield places


def brute_shares(options: np.ndarray, allowed: np.ndarray) -> np.ndarray | None:
    counts = np.zeros(options.shape)
    matchings = list(all_matchings(options, allowed, np.ones(options.max() + 1, dtype=int)))
    for places in matchings:
        counts[np.arange(len(options)), list(places)] += 1
    return counts / len(matchings) if matchings else None


@st.composite
def option_sets(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Up to six items over four to eight options, some places ruled out."""
    n = draw(st.integers(1, 6))
    n_options = draw(st.integers(4, 8))
    options = [draw(st.permutations(range(n_options)))[:4] for _ in range(n)]
    allowed = draw(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=n, max_size=n))
    return np.array(options), np.array(allowed)


@given(option_sets())
def test_counted_shares_are_those_of_all_matchings(given_sets: tuple[np.ndarray, np.ndarray]) -> None:
    options, allowed = given_sets
    expected = brute_shares(options, allowed)
    assert has_matching(options, allowed) == (expected is not None)
    if expected is None:
        with pytest.raises(NoMatching, match="find no option of their own"):
            key_marginals(options, allowed)
        return
    found = key_marginals(options, allowed)
    np.testing.assert_allclose(found.shares, expected, atol=1e-12)
    np.testing.assert_allclose(found.guess_score, expected.max(axis=1), atol=1e-12)
    assert found.n_sampled == 0


def test_shares_done_by_hand() -> None:
    # Three items in a ring, and one that is forced: a in {0, 1}, b in {1, 2}, c in {2, 0}, d only 3. The ring has two
    # matchings (everyone the first, or everyone the second), so each of its places has one half.
    options = np.array([[0, 1, 3, 4], [1, 2, 3, 4], [2, 0, 3, 4], [3, 0, 1, 2]])
    allowed = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0]], dtype=bool)
    shares = key_marginals(options, allowed).shares
    np.testing.assert_allclose(shares, [[0.5, 0.5, 0, 0]] * 3 + [[1, 0, 0, 0]])


def test_what_no_matching_uses_is_taken_out_first() -> None:
    # Item 2 shows options 0 and 1, but items 0 and 1 need both: three parts are left apart of each other.
    candidates = [[0, 1], [0, 1], [0, 2, 3], [3, 2]]
    members = sorted(sorted(part) for part in parts(candidates, 4))
    assert members == [[0, 1], [2, 3]]
    assert [sorted(one) for one in candidates] == [[0, 1], [0, 1], [2, 3], [2, 3]]


def test_a_full_block_gives_nothing_away() -> None:
    # By symmetry each option of four items with the same four options is the key of each with 1/4, also when other
    # items show some of the four: these have no claim to them.
    block = [list(one) for one in ((0, 1, 2, 3), (1, 0, 3, 2), (3, 2, 1, 0), (2, 3, 0, 1))]
    leftovers = [[4, 0, 1, 5], [5, 2, 4, 6], [6, 3, 5, 4]]
    found = key_marginals(np.array(block + leftovers))
    np.testing.assert_allclose(found.shares[:4], 0.25)
    np.testing.assert_allclose(found.guess_score[:4], 0.25)
    assert (found.guess_score[4:] > 0.4).all()


def test_a_name_of_two_concepts_is_the_key_twice() -> None:
    # Items a and b both may be 0, which two concepts bear, or 1 and 2: three copies for three items.
    options = np.array([[0, 1, 3, 4], [0, 2, 3, 4], [0, 1, 2, 3]])
    allowed = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]], dtype=bool)
    copies = np.array([2, 1, 0, 0, 0])
    # b is 0. a = 0 and c = 1, or a = 1 and c = 0; the copies of 0 can be dealt in two ways either time.
    shares = key_marginals(options, allowed, copies).shares
    np.testing.assert_allclose(shares, [[0.5, 0.5, 0, 0], [1, 0, 0, 0], [0.5, 0.5, 0, 0]])
    with pytest.raises(NoMatching):
        key_marginals(options, allowed)


def random_options(n: int, seed: int) -> np.ndarray:
    """Each item shows its own option and three others."""
    rng = np.random.default_rng(seed)
    rows = [[own, *rng.choice([o for o in range(n) if o != own], 3, replace=False)] for own in range(n)]
    return np.array([rng.permutation(row) for row in rows])


@pytest.mark.parametrize(("n", "n_options"), [(14, 14), (9, 14)])
def test_sampled_shares_agree_with_counted_ones(n: int, n_options: int) -> None:
    options = random_options(n_options, 3)[:n]
    counted = key_marginals(options)
    sampled = key_marginals(options, most_states=0, seed=1)
    assert sampled.n_sampled > 0
    assert sampled.r_hat is not None
    assert sampled.r_hat <= 1.05
    assert sampled.error is not None
    # Five standard errors over some fifty shares.
    assert np.abs(sampled.shares - counted.shares).max() < 5 * max(sampled.error, 0.004)
    assert abs(sampled.guess_score.mean() - counted.guess_score.mean()) < 0.01


def test_a_guess_among_equals_is_not_paid_for_its_noise() -> None:
    # Four items with the same options: whatever the chains say, a guess is right once in four times.
    sampled = key_marginals(np.array([[0, 1, 2, 3]] * 4), most_states=0)
    assert np.abs(sampled.guess_score - 0.25).max() < 0.01
    assert sampled.guess_score.mean() < sampled.shares.max(axis=1).mean()


def test_the_same_seed_gives_the_same_shares() -> None:
    options = random_options(12, 5)
    first, second = (key_marginals(options, most_states=0, seed=7) for _ in range(2))
    np.testing.assert_array_equal(first.shares, second.shares)
    other = key_marginals(options, most_states=0, seed=8)
    assert (other.shares != first.shares).any()


def test_items_differ_in_how_many_options_they_have() -> None:
    # The chains weigh a choice among three like one among two only if the start is drawn evenly.
    candidates = [[0, 1, 2], [0, 1], [1, 2, 0]]
    drawn = sampled_shares(candidates, np.random.default_rng(0))
    # Matchings: (0,1,2), (2,1,0), (1,0,2), (2,0,1): of the first item 1/4, 1/4, 1/2, of the second one half each.
    np.testing.assert_allclose((drawn.halves[0][0] + drawn.halves[1][0]) / 2, [0.25, 0.25, 0.5], atol=0.02)
    np.testing.assert_allclose((drawn.halves[0][1] + drawn.halves[1][1]) / 2, [0.5, 0.5], atol=0.02)
