"""Records of a table and its sample: balanced keys, the same distractors in both stages, hidden from hidden alone."""

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from cmb_dataset import key_table
from cmb_harness.construction.concepts import Concept, read_concepts
from cmb_harness.construction.faults import ConstructionError
from cmb_harness.construction.questions import make_records
from cmb_harness.construction.sampling import sample_concepts
from cmb_harness.construction.similarity import light_similarity
from cmb_harness.construction.splits import secrets_file, split_concepts, split_file
from cmb_harness.construction.units import pair_units
from cmb_harness.dataset import build_dataset
from cmb_harness.records import Moment, Pair, read_records, read_region

INVENTORY = Path(__file__).resolve().parents[2] / "cmb_harness/regions/southeast_asia_inventory.csv"
CLUSTERS = read_region().writing_clusters


@pytest.fixture(scope="module")
def concepts() -> list[Concept]:
    """The paper's concepts, finished with texts and videos made up here."""
    return [
        replace(
            c,
            description=f"What {c.common_latin} means, {i}",
            moment=Moment(f"{i:011}", 1.0, 2.5),
            s3_pairs=(Pair(f"B{i:010}", 3.0, 4.0, "a cue", 9.0),) if i % 3 else (),
            common_local=f"local {i}" if c.country == "KH" else "",
            extra={"note": "made up"},
        )
        for i, c in enumerate(read_concepts(INVENTORY))
    ]


@pytest.fixture(scope="module")
def division(concepts):
    return split_concepts(concepts, pair_units(concepts, 42))


@pytest.fixture(scope="module")
def sample(concepts, division):
    similarity = light_similarity([c.description for c in concepts])
    groups = read_region().ambiguity_groups
    return sample_concepts(concepts, similarity, ambiguity_groups=groups, train=set(division.train)).sample


@pytest.fixture(scope="module")
def records(concepts, sample, division):
    return make_records(concepts, sample, CLUSTERS, train=set(division.train))


def test_they_are_valid_records_and_say_what_the_table_says(records, concepts, tmp_path) -> None:
    path = tmp_path / "records.json"
    path.write_text(json.dumps([record.as_json() for record in records], ensure_ascii=False))
    assert read_records(path, read_region()) == records
    first, concept = records[0], concepts[0]
    assert first.concept_name == "local 0 (Bon Chrat Preah Neangkoal)"
    assert first.name_variants == {"common_latin": "Bon Chrat Preah Neangkoal", "common_local": "local 0"}
    assert (first.description, first.moment, first.s3_pairs) == (
        concept.description,
        concept.moment,
        concept.s3_pairs,
    )
    assert (first.writing_cluster, first.extra) == ("Local", {"note": "made up"})


def test_keys_stand_at_each_letter_equally_often(records, division) -> None:
    train = set(division.train)
    for stage in ("s1", "s2"):
        for side in (True, False):
            on_side = [r for r in records if (r.concept_id in train) == side]
            pools = [[r for r in on_side if r.category == name] for name in read_region().categories]
            for pool in (on_side, *pools):
                letters = Counter(getattr(r, f"{stage}_correct_index") for r in pool)
                assert max(letters[i] for i in range(4)) - min(letters[i] for i in range(4)) <= 1


def test_both_stages_show_the_same_concepts_in_orders_of_their_own(records, concepts, sample) -> None:
    moments = {c.moment: c.concept_id for c in concepts}
    names = {c.concept_id: c.common_latin for c in concepts}
    same_key = same_order = 0
    for record in records:
        s2 = tuple(moments[option] for option in record.s2_options)
        distractors = [name for name in record.s1_option_concept_ids if name != record.concept_id]
        assert sorted(s2) == sorted(record.s1_option_concept_ids)
        assert sorted(distractors) == sorted(sample[record.concept_id]["distractors"])
        assert record.s1_option_concept_ids[record.s1_correct_index] == record.concept_id
        assert s2[record.s2_correct_index] == record.concept_id
        assert record.s1_options == tuple(names[name] for name in record.s1_option_concept_ids)
        assert record.s1_distractor_origin == tuple(
            "same-country" if name[:2] == record.country else "different-country" for name in distractors
        )
        same_key += record.s1_correct_index == record.s2_correct_index
        same_order += s2 == record.s1_option_concept_ids
    # One in 4 and one in 24 of 306 by chance: 76.5 and 12.75, with standard deviations of 7.6 and 3.5.
    assert 76.5 - 4 * 7.6 < same_key < 76.5 + 4 * 7.6
    assert same_order < 12.75 + 4 * 3.5


