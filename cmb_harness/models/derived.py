"""Files made from videos, for models that take files: squashed like the frames, or robbed by a probe.

They lie in ``CACHE/derived`` under names that say nothing of the video, and are made once.
"""

import contextlib
import io
import wave
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from cmb_harness.files import appearing_whole
from cmb_harness.models.interface import Blob, OpenItem
from cmb_harness.models.pictures import file_mark

SOUND_RATE = 16000
X264 = {"preset": "veryfast", "crf": "20"}


def squashed(video: Path, cache: Path, size: int) -> Path:
    """``video`` as MP4 with a picture of ``size`` × ``size`` pixels, every frame at its time, and its sound.

    Raises:
        OpenItem: it cannot be decoded.
    """
    return _made(video, cache, ("squashed", size), ".mp4", lambda target: _squash(video, target, size))


def slide_show(video: Path, cache: Path, pictures: Sequence[Blob], how: Any) -> Path:
    """A silent MP4 that shows each picture from its time until the next one's, the last as long as the one before."""
    return _made(video, cache, how, ".mp4", lambda target: _show(pictures, target))


def sound_of(video: Path) -> Blob | None:
    """The sound of a clip as WAV, 16 kHz, mono; None if it has none.

    Raises:
        OpenItem: it cannot be decoded.
    """
    import av

    with _as_open_item(), av.open(str(video), metadata_errors="replace") as container:
        if not container.streams.audio:
            return None
        # A constant form: what carried the sound must not be told by it.
        resampler = av.AudioResampler(format="s16", layout="mono", rate=SOUND_RATE)
        frames = (piece for frame in container.decode(audio=0) for piece in resampler.resample(frame))
        samples = b"".join(frame.to_ndarray().tobytes() for frame in frames)
    return Blob(_wave(samples), "audio/wav")


def sound_file(video: Path, cache: Path) -> Path:
    """The sound of a video as a WAV file, 16 kHz, mono; an empty one if it has none.

    Raises:
        OpenItem: it cannot be decoded.
    """

    def make(target: str) -> None:
        sound = sound_of(video)
        Path(target).write_bytes(sound.data if sound else _wave(b""))

    return _made(video, cache, "sound", ".wav", make)


def _wave(samples: bytes) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SOUND_RATE)
        file.writeframes(samples)
    return buffer.getvalue()


def _squash(video: Path, target: str, size: int) -> None:
    import heapq

    import av

    from cmb_harness.media.sound import rate_and_layout, sound_between
    from cmb_harness.media.video import Upright, frames_from, open_video

    with open_video(video) as source, av.open(target, "w", format="mp4") as made:
        picture = made.add_stream("libx264", rate=source.stream.average_rate or 25, options=X264)
        picture.width = picture.height = size
        picture.pix_fmt = "yuv420p"
        picture.codec_context.time_base = picture.time_base = source.time_base
        tracks = [_encoded_picture(picture, frames_from(source, 0), Upright(size, size))]
        sound = next(iter(source.container.streams.audio), None)
        if sound is not None and sound.codec_context is not None:
            rate, layout = rate_and_layout(sound)
            track = made.add_stream("aac", rate=rate, layout=layout)
            origin = source.start * source.time_base
            length = Fraction(source.container.duration or 0, av.time_base) + 1
            tracks.append(_encoded_sound(track, sound_between(video, origin, length, rate, layout)))
        for _, packet in heapq.merge(*tracks, key=lambda timed: timed[0]):
            made.mux(packet)


def _encoded_picture(stream: Any, frames: Iterator[Any], upright: Callable[[Any], Any]) -> Iterator[Any]:
    for tick, frame in frames:
        picture = upright(frame)
        picture.pict_type = 0
        picture.pts, picture.time_base = tick, stream.codec_context.time_base
        yield from _timed(stream.encode(picture))
    yield from _timed(stream.encode(None))


def _encoded_sound(stream: Any, frames: Iterator[Any]) -> Iterator[Any]:
    for frame in frames:
        yield from _timed(stream.encode(frame))
    yield from _timed(stream.encode(None))


def _timed(packets: Sequence[Any]) -> Iterator[tuple[float, Any]]:
    for packet in packets:
        yield float((packet.dts or 0) * packet.time_base), packet


def _show(pictures: Sequence[Blob], target: str) -> None:
    import av

    times_s = [picture.time_s or 0.0 for picture in pictures]
    last_s = times_s[-1] - times_s[-2] if len(times_s) > 1 else 1.0
    with av.open(target, "w", format="mp4") as made:
        stream = None
        for picture, time_s, end_s in zip(
            pictures, times_s, [*times_s[1:], times_s[-1] + last_s], strict=True
        ):
            with av.open(io.BytesIO(picture.data), "r") as file:
                frame = next(file.decode(video=0)).reformat(format="yuv420p", dst_color_range="MPEG")
            if stream is None:
                stream = made.add_stream("libx264", rate=25, options=X264)
                stream.width, stream.height, stream.pix_fmt = frame.width, frame.height, "yuv420p"
                stream.codec_context.time_base = stream.time_base = Fraction(1, 1000)
            frame.pict_type = 0
            frame.pts, frame.time_base = round(time_s * 1000), Fraction(1, 1000)
            frame.duration = round((end_s - time_s) * 1000)
            made.mux(stream.encode(frame))
        if stream is not None:
            made.mux(stream.encode(None))


def _made(video: Path, cache: Path, how: Any, suffix: str, make: Callable[[str], None]) -> Path:
    target = cache / "derived" / f"{file_mark(video, how)}{suffix}"
    if not target.exists():
        with _as_open_item(), appearing_whole(target, ending=suffix) as name:
            make(str(name))
    return target


@contextlib.contextmanager
def _as_open_item() -> Iterator[None]:
    import av

    from cmb_harness.media.video import MediaError

    try:
        yield
    except (MediaError, av.error.FFmpegError) as error:
        raise OpenItem(f"unreadable media: {error}") from None
