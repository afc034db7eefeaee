"""Asking again when no answer came, politely: exponential waits, the server's own wish first, all workers together."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from cmb_harness.models.interface import Answer, Model, Question, TransportError


@dataclass(frozen=True)
class Retries:
    """How often and how long.

    Attributes:
        attempts: requests for one item in one run, the first included.
        first_wait_s: the wait after the first failure; each further one is twice as long.
        longest_wait_s: no wait of our own is longer; one that the server asks for may be.
        give_up_wait_s: a server that asks for a longer wait is not waited for; the item stays open.
    """

    attempts: int = 5
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0
    give_up_wait_s: float = 900.0


class Asker:
    """Asks one model for several workers.

    A refusal is an answer and is never asked again. When a server asks to be left alone, all workers wait.

    Args:
        model: the model.
        retries: how often and how long.
        generator: draws the jitter.
        pause: waits so many seconds; returns True if the run is being stopped.
        clock: seconds, monotonic.
    """

    def __init__(
        self,
        model: Model,
        retries: Retries,
        *,
        generator: random.Random,
        pause: Callable[[float], bool],
        clock: Callable[[], float] = time.monotonic,
    ):
        self.retried = 0
        self._model = model
        self._retries = retries
        self._generator = generator
        self._pause = pause
        self._clock = clock
        self._not_before = 0.0
        self._lock = threading.Lock()

    def ask(self, question: Question) -> Answer:
        """One answer.

        Raises:
            TransportError: none came in all attempts, or the run is being stopped.
        """
        for attempt in range(1, self._retries.attempts + 1):
            self._wait_for_the_server()
            try:
                return self._model.answer(question)
            except TransportError as error:
                wait_s = self._wait_after(error, attempt)
                if error.final or attempt == self._retries.attempts or wait_s is None:
                    raise
                with self._lock:
                    self.retried += 1
                if self._pause(wait_s):
                    raise
        raise TransportError("no attempt was allowed", final=True)

    def _wait_after(self, error: TransportError, attempt: int) -> float | None:
        """The wait before the next attempt, with jitter, so that workers do not come back as one; None: too long."""
        longest = min(self._retries.first_wait_s * 2 ** (attempt - 1), self._retries.longest_wait_s)
        with self._lock:
            own = self._generator.uniform(longest / 2, longest)
            if error.retry_after_s is None:
                return own
            if error.retry_after_s > self._retries.give_up_wait_s:
                return None
            self._not_before = max(self._not_before, self._clock() + error.retry_after_s)
            # Those who waited together come back one after the other.
            return error.retry_after_s + own * min(1.0, error.retry_after_s)

    def _wait_for_the_server(self) -> None:
        with self._lock:
            wait_s = self._not_before - self._clock()
        if wait_s > 0 and self._pause(wait_s):
            raise TransportError("stopped")
