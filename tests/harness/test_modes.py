"""What is carried between stages, word for word: from S1 names, never letters; from S2 letters, never names."""

from cmb_harness.modes import Naming, Recognition, naming_context, recognition_context, s3_context
from cmb_harness.prompts import base

DESCRIPTION = "Water washes the old year away."


def test_carry_tells_s2_the_name_that_was_chosen() -> None:
    assert naming_context(base(), Naming(DESCRIPTION, "Songkran")) == (
        "Earlier you were asked to name this concept. Your answer: Songkran."
    )


def test_feedback_tells_s2_the_right_name_too() -> None:
    assert naming_context(base(), Naming(DESCRIPTION, "Songkran", "Thingyan")) == (
        "Earlier you were asked to name this concept. Your answer: Songkran. The correct answer: Thingyan."
    )


def test_a_missing_name_is_told_as_no_valid_answer() -> None:
    assert naming_context(base(), Naming(DESCRIPTION, None)).endswith("Your answer: no valid answer.")
    assert naming_context(base(), Naming(DESCRIPTION, None, "Tet")).endswith(
        "Your answer: no valid answer. The correct answer: Tet."
    )


def test_carry_tells_s3_the_letter_and_repeats_the_description() -> None:
    assert recognition_context(base(), Recognition(DESCRIPTION, 1)) == (
        "Earlier you were asked which of four moments of other videos, A to D, shows what this text describes: "
        f'"{DESCRIPTION}" Your answer: moment B.'
    )


def test_feedback_tells_s3_the_right_letter_too() -> None:
    assert recognition_context(base(), Recognition(DESCRIPTION, 1, 3)).endswith(
        "Your answer: moment B. The correct answer: moment D."
    )


def test_the_first_moment_is_an_answer() -> None:
    # Index 0 is falsy, and no "no valid answer".
    assert recognition_context(base(), Recognition(DESCRIPTION, 0, 0)).endswith(
        "Your answer: moment A. The correct answer: moment A."
    )


def test_a_missing_moment_is_told_as_no_valid_answer() -> None:
    assert recognition_context(base(), Recognition(DESCRIPTION, None)).endswith(
        "Your answer: no valid answer."
    )


def test_previous_carries_one_stage_and_all_carries_two() -> None:
    recognition, naming = Recognition(DESCRIPTION, 2), Naming(DESCRIPTION, "Songkran", "Thingyan")
    assert s3_context(base(), recognition) == recognition_context(base(), recognition)
    assert s3_context(base(), recognition, naming) == (
        "Earlier you were asked to name this concept. Your answer: Songkran. The correct answer: Thingyan. "
        f'The concept was described so: "{DESCRIPTION}"\n\n' + recognition_context(base(), recognition)
    )
