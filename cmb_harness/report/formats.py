"""Tables written out: text for the terminal, CSV, Markdown, LaTeX (booktabs) and JSON."""

import csv
import io
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cmb_harness.report.tables import Cell, Number, Table, cell_text


def to_text(tables: Sequence[Table]) -> str:
    """For a terminal: columns padded, significant numbers marked with ``†``, signatures once at the end."""
    blocks = [_text_block(table) for table in tables]
    signatures = dict.fromkeys(line for table in tables for line in table.signature.splitlines())
    return "\n\n".join([*blocks, *(["\n".join(signatures)] if signatures else [])]) + "\n"


def to_markdown(tables: Sequence[Table]) -> str:
    """Pipe tables; significant numbers in bold."""
    return "\n\n".join(_markdown_block(table) for table in tables) + "\n"


def to_latex(tables: Sequence[Table]) -> str:
    """``table`` environments for booktabs; significant numbers in bold, stars as superscripts."""
    return "\n\n".join(_latex_block(table) for table in tables) + "\n"


def to_csv(tables: Sequence[Table]) -> str:
    """One line a number: table, row, column, value, lo, hi, n, p, significant, text, definition, signature."""
    out = io.StringIO()
    names = ["table", "row", "column", "value", "lo", "hi", "n", "p", "significant", "text"]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*names, "definition", "signature"])
    for table in tables:
        for number in to_rows(table):
            lo, hi = number["ci"] or (None, None)
            line = number | {"lo": lo, "hi": hi, "table": table.name}
            writer.writerow([line[name] for name in names] + [number["definition"], table.signature])
    return out.getvalue()


def to_json(tables: Sequence[Table]) -> list[dict[str, Any]]:
    """Plain data: each table with its notes and signature, each number with its definition, n, interval and p."""
    return [
        {
            "table": table.name,
            "title": table.title,
            "notes": list(table.notes),
            "signature": table.signature,
            "numbers": to_rows(table),
        }
        for table in tables
    ]


def to_rows(table: Table) -> list[dict[str, Any]]:
    """The cells of a table, one dictionary a cell, the labels left out."""
    return [
        {"row": cell_text(label), "column": column, **_plain(cell)}
        for label, *cells in table.rows
        for column, cell in zip(table.columns[1:], cells, strict=True)
    ]


WRITERS: Mapping[str, Callable[[Sequence[Table]], str]] = {
    ".csv": to_csv,
    ".md": to_markdown,
    ".tex": to_latex,
    ".txt": to_text,
}


def _plain(cell: Cell) -> dict[str, Any]:
    number = Number(None) if isinstance(cell, str) else cell
    return {
        "value": number.value,
        "ci": None if number.ci is None else list(number.ci),
        "n": number.n,
        "p": number.p,
        "significant": number.bold or number.stars > 0,
        "text": cell_text(cell),
        "definition": number.definition,
    }


def _text_block(table: Table) -> str:
    lines = [line for row in table.rows for line in _text_lines(row, table.stacked)]
    widths = [max(map(_width, column)) for column in zip(table.columns, *lines, strict=True)]
    right = [any(isinstance(row[at], Number) for row in table.rows) for at in range(len(widths))]
    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    rows = [_padded(line, widths, right) for line in (table.columns, *lines)]
    return "\n".join([table.title, rows[0], rule, *rows[1:], *table.notes])


def _text_lines(row: Sequence[Cell], stacked: bool) -> list[list[str]]:
    if not stacked:
        return [[_marked(cell, cell_text(cell)) for cell in row]]
    values, intervals = [], []
    for cell in row:
        whole = cell_text(cell)
        value, _, interval = (whole, "", "") if isinstance(cell, str) else whole.partition(" ")
        values.append(_marked(cell, value))
        intervals.append(interval.strip("[]").replace(", ", " – "))
    return [values, intervals] if any(intervals) else [values]


def _marked(cell: Cell, text: str) -> str:
    return text + ("†" if isinstance(cell, Number) and cell.bold else "")


def _padded(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    texts = []
    for cell, width, to_the_right in zip(cells, widths, right, strict=True):
        gap = " " * (width - _width(cell))
        texts.append(gap + cell if to_the_right else cell + gap)
    return "  ".join(texts).rstrip()


def _width(text: str) -> int:
    """Columns on a terminal: wide characters take two, marks above and below others none (Thai vowels too)."""
    return sum(
        0
        if unicodedata.category(char) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(char) in "WF"
        else 1
        for char in text
    )


def _markdown_block(table: Table) -> str:
    rows = [[_markdown_cell(cell) for cell in row] for row in table.rows]
    header = [_markdown_text(column) for column in table.columns]
    rule = ["---", *["---:"] * (len(header) - 1)]
    lines = [f"**{_markdown_text(table.title)}**", ""]
    lines += ["| " + " | ".join(row) + " |" for row in (header, rule, *rows)]
    notes = [*map(_markdown_text, table.notes), *(f"`{line}`" for line in table.signature.splitlines())]
    return "\n".join([*lines, "", "\n\n".join(notes)])


def _markdown_cell(cell: Cell) -> str:
    text = _markdown_text(cell_text(cell))
    return f"**{text}**" if isinstance(cell, Number) and cell.bold else text


def _markdown_text(text: str) -> str:
    for char in "\\|*_":
        text = text.replace(char, "\\" + char)
    return text


def _latex_block(table: Table) -> str:
    rows = [[_latex_cell(cell) for cell in row] for row in table.rows]
    parts = [table.title.rstrip(".?"), *table.notes, table.signature]
    caption = ". ".join(_latex_text(part) for part in parts if part)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
        r"\toprule",
        " & ".join(map(_latex_text, table.columns)) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{caption}}}",
        rf"\label{{tab:{table.name}}}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def _latex_cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return _latex_text(cell)
    value, _, interval = cell.text().partition(" ")
    stars = "*" * cell.stars
    value = _latex_text(value.removesuffix(stars) if stars else value)
    value = rf"\textbf{{{value}}}" if cell.bold else value
    power = rf"$^{{{stars}}}$" if stars else ""
    return f"{value}{power} {interval}".rstrip()


def _latex_text(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {char: f"\\{char}" for char in "&%$#_{}"} | {"†": r"$\dagger$", "Δ": r"$\Delta$"}
    special |= {char: f"${char}$" for char in "|<>"} | {"–": "--"}
    return "".join(special.get(char, char) for char in text)
