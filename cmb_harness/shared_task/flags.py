"""Files that were perhaps not made by answering each item for itself. A flag accuses nobody: it asks for a look."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmb_harness.prompts import STAGES
from cmb_harness.shared_task.asked import Asked, Row
from cmb_harness.shared_task.options import option_numbers
from cmb_harness.shared_task.structure import matching_answers
from cmb_harness.shared_task.submission import Submission

N_DRAWS = 2000
# Draws that are held at once: some 10 MB for 300 concepts.
CHUNK = 500
SHARE_OF_HONEST_FLAGGED = 0.001
SEED = 42

Flag = dict[str, Any]


def truth_ignored(submission: Submission, asked: Asked) -> list[Flag]:
    """A flag for each stage whose Feedback rows never differ over ``truth``: it was not shown, or not looked at.

    Tells of the file alone, and so may be shown to its sender before anything is scored.
    """
    answers: dict[str, dict[str, set[Hashable]]] = {}
    for row in submission.rows:
        if row["truth"] is not None:
            item = answers.setdefault(asked.stage_of[row["item_id"]], {}).setdefault(row["item_id"], set())
            item.add(_answer(row))
    return [
        {"flag": "truth-ignored", "stage": stage, "mode": "feedback"}
        for stage in STAGES
        if stage in answers and all(len(item) == 1 for item in answers[stage].values())
    ]


def one_to_one(
    submission: Submission, asked: Asked, accuracies: Mapping[tuple[str, str], float]
) -> list[Flag]:
    """A flag for each stage and mode whose answers repeat an option more rarely than an honest solver's would.

    Each concept is the key of one item. So right answers never repeat an option, and a file that uses every option
    once is right about half the time without knowing anything. What is counted is the number of different options
    among the answers, against what a solver of the *printed* accuracy reaches that errs at random. So the flag follows
    from the file, the public option sets and the printed accuracy, and gives no key away. S1, and S2 in ``reset`` and
    ``carry``: which Feedback rows count depends on the keys.

    Args:
        accuracies: (stage, mode) → accuracy, rounded as it is printed plus half a step.
    """
    found = (
        _used_once(stage, mode, _choices(submission, asked, stage, mode), accuracy, asked)
        for (stage, mode), accuracy in accuracies.items()
    )
    return [flag for flag in found if flag is not None]


def _choices(submission: Submission, asked: Asked, stage: str, mode: str) -> dict[str, int]:
    return {
        row["item_id"]: row["choice"]
        for row in submission.rows
        if asked.stage_of[row["item_id"]] == stage and row["mode"] == mode and row["choice"] is not None
    }


def _used_once(
    stage: str, mode: str, choices: Mapping[str, int], accuracy: float, asked: Asked
) -> Flag | None:
    rows = [row for row in asked.rows[stage] if row["item_id"] in choices]
    if not rows:
        return None
    names = option_numbers(rows)
    chosen = names[np.arange(len(rows)), [choices[row["item_id"]] for row in rows]]
    # Keys as they may be: any assignment in which each concept is the key once.
    keys = matching_answers(names, np.ones(names.shape, dtype=bool), np.random.default_rng(SEED))
    n_right = min(len(rows), round(accuracy * len(asked.rows[stage])))
    counts = {
        "answered": len(rows),
        "different_options": len(np.unique(chosen)),
        "honest_at_most": honest_most_different(names, keys, n_right),
    }
    if counts["different_options"] <= counts["honest_at_most"]:
        return None
    return {"flag": "one-to-one", "stage": stage, "mode": mode, **counts}


def honest_most_different(names: NDArray[np.int64], keys: NDArray[np.int64], n_right: int) -> int:
    """How many different options an honest solver chooses at most, but for one in a thousand.

    Args:
        names: (N, 4) number of each option, equal where options are.
        keys: (N,) columns, each option the key of one item as far as that is possible.
        n_right: how many of its answers are right, which ones being a random draw; the others are uniform over the
            three distractors.
    """
    generator = np.random.default_rng(SEED)
    counts = [
        _n_different(names, keys, n_right, generator, min(CHUNK, N_DRAWS - start))
        for start in range(0, N_DRAWS, CHUNK)
    ]
    return int(np.quantile(np.concatenate(counts), 1 - SHARE_OF_HONEST_FLAGGED, method="higher"))


def _n_different(
    names: NDArray[np.int64],
    keys: NDArray[np.int64],
    n_right: int,
    generator: np.random.Generator,
    n_draws: int,
) -> NDArray[np.int64]:
    """(n_draws,) different options in each draw of an honest solver's answers."""
    n_items = len(names)
    rank = generator.random((n_draws, n_items)).argsort(axis=1)
    columns = (keys + (rank >= n_right) * generator.integers(1, 4, (n_draws, n_items))) % 4
    chosen = np.sort(names[np.arange(n_items), columns], axis=1)
    return 1 + (np.diff(chosen, axis=1) != 0).sum(axis=1)


def _answer(row: Row) -> Hashable:
    span = row.get("span")
    return row.get("choice") if span is None else tuple(span)
