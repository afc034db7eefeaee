"""``cmb fetch``: bring the videos of a release into a cache, and cut its clips."""

import argparse
import contextlib
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.files import sweep

HELP = "bring the videos of records or of a built dataset into a cache, and cut the clips"
EXAMPLE = "cmb fetch cmb --cache cache --video-dir example/videos"

PARTS = ("train", "test", "s2", "s3")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb fetch``."""
    parser.add_argument(
        "source",
        metavar="RECORDS|DATASET",
        help="records, or the folder that cmb build wrote, or ORG/NAME on the Hub",
    )
    parser.add_argument("--cache", required=True, type=Path, metavar="DIR", help="where videos and clips go")
    parser.add_argument("--estimate", action="store_true", help="say what it would take, and ask for nothing")
    parser.add_argument(
        "--only", action="append", choices=PARTS, help="this split or stage only (may be repeated)"
    )
    _add_sources(parser)
    _add_manners(parser)
    parser.add_argument(
        "--offline", action="store_true", help="ask nobody: take what --video-dir and the cache have"
    )
    parser.add_argument("--no-clips", action="store_true", help="leave the cutting of clips for later")


def _add_sources(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url-template", metavar="T", help="ask a mirror: a URL with {id} in it")
    parser.add_argument(
        "--video-dir", type=Path, metavar="DIR", help="videos that are here already, named by id"
    )
    parser.add_argument(
        "--cookies", type=Path, metavar="FILE", help="cookies of a browser (Netscape's format)"
    )
    parser.add_argument("--max-height", type=int, default=480, metavar="P", help="pixels (default 480)")
    parser.add_argument(
        "--subtitles", nargs="+", default=[], metavar="LANG", help="fetch these subtitles too"
    )
    parser.add_argument(
        "--subtitle-template", metavar="T", help="the mirror's subtitles: a URL with {id} and {lang} in it"
    )
    parser.add_argument("--reference", type=Path, metavar="FILE", help="a published manifest to compare with")


def _add_manners(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="videos at the same time (default 1)"
    )
    parser.add_argument("--sleep", type=float, metavar="S", help="rest after each video (3; 0 with a mirror)")
    parser.add_argument("--tries", type=int, default=4, metavar="N", help="tries a video and run (default 4)")
    parser.add_argument(
        "--backoff", type=float, metavar="S", help="wait before the second try (2; 0.5 with a mirror)"
    )
    parser.add_argument(
        "--again",
        action="append",
        default=[],
        metavar="STATE",
        help="ask again for removed, private, … videos",
    )
    parser.add_argument(
        "--accept",
        action="append",
        default=[],
        metavar="ID",
        help="take this changed video as right from now on (--accept=ID where it begins with -)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Fetch, cut, and say what is complete; exit 1 if the run was stopped or not one item is complete."""
    from cmb_harness.media.items import items_of, wanted_videos

    _check(arguments)
    items = items_of(wanted_rows(arguments.source, arguments.only or ()))
    if not items:
        raise InputError(f"{arguments.source}: holds no S2 or S3 item that --only leaves")
    videos = wanted_videos(items)
    unknown = sorted(set(arguments.accept) - {video.video_id for video in videos})
    if unknown:
        raise InputError([f"--accept {name}: no item asks for such a video" for name in unknown])
    if arguments.estimate:
        return _estimate(arguments, videos)
    with _alone(arguments.cache):
        fetcher, outcome = _fetch(arguments, videos)
        clips = [] if arguments.no_clips else _cut(arguments, items, fetcher)
        _report(fetcher, outcome, clips)
        complete = _summary(items, fetcher, arguments)
    return 0 if complete and not outcome.stopped else 1


