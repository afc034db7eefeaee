"""Every video of a release brought into a cache, politely, each ending in a row of the manifest.

A video counts as there only when its last row is ``ok`` and its file is the one that the row describes. The order of
writing makes a run that is killed at any moment repeatable: a file is fetched aside, looked into, its row appended,
and only then does it take its place; a row whose file is not there is work to do.
"""

import os
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cmb_harness.files import appearing_whole
from cmb_harness.media.asking import Asker, Policy
from cmb_harness.media.cache import ending_of, find_video, subtitle_files, videos_named
from cmb_harness.media.fingerprint import usual_step
from cmb_harness.media.items import WantedVideo
from cmb_harness.media.manifest import Manifest, Row
from cmb_harness.media.probe import sha256_of
from cmb_harness.media.resolve import Fetched, Source, Stopped
from cmb_harness.media.verify import HEADER_SLACK_S, Verdict, verify

# What a site means for good; asked again only when told to.
SETTLED = frozenset({"removed", "private", "geo_blocked", "age_restricted", "login_required", "changed"})


@dataclass(frozen=True)
class Outcome:
    """What a run did.

    Attributes:
        states: how many of the wanted videos are in each state now; ``pending`` ones have never been dealt with.
        kept: how many were there already.
        stopped: why the run stopped early, None if it did not.
        subtitles_stopped: why it stopped asking for subtitles, None if it did not.
        passed_over: id → what is wrong with the folder's file, where the cache has the right one.
    """

    states: Counter[str]
    kept: int
    stopped: str | None
    subtitles_stopped: str | None
    passed_over: Mapping[str, str]


