"""The clips of a release: made where they are missing or stale, and filled into datasets.

A clip carries a mark of the time and size of the video that it was cut from: where the video's differ, it has been
replaced since, and the clip is stale.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cmb_harness.files import sweep
from cmb_harness.media.cache import clip_path, find_video, is_of, mark_of, require_cache
from cmb_harness.media.cut import cut_clip
from cmb_harness.media.video import MediaError

Moment = tuple[str, float, float]
ClipRow = dict[str, Any]


def cut_clips(
    moments: Iterable[Moment],
    cache: str | os.PathLike[str],
    *,
    jobs: int = 1,
    progress: bool = False,
) -> list[ClipRow]:
    """Make the clips of moments in ``CACHE/clips``, those alone that are missing or stale.

    Args:
        moments: ``(video_id, start_s, end_s)``; repeated ones are made once.
        cache: the folder with ``videos/``.
        jobs: clips cut at the same time; with more than one, each uses one thread.
        progress: show a bar on stderr.

    Returns:
        One row a moment, in order: ``{video_id, start_s, end_s, clip, state, message}``. ``state`` is ``made``,
        ``kept``, ``no_video`` (its video is not in the cache; a clip that is there is used and ``kept``) or
        ``failed`` (``message`` says why); ``clip`` is the local path, None in the last two. One bad video stops
        nothing.

    Raises:
        ValueError: ``jobs`` is below 1.
    """
    if jobs < 1:
        raise ValueError(f"jobs must be 1 or more, not {jobs!r}")
    todo = list(dict.fromkeys((video_id, float(start), float(end)) for video_id, start, end in moments))
    threads = 1 if jobs > 1 else 0
    sweep(Path(cache) / "clips")
    with ThreadPoolExecutor(max_workers=max(jobs, 1)) as pool:
        rows = pool.map(lambda moment: _make(moment, Path(cache), threads), todo)
        try:
            return list(_shown(rows, len(todo), "cutting clips") if progress and todo else rows)
        except BaseException:
            # Ctrl-C: what is being cut is finished, the rest is not begun.
            pool.shutdown(cancel_futures=True)
            raise


def _make(moment: Moment, cache: Path, threads: int) -> ClipRow:
    video_id, start_s, end_s = moment
    clip, video = clip_path(cache, *moment), find_video(cache, video_id)
    if is_fresh(clip, video):
        return _row(moment, clip, "kept")
    if video is None:
        return _row(moment, None, "no_video", f"{cache}/videos holds no video {video_id}")
    try:
        mark = mark_of(video)
        cut_clip(video, clip, start_s, end_s, threads=threads)
        os.utime(clip, ns=(mark, mark))
    except (MediaError, ValueError, OSError) as error:
        # A clip of an upload that has been replaced must not be used for want of a better one.
        clip.unlink(missing_ok=True)
        return _row(moment, None, "failed", str(error))
    return _row(moment, clip, "made")


def is_fresh(clip: Path, video: Path | None) -> bool:
    """Whether a clip is there and was cut from ``video`` as it is now (any clip, if the video is gone)."""
    return clip.is_file() and (video is None or is_of(clip, video))


def _row(moment: Moment, clip: Path | None, state: str, message: str = "") -> ClipRow:
    video_id, start_s, end_s = moment
    path = None if clip is None else str(clip)
    return {
        "video_id": video_id,
        "start_s": start_s,
        "end_s": end_s,
        "clip": path,
        "state": state,
        "message": message,
    }


def _shown(rows: Iterable[ClipRow], total: int, title: str) -> Iterator[ClipRow]:
    from tqdm import tqdm

    return iter(tqdm(rows, total=total, desc=title, unit="clip"))


def moments_of(rows: Iterable[Mapping[str, Any]]) -> list[Moment]:
    """The moments that S2 rows offer, each once, in order."""
    options = (option for row in rows for option in row["options"])
    return list(dict.fromkeys((option["video_id"], option["start_s"], option["end_s"]) for option in options))


def fill_options(
    rows: Iterable[Mapping[str, Any]], clips: dict[Moment, str | None]
) -> list[list[dict[str, Any]]]:
    """The options of S2 rows with the local path of each clip, None where there is none."""
    return [
        [
            {**option, "clip": clips[option["video_id"], option["start_s"], option["end_s"]]}
            for option in row["options"]
        ]
        for row in rows
    ]


def with_media(dataset: Any, cache: str | os.PathLike[str], *, jobs: int = 1, progress: bool = True) -> Any:
    """A loaded ``s2`` or ``s3`` dataset with the local paths of its media filled in.

    S2: ``options[*].clip``; clips that are missing or stale are cut if their video is in the cache. S3: ``video``.
    What is not there stays null. The paths are for local use: a dataset that holds them is not for publication.

    Args:
        dataset: a ``datasets.Dataset`` or ``DatasetDict`` of ``s2`` or ``s3`` rows; other rows come back unchanged.
        cache: the folder with ``videos/`` and ``clips/``.
        jobs: clips cut at the same time.
        progress: show a bar on stderr while clips are cut.

    Returns:
        A new dataset of the same kind, columns and features.

    Raises:
        FileNotFoundError: there is no folder ``cache``.
        TypeError: what was given is no such dataset, or is streamed.
    """
    cache = Path(cache).absolute()
    require_cache(cache)
    if not isinstance(dataset, dict) and not hasattr(dataset, "add_column"):
        raise TypeError(f"a datasets.Dataset or DatasetDict was expected, not {type(dataset).__name__}")
    if type(dataset).__name__.startswith("Iterable"):
        raise TypeError("paths can be filled into a dataset that is loaded, not into one that is streamed")
    if isinstance(dataset, dict):
        filled = {
            split: with_media(rows, cache, jobs=jobs, progress=progress) for split, rows in dataset.items()
        }
        return type(dataset)(filled)
    if "options" in dataset.column_names and "clip" in _fields_of_options(dataset):
        options = dataset["options"]
        rows = [{"options": row} for row in options]
        moments = moments_of(rows)
        made = cut_clips(moments, cache, jobs=jobs, progress=progress and _any_stale(moments, Path(cache)))
        paths = {(row["video_id"], row["start_s"], row["end_s"]): row["clip"] for row in made}
        return _replace_column(dataset, "options", fill_options(rows, paths))
    if "video" in dataset.column_names and "video_id" in dataset.column_names:
        videos = [find_video(cache, video_id) for video_id in dataset["video_id"]]
        return _replace_column(dataset, "video", [None if path is None else str(path) for path in videos])
    return dataset


def _fields_of_options(dataset: Any) -> Sequence[str]:
    feature = dataset.features["options"]
    inner = getattr(feature, "feature", feature[0] if isinstance(feature, list) else None)
    return list(inner) if isinstance(inner, dict) else []


def _any_stale(moments: Iterable[Moment], cache: Path) -> bool:
    return not all(is_fresh(clip_path(cache, *moment), find_video(cache, moment[0])) for moment in moments)


def _replace_column(dataset: Any, name: str, values: list[Any]) -> Any:
    order, features = dataset.column_names, dataset.features
    filled = dataset.remove_columns(name).add_column(name, values, feature=features[name])
    return filled.select_columns(order)
