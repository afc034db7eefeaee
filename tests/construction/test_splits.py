"""Splits: near every share, in whole units, the same from any order; secrets that are never replaced."""

import json
import random
import stat
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_harness.cli import main
from cmb_harness.construction.concepts import Concept, read_concepts
from cmb_harness.construction.faults import ConstructionError
from cmb_harness.construction.questions import make_records
from cmb_harness.construction.sampling import option_faults, sample_concepts
from cmb_harness.construction.similarity import light_similarity
from cmb_harness.construction.splits import secrets_file, split_concepts, split_file
from cmb_harness.construction.units import block_units, component_units, leftovers_of, pair_units
from cmb_harness.records import Moment, read_region

INVENTORY = Path(__file__).resolve().parents[2] / "cmb_harness/regions/southeast_asia_inventory.csv"


@pytest.fixture(scope="module")
def concepts() -> list[Concept]:
    return read_concepts(INVENTORY, read_region())


def finished(concepts: list[Concept]) -> list[Concept]:
    """The concepts with a description and a moment each."""
    return [
        replace(c, description=f"{c.common_latin} {i}", moment=Moment(f"{i:011}", 1.0, 2.0))
        for i, c in enumerate(concepts)
    ]


def table(**cells: int) -> list[Concept]:
    """``A_Dance=3`` gives three concepts of country AA and category Dance."""
    return [
        Concept(f"{cell[0] * 2}-{cell[2:]}-{n:02}", cell[0] * 2, cell[2:], f"{cell} {n}")
        for cell, count in cells.items()
        for n in range(1, count + 1)
    ]


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_every_share_of_the_inventory_is_near(share, concepts) -> None:
    division = split_concepts(concepts, pair_units(concepts, 42), test_share=share)
    hidden = set(division.hidden)
    assert sorted([*division.train, *division.hidden]) == sorted(c.concept_id for c in concepts)
    assert division.undivided == ()
    assert option_faults(concepts, read_region().ambiguity_groups, set(division.train)) == []
    for what, slack in (("country", 2), ("category", 2)):
        for name, n in Counter(getattr(c, what) for c in concepts).items():
            members = {c.concept_id for c in concepts if getattr(c, what) == name}
            # Wedding needs four on each side: 4 or 7 of 11, not 2.2 or 8.8.
            assert abs(len(members & hidden) - share * n) <= (slack if name != "Wedding" else 2.5)
    for cell in {(c.country, c.category) for c in concepts}:
        members = {c.concept_id for c in concepts if (c.country, c.category) == cell}
        # Couples go as a whole, so a cell may be a couple off.
        assert abs(len(members & hidden) - share * len(members)) <= 2


def test_every_concept_with_a_compatriot_finds_one_on_its_side(concepts) -> None:
    division = split_concepts(concepts, pair_units(concepts, 7), seed=7)
    for side in (set(division.train), set(division.hidden)):
        cells = Counter((c.country, c.category) for c in concepts if c.concept_id in side)
        whole = Counter((c.country, c.category) for c in concepts)
        assert all(n > 1 or whole[cell] == 1 for cell, n in cells.items())


def test_order_does_not_matter_and_seeds_do(concepts) -> None:
    mixed = random.Random(0).sample(concepts, len(concepts))
    first = split_concepts(concepts, pair_units(concepts, 42))
    assert split_concepts(mixed, pair_units(mixed, 42)) == first
    assert split_file(mixed, first, 42) == split_file(concepts, first, 42)
    assert split_concepts(concepts, pair_units(concepts, 43), seed=43) != first


def test_pairs_are_of_one_country_and_an_odd_one_joins_a_pair() -> None:
    units = pair_units(table(A_Dance=5, B_Dance=4, C_Dance=1), 1)
    assert sorted((unit[0][:2], len(unit)) for unit in units) == [
        ("AA", 2),
        ("AA", 3),
        ("BB", 2),
        ("BB", 2),
        ("CC", 1),
    ]
    assert all(len({name[:2] for name in unit}) == 1 for unit in units)


def test_a_category_that_cannot_be_divided_stays_public() -> None:
    concepts = table(A_Dance=4, B_Dance=4, C_Dance=4, A_Game=2, B_Game=2, C_Game=2)
    division = split_concepts(concepts, pair_units(concepts, 1))
    assert division.undivided == ("Game",)
    assert len(division.hidden) == 6
    assert all("Dance" in name for name in division.hidden)


