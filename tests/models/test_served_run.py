"""Whole runs against a server that misbehaves; and runs that are killed, which lose nothing and repeat nothing."""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.dataset import read_dataset
from cmb_harness.models import load_model
from cmb_harness.models.retry import Retries
from cmb_harness.questions import Plan
from cmb_harness.run import run

pytest.importorskip("openai", reason="the extra openai is not installed")

NAMES = ["Songkran", "Thingyan", "Pchum Ben", "Tet"]


def mark_of(request: Any) -> str:
    """A hash of what was asked."""
    return hashlib.sha256(json.dumps(request.json["messages"]).encode()).hexdigest()[:16]


def answer_to(request: Any, tools: Any) -> Any:
    """An answer that depends on the question alone: a letter, a span, a refusal or nonsense."""
    number = int(mark_of(request), 16)
    if number % 10 == 0:
        refusal = {"refusal": "I can't help with that.", "reasoning_content": mark_of(request)}
        return tools.chat(None, message=refusal)
    text = "purple monkey dishwasher"
    if number % 10 != 1:
        asks_for_a_span = "as [start, end]" in request.body.decode()
        text = f"[{number % 7}, {8 + number % 9}]" if asks_for_a_span else "ABCD"[number % 4]
    return tools.chat(text, message={"reasoning_content": mark_of(request)})


def rows_of(count: int) -> dict[str, list[dict[str, Any]]]:
    rows: dict[str, list[dict[str, Any]]] = {"s1": [], "s2": [], "s3": []}
    for number in range(count):
        common = {"category": "Dance", "description": f"description {number}"}
        s1, s2 = f"c{number}/s1", f"c{number}/s2"
        rows["s1"].append({"item_id": s1, "options": NAMES, "answer": number % 4, **common})
        rows["s2"].append({"item_id": s2, "s1_item_id": s1, "answer": 0, "options": [], **common})
        span = {"concept_name": NAMES[number % 4], "cue": f"event {number}", "duration_s": 60.0}
        rows["s3"].append({"item_id": f"c{number}/s3/1", "s2_item_id": s2, **span})
    return rows


def misbehaviours(tools: Any, answer: Any) -> list[Any]:
    """What a server does in turn: answer well, ask for peace, fail, cut the line, send a page, hang."""
    return [
        tools.Reply(answer),
        tools.Reply({"error": {"message": "slow down"}}, status=429, headers={"retry-after": "0.05"}),
        tools.Reply(answer),
        tools.Reply("<html>Bad gateway</html>", status=502, headers={"content-type": "text/html"}),
        tools.Reply(answer),
        tools.Reply(answer, cut=True),
        tools.Reply("<html>hello</html>", headers={"content-type": "text/html"}),
        tools.Reply(answer),
        tools.Reply({"error": {"message": "overloaded"}}, status=503),
        tools.Reply("{half a", status=200),
        tools.Reply(answer, wait_s=30),
    ]


def test_a_misbehaving_server_changes_no_answer(serve: Any, tools: Any, tmp_path: Path) -> None:
    answered: Counter[str] = Counter()
    turn = iter(range(10_000))

    def misbehave(request: Any) -> Any:
        answer = answer_to(request, tools)
        chosen = misbehaviours(tools, answer)
        reply = chosen[next(turn) % len(chosen)]
        if reply.status == 200 and reply.body == answer and not reply.cut and not reply.wait_s:
            answered[mark_of(request)] += 1
        return reply

    outcomes = {}
    for name, server in (
        ("disturbed", serve(misbehave)),
        ("undisturbed", serve(lambda request: tools.Reply(answer_to(request, tools)))),
    ):
        changes = {"base_url": f"{server.url}/v1", "timeout_s": 3}
        model = load_model("openai:some-model", probe="text-only", changes=changes)
        retries = Retries(attempts=12, first_wait_s=0.01, longest_wait_s=0.05)
        plan = Plan(mode="carry")
        outcomes[name] = run(rows_of(8), model, plan, tmp_path / name, parallel=8, retries=retries)
    assert outcomes["disturbed"].open == outcomes["undisturbed"].open == {}
    # Of eleven replies in turn four are good: 24 items take some 42 failures.
    assert outcomes["disturbed"].retried > 20
    # Refusals and nonsense are answers, too: whatever the server answered, it was asked once.
    assert set(answered.values()) == {1}
    disturbed, undisturbed = (
        (tmp_path / name / "predictions.jsonl").read_bytes() for name in ("disturbed", "undisturbed")
    )
    assert disturbed == undisturbed
    statuses = {json.loads(line)["status"] for line in undisturbed.splitlines()}
    assert {"ok", "refusal"} <= statuses


