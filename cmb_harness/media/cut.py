"""Clips: moments cut out of videos, exact to one frame at both ends.

A clip of [start_s, end_s] holds the frame on screen at ``start_s`` and every frame that begins after it and before
``end_s``. Its clock reads 0 at ``start_s``, for picture and sound alike; it lasts ``end_s - start_s``. It is H.264
and AAC in MP4 with the index in front, upright, with neither titles nor subtitles.
"""

import heapq
import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import av
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from cmb_harness.files import appearing_whole
from cmb_harness.media.sound import rate_and_layout, sound_between
from cmb_harness.media.video import (
    MediaError,
    Path,
    Timed,
    Upright,
    Video,
    frames_from,
    open_video,
    ticks_at,
    turns_of,
)

# Players round a video's length up to whole seconds, and moments are read off players.
END_SLACK_S = 1.0

# Ticks a second that a clip's clock has at least: containers may keep no finer time than a frame's length.
CLOCK_HZ = 10_000

# Visually lossless at the sizes in question. Without B-frames a frame is shown when it is decoded, so that the
# length of the last one can be said, and readers that know no edit lists read right times too.
X264_OPTIONS = {"preset": "veryfast", "crf": "18", "bf": "0"}


# Tick on the clip's clock, ticks on screen, frame.
Shot = tuple[int, int, VideoFrame]


def cut_clip(source: Path, target: Path, start_s: float, end_s: float, *, threads: int = 0) -> None:
    """Cut ``[start_s, end_s]`` out of ``source`` into the MP4 file ``target``.

    Args:
        source: a video in any container and codec that libav reads.
        target: the clip; it appears whole or not at all, and replaces one that is there.
        start_s: seconds from the start of the picture, at least 0.
        end_s: seconds; may pass the end of the picture by at most one second (the clip then ends with it).
        threads: threads of decoder and encoder, 0 for one a core.

    Raises:
        MediaError: the source cannot be read, or the picture ends before the moment does.
        ValueError: the two times are no moment.
    """
    if not (math.isfinite(start_s) and math.isfinite(end_s) and 0 <= start_s < end_s):
        raise ValueError(f"a moment needs 0 <= start_s < end_s, not {start_s!r} and {end_s!r}")
    # libav moves the index to the front by opening the file again by its name.
    with (
        appearing_whole(target) as name,
        open_video(source, threads=threads) as video,
        av.open(str(name), "w", format="mp4", options={"movflags": "+faststart"}) as clip,
    ):
        _write_clip(video, clip, start_s, end_s, threads)


def _write_clip(video: Video, clip: OutputContainer, start_s: float, end_s: float, threads: int) -> None:
    clock = _clock(video.time_base)
    shown = _shown(video, clock, start_s, end_s)
    first = next(shown)
    picture = _add_picture(clip, video, clock, first[2], threads)
    tracks = [_encode_picture(picture, first, shown)]
    sound = video.container.streams.best("audio")
    if isinstance(sound, AudioStream) and sound.codec_context is not None:
        origin = video.start * video.time_base + round(start_s / float(clock)) * clock
        tracks.append(_encode_sound(clip, video.path, origin, Fraction(end_s) - Fraction(start_s), sound))
    for _, packet in heapq.merge(*tracks, key=lambda timed: timed[0]):
        clip.mux(packet)


def _clock(time_base: Fraction) -> Fraction:
    """The time base of a clip: the video's, or a part of it that is fine enough for the ends of a moment."""
    return time_base / max(1, math.ceil(CLOCK_HZ * time_base))


def _shown(video: Video, clock: Fraction, start_s: float, end_s: float) -> Iterator[Shot]:
    """The frames that a moment holds, timed on the clip's clock."""
    fine = int(video.time_base / clock)
    start, end = round(start_s / float(clock)), ticks_at(end_s, clock)
    # What is on screen at the start is there from the clip's beginning on.
    at, held = 0, None
    for coarse, frame in frames_from(video, ticks_at(start_s, video.time_base)):
        tick = coarse * fine
        if held is not None:
            if tick < held[0]:
                raise MediaError(f"{video.path}: its frames come out of order in time")
            if tick >= end:
                yield at, max(end - start - at, 1), held[1]
                return
            if tick - start <= at:
                continue
            yield at, tick - start - at, held[1]
            at = tick - start
        held = (tick, frame)
    yield _last_shot(video, clock, start, end_s, held)


