"""The block sampler against all ways to choose blocks, a greedy choice, and the counts that the inventory allows."""

import functools
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_harness.construction.distractors import sample_block, sample_bswa
from cmb_harness.construction.distractors.pool import make_pool
from cmb_harness.construction.distractors.search import search_blocks


def six(similarity, block):
    """The sum of the six similarities of four concepts."""
    return sum(similarity[a][b] for a, b in combinations(block, 2))


def may_be_block(four, countries, groups):
    counts = sorted(countries[c] for c in four)
    rivals = any(a in group and b in group for group in groups for a, b in combinations(four, 2))
    return counts[0] == counts[1] != counts[2] == counts[3] and not rivals


def every_block(countries, groups):
    return [four for four in combinations(range(len(countries)), 4) if may_be_block(four, countries, groups)]


def best_by_enumeration(similarity, blocks):
    """(most blocks, then highest total) over all sets of disjoint blocks."""
    by_first = [[block for block in blocks if block[0] == c] for c in range(len(similarity))]

    @functools.cache
    def best(free):
        if not free:
            return 0, 0.0
        first, rest = free[0], free[1:]
        found = best(rest)
        for block in by_first[first]:
            if set(block[1:]) <= set(rest):
                number, total = best(tuple(c for c in rest if c not in block))
                found = max(found, (number + 1, total + six(similarity, block)))
        return found

    return best(tuple(range(len(similarity))))


def greedy(similarity, blocks):
    """Repeatedly the block with the highest total among what is left."""
    taken, chosen = set(), []
    for block in sorted(blocks, key=lambda block: -six(similarity, block)):
        if not taken & set(block):
            taken |= set(block)
            chosen.append(block)
    return len(chosen), sum(six(similarity, block) for block in chosen)


def value_of(similarity, block):
    members = [np.flatnonzero(block == number).tolist() for number in range(int(block.max()) + 1)]
    return len(members), sum(six(similarity, four) for four in members)


pools = st.integers(4, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.sampled_from("ABC"), min_size=n, max_size=n).filter(lambda c: len(set(c)) > 1),
        st.lists(st.lists(st.integers(0, n - 1), min_size=2, max_size=3, unique=True), max_size=2),
        st.integers(0, 10_000),
    )
)


@given(pools)
def test_small_categories_reach_the_optimum(pool) -> None:
    countries, groups, seed = pool
    n = len(countries)
    similarity = np.random.default_rng(seed).normal(size=(n, n))
    similarity += similarity.T
    _, block = sample_block([f"n{i}" for i in range(n)], countries, similarity, groups)
    expected = best_by_enumeration(similarity, every_block(countries, groups))
    assert value_of(similarity, block) == pytest.approx(expected)


@pytest.mark.parametrize("countries", ["A" * 8 + "B" * 8, "AAAAAABBBBBCCCCC", "AAAABBBBCCCDDDEE"])
def test_sixteen_concepts_reach_the_optimum(countries, cosines) -> None:
    similarity = cosines(16, 5, 4)
    groups = [[0, 15], [1, 9, 14]]
    _, block = sample_block([f"n{i}" for i in range(16)], list(countries), similarity, groups)
    expected = best_by_enumeration(similarity, every_block(countries, groups))
    assert value_of(similarity, block) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(6))
def test_the_search_for_larger_categories_reaches_the_optimum_of_smaller_ones(seed, cosines) -> None:
    # Rivals cost the search blocks that it has to win back.
    rng = np.random.default_rng(seed)
    countries = [str(c) for c in rng.choice(list("ABCD"), 14)]
    groups = [rng.choice(14, 4, replace=False).tolist() for _ in range(3)]
    similarity = cosines(14, seed, 5)
    pool = make_pool([f"n{i:02}" for i in range(14)], countries, similarity, groups)
    blocks = pool.order[search_blocks(pool, np.random.default_rng(0))]
    found = len(blocks), sum(six(similarity, block) for block in blocks)
    assert found == pytest.approx(best_by_enumeration(similarity, every_block(countries, groups)))


@pytest.mark.parametrize(
    ("name", "dimensions"),
    [("Dance", 30)]
    + [pytest.param(*case, marks=pytest.mark.thorough) for case in product(("Game", "Music"), (3, 30))],
)
def test_larger_categories_beat_a_greedy_choice(name, dimensions, inventory, cosines) -> None:
    names, countries, groups = inventory[name]
    similarity = cosines(len(names), 7, dimensions)
    _, block = sample_block(names, countries, similarity, groups)
    assert value_of(similarity, block) > greedy(similarity, every_block(countries, groups))


