"""Flags fire on what they are for and stay quiet on honest files, good and bad."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cmb_harness.shared_task.asked import Asked
from cmb_harness.shared_task.flags import honest_most_different, one_to_one, truth_ignored
from cmb_harness.shared_task.options import option_numbers
from cmb_harness.shared_task.structure import matching_answers
from cmb_harness.shared_task.submission import Submission, check_submission

Lines = list[dict[str, Any]]
N = 200


def flagged_stages(flags: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(flag["stage"], flag["flag"]) for flag in flags]


@pytest.mark.parametrize("phase", ["recognition", "localization"])
def test_feedback_that_never_differs_over_truth_is_flagged(
    phase: str, localization: Any, honest: Callable[..., Lines], to_bytes: Callable[[Lines], bytes]
) -> None:
    asked = localization.asked(phase)
    lines = honest(asked)
    stage = "s2" if phase == "recognition" else "s3"
    assert flagged_stages(truth_ignored(check_submission(to_bytes(lines), asked), asked)) == [
        (stage, "truth-ignored")
    ]
    # One row that differs is enough: a strong model is not to be flagged for being sure of itself.
    lines[-1] |= {"choice": 2} if stage == "s2" else {"span": None}
    assert truth_ignored(check_submission(to_bytes(lines), asked), asked) == []
    assert (
        truth_ignored(check_submission(to_bytes(honest(asked, modes=["reset", "carry"])), asked), asked) == []
    )


def large_release(seed: int) -> tuple[Asked, dict[str, int]]:
    """200 S1 items whose distractors are other items' keys at random, and S2 items alike; with the keys."""
    generator = random.Random(seed)
    rows: dict[str, Lines] = {"s1": [], "s2": [], "s3": []}
    key = {}
    for i in range(N):
        options = generator.sample([j for j in range(N) if j != i], 3)
        options.insert(generator.randrange(4), i)
        key[f"s1-{i}"] = key[f"s2-{i}"] = options.index(i)
        rows["s1"].append({"item_id": f"s1-{i}", "options": [f"Name {j}" for j in options]})
        moments = [{"video_id": f"A{j}", "start_s": 1.0, "end_s": 2.0} for j in options]
        rows["s2"].append({"item_id": f"s2-{i}", "s1_item_id": f"s1-{i}", "options": moments})
    return Asked("recognition", rows, ("s1", "s2"), frozenset()), key


def submission_of(answers: dict[str, int], stage: str) -> Submission:
    rows = [
        {"item_id": item_id, "mode": "reset", "truth": None, "choice": choice}
        for item_id, choice in answers.items()
        if item_id.startswith(stage)
    ]
    return Submission("recognition", rows, ("reset",), None, None, None, "")


def flags_of(asked: Asked, key: dict[str, int], answers: dict[str, int], stage: str) -> list[dict[str, Any]]:
    own = [item_id for item_id in answers if item_id.startswith(stage)]
    accuracy = sum(answers[item_id] == key[item_id] for item_id in own) / N
    printed = min(1.0, round(accuracy / 0.02) * 0.02 + 0.01)
    return one_to_one(submission_of(answers, stage), asked, {(stage, "reset"): printed})


@pytest.mark.parametrize("stage", ["s1", "s2"])
@pytest.mark.parametrize("seed", range(3))
def test_a_matching_is_flagged_though_it_is_right_as_often_as_many_a_model(stage: str, seed: int) -> None:
    asked, key = large_release(seed)
    names = option_numbers(asked.rows[stage])
    answers = matching_answers(names, np.ones(names.shape, dtype=bool), np.random.default_rng(seed))
    assert len(np.unique(names[np.arange(N), answers])) == N
    matched = {row["item_id"]: int(a) for row, a in zip(asked.rows[stage], answers, strict=True)}
    (flag,) = flags_of(asked, key, matched, stage)
    assert (flag["flag"], flag["stage"], flag["different_options"]) == ("one-to-one", stage, N)


@pytest.mark.parametrize("accuracy", [0.0, 0.25, 0.5, 0.7, 0.9, 0.98, 1.0])
def test_honest_solvers_of_any_accuracy_are_not(accuracy: float) -> None:
    for seed in range(10):
        asked, key = large_release(seed)
        generator = random.Random(seed)
        answers = {
            item_id: choice if generator.random() < accuracy else (choice + generator.randrange(1, 4)) % 4
            for item_id, choice in key.items()
        }
        assert flags_of(asked, key, answers, "s1") == []


def test_unanswered_items_are_no_repetition() -> None:
    asked, key = large_release(0)
    answers = dict(list(key.items())[:20])
    assert flags_of(asked, key, answers, "s1") == []
    assert flags_of(asked, key, {}, "s1") == []


def test_how_many_different_options_an_honest_solver_has() -> None:
    # Four items that share one option set, keys 0 to 3. All right: 4 different. All wrong: uniform derangement-like
    # draws over 3 options each, of which some hit all four, so that no file can be flagged.
    names = np.tile(np.arange(4), (4, 1))
    assert honest_most_different(names, np.arange(4), 4) == 4
    assert honest_most_different(names, np.arange(4), 0) == 4
    # With three right the fourth must repeat one of theirs.
    assert honest_most_different(names, np.arange(4), 3) == 3
