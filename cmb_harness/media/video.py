"""An open video: its picture stream, its clock, and its frames from any point on.

Times are integers, *ticks* of the picture stream's time base counted from the stream's ``start_time``; seconds
appear only in the arguments and results of public functions.
"""

import contextlib
import itertools
import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import av
import av.filter
from av.container import InputContainer
from av.packet import Packet
from av.video.codeccontext import VideoCodecContext
from av.video.frame import VideoFrame
from av.video.reformatter import VideoReformatter
from av.video.stream import VideoStream

Path = str | os.PathLike[str]

# A frame, and the tick at which it is shown.
Timed = tuple[int, VideoFrame]


# Seconds. A frame that is said to be shown later is a broken time, and would be waited for without end.
LONGEST_S = 24 * 3600


class MediaError(Exception):
    """A media file that cannot be used as asked; the message names the file and what was expected of it."""


@dataclass(frozen=True)
class Video:
    """A video that is open for reading.

    Attributes:
        path: the file.
        container: the open file.
        stream: its best picture stream (a cover picture is none).
        time_base: seconds of one tick.
        start: the stream's ``start_time`` in ticks; times are counted from it.
    """

    path: Path
    container: InputContainer
    stream: VideoStream
    time_base: Fraction
    start: int


def open_media(path: Path) -> InputContainer:
    """Open a media file for reading; tags that are not UTF-8 are read as far as they go."""
    return av.open(os.fspath(path), metadata_errors="replace")


@contextlib.contextmanager
def open_video(path: Path, *, threads: int = 0) -> Iterator[Video]:
    """Open a video; libav's errors inside the block come out as ``MediaError``.

    Args:
        path: the file.
        threads: threads of the decoder, 0 for one a core.

    Raises:
        MediaError: the file is missing, is no media file, has no picture, or breaks while it is read.
    """
    try:
        with open_media(path) as container:
            stream = container.streams.best("video")
            if (
                not isinstance(stream, VideoStream)
                or stream.codec_context is None
                or stream.time_base is None
            ):
                raise MediaError(f"{path}: holds no picture that can be decoded")
            stream.thread_type = "AUTO"
            stream.codec_context.thread_count = threads
            try:
                yield Video(path, container, stream, stream.time_base, stream.start_time or 0)
            finally:
                _rest(stream.codec_context)
    except av.error.FFmpegError as error:
        raise MediaError(f"{path}: cannot be read as a video: {error.strerror}") from None


def _rest(context: VideoCodecContext) -> None:
    """Let a decoder's threads come to rest before it is let go.

    It is let go while the interpreter is held, and a thread that has something to say to PyAV's log, where somebody
    has turned that on (torchvision does), waits for the interpreter.
    """
    if context.is_open:
        context.flush_buffers()


def ticks_at(seconds: float, time_base: Fraction) -> int:
    """The last tick at or before a time.

    A container rounds its times to ticks, so a tick that is at most half a tick, and at most half a
    millisecond, late still counts as on time: frame 20 of a 30 fps WebM, stored as 667 ms, is on screen at
    0.6667 s.
    """
    slack = min(0.5, 0.0005 / float(time_base))
    return math.floor(seconds / float(time_base) + slack)


def frames_from(video: Video, tick: int) -> Iterator[Timed]:
    """(tick, frame) in order of time, the first being the frame on screen at ``tick``.

    They are the frames that decoding everything would give. Frames without a time are left out; before the first
    frame of the video, the first one counts as on screen.
    """
    frames = _from_on_screen(_decode_from_seek(video, tick), tick)
    first = next(frames, None)
    if first is None or first[0] > tick or first[1].is_corrupt:
        # An index that leads nowhere, or a wish for a time before the first frame: from the very beginning.
        with open_video(video.path, threads=video.stream.codec_context.thread_count) as again:
            yield from _from_on_screen(_decode(again, again.container.demux(again.stream)), tick)
        return
    yield first
    yield from frames