def test_the_paper_s_inventory_leaves_26_of_306_concepts_over(inventory, cosines, broken_rules) -> None:
    # A country of n has floor(n / 2) couples, and couples of two countries make a block: Celebration
    # 2+7+8+6+12+2+7 = 44 couples, 22 blocks; Dance 28, 14; Game 37, 18; Music 32, 16; Wedding: one country.
    leftovers = {}
    for name, category in inventory.items():
        n = len(category.names)
        similarity = cosines(n, 3)
        chosen, block = sample_block(category.names, category.countries, similarity, category.groups)
        leftovers[name] = int((block == -1).sum())
        for key, options in enumerate(chosen.tolist()):
            if block[key] == -1:
                assert broken_rules(key, options, category.countries, category.groups, category.names) == []
            else:
                four = np.flatnonzero(block == block[key]).tolist()
                assert sorted([key, *options]) == four
                assert may_be_block(four, category.countries, category.groups)
                assert category.countries[options[0]] == category.countries[key]
    assert leftovers == {"Celebration": 3, "Dance": 4, "Game": 4, "Music": 4, "Wedding": 11}


def test_without_any_block_the_options_are_those_of_the_paper_s_sampler(inventory, cosines) -> None:
    names, countries, groups = inventory["Wedding"]
    similarity = cosines(11, 2)
    chosen, _ = sample_block(names, countries, similarity, groups)
    assert chosen.tolist() == sample_bswa(names, countries, similarity, groups).tolist()


def test_leftovers_are_options_of_one_another(cosines) -> None:
    # A leftover that stood in its own question alone would be known as its key.
    countries = list("AAAAABBBBBCCC")
    chosen, block = sample_block([f"n{i}" for i in range(13)], countries, cosines(13, 0), [])
    leftovers = np.flatnonzero(block == -1)
    assert len(leftovers) == 1 + 1 + 3
    assert set(leftovers) <= set(chosen[leftovers].ravel())


@pytest.mark.parametrize("n", [14, 40])
def test_the_order_of_the_input_does_not_matter(n, cosines) -> None:
    rng = np.random.default_rng(n)
    countries = [str(c) for c in rng.choice(list("ABCD"), n)]
    names = [f"n{i:02}" for i in range(n)]
    groups = [[0, 3, 8], [5, 6]]
    similarity = cosines(n, 11)
    order = rng.permutation(n)
    place = np.argsort(order)
    first, first_block = sample_block(names, countries, similarity, groups, seed=4)
    second, second_block = sample_block(
        [names[i] for i in order],
        [countries[i] for i in order],
        similarity[np.ix_(order, order)],
        [[int(place[i]) for i in group] for group in groups],
        seed=4,
    )
    assert first_block.tolist() == second_block[place].tolist()
    assert first.tolist() == [[int(order[c]) for c in second[place[k]]] for k in range(n)]


def test_a_large_category_gets_the_most_blocks_and_no_rivals(cosines) -> None:
    # 300 concepts of four countries, one of which has more than all others together: 201 - 99 couples cannot be joined.
    countries = ["A"] * 201 + ["B"] * 49 + ["C"] * 31 + ["D"] * 19
    groups = [[i, 201 + i % 99] for i in range(0, 200, 2)]
    similarity = cosines(300, 1)
    names = [f"n{i}" for i in range(300)]
    _, block = sample_block(names, countries, similarity, groups)
    fours = [np.flatnonzero(block == number).tolist() for number in range(int(block.max()) + 1)]
    assert len(fours) == 49 // 2 + 31 // 2 + 19 // 2
    assert all(may_be_block(four, countries, groups) for four in fours)
    at_random = np.random.default_rng(0).choice(300, (5000, 4))
    assert value_of(similarity, block)[1] / len(fours) > np.mean(
        [six(similarity, four) for four in at_random]
    )


def test_a_block_of_two_countries_is_the_smallest_category() -> None:
    chosen, block = sample_block(list("uvwx"), list("AABB"), np.eye(4), [])
    assert block.tolist() == [0] * 4
    assert chosen.tolist() == [[1, 2, 3], [0, 2, 3], [3, 0, 1], [2, 0, 1]]
