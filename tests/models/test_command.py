"""The command adapter with real programs: well-behaved, slow, noisy, dying and hanging ones."""

import json
import os
import shlex
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.faults import InputError
from cmb_harness.models import load_model
from cmb_harness.models.interface import Model, Question, TransportError

READS = "import json, os, sys, time\nfor line in sys.stdin:\n    question = json.loads(line)\n"


@pytest.fixture
def program(tmp_path: Path, cache: Path) -> Any:
    """``program(body, **settings)``: a model whose program does ``body`` with each ``question``."""
    models: list[Model] = []

    def make(body: str, probe: str | None = None, **settings: Any) -> Model:
        script = tmp_path / f"program {len(models)}.py"
        script.write_text(READS + "\n".join(f"    {line}" for line in body.strip().split("\n")))
        command = shlex.join([sys.executable, str(script)])
        models.append(load_model(f"command:{command}", cache=cache, probe=probe, changes=settings))
        return models[-1]

    yield make
    for model in models:
        model.close()


ECHO = 'print(json.dumps({"id": question.pop("id"), "text": json.dumps(question)}), flush=True)'


def test_a_program_gets_the_fields_of_the_stage(
    program: Callable[..., Model], questions: dict[str, Question]
) -> None:
    model = program(ECHO)
    told = {stage: json.loads(model.answer(question).text) for stage, question in questions.items()}
    assert told["s1"] == {
        "stage": "s1",
        "prompt": questions["s1"].prompt,
        "description": "Water washes.",
        "options": ["Songkran", "Thingyan", "Pchum Ben", "Tet"],
    }
    assert told["s2"] == {
        "stage": "s2",
        "prompt": questions["s2"].prompt,
        "description": "Water washes.",
        "clips": [str(clip) for clip in questions["s2"].clips],
    }
    assert told["s3"] == {
        "stage": "s3",
        "prompt": questions["s3"].prompt,
        "concept_name": "Thingyan",
        "cue": "water is poured",
        "video": str(questions["s3"].video),
        "duration_s": 6.0,
    }


def test_local_scripts_go_through_whole(
    program: Callable[..., Model], questions: dict[str, Question]
) -> None:
    model = program(
        'print(json.dumps({"id": question["id"], "text": question["prompt"]}, ensure_ascii=False), flush=True)'
    )
    prompt = "สงกรานต์ သင်္ကြန် ភ្ជុំបិណ្ឌ \u2028 Tết"
    assert model.answer(replace(questions["s1"], prompt=prompt)).text == prompt


