"""Asking again: how often, how long between, and all workers together. Time is the test's own."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from cmb_harness.models.interface import Answer, Question, TransportError
from cmb_harness.models.retry import Asker, Retries

QUESTION = Question("item", "s1", "reset", "prompt")


class Clock:
    """A clock that only waiting moves."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.now = 0.0
        self.waits: list[float] = []
        self._stop_after = stop_after

    def pause(self, wait_s: float) -> bool:
        self.waits.append(wait_s)
        self.now += wait_s
        return self._stop_after is not None and len(self.waits) >= self._stop_after


class Failing:
    """A model that fails in the ways given, then answers."""

    name, parallel = "failing", 1
    settings: dict[str, Any] = {}  # noqa: RUF012
    needs_media: frozenset[str] = frozenset()

    def __init__(self, failures: Sequence[TransportError]):
        self.failures = list(failures)
        self.asked = 0

    def answer(self, question: Question) -> Answer:
        self.asked += 1
        if self.failures:
            raise self.failures.pop(0)
        return Answer("B")

    def shown(self, question: Question) -> list[Any]:
        return []

    def close(self) -> None:
        pass


def asker(model: Failing, clock: Clock, **retries: Any) -> Asker:
    return Asker(
        model,
        Retries(**retries),
        generator=random.Random(1),
        pause=clock.pause,
        clock=lambda: clock.now,
    )


def test_waits_double_up_to_a_limit_and_are_jittered() -> None:
    model, clock = Failing([TransportError("500")] * 6), Clock()
    assert asker(model, clock, attempts=7, first_wait_s=1, longest_wait_s=8).ask(QUESTION).text == "B"
    longest = [1, 2, 4, 8, 8, 8]
    assert all(limit / 2 <= wait <= limit for wait, limit in zip(clock.waits, longest, strict=True))
    assert len({wait / limit for wait, limit in zip(clock.waits, longest, strict=True)}) == 6


def test_the_last_failure_comes_out() -> None:
    model, clock = Failing([TransportError("500: first"), TransportError("500: second")]), Clock()
    with pytest.raises(TransportError, match="second"):
        asker(model, clock, attempts=2).ask(QUESTION)
    assert (model.asked, len(clock.waits)) == (2, 1)


def test_a_final_failure_is_not_waited_for() -> None:
    model, clock = Failing([TransportError("400", final=True)]), Clock()
    with pytest.raises(TransportError):
        asker(model, clock).ask(QUESTION)
    assert (model.asked, clock.waits) == (1, [])


def test_the_servers_wish_is_kept() -> None:
    model, clock = Failing([TransportError("429", retry_after_s=30.0)]), Clock()
    asker(model, clock, first_wait_s=1).ask(QUESTION)
    assert 30.0 <= sum(clock.waits) <= 31.0


def test_a_wish_for_too_long_a_wait_leaves_the_item_open() -> None:
    model, clock = Failing([TransportError("429", retry_after_s=86400.0)]), Clock()
    with pytest.raises(TransportError, match="429"):
        asker(model, clock).ask(QUESTION)
    assert clock.waits == []


def test_other_workers_wait_too() -> None:
    # The first one has no attempt left; those who come next still keep the server's wish.
    model, clock = Failing([TransportError("429", retry_after_s=30.0)]), Clock()
    shared = asker(model, clock, attempts=1)
    with pytest.raises(TransportError):
        shared.ask(QUESTION)
    assert clock.waits == []
    clock.now = 20.0
    shared.ask(QUESTION)
    assert clock.waits == [10.0]


def test_stopping_the_run_ends_the_waiting() -> None:
    model, clock = Failing([TransportError("500")] * 5), Clock(stop_after=1)
    with pytest.raises(TransportError):
        asker(model, clock).ask(QUESTION)
    assert model.asked == 1


def test_requests_made_again_are_counted() -> None:
    shared = asker(Failing([TransportError("500")] * 3), Clock())
    shared.ask(QUESTION)
    assert shared.retried == 3
