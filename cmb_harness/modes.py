"""What a model sees of its earlier stages: nothing (``reset``), its answers (``carry``), the truth too (``feedback``).

Paper, 4.1. What exactly is shown is our choice, since the paper does not say: S1's answer is carried by name, never by
letter, because S2 has its own order; S2's answer is carried to S3 by letter, beside the description, with no name, clip
or second of video A. ``previous`` carries the stage before alone, ``all`` every earlier stage.
"""

from dataclasses import dataclass

from cmb_harness.prompts import LETTERS, Prompts

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


def naming_context(prompts: Prompts, naming: Naming) -> str:
    """The sentences that carry S1 into S2."""
    return prompts.fill("naming", answer=naming.answer or NO_ANSWER, truth=_truth(prompts, naming.truth))


def recognition_context(prompts: Prompts, recognition: Recognition) -> str:
    """The sentences that carry S2 into S3: the description again, and letters only."""
    truth = None if recognition.truth is None else _moment(recognition.truth)
    return prompts.fill(
        "recognition",
        description=recognition.description,
        answer=_moment(recognition.answer),
        truth=_truth(prompts, truth),
    )


def s3_context(prompts: Prompts, recognition: Recognition, naming: Naming | None = None) -> str:
    """What S3 is told: S2 alone (context ``previous``), or S1 and S2 (context ``all``, with ``naming``)."""
    carried = recognition_context(prompts, recognition)
    if naming is None:
        return carried
    named = naming_context(prompts, naming)
    described = prompts.fill("naming_described", naming=named, description=naming.description)
    return f"{described}\n\n{carried}"


def _truth(prompts: Prompts, truth: str | None) -> str:
    return "" if truth is None else prompts.fill("truth", truth=truth)


def _moment(index: int | None) -> str:
    return NO_ANSWER if index is None else f"moment {LETTERS[index]}"
