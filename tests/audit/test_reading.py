"""The text for the card: its numbers are those of the findings, and its arithmetic is done by hand."""

import pytest

from cmb_harness.construction.audit import Finding, card_text
from cmb_harness.construction.audit.reading import above


def finding(check: str, where: str, figure: float | None) -> Finding:
    return Finding(check, where, "ok", figure)


def test_above() -> None:
    assert above(0.7, 0.25) == pytest.approx(0.6)
    assert above(0.86, 0.72) == pytest.approx(0.5)
    assert above(0.4, 0.5) == 0
    assert above(1.0, 1.0) == 0


def test_the_text_of_a_release_that_gives_much_away() -> None:
    text = card_text(
        [
            finding("country pattern", "s1 test", 0.5),
            finding("matching", "s1 test", 0.48),
            finding("hubs, one option each", "s1 train", 0.6),
            finding("matching, countries known", "s1 test", 0.72),
            finding("S2 from the right S1 name", "s2 test", 0.78),
            finding("one option each: solver of 70%", "s1 test", 0.88),
        ]
    )
    # (70 - 72) is below 0; (86 - 72) / 28 = 50%.
    for part in (
        "knowing which country each name belongs to gives 50%",
        "comparing the option sets of all items gives 60%",
        "doing both gives 72% of S1",
        "(x - 72) / 28",
        "70% for 0% instead of 60%",
        "86% for 50% instead of 81%",
        "gets 78% of S2",
        "70% becomes 88%",
    ):
        assert part in text


def test_the_text_of_a_release_that_gives_nothing_away() -> None:
    text = card_text(
        [finding("matching", "s1 test", 0.25), finding("S2 from the right S1 name", "s2 test", 0.25)]
    )
    assert "(x - 25) / 75" in text
    assert "50% for 33%, 70% for 60%, 86% for 81%" in text
    assert "without watching" not in text
    assert card_text([]).startswith("Picking options at random scores 25%")


def test_hidden_figures_come_before_public_ones() -> None:
    text = card_text(
        [finding("country pattern", "s1 train", 0.9), finding("country pattern", "s1 test", 0.5)]
    )
    assert "gives 50%" in text
    assert "90%" not in text
