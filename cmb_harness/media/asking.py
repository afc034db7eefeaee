"""Asking a server for videos with patience: what may pass is tried again, and a server that refuses is left alone."""

import re
import shutil
import threading
from dataclasses import dataclass, replace
from pathlib import Path

from cmb_harness.media.failures import TRANSIENT, Failure, failure_of
from cmb_harness.media.resolve import Fetched, Source, Stopped, fetch_subtitles, fetch_video

# So many videos in a row refused, or servers in a row not reached: asking on would do harm, or nothing.
BLOCKED_AFTER = 2
UNREACHABLE_AFTER = 3


@dataclass(frozen=True)
class Policy:
    """How fetching behaves.

    Attributes:
        jobs: videos at the same time.
        sleep_s: seconds of rest after each video that was asked for.
        tries: how often a video is tried in one run, as long as its failure may pass.
        backoff_s: the wait before the second try; it doubles with each.
        longest_wait_s: seconds of waiting for one video; a server that asks for more is left alone.
        again: states that are asked again although they are settled.
        accept: ids whose new picture or length is taken as right from now on.
        offline: ask nobody; take what is in the folder and in the cache.
    """

    jobs: int = 1
    sleep_s: float = 3.0
    tries: int = 4
    backoff_s: float = 2.0
    longest_wait_s: float = 60.0
    again: frozenset[str] = frozenset()
    accept: frozenset[str] = frozenset()
    offline: bool = False


class Asker:
    """Asks one server; threads may share it.

    Args:
        source: the site or mirror.
        policy: how patiently.
        cache: the folder that messages call CACHE, for they name no folder of this machine.

    Attributes:
        stop: set when nothing more is to be asked.
        stopped: why, None if it was not for the server's sake.
        subtitles_stopped: why no more subtitles are asked for, though videos are; None if they are.
    """

    def __init__(self, source: Source, policy: Policy, cache: Path):
        self.stop = threading.Event()
        self.stopped: str | None = None
        self.subtitles_stopped: str | None = None
        self.source = replace(source, should_stop=self.stop.is_set)
        self.policy, self._cache = policy, cache
        self._lock = threading.Lock()
        self._refused = self._unreached = self._subtitles_refused = 0

    def ask(self, video_id: str, partial: Path) -> tuple[Fetched | None, Failure | None, int]:
        """Fetch a video into the folder ``partial``, which is emptied before each try.

        Returns:
            (what came, or None; why the last try failed, or None; how many tries it took).

        Raises:
            Stopped: the run is being stopped.
        """
        failure, waited_s = None, 0.0
        for attempt in range(1, self.policy.tries + 1):
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir(parents=True)
            try:
                fetched = fetch_video(video_id, self.source, partial)
            except Exception as error:
                failure = self._explained(error)
            else:
                self._judge(None)
                return fetched, None, attempt
            wait_s = failure.retry_after_s
            wait_s = self.policy.backoff_s * 2 ** (attempt - 1) if wait_s is None else wait_s
            waited_s += wait_s
            if (
                failure.state not in TRANSIENT
                or attempt == self.policy.tries
                or waited_s > self.policy.longest_wait_s
            ):
                break
            if self.stop.wait(wait_s):
                raise Stopped
        self._judge(failure)
        return None, failure, attempt

    def ask_subtitles(self, video_id: str, languages: list[str], folder: Path) -> dict[str, Path] | None:
        """Language → WebVTT file of those that the video has; None if the site did not answer, or is left alone.

        Sites count requests for subtitles apart, and refuse them sooner than videos.
        """
        if self.subtitles_stopped:
            return None
        try:
            found = fetch_subtitles(video_id, self.source, languages, folder)
        except Exception as error:
            failure = None if self.stop.is_set() else self._explained(error)
            refused = failure is not None and (failure.state == "rate_limited" or failure.unreachable)
            with self._lock:
                self._subtitles_refused = self._subtitles_refused + 1 if refused else 0
                if failure and self._subtitles_refused >= BLOCKED_AFTER:
                    what = "cannot be reached" if failure.unreachable else "refuses further requests"
                    self.subtitles_stopped = f"the server {what} ({failure.message})"
            return None
        with self._lock:
            self._subtitles_refused = 0
        return found

    def rest(self) -> None:
        """Rest as long as the policy says, or until the run is being stopped."""
        self.stop.wait(self.policy.sleep_s)

    def halt(self, reason: str) -> None:
        """Let nothing more be asked, and remember why."""
        with self._lock:
            self.stopped = self.stopped or reason
        self.stop.set()

    def _explained(self, error: Exception) -> Failure:
        if self.stop.is_set():
            raise Stopped from error
        failure = failure_of(error)
        message = failure.message
        for path in (self._cache.absolute(), self._cache):
            message = re.sub(rf"(?<![\w./-]){re.escape(str(path))}(?=[/\\'\"\s]|$)", "CACHE", message)
        if "No space left" in message:
            self.halt("the disk is full")
        return replace(failure, message=message)

    def _judge(self, failure: Failure | None) -> None:
        """Stop asking when the server has turned away, or is not there."""
        with self._lock:
            self._refused = self._refused + 1 if failure and failure.state == "rate_limited" else 0
            self._unreached = self._unreached + 1 if failure and failure.unreachable else 0
        if failure and self._refused >= BLOCKED_AFTER:
            rest = (
                ""
                if failure.retry_after_s is None
                else f"; it asks for a rest of {failure.retry_after_s:.0f} s"
            )
            self.halt(f"blocked: the server refuses further requests ({failure.message}){rest}")
        if failure and self._unreached >= UNREACHABLE_AFTER:
            self.halt(f"the server cannot be reached ({failure.message})")
