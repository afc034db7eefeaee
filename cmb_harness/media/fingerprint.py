"""A fingerprint of a video's picture that survives re-encoding, scaling and another frame rate.

It is a row of tiny grey pictures (8 x 8, 16 levels), one every ``step_s`` seconds, the first a bit over half a step
in. A video is held against it by its *track*, one such picture every half second: it is the same video if the tiny
pictures hardly differ, and differ least when laid on each other unshifted. A shift inside a picture that stands still
cannot be seen, and does no harm.
"""

import math
from dataclasses import dataclass

import numpy as np
from av.video.frame import VideoFrame
from av.video.reformatter import Interpolation, VideoReformatter

from cmb_harness.media.video import LONGEST_S, MediaError, turns_of

SIDE = 8
LEVELS = 16
MOST_PICTURES = 64
# Pictures of a track, a second. The first is taken a little after the start: slides change on whole and half seconds,
# and a re-encoding may put a change one frame earlier or later.
RATE = 2
FIRST_S = 0.137
# Added before the grey levels are cut to sixteen, a different amount in each place: where a picture gets a little
# brighter a few of its levels change, and not all at once.
DITHER = np.arange(SIDE * SIDE, dtype=np.uint16) * 7 % LEVELS

# In sixteenths of the range from black to white. Re-encodings stay below a tenth; other pictures lie above one.
SAME_PICTURE = 0.75
# The share of pictures that may differ all the same (and one may): a cut between two scenes may fall a frame earlier.
DIFFERENT_SHARE = 0.04
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
    if not 1 <= int(step_s) <= LONGEST_S or not levels:
        raise ValueError(f"a fingerprint with a step of {step_s} s and {len(levels)} levels")
    return Fingerprint(
        int(step_s), np.array([int(level, LEVELS) for level in levels], np.uint8).reshape(-1, SIDE**2)
    )


def usual_step(duration_s: float) -> int:
    """Whole seconds between the pictures of a video of that length: 64 pictures at most."""
    return max(math.ceil(duration_s / MOST_PICTURES), 1)


@dataclass(frozen=True)
class Track:
    """Tiny pictures of a video at closer times than its fingerprint keeps.

    Attributes:
        pictures: uint8 (n, 64), grey levels 0 to 15, one every half second, the first 0.137 s after the start.
    """

    pictures: np.ndarray

    def fingerprint(self, step_s: int) -> Fingerprint:
        """The fingerprint with a picture every ``step_s`` seconds; of a video shorter than half of that, its last."""
        return Fingerprint(step_s, self.pictures[_places(step_s, len(self.pictures))])


def _places(step_s: int, length: int) -> np.ndarray:
    """Where the pictures of a fingerprint lie on a track of some length."""
    return (
        np.arange(step_s * RATE // 2, length, step_s * RATE)
        if length > step_s * RATE // 2
        else np.array([length - 1])
    )


class Fingerprinter:
    """Takes tiny pictures while a video is being decoded; frames come in order of time."""

    def __init__(self) -> None:
        self._pictures: list[np.ndarray] = []
        self._last: VideoFrame | None = None
        self._reformatter = VideoReformatter()

    def see(self, time_s: float, frame: VideoFrame) -> None:
        """Take note of a frame shown from ``time_s`` on, in seconds from the start of the picture."""
        # A picture is due when the frame after it comes: until then the last one is on screen.
        if time_s > LONGEST_S:
            raise MediaError(f"a frame is said to be shown at {time_s:.0f} s: no video is that long")
        self._take_until(time_s - 1e-3)
        self._last = frame

    def finish(self, end_s: float) -> Track:
        """The track of all that was seen; the last frame stays on screen until ``end_s``."""
        self._take_until(end_s)
        if self._last is not None and not self._pictures:
            self._pictures.append(self._picture_of(self._last))
        return Track(np.array(self._pictures, np.uint8).reshape(-1, SIDE * SIDE))

    def _take_until(self, time_s: float) -> None:
        """Take all pictures that are due before a time, of the frame that is on screen until then."""
        due = math.ceil((time_s - FIRST_S) * RATE) - len(self._pictures)
        if self._last is not None and due > 0:
            self._pictures += [self._picture_of(self._last)] * due

    def _picture_of(self, frame: VideoFrame) -> np.ndarray:
        small = self._reformatter.reformat(
            frame, SIDE, SIDE, "gray", interpolation=Interpolation.AREA, threads=1
        )
        grey = np.rot90(small.to_ndarray(), turns_of(frame)).ravel() + DITHER
        return (grey // (256 // LEVELS)).clip(0, LEVELS - 1).astype(np.uint8)


def difference(known: Fingerprint, seen: Track) -> str | None:
    """What tells a video from the one that a fingerprint is of, in words; None if their pictures are the same.

    Only the times that both have are compared: that the lengths agree is another question.

    Args:
        known: the fingerprint.
        seen: the track of the video in question.
    """
    places = _places(known.step_s, len(seen.pictures))[: len(known.pictures)]
    misfit = _misfit(known.pictures[: len(places)], seen.pictures[places])
    different = int((misfit > SAME_PICTURE).sum())
    shift_s = _better_shift(known, seen.pictures, float(misfit.mean()) if len(places) else 0.0)
    if shift_s:
        return (
            f"its picture comes about {abs(shift_s):g} s {'later' if shift_s > 0 else 'earlier'} than it did"
        )
    if different > max(DIFFERENT_SHARE * len(places), 1):
        return f"{different} of {len(places)} sampled pictures differ"
    return None


def _misfit(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """(n,) mean differences of pictures, in sixteenths."""
    return np.abs(first.astype(np.int16) - second).mean(axis=1)


def _better_shift(known: Fingerprint, track: np.ndarray, unshifted: float) -> float:
    """Seconds, in halves, by which the track fits much better when moved; 0 if there are none such."""
    count, best, fit = len(known.pictures), 0, SHIFT_GAIN * unshifted
    # Half of the pictures must still lie on each other, and some, for the fit to mean anything.
    if unshifted <= NOISE or count < 4:
        return 0.0
    places = known.step_s * (2 * np.arange(count) + 1) * RATE // 2
    for shift in range(-places[-1] // 2, places[-1] // 2 + 1):
        moved = places + shift
        inside = (moved >= 0) & (moved < len(track))
        if inside.sum() < count / 2:
            continue
        misfit = float(_misfit(known.pictures[inside], track[moved[inside]]).mean())
        if misfit < fit:
            best, fit = shift, misfit
    return best / RATE
