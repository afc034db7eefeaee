"""What the tests of models share: videos that tell their times, questions, and servers on loopback that misbehave."""

import base64
import io
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from cmb_harness.media.signature import draw_time_code, read_time_code
from cmb_harness.models.interface import Question
from cmb_harness.prompts import base

FPS = 10
# What a request may never hold: the name of a video B, its folder, and the item.
VIDEO_ID = "dQw4w9WgXcx"
ITEM_ID = "TH-Celebration-01"


def write_video(path: Path, seconds: float, *, first: int = 0, sound: bool = True) -> Path:
    """A video of 320 × 180 pixels, 10 frames a second, whose frames bear numbers from ``first`` on, with a tone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w") as container:
        picture = container.add_stream("libx264", rate=FPS, options={"preset": "ultrafast"})
        picture.width, picture.height, picture.pix_fmt = 320, 180, "yuv420p"
        tone = container.add_stream("aac", rate=16000, layout="mono") if sound else None
        for number in range(round(seconds * FPS)):
            luma = np.full((180, 320), 128, dtype=np.uint8)
            draw_time_code(luma, first + number)
            frame = av.VideoFrame.from_ndarray(np.repeat(luma[:, :, None], 3, 2), "rgb24")
            frame.pts, frame.time_base = number, Fraction(1, FPS)
            container.mux(picture.encode(frame))
        container.mux(picture.encode(None))
        if tone is not None:
            samples = np.sin(np.arange(round(seconds * 16000)) * 0.1).astype(np.float32)[None]
            for start in range(0, samples.shape[1], 1024):
                piece = np.ascontiguousarray(samples[:, start : start + 1024])
                frame = av.AudioFrame.from_ndarray(piece, "fltp", "mono")
                frame.sample_rate, frame.pts = 16000, start
                container.mux(tone.encode(frame))
            container.mux(tone.encode(None))
    return path


def frames_in(data: bytes) -> list[np.ndarray]:
    """The frames of a picture or video file, uint8 RGB (height, width, 3)."""
    with av.open(io.BytesIO(data)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def number_in(data: bytes) -> int | None:
    """The frame number that a picture file shows."""
    (frame,) = frames_in(data)
    assert frame.shape == (224, 224, 3)
    return read_time_code(frame)


@pytest.fixture(scope="session")
def media(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache: four clips of two seconds (frames from 0, 1000, 2000 and 3000 on), and a video B of six."""
    cache = tmp_path_factory.mktemp("cache")
    for index in range(4):
        write_video(cache / "clips" / f"{index}c41f09be77d2a35e08.mp4", 2, first=1000 * index)
    write_video(cache / "videos" / f"{VIDEO_ID}.mp4", 6)
    return cache


@pytest.fixture
def cache(media: Path, tmp_path: Path) -> Path:
    """A cache of its own with the same videos, and nothing derived from them."""
    for file in sorted(media.rglob("*.mp4")):
        target = tmp_path / "cache" / file.relative_to(media)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.hardlink_to(file)
    return tmp_path / "cache"


@pytest.fixture
def questions(cache: Path) -> dict[str, Question]:
    """One question of each stage."""
    names = ("Songkran", "Thingyan", "Pchum Ben", "Tet")
    clips = tuple(sorted((cache / "clips").glob("*.mp4")))
    return {
        "s1": Question(
            f"{ITEM_ID}/s1", "s1", "reset", base().s1("Water washes.", names), "Water washes.", options=names
        ),
        "s2": Question(
            f"{ITEM_ID}/s2",
            "s2",
            "carry",
            base().s2("Water washes.", "Earlier you were asked."),
            "Water washes.",
            clips=clips,
            labels=base().labels,
        ),
        "s3": Question(
            f"{ITEM_ID}/s3/1",
            "s3",
            "reset",
            base().s3("Thingyan", "water is poured", 6.0),
            concept_name="Thingyan",
            cue="water is poured",
            video=cache / "videos" / f"{VIDEO_ID}.mp4",
            duration_s=6.0,
            labels=base().labels,
        ),
    }


@dataclass
class Request:
    """What a server was asked: path, headers with lower-case names, and the body as bytes and as JSON."""

    path: str
    headers: dict[str, str]
    body: bytes
    method: str = "POST"

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Reply:
    """What a server answers: a status and a body, or ``cut`` (half an answer), or a wait before it."""

    body: Any = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    wait_s: float = 0.0


class Server:
    """An HTTP server on loopback that answers by a function and keeps what it was asked."""

    def __init__(self, answer: Callable[[Request], Reply]):
        self.answer = answer
        self.requests: list[Request] = []
        self.stopped = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(length)
                if len(body) < length:
                    # Its client was killed while it wrote.
                    return
                request = Request(self.path, headers, body, self.command)
                server.requests.append(request)
                server.send(self, server.answer(request))

            do_POST = do_GET = do_DELETE = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        class Listening(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *_: Any) -> None:
                pass

        self._http = Listening(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()

    def send(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        if reply.wait_s:
            self.stopped.wait(reply.wait_s)
        body = reply.body if isinstance(reply.body, bytes) else None
        if body is None:
            body = (reply.body if isinstance(reply.body, str) else json.dumps(reply.body)).encode()
        handler.send_response(reply.status)
        for name, value in {"content-type": "application/json", **reply.headers}.items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(body)))
        handler.end_headers()
        if reply.cut:
            handler.wfile.write(body[: len(body) // 2])
            handler.wfile.flush()
            handler.connection.shutdown(socket.SHUT_RDWR)
            return
        handler.wfile.write(body)

    def close(self) -> None:
        self.stopped.set()
        self._http.shutdown()
        self._http.server_close()


@pytest.fixture
def serve() -> Iterator[Callable[[Callable[[Request], Reply]], Server]]:
    """``serve(answer)``: a server that ends with the test."""
    servers: list[Server] = []

    def start(answer: Callable[[Request], Reply]) -> Server:
        servers.append(Server(answer))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def chat(text: str | None, **more: Any) -> dict[str, Any]:
    """A chat completion as OpenAI's reference shows it."""
    message = {"role": "assistant", "content": text, "refusal": None, **more.pop("message", {})}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": "served-model-2026",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": {
            "prompt_tokens": 120,
            "completion_tokens": 5,
            "total_tokens": 125,
            "completion_tokens_details": {"reasoning_tokens": 3},
        },
        **more,
    }


def data_of(url: str) -> tuple[str, bytes]:
    """The type and bytes of a data URL."""
    head, _, data = url.partition(",")
    assert head.startswith("data:")
    assert head.endswith(";base64")
    return head.removeprefix("data:").removesuffix(";base64"), base64.b64decode(data, validate=True)


@pytest.fixture(scope="session")
def tools() -> Any:
    """The functions above, for test files, which cannot import this one."""

    class Tools:
        pass

    for function in (write_video, frames_in, number_in, chat, data_of, Reply, Request, Server):
        setattr(Tools, function.__name__, staticmethod(function))
    Tools.VIDEO_ID, Tools.ITEM_ID = VIDEO_ID, ITEM_ID  # type: ignore[attr-defined]
    return Tools
