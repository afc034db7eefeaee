"""The example's videos: synthetic, small, made on demand, and hard enough to test exact cutting.

H.264 with B-frames and a keyframe every few seconds wherever that falls, an AAC tone, and a mov_text track. Every
frame carries its time code. During a moment or span, and in no other frame, the signature of its text is shown.
"""

import hashlib
import math
import os
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from cmb_harness.example.picture import HEIGHT, WIDTH, pictures
from cmb_harness.files import write_whole
from cmb_harness.media.signature import pattern

if TYPE_CHECKING:
    from av.audio.stream import AudioStream
    from av.container import OutputContainer
    from av.subtitles.stream import SubtitleStream
    from av.video.stream import VideoStream

NOTE = "synthetic test video of an unreviewed example; not CMB"

# To be counted up when videos are made in another way: those that are there are then made anew.
MAKING = 2

RATES = (Fraction(10), Fraction(25, 2))
KEYFRAME_EVERY = 45
# A keyframe at each change of the picture would let a cut by stream copy look exact.
# With x264's macroblock tree and B-frames the same pictures now and then give other bytes.
X264_OPTIONS = {
    "preset": "veryfast",
    "crf": "30",
    "sc_threshold": "0",
    "bf": "3",
    "b-adapt": "0",
    "mbtree": "0",
}
SOUND_RATE = 16000
SOUND_BITS = 12000
SUBTITLE_EVERY_S = Fraction(3)
SUBTITLE_CLOCK = Fraction(1, 1000)
# mov_text's encoder wants to know the style of the text before the first line.
SUBTITLE_HEADER = b"""[Script Info]
ScriptType: v4.00+
[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default, Sans, 12
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""


@dataclass(frozen=True)
class Shown:
    """A text whose signature is on screen from ``start_s`` to ``end_s``, in seconds."""

    text: str
    start_s: float
    end_s: float

    def frames(self, rate: Fraction) -> range:
        """From the frame on screen at the start to the last one that begins before the end."""
        return range(math.floor(exact(self.start_s) * rate), math.ceil(exact(self.end_s) * rate))


@dataclass(frozen=True)
class VideoPlan:
    """All that decides what a video shows.

    Attributes:
        video_id: 11 characters; they decide the frame rate, the tone and the tint.
        duration_s: seconds, a whole number of frames.
        shown: what is shown when; no two overlap.
    """

    video_id: str
    duration_s: float
    shown: tuple[Shown, ...]

    @property
    def rate(self) -> Fraction:
        """Frames a second."""
        return RATES[self.dice[0] % len(RATES)]

    @property
    def count(self) -> int:
        """How many frames the video has."""
        return int(exact(self.duration_s) * self.rate)

    @property
    def dice(self) -> bytes:
        """Bytes that look random and are the same for the same id."""
        return hashlib.sha256(self.video_id.encode()).digest()

    @property
    def recipe(self) -> str:
        """Eight hex digits that differ where the videos of two plans differ."""
        return hashlib.sha256(f"{MAKING} {self!r}".encode()).hexdigest()[:8]


def exact(seconds: float) -> Fraction:
    """Seconds as the decimal that was written down, not as the binary fraction next to it."""
    return Fraction(str(seconds))


def make_video(plan: VideoPlan, target: str | os.PathLike[str]) -> None:
    """Write the video of a plan as MP4; it appears whole or not at all."""
    import av

    with write_whole(target, "wb") as file, av.open(file, "w", format="mp4") as container:
        container.metadata["comment"] = f"{NOTE} ({plan.recipe})"
        picture, sound, lines = _add_tracks(container, plan)
        container.start_encoding()
        _write_lines(container, lines, plan)
        tone = av.AudioFrame.from_ndarray(_tone(plan), format="fltp", layout="mono")
        tone.rate, tone.pts = SOUND_RATE, 0
        container.mux([*sound.encode(tone), *sound.encode(None)])
        signatures = {at: pattern(shown.text) for shown in plan.shown for at in shown.frames(plan.rate)}
        tint = (112 + plan.dice[2] % 32, 112 + plan.dice[3] % 32)
        for number, planes in enumerate(pictures(plan.count, plan.rate, signatures, tint)):
            frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            frame.pts, frame.time_base = number, 1 / plan.rate
            container.mux(picture.encode(frame))
        container.mux(picture.encode(None))


def is_whole(plan: VideoPlan, path: str | os.PathLike[str]) -> bool:
    """Whether a file is the video of this very plan. One that was cut off has no index and does not open."""
    import av

    try:
        with av.open(os.fspath(path)) as container:
            return container.metadata.get("comment", "").endswith(f"({plan.recipe})")
    except (OSError, av.error.FFmpegError):
        return False


def _add_tracks(
    container: "OutputContainer", plan: VideoPlan
) -> tuple["VideoStream", "AudioStream", "SubtitleStream"]:
    picture = container.add_stream("libx264", rate=plan.rate, options=X264_OPTIONS)
    picture.width, picture.height, picture.pix_fmt = WIDTH, HEIGHT, "yuv420p"
    picture.codec_context.gop_size = KEYFRAME_EVERY
    # Several videos are made at a time, and x264's result depends on its number of threads.
    picture.codec_context.thread_count = 1
    sound = container.add_stream("aac", rate=SOUND_RATE, layout="mono", options={"aac_coder": "fast"})
    sound.bit_rate = SOUND_BITS
    lines = container.add_stream("mov_text")
    lines.codec_context.subtitle_header = SUBTITLE_HEADER
    lines.time_base = SUBTITLE_CLOCK
    return picture, sound, lines


def _write_lines(container: "OutputContainer", lines: "SubtitleStream", plan: VideoPlan) -> None:
    """A subtitle every few seconds, which says nothing of what is shown."""
    import av

    end_s = exact(plan.duration_s)
    for number in range(math.ceil(end_s / SUBTITLE_EVERY_S)):
        text = f"Synthetic test video, part {number + 1}".encode()
        start_s = number * SUBTITLE_EVERY_S
        packet = av.Packet(len(text).to_bytes(2, "big") + text)
        packet.stream, packet.time_base = lines, SUBTITLE_CLOCK
        packet.pts = packet.dts = int(start_s / SUBTITLE_CLOCK)
        packet.duration = int(min(SUBTITLE_EVERY_S, end_s - start_s) / SUBTITLE_CLOCK)
        container.mux(packet)


def _tone(plan: VideoPlan) -> np.ndarray:
    """A sine of one pitch for the whole video: float32 (1, samples)."""
    times_s = np.arange(round(plan.duration_s * SOUND_RATE)) / SOUND_RATE
    pitch_hz = 220 * 2 ** (plan.dice[1] % 24 / 12)
    return (0.2 * np.sin(2 * np.pi * pitch_hz * times_s)).astype(np.float32)[None]
