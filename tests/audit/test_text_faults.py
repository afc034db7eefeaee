"""Faults of texts: each is planted, and each clean text is left alone."""

from dataclasses import replace

import pytest

from cmb_harness.construction.audit import text_faults as faults
from cmb_harness.construction.audit.words import content_words, fold, holds_country, holds_name, word_overlap
from cmb_harness.records import read_region

COUNTRIES = {country.code: country.name for country in read_region().countries}


def check(finding, count: int, severity: str) -> None:
    assert (finding.figure, finding.severity) == (count, severity if count else "ok")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The year ends with aba and song.", 1),
        ("They sing ABÁ at dusk.", 1),
        ("Bebe is another option.", 1),
        ("Ababa is no option.", 0),
        ("It keeps the year.", 0),
    ],
)
def test_names_in_descriptions(pieces, text: str, count: int) -> None:
    item, _, _ = pieces
    found = faults.names_in_descriptions([item(description=text), item(item_id="other")])
    check(found, count, "serious")
    assert ("KH-Dance-01/s1" in found.evidence) == bool(count)


def test_other_forms_of_a_name_count(pieces) -> None:
    item, _, _ = pieces
    # Khmer sets no spaces between words.
    named = item(description="នេះគឺអាប៉ាថ្ងៃនេះ", names=(("អាប៉ា",), ("Bebe",), ("Coco",), ("Dudu",)))
    check(faults.names_in_descriptions([named]), 1, "serious")
    check(faults.names_in_descriptions([replace(named, description="នេះគឺថ្ងៃនេះ")]), 0, "ok")


@pytest.mark.parametrize(
    ("text", "key", "count"),
    [
        ("A festival of lanterns on the river.", 0, 1),
        ("A festival of lanterns on the river.", None, 1),
        # The word of another option alone misleads, but gives nothing away.
        ("A festival of lanterns on the river.", 1, 0),
        # All options have the word.
        ("A festival of the river.", 0, 0),
        ("It keeps the year.", 0, 0),
    ],
)
def test_words_of_the_name(pieces, text: str, key: int | None, count: int) -> None:
    item, _, _ = pieces
    options = ("Lanterns Festival", "Boats Festival", "Kites Festival", "Masks Festival")
    check(faults.name_words_in_descriptions([item(options, key, description=text)]), count, "warning")


@pytest.mark.parametrize(
    ("text", "country", "count"),
    [
        ("A Thai custom of the new year.", "TH", 1),
        ("Held all over Thailand.", "TH", 1),
        ("Vietnamese homes are cleaned.", "VN", 1),
        ("A Thai custom of the new year.", "KH", 0),
        ("A Thai custom of the new year.", None, 1),
        ("That they thank.", "TH", 0),
        ("It keeps the year.", None, 0),
    ],
)
def test_countries(pieces, text: str, country: str | None, count: int) -> None:
    item, _, pair_item = pieces
    check(
        faults.countries_in_descriptions([item(description=text, country=country)], COUNTRIES),
        count,
        "warning",
    )
    check(faults.countries_in_cues([pair_item(cue=text, country=country)], COUNTRIES), count, "note")


def test_names_in_cues(pieces) -> None:
    _, _, pair_item = pieces
    check(faults.names_in_cues([pair_item(cue="the Aba begins"), pair_item()]), 1, "note")
    check(faults.names_in_cues([pair_item()]), 0, "ok")


def test_near_duplicates(made) -> None:
    quiet = faults.near_duplicates(made.release())
    assert [finding.severity for finding in quiet] == ["ok", "ok"]
    rows = made.changed()
    public, hidden = rows["s1"]["train"], rows["s1"]["test"]
    words = public[0]["description"].split()
    # Ten of twelve words shared: 10 / 14.
    public[1]["description"] = " ".join([*words[:10], "zuzu", "zozo"])
    within, across = faults.near_duplicates(made.release(rows=rows))
    check(within, 1, "warning")
    assert public[0]["item_id"] in within.evidence
    check(across, 0, "ok")
    public[1]["description"] = public[0]["description"].upper()
    assert faults.near_duplicates(made.release(rows=rows))[0].severity == "serious"
    hidden[0]["description"] = public[0]["description"]
    across = faults.near_duplicates(made.release(rows=rows))[1]
    check(across, 2, "serious")
    assert across.evidence == "2 hidden"


def test_repeated_cues(pieces) -> None:
    _, _, pair_item = pieces
    first = pair_item()
    again = pair_item(item_id="KH-Dance-01/s3/2", cue="They  turn".replace("  ", " "), span=(20.0, 25.0))
    elsewhere = pair_item(item_id="KH-Dance-01/s3/3", video_id="vidB000002x")
    found = faults.repeated_cues([first, again, elsewhere])
    check(found, 2, "serious")
    assert found.evidence == "KH-Dance-01/s3/1, KH-Dance-01/s3/2"
    check(faults.repeated_cues([first, elsewhere]), 0, "ok")


def test_hidden_places_are_counted_only(pieces) -> None:
    item, _, _ = pieces
    hidden = item(description="Aba it is.", item_id="s1-0123456789abcdef", hidden=True, key=None)
    found = faults.names_in_descriptions([hidden])
    assert found.figure == 1
    assert found.evidence == "1 hidden"


def test_words_done_by_hand() -> None:
    assert fold("BÁNH Chưng Đỏ") == "banh chung do"
    assert content_words("The old 2024 kites, Kites!") == {"kites"}
    assert holds_name("we play wau bulan here", "Wau  Bulan")
    assert not holds_name("wau and bulan", "Wau Bulan")
    assert not holds_name("anything", "!?")
    assert holds_country("Indonesians sing", "Indonesia")
    # {a, b, c} and {b, c, d} share two of four words.
    assert word_overlap(["a b c", "b c d", ""]).tolist() == [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 0]]