def _check(arguments: argparse.Namespace) -> None:
    from cmb_harness.media.failures import STATES

    template, faults = arguments.url_template, []
    if template is not None and "{id}" not in template and "{video_id}" not in template:
        faults.append(
            f"--url-template {template}: expected {{id}} in it, which each video's id takes the place of"
        )
    for language in arguments.subtitles:
        if not re.fullmatch(r"[A-Za-z0-9-]+", language):
            faults.append(f"--subtitles {language}: expected a language's code, like id or zh-Hans")
    subtitles = arguments.subtitle_template
    if subtitles is not None and not ("{id}" in subtitles and "{lang}" in subtitles):
        faults.append(f"--subtitle-template {subtitles}: expected {{id}} and {{lang}} in it")
    if subtitles is not None and not arguments.subtitles:
        faults.append("--subtitle-template: expected --subtitles LANG too")
    if arguments.subtitles and template is not None and subtitles is None:
        faults.append(
            "--subtitles with --url-template: expected --subtitle-template too, a URL with {id} and {lang} in it "
            "(or put <id>.<lang>.vtt beside the videos of --video-dir)"
        )
    if template is not None and not re.match(r"https?://", template):
        faults.append(f"--url-template {template}: expected a URL that begins with http:// or https://")
    if arguments.cache.exists() and not arguments.cache.is_dir():
        faults.append(f"--cache {arguments.cache}: expected a folder, found a file")
    for name, kind in (("video_dir", "folder"), ("cookies", "file"), ("reference", "file")):
        path = getattr(arguments, name)
        if path is not None and not (path.is_dir() if kind == "folder" else path.is_file()):
            faults.append(f"--{name.replace('_', '-')} {path}: there is no such {kind}")
    for name in ("sleep", "backoff"):
        value = getattr(arguments, name)
        if value is not None and not 0 <= value < math.inf:
            faults.append(f"--{name} {value}: expected seconds, 0 or more")
    if arguments.cookies and arguments.cookies.is_file():
        faults += _cookie_faults(arguments.cookies)
    for state in arguments.again:
        if state not in STATES:
            faults.append(f"--again {state}: expected one of {', '.join(STATES)}")
    for name in ("jobs", "tries", "max_height"):
        if getattr(arguments, name) < 1:
            faults.append(f"--{name.replace('_', '-')}: expected 1 or more")
    if faults:
        raise InputError(faults)


def _cookie_faults(path: Path) -> list[str]:
    from http.cookiejar import LoadError

    from yt_dlp.cookies import YoutubeDLCookieJar

    try:
        YoutubeDLCookieJar(str(path)).load()
    except (LoadError, OSError, ValueError) as error:
        return [f"--cookies {path}: expected cookies in Netscape's format: {' '.join(str(error).split())}"]
    return []


def wanted_rows(source: str, only: Sequence[str]) -> dict[str, list[Mapping[str, Any]]]:
    """The S2 and S3 rows of records or of a built dataset; ``only`` names splits and stages.

    Raises:
        InputError: the source cannot be read, or has no splits to choose from.
    """
    splits = {part for part in only if part in ("train", "test")} or {"train", "test"}
    stages = {part for part in only if part in ("s2", "s3")} or {"s2", "s3"}
    is_dataset = (Path(source) / "README.md").is_file()
    if is_dataset and (Path(source) / "records.json").is_file():
        raise InputError(f"{source}: is no built dataset; its records are {source}/records.json")
    on_the_hub = not Path(source).exists() and re.fullmatch(r"[\w.-]+/[\w.-]+", source)
    if on_the_hub or is_dataset:
        from cmb_harness.dataset import read_dataset

        every = read_dataset(source).rows
    else:
        if len(splits) == 1:
            raise InputError(f"{source}: records have no splits; give --only the folder that cmb build wrote")
        from cmb_dataset import stage_rows
        from cmb_harness.records import read_records

        records = read_records(source)
        every = {stage: stage_rows(records, stage) for stage in ("s2", "s3")}
    return {
        stage: [row for split in sorted(splits) for row in every.get(stage, {}).get(split, ())]
        for stage in sorted(stages)
    }


@contextlib.contextmanager
def _alone(cache: Path) -> Iterator[None]:
    """Keep a second ``cmb fetch`` out of the cache; the lock falls with the process that holds it."""
    from filelock import FileLock, Timeout

    cache.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(cache / "fetch.lock", timeout=0):
            for folder in (cache, cache / "videos", cache / "subtitles", cache / "clips"):
                sweep(folder)
            yield
    except Timeout:
        raise InputError(f"{cache}: another cmb fetch is at work there") from None