def test_distractors_stand_at_each_place_equally_often(records, sample) -> None:
    # The same-country distractor is the sample's first; among three places it has 102 of 306 by chance, sd 8.2.
    places = Counter()
    for record in records:
        order = [name for name in record.s1_option_concept_ids if name != record.concept_id]
        places[order.index(sample[record.concept_id]["distractors"][0])] += 1
    assert all(abs(places[i] - 102) < 4 * 8.2 for i in range(3))


def test_the_order_of_the_table_does_not_matter_and_seeds_do(records, concepts, sample, division) -> None:
    mixed = random.Random(3).sample(concepts, len(concepts))
    again = make_records(mixed, sample, CLUSTERS, train=set(division.train))
    by_id = {record.concept_id: record for record in again}
    assert [by_id[record.concept_id] for record in records] == records
    other = make_records(concepts, sample, CLUSTERS, train=set(division.train), seeds={"s1": 9})
    assert [r.s1_options for r in other] != [r.s1_options for r in records]
    assert [r.s2_options for r in other] == [r.s2_options for r in records]


def test_the_built_dataset_takes_them_and_stays_balanced(records, concepts, division) -> None:
    # `build_dataset` refuses an option from the other side of the split.
    split = split_file(concepts, division, 42)
    salts = {name: str(i) * 64 for i, name in enumerate(("ids", "s1", "s2", "s3"))}
    secrets = secrets_file(division, salts)
    dataset = build_dataset(records, split=split, secrets=secrets, phase="recognition")
    assert len(dataset.rows["s1"]["test"]) == len(division.hidden)
    keys = key_table(records, split, secrets, "recognition")
    for stage in ("s1", "s2"):
        for name in read_region().categories:
            letters = Counter(
                row["answer"] for row in keys if (row["stage"], row["category"]) == (stage, name)
            )
            assert max(letters[i] for i in range(4)) - min(letters[i] for i in range(4)) <= 1


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (
            {"distractors": ["ID-Dance-02", "ID-Dance-02", "MY-Dance-01"]},
            "expected three different distractors",
        ),
        (
            {"distractors": ["ID-Dance-01", "ID-Dance-02", "MY-Dance-01"]},
            "expected three different distractors",
        ),
        ({"distractors": ["ID-Dance-02"]}, "expected three different distractors"),
        ({"distractors": None}, "expected three different distractors"),
        ({"distractors": "ABC"}, "expected three different distractors"),
        ({"distractors": [1, 2, 3]}, "expected three different distractors"),
        (
            {"distractors": ["ID-Dance-99", "ID-Dance-02", "MY-Dance-01"]},
            "distractor ID-Dance-99 is not in the table",
        ),
        (
            {"distractors": ["ID-Game-01", "ID-Dance-02", "MY-Dance-01"]},
            "distractor ID-Game-01 is of another category",
        ),
    ],
)
def test_a_sample_that_does_not_fit_is_told(concepts, sample, change, fault) -> None:
    wrong = {**sample, "ID-Dance-01": change}
    with pytest.raises(ConstructionError) as told:
        make_records(concepts, wrong, CLUSTERS)
    assert f"sample: ID-Dance-01: {fault}" in told.value.faults


def test_options_from_the_other_side_and_unfinished_concepts_are_told_at_once(
    concepts, sample, division
) -> None:
    hidden = division.hidden[0]
    unfinished = [replace(c, description="", moment=None) if c is concepts[0] else c for c in concepts]
    with pytest.raises(ConstructionError) as told:
        make_records(unfinished, sample, {**CLUSTERS, "VN": None}, train={*division.train, hidden})
    text = "\n".join(told.value.faults)
    assert f"sample: {hidden}: distractor" in text
    assert "is on the other side of the split" in text
    assert "KH-Celebration-01: description: missing" in text
    assert "KH-Celebration-01: video_A_url: missing, so S2 has no moment to show" in text


def test_a_concept_of_no_sample_and_a_sample_of_no_concept_are_told(concepts, sample) -> None:
    with pytest.raises(ConstructionError) as told:
        make_records(concepts[1:], sample, CLUSTERS)
    assert "sample: KH-Celebration-01: no such concept in the table" in told.value.faults
    with pytest.raises(ConstructionError, match="sample: KH-Celebration-01: expected three different"):
        make_records(concepts, {k: v for k, v in sample.items() if k != "KH-Celebration-01"}, CLUSTERS)
