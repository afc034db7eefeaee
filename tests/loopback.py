"""A server of this machine alone, in a thread, for as long as a ``with`` block lasts."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


class Loopback:
    """Serves with a handler class that finds this object as its attribute ``owner``."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]):
        bound = type("Bound", (handler,), {"owner": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), bound)
        self._server.daemon_threads = True

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class Quiet(BaseHTTPRequestHandler):
    """HTTP/1.1 without a word on stderr; HEAD is answered like GET."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()
