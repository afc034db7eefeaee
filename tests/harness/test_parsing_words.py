"""The tables of words: every phrase is found as it is written, and a new one is one more word."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_harness.grammar import (
    words_answer,
    words_structure,
    words_time,
    words_unit,
    words_verdict,
)
from cmb_harness.grammar.text import fold, normal_text, read
from cmb_harness.grammar.words import numbered, one_of, skip, words

MODULES = (
    words_answer,
    words_structure,
    words_time,
    words_unit,
    words_verdict,
)
TABLES = {
    f"{module.__name__.rpartition('_')[2]}.{name}": table
    for module in MODULES
    for name, table in vars(module).items()
    if name.isupper() and isinstance(table, dict)
}


@pytest.mark.parametrize("name", TABLES)
def test_every_phrase_of_a_table_is_matched_whole(name: str) -> None:
    pattern = re.compile(one_of(TABLES[name]))
    for phrase in words(TABLES[name]):
        found = pattern.match(f"{phrase} ")
        assert found is not None, phrase
        assert found[0] == phrase


@pytest.mark.parametrize("name", TABLES)
def test_no_line_says_a_phrase_twice(name: str) -> None:
    for language, line in TABLES[name].items():
        counts = Counter(filter(None, line.split("|")))
        assert [phrase for phrase, count in counts.items() if count > 1] == [], language


def test_the_longest_phrase_is_matched() -> None:
    pattern = re.compile(one_of({"en": "answer|answer choice"}, {"vi": "đáp án"}))
    assert pattern.match("answer choice c")[0] == "answer choice"
    assert pattern.match("answer chosen")[0] == "answer"
    assert pattern.match("dap an")[0] == "dap an"


def test_words_of_spaced_scripts_are_whole_words() -> None:
    pattern = re.compile(one_of({"en": "no", "th": "คือ", "ru": "не"}))
    assert [found[0] for found in pattern.finditer("no, nothing, piano; คำตอบคือc; не небо")] == [
        "no",
        "คือ",
        "не",
    ]
    assert re.match(one_of({"en": "s"}, glued=True), "s")
    assert re.search(one_of({"en": "s"}, glued=True), "12s")
    assert not re.search(one_of({"en": "s"}), "12s")


def test_lines_that_count_are_numbered_from_one() -> None:
    assert numbered({"en": "one|two", "vi": "một||ba"}) == {"one": 1, "two": 2, "mot": 1, "ba": 3}


def test_skipping_goes_on_while_something_matches() -> None:
    blank, word = re.compile(" "), re.compile("the|is")
    assert skip("is the c", 0, blank, word) == 7
    assert skip("is the c", 0, blank, word, most=2) == 3
    assert skip("c", 0, blank, word) == 0


@given(st.text())
def test_folding_keeps_every_place(text: str) -> None:
    normal = normal_text(text)
    assert len(fold(normal)) == len(normal)
    assert fold(fold(normal)) == fold(normal)


@given(st.text())
def test_normal_text_is_normal(text: str) -> None:
    normal = normal_text(text)
    assert normal_text(normal) == normal
    assert not set(normal) & set("\u200b\ufeff\u00ad\r⟦⟧")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Ｃ．", "c."),
        ("Đáp Án", "dap an"),
        ("Lễ\u200b Hội", "le hoi"),
        ("e\u0302\u0301", "e"),
        ("៣ ๓ ၃ ٣ ໓", "3 3 3 3 3"),
        ("Ⓒ ③ 𝐂 🅱", "c 3 c b"),
        ("İstanbul Straße", "istanbul strasse"),
        ("1\u202f234", "1234"),
        ("Sape’", "sape'"),
        ("ន\u17b6ទី", "ន\u17b6ទី"),
    ],
)
def test_spellings_fold_to_one(text: str, plain: str) -> None:
    assert read(normal_text(text)).plain == plain


def test_stacked_accents_are_cut_and_composed() -> None:
    # Eight marks are kept: the first composes with the letter, the others are no letter of any language.
    assert normal_text("e" + "\u0301" * 5000) == "é"
    assert len(normal_text("ន" + "\u17b6" * 5000)) <= 5001
