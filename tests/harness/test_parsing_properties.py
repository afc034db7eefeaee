"""What holds of every text: an answer in any template comes back, junk never raises, and layout changes nothing."""

import csv
import json
import math
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_harness.parsing import STATUSES, parse_choice, parse_span

ROOT = Path(__file__).resolve().parent.parent.parent
TEMPLATES = json.loads((ROOT / "tests/reference/parsing_templates.json").read_text("utf-8"))
CASES = [
    json.loads(line)["text"]
    for name in ("parsing.jsonl", "parsing_more.jsonl")
    for line in (ROOT / "tests/reference" / name).read_text("utf-8").splitlines()
]
with (ROOT / "cmb_harness/regions/southeast_asia_inventory.csv").open(encoding="utf-8", newline="") as file:
    NAMES = sorted({row["common_latin"] for row in csv.DictReader(file)})
LOCAL_NAMES = [
    ["สงกรานต์", "มาฆบูชา", "โขน", "มโนราห์"],
    ["ភ្ជុំបិណ្ឌ", "ចូលឆ្នាំថ្មី", "របាំអប្សរា", "មាឃបូជា"],
    ["သင်္ကြန်", "သီတင်းကျွတ်", "ချင်းလုံး", "စောင်း"],
    ["Hội Lim", "Lễ Hội Đèn Lồng Hội An", "Tết Trung Thu", "Đám Cưới"],
    ["Kulintang (ID)", "Kulintang (MY)", "Gong", "Sape'"],
]
WORDS = ("one", "two", "three", "four")
ORDINALS = ("first", "second", "third", "fourth")

indices = st.integers(0, 3)
name_sets = st.lists(st.sampled_from(NAMES), min_size=4, max_size=4, unique=True) | st.sampled_from(
    LOCAL_NAMES
)
junk = st.text(max_size=200) | st.lists(
    st.sampled_from(CASES)
    | st.text(max_size=8)
    | st.sampled_from("⟦⟧{}[]<>\"'*_`#|~\\:-–→\n 0123456789aABCDEI"),
    max_size=6,
).map("".join)
seconds = st.integers(0, 5999).map(lambda tenths: tenths / 10)


def without_marks(name: str) -> str:
    """As someone without the right keyboard types it."""
    latin = unicodedata.normalize("NFD", name.replace("đ", "d").replace("Đ", "D"))
    return "".join(char for char in latin if not "\u0300" <= char <= "\u036f")


@given(st.sampled_from(TEMPLATES["letter"]), indices)
def test_a_letter_in_any_template_comes_back(template: str, index: int) -> None:
    letter = "ABCD"[index]
    text = template.format(L=letter, l=letter.lower())
    assert parse_choice(text, ["Songkran", "Thingyan", "Pchum Ben", "Tet"]) == (index, "ok")
    assert parse_choice(text, 4) == (index, "ok")


@given(st.sampled_from(TEMPLATES["number"]), indices, st.none() | name_sets)
def test_a_number_in_any_template_comes_back(template: str, index: int, names: list[str] | None) -> None:
    text = template.format(n=index + 1, w=WORDS[index], o=ORDINALS[index])
    assert parse_choice(text, names or 4) == (index, "ok")


@given(
    st.sampled_from(TEMPLATES["name"]),
    indices,
    name_sets,
    st.sampled_from(
        [str, str.upper, str.lower, without_marks, lambda name: unicodedata.normalize("NFD", name)]
    ),
)
def test_a_name_in_any_template_and_spelling_comes_back(
    template: str, index: int, names: list[str], spell
) -> None:
    name = names[index]
    forms = {"N": spell(name), "NU": name.upper(), "Nl": name.lower(), "Nplain": without_marks(name)}
    text = template.format(**forms, Nnfd=unicodedata.normalize("NFD", name), L="ABCD"[index], n=index + 1)
    assert parse_choice(text, names) == (index, "ok")


@given(st.sampled_from(TEMPLATES["span"]), seconds, seconds)
def test_a_span_in_any_template_comes_back(template: str, start: float, end: float) -> None:
    span, status = parse_span(template.format(a=f"{start:.1f}", b=f"{end:.1f}"), 600.0)
    assert status == "ok"
    assert span == pytest.approx((start, end), abs=1e-9)


@given(junk, st.integers(-1, 30) | st.lists(st.text(max_size=12), max_size=6))
def test_junk_is_never_an_error_and_never_half_an_answer(text: str, options: int | list[str]) -> None:
    index, status = parse_choice(text, options)
    assert status in STATUSES
    assert (index is None) == (status != "ok")
    count = options if isinstance(options, int) else len(options)
    assert index is None or 0 <= index < count


@given(junk, st.none() | st.floats(0, 1e6))
def test_junk_is_no_span_that_cannot_be_written_down(text: str, duration_s: float | None) -> None:
    span, status = parse_span(text, duration_s)
    assert status in STATUSES
    assert (span is None) == (status != "ok")
    assert span is None or all(math.isfinite(value) for value in span)


@given(
    st.sampled_from(CASES),
    st.sampled_from(["A or B? So A.", "from 3 to 5 s", "\\boxed{D}", "I can't view videos."]),
)
def test_reasoning_before_an_answer_changes_nothing(text: str, thought: str) -> None:
    if "think" in text.lower() or "channel" in text or "THINKING" in text or text.startswith("analysis"):
        return
    options = ["Songkran", "Thingyan", "Pchum Ben", "Tet"]
    assert parse_choice(f"<think>\n{thought}\n</think>\n\n{text}", options) == parse_choice(text, options)
    assert parse_span(f"{thought}\n</think>\n{text}", 120.0) == parse_span(text, 120.0)


@given(st.sampled_from(CASES))
def test_how_characters_are_composed_changes_nothing(text: str) -> None:
    options = ["Songkran", "Lễ Hội Đèn Lồng", "ភ្ជុំបិណ្ឌ", "Tet"]
    decomposed = unicodedata.normalize("NFD", text)
    assert parse_choice(decomposed, options) == parse_choice(text, options)
    assert parse_span(decomposed, 120.0) == parse_span(text, 120.0)


@given(seconds, seconds, st.sampled_from("٠០๐໐၀०০０"))
def test_digits_of_any_script_are_digits(start: float, end: float, zero: str) -> None:
    local = {ord("0") + value: chr(ord(zero) + value) for value in range(10)}
    text = f"{start:.1f} - {end:.1f}".translate(local)
    assert parse_span(text, 600.0)[0] == pytest.approx((start, end), abs=1e-9)
