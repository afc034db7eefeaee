"""What is said of a valid submission: values counted by hand, and nothing of the keys but what the policy allows."""

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from cmb_harness.faults import InputError
from cmb_harness.shared_task import scoring
from cmb_harness.shared_task.asked import Asked
from cmb_harness.shared_task.key_table import keys_for
from cmb_harness.shared_task.policy import CLOSED, Policy, open_policy
from cmb_harness.shared_task.scoring import score_submission
from cmb_harness.shared_task.submission import Submission, check_submission

Lines = list[dict[str, Any]]
Read = Callable[..., Submission]


@pytest.fixture(scope="module")
def read(to_bytes: Callable[[Lines], bytes]) -> Read:
    return lambda lines, asked: check_submission(to_bytes(lines), asked)


def filled(lines: Lines, answer: Callable[[dict[str, Any]], Any]) -> Lines:
    header, *rows = lines
    return [
        header,
        *(row | {name: answer(row) for name in row if name in ("choice", "span")} for row in rows),
    ]


def by_concept(release: Any, stage: str) -> list[dict[str, Any]]:
    return sorted((row for row in release.key if row["stage"] == stage), key=lambda row: row["concept_id"])


@pytest.fixture(scope="module")
def first_right(recognition: Any, honest: Callable[..., Lines], read: Read) -> Submission:
    """Right for the first 4 of 16 concepts in S1; in S2 for 8, 10, and 12 in feedback, under the real truth alone."""
    keys = {row["item_id"]: row["answer"] for row in recognition.key}
    place = {
        row["item_id"]: i for stage in ("s1", "s2") for i, row in enumerate(by_concept(recognition, stage))
    }
    asked = recognition.asked("recognition")
    s1_of = {row["item_id"]: row["s1_item_id"] for row in asked.rows["s2"]}
    n_right = {"reset": 8, "carry": 10, "feedback": 12}

    def answer(row: dict[str, Any]) -> int:
        item_id, truth = row["item_id"], row.get("truth")
        n = 4 if item_id.startswith("s1") else n_right[row["mode"]]
        real = truth is None or truth == keys[s1_of[item_id]]
        return (keys[item_id] + (0 if real and place[item_id] < n else 1)) % 4

    return read(filled(honest(asked), answer), asked)


def test_recognition_counted_by_hand(recognition: Any, first_right: Submission) -> None:
    asked = recognition.asked("recognition")
    result = score_submission(first_right, asked, recognition.key, Policy(), dataset="small")
    assert {mode: {n: v["value"] for n, v in s.items()} for mode, s in result["scores"].items()} == {
        "reset": {"s1_accuracy": 4 / 16, "s2_accuracy": 8 / 16},
        "carry": {"s1_accuracy": 4 / 16, "s2_accuracy": 10 / 16},
        "feedback": {"s1_accuracy": 4 / 16, "s2_accuracy": 12 / 16},
    }
    assert result["n"] == {"concepts": 16}
    assert result["team"] == "Honest"
    assert "results" not in result
    assert result["signature"]["carry"] == (
        "cmb_metric:1.0.0|dataset:small|mode:carry|setting:full|context:unstated|step:0|ci:Wilson bound 95%"
    )


def test_localization_counted_by_hand(localization: Any, honest: Callable[..., Lines], read: Read) -> None:
    """All of S1 and S2 right; of each concept's first pair the true span, of the others one of half the IoU.

    Pairs by concept of a block: 1, 2, 1, 0. IoU: 1; (1 + 1/2) / 2; 1; none. mIoU = (1 + 1 + 1/2 + 1) / 4 pairs;
    Joint = (1 + 3/4 + 1 + 0) / 4 concepts.
    """
    keys = {row["item_id"]: row for row in localization.key}
    asked = {phase: localization.asked(phase) for phase in ("recognition", "localization")}
    before = {row["item_id"]: row["s1_item_id"] for row in asked["recognition"].rows["s2"]} | {
        row["item_id"]: row["s2_item_id"] for row in asked["localization"].rows["s3"]
    }

    def answer(row: dict[str, Any]) -> Any:
        key = keys[row["item_id"]]
        real = row.get("truth") in (None, keys[before[row["item_id"]]]["answer"]) if "truth" in row else True
        if key["stage"] != "s3":
            return key["answer"] if real else None
        # Pair k spans [3 + k, 9 + k].
        start_s, end_s = key["span"]
        return [start_s, end_s if start_s == 3 else start_s + 3] if real else [50.0, 51.0]

    files = {phase: read(filled(honest(asked[phase]), answer), asked[phase]) for phase in asked}
    result = score_submission(
        files["localization"],
        asked["localization"],
        localization.key,
        Policy(),
        recognition=files["recognition"],
    )
    for mode in ("reset", "carry", "feedback"):
        scores = {name: entry["value"] for name, entry in result["scores"][mode].items()}
        assert scores == pytest.approx(
            {"s1_accuracy": 1, "s2_accuracy": 1, "s3_miou": 3.5 / 4, "joint": 2.75 / 4}
        )
    assert result["n"] == {"concepts": 16, "pairs": 16}
    assert result["sha256"] == {phase: file.sha256 for phase, file in files.items()}
    # Pairs in four clusters each of 1, 2 and 1: (4 · 4)² / (4 · (1 + 4 + 1)) independent ones, fewer than 16.
    interval = proportion_confint(3.5 / 4 * 32 / 3, 32 / 3, method="wilson")
    assert result["scores"]["reset"]["s3_miou"]["interval"] == pytest.approx(interval, abs=0.001)