def _fetch(arguments: argparse.Namespace, videos: Sequence[Any]) -> tuple[Any, Any]:
    from tqdm import tqdm

    from cmb_harness.media.asking import Policy
    from cmb_harness.media.fetch import Fetcher
    from cmb_harness.media.manifest import read_reference
    from cmb_harness.media.resolve import Source

    mirror = arguments.url_template is not None
    policy = Policy(
        jobs=arguments.jobs,
        sleep_s=(0.0 if mirror else 3.0) if arguments.sleep is None else arguments.sleep,
        tries=arguments.tries,
        backoff_s=(0.5 if mirror else 2.0) if arguments.backoff is None else arguments.backoff,
        again=frozenset(arguments.again),
        accept=frozenset(arguments.accept),
        offline=arguments.offline,
    )
    fetcher = Fetcher(
        arguments.cache,
        Source(
            arguments.url_template,
            arguments.max_height,
            arguments.cookies,
            subtitle_template=arguments.subtitle_template,
        ),
        policy,
        folder=arguments.video_dir,
        reference=read_reference(arguments.reference) if arguments.reference else None,
        languages=arguments.subtitles,
    )
    for number in fetcher.manifest.torn:
        print(f"cmb: {fetcher.manifest.path}: line {number}: torn or no row: passed over", file=sys.stderr)
    with tqdm(total=len(videos), desc="fetching", unit="video") as bar:

        def progress(states: Counter[str]) -> None:
            bar.set_postfix_str(
                ", ".join(f"{state} {states[state]}" for state in sorted(states)), refresh=False
            )
            bar.update()

        outcome = fetcher.run(videos, progress)
    if fetcher.manifest.rows:
        fetcher.manifest.write_parquet()
    return fetcher, outcome


def _cut(arguments: argparse.Namespace, items: Sequence[Any], fetcher: Any) -> list[dict[str, Any]]:
    from cmb_harness.media.clips import cut_clips

    moments = dict.fromkeys(moment for item in items for moment in item.moments)
    # Not from a file that is no longer the one that was found right.
    at_hand = [moment for moment in moments if fetcher.is_there(moment[0])]
    return cut_clips(at_hand, arguments.cache, jobs=arguments.jobs, progress=True)


def _report(fetcher: Any, outcome: Any, clips: Sequence[Mapping[str, Any]]) -> None:
    states = outcome.states
    counts = ", ".join(
        f"{states[state]} {state}" for state in sorted(states, key=lambda name: (name != "ok", name))
    )
    print(f"videos: {counts} ({outcome.kept} were there)")
    if clips:
        made = Counter(row["state"] for row in clips)
        print("clips: " + ", ".join(f"{count} {state}" for state, count in sorted(made.items())))
    if fetcher.languages:
        print(f"subtitles: {_subtitles(fetcher)}")
    for row in clips:
        if row["state"] == "failed":
            print(f"cmb: clip {row['start_s']}-{row['end_s']} s: {row['message']}", file=sys.stderr)
    for line in _reasons(fetcher.manifest.rows.values()):
        print(f"cmb: {line}", file=sys.stderr)
    for name, what in sorted(outcome.passed_over.items()):
        print(f"cmb: {name}: the folder's file is {what}; the cache's own is used", file=sys.stderr)
    if outcome.subtitles_stopped:
        print(f"cmb: subtitles: {outcome.subtitles_stopped}; the videos went on without", file=sys.stderr)
    if outcome.stopped:
        print(f"cmb: stopped: {outcome.stopped}; the same command goes on from here later", file=sys.stderr)


