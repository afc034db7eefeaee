"""Prediction files: JSON Lines in, checked rows out (one object a line; a first line may be ``{"header": {…}}``).

A row is ``{"item_id", "mode", "choice"}`` or ``{"item_id", "mode", "span"}`` with optional ``raw``, ``status``,
``model``, ``setting`` (default ``full``), ``variant`` (default ``common_latin``) and ``truth``. What is no answer is
not a fault: a choice of null or -1 and a span of null or [] are *missing*; a choice outside 0-3 and a reversed, empty
or non-finite span (the tokens NaN and Infinity are read) are *invalid*. Both stay in the rows and score 0. Everything
else that cannot be meant, a letter, "2", 2.7 or true for a choice, a half line, a row said twice, is a fault.

A byte-order mark, CRLF line ends, empty lines and gzip (told by its first bytes) are read as what they stand for.
"""

import gzip
import os
import zlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.json_objects import NO_LIMITS, Limits, byte_lines, parse_object, shown

MODES = ("reset", "carry", "feedback")
SETTINGS = ("full", "no-audio", "no-subtitles", "visual-only")
VARIANTS = ("common_latin", "official_latin", "common_local", "official_local")
FIELDS = frozenset(
    ("item_id", "mode", "choice", "span", "raw", "status", "model", "setting", "variant", "truth")
)
SIZE_LIMIT = 512 * 2**20

Row = dict[str, Any]
Key = tuple[str, str, str, str, int | None]


@dataclass(frozen=True)
class Predictions:
    """The rows of one prediction file.

    Attributes:
        rows: the checked rows, in the order of the file, with ``setting`` and ``variant`` filled in.
        header: what the first line's ``header`` held, or an empty dict.
        path: the file that was read.
        lines: the line of each row in the file, from 1.
    """

    rows: list[Row]
    header: Mapping[str, Any] = field(default_factory=dict)
    path: Path = Path()
    lines: list[int] = field(default_factory=list)


def read_predictions(path: str | os.PathLike[str]) -> Predictions:
    """Read a prediction file, or the ``predictions.jsonl`` of a run folder.

    Raises:
        InputError: the file cannot be read or has faults; all of them, each with its line and field.
    """
    file = Path(path)
    if file.is_dir():
        file = file / "predictions.jsonl"
    return parse_predictions(_read_bytes(file), file)


def parse_predictions(content: bytes, path: str | os.PathLike[str] = "predictions") -> Predictions:
    """The predictions in the bytes of a file (not compressed). ``path`` only names the file in messages.

    Raises:
        InputError: as `read_predictions`.
    """
    faults: list[str] = []
    predictions = scan_predictions(content, path, faults)
    if not predictions.rows and not faults:
        faults.append(f"{path}: holds no prediction rows")
    if faults:
        raise InputError(faults)
    return predictions


def scan_predictions(
    content: bytes,
    path: str | os.PathLike[str],
    faults: list[str],
    *,
    limits: Limits = NO_LIMITS,
    check: Callable[[Row], Sequence[str]] | None = None,
) -> Predictions:
    """The usable rows among the lines of ``content``; what is wrong with the others goes into ``faults``.

    Args:
        faults: gets one message a fault, in the order of the lines; nothing is read back from it.
        limits: what a line may hold. The number of lines is the caller's to check first.
        check: the faults of a row; None for `row_faults`.
    """
    rows: list[Row] = []
    lines: list[int] = []
    header: Mapping[str, Any] = {}
    seen: dict[Key, int] = {}
    first = True
    for number, value in _objects(content, path, faults, limits):
        where = f"{path}: line {number}"
        if first and "header" in value and "item_id" not in value:
            header, first = _header_of(value, where, faults), False
            continue
        first = False
        found = row_faults(value) if check is None else check(value)
        faults.extend(f"{where}: {fault}" for fault in found)
        if found:
            continue
        row = {
            **value,
            "setting": value.get("setting", "full"),
            "variant": value.get("variant", "common_latin"),
        }
        earlier = seen.setdefault(row_key(row), number)
        if earlier != number:
            faults.append(f"{where}: item_id: {shown(row['item_id'])} was already answered in line {earlier}")
            continue
        rows.append(row)
        lines.append(number)
    return Predictions(rows, header, Path(path), lines)


