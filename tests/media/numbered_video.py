"""Videos whose every frame carries its number, readable by a machine after any re-encoding, scaling or cut.

The picture is a 4 x 4 board of black and white cells, one bit of the number each, least first, in reading order.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

WIDTH, HEIGHT = 320, 180
RATE = 48000
BEEP_HZ = 1000


@dataclass(frozen=True)
class Kind:
    """How a test video is made. ``times`` are the frames' times in seconds; ``start_s`` is added to all clocks."""

    suffix: str = "mp4"
    codec: str = "libx264"
    options: dict[str, str] = field(default_factory=dict)
    times: Sequence[Fraction] = tuple(Fraction(k, 30) for k in range(90))
    sound: str | None = "aac"
    start_s: Fraction = Fraction(0)
    beep_s: tuple[float, float] | None = None
    turned: int = 0
    fps: Fraction = Fraction(30)
    size: tuple[int, int] = (WIDTH, HEIGHT)


PLAIN = Kind()


def board(number: int, size: tuple[int, int] = (WIDTH, HEIGHT)) -> np.ndarray:
    """The picture of a number: (height, width, 3) uint8."""
    width, height = size
    bits = np.array([number >> bit & 1 for bit in range(16)]).reshape(4, 4)
    rows, columns = np.arange(height) * 4 // height, np.arange(width) * 4 // width
    grey = (bits[rows][:, columns] * 200 + 25).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def number_of(picture: np.ndarray) -> int:
    """The number that a picture (height, width, 3) shows."""
    height, width = picture.shape[:2]
    cells = [
        picture[(2 * row + 1) * height // 8, (2 * column + 1) * width // 8].mean() > 128
        for row in range(4)
        for column in range(4)
    ]
    return sum(1 << bit for bit, white in enumerate(cells) if white)


def make(path: Path, kind: Kind = PLAIN) -> Path:
    """Write a video; frame k shows k."""
    with av.open(str(path), "w") as container:
        picture = container.add_stream(kind.codec, rate=kind.fps, options=kind.options)
        picture.width, picture.height = kind.size
        picture.pix_fmt = "yuv420p"
        base = Fraction(1, 90000)
        picture.codec_context.time_base = base
        sound = container.add_stream(kind.sound, rate=RATE, layout="mono") if kind.sound else None
        length_s = kind.times[-1] + 1 / kind.fps
        for number, time in enumerate(kind.times):
            shown = (
                np.rot90(board(number, kind.size), kind.turned)
                if kind.turned == 2
                else board(number, kind.size)
            )
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(shown), format="rgb24").reformat(
                format="yuv420p"
            )
            frame.pts, frame.time_base = round((time + kind.start_s) / base), base
            container.mux(picture.encode(frame))
        container.mux(picture.encode(None))
        if sound is not None:
            _mux_sound(container, sound, float(length_s), kind)
    return path


def _mux_sound(container, stream, length_s: float, kind: Kind) -> None:
    times = np.arange(round(length_s * RATE)) / RATE
    begin, end = kind.beep_s or (0.0, length_s)
    wave = np.where((times >= begin) & (times < end), 0.5 * np.sin(2 * np.pi * BEEP_HZ * times), 0)
    for first in range(0, len(wave), 960):
        samples = wave[None, first : first + 960].astype(np.float32)
        frame = av.AudioFrame.from_ndarray(samples, format="fltp", layout="mono")
        frame.rate, frame.time_base = RATE, Fraction(1, RATE)
        frame.pts = first + round(kind.start_s * RATE)
        container.mux(stream.encode(frame))
    container.mux(stream.encode(None))


def turn_in_header(path: Path, quarter_turns: int) -> Path:
    """Mark an MP4's picture as turned, as phones do: the display matrix of its track is overwritten."""
    one = 1 << 16
    matrices = {1: (0, -one, 0, one, 0, 0), 2: (-one, 0, 0, 0, -one, 0), 3: (0, one, 0, -one, 0, 0)}
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 44
    data[at : at + 36] = struct.pack(">9i", *matrices[quarter_turns], 0, 0, 1 << 30)
    path.write_bytes(bytes(data))
    return path


def numbers_and_times(path: Path) -> tuple[list[int], list[float]]:
    """What each frame of a file shows, and when, decoding everything."""
    numbers, times = [], []
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            numbers.append(number_of(frame.to_ndarray(format="rgb24")))
            times.append(float(frame.pts * frame.time_base))
    return numbers, times


def loud_stretch(path: Path) -> tuple[float, float]:
    """The seconds between which a file's sound is loud, on the file's clock, to about two milliseconds."""
    times, levels = [], []
    with av.open(str(path)) as container:
        resampler = av.AudioResampler(format="fltp", layout="mono", rate=RATE)
        for frame in container.decode(audio=0):
            for piece in resampler.resample(frame):
                begin = float(piece.pts * piece.time_base)
                wave = piece.to_ndarray()[0]
                for first in range(0, len(wave) - 47, 48):
                    times.append(begin + first / RATE)
                    levels.append(float(np.abs(wave[first : first + 48]).max()))
    loud = [time for time, level in zip(times, levels, strict=True) if level > 0.2]
    return loud[0], loud[-1] + 0.001
