"""The raw log of a run: every text that a model gave, kept before it is parsed.

``raw.jsonl`` is only ever appended to. A row holds its key (item_id, mode, setting, variant, truth), the stage, the
options as shown (names in S1, their number in S2), duration_s (S3), the text, and a fingerprint of all that was asked;
the last row of a key counts, and one whose text is null takes the answer back. A line ``{"config": …}`` opens the
answers of another configuration (prompts, frames, temperature …): those before it no longer count, but an answer whose
question comes back unchanged is taken up again. Predictions are derived from it, so that ``cmb rescore`` needs nothing
else.
"""

import json
import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.parsing import parse_choice, parse_span
from cmb_harness.predictions import Key, row_key
from cmb_harness.prompts import STAGES

RAW_NAME = "raw.jsonl"

# What a power cut may cost. A killed process loses nothing: each row is with the operating system at once.
SYNC_EVERY_S = 1.0


@dataclass
class Answers:
    """What a raw log holds.

    Attributes:
        config: the configuration that the current rows were asked under; None where the log does not tell.
        current: the answers that count: the last row of each key.
        known: every answer ever given, by key and fingerprint.
    """

    config: str | None = None
    current: dict[Key, dict[str, Any]] = field(default_factory=dict)
    known: dict[tuple[Key, str | None], dict[str, Any]] = field(default_factory=dict)


class RawLog:
    """An open ``raw.jsonl``. A killed process loses no row whose `append` has returned; a power cut, one second's.

    A last line that was cut off (the process was killed while writing) is no answer: it is removed on opening. Safe
    to use from several threads.

    Raises:
        InputError: another process is writing to it.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("ab", buffering=0)
        self._lock = threading.Lock()
        self._synced = time.monotonic()
        try:
            _lock_file(self._file.fileno(), self.path)
            _drop_torn_line(self.path)
        except BaseException:
            self._file.close()
            raise

    def append(self, row: Mapping[str, Any]) -> None:
        """Write one row, whole, and hand it to the operating system.

        Raises:
            OSError: it could not be written; nothing of it is left in the file.
            ValueError: the log is closed.
        """
        line = json.dumps(row, ensure_ascii=False).encode("utf-8") + b"\n"
        with self._lock:
            before = os.fstat(self._file.fileno()).st_size
            try:
                if self._file.write(line) != len(line):
                    raise OSError(28, "No space left on device", str(self.path))
            except OSError:
                os.truncate(self.path, before)
                raise
            if time.monotonic() - self._synced >= SYNC_EVERY_S:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()

    def withdraw(self, key: Key, stage: str) -> None:
        """Take an answer back: its question has changed and is asked again."""
        self.append({**key_fields(key), "stage": stage, "text": None})

    def close(self) -> None:
        """Write everything to the disk and close the file."""
        with self._lock:
            if not self._file.closed:
                os.fsync(self._file.fileno())
                self._file.close()

    def __enter__(self) -> "RawLog":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_raw(path: str | os.PathLike[str]) -> dict[Key, dict[str, Any]]:
    """The answers of a raw log that count, by key; an empty dict where there is no log.

    Raises:
        InputError: as `read_answers`.
    """
    return read_answers(path).current


def read_answers(path: str | os.PathLike[str]) -> Answers:
    """All that a raw log holds. A torn last line is passed over.

    Raises:
        InputError: a line in the middle is damaged, or a row lacks its key, stage or text.
    """
    answers, faults = Answers(), []
    for number, line in _whole_lines(Path(path)):
        try:
            _take_in(json.loads(line), answers)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            faults.append(f"{path}: line {number}: not a row of a raw log ({type(error).__name__}: {error})")
    if faults:
        raise InputError(faults)
    return answers


def key_fields(key: Key) -> dict[str, Any]:
    """The fields of a row that make its key; ``truth`` only where there is one."""
    item_id, mode, setting, variant, truth = key
    fields = {"item_id": item_id, "mode": mode, "setting": setting, "variant": variant}
    return fields if truth is None else {**fields, "truth": truth}


def parse_raw(row: Mapping[str, Any]) -> dict[str, Any]:
    """The prediction that a raw row stands for: ``choice`` (S1, S2) or ``span`` (S3), and the parser's ``status``.

    Where the vendor withheld the answer (``refused``) the status is ``refusal``, whatever the text.
    """
    prediction = key_fields(row_key(row))
    refused = bool(row.get("refused"))
    if row["stage"] == "s3":
        span, status = (None, "refusal") if refused else parse_span(row["text"], row.get("duration_s"))
        prediction["span"] = None if span is None else list(span)
    else:
        choice, status = (None, "refusal") if refused else parse_choice(row["text"], row["options"])
        prediction["choice"] = choice
    return {**prediction, "status": status, "raw": row["text"], "model": row.get("model")}


def predictions_of(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The predictions of raw rows, sorted by stage and key: the order in which answers came leaves no trace."""

    def order(row: Mapping[str, Any]) -> tuple[Any, ...]:
        item_id, mode, setting, variant, truth = row_key(row)
        return row["stage"], item_id, mode, setting, variant, -1 if truth is None else truth

    return [parse_raw(row) for row in sorted(rows, key=order)]


def _take_in(row: Any, answers: Answers) -> None:
    if "config" in row and "item_id" not in row:
        if row["config"] != answers.config:
            answers.config, answers.current = row["config"], {}
        return
    if row["stage"] not in STAGES:
        raise ValueError(f"stage {row['stage']!r}")
    if row["text"] is None:
        answers.current.pop(row_key(row), None)
        return
    if not isinstance(row["text"], str):
        raise TypeError("text is no string")
    answers.current[row_key(row)] = row
    answers.known[row_key(row), row.get("fingerprint")] = row


def _whole_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    if not path.exists():
        return
    lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines[:-1], 1):
        if line.strip():
            yield number, line


def _drop_torn_line(path: Path) -> None:
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.truncate(path, whole)


def _lock_file(handle: int, path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows: two runs into one folder are the user's own care.
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"{path}: another cmb run is writing to it") from None
