"""One video, asked of YouTube or of a mirror by yt-dlp, into an empty folder.

yt-dlp repeats requests that the server failed to answer (5xx) or broke off, going on where it stopped; refusals
(429, 403) come out as exceptions, for `cmb_harness.media.fetch` to wait and try again. Nothing is resumed across
calls: what another run left may be of another file.
"""

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cmb_harness.media.remux import join
from cmb_harness.media.subtitles import read_subtitles
from cmb_harness.media.video import MediaError

YOUTUBE = "https://www.youtube.com/watch?v={id}"
SOCKET_TIMEOUT_S = 30
RETRIES = 3
# A server that drips is left after a while; a slow line is not.
PATIENCE_S = 60.0
SLOWEST_BYTES_PER_S = 1000
MOST_SUBTITLE_BYTES = 20_000_000


class Stopped(Exception):
    """The run is being stopped: what was half fetched is dropped."""


@dataclass(frozen=True)
class Source:
    """Where videos come from, and how they are asked for.

    Attributes:
        template: URL with ``{id}`` in it, None for YouTube.
        subtitle_template: URL with ``{id}`` and ``{lang}`` in it, where a mirror has WebVTT subtitles.
        max_height: pixels; the best form of a video that is not higher is taken.
        cookies: a cookie file in Netscape's format, left as it is.
        should_stop: asked now and then; if it says True, fetching is broken off.
    """

    template: str | None = None
    max_height: int = 480
    cookies: str | os.PathLike[str] | None = None
    should_stop: Callable[[], bool] = field(default=lambda: False)
    subtitle_template: str | None = None

    def url(self, video_id: str) -> str:
        """The whole URL of a video."""
        return (self.template or YOUTUBE).replace("{video_id}", video_id).replace("{id}", video_id)


@dataclass(frozen=True)
class Fetched:
    """What came.

    Attributes:
        path: the video.
        format: the form that was chosen, in yt-dlp's words.
        promised_s: the length that the site says, in seconds, where it does.
    """

    path: Path
    format: str
    promised_s: float | None


def fetch_video(video_id: str, source: Source, folder: Path) -> Fetched:
    """Fetch one video, without looking into it.

    Args:
        video_id: 11 characters.
        source: where from.
        folder: an empty folder of its own; the result lies in it.

    Raises:
        yt_dlp.utils.DownloadError: it did not come; `cmb_harness.media.failures.failure_of` tells why.
        Stopped: ``source.should_stop`` said so.
    """
    with _downloader(source, folder) as downloader:
        info = downloader.extract_info(source.url(video_id), download=True)
        if "entries" in info:
            # A page that embeds videos is not the video that was asked for.
            raise ValueError("Unsupported URL: the server answered with a page, not with a video")
        parts = [Path(part["filepath"]) for part in info.get("requested_downloads") or ()]
        parts = [part for part in parts if part.is_file()]
        if not parts:
            raise ValueError("did not get any data")
    return Fetched(
        path=parts[0] if len(parts) == 1 else join(parts[0], parts[1], folder),
        format=" + ".join(_format_of(part) for part in info["requested_downloads"]),
        promised_s=info.get("duration"),
    )


@contextlib.contextmanager
def _downloader(source: Source, folder: Path) -> Iterator[Any]:
    from yt_dlp import YoutubeDL

    class Downloader(YoutubeDL):  # type: ignore[misc]
        """Names files without a template: a folder may have any name, and templates give meaning to some."""

        def prepare_filename(self, info_dict: dict[str, Any], *_: Any, **__: Any) -> str:
            words = (info_dict.get(name) for name in ("id", "format_id", "ext"))
            return str(folder / ".".join(re.sub(r"\W", "_", str(word))[:40] for word in words))

    with _copied(source.cookies, folder) as cookies, Downloader(_options(source, cookies)) as downloader:
        yield downloader


