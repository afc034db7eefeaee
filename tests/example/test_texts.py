"""The concept table: 64 concepts of the inventory, texts that give nothing away, times that test cutting."""

import base64
import csv
import hashlib
import itertools
import json
import re
import unicodedata
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import cmb_harness
from cmb_harness.example.table import read_example, video_plans
from cmb_harness.records import Record

PACKAGE = Path(cmb_harness.__file__).parent
CONCEPTS = read_example()
PAIRS = [(concept, pair) for concept in CONCEPTS for pair in concept.s3_pairs]

SCRIPTS = {"KH": "KHMER", "MM": "MYANMAR", "TH": "THAI"}


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


# Countries, nationalities, peoples, languages, and places that stand for them.
GIVEAWAYS = words(
    """
    cambodia cambodian khmer angkor indonesia indonesian java javanese bali balinese batak toba sunda sundanese betawi
    aceh acehnese gayo malaysia malaysian malay melayu sabah sarawak borneo kelantan iban dayak kadazan dusun kenyah
    kayan tamil chinese arab myanmar burma burmese bamar shan karen kachin rakhine mon philippines philippine filipino
    filipina filipinos pilipino tagalog visayan cebu cebuano ilocano moro maranao maguindanao batangas bacolod
    thailand thai siam siamese lanna isan vietnam vietnamese viet kinh hmong mong muong tay ede bahnar jarai
    luzon mindanao sumatra asia asian
    """
)


def rows_of_inventory() -> list[dict[str, str]]:
    with open(PACKAGE / "regions" / "southeast_asia_inventory.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_two_of_each_country_and_category_or_the_only_one() -> None:
    inventory = Counter((row["country"], row["category"]) for row in rows_of_inventory())
    chosen = Counter((concept.country, concept.category) for concept in CONCEPTS)
    assert chosen == {cell: min(count, 2) for cell, count in inventory.items()}
    assert len(CONCEPTS) == len({concept.concept_id for concept in CONCEPTS}) == 64


def test_ids_and_names_are_those_of_the_inventory() -> None:
    names = {row["concept_id"]: row["common_latin"] for row in rows_of_inventory()}
    for concept in CONCEPTS:
        assert concept.common_latin == names[concept.concept_id]
        assert concept.concept_id.startswith(f"{concept.country}-{concept.category}-")


@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda concept: concept.concept_id)
def test_a_description_gives_neither_name_nor_country_away(concept: Record) -> None:
    assert 20 <= len(concept.description.split()) <= 32
    names = set().union(*(words(name) for name in (concept.name_variants or {}).values()))
    for text in (concept.description, *(pair.cue for pair in concept.s3_pairs)):
        assert not words(text) & (names | GIVEAWAYS)
        assert not any(len(name) > 3 and name in text.lower() for name in names)


def test_texts_are_distinct_and_normalised() -> None:
    descriptions = [concept.description for concept in CONCEPTS]
    asked = [(concept.common_latin, pair.cue) for concept, pair in PAIRS]
    assert len(set(descriptions)) == len(descriptions)
    assert len(set(asked)) == len(asked)
    text = (PACKAGE / "example" / "concepts.csv").read_text("utf-8")
    assert unicodedata.is_normalized("NFC", text)
    assert "\r" not in text


def test_cues_speak_of_patterns_not_of_rites() -> None:
    assert all(re.match("the patterned square ", pair.cue) for _, pair in PAIRS)


@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda concept: concept.concept_id)
def test_local_names_are_in_the_script_of_the_country(concept: Record) -> None:
    variants = concept.name_variants or {}
    script = SCRIPTS.get(concept.country, "LATIN")
    for variant, name in variants.items():
        wanted = script if variant.endswith("local") else "LATIN"
        letters = [letter for letter in name if unicodedata.category(letter)[0] in "LM"]
        assert letters
        assert all(unicodedata.name(letter).startswith((wanted, "MODIFIER")) for letter in letters)
    assert "common_local" in variants


def test_every_row_is_marked_as_no_cmb() -> None:
    assert {concept.extra["note"] for concept in CONCEPTS} == {"unreviewed example, not CMB"}
    assert all(concept.review_outcome is None for concept in CONCEPTS)


def test_video_ids_say_nothing_and_are_none_of_youtube() -> None:
    ids: dict[str, str] = {}
    for concept in CONCEPTS:
        videos = [concept.video_A_url, *dict.fromkeys(pair.video_url for pair in concept.s3_pairs)]
        for letter, video in zip("ABC", videos, strict=False):
            digest = hashlib.sha256(f"example/{concept.concept_id}/{letter}".encode()).digest()
            assert video == base64.urlsafe_b64encode(digest).decode()[:10] + "x"
            ids[video] = concept.concept_id
    assert len(ids) == len(video_plans(CONCEPTS))
    # An id of YouTube is 64 bits in base64: its last character carries four bits, and is one of these.
    assert "x" not in "AEIMQUYcgkosw048"


def test_pairs_are_spread_as_in_cmb() -> None:
    assert 60 <= len(PAIRS) <= 75
    without = Counter(concept.category for concept in CONCEPTS if not concept.s3_pairs)
    assert without["Music"] > without.total() / 2
    per_video = Counter(pair.video_url for _, pair in PAIRS)
    assert Counter(per_video.values()) == {1: 40, 2: 13, 3: 2}
    assert any(len({pair.video_url for pair in concept.s3_pairs}) > 1 for concept in CONCEPTS)
    weddings = sum(concept.category == "Wedding" for concept, _ in PAIRS)
    assert weddings / len(PAIRS) == pytest.approx(0.235, abs=0.03)


def test_moments_and_spans_fit_their_videos() -> None:
    for concept in CONCEPTS:
        start_s, end_s = concept.video_A_s2_moment
        assert 2 <= end_s - start_s <= 5
        assert start_s > 0.5
    for plan in video_plans(CONCEPTS):
        in_order = sorted(plan.shown, key=lambda shown: shown.start_s)
        assert all(a.end_s + 1 <= b.start_s for a, b in itertools.pairwise(in_order))
        # A clip cut one second late ends on a frame that shows nothing.
        assert plan.duration_s - max(shown.end_s for shown in plan.shown) >= 1.6
        assert Fraction(str(plan.duration_s)) * plan.rate == plan.count
    ids_of_a = {concept.video_A_url for concept in CONCEPTS}
    durations_s = {plan.video_id: plan.duration_s for plan in video_plans(CONCEPTS)}
    assert max(durations_s[video] for video in ids_of_a) <= 12
    assert max(durations_s.values()) <= 30
    for _, pair in PAIRS:
        assert 2 <= pair.end_s - pair.start_s <= 8
        assert durations_s[pair.video_url] == pair.duration_s


def test_times_lie_on_frames_and_between_them() -> None:
    on_frame = Counter(
        (Fraction(str(time_s)) * plan.rate).denominator == 1
        for plan in video_plans(CONCEPTS)
        for shown in plan.shown
        for time_s in (shown.start_s, shown.end_s)
    )
    assert min(on_frame.values()) > on_frame.total() / 3


def test_the_split_file_holds_the_hash_of_these_concepts() -> None:
    rows = sorted([concept.concept_id, concept.country, concept.category] for concept in CONCEPTS)
    canonical = json.dumps(rows, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    split = json.loads((PACKAGE / "example" / "split.json").read_text("utf-8"))
    assert split["records_sha256"] == hashlib.sha256(canonical.encode()).hexdigest()
