"""A mirror on loopback that serves videos by id, and misbehaves on demand."""

import contextlib
import time
from collections import Counter
from pathlib import Path

from loopback import Loopback, Quiet


class Mirror(Loopback):
    """Serves ``<folder>/<id>.mp4`` as ``/<id>.mp4``, and subtitles; ``manners`` says how, by stem (see ``Handler``).

    Attributes:
        requests: (id, whether a range was asked for) of every request so far.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self.manners: dict[str, str] = {}
        self.requests: list[tuple[str, bool]] = []
        self.counts: Counter[str] = Counter()
        super().__init__(Handler)

    @property
    def template(self) -> str:
        return f"{self.endpoint}/{{id}}.mp4"

    @property
    def subtitle_template(self) -> str:
        return self.template.replace("{id}.mp4", "{id}.{lang}.vtt")

    def forget(self) -> None:
        self.requests.clear()
        self.counts.clear()


class Handler(Quiet):
    owner: Mirror

    def do_GET(self) -> None:
        video_id = Path(self.path).stem
        self.owner.requests.append((video_id, "Range" in self.headers))
        self.owner.counts[video_id] += 1
        manner = self.owner.manners.get(video_id, "fine")
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            getattr(self, f"be_{manner}")(video_id, self.owner.counts[video_id])
        self.close_connection = True

    def say(self, status: int, body: bytes = b"", length: int | None = None, **headers: str) -> None:
        self.send_response(status)
        headers = {"Content-Type": "video/mp4", "Connection": "close", **headers}
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def content(self, video_id: str) -> bytes:
        return (self.owner.folder / f"{video_id}.mp4").read_bytes()

    def be_fine(self, video_id: str, _count: int) -> None:
        path = self.owner.folder / f"{video_id}.mp4"
        subtitles = self.owner.folder / Path(self.path).name
        if subtitles.suffix == ".vtt" and subtitles.exists():
            self.say(200, subtitles.read_bytes(), Content_Type="text/vtt")
            return
        if subtitles.suffix == ".vtt" or not path.exists():
            self.say(404)
            return
        content = path.read_bytes()
        asked = self.headers.get("Range")
        if asked:
            first = int(asked.removeprefix("bytes=").split("-")[0])
            span = f"bytes {first}-{len(content) - 1}/{len(content)}"
            self.say(206, content[first:], Content_Range=span, Accept_Ranges="bytes")
        else:
            self.say(200, content, Accept_Ranges="bytes")

    def be_missing(self, *_: object) -> None:
        self.say(404)

    def be_gone(self, *_: object) -> None:
        self.say(410)

    def be_forbidden(self, *_: object) -> None:
        self.say(403)

    def be_busy(self, *_: object) -> None:
        self.say(429)

    def be_busy_for_an_hour(self, *_: object) -> None:
        self.say(429, Retry_After="3600")

    def be_busy_at_first(self, video_id: str, count: int) -> None:
        if count == 1:
            self.say(429, Retry_After="1")
        else:
            self.be_fine(video_id, count)

    def be_broken(self, *_: object) -> None:
        self.say(500)

    def be_broken_at_first(self, video_id: str, count: int) -> None:
        if count <= 2:
            self.say(503)
        else:
            self.be_fine(video_id, count)

    def be_dropping_once(self, video_id: str, count: int) -> None:
        # The first request only looks at the headers; the second is the download.
        if count == 2:
            self.be_dropping(video_id, count)
        else:
            self.be_fine(video_id, count)

    def be_dropping(self, video_id: str, _count: int) -> None:
        content = self.content(video_id)
        self.say(200, content[: len(content) // 2], length=len(content), Accept_Ranges="bytes")

    def be_slow(self, video_id: str, _count: int) -> None:
        content = self.content(video_id)
        self.say(200, length=len(content))
        for first in range(0, len(content), len(content) // 8 + 1):
            self.wfile.write(content[first : first + len(content) // 8 + 1])
            self.wfile.flush()
            time.sleep(0.1)

    def be_truncated(self, video_id: str, _count: int) -> None:
        content = self.content(video_id)
        self.say(200, content[: len(content) * 2 // 3])

    def be_of_wrong_length(self, video_id: str, _count: int) -> None:
        content = self.content(video_id)
        self.say(200, content, length=len(content) + 1000)

    def be_empty(self, *_: object) -> None:
        self.say(200)

    def be_a_page(self, *_: object) -> None:
        page = b"<!doctype html><html><head><title>Log in</title></head><body>Please log in.</body></html>"
        self.say(200, page, Content_Type="text/html; charset=utf-8")

    def be_a_page_called_video(self, *_: object) -> None:
        self.say(200, b"<!doctype html><html><body>Please log in.</body></html>")
