"""Frames sampled from a video: those that decoding everything would give, decoding as little as it can.

The times of all frames are read first, from the packets, which costs next to nothing. Then only the stretches that
lead from a keyframe to a wanted frame are decoded, and in them no frame that nothing refers to. Wanted frames that
lie close together make one stretch, so that a dense sampling is one pass and a sparse one a few seeks. Stretches do
not depend on each other, so the cores share them: that keeps all of them busy, where the threads of one decoder wait
for each other at every seek.
"""

import itertools
import math
import numbers
import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction

import av
import numpy as np
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.reformatter import Interpolation, VideoReformatter

from cmb_harness.media.video import MediaError, Path, Video, open_video, skip_unreferenced, ticks_at, turns_of

# Packets worth decoding rather than skipping with a seek, which empties the decoder's pipeline.
SEEK_WORTH = 16

# Each holds a decoder with its pictures: more would cost memory rather than save time.
MOST_WORKERS = 8


@dataclass(frozen=True)
class Timeline:
    """When each frame of a video is shown, read from its packets alone.

    Attributes:
        pts: (n,) int64, times in ticks of the file's own clock, in the order of decoding.
        key: (n,) bool, packets that decoding can begin with.
        start: the tick at which the picture starts.
        end: the tick at which its last frame ends.
    """

    pts: np.ndarray
    key: np.ndarray
    start: int
    end: int


def timeline_of(path: Path) -> tuple[Timeline, Fraction]:
    """The timeline of a video and its time base (seconds a tick).

    Raises:
        MediaError: the file cannot be read, or not one of its frames has a time.
    """
    with open_video(path) as video:
        timeline = read_timeline(video)
    return timeline or decoded_timeline(path), video.time_base


def read_timeline(video: Video) -> Timeline | None:
    """The timeline of an open video; None if its packets do not tell their times. Reads the video to its end."""
    pts, key, end, last_length = list[int](), list[bool](), video.start, 0
    for packet in video.container.demux(video.stream):
        if packet.size == 0 or packet.is_discard:
            continue
        if packet.pts is None:
            return None
        pts.append(packet.pts)
        key.append(packet.is_keyframe)
        length = packet.duration or 0
        if packet.pts + length >= end:
            end, last_length = packet.pts + length, length
    if not pts:
        return None
    if not last_length:
        end += _usual_length(np.array(pts))
    times, keys = np.array(pts, dtype=np.int64), np.array(key)
    # A recording that begins in the middle of a group of pictures: what is stored or shown before its first keyframe
    # cannot be decoded.
    first = int(np.argmax(keys))
    kept = (np.arange(len(times)) >= first) & (times >= times[first])
    return Timeline(times[kept], keys[kept], video.start, end)


def _usual_length(pts: np.ndarray) -> int:
    return int(np.median(np.diff(np.sort(pts)))) if len(pts) > 1 else 1