def row_key(row: Mapping[str, Any]) -> Key:
    """What may be answered only once: (item_id, mode, setting, variant, truth)."""
    return (
        row["item_id"],
        row["mode"],
        row.get("setting", "full"),
        row.get("variant", "common_latin"),
        row.get("truth"),
    )


def row_faults(row: Mapping[str, Any], fields: Container[str] | None = None) -> list[str]:
    """The faults of one row, each ``field: what it is: what was expected``; empty for a usable row.

    ``fields`` are the names that it may have; None for any.
    """
    faults = []
    if fields is not None:
        unknown = [shown(name) for name in row if name not in fields]
        if unknown:
            faults.append(f"{', '.join(unknown[:3])}: not a field of a prediction row")
    item_id = row.get("item_id")
    if not isinstance(item_id, str) or not item_id:
        faults.append(f"item_id: {shown(item_id)}: expected a non-empty string")
    for name, allowed in (("mode", MODES), ("setting", SETTINGS), ("variant", VARIANTS)):
        if (name in row or name == "mode") and row.get(name) not in allowed:
            faults.append(f"{name}: {shown(row.get(name))}: expected one of {', '.join(allowed)}")
    if ("choice" in row) == ("span" in row):
        faults.append("choice, span: expected exactly one of the two")
    elif "choice" in row and not (row["choice"] is None or _is_integer(row["choice"])):
        faults.append(f"choice: {shown(row['choice'])}: expected an integer 0-3 (A is 0) or null")
    elif "span" in row and not _is_span(row["span"]):
        faults.append(f"span: {shown(row['span'])}: expected [start_s, end_s], two numbers, or null")
    for name in ("raw", "status", "model"):
        if not isinstance(row.get(name, ""), str | None):
            faults.append(f"{name}: {shown(row[name])}: expected a string")
    truth = row.get("truth")
    if truth is not None and not (_is_integer(truth) and 0 <= truth <= 3):
        faults.append(f"truth: {shown(truth)}: expected an integer 0-3")
    return faults


def select(
    rows: Iterable[Row],
    stage_of: Mapping[str, str],
    *,
    mode: str,
    setting: str = "full",
    variant: str = "common_latin",
) -> list[Row]:
    """The rows that are scored in ``mode``: S1's ``reset`` rows (S1 is asked once) and S2's and S3's rows of it.

    A setting touches S3 alone, so S1 and S2 rows are those of ``full``. Rows with ``truth`` belong to conditional
    files and are left out. Rows of ids that ``stage_of`` (item_id → stage) does not know are kept, so that the
    metric can name them.
    """
    chosen = []
    for row in rows:
        stage = stage_of.get(row["item_id"])
        wanted = (
            "reset" if stage == "s1" else mode,
            setting if stage == "s3" else "full",
            variant,
        )
        known = (row["mode"], row.get("setting", "full"), row.get("variant", "common_latin")) == wanted
        if row.get("truth") is None and (stage is None or known):
            chosen.append(row)
    return chosen


def _read_bytes(path: Path) -> bytes:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        with gzip.open(path) as file:
            content = file.read(SIZE_LIMIT + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path}: the gzip data is damaged or cut off: {error}") from None
    if len(content) > SIZE_LIMIT:
        raise InputError(f"{path}: unpacks to more than {SIZE_LIMIT // 2**20} MiB")
    return content


def _objects(
    content: bytes, path: str | os.PathLike[str], faults: list[str], limits: Limits
) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, offset, line in byte_lines(content):
        try:
            if limits.line_bytes is not None and len(line) > limits.line_bytes:
                raise ValueError(f"{len(line)} bytes long: expected at most {limits.line_bytes}")
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            if text.strip():
                yield number, parse_object(text, limits)
        except UnicodeDecodeError as error:
            faults.append(f"{path}: line {number}: byte {offset + error.start}: not UTF-8")
        except ValueError as error:
            faults.append(f"{path}: line {number}: {error}")


def _header_of(value: Mapping[str, Any], where: str, faults: list[str]) -> Mapping[str, Any]:
    header = value["header"]
    if isinstance(header, dict) and len(value) == 1:
        return header
    faults.append(f"{where}: header: expected an object, and nothing beside it in its line")
    return {}


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_span(value: Any) -> bool:
    if value is None or value == []:
        return True
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))