def _options(source: Source, cookies: str | None) -> dict[str, Any]:
    def hook(done: dict[str, Any]) -> None:
        if source.should_stop():
            raise Stopped
        seconds = done.get("elapsed") or 0.0
        if seconds > PATIENCE_S and (done.get("downloaded_bytes") or 0) < SLOWEST_BYTES_PER_S * seconds:
            raise TimeoutError(f"timed out: slower than {SLOWEST_BYTES_PER_S} bytes a second")

    height = source.max_height
    youtube = source.template is None
    first_wait_s = 0.5 if youtube else 0.1
    return {
        # Picture and sound in one file needs one request; two files are joined by us, for yt-dlp would need ffmpeg.
        "format": f"b[height={height}]/(bv[height<={height}],ba)/b[height<=?{height}]/bv*[height<=?{height}]",
        "format_sort": [f"res:{height}", "vcodec:h264", "acodec:m4a"],
        "allowed_extractors": ["youtube"] if youtube else ["generic"],
        "continuedl": False,
        "updatetime": False,
        "noplaylist": True,
        "playlist_items": "1",
        "retries": RETRIES,
        "fragment_retries": RETRIES,
        "skip_unavailable_fragments": False,
        "retry_sleep_functions": {
            kind: lambda n: first_wait_s * 2**n for kind in ("http", "fragment", "file_access")
        },
        "socket_timeout": SOCKET_TIMEOUT_S,
        # YouTube's addresses come out of a script; yt-dlp runs it with what is installed of these.
        "js_runtimes": {"deno": {}, "node": {}},
        "sleep_interval_requests": 1 if youtube else 0,
        "cookiefile": cookies,
        "cachedir": None if youtube else False,
        "fixup": "never",
        "progress_hooks": [hook],
        "logger": _Silence(),
        "noprogress": True,
        "quiet": True,
    }


class _Silence:
    """Takes the downloader's words; those that matter come as exceptions."""

    def debug(self, message: str) -> None:
        """Drop a message."""

    info = warning = error = debug


@contextlib.contextmanager
def _copied(cookies: str | os.PathLike[str] | None, folder: Path) -> Iterator[str | None]:
    """A private copy of the cookie file, which yt-dlp would write back to; it goes with the folder at the latest."""
    if cookies is None:
        yield None
        return
    handle, name = tempfile.mkstemp(dir=folder, suffix=".cookies")
    try:
        with os.fdopen(handle, "wb") as copy, open(cookies, "rb") as original:
            shutil.copyfileobj(original, copy)
        yield name
    finally:
        os.unlink(name)


def _format_of(part: dict[str, Any]) -> str:
    codecs = [part.get(name) for name in ("vcodec", "acodec")]
    words = [part.get("format_id"), part.get("ext"), part.get("resolution"), *codecs]
    return " ".join(str(word) for word in words if word and word != "none")


def fetch_subtitles(video_id: str, source: Source, languages: Sequence[str], folder: Path) -> dict[str, Path]:
    """Fetch a video's subtitles: from YouTube those by its uploader (machine-made captions are none), or a mirror's.

    Args:
        video_id: 11 characters.
        source: where from.
        languages: as YouTube or the mirror names them; those that the video has not are passed over.
        folder: where the files go.

    Returns:
        Language → WebVTT file.

    Raises:
        yt_dlp.utils.YoutubeDLError: the site did not answer.
        ValueError: what came is no WebVTT.
    """
    found = {}
    with _downloader(source, folder) as downloader:
        for language, url in _subtitle_urls(video_id, source, languages, downloader).items():
            content = _answer(downloader, url, may_be_missing=source.template is not None)
            if content is None:
                continue
            path = folder / f"{video_id}.{language}.vtt"
            path.write_bytes(content)
            if not _is_webvtt(path, content):
                raise ValueError(
                    f"Unsupported URL: the subtitles in {language!r} that the server gave are no WebVTT"
                )
            found[language] = path
    return found


def _is_webvtt(path: Path, content: bytes) -> bool:
    if len(content) > MOST_SUBTITLE_BYTES or not content.removeprefix(b"\xef\xbb\xbf").startswith(b"WEBVTT"):
        return False
    try:
        content.decode("utf-8-sig")
        read_subtitles(path)
    except (UnicodeDecodeError, MediaError):
        return False
    return True


def _subtitle_urls(
    video_id: str, source: Source, languages: Sequence[str], downloader: Any
) -> dict[str, str]:
    """Language → URL of the WebVTT form, of the languages that there are (a mirror tells only when it is asked)."""
    if source.subtitle_template is not None:
        template = source.subtitle_template.replace("{id}", video_id)
        return {language: template.replace("{lang}", language) for language in languages}
    offered = downloader.extract_info(source.url(video_id), download=False).get("subtitles") or {}
    forms = {
        language: [form["url"] for form in offered.get(language) or () if form.get("ext") == "vtt"]
        for language in languages
    }
    return {language: urls[-1] for language, urls in forms.items() if urls}


def _answer(downloader: Any, url: str, *, may_be_missing: bool) -> bytes | None:
    from yt_dlp.networking import Request
    from yt_dlp.networking.exceptions import HTTPError

    try:
        # Compressed answers are unpacked whole: a small one may be as large as one likes.
        request = Request(url, headers={"Accept-Encoding": "identity"})
        return downloader.urlopen(request).read(MOST_SUBTITLE_BYTES + 1)
    except HTTPError as error:
        if may_be_missing and error.status in (404, 410):
            return None
        raise
