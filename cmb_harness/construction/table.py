"""A table as a spreadsheet exports it (CSV) or as a program writes it (JSON), as rows of cells."""

import csv
import io
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cmb_harness.construction.faults import ConstructionError

DELIMITERS = (",", ";", "\t")


@dataclass(frozen=True)
class TableRow:
    """One row of a table.

    Attributes:
        place: where it stands in its file.
        cells: by column, without outer blanks and without the empty ones.
        decimal: the mark within numbers; a comma where the file does not separate its cells by comma.
    """

    place: str
    cells: dict[str, str]
    decimal: str = "."


def read_table(path: str | os.PathLike[str]) -> list[TableRow]:
    """The rows of a CSV file or of a JSON list of objects, told apart by their content.

    CSV may have a byte-order mark, ``,`` ``;`` or tab between the cells, line ends within quotes, a first line like
    ``sep=;``, and rows of empty cells.

    Raises:
        ConstructionError: no such file, not UTF-8, a broken quote, columns without a name or named twice, a row
            longer than the header, JSON that is no list of flat objects; all faults at once.
    """
    text = _text_of(path)
    faults: list[str] = []
    read = _json_rows if text.lstrip().startswith(("[", "{")) else _csv_rows
    rows = list(read(text, str(path), faults))
    if not rows and not faults:
        faults.append(f"{path}: holds no row")
    if faults:
        raise ConstructionError(faults)
    return rows


def _text_of(path: str | os.PathLike[str]) -> str:
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise ConstructionError(f"{path}: cannot be read: {error.strerror}") from None
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ConstructionError(f"{path}: UTF-16; export it as CSV in UTF-8")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ConstructionError(f"{path}: line {line}: not UTF-8 (byte {error.start})") from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise ConstructionError(f"{path}: line {line}: holds a NUL byte, so it is no table")
    return text


def _csv_rows(text: str, file: str, faults: list[str]) -> Iterator[TableRow]:
    text, delimiter, skipped = _dialect(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        header = [name.strip() for name in next(reader, [])]
        messages = _header_faults(header) if text.strip() else []
        faults += [f"{file}: line {1 + skipped}: {message}" for message in messages]
        if messages:
            return
        line = reader.line_num + 1
        for values in reader:
            place = f"line {line + skipped}"
            line = reader.line_num + 1
            cells = [value.strip() for value in values]
            message = _overhang(header, cells)
            if message:
                faults.append(f"{file}: {place}: {message}")
            elif any(cells):
                named = {name: cell for name, cell in zip(header, cells, strict=False) if cell}
                yield TableRow(place, named, "." if delimiter == "," else ",")
    except csv.Error as error:
        faults.append(f"{file}: line {line + skipped}: not CSV from here on: {error}")


def _dialect(text: str) -> tuple[str, str, int]:
    """The text without a ``sep=`` line, the delimiter, and how many lines were taken off."""
    named = re.match(r"sep=(.)\r?\n", text)
    if named:
        return text[named.end() :], named[1], 1
    header = text.partition("\n")[0]
    return text, max(DELIMITERS, key=header.count), 0


def _header_faults(header: list[str]) -> list[str]:
    if not any(header):
        return ["expected the names of the columns"]
    return [
        f"{name}: two columns have this name"
        for name in sorted({name for name in header if name and header.count(name) > 1})
    ]


def _overhang(header: list[str], cells: list[str]) -> str:
    """What stands in no column."""
    nameless = [i for i, cell in enumerate(cells) if cell and not (i < len(header) and header[i])]
    return f"cell {nameless[0] + 1} stands in no named column" if nameless else ""


def _json_rows(text: str, file: str, faults: list[str]) -> Iterator[TableRow]:
    try:
        value = json.loads(text)
    except RecursionError:
        faults.append(f"{file}: nested too deeply")
        return
    except ValueError as error:
        faults.append(f"{file}: not JSON: {error}")
        return
    if not isinstance(value, list):
        faults.append(f"{file}: expected a list of rows, found one object")
        return
    for number, row in enumerate(value, 1):
        place = f"row {number}"
        cells, messages = _json_cells(row)
        faults += [f"{file}: {place}: {message}" for message in messages]
        if cells:
            yield TableRow(place, cells)


def _json_cells(row: Any) -> tuple[dict[str, str], list[str]]:
    if not isinstance(row, dict):
        return {}, [f"expected an object, found {type(row).__name__}"]
    cells, messages = {}, []
    for name, content in row.items():
        if isinstance(content, bool | list | dict):
            messages.append(f"{name}: expected a text or a number, found {_kind(content)}")
        elif re.search("[\ud800-\udfff]", str(content)):
            messages.append(f"{name}: the text holds half a character (a lone surrogate)")
        elif content is not None and str(content).strip():
            cells[name] = str(content).strip()
    return cells, messages


def _kind(value: Any) -> str:
    return {bool: "true or false", list: "a list", dict: "an object"}[type(value)]
