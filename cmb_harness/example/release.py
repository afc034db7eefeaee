"""The example release, written to a folder: texts first, then the videos that they speak of."""

import json
import os
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cmb_harness.example.table import HERE, read_example, video_plans
from cmb_harness.example.videos import VideoPlan, is_whole, make_video
from cmb_harness.faults import InputError
from cmb_harness.files import write_json, write_whole

MARK = "README.md"
COPIED = (MARK, "concepts.csv", "split.json", "sample.json")


@dataclass(frozen=True)
class Written:
    """What `write_example` did.

    Attributes:
        concepts, pairs: how many the example holds.
        made, kept: videos made now, and videos that were there and whole.
        video_bytes: the size of all its videos in the folder.
    """

    concepts: int
    pairs: int
    made: int
    kept: int
    video_bytes: int


def write_example(
    directory: str | os.PathLike[str], *, videos: bool = True, progress: bool = False
) -> Written:
    """Write the example release: the same texts every time, and videos that show the same.

    Every file appears whole or not at all. Called again, it puts back what is missing or differs and keeps the
    rest, so that an interrupted run is taken up where it stopped.

    Args:
        directory: a folder that does not exist, is empty, or holds the example.
        videos: make the videos too; some 13 s of one core, shared by all.
        progress: show a bar on stderr while videos are made.

    Raises:
        InputError: the directory is a file, or holds something else.
    """
    folder = Path(directory)
    _check_free(folder)
    concepts = read_example()
    for name in COPIED:
        _put(folder / name, (HERE / name).read_bytes())
    _put_secrets(folder / "secrets.json")
    records = [record.as_json() for record in concepts]
    _put(folder / "records.json", (json.dumps(records, ensure_ascii=False, indent=2) + "\n").encode())
    plans = video_plans(concepts) if videos else []
    made = _make_missing(plans, folder / "videos", progress)
    sizes = [path.stat().st_size for path in (folder / "videos").glob("*.mp4")]
    pairs = sum(len(concept.s3_pairs) for concept in concepts)
    return Written(len(concepts), pairs, made, len(plans) - made, sum(sizes))


def _check_free(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: expected a folder to write the example to, found a file")
    # A run that was killed leaves at most hidden temporary files.
    if not folder.exists() or all(path.name.startswith(".") for path in folder.iterdir()):
        return
    title = (HERE / MARK).read_text("utf-8").splitlines()[0]
    try:
        found = (folder / MARK).read_text("utf-8", errors="replace").splitlines()[:1]
    except OSError:
        found = []
    if found != [title]:
        raise InputError(
            f"{folder}: the folder is not empty and holds no example; expected a new folder, or one of cmb example"
        )


def _put(path: Path, content: bytes) -> None:
    """Write a file unless it holds this already."""
    if path.is_file() and path.read_bytes() == content:
        return
    with write_whole(path, "wb") as file:
        file.write(content)


def _put_secrets(path: Path) -> None:
    """Write the secrets, but leave alone those of this example that have their references filled in."""
    ours = json.loads((HERE / "secrets.json").read_text("utf-8"))
    try:
        found: Any = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        found = None
    if isinstance(found, dict) and {**found, "references": []} == ours:
        return
    write_json(path, ours)


def _make_missing(plans: Sequence[VideoPlan], folder: Path, progress: bool) -> int:
    """Make the videos that are not there yet; the number made."""
    from tqdm import tqdm

    paths = {plan: folder / f"{plan.video_id}.mp4" for plan in plans}
    for left_over in folder.glob(".*.part"):
        left_over.unlink(missing_ok=True)
    missing = [plan for plan, path in paths.items() if not is_whole(plan, path)]
    bar = tqdm(total=len(missing), desc="example videos", unit="video", disable=not (progress and missing))
    # Encoding lets go of the interpreter: threads use all cores, and stop on Ctrl-C without leaving anything behind.
    with bar, ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(make_video, plan, paths[plan]) for plan in missing}
        try:
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
                bar.update(len(done))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return len(missing)
