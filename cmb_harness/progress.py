"""The progress of a run on stderr: a bar a stage, with its rate, errors and running score."""

from types import TracebackType
from typing import Any

from cmb_harness.run import Event

# What the running score of a stage is called.
SCORES = {"s1": "accuracy", "s2": "accuracy", "s3": "mIoU"}


class Progress:
    """Give `watch` to `cmb_harness.run.run`, inside a ``with`` block.

    The running score is over the items whose labels are public alone: hidden ones have none to tell.

    Args:
        name: what stands before the bar.
    """

    def __init__(self, name: str):
        self._name = name
        self._bar: Any = None
        self._sum, self._scored, self._open, self._retried = 0.0, 0, 0, 0

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def watch(self, event: Event) -> None:
        """Take in one event."""
        if event.kind == "begin":
            self._begin(event)
            return
        self._open += event.kind == "open"
        self._retried = event.retried
        if event.score is not None:
            self._sum += event.score
            self._scored += 1
        self._bar.set_postfix_str(self._shown(event.stage), refresh=False)
        self._bar.update()

    def _begin(self, event: Event) -> None:
        from tqdm import tqdm

        if self._bar is not None:
            self._bar.close()
        self._sum, self._scored, self._open = 0.0, 0, 0
        self._bar = tqdm(total=event.total, desc=f"{self._name} {event.stage}", unit="item")

    def _shown(self, stage: str) -> str:
        parts = []
        if self._scored:
            parts.append(f"{SCORES[stage]} {self._sum / self._scored:.3f} of {self._scored}")
        if self._retried:
            parts.append(f"{self._retried} asked again")
        if self._open:
            parts.append(f"{self._open} open")
        return ", ".join(parts)
