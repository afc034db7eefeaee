"""The interface between the runner and a model: a question goes in, a text comes out.

The runner decides what is asked and what is carried; an adapter decides how it reaches the model (frames, a file, a
request). What an answer means is decided by `cmb_harness.parsing` alone, also for the baselines.
"""

from collections.abc import Mapping
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
        video: S3: the local file of video B.
        duration_s: S3: the length of video B in seconds, where it is known.
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
    duration_s: float | None = None


@dataclass(frozen=True)
class Answer:
    """What a model said: its whole text, and what its vendor counted (tokens, cost), for the manifest."""

    text: str
    usage: Mapping[str, Any] = field(default_factory=dict)


class TransportError(Exception):
    """No answer came: the network, the server or a limit. The item stays open; it is never scored as an answer."""


class Model(Protocol):
    """A model as the runner sees it.

    Attributes:
        name: what predictions and manifests call it.
        settings: everything that changes what it answers (weights, frames, temperature, seed), as plain data. An
            answer is reused by a later run only where these are the same.
        needs_media: the stages whose files it opens; other stages run without a cache.
    """

    name: str
    settings: Mapping[str, Any]
    needs_media: frozenset[str]

    def answer(self, question: Question) -> Answer:
        """Answer one question.

        Raises:
            TransportError: no answer came. Refusals and nonsense are answers.
        """
        ...
