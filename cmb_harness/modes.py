"""What a model sees of its earlier stages: nothing (``reset``), its answers (``carry``), the truth too (``feedback``).

Paper, 4.1. What exactly is shown is our choice, since the paper does not say: S1's answer is carried by name, never by
letter, because S2 has its own order; S2's answer is carried to S3 by letter, beside the description, with no name, clip
or second of video A. ``previous`` carries the stage before alone, ``all`` every earlier stage.
"""

from dataclasses import dataclass

from cmb_harness.prompts import LETTERS

CONTEXTS = ("previous", "all")
NO_ANSWER = "no valid answer"


@dataclass(frozen=True)
class Naming:
    """The outcome of S1 as it is carried.

    Attributes:
        description: the description that was asked.
        answer: the name that the model chose; None when it gave no valid answer.
        truth: the right name in ``feedback``, else None.
    """

    description: str
    answer: str | None
    truth: str | None = None


@dataclass(frozen=True)
class Recognition:
    """The outcome of S2 as it is carried: ``answer`` and ``truth`` are option indices 0-3, or None as in `Naming`."""

    description: str
    answer: int | None
    truth: int | None = None


def naming_context(naming: Naming) -> str:
    """The sentences that carry S1 into a later stage."""
    told = f"Earlier you were asked to name this concept. Your answer: {naming.answer or NO_ANSWER}."
    return told if naming.truth is None else f"{told} The correct answer: {naming.truth}."


def recognition_context(recognition: Recognition) -> str:
    """The sentences that carry S2 into S3: the description again, and letters only."""
    told = (
        "Earlier you were asked which of four moments of other videos, A to D, shows what this text describes: "
        f'"{recognition.description}" Your answer: {_moment(recognition.answer)}.'
    )
    return told if recognition.truth is None else f"{told} The correct answer: {_moment(recognition.truth)}."


def s3_context(recognition: Recognition, naming: Naming | None = None) -> str:
    """What S3 is told: S2 alone (context ``previous``), or S1 and S2 (context ``all``, with ``naming``)."""
    parts = [recognition_context(recognition)]
    if naming is not None:
        parts.insert(0, f'{naming_context(naming)} The concept was described so: "{naming.description}"')
    return "\n\n".join(parts)


def _moment(index: int | None) -> str:
    return NO_ANSWER if index is None else f"moment {LETTERS[index]}"