def _from_on_screen(frames: Iterator[Timed], tick: int) -> Iterator[Timed]:
    last = None
    for timed in frames:
        if last is not None and timed[0] > tick:
            yield last
        last = timed
    if last is not None:
        yield last


def _decode_from_seek(video: Video, tick: int) -> Iterator[Timed]:
    wanted = video.start + tick
    packets = _packets_from_keyframe(video, wanted)
    ahead = []
    for packet in packets:
        ahead.append(packet)
        # A packet is never shown before its decoding time: what is on screen at `wanted` is among those ahead. Where
        # that time is unknown, stopping early only means to decode a few frames more.
        time = packet.pts if packet.dts is None else packet.dts
        if time is None or time > wanted:
            break
    times = [packet.pts for packet in ahead if packet.pts is not None and packet.pts <= wanted]
    yield from _decode(video, itertools.chain(ahead, packets), needed_from=max(times, default=None))


def _packets_from_keyframe(video: Video, wanted: int) -> Iterator[Packet]:
    """Packets from a keyframe that is shown at or before ``wanted``; none if seeking finds no such keyframe."""
    second = round(1 / video.time_base)
    for back_s in (0, 1, 2, 4, 8, 16, 32):
        try:
            # A TS index is a guess, and may lead past the time asked for.
            video.container.seek(max(wanted - back_s * second, video.start), stream=video.stream)
        except av.error.FFmpegError:
            return
        packets = video.container.demux(video.stream)
        key = next((packet for packet in packets if packet.is_keyframe), None)
        if key is not None and key.pts is not None and key.pts <= wanted:
            yield key
            yield from packets
            return
        if wanted - back_s * second <= video.start:
            return


def _decode(video: Video, packets: Iterable[Packet], needed_from: int | None = None) -> Iterator[Timed]:
    """Frames of the packets; of those before ``needed_from`` only the ones that others refer to."""
    context = video.stream.codec_context
    for packet in packets:
        early = needed_from is not None and packet.pts is not None and packet.pts < needed_from
        skip_unreferenced(context, early)
        for frame in packet.decode():
            if frame.pts is not None:
                yield frame.pts - video.start, frame


def skip_unreferenced(context: VideoCodecContext, skip: bool) -> None:
    """Whether the decoder may leave out the packets fed from now on that no other frame refers to.

    Only decoders that look at this for each packet are told; AV1's would keep what it is told first.
    """
    if context.name in ("h264", "hevc"):
        context.skip_frame = "NONREF" if skip else "DEFAULT"


def turns_of(frame: VideoFrame) -> int:
    """Quarter turns counterclockwise, 0 to 3, that set the frame upright."""
    return round(frame.rotation / 90) % 4


# Quarter turns counterclockwise, as libav's filters.
TURNING = {1: (("transpose", "cclock"),), 2: (("hflip", None), ("vflip", None)), 3: (("transpose", "clock"),)}


class Upright:
    """Sets frames upright and brings them to one size in 4:2:0, keeping their times.

    Args:
        width: pixels of the upright frame.
        height: the same.
    """

    def __init__(self, width: int, height: int):
        self.width, self.height = width, height
        self._reformatter = VideoReformatter()
        self._graph: av.filter.Graph | None = None

    def __call__(self, frame: VideoFrame) -> VideoFrame:
        turns = turns_of(frame)
        if turns:
            self._graph = self._graph or self._turning(frame, turns)
            self._graph.vpush(frame)
            frame = self._graph.vpull()
        return self._reformatter.reformat(frame, self.width, self.height, "yuv420p")

    def _turning(self, frame: VideoFrame, turns: int) -> av.filter.Graph:
        graph = av.filter.Graph()
        source = graph.add_buffer(
            width=frame.width, height=frame.height, format=frame.format, time_base=frame.time_base
        )
        graph.link_nodes(
            source, *(graph.add(name, value) for name, value in TURNING[turns]), graph.add("buffersink")
        ).configure()
        return graph
