"""Frames sampled from a video: those that decoding everything would give, decoding as little as it can.

The times of all frames are read first, from the packets, which costs next to nothing. Then only the stretches that
lead from a keyframe to a wanted frame are decoded, and in them no frame that nothing refers to. Wanted frames that
lie close together make one stretch, so that a dense sampling is one pass and a sparse one a few seeks.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
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
    return Timeline(np.array(pts, dtype=np.int64), np.array(key), video.start, end)


def _usual_length(pts: np.ndarray) -> int:
    return int(np.median(np.diff(np.sort(pts)))) if len(pts) > 1 else 1


def sample_frames(
    path: Path, *, fps: float = 1.0, count: int | None = None, size: int = 224
) -> tuple[np.ndarray, np.ndarray]:
    """Frames of a video at regular times.

    Args:
        path: the video.
        fps: frames a second: the frames on screen at k / fps, k = 0, 1, … before the video's end.
        count: if given, so many frames instead: those on screen at the centres of ``count`` equal parts.
        size: pixels; the whole picture, upright, is squashed into a square (bicubic).

    Returns:
        ``(frames, times_s)``: uint8 RGB (n, size, size, 3), and float64 (n,), the times that were asked for, in
        seconds from the start of the picture.

    Raises:
        MediaError: the video cannot be decoded.
        ValueError: ``fps``, ``count`` or ``size`` is not positive.
    """
    if not (math.isfinite(fps) and fps > 0) or size < 1 or (count is not None and count < 1):
        raise ValueError(f"fps, count and size must be positive, not {fps!r}, {count!r} and {size!r}")
    timeline, time_base = timeline_of(path)
    times_s = sample_times(float((timeline.end - timeline.start) * time_base), fps=fps, count=count)
    ticks = [timeline.start + ticks_at(time_s, time_base) for time_s in times_s]
    shown = np.sort(timeline.pts)
    wanted = shown[np.maximum(np.searchsorted(shown, ticks, side="right") - 1, 0)]
    return _pictures_at(path, timeline, wanted, size), times_s


def sample_times(duration_s: float, *, fps: float, count: int | None) -> np.ndarray:
    """Seconds at which frames are taken from a video of a duration: (n,) float64."""
    if count is not None:
        return (np.arange(count) + 0.5) * duration_s / count
    # A microsecond is less than any frame lasts: the last sample needs a frame on screen.
    return np.arange(max(math.ceil((duration_s - 1e-6) * fps), 1)) / fps


def _pictures_at(path: Path, timeline: Timeline, wanted: np.ndarray, size: int) -> np.ndarray:
    """RGB pictures (n, size, size, 3) of the frames shown from the ticks ``wanted`` (n,)."""
    pictures = np.empty((len(wanted), size, size, 3), dtype=np.uint8)
    missing = {int(pts) for pts in wanted}
    square = _Square(size)
    for frames in (_decode_stretches(path, timeline, sorted(missing)), _decode_all(path)):
        for frame in frames:
            if frame.pts in missing:
                missing.discard(frame.pts)
                pictures[wanted == frame.pts] = square(frame)
        if not missing:
            return pictures
    raise MediaError(
        f"{path}: {len(missing)} of its frames cannot be decoded, the first at tick {min(missing)}"
    )


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


def _stretches(timeline: Timeline, wanted: Sequence[int]) -> Iterator[tuple[int, int, set[int]]]:
    """(first packet, last packet, wanted ticks) of the stretches to decode, in order; packets by their index."""
    keys = np.flatnonzero(timeline.key)
    index_of = {int(pts): index for index, pts in enumerate(timeline.pts)}
    first, last, inside = 0, -1, set[int]()
    for pts in wanted:
        index = index_of[pts]
        before = keys[: bisect_right(keys, index)]
        # A frame stored after a keyframe but shown before it needs the keyframe before that one.
        begin = next((int(key) for key in before[::-1] if timeline.pts[key] <= pts), 0)
        if inside and begin > last + SEEK_WORTH:
            yield first, last, inside
            first, last, inside = begin, index, set()
        elif not inside:
            first = begin
        last = max(last, index)
        inside.add(pts)
    if inside:
        yield first, last, inside


def _decode_stretches(path: Path, timeline: Timeline, wanted: Sequence[int]) -> Iterator[VideoFrame]:
    with open_video(path) as video:
        at_start = True
        for first, last, inside in _stretches(timeline, wanted):
            if not (at_start and first <= SEEK_WORTH):
                packets = _seek_to(video, int(timeline.pts[first]))
            else:
                packets = video.container.demux(video.stream)
            at_start = False
            yield from _decode_wanted(video, packets, int(timeline.pts[last]), inside)


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
    context = video.stream.codec_context
    for packet in packets:
        skip_unreferenced(context, packet.size > 0 and packet.pts not in wanted)
        yield from packet.decode()
        if packet.pts == last:
            break
    if packet.size:
        yield from context.decode(None)
