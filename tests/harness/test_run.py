"""The runner: what is asked, what is carried, what is kept, and what stays open."""

import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from cmb_harness import workers
from cmb_harness.faults import InputError
from cmb_harness.models.interface import Answer, Question, Text, TransportError
from cmb_harness.models.retry import Retries
from cmb_harness.prompts import read_prompts
from cmb_harness.questions import Plan
from cmb_harness.raw import read_raw
from cmb_harness.run import DEAD_AFTER, Event, run

NAMES = ["Songkran", "Thingyan", "Pchum Ben", "Tet"]
PATIENT = Retries(first_wait_s=0.001)


def rows_of(*concepts: str, hidden: bool = False) -> dict[str, list[dict[str, Any]]]:
    """Rows of the built dataset: three a concept; the right name is Thingyan, the right moment C, the span [4, 8]."""
    rows: dict[str, list[dict[str, Any]]] = {"s1": [], "s2": [], "s3": []}
    for concept in concepts:
        description = f"What {concept} stands for."
        moments = [{"video_id": f"{concept}-{index}", "start_s": 90.0, "end_s": 95.0} for index in range(4)]
        common = {"category": "Celebration"}
        rows["s1"].append(
            {"item_id": f"{concept}/s1", "description": description, "options": NAMES, "answer": 1, **common}
        )
        rows["s2"].append(
            {
                "item_id": f"{concept}/s2",
                "s1_item_id": f"{concept}/s1",
                "description": description,
                "options": moments,
                "answer": 2,
                **common,
            }
        )
        rows["s3"].append(
            {
                "item_id": f"{concept}/s3/1",
                "s2_item_id": f"{concept}/s2",
                "concept_name": "Thingyan",
                "cue": "water is poured",
                "video_id": "video-B-1234",
                "duration_s": 60.0,
                "span": [4.0, 8.0],
                **common,
            }
        )
    if hidden:
        for stage in rows:
            rows[stage] = [{**row, "answer": None, "span": None} for row in rows[stage]]
    return rows


class Scripted:
    """A model that answers by a function, needs no media, and remembers what it was asked."""

    parallel = 1
    needs_media: frozenset[str] = frozenset()

    def __init__(
        self, answer: Callable[[Question], str | Exception], name: str = "scripted", **settings: Any
    ):
        self.name = name
        self.settings: Mapping[str, Any] = settings
        self.asked: list[Question] = []
        self._answer = answer
        self._lock = threading.Lock()

    def answer(self, question: Question) -> Answer:
        with self._lock:
            self.asked.append(question)
        said = self._answer(question)
        if isinstance(said, Exception):
            raise said
        return Answer(said, {"input_tokens": 10, "output_tokens": 1})

    def shown(self, question: Question) -> list[Text]:
        return [Text(question.prompt)]

    def close(self) -> None:
        pass

    def prompt(self, item_id: str) -> str:
        return next(question.prompt for question in self.asked if question.item_id == item_id)


def right(question: Question) -> str:
    return {"s1": "B", "s2": "C", "s3": "[4, 8]"}[question.stage]


