"""Subtitles as timed text, for models that take frames alone: from tracks inside a video, or from files beside it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import av
from av.container import InputContainer
from av.subtitles.stream import SubtitleStream
from av.subtitles.subtitle import AssSubtitle

from cmb_harness.media.cache import find_video, require_cache, subtitle_files
from cmb_harness.media.settings import SETTINGS
from cmb_harness.media.video import MediaError, open_media


@dataclass(frozen=True)
class Line:
    """A line of subtitles: seconds from the start of the picture, and plain text (lines joined by line ends)."""

    start_s: float
    end_s: float
    text: str


def subtitles_of(
    cache: str | os.PathLike[str], video_id: str, *, setting: str = "full", language: str | None = None
) -> list[Line]:
    """The subtitles of a video of the cache, as a setting leaves them.

    Files in ``CACHE/subtitles`` come before tracks inside the video.

    Args:
        cache: the folder.
        video_id: 11 characters.
        setting: ``no-subtitles`` and ``visual-only`` leave none.
        language: as the file or track is marked; None takes the first.

    Returns:
        The lines in order of time; none where there are no such subtitles.

    Raises:
        FileNotFoundError: there is no folder ``cache``.
        MediaError: a file cannot be read.
        ValueError: there is no such setting.
    """
    require_cache(cache)
    if setting not in SETTINGS:
        raise ValueError(f"setting {setting!r}: expected one of {', '.join(SETTINGS)}")
    if "subtitle" in SETTINGS[setting]:
        return []
    beside = subtitle_files(Path(cache) / "subtitles", video_id)
    if beside and (language is None or language in beside):
        return read_subtitles(beside[language or min(beside)])
    video = find_video(cache, video_id)
    return [] if video is None else read_subtitles(video, language=language)


def read_subtitles(path: str | os.PathLike[str], *, language: str | None = None) -> list[Line]:
    """The lines of a subtitle file (WebVTT, SubRip, …), or of a text track inside a video.

    Args:
        path: the file.
        language: of the track, as it is marked; None takes the first.

    Raises:
        MediaError: the file cannot be read.
    """
    try:
        with open_media(path) as container:
            tracks = [track for track in container.streams.subtitles if language in (None, track.language)]
            return sorted(_lines(container, tracks[0]), key=lambda line: line.start_s) if tracks else []
    except av.error.FFmpegError as error:
        raise MediaError(f"{path}: its subtitles cannot be read: {error.strerror}") from None


def _lines(container: InputContainer, track: SubtitleStream) -> Iterator[Line]:
    picture = container.streams.best("video")
    origin = float((picture.start_time or 0) * picture.time_base) if picture and picture.time_base else 0.0
    for packet in container.demux(track):
        if packet.pts is None or packet.time_base is None:
            continue
        start_s = float(packet.pts * packet.time_base) - origin
        end_s = start_s + float((packet.duration or 0) * packet.time_base)
        # Pictures of text (DVD, Blu-ray) are no text.
        texts = [
            part.dialogue.decode("utf-8", "replace")
            for part in packet.decode()
            if isinstance(part, AssSubtitle)
        ]
        text = "\n".join(part.strip() for part in texts if part.strip())
        if text:
            yield Line(round(start_s, 3), round(end_s, 3), text)
