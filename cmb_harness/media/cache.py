"""The cache of a lab: where the videos and clips of a release lie on its disk.

``CACHE/videos/<video_id>.<ext>`` (any container), ``CACHE/clips/<clip_name>``, ``CACHE/subtitles/<id>.<lang>.vtt``,
``CACHE/manifest.jsonl``.
"""

import functools
import os
from pathlib import Path

import av

from cmb_dataset import clip_name
from cmb_harness.media.frames import timeline_of

# Words that a file beside a video may end in without being one: leftovers, subtitles, notes of the downloader.
NOT_VIDEOS = frozenset(
    {".part", ".ytdl", ".vtt", ".srt", ".ass", ".json", ".json3", ".txt", ".jpg", ".webp", ".png"}
)

VIDEO_ENDINGS = frozenset(
    {".mp4", ".m4v", ".mov", ".webm", ".mkv", ".ts", ".avi", ".flv", ".ogv", ".3gp", ".mpg"}
)
CONTAINER_ENDINGS = {"matroska,webm": ".mkv", "mpegts": ".ts", "avi": ".avi", "flv": ".flv", "ogg": ".ogv"}


def clip_path(cache: str | os.PathLike[str], video_id: str, start_s: float, end_s: float) -> Path:
    """Where the clip of a moment lies in ``cache``, whether or not it is there."""
    return Path(cache) / "clips" / clip_name(video_id, start_s, end_s)


def find_video(cache: str | os.PathLike[str], video_id: str) -> Path | None:
    """The video of an id in ``cache``, or None. Half-fetched files and subtitles do not count."""
    return find_in_folder(Path(cache) / "videos", video_id)


def find_in_folder(folder: str | os.PathLike[str], video_id: str) -> Path | None:
    """The video named ``<video_id>.<ext>`` in a folder, or None; the first by name if there are several."""
    return next(iter(videos_named(folder, video_id)), None)


def videos_named(folder: str | os.PathLike[str], video_id: str) -> list[Path]:
    """All videos named ``<video_id>.<ext>`` in a folder, by name."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    named = sorted(name for name in names if name.startswith(f"{video_id}.") and name.count(".") == 1)
    paths = (Path(folder) / name for name in named if Path(name).suffix.lower() not in NOT_VIDEOS)
    return [path for path in paths if path.is_file()]


def duration_of(path: str | os.PathLike[str]) -> float:
    """Seconds from the start of a video's picture to the end of its last frame, read from its packets.

    Raises:
        MediaError: the file cannot be read as a video.
    """
    stat = os.stat(path)
    return _duration_of(os.fspath(path), stat.st_mtime_ns, stat.st_size)


@functools.lru_cache(maxsize=4096)
def _duration_of(path: str, _mtime_ns: int, _size: int) -> float:
    timeline, time_base = timeline_of(path)
    return float((timeline.end - timeline.start) * time_base)


def ending_of(path: Path) -> str:
    """The file name ending that a video gets in a cache: its own if it is a video's, else one for its container."""
    if path.suffix.lower() in VIDEO_ENDINGS:
        return path.suffix.lower()
    try:
        with av.open(os.fspath(path)) as container:
            return CONTAINER_ENDINGS.get(container.format.name, ".mp4")
    except av.error.FFmpegError:
        return ".mp4"


def subtitle_files(folder: str | os.PathLike[str], video_id: str) -> dict[str, Path]:
    """Language → ``<video_id>.<language>.vtt`` in a folder."""
    named = sorted(Path(folder).glob(f"{video_id}.*.vtt"))
    return {path.name[len(video_id) + 1 : -len(".vtt")]: path for path in named}
