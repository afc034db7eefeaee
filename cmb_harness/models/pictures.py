"""Frames as small picture files: what a request carries, and what the cache keeps of a video once it is decoded."""

import hashlib
import io
import os
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cmb_harness.files import write_whole
from cmb_harness.models.interface import Blob, OpenItem

if TYPE_CHECKING:
    from av.video.codeccontext import VideoCodecContext

# Picture format → libav's encoder, its pixel format and options. 2 is the finest scale that mjpeg has.
ENCODERS: dict[str, tuple[str, str, dict[str, str]]] = {
    "jpeg": ("mjpeg", "yuvj444p", {"qmin": "2", "qmax": "2"}),
    "png": ("png", "rgb24", {}),
}


@dataclass(frozen=True)
class Sampling:
    """Which frames of a video a model gets, and in what form (paper, appendix B: 224×224, 1 fps or 12 uniform ones).

    Attributes:
        fps: frames a second.
        count: if given, so many uniform frames instead.
        max_frames: a video that has more at ``fps`` gives so many uniform ones.
        size: pixels; the whole picture is squashed into a square.
        image: ``jpeg`` or ``png``.
    """

    fps: float = 1.0
    count: int | None = None
    size: int = 224
    image: str = "jpeg"
    max_frames: int | None = None


class FrameStore:
    """The sampled frames of videos, each decoded once and kept in ``CACHE/frames``.

    A file there is named after the video's name, size and modification time, and after the sampling: a replaced video
    is decoded anew. Safe to use from several threads, and by several processes at once.

    Args:
        cache: the cache; its folder ``frames`` is made when it is needed.
    """

    def __init__(self, cache: str | os.PathLike[str]):
        self._folder = Path(cache) / "frames"
        self._locks: dict[Path, threading.Lock] = {}
        self._guard = threading.Lock()

    def pictures(self, video: Path, sampling: Sampling) -> list[Blob]:
        """The frames of ``video`` as pictures with their times, in order.

        Raises:
            OpenItem: the video cannot be decoded.
        """
        kept = self._folder / f"{file_mark(video, asdict(sampling))}.npz"
        with self._guard:
            lock = self._locks.setdefault(kept, threading.Lock())
        with lock:
            if not kept.exists():
                write_pictures(kept, *decoded(video, sampling))
        return read_pictures(kept, f"image/{sampling.image}")


def decoded(video: Path, sampling: Sampling) -> tuple[list[bytes], np.ndarray]:
    """Picture files of the sampled frames, and their times in seconds (n,).

    Raises:
        OpenItem: the video cannot be decoded.
    """
    from cmb_harness.media.cache import duration_of
    from cmb_harness.media.frames import sample_frames
    from cmb_harness.media.video import MediaError

    try:
        count = sampling.count
        if count is None and sampling.max_frames and duration_of(video) * sampling.fps > sampling.max_frames:
            count = sampling.max_frames
        frames, times_s = sample_frames(video, fps=sampling.fps, count=count, size=sampling.size)
    except MediaError as error:
        raise OpenItem(f"unreadable media: {error}") from None
    return [encoded(frame, sampling.image) for frame in frames], times_s


def encoded(frame: np.ndarray, image: str = "jpeg") -> bytes:
    """One picture file of a frame, uint8 RGB (height, width, 3)."""
    import av

    codec, pixels, options = ENCODERS[image]
    context = cast("VideoCodecContext", av.CodecContext.create(codec, "w"))
    context.height, context.width = frame.shape[:2]
    context.pix_fmt, context.time_base, context.options = pixels, Fraction(1), options
    picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), "rgb24").reformat(format=pixels)
    packets = [*context.encode(picture), *context.encode(None)]
    return b"".join(bytes(packet) for packet in packets)


def write_pictures(path: Path, pictures: Sequence[bytes], times_s: np.ndarray) -> None:
    """Keep picture files and their times in one file."""
    buffer = io.BytesIO()
    lengths = np.array([len(picture) for picture in pictures], dtype=np.int64)
    np.savez(buffer, times_s=times_s, lengths=lengths, data=np.frombuffer(b"".join(pictures), dtype=np.uint8))
    with write_whole(path, "wb") as file:
        file.write(buffer.getvalue())


def read_pictures(path: Path, mime: str) -> list[Blob]:
    """What `write_pictures` kept."""
    with np.load(path, allow_pickle=False) as kept:
        data, times_s = kept["data"].tobytes(), kept["times_s"]
        ends = np.cumsum(kept["lengths"])
    starts = [0, *ends[:-1].tolist()]
    return [
        Blob(data[start:end], mime, float(time_s))
        for start, end, time_s in zip(starts, ends.tolist(), times_s, strict=True)
    ]


def file_mark(path: Path, how: Any) -> str:
    """A name for what is made from a file: it changes when the file or the way of making does."""
    stat = path.stat()
    text = repr((path.name, stat.st_size, stat.st_mtime_ns, how))
    return hashlib.sha256(text.encode()).hexdigest()[:24]
