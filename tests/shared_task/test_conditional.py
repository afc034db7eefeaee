"""Conditional files: the rows of the real truths, and nothing else, make the Feedback score."""

from collections.abc import Callable
from typing import Any

import pytest

import cmb_metric
from cmb_harness.shared_task.conditional import real_rows, truth_of_naming
from cmb_harness.shared_task.key_table import earlier_items
from cmb_harness.shared_task.policy import CLOSED
from cmb_harness.shared_task.scoring import score_submission
from cmb_harness.shared_task.submission import check_submission

Lines = list[dict[str, Any]]
MODES = ("reset", "carry", "feedback")


def test_the_name_that_s3_states_tells_the_key_of_s1(localization: Any) -> None:
    asked = localization.asked("localization")
    key = {row["item_id"]: row for row in localization.key}
    options = {row["item_id"]: row["options"] for row in asked.rows["s1"]}
    before = earlier_items(asked)
    for row in asked.rows["s3"]:
        s1_id = before[before[row["item_id"]]]
        assert truth_of_naming(options[s1_id], row["concept_name"]) == key[s1_id]["answer"]
        assert key[s1_id]["concept_id"] == key[row["item_id"]]["concept_id"]


@pytest.mark.parametrize("options", [["b", "c", "d", "e"], ["a", "a", "b", "c"], []])
def test_a_name_that_is_not_one_option_tells_nothing(options: list[str]) -> None:
    with pytest.raises(ValueError, match="expected exactly once"):
        truth_of_naming(options, "a")


def test_the_rows_of_the_real_truth_are_taken() -> None:
    rows = [
        {"item_id": "s1", "mode": "reset", "truth": None},
        *({"item_id": "s2", "mode": mode, "truth": None} for mode in ("reset", "carry")),
        *({"item_id": "s2", "mode": "feedback", "truth": truth} for truth in range(4)),
        *({"item_id": "s3", "mode": "feedback", "truth": truth} for truth in range(4)),
    ]
    before, answers = {"s2": "s1", "s3": "s2"}, {"s1": 2, "s2": 0}

    def taken(mode: str) -> list[tuple[str, Any]]:
        return [(row["item_id"], row["truth"]) for row in real_rows(rows, mode, before, answers)]

    assert taken("reset") == [("s1", None), ("s2", None)]
    assert taken("carry") == [("s1", None), ("s2", None)]
    assert taken("feedback") == [("s1", None), ("s2", 2), ("s3", 0)]


def test_each_mode_scores_as_a_direct_run_would(
    localization: Any, honest: Callable[..., Lines], to_bytes: Callable[[Lines], bytes]
) -> None:
    """A direct run is what the metric makes of one row an item, chosen here by hand from the keys."""
    key = {row["item_id"]: row for row in localization.key}
    asked = {phase: localization.asked(phase) for phase in ("recognition", "localization")}
    before = earlier_items(asked["localization"])
    direct: dict[str, Lines] = {mode: [] for mode in MODES}
    files = {}
    for phase in asked:
        header, *rows = honest(asked[phase])
        for number, row in enumerate(rows):
            # Answers that differ over item, mode and truth.
            mark = (number * 7 + 3 * MODES.index(row["mode"]) + (row.get("truth") or 0)) % 5
            row |= {"choice": mark % 4} if "choice" in row else {"span": [3.0 - mark, 9.0 + mark / 2]}
            stage = row["item_id"][:2]
            real = stage == "s1" or row.get("truth") in (None, key[before[row["item_id"]]]["answer"])
            for mode in MODES if real else ():
                if stage == "s1" or row["mode"] == mode:
                    direct[mode].append(row)
        files[phase] = check_submission(to_bytes([header, *rows]), asked[phase])
    result = score_submission(
        files["localization"],
        asked["localization"],
        localization.key,
        CLOSED,
        recognition=files["recognition"],
    )
    for mode in MODES:
        assert len(direct[mode]) == len(key)
        expected = cmb_metric.score(direct[mode], localization.key, mode=mode)
        signature = result["results"][mode].pop("signature")
        assert f"|mode:{mode}|" in signature
        del expected["signature"]
        assert result["results"][mode] == expected
    scores = {mode: result["scores"][mode]["s2_accuracy"]["value"] for mode in MODES}
    assert len(set(scores.values())) > 1
