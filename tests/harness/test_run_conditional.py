"""Conditional files: answers under every truth, and the feedback run that they hold."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.commands.conditional import earlier_items, feedback_rows
from cmb_harness.models.interface import Answer, Question, Text
from cmb_harness.questions import Plan
from cmb_harness.run import run

NAMES = ["Songkran", "Thingyan", "Pchum Ben", "Tet"]


class Hashing:
    """A model whose answer is any function of its prompt, and of nothing else."""

    name = "hashing"
    parallel = 1
    settings: dict[str, Any] = {}  # noqa: RUF012
    needs_media: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def answer(self, question: Question) -> Answer:
        self.prompts.append(question.prompt)
        number = int(hashlib.sha256(question.prompt.encode()).hexdigest(), 16)
        if question.stage == "s3":
            return Answer(f"[{number % 20}, {20 + number % 30}]")
        # One answer in five is unusable, so that "no valid answer" is carried as well.
        return Answer("ABCD?"[number % 5])

    def shown(self, question: Question) -> list[Text]:
        return [Text(question.prompt)]

    def close(self) -> None:
        pass


def rows_of(count: int, *, hidden: bool) -> dict[str, list[dict[str, Any]]]:
    rows: dict[str, list[dict[str, Any]]] = {"s1": [], "s2": [], "s3": []}
    for number in range(count):
        key, moment, text = number % 4, (number * 3 + 1) % 4, f"description {number}"
        options = NAMES[number % 3 :] + NAMES[: number % 3]
        s1 = {"item_id": f"s1-{number}", "description": text, "options": options, "answer": key}
        s2 = {"item_id": f"s2-{number}", "s1_item_id": f"s1-{number}", "description": text, "answer": moment}
        pairs = [
            {
                "item_id": f"s3-{number}-{pair}",
                "s2_item_id": f"s2-{number}",
                "concept_name": options[key],
                "cue": f"event {pair}",
                "duration_s": 60.0,
            }
            for pair in range(number % 3)
        ]
        rows["s1"].append({**s1, "answer": None} if hidden else s1)
        rows["s2"].append({**s2, "answer": None} if hidden else s2)
        rows["s3"] += pairs
    return rows


def read(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "predictions.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("context", ["previous", "all"])
def test_the_rows_of_the_real_truths_are_a_direct_feedback_run(tmp_path: Path, context: str) -> None:
    public, hidden = rows_of(24, hidden=False), rows_of(24, hidden=True)
    direct, supposing = Hashing(), Hashing()
    run(public, direct, Plan(mode="feedback", context=context), tmp_path / "direct")
    plan = Plan(mode="feedback", context=context, all_truths=True)
    outcome = run(hidden, supposing, plan, tmp_path / "conditional")
    assert outcome.open == {}
    assert len(supposing.prompts) == 24 + 4 * 24 + 4 * 24
    keys = {row["item_id"]: row["answer"] for stage in ("s1", "s2") for row in public[stage]}
    before = earlier_items({stage: {"test": rows} for stage, rows in hidden.items()})
    chosen, left_out = feedback_rows(read(tmp_path / "conditional"), before, keys)
    assert chosen == read(tmp_path / "direct")
    assert left_out == 0
    assert set(direct.prompts) <= set(supposing.prompts)
    assert any("no valid answer" in prompt for prompt in direct.prompts)


def test_each_row_names_the_truth_that_it_supposes(tmp_path: Path) -> None:
    model = Hashing()
    run(rows_of(1, hidden=True), model, Plan(mode="feedback", all_truths=True, stages=("s2",)), tmp_path)
    assert [(row["item_id"], row.get("truth")) for row in read(tmp_path)] == [
        ("s1-0", None),
        ("s2-0", 0),
        ("s2-0", 1),
        ("s2-0", 2),
        ("s2-0", 3),
    ]
    told = [prompt.split("The correct answer: ")[1].split(".")[0] for prompt in model.prompts[1:]]
    assert told == NAMES


def test_direct_rows_beside_conditional_ones_are_not_mixed_in(tmp_path: Path) -> None:
    public = rows_of(8, hidden=False)
    run(public, Hashing(), Plan(mode="feedback"), tmp_path)
    run(public, Hashing(), Plan(mode="reset"), tmp_path)
    run(public, Hashing(), Plan(mode="feedback", all_truths=True), tmp_path)
    keys = {row["item_id"]: row["answer"] for stage in ("s1", "s2") for row in public[stage]}
    before = earlier_items({stage: {"train": rows} for stage, rows in public.items()})
    chosen, _ = feedback_rows(read(tmp_path), before, keys)
    assert len(chosen) == len({row["item_id"] for row in chosen}) == 8 + 8 + len(public["s3"])


def test_items_without_a_key_are_left_out_and_counted() -> None:
    rows = [{"item_id": "s2-0", "mode": "feedback", "choice": 0, "truth": truth} for truth in range(4)] + [
        {"item_id": "s2-1", "mode": "feedback", "choice": truth, "truth": truth} for truth in range(4)
    ]
    chosen, left_out = feedback_rows(rows, {"s2-0": "s1-0", "s2-1": "s1-1"}, {"s1-1": 2})
    assert chosen == [{"item_id": "s2-1", "mode": "feedback", "choice": 2}]
    assert left_out == 1


def test_a_name_that_is_no_option_leaves_the_item_open(tmp_path: Path) -> None:
    rows = rows_of(3, hidden=True)
    rows["s3"][0]["concept_name"] = "Vesak"
    outcome = run(rows, Hashing(), Plan(mode="feedback", all_truths=True), tmp_path)
    assert dict(outcome.open) == {"s3: its concept name is not exactly one of the s1 options": 4}