def _last_shot(video: Video, clock: Fraction, start: int, end_s: float, held: Timed | None) -> Shot:
    """The last frame of a video that ends inside the moment, if it ends where rounding could explain it."""
    start_s = float(start * clock)
    if held is None:
        raise MediaError(f"{video.path}: no frame can be decoded at {start_s:.3f} s")
    tick, frame = held
    rate = video.stream.average_rate or 25
    length = round((frame.duration or 0) * video.time_base / clock) or round(1 / (rate * clock)) or 1
    video_end_s = float((tick + length) * clock)
    if video_end_s <= start_s or end_s - video_end_s > END_SLACK_S:
        raise MediaError(
            f"{video.path}: the picture ends at {video_end_s:.3f} s, before the moment "
            f"{start_s:.3f}-{end_s:.3f} s does"
        )
    last = min(tick + length, max(ticks_at(end_s, clock), start + 1))
    return max(tick - start, 0), max(last - max(tick, start), 1), frame


def _add_picture(
    clip: OutputContainer, video: Video, clock: Fraction, frame: VideoFrame, threads: int
) -> VideoStream:
    stream = clip.add_stream("libx264", rate=video.stream.average_rate or 25, options=X264_OPTIONS)
    turned = turns_of(frame) % 2 == 1
    height, width = (frame.width, frame.height) if turned else (frame.height, frame.width)
    context = stream.codec_context
    # 4:2:0 has no odd sizes; every decoder plays 4:2:0.
    context.width, context.height, context.pix_fmt = width & ~1, height & ~1, "yuv420p"
    aspect = video.stream.sample_aspect_ratio
    if aspect:
        context.sample_aspect_ratio = 1 / aspect if turned else aspect
    context.color_range, context.colorspace = frame.color_range, frame.colorspace
    context.color_primaries, context.color_trc = frame.color_primaries, frame.color_trc
    context.time_base = stream.time_base = clock
    # PyAV's default, slices, keeps fewer cores busy.
    context.thread_count, context.thread_type = threads, "AUTO"
    return stream


def _encode_picture(stream: VideoStream, first: Shot, rest: Iterator[Shot]) -> Iterator[tuple[float, Packet]]:
    upright = Upright(stream.codec_context.width, stream.codec_context.height)
    lengths: dict[int, int] = {}
    for at, length, frame in itertools.chain([first], rest):
        lengths[at] = length
        picture = upright(frame)
        # The encoder would repeat the frame types of the source.
        picture.pict_type = 0
        picture.pts, picture.time_base = at, stream.codec_context.time_base
        yield from _timed(stream.encode(picture), lengths)
    yield from _timed(stream.encode(None), lengths)


def _encode_sound(
    clip: OutputContainer, path: Path, origin: Fraction, length: Fraction, source: AudioStream
) -> Iterator[tuple[float, Packet]]:
    rate, layout = rate_and_layout(source)
    stream = clip.add_stream("aac", rate=rate, layout=layout)
    return _packets_of_sound(stream, sound_between(path, origin, length, rate, layout))


def _packets_of_sound(stream: AudioStream, frames: Iterator[AudioFrame]) -> Iterator[tuple[float, Packet]]:
    for frame in frames:
        yield from _timed(stream.encode(frame))
    yield from _timed(stream.encode(None))


def _timed(packets: list[Packet], lengths: dict[int, int] | None = None) -> Iterator[tuple[float, Packet]]:
    for packet in packets:
        if lengths is not None:
            # The muxer guesses the last frame's length from the others unless it is told.
            packet.duration = lengths.pop(packet.pts or 0, packet.duration or 0)
        yield float((packet.dts or 0) * packet.time_base), packet
