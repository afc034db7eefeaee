"""A report as files: the page, its JSON, the figures, the tables."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cmb_harness.files import write_json, write_whole
from cmb_harness.report.contents import Contents
from cmb_harness.report.figures import draw
from cmb_harness.report.figures.drawn import Drawn
from cmb_harness.report.formats import to_csv, to_latex, to_markdown
from cmb_harness.report.items import browser_data, holds_answers
from cmb_harness.report.layout import Placed, placed_tables
from cmb_harness.report.page import render, report_json

FORMATS = {".md": to_markdown, ".tex": to_latex, ".csv": to_csv}


def write_report(
    contents: Contents, out: Path, similarity: Any = None, beside: Sequence[Placed] = ()
) -> Path:
    """Write ``report.html``, ``report.json``, ``figures/`` and ``tables/`` into ``out``; returns the page.

    Args:
        beside: further tables, such as printed numbers to compare with.
        similarity: texts → (indices → similarities), for Figure 7; None leaves that figure out.

    Raises:
        InputError: matplotlib or the template engine is not installed.
    """
    tables = [*placed_tables(contents), *beside]
    figures = draw.figures_of(contents, similarity)
    has_items = any(contents.public.rows.values())
    own = contents.runs.of(contents.mode)
    shown = has_items and any(map(holds_answers, own.values()))
    browser = browser_data(contents.public, own, contents.selection, contents.region) if shown else None
    page = render(contents, tables, figures, browser)
    write_json(out / "report.json", report_json(contents, tables, figures))
    _write_tables(tables, out / "tables")
    _write_figures(figures, out / "figures")
    with write_whole(out / "report.html") as file:
        file.write(page)
    return out / "report.html"


def _write_tables(tables: Sequence[Placed], folder: Path) -> None:
    for placed in tables:
        for suffix, writer in FORMATS.items():
            with write_whole(folder / f"{placed.file_name}{suffix}") as file:
                file.write(writer([placed.table]))


def _write_figures(figures: Sequence[Drawn], folder: Path) -> None:
    for figure in figures:
        files: Mapping[str, bytes] = {".svg": figure.svg, ".png": figure.png}
        for suffix, content in files.items():
            with write_whole(folder / f"{figure.name}{suffix}", "wb") as file:
                file.write(content)
