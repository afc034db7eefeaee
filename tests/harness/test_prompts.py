"""Prompts: the exact texts, and folders of templates of one's own."""

import hashlib
from pathlib import Path

import pytest

from cmb_harness.faults import InputError
from cmb_harness.prompts import PLACES, Prompts, base, read_prompts

NAMES = ("Songkran", "Thingyan", "Pchum Ben", "Tet")


def test_s1_letters_the_names_in_their_order() -> None:
    assert base().s1("Water washes the old year away.", NAMES) == (
        "The text below says what a cultural concept symbolizes. Which of the four names is the concept's?\n"
        "\n"
        "Description: Water washes the old year away.\n"
        "\n"
        "A. Songkran\n"
        "B. Thingyan\n"
        "C. Pchum Ben\n"
        "D. Tet\n"
        "\n"
        "Answer with one letter: A, B, C or D."
    )


def test_s2_without_context_begins_with_the_question() -> None:
    assert base().s2("Water washes the old year away.") == (
        "The text below says what a cultural concept symbolizes. Four video moments are shown, A, B, C and D, in this "
        "order. Which of them shows the concept?\n"
        "\n"
        "Description: Water washes the old year away.\n"
        "\n"
        "Answer with one letter: A, B, C or D."
    )


def test_context_is_a_paragraph_of_its_own() -> None:
    assert base().s2("d", "Earlier.").startswith("Earlier.\n\nThe text below")


@pytest.mark.parametrize(
    ("duration_s", "told"),
    [(312.0, " It lasts 312 seconds."), (None, ""), (29.97, " It lasts 29.97 seconds.")],
)
def test_s3_tells_the_length_where_it_is_known(duration_s: float | None, told: str) -> None:
    assert base().s3("Songkran", "water is poured", duration_s) == (
        f'The video shows the cultural concept "Songkran".{told} When in the video does the following happen?\n'
        "\n"
        "Event: water is poured\n"
        "\n"
        "Answer with the start and the end in seconds from the beginning of the video, as [start, end]."
    )


def test_a_dollar_in_a_text_stays_one() -> None:
    assert "costs $5 and $answer" in base().s2("costs $5 and $answer")


def test_the_version_is_a_hash_of_every_template() -> None:
    texts = dict(base().texts)
    joined = "\0".join(f"{name}\0{texts[name]}" for name in sorted(PLACES))
    assert base().version == "base-" + hashlib.sha256(joined.encode()).hexdigest()[:8]
    for name in PLACES:
        assert Prompts("base", {**texts, name: texts[name] + "!"}).version != base().version


def test_a_folder_replaces_the_templates_that_it_holds(tmp_path: Path) -> None:
    folder = tmp_path / "short"
    folder.mkdir()
    (folder / "s1.txt").write_bytes("\ufeff$description\r\n$options\r\n".encode())
    prompts = read_prompts(folder)
    assert prompts.s1("d", NAMES) == "d\nA. Songkran\nB. Thingyan\nC. Pchum Ben\nD. Tet"
    assert prompts.texts["s2"] == base().texts["s2"]
    assert prompts.version.startswith("short-")


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("s1.txt", b"$description", r"s1\.txt: \$options: this place is missing"),
        ("s1.txt", b"$description $options $answer", r"s1\.txt: \$answer: not a place"),
        ("s1.txt", b"$description $options costs 5 $", r"s1\.txt: a \$ begins no place"),
        ("s1.txt", b"\xff$description", r"s1\.txt: byte 0: not UTF-8"),
        ("stage1.txt", b"hello", r"stage1\.txt: no template has this name"),
        ("readme.md", b"hello", r"holds no prompt template"),
    ],
)
def test_a_wrong_template_is_told(tmp_path: Path, name: str, text: bytes, fault: str) -> None:
    (tmp_path / name).write_bytes(text)
    with pytest.raises(InputError, match=fault):
        read_prompts(tmp_path)


def test_all_faults_of_a_folder_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "s1.txt").write_text("$description")
    (tmp_path / "s3.txt").write_text("$cue")
    with pytest.raises(InputError) as caught:
        read_prompts(tmp_path)
    assert len(caught.value.faults) == 3
