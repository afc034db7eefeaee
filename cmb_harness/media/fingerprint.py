"""A fingerprint of a video's picture that survives re-encoding, scaling and another frame rate.

It is a row of tiny grey pictures (8 x 8, 16 levels), one every ``step_s`` seconds, the first half a step in. Two
videos are the same if their tiny pictures hardly differ, and differ least when laid on each other unshifted. A shift
inside a picture that stands still cannot be seen, and does no harm.
"""

import math
from dataclasses import dataclass

import numpy as np
from av.video.frame import VideoFrame
from av.video.reformatter import Interpolation, VideoReformatter

from cmb_harness.media.video import turns_of

SIDE = 8
LEVELS = 16
MOST_PICTURES = 64

# In sixteenths of the range from black to white. Re-encodings stay below a tenth; other pictures lie above one.
SAME_PICTURE = 0.75
# The share of pictures that may differ all the same: a cut between two scenes may fall a frame earlier.
DIFFERENT_SHARE = 0.1
# How much better a shifted video must fit to be called shifted, and from which misfit on the question is asked.
SHIFT_GAIN = 0.5
NOISE = 0.1


@dataclass(frozen=True)
class Fingerprint:
    """Tiny pictures of a video.

    Attributes:
        step_s: whole seconds between two pictures.
        pictures: uint8 (n, 64), grey levels 0 to 15.
    """

    step_s: int
    pictures: np.ndarray

    def __str__(self) -> str:
        return f"1:{self.step_s}:" + "".join(f"{level:x}" for level in self.pictures.ravel())


def read_fingerprint(text: str) -> Fingerprint:
    """The fingerprint that a manifest's string holds.

    Raises:
        ValueError: it is none of this version.
    """
    version, step_s, levels = text.split(":")
    if version != "1" or len(levels) % (SIDE * SIDE):
        raise ValueError(f"no fingerprint of version 1: {text[:40]!r}")
    return Fingerprint(
        int(step_s), np.array([int(level, LEVELS) for level in levels], np.uint8).reshape(-1, SIDE**2)
    )


def usual_step(duration_s: float) -> int:
    """Whole seconds between the pictures of a video of that length: 64 pictures at most."""
    return max(math.ceil(duration_s / MOST_PICTURES), 1)


class Fingerprinter:
    """Takes tiny pictures while a video is being decoded; frames come in order of time.

    Args:
        step_s: whole seconds between two pictures.
    """

    def __init__(self, step_s: int):
        self.step_s = step_s
        self._pictures: list[np.ndarray] = []
        self._last: VideoFrame | None = None
        self._reformatter = VideoReformatter()

    def see(self, time_s: float, frame: VideoFrame) -> None:
        """Take note of a frame shown from ``time_s`` on, in seconds from the start of the picture."""
        # A picture is due when the frame after it comes: until then the last one is on screen.
        while self._last is not None and time_s > self._due_s + 1e-3:
            self._take(self._last)
        self._last = frame

    def finish(self, end_s: float) -> Fingerprint:
        """The fingerprint of all that was seen; the last frame stays on screen until ``end_s``."""
        while self._last is not None and (self._due_s < end_s or not self._pictures):
            self._take(self._last)
        return Fingerprint(self.step_s, np.array(self._pictures, np.uint8).reshape(-1, SIDE * SIDE))

    @property
    def _due_s(self) -> float:
        return (len(self._pictures) + 0.5) * self.step_s

    def _take(self, frame: VideoFrame) -> None:
        small = self._reformatter.reformat(
            frame, SIDE, SIDE, "gray", interpolation=Interpolation.AREA, threads=1
        )
        picture = np.rot90(small.to_ndarray(), turns_of(frame))
        self._pictures.append((picture // (256 // LEVELS)).ravel())


def difference(first: Fingerprint, second: Fingerprint) -> str | None:
    """What tells two videos apart, in words; None if their pictures are the same.

    Only the pictures that both have are compared: that the lengths agree is another question.

    Raises:
        ValueError: their steps differ, so that their pictures are of different times.
    """
    if first.step_s != second.step_s:
        raise ValueError(f"fingerprints of different steps: {first.step_s} and {second.step_s} s")
    common = min(len(first.pictures), len(second.pictures))
    misfit = _misfit(first.pictures[:common], second.pictures[:common])
    different = int((misfit > SAME_PICTURE).sum())
    shift = _better_shift(first.pictures, second.pictures, float(misfit.mean()) if common else 0.0)
    if shift:
        return f"its picture fits better when shifted by about {shift * first.step_s} s"
    if different > DIFFERENT_SHARE * common:
        return f"{different} of {common} sampled pictures differ"
    return None


def _misfit(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """(n,) mean differences of pictures, in sixteenths."""
    return np.abs(first.astype(np.int16) - second).mean(axis=1)


def _better_shift(first: np.ndarray, second: np.ndarray, unshifted: float) -> int:
    """The shift, in pictures, at which the two fit much better than unshifted; 0 if there is none."""
    best, fit = 0, SHIFT_GAIN * unshifted
    # Half of the pictures must still lie on each other, and some, for the fit to mean anything.
    reach = min(len(first), len(second)) // 2
    if unshifted <= NOISE or reach < 2:
        return 0
    for shift in [*range(-reach, 0), *range(1, reach + 1)]:
        one, other = (first[shift:], second) if shift > 0 else (first, second[-shift:])
        common = min(len(one), len(other))
        misfit = float(_misfit(one[:common], other[:common]).mean())
        if misfit < fit:
            best, fit = shift, misfit
    return best