def _reasons(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Why videos are not there, in a line a reason; changed ones in a line each, since each needs a decision."""
    told: dict[tuple[str, str], list[str]] = {}
    for row in sorted(rows, key=lambda row: row["id"]):
        if row["state"] != "ok":
            message = row.get("message") or ""
            reason = (
                row["id"]
                if row["state"] == "changed"
                else re.sub(r"0x[0-9a-f]+|\d+", "0", message.replace(row["id"], ""))
            )
            told.setdefault((row["state"], reason), []).append(f"{row['id']}: {row['state']}: {message}")
    return [
        lines[0] + (f" (and {len(lines) - 1} more like it)" if len(lines) > 1 else "")
        for lines in told.values()
    ]


def _subtitles(fetcher: Any) -> str:
    """How many videos have subtitles in each language that was asked for, and how many could not be asked."""
    from cmb_harness.media.cache import subtitle_files

    there = {
        name: {*subtitle_files(fetcher.cache / "subtitles", name)}
        for name, row in fetcher.manifest.rows.items()
        if row["state"] == "ok"
    }
    found = Counter(language for languages in there.values() for language in languages)
    open_still = sum(
        not set(fetcher.languages)
        <= there[name] | {*(fetcher.manifest.rows[name].get("subtitles_asked") or ())}
        for name in there
    )
    counts = ", ".join(f"{language} {found[language]}" for language in fetcher.languages)
    return f"{counts} of {len(there)} videos" + (
        f"; {open_still} still open, run again" if open_still else ""
    )


def _summary(items: Sequence[Any], fetcher: Any, arguments: argparse.Namespace) -> int:
    """Print how many items are complete; return how many those are."""
    from cmb_harness.media.cache import clip_path, find_video
    from cmb_harness.media.clips import is_fresh
    from cmb_harness.media.items import completeness

    def has_clip(moment: tuple[str, float, float]) -> bool:
        clip, video = clip_path(arguments.cache, *moment), find_video(arguments.cache, moment[0])
        if arguments.no_clips:
            return fetcher.is_there(moment[0])
        return is_fresh(clip, video) and (video is None or fetcher.is_there(moment[0]))

    complete = completeness(items, fetcher.is_there, has_clip)
    stages = sorted({stage for stage, _, _ in complete})
    print("complete items" + "".join(f"{stage.upper():>12}" for stage in stages))
    for kind, code in dict.fromkeys(
        (kind, code) for _, kind, code in sorted(complete, key=lambda key: key[1:])
    ):
        cells = [complete.get((stage, kind, code)) for stage in stages]
        shown = ["-" if cell is None else f"{cell[0]}/{cell[1]}" for cell in cells]
        print(f"{code:<14}" + "".join(f"{cell:>12}" for cell in shown))
    totals = [
        [sum(cell[part] for (at, kind, _), cell in complete.items() if (at, kind) == (stage, "country"))
         for part in (0, 1)]
        for stage in stages
    ]  # fmt: skip
    print(f"{'all':<14}" + "".join(f"{f'{done}/{total}':>12}" for done, total in totals))
    return sum(done for done, _ in totals)


def _estimate(arguments: argparse.Namespace, videos: Sequence[Any]) -> int:
    from cmb_harness.media.cache import find_in_folder, find_video
    from cmb_harness.media.items import bits_per_second, estimate

    folder, cache = arguments.video_dir, arguments.cache
    present = {
        video.video_id
        for video in videos
        if find_video(cache, video.video_id) or (folder and find_in_folder(folder, video.video_id))
    }
    guess = estimate(videos, present, arguments.max_height)
    absent = guess.videos - guess.present
    if not absent:
        print(f"videos: {guess.videos}, all of them here: nothing to fetch")
        return 0
    print(f"videos: {guess.videos}, {guess.present} of them here, {absent} to fetch")
    print(
        f"hours: {guess.known_hours:.2f} of the {guess.known} whose records say it; at least "
        f"{guess.least_hours:.2f} of the other {absent - guess.known}"
    )
    rate = bits_per_second(arguments.max_height) / 1e6
    print(
        f"bytes: about {guess.bytes / 1e9:.2f} GB for those hours, at {rate:g} Mbit/s ({arguments.max_height} p)"
    )
    return 0