def test_items_that_got_no_answer_are_taken_up_later(serve: Any, tools: Any, tmp_path: Path) -> None:
    down = True

    def answer(request: Any) -> Any:
        broken = down and int(mark_of(request), 16) % 3 == 0
        return tools.Reply(status=503) if broken else tools.Reply(answer_to(request, tools))

    server = serve(answer)
    changes = {"base_url": f"{server.url}/v1"}
    retries = Retries(attempts=2, first_wait_s=0.01)

    def go(out: str) -> Any:
        model = load_model("openai:some-model", probe="text-only", changes=changes)
        return run(rows_of(20), model, Plan(mode="carry"), tmp_path / out, parallel=4, retries=retries)

    first = go("run")
    assert first.open
    kept = first.answered
    down = False
    before = len(server.requests)
    second = go("run")
    assert second.open == {}
    assert (second.reused, second.answered) == (kept, 60 - kept)
    assert len(server.requests) - before == 60 - kept
    go("undisturbed")
    one, other = ((tmp_path / name / "predictions.jsonl").read_bytes() for name in ("run", "undisturbed"))
    assert one == other


def start(workspace: Path, server: Any, out: str) -> subprocess.Popen[bytes]:
    """``cmb run`` as a user starts it, on 64 concepts, under every truth; what it says goes to a file."""
    cmb = Path(sys.executable).parent / "cmb"
    how = ("--mode", "feedback", "--truth", "all", "--probe", "text-only", "--parallel", "4", "--out", out)
    model = ("--model", "openai:some-model", "--base-url", f"{server.url}/v1")
    with (workspace / "said.txt").open("wb") as said:
        return subprocess.Popen(
            [cmb, "run", "--dataset", "cmb", *model, *how],
            cwd=workspace,
            stdout=said,
            stderr=said,
            env={**os.environ, "NO_PROXY": "127.0.0.1"},
        )


def finish(workspace: Path, server: Any, out: str) -> None:
    """Run to the end, and well."""
    code = start(workspace, server, out).wait(300)
    assert code == 0, (workspace / "said.txt").read_text("utf-8", "replace")


def kill_after(
    process: subprocess.Popen[bytes], enough: Callable[[], bool], generator: random.Random
) -> None:
    """kill -9, at some moment after ``enough`` holds."""
    deadline = time.monotonic() + 60
    while not enough():
        assert process.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.001)
    time.sleep(generator.uniform(0, 0.02))
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.thorough)])
def test_killed_runs_lose_nothing_and_ask_nothing_twice(
    serve: Any, tools: Any, workspace: Path, kills: int
) -> None:
    generator = random.Random(kills)

    def answer(request: Any) -> Any:
        return tools.Reply(answer_to(request, tools), wait_s=generator.uniform(0.001, 0.01))

    server = serve(answer)
    sessions: list[tuple[set[str], int, int]] = []

    def answers_kept() -> set[str]:
        raw = workspace / "killed" / "raw.jsonl"
        lines = raw.read_bytes().split(b"\n")[:-1] if raw.exists() else []
        return {row["details"]["reasoning"] for row in map(json.loads, lines) if "details" in row}

    for _ in range(kills):
        kept, first = answers_kept(), len(server.requests)
        wanted = first + generator.randint(1, 30)
        kill_after(
            start(workspace, server, "killed"),
            lambda wanted=wanted: len(server.requests) >= wanted,
            generator,
        )
        sessions.append((kept, first, len(server.requests)))
    kept, first = answers_kept(), len(server.requests)
    finish(workspace, server, "killed")
    sessions.append((kept, first, len(server.requests)))
    for kept, first, last in sessions:
        asked = {mark_of(request) for request in server.requests[first:last]}
        # What was answered when a session began was not asked in it.
        assert not asked & kept
    assert len(sessions[-1][0]) > kills
    finish(workspace, serve(answer), "undisturbed")
    killed, undisturbed = (
        (workspace / name / "predictions.jsonl").read_bytes() for name in ("killed", "undisturbed")
    )
    assert killed == undisturbed
    rows = read_dataset(workspace / "cmb").rows
    s1, s2, s3 = (sum(map(len, rows[stage].values())) for stage in ("s1", "s2", "s3"))
    assert killed.count(b"\n") == s1 + 4 * s2 + 4 * s3 > 400
