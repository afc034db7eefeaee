"""Files that were perhaps not made by answering each item for itself. A flag accuses nobody: it asks for a look."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmb_harness.prompts import STAGES
from cmb_harness.shared_task.asked import Asked, Row
from cmb_harness.shared_task.options import option_numbers
from cmb_harness.shared_task.submission import Submission

N_DRAWS = 2000
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
    submission: Submission, asked: Asked, key: Mapping[str, int], accuracies: Mapping[tuple[str, str], float]
) -> list[Flag]:
    """A flag for each stage and mode whose answers repeat an option more rarely than an honest solver's would.

    Each concept is the key of one item. So right answers never repeat an option, and a file that uses every option
    once is right about half the time without knowing anything. What is counted is the number of different options
    among the answers, against what a solver of the *printed* accuracy reaches that errs at random: the flag then
    follows from the file and the printed accuracy, and tells no more about the keys. S1, and S2 in ``reset`` and
    ``carry``: which Feedback rows count depends on the keys.

    Args:
        key: item_id → key, of S1 and S2 items. It sets the threshold (which names compete), not what is counted.
        accuracies: (stage, mode) → accuracy, rounded as it is printed plus half a step.
    """
    flags = []
    for (stage, mode), accuracy in accuracies.items():
        answers = {
            row["item_id"]: row["choice"]
            for row in submission.rows
            if asked.stage_of[row["item_id"]] == stage and row["mode"] == mode and row["choice"] is not None
        }
        rows = [row for row in asked.rows[stage] if row["item_id"] in answers]
        if not rows:
            continue
        names = option_numbers(rows)
        chosen = names[np.arange(len(rows)), [answers[row["item_id"]] for row in rows]]
        keys = np.array([key[row["item_id"]] for row in rows])
        n_right = min(len(rows), round(accuracy * len(asked.rows[stage])))
        most = honest_most_different(names, keys, n_right)
        n_different = len(np.unique(chosen))
        if n_different > most:
            flags.append(
                {
                    "flag": "one-to-one",
                    "stage": stage,
                    "mode": mode,
                    "answered": len(rows),
                    "different_options": n_different,
                    "honest_at_most": most,
                }
            )
    return flags


def honest_most_different(names: NDArray[np.int64], keys: NDArray[np.int64], n_right: int) -> int:
    """How many different options an honest solver chooses at most, but for one in a thousand.

    Args:
        names: (N, 4) number of each option, equal where options are.
        keys: (N,) the column of each key.
        n_right: how many of its answers are right, which ones being a random draw; the others are uniform over the
            three distractors.
    """
    generator = np.random.default_rng(SEED)
    n_items = len(names)
    counts = np.empty(N_DRAWS, dtype=np.int64)
    for draw in range(N_DRAWS):
        wrong = generator.permutation(n_items) >= n_right
        columns = (keys + wrong * generator.integers(1, 4, n_items)) % 4
        counts[draw] = len(np.unique(names[np.arange(n_items), columns]))
    return int(np.quantile(counts, 1 - SHARE_OF_HONEST_FLAGGED, method="higher"))


def _answer(row: Row) -> Hashable:
    span = row.get("span")
    return row.get("choice") if span is None else tuple(span)
