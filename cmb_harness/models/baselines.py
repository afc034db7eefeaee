"""Baselines that look at nothing: what a score is worth beside them.

Each has one habit in its name; where the habit says nothing (a letter for S3, a span for S1), it answers as ``chance``
does, so that every baseline has all stages and a Joint score.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cmb_harness.models.interface import Answer, OpenItem, Part, Question, Text
from cmb_harness.prompts import LETTERS

Rule = Callable[[Question, random.Random], str]


def random_choice(question: Question, generator: random.Random) -> str:
    """One letter of A-D, each with probability 1/4."""
    return generator.choice(LETTERS)


def random_span(question: Question, generator: random.Random) -> str:
    """Two independent uniform times in [0, duration_s], in order."""
    duration_s = known_duration(question)
    start_s, end_s = sorted(generator.uniform(0, duration_s) for _ in range(2))
    return span_text(start_s, end_s)


def first_letter(question: Question, generator: random.Random) -> str:
    """Always A."""
    return "A"


def centre_span(question: Question, generator: random.Random) -> str:
    """The middle third of the video."""
    duration_s = known_duration(question)
    return span_text(duration_s / 3, 2 * duration_s / 3)


def whole_video(question: Question, generator: random.Random) -> str:
    """From 0 to the end."""
    return span_text(0.0, known_duration(question))


def span_text(start_s: float, end_s: float) -> str:
    """A span as every model is asked to give it: ``[start, end]`` in seconds, three decimals."""
    return f"[{start_s:.3f}, {end_s:.3f}]"


def known_duration(question: Question) -> float:
    """The length of video B in seconds, by its record, else measured on the local file.

    Raises:
        OpenItem: neither is there.
    """
    if question.duration_s is not None:
        return question.duration_s
    if question.video is None:
        raise OpenItem("no duration_s, and no video in --cache to measure")
    from cmb_harness.media.cache import duration_of

    return duration_of(question.video)


class Baseline:
    """A model made of two rules: one for four options (S1, S2), one for spans (S3).

    Answers depend on the item and the seed alone, not on the order in which items are asked; S1, S2 and S3 of one
    concept are independent draws.
    """

    parallel = 1

    def __init__(self, name: str, choose: Rule, localize: Rule, seed: int = 0):
        self.name = name
        self.settings: Mapping[str, Any] = {"baseline": name, "seed": seed}
        self.needs_media: frozenset[str] = frozenset()
        self._choose = choose
        self._localize = localize
        self._seed = seed

    def answer(self, question: Question) -> Answer:
        """Answer by rule; the generator is seeded with the item, so that a resumed run draws the same."""
        generator = random.Random(f"{self._seed}/{question.item_id}")
        rule = self._localize if question.stage == "s3" else self._choose
        return Answer(rule(question, generator))

    def shown(self, question: Question) -> Sequence[Part]:
        """The prompt, though a baseline reads none of it."""
        return [Text(question.prompt)]

    def close(self) -> None:
        """Nothing is held."""


RULES: dict[str, tuple[Rule, Rule]] = {
    "chance": (random_choice, random_span),
    "always-a": (first_letter, random_span),
    "centre-span": (random_choice, centre_span),
    "whole-video": (random_choice, whole_video),
}