def test_after_the_close_everything_is_said(recognition: Any, first_right: Submission) -> None:
    result = score_submission(first_right, recognition.asked("recognition"), recognition.key, CLOSED)
    assert result["results"]["reset"]["cells"]["country"]["AA"]["s1_accuracy"]["n"] == 4
    assert result["scores"]["reset"]["c_s2"]["value"] == 1.0
    assert (
        result["scores"]["reset"]["s1_accuracy"]["interval"]
        == result["results"]["reset"]["ci"]["s1_accuracy"]
    )
    items = result["items"]["feedback"]
    assert len(items) == 32
    exact = result["baselines"]["one-to-one"]["s1_accuracy"]
    assert exact * 10 != pytest.approx(round(exact * 10))
    assert sum(item["value"] for item in items if item["stage"] == "s2") == 12


def test_while_a_phase_is_open_only_rounded_totals_are_said(
    recognition: Any, first_right: Submission
) -> None:
    result = score_submission(first_right, recognition.asked("recognition"), recognition.key, open_policy(16))
    assert result["policy"] == {
        "shown": ["s1_accuracy", "s2_accuracy", "s3_miou", "joint"],
        "step": 0.1,
        "whole": False,
        "modes": ["reset", "carry", "feedback"],
    }
    # 4/16 = 0.25 and 10/16 = 0.625
    assert result["scores"]["carry"]["s1_accuracy"]["value"] == 0.2
    assert result["scores"]["carry"]["s2_accuracy"]["value"] == 0.6
    assert not {"results", "items", "cells"} & result.keys()
    told = [v for totals in result["baselines"].values() for v in totals.values() if v != 0.25]
    assert told
    assert all(value * 10 == pytest.approx(round(value * 10)) for value in told)


def test_empty_answers_are_counted_over_the_whole_file(
    recognition: Any, honest: Callable[..., Lines], read: Read
) -> None:
    """Of S2's Feedback rows those of truth 0 are empty: which of them count depends on the keys, and is not told."""
    asked = recognition.asked("recognition")
    lines = filled(honest(asked), lambda row: None if row.get("truth") == 0 else 1)
    lines[1]["choice"] = None
    result = score_submission(read(lines, asked), asked, recognition.key, open_policy(16))
    assert result["answers"] == {"s1": {"rows": 16, "empty": 1}, "s2": {"rows": 96, "empty": 16}}


def test_a_policy_may_keep_modes_for_later(recognition: Any, first_right: Submission) -> None:
    asked = recognition.asked("recognition")
    result = score_submission(first_right, asked, recognition.key, Policy(modes=("carry",)))
    assert list(result["scores"]) == list(result["signature"]) == ["carry"]
    assert score_submission(first_right, asked, recognition.key, Policy(modes=()))["scores"] == {}


def test_the_same_file_gives_the_same_bytes(recognition: Any, first_right: Submission) -> None:
    asked = recognition.asked("recognition")
    for policy in (open_policy(16), CLOSED):
        once, again = (score_submission(first_right, asked, recognition.key, policy) for _ in range(2))
        shuffled = random.Random(1).sample(recognition.key, len(recognition.key))
        other_order = score_submission(first_right, asked, shuffled, policy)
        assert json.dumps(once) == json.dumps(again) == json.dumps(other_order)


def with_keys(release: Any, change: Callable[[dict[str, Any]], int]) -> list[dict[str, Any]]:
    key = copy.deepcopy(release.key)
    for row in key:
        if row["stage"] != "s3":
            row["answer"] = change(row)
    return key


@pytest.mark.parametrize("seed", range(2))
def test_an_open_result_tells_no_more_of_the_keys_than_its_totals(
    seed: int, recognition: Any, honest: Callable[..., Lines], read: Read
) -> None:
    """Two key tables under which a file has the same totals give the same result, empty answers and flags included."""
    asked = recognition.asked("recognition")
    generator = random.Random(seed)
    lines = filled(honest(asked), lambda row: generator.choice([0, 1, 2, 3, None]))
    submission = read(lines, asked)

    def told(key: list[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
        exact = score_submission(submission, asked, key, Policy())
        result = score_submission(submission, asked, key, open_policy(16))
        # Baselines are those of the release: every file gets the same.
        del result["baselines"]
        totals = {
            mode: {name: open_policy(16).rounded(entry["value"]) for name, entry in scores.items()}
            for mode, scores in exact["scores"].items()
        }
        return totals, result

    by_totals: dict[str, list[dict[str, Any]]] = {}
    for _ in range(30):
        totals, result = told(with_keys(recognition, lambda row: generator.randrange(4)))
        by_totals.setdefault(json.dumps(totals), []).append(result)
    compared = [results for results in by_totals.values() if len(results) > 1]
    assert compared
    assert all(result == results[0] for results in compared for result in results)


SPANS = st.one_of(
    st.none(),
    st.just([]),
    st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), min_size=2, max_size=2),
    st.lists(st.integers(-(10**30), 10**30), min_size=2, max_size=2),
)


