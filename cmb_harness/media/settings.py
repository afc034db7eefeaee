"""Video B under a setting: without its sound, its subtitles, or both, by copying the packets of the rest.

What was really taken away is told apart from what was never there: no effect of a setting can be measured on a video
that it does not change. Subtitles that are part of the picture stay in every setting.
"""

import os
from dataclasses import asdict, dataclass
from pathlib import Path

from cmb_harness.files import appearing_whole, sweep, write_json
from cmb_harness.media.cache import find_video, is_of, mark_of, subtitle_files
from cmb_harness.media.remux import without
from cmb_harness.media.video import open_video

# Setting → the kinds that it takes away.
SETTINGS = {
    "full": (),
    "no-audio": ("audio",),
    "no-subtitles": ("subtitle",),
    "visual-only": ("audio", "subtitle"),
}


@dataclass(frozen=True)
class Version:
    """A video as a setting leaves it.

    Attributes:
        path: the local file; the video itself where the setting changes nothing in it.
        setting: the setting's name.
        removed: kinds (``audio``, ``subtitle``) that the setting took away.
        absent: kinds that the video never had. Subtitles beside the file count as its subtitles.
    """

    path: Path
    setting: str
    removed: tuple[str, ...]
    absent: tuple[str, ...]


def video_for(cache: str | os.PathLike[str], video_id: str, setting: str = "full") -> Version | None:
    """The video of an id under a setting; None if it is not in the cache.

    A copy without the streams is made in ``CACHE/settings/<setting>/`` when it is missing or older than its video,
    with what was taken away beside it in JSON.

    Raises:
        MediaError: the video cannot be read or copied.
        ValueError: there is no such setting.
    """
    if setting not in SETTINGS:
        raise ValueError(f"setting {setting!r}: expected one of {', '.join(SETTINGS)}")
    video = find_video(cache, video_id)
    if video is None:
        return None
    inside = kinds_in(video)
    there = inside | ({"subtitle"} if subtitle_files(Path(cache) / "subtitles", video_id) else set())
    taken = SETTINGS[setting]
    version = Version(
        path=video,
        setting=setting,
        removed=tuple(kind for kind in taken if kind in there),
        absent=tuple(kind for kind in ("audio", "subtitle") if kind not in there),
    )
    if not inside & set(taken):
        return version
    target = Path(cache) / "settings" / setting / video.name
    if not (target.exists() and is_of(target, video)):
        _make(video, target, version)
    return Version(target, setting, version.removed, version.absent)


def kinds_in(path: str | os.PathLike[str]) -> set[str]:
    """Which of ``audio`` and ``subtitle`` a media file holds.

    Raises:
        MediaError: it cannot be read.
    """
    with open_video(path) as video:
        types: set[str] = {stream.type for stream in video.container.streams}
    return types & {"audio", "subtitle"}


def _make(video: Path, target: Path, version: Version) -> None:
    sweep(target.parent)
    with appearing_whole(target, ending=target.suffix) as name:
        mark = mark_of(video)
        without(video, name, SETTINGS[version.setting])
        os.utime(name, ns=(mark, mark))
        write_json(target.with_suffix(".json"), {**asdict(version), "path": target.name})