def test_answers_may_come_in_any_order(program: Callable[..., Model], questions: dict[str, Question]) -> None:
    model = program(
        """
waiting = globals().setdefault("waiting", [])
waiting.append(question)
if len(waiting) == 4:
    for one in reversed(waiting):
        print(json.dumps({"id": one["id"], "text": one["prompt"]}), flush=True)
    waiting.clear()
"""
    )
    prompts = [f"question {number}" for number in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(
            pool.map(lambda prompt: model.answer(replace(questions["s1"], prompt=prompt)).text, prompts)
        )
    assert answers == prompts


def test_what_is_no_reply_is_passed_over(
    program: Callable[..., Model], questions: dict[str, Question]
) -> None:
    model = program(
        """
print("Loading weights: 100%")
print("[1, 2]")
print('{"id": 999, "text": "A"}')
print('{"id": [], "text": "A"}')
print(json.dumps({"id": question["id"], "text": "B", "usage": {"output_tokens": 7, "speed": "fast"}}), flush=True)
"""
    )
    answer = model.answer(questions["s1"])
    assert (answer.text, answer.usage, answer.refused) == ("B", {"output_tokens": 7}, False)


def test_a_program_may_say_that_it_was_refused(
    program: Callable[..., Model], questions: dict[str, Question]
) -> None:
    model = program('print(json.dumps({"id": question["id"], "text": "", "refused": True}), flush=True)')
    assert model.answer(questions["s1"]).refused


@pytest.mark.parametrize("reply", ['"error": "out of memory"', '"text": 7', '"text": null'])
def test_a_reply_without_an_answer_leaves_the_item_open(
    program: Callable[..., Model], questions: dict[str, Question], reply: str
) -> None:
    reply = reply.replace("null", "None")
    model = program(f'print(json.dumps({{"id": question["id"], {reply}}}), flush=True)')
    with pytest.raises(TransportError, match="the program: ") as caught:
        model.answer(questions["s1"])
    assert caught.value.final


def test_a_program_that_ends_is_started_again(
    program: Callable[..., Model], questions: dict[str, Question]
) -> None:
    model = program(
        """
seen = question["prompt"] == "die"
if seen:
    os._exit(3)
print(json.dumps({"id": question["id"], "text": "B"}), flush=True)
"""
    )
    assert model.answer(questions["s1"]).text == "B"
    with pytest.raises(TransportError, match="the program ended"):
        model.answer(replace(questions["s1"], prompt="die"))
    assert model.answer(questions["s1"]).text == "B"


def test_a_program_that_hangs_is_ended_and_started_again(
    program: Callable[..., Model], questions: dict[str, Question]
) -> None:
    model = program(
        """
if question["prompt"] == "hang":
    time.sleep(60)
print(json.dumps({"id": question["id"], "text": "B"}), flush=True)
""",
        timeout_s=0.5,
    )
    began = time.monotonic()
    with pytest.raises(TransportError, match=r"timeout: none within 0.5 s"):
        model.answer(replace(questions["s1"], prompt="hang"))
    assert time.monotonic() - began < 10
    # Starting Python may itself take longer than so short a limit.
    model.setup = replace(model.setup, timeout_s=30)  # type: ignore[attr-defined]
    assert model.answer(questions["s1"]).text == "B"


def test_a_program_that_cannot_be_started_is_told(questions: dict[str, Question], cache: Path) -> None:
    model = load_model("command:no-such-program-here --flag", cache=cache)
    with pytest.raises(InputError, match="no-such-program-here --flag: cannot be started"):
        model.answer(questions["s1"])


def test_closing_ends_the_program(program: Callable[..., Model], questions: dict[str, Question]) -> None:
    model = program('print(json.dumps({"id": question["id"], "text": str(os.getpid())}), flush=True)')
    process = int(model.answer(questions["s1"]).text)
    model.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.parametrize("probe", ["single-frame", "shuffled-frames"])
def test_a_probe_of_frames_gives_the_program_other_files(
    program: Callable[..., Model], questions: dict[str, Question], tools: Any, probe: str
) -> None:
    from cmb_harness.media.frames import sample_frames
    from cmb_harness.media.signature import read_time_code

    told = json.loads(program(ECHO, probe=probe).answer(questions["s3"]).text)
    assert tools.VIDEO_ID not in told["video"]
    frames, _ = sample_frames(told["video"], fps=1.0)
    numbers = [read_time_code(frame) for frame in frames]
    if probe == "single-frame":
        assert set(numbers) == {30}
    else:
        assert sorted(number or 0 for number in numbers) == [0, 10, 20, 30, 40, 50]
        assert numbers != sorted(number or 0 for number in numbers)


def test_text_only_gives_the_program_no_files(
    program: Callable[..., Model], questions: dict[str, Question]
) -> None:
    model = program(ECHO, probe="text-only")
    assert "clips" not in json.loads(model.answer(questions["s2"]).text)
    assert "video" not in json.loads(model.answer(questions["s3"]).text)


def test_audio_only_gives_the_program_sound_files(
    program: Callable[..., Model], questions: dict[str, Question]
) -> None:
    import wave

    clips = json.loads(program(ECHO, probe="audio-only").answer(questions["s2"]).text)["clips"]
    assert len(set(clips)) == 4
    for clip in clips:
        with wave.open(clip) as sound:
            assert sound.getnframes() / sound.getframerate() == pytest.approx(2, abs=0.15)