@given(data=st.data())
def test_no_valid_file_makes_the_scorer_fail(
    data: Any, localization: Any, honest: Callable[..., Lines], read: Read
) -> None:
    """A fault that only the rows of the real truths can bring about would tell which they are."""
    spans = data.draw(st.lists(SPANS, min_size=1, max_size=7))
    choices = data.draw(st.lists(st.sampled_from([None, -1, 0, 1, 2, 3]), min_size=1, max_size=7))
    numbers = iter(range(10**6))

    def answer(row: dict[str, Any]) -> Any:
        pool = spans if "span" in row else choices
        return pool[next(numbers) % len(pool)]

    asked = {phase: localization.asked(phase) for phase in ("recognition", "localization")}
    files = {phase: read(filled(honest(asked[phase]), answer), asked[phase]) for phase in asked}
    result = score_submission(
        files["localization"],
        asked["localization"],
        localization.key,
        open_policy(16),
        recognition=files["recognition"],
    )
    assert all(0 <= scores["joint"]["value"] <= 1 for scores in result["scores"].values())
    json.dumps(result, allow_nan=False)


def test_keys_that_do_not_belong_are_refused_without_telling_them(
    localization: Any, recognition: Any
) -> None:
    asked = localization.asked("localization")
    with pytest.raises(InputError) as caught:
        keys_for([row for row in localization.key if row["stage"] != "s2"], asked, ("s1", "s2", "s3"))
    assert caught.value.faults == [
        "secrets: 16 of 48 items have no key: build the dataset of this phase with these secrets first"
    ]
    wrong = with_keys(localization, lambda row: (row["answer"] + 1) % 4)
    with pytest.raises(InputError, match="the keys of S1 are not the names that S3 states"):
        keys_for(wrong, asked, ("s1", "s2", "s3"))
    assert len(keys_for(recognition.key, recognition.asked("recognition"), ("s1", "s2"))) == 32


def test_keys_that_are_none_are_refused_without_telling_them(
    recognition: Any, first_right: Submission
) -> None:
    key = copy.deepcopy(recognition.key)
    for row in key:
        row["concept_id"] = "XX-Secret-01"
    with pytest.raises(InputError) as caught:
        score_submission(first_right, recognition.asked("recognition"), key, Policy())
    assert caught.value.faults == ["secrets: references: some rows are no usable keys: build them again"]


def test_a_recognition_file_goes_with_localization_alone(
    recognition: Any, first_right: Submission, localization: Any
) -> None:
    with pytest.raises(ValueError, match="goes with a localization file"):
        score_submission(
            first_right,
            recognition.asked("recognition"),
            recognition.key,
            CLOSED,
            recognition=first_right,
        )


def test_development_is_scored_like_the_rest(
    recognition: Any, honest: Callable[..., Lines], read: Read
) -> None:
    import cmb_metric

    asked: Asked = recognition.asked("development")
    rows = [row for stage in ("s1", "s2", "s3") for row in recognition.rows[stage]["train"]]
    result = score_submission(read(honest(asked), asked), asked, cmb_metric.references(rows), CLOSED)
    # The public records keep their options in order, and the i-th concept of a block has its key at i.
    assert result["scores"]["reset"]["s1_accuracy"]["value"] == 0.25
    assert result["scores"]["feedback"]["joint"]["value"] is not None


def test_flags_follow_from_what_is_printed(
    recognition: Any, first_right: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one-to-one test gets printed accuracies, at the upper edge of what is printed alike, and none of Feedback."""
    told: list[Any] = []
    monkeypatch.setattr(
        scoring, "one_to_one", lambda submission, asked, accuracies: told.append(accuracies) or []
    )
    asked = recognition.asked("recognition")
    score_submission(first_right, asked, recognition.key, open_policy(16))
    score_submission(first_right, asked, recognition.key, CLOSED)
    score_submission(first_right, asked, recognition.key, Policy(("s2_accuracy",), 0.1, modes=("carry",)))
    assert told[0] == pytest.approx({("s1", "reset"): 0.25, ("s2", "reset"): 0.55, ("s2", "carry"): 0.65})
    assert told[1] == {("s1", "reset"): 0.25, ("s2", "reset"): 0.5, ("s2", "carry"): 0.625}
    assert told[2] == pytest.approx({("s2", "carry"): 0.65})
