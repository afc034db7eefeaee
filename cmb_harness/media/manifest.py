"""The manifest of a cache: one JSON line for each time that a video was dealt with; an id's last line counts.

Lines are only ever appended, each in one write, so that a killed run leaves at worst half a line at the end; it is
skipped when read, and closed before the next line is appended. The Parquet file made from it holds nothing local, and
may be published with a release as the reference that other labs compare their videos with.
"""

import json
import math
import os
import re
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.files import write_whole
from cmb_harness.media.failures import STATES

MANIFEST_NAME = "manifest.jsonl"
PARQUET_NAME = "manifest.parquet"

# Column → its type in Parquet, in order. Rows lack what is not known of them.
COLUMNS = {
    "id": "string",
    "state": "string",
    "duration_s": "float64",
    "expected_duration_s": "float64",
    "size": "int64",
    "sha256": "string",
    "codec": "string",
    "width": "int32",
    "height": "int32",
    "fps": "float64",
    "frames": "int64",
    "audio": "string",
    "subtitles": "list<string>",
    "format": "string",
    "source": "string",
    "attempts": "int32",
    "fetched_at": "string",
    "fingerprint": "string",
}
# What concerns this machine alone: a message may name a folder or a server of it; the file's name and time tell whether
# it was touched; which subtitles were asked for; and the sha256 of the reference that it was compared with.
LOCAL_COLUMNS = {
    "message": "string",
    "file": "string",
    "mtime_ns": "int64",
    "subtitles_asked": "list<string>",
    "compared_with": "string",
}

Row = dict[str, Any]


class Manifest:
    """The manifest of a cache, open for reading and appending; threads may share it.

    Args:
        cache: the folder that holds it.

    Attributes:
        rows: id → its last row.
        accepted: id → its last row with state ``ok``, whatever came after it.
        torn: numbers of the lines that are no rows, counted from 1.
    """

    def __init__(self, cache: str | os.PathLike[str]):
        self.path = Path(cache) / MANIFEST_NAME
        self._lock = threading.Lock()
        self.rows, self.accepted, self.torn = _read(self.path)

    def append(self, row: Mapping[str, Any]) -> None:
        """Add a row, and have it on the disk before returning."""
        line = json.dumps(row, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        with self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "ab+", buffering=0) as file:
                if _ends_torn(file):
                    line = b"\n" + line
                file.write(line)
                os.fsync(file.fileno())
            self.rows[row["id"]] = dict(row)
            if row["state"] == "ok":
                self.accepted[row["id"]] = dict(row)

    def write_parquet(self) -> Path:
        """Write ``CACHE/manifest.parquet``: the last row of each id, by id, without what is local."""
        import pyarrow as pa
        import pyarrow.parquet

        types = {"list<string>": pa.list_(pa.string())}
        schema = pa.schema(
            [(name, types.get(kind) or pa.type_for_alias(kind)) for name, kind in COLUMNS.items()]
        )
        rows = [{name: row.get(name) for name in COLUMNS} for _, row in sorted(self.rows.items())]
        path = self.path.with_name(PARQUET_NAME)
        with write_whole(path, "wb") as file:
            pyarrow.parquet.write_table(pa.Table.from_pylist(rows, schema), file)
        return path


def read_reference(path: str | os.PathLike[str]) -> dict[str, Row]:
    """Id → row of a manifest that somebody published, as JSON Lines or Parquet; only ``ok`` rows count.

    Raises:
        InputError: it cannot be read, or holds no such row.
    """
    if not Path(path).is_file():
        raise InputError(f"{path}: there is no such file")
    rows = _read_parquet(path) if str(path).endswith(".parquet") else _read(Path(path))[1].values()
    found = {row["id"]: row for row in rows if row["state"] == "ok"}
    if not found:
        raise InputError(
            f"{path}: holds no manifest row with state ok; expected a manifest's JSON Lines or Parquet"
        )
    return found


def _read_parquet(path: str | os.PathLike[str]) -> Iterable[Row]:
    import pyarrow as pa
    import pyarrow.parquet

    try:
        rows = pyarrow.parquet.read_table(path).to_pylist()
    except pa.ArrowException as error:
        raise InputError(f"{path}: not Parquet: {error}") from None
    return [row for row in rows if _is_row(row)]


def _read(path: Path) -> tuple[dict[str, Row], dict[str, Row], list[int]]:
    rows: dict[str, Row] = {}
    accepted: dict[str, Row] = {}
    torn = []
    content = path.read_bytes() if path.exists() else b""
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if _is_row(row):
            rows[row["id"]] = row
            if row["state"] == "ok":
                accepted[row["id"]] = row
        else:
            torn.append(number)
    return rows, accepted, torn


# Types as JSON has them; a row may lack a column, or know nothing of it (null).
_CHECKS = {
    "string": lambda value: _is_text(value),
    "float64": lambda value: type(value) in (int, float) and math.isfinite(value) and 0 <= value < 1e9,
    "int32": lambda value: type(value) is int and 0 <= value < 2**31,
    "int64": lambda value: type(value) is int and 0 <= value < 2**63,
    "list<string>": lambda value: isinstance(value, list) and all(map(_is_text, value)),
}


def _is_text(value: Any) -> bool:
    # JSON can spell half a surrogate pair, which no file name and no Parquet can hold.
    return isinstance(value, str) and not re.search("[\ud800-\udfff]", value)


def _is_row(row: Any) -> bool:
    """Whether a value is a row, with every column of its own type: rows come from other labs, and from cut lines."""
    if not isinstance(row, dict) or not _is_text(row.get("id")):
        return False
    if not isinstance(row.get("state"), str) or row["state"] not in STATES:
        return False
    kinds = COLUMNS | LOCAL_COLUMNS
    known = {name: value for name, value in row.items() if name in kinds and value is not None}
    return all(_CHECKS[kinds[name]](value) for name, value in known.items())


def _ends_torn(file: Any) -> bool:
    end = file.seek(0, os.SEEK_END)
    if not end:
        return False
    file.seek(end - 1)
    return file.read(1) != b"\n"
