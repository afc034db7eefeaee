"""The texts that a model gets: templates read from ``cmb_harness/prompts/``, filled by pure functions.

No prompt names a video, a title, a file or a second of video A (paper, 3.2: S2 moments are unlabelled). What is
carried from an earlier stage is worded in `cmb_harness.modes`.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from string import Template

LETTERS = "ABCD"
STAGES = ("s1", "s2", "s3")


def s1_prompt(description: str, options: Sequence[str]) -> str:
    """Stage 1: four names, lettered A-D in the order given."""
    lettered = "\n".join(f"{letter}. {option}" for letter, option in zip(LETTERS, options, strict=True))
    return template("s1").substitute(description=description, options=lettered)


def s2_prompt(description: str, context: str = "") -> str:
    """Stage 2: four moments, shown beside the text as clips A-D."""
    return template("s2").substitute(description=description, context=_paragraph(context))


def s3_prompt(concept_name: str, cue: str, duration_s: float | None, context: str = "") -> str:
    """Stage 3: a span of one video. ``duration_s`` is that of video B, None where it is unknown."""
    length = "" if duration_s is None else f" It lasts {duration_s:g} seconds."
    return template("s3").substitute(
        concept_name=concept_name, cue=cue, length=length, context=_paragraph(context)
    )


@cache
def template(stage: str) -> Template:
    """The template of one stage, as it is shipped."""
    return Template(_source(stage))


@cache
def prompts_version() -> str:
    """Eight hex digits of the SHA-256 of all templates: it changes when any of them does."""
    return hashlib.sha256("\0".join(map(_source, STAGES)).encode()).hexdigest()[:8]


def _source(stage: str) -> str:
    return resources.files("cmb_harness").joinpath("prompts", f"{stage}.txt").read_text("utf-8")


def _paragraph(text: str) -> str:
    return f"{text}\n\n" if text else ""
