"""What a model gets of an item: four unlabelled clips (S2), or video B (S3). To look at, and to feed from."""

import html
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cmb_harness.media.cache import clip_path, require_cache
from cmb_harness.media.clips import cut_clips
from cmb_harness.media.frames import sample_frames
from cmb_harness.media.settings import SETTINGS, video_for


@dataclass(frozen=True)
class View:
    """The media of one item and the text that goes with them, no id, title, country or second among them.

    Attributes:
        stage: ``s2`` or ``s3``.
        text: the description (S2), or the concept's name and the cue (S3).
        files: four clips in the order of the options, or one video; None where the cache has none.
    """

    stage: str
    text: str
    files: tuple[Path | None, ...]

    def frames(self, **sampling: Any) -> list[tuple[np.ndarray, np.ndarray] | None]:
        """``sample_frames`` of each file, with its keyword arguments; None where there is no file."""
        return [None if path is None else sample_frames(path, **sampling) for path in self.files]

    def _repr_html_(self) -> str:
        names = "ABCD" if self.stage == "s2" else " "
        players = "".join(
            f"<figure style='display:inline-block'>{_player(path)}<figcaption>{name}</figcaption></figure>"
            for name, path in zip(names, self.files, strict=False)
        )
        return f"<p>{html.escape(self.text)}</p>{players}"


def _player(path: Path | None) -> str:
    if path is None:
        return "not in the cache"
    return f"<video controls width=320 src='{html.escape(str(path))}'></video>"


def view(item: Mapping[str, Any], cache: str | os.PathLike[str], *, setting: str = "full") -> View:
    """What a model gets of an S2 or S3 row.

    Args:
        item: a row of the built dataset, of either split.
        cache: the folder with ``videos/``; S2 clips that it lacks are cut.
        setting: S3: what the video is left without, see `cmb_harness.media.settings`.

    Raises:
        FileNotFoundError: there is no folder ``cache``.
        ValueError: the row is neither an S2 nor an S3 row (S1 has no media), or there is no such setting.
    """
    require_cache(cache)
    if setting not in SETTINGS:
        raise ValueError(f"setting {setting!r}: expected one of {', '.join(SETTINGS)}")
    if item.get("cue") is not None:
        version = video_for(cache, item["video_id"], setting)
        path = None if version is None else version.path
        return View("s3", f"{item['concept_name']}\n{item['cue']}", (path,))
    options = item.get("options") or []
    if not options or not isinstance(options[0], Mapping):
        raise ValueError(f"item {item.get('item_id')!r} has no media: only S2 and S3 items have")
    moments = [(option["video_id"], option["start_s"], option["end_s"]) for option in options]
    cut = {
        (row["video_id"], row["start_s"], row["end_s"]) for row in cut_clips(moments, cache) if row["clip"]
    }
    files = tuple(clip_path(cache, *moment) if moment in cut else None for moment in moments)
    return View("s2", item["description"], files)
