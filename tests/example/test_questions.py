"""The example's split and options: valid, balanced, and closed on each side."""

import json
from collections import Counter
from pathlib import Path

import pytest

import cmb_harness
from cmb_dataset import check_split
from cmb_harness.records import Record, read_records, records_sha256

REGION = Path(cmb_harness.__file__).parent / "regions" / "southeast_asia.json"


@pytest.fixture(scope="module")
def records(example: Path) -> list[Record]:
    return read_records(example / "records.json", REGION)


@pytest.fixture(scope="module")
def train(example: Path) -> set[str]:
    return set(json.loads((example / "split.json").read_text("utf-8"))["train"])


@pytest.fixture(scope="module")
def groups() -> list[set[str]]:
    return [set(group) for group in json.loads(REGION.read_text("utf-8"))["ambiguity_groups"]]


def test_records_are_read_without_a_fault(records: list[Record]) -> None:
    assert len(records) == 64
    assert sum(len(record.s3_pairs) for record in records) == 72
    assert all(record.extra["example"] is True for record in records)


def test_split_and_secrets_fit_the_records(example: Path, records: list[Record]) -> None:
    split = json.loads((example / "split.json").read_text("utf-8"))
    secrets = json.loads((example / "secrets.json").read_text("utf-8"))
    assert check_split(records, split, secrets) == []
    assert split["records_sha256"] == records_sha256(records)
    assert secrets["example"] is split["example"] is True
    assert secrets["references"] == []
    assert len({*secrets["salts"].values()}) == 4


def test_a_country_and_category_is_on_one_side(records: list[Record], train: set[str]) -> None:
    sides: dict[tuple[str, str], set[bool]] = {}
    for record in records:
        sides.setdefault((record.country, record.category), set()).add(record.concept_id in train)
    assert all(len(side) == 1 for side in sides.values())
    assert 17 <= sum(True in side for side in sides.values()) <= 18
    assert len(train) == 32


def test_each_side_has_questions_of_every_category_and_country(
    records: list[Record], train: set[str]
) -> None:
    for public in (True, False):
        side = [record for record in records if (record.concept_id in train) is public]
        per_category = Counter(record.category for record in side)
        assert len(per_category) == 5
        assert min(per_category.values()) >= 4
        assert len({record.country for record in side}) == 7


def test_no_side_holds_two_concepts_of_one_ambiguity_group(
    records: list[Record], train: set[str], groups: list[set[str]]
) -> None:
    hidden = {record.concept_id for record in records} - train
    assert all(len(group & side) <= 1 for group in groups for side in (train, hidden))


def test_options_are_of_one_category_and_side(records: list[Record], train: set[str]) -> None:
    categories = {record.concept_id: record.category for record in records}
    for record in records:
        options = record.s1_option_concept_ids or ()
        assert len(set(options)) == 4
        assert {categories[option] for option in options} == {record.category}
        assert {option in train for option in options} == {record.concept_id in train}


def test_options_follow_the_country_rule_where_they_can(records: list[Record]) -> None:
    cells = Counter((record.country, record.category) for record in records)
    countries = {record.concept_id: record.country for record in records}
    for record in records:
        others = [countries[name] for name in record.s1_option_concept_ids or () if name != record.concept_id]
        alone = cells[record.country, record.category] == 1
        assert Counter(others)[record.country] == (0 if alone else 1)
        assert Counter(record.s1_distractor_origin)["same-country"] == (0 if alone else 1)
        abroad = [country for country in others if country != record.country]
        # A single concept beside Indonesia's two weddings is the only one that cannot have three countries.
        beside_two = record.category == "Wedding" and abroad.count("ID") == 2
        assert len(set(abroad)) == len(abroad) - beside_two


def test_options_name_and_show_the_same_concepts(records: list[Record]) -> None:
    names = {record.concept_id: record.common_latin for record in records}
    moments = {record.concept_id: record.moment for record in records}
    for record in records:
        ids = record.s1_option_concept_ids or ()
        assert record.s1_options == tuple(names[name] for name in ids)
        assert set(record.s2_options) == {moments[name] for name in ids}


def test_key_letters_are_balanced_and_differ_between_the_stages(
    records: list[Record], train: set[str]
) -> None:
    cells = {(record.category, record.concept_id in train) for record in records}
    for stage in ("s1_correct_index", "s2_correct_index"):
        assert set(Counter(getattr(record, stage) for record in records).values()) == {16}
        for category, public in cells:
            letters = Counter(
                getattr(record, stage)
                for record in records
                if (record.category, record.concept_id in train) == (category, public)
            )
            assert max(letters.values()) - min(letters[letter] for letter in range(4)) <= 1
    same = sum(record.s1_correct_index == record.s2_correct_index for record in records)
    assert 6 <= same <= 28


def test_every_concept_serves_as_a_distractor(records: list[Record]) -> None:
    used = Counter(name for record in records for name in record.s1_option_concept_ids or ())
    assert len(used) == 64
    assert max(used.values()) <= 7