def predictions(out: Path) -> dict[tuple[str, str], dict[str, Any]]:
    lines = (out / "predictions.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return {(row["item_id"], row["mode"]): row for row in rows}


def manifest(out: Path) -> dict[str, Any]:
    return json.loads((out / "manifest.json").read_text("utf-8"))  # type: ignore[no-any-return]


def test_reset_asks_each_item_once_and_shows_nothing_of_earlier_stages(tmp_path: Path) -> None:
    model = Scripted(right)
    outcome = run(rows_of("a", "b"), model, Plan(), tmp_path)
    assert (outcome.answered, outcome.reused, outcome.open) == (6, 0, {})
    assert not any("Earlier" in question.prompt for question in model.asked)
    found = predictions(tmp_path)
    assert {row["mode"] for row in found.values()} == {"reset"}
    assert found["a/s1", "reset"]["choice"] == 1
    assert found["a/s2", "reset"]["choice"] == 2
    assert found["b/s3/1", "reset"]["span"] == [4.0, 8.0]


def test_carry_asks_s1_first_and_files_it_as_reset(tmp_path: Path) -> None:
    model = Scripted(lambda question: {"s1": "D", "s2": "A", "s3": "[1, 2]"}[question.stage])
    run(rows_of("a"), model, Plan(mode="carry", stages=("s3",)), tmp_path)
    assert [question.stage for question in model.asked] == ["s1", "s2", "s3"]
    assert set(predictions(tmp_path)) == {("a/s1", "reset"), ("a/s2", "carry"), ("a/s3/1", "carry")}
    assert model.prompt("a/s2").startswith(
        "Earlier you were asked to name this concept. Your answer: Tet.\n\n"
    )
    assert model.prompt("a/s3/1").startswith(
        "Earlier you were asked which of four moments of other videos, A to D, shows what this text describes: "
        '"What a stands for." Your answer: moment A.\n\n'
    )


def test_feedback_tells_the_truth_of_the_stage_before(tmp_path: Path) -> None:
    model = Scripted(lambda question: {"s1": "D", "s2": "A", "s3": "[1, 2]"}[question.stage])
    run(rows_of("a"), model, Plan(mode="feedback"), tmp_path)
    assert "Your answer: Tet. The correct answer: Thingyan.\n" in model.prompt("a/s2")
    assert "Your answer: moment A. The correct answer: moment C.\n" in model.prompt("a/s3/1")


def test_context_all_carries_the_name_to_s3_as_well(tmp_path: Path) -> None:
    model = Scripted(right)
    run(rows_of("a"), model, Plan(mode="carry", context="all"), tmp_path)
    assert model.prompt("a/s3/1").startswith(
        "Earlier you were asked to name this concept. Your answer: Thingyan."
    )


def test_no_prompt_holds_an_id_a_second_or_the_right_moments_video(tmp_path: Path) -> None:
    model = Scripted(right)
    for mode in ("reset", "carry", "feedback"):
        run(rows_of("a"), model, Plan(mode=mode, context="all"), tmp_path / mode)
    shown = "\n".join(question.prompt for question in model.asked)
    for secret in ("/s1", "/s2", "/s3", "video-B", "a-0", "a-2", "90", "95"):
        assert secret not in shown


@pytest.mark.parametrize("text", ["I cannot help with that.", "", "E", "A or B"])
def test_what_is_no_usable_answer_is_carried_as_no_valid_answer(tmp_path: Path, text: str) -> None:
    model = Scripted(lambda question: text if question.stage == "s1" else right(question))
    outcome = run(rows_of("a"), model, Plan(mode="carry"), tmp_path)
    assert outcome.answered == 3
    assert "Your answer: no valid answer." in model.prompt("a/s2")
    assert predictions(tmp_path)["a/s1", "reset"]["choice"] is None
    # It is an answer: asked once, kept, scored as wrong.
    assert sum(question.stage == "s1" for question in model.asked) == 1


@pytest.mark.parametrize("failing", ["s1", "s2"])
def test_a_chain_never_goes_on_from_a_stage_without_an_answer(tmp_path: Path, failing: str) -> None:
    model = Scripted(lambda q: TransportError("500: oh") if q.stage == failing else right(q))
    outcome = run(rows_of("a", "b"), model, Plan(mode="carry"), tmp_path, retries=PATIENT)
    assert {question.stage for question in model.asked} == ({"s1"} if failing == "s1" else {"s1", "s2"})
    assert outcome.open[f"{failing}: no answer came: 500"] == 2
    assert outcome.open["s3: its s2 item is open"] == 2
    assert not any(row["choice"] is None for row in predictions(tmp_path).values() if "choice" in row)
    # A later run takes them up, and asks nothing again.
    later = Scripted(right)
    outcome = run(rows_of("a", "b"), later, Plan(mode="carry"), tmp_path)
    assert outcome.open == {}
    assert len(later.asked) == (6 if failing == "s1" else 4)
    assert len(predictions(tmp_path)) == 6


def test_open_items_are_listed_with_their_reason(tmp_path: Path) -> None:
    model = Scripted(lambda q: TransportError("413: too long", final=True) if q.stage == "s3" else right(q))
    run(rows_of("a"), model, Plan(), tmp_path)
    assert manifest(tmp_path)["open_items"] == [
        {
            "item_id": "a/s3/1",
            "mode": "reset",
            "setting": "full",
            "variant": "common_latin",
            "stage": "s3",
            "reason": "no answer came: 413: too long",
        }
    ]


def test_transport_errors_are_asked_again_and_refusals_are_not(tmp_path: Path) -> None:
    tries: dict[str, int] = {}

    def answer(question: Question) -> str | Exception:
        tries[question.stage] = tries.get(question.stage, 0) + 1
        if question.stage == "s1":
            return "I'm sorry, but I can't answer that."
        return TransportError("429: slow down", retry_after_s=0.001) if tries["s2"] < 3 else right(question)

    outcome = run({**rows_of("a"), "s3": []}, Scripted(answer), Plan(), tmp_path, retries=PATIENT)
    assert tries == {"s1": 1, "s2": 3}
    assert (outcome.retried, outcome.open) == (2, {})


def test_a_final_failure_is_not_asked_again(tmp_path: Path) -> None:
    model = Scripted(lambda question: TransportError("413: too long", final=True))
    outcome = run({"s1": rows_of("a")["s1"]}, model, Plan(stages=("s1",)), tmp_path)
    assert (len(model.asked), outcome.open.total()) == (1, 1)


def test_a_server_that_is_down_is_left_alone(tmp_path: Path) -> None:
    model = Scripted(lambda question: TransportError("connection: refused"))
    concepts = [f"c{number}" for number in range(DEAD_AFTER + 15)]
    outcome = run(
        {"s1": rows_of(*concepts)["s1"]}, model, Plan(stages=("s1",)), tmp_path, retries=Retries(attempts=1)
    )
    assert len(model.asked) == DEAD_AFTER
    assert outcome.open[f"s1: not asked, since {DEAD_AFTER} items in a row got no answer"] == 15


def test_one_good_answer_shows_that_the_server_lives(tmp_path: Path) -> None:
    concepts = [f"c{number}" for number in range(40)]
    fails = lambda question: int(question.item_id[1:].split("/")[0]) % 5  # noqa: E731
    model = Scripted(lambda question: TransportError("500: oh") if fails(question) else "B")
    run({"s1": rows_of(*concepts)["s1"]}, model, Plan(stages=("s1",)), tmp_path, retries=Retries(attempts=1))
    assert len(model.asked) == 40


def test_resuming_asks_nothing_that_is_answered(tmp_path: Path) -> None:
    run({"s1": rows_of("a")["s1"]}, Scripted(right), Plan(stages=("s1",)), tmp_path)
    model = Scripted(right)
    outcome = run(rows_of("a", "b"), model, Plan(), tmp_path)
    assert (outcome.reused, outcome.answered) == (1, 5)
    assert "a/s1" not in {question.item_id for question in model.asked}


def test_a_run_that_was_killed_goes_on_from_a_torn_line(tmp_path: Path) -> None:
    run(rows_of("a", "b"), Scripted(right), Plan(), tmp_path)
    whole = predictions(tmp_path)
    raw = tmp_path / "raw.jsonl"
    raw.write_bytes(raw.read_bytes()[:-20])
    (tmp_path / "predictions.jsonl").unlink()
    model = Scripted(right)
    assert run(rows_of("a", "b"), model, Plan(), tmp_path).answered == 1
    assert predictions(tmp_path) == whole


def test_all_modes_share_a_folder_and_s1(tmp_path: Path) -> None:
    model = Scripted(right)
    for mode in ("reset", "carry", "feedback"):
        run(rows_of("a"), model, Plan(mode=mode), tmp_path)
    assert len(model.asked) == 7
    assert len(predictions(tmp_path)) == 7
    assert [session["plan"]["mode"] for session in manifest(tmp_path)["sessions"]] == [
        "reset",
        "carry",
        "feedback",
    ]


@pytest.mark.parametrize("change", ["settings", "prompts", "description", "options"])
def test_a_changed_question_never_gets_an_old_answer(tmp_path: Path, change: str) -> None:
    out = tmp_path / "run"
    rows = {"s1": rows_of("a")["s1"]}
    run(rows, Scripted(lambda question: "A", fps=1), Plan(stages=("s1",)), out)
    plan, fps = Plan(stages=("s1",)), 1
    if change == "settings":
        fps = 2
    elif change == "prompts":
        (tmp_path / "s1.txt").write_text("Which one?\n$description\n$options")
        plan = Plan(stages=("s1",), prompts=read_prompts(tmp_path))
    elif change == "description":
        rows["s1"][0]["description"] = "Something else."
    else:
        rows["s1"][0]["options"] = NAMES[::-1]
    model = Scripted(lambda question: "B", fps=fps)
    assert run(rows, model, plan, out).answered == 1
    assert predictions(out)["a/s1", "reset"]["choice"] == 1


def test_an_old_answer_does_not_stand_in_for_one_that_did_not_come(tmp_path: Path) -> None:
    rows = {"s1": rows_of("a", "b")["s1"]}
    plan = Plan(stages=("s1",))
    run(rows, Scripted(right), plan, tmp_path)
    rows["s1"][0]["description"] = "Something else."
    run(rows, Scripted(lambda question: TransportError("500: oh", final=True)), plan, tmp_path)
    assert set(predictions(tmp_path)) == {("b/s1", "reset")}


def test_other_settings_do_not_count_beside_the_new_ones_and_come_back_with_them(tmp_path: Path) -> None:
    rows, plan = {"s1": rows_of("a", "b")["s1"]}, Plan(stages=("s1",))
    run(rows, Scripted(lambda question: "A", fps=1), plan, tmp_path)
    run({"s1": rows["s1"][:1]}, Scripted(lambda question: "B", fps=2), plan, tmp_path)
    assert {key: row["choice"] for key, row in predictions(tmp_path).items()} == {("a/s1", "reset"): 1}
    back = Scripted(right, fps=1)
    assert run(rows, back, plan, tmp_path).reused == 2
    assert back.asked == []
    assert [row["choice"] for row in predictions(tmp_path).values()] == [0, 0]


def test_a_changed_s1_answer_changes_what_is_carried(tmp_path: Path) -> None:
    rows = rows_of("a")
    run(rows, Scripted(right), Plan(mode="carry"), tmp_path)
    rows["s1"][0]["options"] = ["Songkran", "Water Festival", "Pchum Ben", "Tet"]
    model = Scripted(right)
    run(rows, model, Plan(mode="carry"), tmp_path)
    # S3 carries S2's letter, which is the same: its question has not changed.
    assert [question.stage for question in model.asked] == ["s1", "s2"]
    assert "Your answer: Water Festival." in model.prompt("a/s2")


def test_a_folder_holds_one_model(tmp_path: Path) -> None:
    run(rows_of("a"), Scripted(right, name="one"), Plan(), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(InputError, match="holds the answers of one: one folder a model"):
        run(rows_of("a"), Scripted(right, name="two"), Plan(), tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_feedback_on_hidden_items_stays_open_and_says_why(tmp_path: Path) -> None:
    model = Scripted(right)
    outcome = run(rows_of("a", hidden=True), model, Plan(mode="feedback"), tmp_path)
    assert outcome.answered == 1
    assert dict(outcome.open) == {
        "s2: feedback needs the key of its earlier stage, which is hidden (see --truth all)": 1,
        "s3: its s2 item is open": 1,
    }


def test_reset_and_carry_need_no_keys(tmp_path: Path) -> None:
    for mode in ("reset", "carry"):
        outcome = run(rows_of("a", hidden=True), Scripted(right), Plan(mode=mode), tmp_path)
        assert outcome.open == {}


def test_a_name_variant_is_shown_and_filed_apart(tmp_path: Path) -> None:
    rows = rows_of("a", "b")
    local = ["สงกรานต์", "သင်္ကြန်", "ភ្ជុំបិណ្ឌ", "Tết"]
    rows["s1"][0]["options_common_local"] = local
    rows["s1"][1]["options_common_local"] = [*local[:3], None]
    rows["s3"][0]["concept_name_common_local"] = "သင်္ကြန်"
    model = Scripted(right)
    outcome = run(rows, model, Plan(mode="carry", variant="common_local"), tmp_path)
    assert "B. သင်္ကြန်" in model.prompt("a/s1")
    assert "Your answer: သင်္ကြန်." in model.prompt("a/s2")
    assert 'concept "သင်္ကြန်"' in model.prompt("a/s3/1")
    assert outcome.open["s1: no common_local names"] == 1
    assert {row["variant"] for row in predictions(tmp_path).values()} == {"common_local"}


def test_answers_are_the_same_whatever_the_number_of_workers(tmp_path: Path) -> None:
    concepts = [f"c{number}" for number in range(30)]
    answer = lambda q: "ABCD"[len(q.item_id) % 4] if q.stage != "s3" else "[1, 2]"  # noqa: E731
    for parallel in (1, 7):
        out = tmp_path / str(parallel)
        run(rows_of(*concepts), Scripted(answer), Plan(mode="carry"), out, parallel=parallel)
    one, seven = ((tmp_path / name / "predictions.jsonl").read_bytes() for name in ("1", "7"))
    assert one == seven


def test_workers_ask_at_once_and_no_more_than_so_many(tmp_path: Path) -> None:
    together = threading.Barrier(3)
    counting = threading.Lock()
    now, most = 0, 0

    def answer(question: Question) -> str:
        nonlocal now, most
        with counting:
            now += 1
            most = max(most, now)
        together.wait(10)
        with counting:
            now -= 1
        return "B"

    concepts = [f"c{number}" for number in range(9)]
    run({"s1": rows_of(*concepts)["s1"]}, Scripted(answer), Plan(stages=("s1",)), tmp_path, parallel=3)
    assert most == 3


def test_a_model_that_can_answer_nothing_stops_the_run_and_keeps_what_is_there(tmp_path: Path) -> None:
    def answer(question: Question) -> str | Exception:
        return (
            "B"
            if question.item_id == "c0/s1"
            else InputError("the server refuses every question: 401: no key")
        )

    concepts = [f"c{number}" for number in range(30)]
    model = Scripted(answer)
    for parallel in (1, 4):
        with pytest.raises(InputError, match="401"):
            run({"s1": rows_of(*concepts)["s1"]}, model, Plan(stages=("s1",)), tmp_path, parallel=parallel)
    assert len(model.asked) <= 2 + 5
    assert set(predictions(tmp_path)) == {("c0/s1", "reset")}


@pytest.mark.parametrize("parallel", [1, 4])
def test_ctrl_c_keeps_what_was_answered(
    tmp_path: Path, parallel: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "GRACE_S", 1.0)

    def answer(question: Question) -> str:
        if question.item_id == "c5/s1":
            import _thread

            _thread.interrupt_main()
        threading.Event().wait(0.05)
        return "B"

    concepts = [f"c{number}" for number in range(50)]
    rows = {"s1": rows_of(*concepts)["s1"]}
    with pytest.raises(KeyboardInterrupt):
        run(rows, Scripted(answer), Plan(stages=("s1",)), tmp_path, parallel=parallel)
    kept = len(predictions(tmp_path))
    assert 1 <= kept < 50
    # On a busy machine an answer may still come in after the predictions were written: the log has it.
    logged = len(read_raw(tmp_path / "raw.jsonl"))
    assert kept <= logged <= kept + parallel
    later = Scripted(right)
    run(rows, later, Plan(stages=("s1",)), tmp_path)
    assert len(later.asked) == 50 - logged


def test_the_manifest_says_what_answered_and_what_it_took(tmp_path: Path) -> None:
    sha256 = "ab" * 32
    model = Scripted(right, fps=1)
    run(rows_of("a"), model, Plan(mode="carry"), tmp_path, dataset={"version": "0.1", "sha256": sha256})
    told = manifest(tmp_path)
    assert (told["model"], told["settings"], told["dataset"]["sha256"]) == ("scripted", {"fps": 1}, sha256)
    assert told["plan"]["mode"] == "carry"
    assert told["prompts"].startswith("base-")
    assert told["usage"] == {"input_tokens": 30, "output_tokens": 3}
    assert (told["answered"], told["reused"], told["open"]) == (3, 0, {})
    assert {"python", "cmb-benchmark", "numpy"} <= set(told["versions"])
    assert told["elapsed_s"] >= 0
    assert told["commit"] is None or len(told["commit"]["sha"]) == 40


def test_running_scores_are_told_where_labels_are_public_alone(tmp_path: Path) -> None:
    events: list[Event] = []
    answers = {"s1": "A", "s2": "C", "s3": "[4, 6]"}
    answer = lambda question: answers[question.stage]  # noqa: E731
    run(rows_of("a"), Scripted(answer), Plan(), tmp_path / "public", watch=events.append)
    # IoU of [4, 6] and [4, 8]: 2 of 4 seconds.
    assert [event.score for event in events if event.kind == "answered"] == [0.0, 1.0, 0.5]
    events.clear()
    run(rows_of("a", hidden=True), Scripted(answer), Plan(), tmp_path / "hidden", watch=events.append)
    assert [event.score for event in events if event.kind == "answered"] == [None, None, None]


def test_half_a_character_in_an_answer_is_kept_as_a_mark(tmp_path: Path) -> None:
    run({"s1": rows_of("a")["s1"]}, Scripted(lambda question: "B \ud800"), Plan(stages=("s1",)), tmp_path)
    assert predictions(tmp_path)["a/s1", "reset"]["raw"] == "B ?"