def sample_frames(
    path: Path, *, fps: float = 1.0, count: int | None = None, size: int = 224, threads: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Frames of a video at regular times.

    Args:
        path: the video.
        fps: frames a second: the frames on screen at k / fps, k = 0, 1, … before the video's end.
        count: if given, so many frames instead: those on screen at the centres of ``count`` equal parts.
        size: pixels; the whole picture, upright, is squashed into a square (bicubic).
        threads: cores to use, 0 for all that this process may run on.

    Returns:
        ``(frames, times_s)``: uint8 RGB (n, size, size, 3), and float64 (n,), the times that were asked for, in
        seconds from the start of the picture.

    Raises:
        MediaError: the video cannot be decoded.
        ValueError: ``fps``, ``count`` or ``size`` is not positive, or one of the last two no whole number.
    """
    whole = {"size": size, "threads": threads, **({} if count is None else {"count": count})}
    for name, value in whole.items():
        if not isinstance(value, numbers.Integral) or value < (0 if name == "threads" else 1):
            raise ValueError(
                f"fps, count and size must be positive, count and size whole, not {name}={value!r}"
            )
    if not (isinstance(fps, numbers.Real) and math.isfinite(fps) and fps > 0):
        raise ValueError(f"fps, count and size must be positive, not fps={fps!r}")
    timeline, time_base = timeline_of(path)
    times_s = sample_times(float((timeline.end - timeline.start) * time_base), fps=fps, count=count)
    ticks = [timeline.start + ticks_at(time_s, time_base) for time_s in times_s]
    shown = np.sort(timeline.pts)
    wanted = shown[np.maximum(np.searchsorted(shown, ticks, side="right") - 1, 0)]
    return _pictures_at(path, timeline, wanted, size, threads or _cores()), times_s


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        # Only Linux tells which cores a process may use.
        return os.cpu_count() or 1


def sample_times(duration_s: float, *, fps: float, count: int | None) -> np.ndarray:
    """Seconds at which frames are taken from a video of a duration: (n,) float64."""
    if count is not None:
        return (np.arange(count) + 0.5) * duration_s / count
    # A microsecond is less than any frame lasts: the last sample needs a frame on screen.
    return np.arange(max(math.ceil((duration_s - 1e-6) * fps), 1)) / fps


def _pictures_at(path: Path, timeline: Timeline, wanted: np.ndarray, size: int, threads: int) -> np.ndarray:
    """RGB pictures (n, size, size, 3) of the frames shown from the ticks ``wanted`` (n,)."""
    pictures = np.empty((len(wanted), size, size, 3), dtype=np.uint8)
    shares = _shares(_approaches(timeline, wanted), min(threads, MOST_WORKERS))

    def fill(frames: Iterable[VideoFrame]) -> set[int]:
        square, found = _Square(size), set[int]()
        for frame in frames:
            chosen = wanted == frame.pts
            if frame.pts not in found and chosen.any():
                pictures[chosen] = square(frame)
                found.add(frame.pts or 0)
        return found

    def work(share: Sequence[Approach]) -> set[int]:
        return fill(_decode_stretches(path, timeline, share, threads // len(shares)))

    with ThreadPoolExecutor(max_workers=len(shares)) as pool:
        found = set[int]().union(*pool.map(work, shares))
    missing = {int(pts) for pts in wanted} - found
    if missing:
        # An index that leads nowhere: from end to end.
        missing -= fill(_decode_all(path))
    if missing:
        raise MediaError(
            f"{path}: {len(missing)} of its frames cannot be decoded, the first at tick {min(missing)}"
        )
    return pictures


class _Square:
    def __init__(self, size: int):
        self.size = size
        self._reformatter = VideoReformatter()

    def __call__(self, frame: VideoFrame) -> np.ndarray:
        small = self._reformatter.reformat(
            frame, self.size, self.size, "rgb24", interpolation=Interpolation.BICUBIC, threads=1
        )
        return np.rot90(small.to_ndarray(), turns_of(frame))


def _decode_all(path: Path) -> Iterator[VideoFrame]:
    with open_video(path) as video:
        yield from video.container.decode(video.stream)


def decoded_timeline(path: Path) -> Timeline:
    """The timeline of a video, found by decoding all of it.

    Raises:
        MediaError: not one frame can be decoded.
    """
    pts, end = list[int](), 0
    with open_video(path) as video:
        for frame in video.container.decode(video.stream):
            if frame.pts is not None:
                pts.append(frame.pts)
                end = frame.pts + (frame.duration or 0)
    if not pts:
        raise MediaError(f"{path}: no frame can be decoded")
    if end == pts[-1]:
        end += _usual_length(np.array(pts))
    # Without times in the packets there is nothing to seek by: only the first frame is a place to begin.
    return Timeline(np.array(pts, dtype=np.int64), np.arange(len(pts)) == 0, video.start, end)


# Where decoding has to begin for a wanted frame, and the frame: two places in the order of decoding.
Approach = tuple[int, int]


def _approaches(timeline: Timeline, wanted: np.ndarray) -> list[Approach]:
    """How to get to each wanted tick, in order of time, each once."""
    keys = np.flatnonzero(timeline.key)
    index_of = {int(pts): index for index, pts in enumerate(timeline.pts)}
    approaches = []
    for pts in np.unique(wanted):
        index = index_of[int(pts)]
        before = keys[: bisect_right(keys, index)]
        # A frame stored after a keyframe but shown before it needs the keyframe before that one.
        approaches.append((next((int(key) for key in before[::-1] if timeline.pts[key] <= pts), 0), index))
    return approaches


def _shares(approaches: Sequence[Approach], workers: int) -> list[Sequence[Approach]]:
    """The approaches in order, in as many parts of about the same size; what begins at one keyframe stays together."""
    groups = [list(group) for _, group in itertools.groupby(approaches, key=lambda approach: approach[0])]
    bounds = [len(groups) * k // workers for k in range(workers + 1)]
    parts = [list(itertools.chain(*groups[a:b])) for a, b in itertools.pairwise(bounds)]
    return [part for part in parts if part]


def _stretches(approaches: Iterable[Approach]) -> Iterator[tuple[int, int, list[int]]]:
    """(first packet, last packet, wanted packets) of the stretches to decode, in order."""
    first, last, inside = 0, -1, list[int]()
    for begin, index in approaches:
        if inside and begin > last + SEEK_WORTH:
            yield first, last, inside
            inside = []
        if not inside:
            first, last = begin, index
        last = max(last, index)
        inside.append(index)
    if inside:
        yield first, last, inside


def _decode_stretches(
    path: Path, timeline: Timeline, approaches: Sequence[Approach], threads: int
) -> Iterator[VideoFrame]:
    with open_video(path, threads=threads) as video:
        at_start = True
        for first, last, inside in _stretches(approaches):
            if not (at_start and first <= SEEK_WORTH):
                packets = _seek_to(video, int(timeline.pts[first]))
            else:
                packets = video.container.demux(video.stream)
            at_start = False
            wanted = {int(timeline.pts[index]) for index in inside}
            yield from _decode_wanted(video, packets, int(timeline.pts[last]), wanted)


def _seek_to(video: Video, pts: int) -> Iterator[Packet]:
    """Packets from the keyframe shown at ``pts`` on; none if seeking does not find it."""
    second = round(1 / video.time_base)
    for back_s in (0, 1, 2, 4, 8, 16, 32):
        try:
            video.container.seek(max(pts - back_s * second, video.start), stream=video.stream)
        except av.error.FFmpegError:
            return
        packets = video.container.demux(video.stream)
        for packet in packets:
            if packet.pts == pts and packet.is_keyframe:
                yield packet
                yield from packets
                return
            if packet.is_keyframe and packet.pts is not None and packet.pts > pts:
                break


def _decode_wanted(
    video: Video, packets: Iterator[Packet], last: int, wanted: set[int]
) -> Iterator[VideoFrame]:
    context, packet = video.stream.codec_context, None
    for packet in packets:
        skip_unreferenced(context, packet.size > 0 and packet.pts not in wanted)
        yield from packet.decode()
        if packet.pts == last:
            break
    if packet is not None and packet.size:
        yield from context.decode(None)
