"""``signal-reader``: a check of the whole line, made for the example release's synthetic videos.

It opens neither records nor keys. It computes the signature of the text that an item shows (`cmb_harness.media.
signature`), decodes the four clips or video B, and looks for it. Near-perfect S2 and S3 scores prove that ids, clips,
times and scoring line up: it wants the signature in a clip's first and in its last frame, so that a clip cut at a
wrong time makes it abstain. Names carry no signature, so on S1 it answers at chance.
"""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cmb_harness.media import signature
from cmb_harness.media.frames import sample_frames
from cmb_harness.media.video import MediaError
from cmb_harness.models.baselines import random_choice, span_text
from cmb_harness.models.interface import Answer, File, OpenItem, Part, Question, Text
from cmb_harness.prompts import LETTERS

SEARCH_FPS = 10.0


class SignalReader:
    """The model ``signal-reader``. ``seed`` is that of its S1 answers."""

    parallel = 1

    def __init__(self, seed: int = 0):
        self.name = "signal-reader"
        self.needs_media = frozenset({"s2", "s3"})
        self.settings: Mapping[str, Any] = {"baseline": self.name, "seed": seed, "fps": SEARCH_FPS}
        self._seed = seed

    def answer(self, question: Question) -> Answer:
        """A letter, a span, or the words that it found nothing."""
        if question.stage == "s1":
            return Answer(random_choice(question, random.Random(f"{self._seed}/{question.item_id}")))
        if question.stage == "s2":
            if not question.clips:
                return Answer("There are no clips.")
            return Answer(read_clips(question.clips, question.description or ""))
        if question.video is None:
            return Answer("There is no video.")
        return Answer(read_video(question.video, f"{question.concept_name}\n{question.cue}"))

    def shown(self, question: Question) -> Sequence[Part]:
        """The prompt and the files that it opens."""
        files = [*question.clips, *([question.video] if question.video else [])]
        return [*(File(path) for path in files), Text(question.prompt)]

    def close(self) -> None:
        """Nothing is held."""


def read_clips(clips: Sequence[Path], text: str) -> str:
    """The letter of the one clip that begins and ends with the signature of ``text``."""
    pattern = signature.pattern(text)
    found = [letter for letter, clip in zip(LETTERS, clips, strict=True) if frames_at_ends(clip, pattern)]
    return found[0] if len(found) == 1 else "No moment shows the signature from its first to its last frame."


def frames_at_ends(clip: Path, pattern: np.ndarray) -> bool:
    """Whether the first and the last frame of ``clip`` show ``pattern``."""
    frames = decode(clip)
    return bool(frames) and all(signature.matches(frame, pattern) for frame in (frames[0], frames[-1]))


def decode(path: Path) -> list[np.ndarray]:
    """All frames of a short clip, as uint8 arrays (height, width, 3).

    Raises:
        OpenItem: it cannot be decoded.
    """
    import av

    try:
        with av.open(str(path), metadata_errors="replace") as container:
            if not container.streams.video:
                return []
            return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    except av.error.FFmpegError as error:
        raise OpenItem(f"unreadable media: {path}: {error.strerror}") from None


def read_video(video: Path, text: str) -> str:
    """The span, in seconds, of the longest run of frames with the signature of ``text``."""
    pattern = signature.pattern(text)
    try:
        frames, times_s = sample_frames(video, fps=SEARCH_FPS)
    except MediaError as error:
        raise OpenItem(f"unreadable media: {error}") from None
    shown = np.array([signature.matches(frame, pattern) for frame in frames], dtype=bool)
    if not shown.any():
        return "The video does not show the signature."
    edges = np.flatnonzero(np.diff(np.concatenate(([0], shown.astype(np.int8), [0]))))
    runs = edges.reshape(-1, 2)
    first, after = runs[np.argmax(runs[:, 1] - runs[:, 0])]
    return span_text(float(times_s[first]), float(times_s[after - 1]) + 1 / SEARCH_FPS)
