"""Any program that reads and writes JSON lines: TimeSuite, TRACE, MUSEG, or a model of one's own.

One line in, for each question: ``{"id": 1, "stage": "s2", "prompt": …, "description": …, "options": […], "clips": [4
paths], "concept_name": …, "cue": …, "video": path, "duration_s": …, "subtitles": [[start_s, end_s, text]]}``, with the
fields that the stage has. One line out, in any order: ``{"id": 1, "text": …}``, with ``usage`` and ``refused`` where
the program knows them, or ``{"id": 1, "error": …}`` where it has no answer. What it writes to stderr is passed through.
"""

import json
import shlex
import subprocess
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.models.interface import Answer, File, Part, Question, Text, TransportError
from cmb_harness.models.parts import Viewer
from cmb_harness.models.servers import one_line
from cmb_harness.models.setup import Setup


class Command:
    """A program that answers; it is started with the first question, and again if it ends.

    Args:
        name: what predictions call it.
        setup: ``model`` is the command line.
        viewer: applies a probe to the files.
    """

    def __init__(self, name: str, setup: Setup, viewer: Viewer):
        self.name = name
        self.parallel = setup.parallel
        self.settings: Mapping[str, Any] = setup.settings
        self.needs_media = viewer.look.stages_with_media
        self.setup = setup
        self._viewer = viewer
        self._lock = threading.Lock()
        self._process: Program | None = None

    def shown(self, question: Question) -> Sequence[Part]:
        """The prompt and the files that the program is told of."""
        seen = self._viewer.files(question)
        files = [*seen.clips, *([seen.video] if seen.video else [])]
        return [*(File(path) for path in files), Text(seen.prompt)]

    def answer(self, question: Question) -> Answer:
        """One line in, one line out.

        Raises:
            TransportError: the program ended, gave no answer in time, or said that it has none.
            OpenItem: the media cannot be read.
            InputError: the program cannot be started.
        """
        request = request_of(self._viewer.files(question))
        with self._lock:
            if self._process is None or self._process.ended:
                self._process = Program(shlex.split(self.setup.model))
            program = self._process
        reply = program.ask(request, self.setup.timeout_s)
        if isinstance(reply.get("text"), str):
            usage = {
                name: count for name, count in (reply.get("usage") or {}).items() if isinstance(count, int)
            }
            return Answer(reply["text"], usage, refused=bool(reply.get("refused")))
        raise TransportError(
            f"the program: {one_line(reply.get('error', 'neither text nor error'))}", final=True
        )

    def close(self) -> None:
        """End the program: its input is closed, and it has five seconds."""
        if self._process is not None:
            self._process.close()


class Program:
    """A running program and the questions that it has not answered yet.

    Raises:
        InputError: it cannot be started.
    """

    def __init__(self, command: Sequence[str]):
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except (OSError, IndexError) as error:
            raise InputError(f"command:{shlex.join(command)}: cannot be started: {error}") from None
        self.ended = False
        self._waiting: dict[int, tuple[threading.Event, dict[str, Any]]] = {}
        self._number = 0
        self._lock = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, request: Mapping[str, Any], timeout_s: float) -> dict[str, Any]:
        """The reply to one request.

        Raises:
            TransportError: the program ended, or gave none in time; it is then ended and started anew.
        """
        came, reply = threading.Event(), dict[str, Any]()
        with self._lock:
            self._number += 1
            number = self._number
            self._waiting[number] = (came, reply)
            try:
                assert self._process.stdin is not None
                self._process.stdin.write(json.dumps({"id": number, **request}, ensure_ascii=False) + "\n")
                self._process.stdin.flush()
            except (OSError, ValueError):
                self.ended = True
        if not self.ended and not came.wait(timeout_s):
            self.ended = True
            self._process.kill()
            raise TransportError(f"timeout: none within {timeout_s:g} s")
        if not reply:
            raise TransportError(f"the program ended (exit code {self._process.poll()})")
        return reply

    def close(self) -> None:
        """Close its input and wait for it to end."""
        self.ended = True
        try:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                reply = json.loads(line)
                came, place = self._waiting.pop(reply["id"])
            except (ValueError, KeyError, TypeError, RecursionError):
                # Programs print all sorts of things; what is no reply is passed over.
                continue
            place.update(reply)
            came.set()
        self.ended = True
        for came, _ in list(self._waiting.values()):
            came.set()


def request_of(question: Question) -> dict[str, Any]:
    """The fields of a question that a program is given; no item id among them."""
    fields = {
        "stage": question.stage,
        "prompt": question.prompt,
        "description": question.description,
        "options": list(question.options),
        "clips": [str(path.resolve()) for path in question.clips],
        "concept_name": question.concept_name,
        "cue": question.cue,
        "video": str(question.video.resolve()) if question.video else None,
        "duration_s": question.duration_s,
        "subtitles": [list(line) for line in question.subtitles],
    }
    return {name: value for name, value in fields.items() if value not in (None, [])}