def test_nothing_to_divide_is_told() -> None:
    concepts = table(A_Dance=2, B_Dance=2, C_Dance=2)
    with pytest.raises(
        ConstructionError, match="no category can be divided: each side needs 4 concepts of 3"
    ):
        split_concepts(concepts, pair_units(concepts, 1))


@pytest.mark.parametrize("share", [0, 1, -0.5, float("nan")])
def test_a_share_is_between_0_and_1(share, concepts) -> None:
    with pytest.raises(ConstructionError, match=r"test share: .* is not above 0 and below 1"):
        split_concepts(concepts, pair_units(concepts, 1), test_share=share)


@given(
    st.lists(st.integers(0, 9), min_size=8, max_size=8).filter(lambda n: sum(n) > 12),
    st.floats(0.1, 0.9),
    st.integers(0, 99),
)
def test_both_sides_of_a_divided_category_hold_questions(counts, share, seed) -> None:
    names = [f"{country}_{category}" for category in ("Dance", "Game") for country in "ABCD"]
    concepts = table(**dict(zip(names, counts, strict=True)))
    units = pair_units(concepts, seed)
    try:
        division = split_concepts(concepts, units, test_share=share, seed=seed)
    except ConstructionError:
        return
    sides = [set(division.train), set(division.hidden)]
    assert all(set(unit) <= sides[0] or set(unit) <= sides[1] for unit in units)
    for category in {c.category for c in concepts} - set(division.undivided):
        members = [c for c in concepts if c.category == category]
        for side in sides:
            inside = [c for c in members if c.concept_id in side]
            assert len(inside) >= 4
            assert len({c.country for c in inside}) >= min(3, len({c.country for c in members}))
    for category in division.undivided:
        assert all(c.concept_id in sides[0] for c in concepts if c.category == category)


def test_blocks_go_to_a_side_as_a_whole_and_none_is_lost(concepts) -> None:
    dances = finished([c for c in concepts if c.category == "Dance"])
    similarity = light_similarity([c.description for c in dances])
    groups = read_region().ambiguity_groups
    sampled = sample_concepts(dances, similarity, sampler="block", ambiguity_groups=groups)
    units = block_units(dances, sampled.sample, 1)
    assert sorted(map(len, units))[-14:] == [4] * 14
    division = split_concepts(dances, units)
    again = sample_concepts(
        dances, similarity, sampler="block", ambiguity_groups=groups, train=set(division.train)
    )
    assert sum(report.blocks for report in again.reports) == 14


def test_leftovers_that_stay_public_leave_a_hidden_side_of_full_blocks(concepts) -> None:
    concepts = finished(concepts)
    similarity = light_similarity([c.description for c in concepts])
    groups = read_region().ambiguity_groups
    sample = sample_concepts(concepts, similarity, sampler="block", ambiguity_groups=groups).sample
    left = leftovers_of(concepts, sample)
    # Over the categories: 22 + 14 + 18 + 16 blocks of four (docs/construction.md), and no block of Wedding's eleven.
    assert len(left) == 306 - 4 * 70
    units = block_units(concepts, sample, 42)
    division = split_concepts(concepts, units, public=left)
    assert not left & set(division.hidden)
    assert division.undivided == ("Wedding",)
    # Half of the blocks, but for the four categories' odd ones; the leftovers are public on top.
    assert len(division.hidden) == pytest.approx(306 / 2, abs=16)
    hidden = sample_concepts(
        concepts, similarity, sampler="block", ambiguity_groups=groups, train=set(division.train)
    )
    by_side = Counter((hidden.sample[name]["block"] < 0) for name in division.hidden)
    assert by_side == {False: len(division.hidden)}
    # Where leftovers may be hidden, some are.
    assert left & set(split_concepts(concepts, units).hidden)


def test_records_are_split_by_whole_components(concepts) -> None:
    # Four blocks of one category: each is a component, and the leftovers tie nothing since there are none.
    chosen = finished(
        [c for c in concepts if c.category == "Dance" and c.country in ("KH", "ID", "MY", "MM")]
    )
    chosen = [
        c for country in ("KH", "ID", "MY", "MM") for c in [d for d in chosen if d.country == country][:4]
    ]
    similarity = light_similarity([c.description for c in chosen])
    blocks = sample_concepts(chosen, similarity, sampler="block").sample
    records = make_records(chosen, blocks, read_region().writing_clusters)
    units = component_units(records)
    assert sorted(map(len, units)) == [4, 4, 4, 4]
    hidden = set(split_concepts(records, units, tied=True).hidden)
    assert len(hidden) == 8
    for record in records:
        assert len({name in hidden for name in record.s1_option_concept_ids}) == 1
    tied = make_records(chosen, sample_concepts(chosen, similarity).sample, read_region().writing_clusters)
    with pytest.raises(ConstructionError, match="the options tie the concepts of each category together"):
        split_concepts(tied, component_units(tied), tied=True)


