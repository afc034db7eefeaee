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
from cmb_harness.media.video import MediaError, open_media

# What a file beside a video may end in without being one: leftovers, subtitles, notes of the downloader.
NOT_VIDEOS = frozenset(
    {".part", ".ytdl", ".vtt", ".srt", ".ass", ".json", ".json3", ".txt", ".jpg", ".webp", ".png"}
    | {".description", ".md5", ".sha256", ".log", ".gif", ".jpeg", ".nfo", ".xml", ".html", ".url"}
)

VIDEO_ENDINGS = frozenset(
    {".mp4", ".m4v", ".mov", ".webm", ".mkv", ".ts", ".avi", ".flv", ".ogv", ".3gp", ".mpg"}
)
CONTAINER_ENDINGS = {"matroska,webm": ".mkv", "mpegts": ".ts", "avi": ".avi", "flv": ".flv", "ogg": ".ogv"}


def clip_path(cache: str | os.PathLike[str], video_id: str, start_s: float, end_s: float) -> Path:
    """Where the clip of a moment lies in ``cache``, whether or not it is there."""
    return Path(cache) / "clips" / clip_name(video_id, start_s, end_s)


def require_cache(cache: str | os.PathLike[str]) -> None:
    """Tell a name that was mistyped from a cache that lacks something.

    Raises:
        FileNotFoundError: there is no such folder.
    """
    if not Path(cache).is_dir():
        raise FileNotFoundError(f"{cache}: there is no such cache folder; cmb fetch makes one")


def find_video(cache: str | os.PathLike[str], video_id: str) -> Path | None:
    """The video of an id in ``cache``, or None. Half-fetched files and subtitles do not count."""
    return find_in_folder(Path(cache) / "videos", video_id)


def find_in_folder(folder: str | os.PathLike[str], video_id: str) -> Path | None:
    """The video named ``<video_id>.<ext>`` in a folder, or None; the first by name if there are several."""
    return next(iter(videos_named(folder, video_id)), None)


def videos_named(folder: str | os.PathLike[str], video_id: str) -> list[Path]:
    """All videos named ``<video_id>.<ext>`` in a folder, by name; those with a usual ending first."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    named = sorted(name for name in names if name.startswith(f"{video_id}.") and name.count(".") == 1)
    paths = [Path(folder) / name for name in named if Path(name).suffix.lower() not in NOT_VIDEOS]
    paths.sort(key=lambda path: path.suffix.lower() not in VIDEO_ENDINGS)
    return [path for path in paths if path.is_file()]


def is_of(path: Path, video: Path) -> bool:
    """Whether a file bears the mark of a video as it is now: another one in its place has another time or size."""
    there, stamp = path.stat().st_mtime_ns, mark_of(video)
    # Some file systems keep times in steps of 100 ns, or in whole seconds.
    return there in (stamp, stamp // 100 * 100, stamp // 10**9 * 10**9)


def mark_of(video: Path) -> int:
    """The time, in ns, that is given to what is made of a video: the video's, to the microsecond, then its size."""
    stat = video.stat()
    return stat.st_mtime_ns // 1000 * 1000 + stat.st_size % 1000


def duration_of(path: str | os.PathLike[str]) -> float:
    """Seconds from the start of a video's picture to the end of its last frame, read from its packets.

    Raises:
        MediaError: the file cannot be read as a video.
    """
    try:
        stat = os.stat(path)
    except OSError as error:
        raise MediaError(f"{path}: cannot be read: {error.strerror}") from None
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
        with open_media(path) as container:
            return CONTAINER_ENDINGS.get(container.format.name, ".mp4")
    except av.error.FFmpegError:
        return ".mp4"


def subtitle_files(folder: str | os.PathLike[str], video_id: str) -> dict[str, Path]:
    """Language → ``<video_id>.<language>.vtt`` in a folder."""
    named = sorted(Path(folder).glob(f"{video_id}.*.vtt"))
    return {path.name[len(video_id) + 1 : -len(".vtt")]: path for path in named}
