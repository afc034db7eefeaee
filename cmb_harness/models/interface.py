"""The interface between the runner and a model: a question goes in, a text comes out.

The runner decides what is asked and what is carried; an adapter decides how it reaches the model (frames, a file, a
request). What an answer means is decided by `cmb_harness.parsing` alone, also for the baselines.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True)
class Question:
    """One item as a model may see it: nothing here tells the key.

    Attributes:
        item_id: only for logs and seeds; it must not reach the model.
        stage: ``s1``, ``s2`` or ``s3``.
        mode: ``reset``, ``carry`` or ``feedback``.
        prompt: the whole text, context of earlier stages included.
        description: S1 and S2: the text that is asked about.
        options: S1: the four names as lettered in the prompt.
        clips: S2: four local files, in the order A-D, whose names say nothing of the item.
        concept_name: S3: the name that the prompt states.
        cue: S3: the sub-event that the prompt states.
        video: S3: the local file of video B; its name is an id, which must not reach the model.
        subtitles: S3: ``(start_s, end_s, text)`` of video B's subtitles, for models that only take frames.
        duration_s: S3: the length of video B in seconds, where it is known.
        labels: S2 and S3: the templates of what stands before each moment, video and frame (`cmb_harness.prompts`).
    """

    item_id: str
    stage: str
    mode: str
    prompt: str
    description: str | None = None
    options: tuple[str, ...] = ()
    clips: tuple[Path, ...] = ()
    concept_name: str | None = None
    cue: str | None = None
    video: Path | None = None
    subtitles: tuple[tuple[float, float, str], ...] = ()
    duration_s: float | None = None
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What a model said.

    Attributes:
        text: its whole text.
        usage: what its vendor counted: ``input_tokens``, ``output_tokens``, ``thinking_tokens`` where known.
        refused: the vendor withheld the answer (a safety filter), so that the text is none or only says so.
        details: what else is worth keeping: the served model's name, why it stopped, its reasoning.
    """

    text: str
    usage: Mapping[str, int] = field(default_factory=dict)
    refused: bool = False
    details: Mapping[str, Any] = field(default_factory=dict)


class TransportError(Exception):
    """No answer came: the network, the server or a limit. The item stays open; it is never scored as an answer.

    Attributes:
        retry_after_s: seconds that the server asks to be left alone, where it says.
        final: asking again would not help (a request that is too long, say).
    """

    def __init__(self, message: str, *, retry_after_s: float | None = None, final: bool = False):
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.final = final


class OpenItem(Exception):
    """The question cannot be put now (its media are missing or cannot be read, say): the item stays open."""


@dataclass(frozen=True)
class Text:
    """A piece of a request that is text."""

    text: str


@dataclass(frozen=True)
class Blob:
    """A piece of a request that is a picture, sound or a video.

    Attributes:
        data: the bytes of the file.
        mime: such as ``image/jpeg``, ``audio/wav``, ``video/mp4``.
        time_s: a picture's time in its clip or video, in seconds.
    """

    data: bytes
    mime: str
    time_s: float | None = None


@dataclass(frozen=True)
class File:
    """A piece of a request that is a local file; its name must not reach the model."""

    path: Path
    mime: str = "video/mp4"


Part = Text | Blob | File


class Model(Protocol):
    """A model as the runner sees it. `answer` is called from ``parallel`` threads at once, or fewer.

    Attributes:
        name: what predictions and manifests call it.
        settings: everything that changes what it answers (weights, frames, temperature, seed), as plain data that
            JSON can hold, and no secret. An answer is reused by a later run only where these are the same.
        needs_media: the stages whose files it opens; other stages run without a cache.
        parallel: how many questions it takes at once by default.
    """

    @property
    def name(self) -> str: ...
    @property
    def settings(self) -> Mapping[str, Any]: ...
    @property
    def needs_media(self) -> frozenset[str]: ...
    @property
    def parallel(self) -> int: ...

    def answer(self, question: Question) -> Answer:
        """Answer one question.

        Raises:
            TransportError: no answer came. Refusals and nonsense are answers.
            OpenItem: the question cannot be put.
            InputError: every question would fail like this one (a wrong key, an unknown model): the run stops.
        """
        ...

    def shown(self, question: Question) -> Sequence[Part]:
        """What the model would get for a question, piece by piece, without asking it."""
        ...

    def close(self) -> None:
        """Let go of what the model holds: connections, files at a server, a process."""
        ...