SALTS = {"ids": "0" * 64, "s1": "1" * 64, "s2": "2" * 64, "s3": "3" * 64}


def test_secrets_keep_what_they_hold(concepts) -> None:
    division = split_concepts(concepts, pair_units(concepts, 42))
    first = secrets_file(division, SALTS)
    assert first == {"salts": SALTS, "hidden_concepts": list(division.hidden), "references": []}
    built = {
        **first,
        "references": [{"item_id": "s1-0"}],
        "example": True,
        "salts": {**SALTS, "s3": "9" * 64},
    }
    assert secrets_file(division, dict.fromkeys(SALTS, "f" * 64), built) == built
    moved = secrets_file(split_concepts(concepts, pair_units(concepts, 1), seed=1), SALTS, built)
    assert moved["references"] == []
    assert moved["salts"]["s3"] == "9" * 64


def test_the_command_writes_a_private_file_and_reuses_its_salts(tmp_path, capsys) -> None:
    split, secrets = tmp_path / "split.json", tmp_path / "secrets.json"
    command = ["split", str(INVENTORY), "--out", str(split), "--secrets", str(secrets)]
    assert main(command) == 0
    first = json.loads(secrets.read_text())
    assert stat.S_IMODE(secrets.stat().st_mode) == 0o600
    assert {len(bytes.fromhex(salt)) for salt in first["salts"].values()} == {32}
    assert len(set(first["salts"].values())) == 4
    assert "hidden  153 of 306 concepts" in capsys.readouterr().out
    assert main([*command, "--test-share", "0.8"]) == 0
    second = json.loads(secrets.read_text())
    assert second["salts"] == first["salts"]
    assert sorted([*second["hidden_concepts"], *json.loads(split.read_text())["train"]]) == sorted(
        c.concept_id for c in read_concepts(INVENTORY)
    )


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("{}", "salts: expected an object; the file stays as it is"),
        ('{"salts": {"ids": "short"}}', "salts.ids: expected at least 32 hexadecimal digits"),
        ('{"salts"', "line 1: not JSON"),
    ],
)
def test_a_secrets_file_that_cannot_be_read_is_left_alone(tmp_path, capsys, content, fault) -> None:
    secrets = tmp_path / "secrets.json"
    secrets.write_text(content)
    split = tmp_path / "split.json"
    assert main(["split", str(INVENTORY), "--out", str(split), "--secrets", str(secrets)]) == 1
    assert fault in capsys.readouterr().err
    assert secrets.read_text() == content
    assert not split.exists()


@pytest.mark.parametrize("wrong", [["--by", "block"], ["--sample", "x.json"]])
def test_blocks_need_their_sample(tmp_path, capsys, wrong) -> None:
    out = ["--out", str(tmp_path / "a"), "--secrets", str(tmp_path / "b")]
    assert main(["split", str(INVENTORY), *out, *wrong]) == 1
    assert "--by block and --sample FILE go together" in capsys.readouterr().err


def test_leftovers_need_blocks(tmp_path, capsys, concepts) -> None:
    out = ["--out", str(tmp_path / "split.json"), "--secrets", str(tmp_path / "secrets.json")]
    assert main(["split", str(INVENTORY), *out, "--leftovers", "public"]) == 1
    assert "--leftovers goes with --by block" in capsys.readouterr().err
    named = finished(concepts)
    similarity = light_similarity([c.description for c in named])
    (tmp_path / "sample.json").write_text(
        json.dumps(sample_concepts(named, similarity, sampler="block").sample)
    )
    by_block = ["--by", "block", "--sample", str(tmp_path / "sample.json")]
    assert main(["split", str(INVENTORY), *out, *by_block, "--leftovers", "public"]) == 0
    shown = capsys.readouterr()
    assert "0 of 11  Wedding" in shown.out
    assert "Wedding is public as a whole" in shown.err