class Fetcher:
    """Brings videos into a cache.

    Args:
        cache: the folder; this process alone may fetch into it.
        source: the site or mirror to ask.
        policy: how.
        folder: videos that are there already, named by id in any container; they are linked, not fetched.
        reference: id → manifest row of the same release elsewhere, to compare with.
        languages: of subtitles to fetch.
    """

    def __init__(
        self,
        cache: str | os.PathLike[str],
        source: Source,
        policy: Policy,
        *,
        folder: str | os.PathLike[str] | None = None,
        reference: Mapping[str, Row] | None = None,
        languages: Sequence[str] = (),
    ):
        self.cache, self.policy, self.languages = Path(cache), policy, tuple(languages)
        self.source = source
        self.folder = None if folder is None else Path(folder)
        self.reference = reference or {}
        self.manifest = Manifest(cache)
        self._asker = Asker(source, policy, self.cache)
        self._lock = threading.Lock()
        self._kept = 0
        self._passed_over: dict[str, str] = {}

    def run(
        self, videos: Iterable[WantedVideo], progress: Callable[[Counter[str]], None] | None = None
    ) -> Outcome:
        """Deal with every video once.

        Args:
            videos: what the release asks for.
            progress: called after each video with the counts by state so far.

        Returns:
            What was done; the manifest says more.
        """
        # What is here already comes first: a server that stops the run stops nothing of that.
        videos = sorted(videos, key=lambda video: not self._is_near(video))
        shutil.rmtree(self.cache / "partial", ignore_errors=True)
        with ThreadPoolExecutor(max_workers=max(self.policy.jobs, 1)) as pool:
            try:
                for _ in _as_done(pool, self._deal_with, videos, self.policy.jobs):
                    if progress:
                        progress(self._counts(videos))
            finally:
                # Ctrl-C, or a full disk: what is under way is broken off.
                self._asker.stop.set()
        shutil.rmtree(self.cache / "partial", ignore_errors=True)
        asker = self._asker
        return Outcome(
            self._counts(videos), self._kept, asker.stopped, asker.subtitles_stopped, self._passed_over
        )

    def is_there(self, video_id: str) -> bool:
        """Whether a video is in the cache as its last row describes it."""
        row, path = self.manifest.rows.get(video_id), find_video(self.cache, video_id)
        return path is not None and row is not None and row["state"] == "ok" and _is_untouched(path, row)

    def _counts(self, videos: Iterable[WantedVideo]) -> Counter[str]:
        rows = self.manifest.rows
        return Counter(
            rows[video.video_id]["state"] if video.video_id in rows else "pending" for video in videos
        )

    def _deal_with(self, video: WantedVideo) -> None:
        if self._asker.stop.is_set():
            return
        local = self._local(video)
        cached = find_video(self.cache, video.video_id)
        taken = local and not any(_is_same(path, cached) for path in local) and self._take(video, local)
        if (
            not taken
            and not self._keep(video)
            and not (local or self._is_settled(video) or self.policy.offline)
        ):
            self._fetch(video)
        asks = self.languages and not (self.policy.offline or self._asker.stop.is_set())
        if asks and self.is_there(video.video_id):
            self._add_subtitles(video.video_id)

    def _keep(self, video: WantedVideo) -> bool:
        """Whether the cache has the video, as its row says or as looking into it shows."""
        if not (self.is_there(video.video_id) and self._still_fits(video)):
            return self._recognise(video)
        with self._lock:
            self._kept += 1
        return True

    def _local(self, video: WantedVideo) -> list[Path]:
        return videos_named(self.folder, video.video_id) if self.folder else []

    def _is_near(self, video: WantedVideo) -> bool:
        return bool(self._local(video)) or find_video(self.cache, video.video_id) is not None

    # A file that somebody put there.

    def _take(self, video: WantedVideo, candidates: Sequence[Path]) -> bool:
        """Take the first file that is right; if none is, a row tells of the first, unless the cache has it right."""
        local, verdict = candidates[0], self._verify(video, candidates[0])
        for other in candidates[1:]:
            if verdict.state != "corrupt":
                break
            second = self._verify(video, other)
            local, verdict = (other, second) if second.state == "ok" else (local, verdict)
        if verdict.state != "ok" and self.is_there(video.video_id) and self._still_fits(video):
            with self._lock:
                self._passed_over[video.video_id] = f"{verdict.state}: {verdict.message}"
            return False
        self._append(video, verdict, local, format=None, source="folder", attempts=0)
        if verdict.state == "ok":
            self._place(video.video_id, local, link=True)
            for language, path in subtitle_files(local.parent, video.video_id).items():
                _link(path, self.cache / "subtitles" / f"{video.video_id}.{language}.vtt")
        return verdict.state == "ok"

    def _recognise(self, video: WantedVideo) -> bool:
        """Look into a file in the cache that no row describes as it is now; keep it, or put it aside."""
        path = find_video(self.cache, video.video_id)
        if path is None:
            return False
        verdict = self._verify(video, path)
        before = self.manifest.accepted.get(video.video_id, {})
        origin = {name: before.get(name) for name in ("format", "source", "attempts")}
        self._append(video, verdict, path, **{**origin, "source": origin["source"] or "cache"})
        if verdict.state == "ok":
            os.replace(path, path.with_name(f"{video.video_id}{ending_of(path)}"))
            return True
        self._put_aside(path, path.name)
        return False

    def _still_fits(self, video: WantedVideo) -> bool:
        """Whether the row was held against all that is asked for now; a newer release may ask for more."""
        row, reference = self.manifest.rows[video.video_id], self.reference.get(video.video_id)
        if video.expected_s is not None and row.get("expected_duration_s") != video.expected_s:
            return False
        if reference and reference.get("sha256") not in (row.get("sha256"), row.get("compared_with")):
            return False
        return (row.get("duration_s") or 0.0) >= video.needed_s - HEADER_SLACK_S

    def _put_aside(self, path: Path, name: str) -> None:
        aside = self.cache / "aside" / name
        aside.parent.mkdir(parents=True, exist_ok=True)
        os.replace(path, aside)

    # A file that has to be asked for.

    def _is_settled(self, video: WantedVideo) -> bool:
        row = self.manifest.rows.get(video.video_id)
        settled = row is not None and row["state"] in SETTLED and row.get("source") == "youtube"
        again = self.policy.again | ({"age_restricted", "login_required"} if self.source.cookies else set())
        if self.source.template is not None or video.video_id in self.policy.accept:
            return False
        return settled and row is not None and row["state"] not in again

    def _fetch(self, video: WantedVideo) -> None:
        partial = self.cache / "partial" / video.video_id
        try:
            fetched, failure, attempts = self._asker.ask(video.video_id, partial)
        except Stopped:
            return
        origin = {"source": "youtube" if self.source.template is None else "mirror", "attempts": attempts}
        if failure is not None:
            self._append(video, Verdict(failure.state, failure.message, None), None, format=None, **origin)
        elif fetched is not None:
            self._receive(video, fetched, origin)
        shutil.rmtree(partial, ignore_errors=True)
        self._asker.rest()

    def _receive(self, video: WantedVideo, fetched: Fetched, origin: Mapping[str, Any]) -> None:
        verdict = self._verify(video, fetched.path, fetched.promised_s)
        self._append(video, verdict, fetched.path, format=fetched.format, **origin)
        if verdict.state == "ok":
            self._place(video.video_id, fetched.path, link=False)
        elif verdict.state == "changed":
            self._put_aside(fetched.path, f"{video.video_id}{ending_of(fetched.path)}")

    # What both have in common.

    def _verify(self, video: WantedVideo, path: Path, said_s: float | None = None) -> Verdict:
        published = self.reference.get(video.video_id)
        known = published or self.manifest.accepted.get(video.video_id)
        if video.video_id in self.policy.accept:
            known = None
        threads = 1 if self.policy.jobs > 1 else 0
        verdict = verify(path, video, said_s=said_s, known=known, threads=threads)
        if verdict.state != "changed" or known is None:
            return verdict
        whose = "the published manifest's" if published else "the one that this cache accepted before"
        return replace(verdict, message=f"{verdict.message} (compared with {whose})")

    def _append(self, video: WantedVideo, verdict: Verdict, path: Path | None, **origin: Any) -> None:
        row: Row = {
            "id": video.video_id,
            "state": verdict.state,
            "message": verdict.message,
            "expected_duration_s": video.expected_s,
            **origin,
            "fetched_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }
        if path is not None:
            stat = path.stat()
            row |= {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns}
        if path is not None and verdict.probe is not None:
            row |= {"sha256": sha256_of(path), "file": f"{video.video_id}{ending_of(path)}"}
            row |= _columns(verdict)
            row["compared_with"] = self.reference.get(video.video_id, {}).get("sha256")
        self.manifest.append(row)

    def _place(self, video_id: str, path: Path, *, link: bool) -> None:
        target = self.cache / "videos" / f"{video_id}{ending_of(path)}"
        target.parent.mkdir(parents=True, exist_ok=True)
        if link:
            _link(path, target)
        else:
            os.replace(path, target)
        for other in videos_named(target.parent, video_id):
            # An earlier form of the video, in another container, would be found as well.
            if other != target:
                other.unlink()

    def _add_subtitles(self, video_id: str) -> None:
        row = self.manifest.rows[video_id]
        asked = set(row.get("subtitles_asked") or ())
        known = asked | subtitle_files(self.cache / "subtitles", video_id).keys()
        wanted = [language for language in self.languages if language not in known]
        if not wanted:
            return
        partial = self.cache / "partial" / f"{video_id}.subtitles"
        partial.mkdir(parents=True, exist_ok=True)
        found = self._asker.ask_subtitles(video_id, wanted, partial)
        if not self._asker.subtitles_stopped:
            self._asker.rest()
        if found is None:
            # They are asked for again by the next run; the video is no worse without.
            return
        for language, path in found.items():
            target = self.cache / "subtitles" / f"{video_id}.{language}.vtt"
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(path, target)
        subtitles = sorted({*(row.get("subtitles") or ()), *found})
        self.manifest.append(row | {"subtitles": subtitles, "subtitles_asked": sorted({*asked, *wanted})})


def _columns(verdict: Verdict) -> Row:
    seen = verdict.probe
    assert seen is not None
    return {
        "duration_s": seen.duration_s,
        "codec": seen.codec,
        "width": seen.width,
        "height": seen.height,
        "fps": seen.fps,
        "frames": seen.frames,
        "audio": seen.audio,
        "subtitles": list(seen.subtitles),
        "fingerprint": str(seen.track.fingerprint(usual_step(seen.duration_s))),
    }


def _as_done(
    pool: ThreadPoolExecutor, work: Callable[[WantedVideo], None], videos: Collection[WantedVideo], jobs: int
) -> Iterator[None]:
    """Yield as videos are done; no more than a few are handed out ahead, so that stopping is quick."""
    waiting, running = iter(videos), set[Future[None]]()
    while True:
        while len(running) < 2 * max(jobs, 1) and (video := next(waiting, None)) is not None:
            running.add(pool.submit(work, video))
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()
            yield


def _is_untouched(path: Path, row: Mapping[str, Any]) -> bool:
    stat = path.stat()
    return (path.name, stat.st_size, stat.st_mtime_ns) == (
        row.get("file"),
        row.get("size"),
        row.get("mtime_ns"),
    )


def _is_same(local: Path, cached: Path | None) -> bool:
    """Whether the cache's file is a link to, or an exact copy of, the local one."""
    if cached is None or local.suffix.lower() != cached.suffix:
        return False
    one, other = local.stat(), cached.stat()
    return os.path.samestat(one, other) or (one.st_size, one.st_mtime_ns) == (
        other.st_size,
        other.st_mtime_ns,
    )


def _link(path: Path, target: Path) -> None:
    """Make ``target`` the same file as ``path``, or a copy with its time where links are not to be had."""
    if target.exists() and os.path.samefile(path, target):
        return
    # Private: a link's mode is that of the file itself.
    with appearing_whole(target, private=True) as name:
        name.unlink()
        try:
            os.link(path.resolve(), name)
        except OSError:
            shutil.copy2(path, name)
