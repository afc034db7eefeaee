"""A video decoded from end to end: what it holds, how long it really lasts, and its fingerprint."""

import hashlib
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass

import av
import numpy as np
from av.container import InputContainer
from av.packet import Packet

from cmb_harness.media.fingerprint import Fingerprinter, Track
from cmb_harness.media.video import MediaError, Path, Video, open_video

# Seconds without picture and sound that no container leaves by itself.
HOLE_S = 0.5


@dataclass(frozen=True)
class Probe:
    """What decoding a whole video showed.

    Attributes:
        duration_s: seconds from the start of the picture to the end of its last decoded frame.
        promised_s: seconds that the file's header promises, over all its streams; None if it promises nothing.
        reached_s: seconds that were really there, over all its streams; compare with ``promised_s``.
        codec, fps, width, height, frames: of the picture; ``fps`` is the mean rate of the decoded frames.
        audio: codec of the sound, None if there is none.
        subtitles: languages of the subtitle tracks inside the file ("und" where none is named).
        hole: seconds between which there is neither picture nor sound, though there is afterwards; None if there is
            no such stretch of half a second. Damaged Matroska files are read on behind the damage without a word. A
            picture without sound may stand still, unless all its other frames come at an even pace.
        track: tiny pictures of it, to make its fingerprint of or to hold against one.
    """

    duration_s: float
    promised_s: float | None
    reached_s: float
    codec: str
    fps: float
    width: int
    height: int
    frames: int
    audio: str | None
    subtitles: tuple[str, ...]
    hole: tuple[float, float] | None
    track: Track


def probe(path: Path, *, threads: int = 0) -> Probe:
    """Decode a video to its end.

    Args:
        path: the video.
        threads: threads of the decoder, 0 for one a core.

    Raises:
        MediaError: it cannot be opened, is damaged, tells frames out of order, or holds not one frame.
    """
    with open_video(path, threads=threads) as video:
        # Decoders paint over what is damaged unless they are told to stop at it.
        video.stream.codec_context.options = {"err_detect": "explode"}
        promised_s = _promised(video.container)
        reader = _Reader(video)
        for packet in video.container.demux():
            reader.read(packet)
        return reader.result(promised_s)


class _Reader:
    def __init__(self, video: Video):
        self.video, self.fingerprinter = video, Fingerprinter()
        self.frames, self.end, self.tick = 0, 0, -1
        self.shape = (0, 0)
        self.spans: dict[str, list[tuple[float, float]]] = {"video": [], "audio": [], "subtitle": []}

    def read(self, packet: Packet) -> None:
        if packet.pts is not None and packet.time_base and packet.stream.type in self.spans:
            begin_s = float(packet.pts * packet.time_base)
            length_s = float((packet.duration or 0) * packet.time_base)
            self.spans[packet.stream.type].append((begin_s, begin_s + length_s))
        if packet.stream_index == self.video.stream.index:
            self._check(packet.is_corrupt, "a packet is damaged")
            for frame in self._frames_of(packet):
                if frame.pts is not None:
                    self._see(frame)

    def _frames_of(self, packet: Packet) -> Sequence[av.VideoFrame]:
        try:
            return packet.decode()
        except av.error.FFmpegError as error:
            self._check(True, f"cannot be decoded ({error.strerror})")
            return ()

    def _check(self, damaged: bool, what: str) -> None:
        # Broadcasts are recorded from any point on: what comes before their first whole picture leads nowhere.
        if damaged and self.frames:
            raise MediaError(f"{self.video.path}: {what} after {self._seconds(self.tick):.3f} s")

    def _see(self, frame: av.VideoFrame) -> None:
        tick = (frame.pts or 0) - self.video.start
        self._check(frame.is_corrupt, "a frame is damaged")
        self._check(
            tick < self.tick, "frames come out of order in time (does its container know their times?)"
        )
        self.fingerprinter.see(self._seconds(tick), frame)
        self.frames += 1
        self.tick = tick
        self.end = max(self.end, tick + (frame.duration or 0))
        self.shape = (frame.width, frame.height)

    def _seconds(self, tick: int) -> float:
        return float(tick * self.video.time_base)

    def result(self, promised_s: float | None) -> Probe:
        if not self.frames:
            raise MediaError(f"{self.video.path}: not one frame can be decoded")
        duration_s = self._seconds(self.end)
        container, context = self.video.container, self.video.stream.codec_context
        sound = container.streams.best("audio")
        start_s = (container.start_time or 0) / av.time_base
        reached_s = max((end_s for spans in self.spans.values() for _, end_s in spans), default=start_s)
        return Probe(
            duration_s=round(duration_s, 3),
            promised_s=promised_s,
            reached_s=round(reached_s - start_s, 3),
            codec=context.codec.canonical_name,
            fps=round(self.frames / duration_s, 3) if duration_s else 0.0,
            width=self.shape[0],
            height=self.shape[1],
            frames=self.frames,
            audio=sound.codec_context.name if sound is not None and sound.codec_context else None,
            subtitles=tuple(stream.language or "und" for stream in container.streams.subtitles),
            hole=self._hole(start_s),
            track=self.fingerprinter.finish(duration_s),
        )

    def _hole(self, start_s: float) -> tuple[float, float] | None:
        """A frame may stay on screen for long, but sound goes on: only a stretch without both is a hole."""
        still = _gaps(self.spans["video"])
        if not self.spans["audio"]:
            silent = [(-math.inf, math.inf)] if _is_even(self.spans["video"]) else []
        else:
            silent = _gaps(self.spans["audio"])
        for begin_s, end_s in silent:
            for first_s, last_s in still:
                begin_s, end_s = max(begin_s, first_s), min(end_s, last_s)
                if end_s - begin_s > HOLE_S:
                    return round(begin_s - start_s, 3), round(end_s - start_s, 3)
        return None


def _is_even(spans: list[tuple[float, float]]) -> bool:
    """Whether all frames but a few come at one pace."""
    begins = np.sort([begin_s for begin_s, _ in spans])
    steps = np.diff(begins)
    return len(steps) > 9 and float(np.mean(np.abs(steps / np.median(steps) - 1) < 0.5)) > 0.95


def _gaps(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    gaps, reached_s = [], min(spans)[0]
    for begin_s, end_s in sorted(spans):
        if begin_s - reached_s > HOLE_S:
            gaps.append((reached_s, begin_s))
        reached_s = max(reached_s, end_s)
    return gaps


def _promised(container: InputContainer) -> float | None:
    return None if container.duration is None else round(container.duration / av.time_base, 3)


def sha256_of(path: str | os.PathLike[str]) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
