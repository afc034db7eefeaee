"""The page: one HTML file with its style, script, figures and items inside."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.report.contents import Contents
from cmb_harness.report.figures.drawn import Drawn
from cmb_harness.report.formats import to_json
from cmb_harness.report.layout import Placed
from cmb_harness.report.no_model import LABEL
from cmb_harness.report.tables import Cell, Number, Table, cell_text

# Section of `Placed` → heading, and what its tables and figures answer.
SECTIONS: Mapping[str, tuple[str, str]] = {
    "results": ("Results", "Scores in every mode, what one stage does for the next, and other weightings."),
    "cells": (
        "Countries and categories",
        "Where models are strong and weak. Small cells have wide intervals.",
    ),
    "comparison": ("Model against model", "Differences are taken inside each resample of concepts."),
    "modalities": ("Sound and subtitles", "What S3 loses or gains when a modality is taken away."),
    "views": ("S3 and names, closer", "Video length, the spread of IoU, and which name was shown."),
    "paper": ("Beside the paper", "Our numbers and the printed ones."),
    "dataset": ("The items", "What the public part of the dataset is made of."),
}


def report_json(contents: Contents, tables: Sequence[Placed], figures: Sequence[Drawn]) -> dict[str, Any]:
    """Everything that the page says, as data: its numbers are these."""
    return {
        "mode": contents.mode,
        "signatures": sorted({result["signature"] for result in contents.results.values()}),
        "facts": facts(contents),
        "sentences": dict(contents.sentences),
        "profiles": dict(contents.profiles),
        "missing": list(contents.missing),
        "tables": [
            {"paper": placed.paper, "section": placed.section, **whole}
            for placed, whole in zip(tables, to_json([placed.table for placed in tables]), strict=True)
        ],
        "figures": [
            {
                "name": figure.name,
                "paper": figure.paper,
                "title": figure.title,
                "alt": figure.alt,
                "note": figure.note,
            }
            for figure in figures
        ],
        "ablation": list(contents.ablation),
        "comparison": contents.comparison,
    }


def facts(contents: Contents) -> list[str]:
    """What the report is about, in short."""
    first = next(iter(contents.shown.values()))
    concepts = max(result["n"]["concepts"] for result in contents.shown.values())
    pairs = max(result["n"]["pairs"] for result in contents.shown.values())
    level = f"{100 * contents.selection.confidence_level:g}%"
    dataset = next(iter(contents.runs.scored.values())).dataset
    n_models = len(contents.runs.models)
    return [
        f"{n_models} model{'s' if n_models > 1 else ''}",
        f"{concepts} concepts, {pairs} S3 pairs",
        f"{contents.mode} mode where a table shows one",
        f"{level} intervals: cluster bootstrap over concepts, {contents.selection.n_resamples} resamples",
        f"dataset {dataset}" if dataset else str(first["signature"]),
    ]


def render(
    contents: Contents,
    tables: Sequence[Placed],
    figures: Sequence[Drawn],
    browser: Mapping[str, Any] | None,
) -> str:
    """The HTML of a report.

    Args:
        browser: of `browser_data`; None leaves the item browser out.

    Raises:
        InputError: the template engine is not installed.
    """
    template = _environment().get_template("report.html")
    sections = [
        {
            "id": name,
            "title": title,
            "lead": lead,
            "tables": [_shown(placed) for placed in tables if placed.section == name],
            "figures": [figure for figure in figures if figure.section == name],
        }
        for name, (title, lead) in SECTIONS.items()
    ]
    return template.render(
        facts=facts(contents),
        sentences=[(model, text.removeprefix(f"{model}: ")) for model, text in contents.sentences.items()],
        profile=[_shown(placed) for placed in tables if placed.section == "profile"],
        profile_figures=[figure for figure in figures if figure.section == "profile"],
        sections=[section for section in sections if section["tables"] or section["figures"]],
        missing=contents.missing,
        browser=None if browser is None else _safe_json(browser),
        style=_source("report.css"),
        script=_source("report.js"),
    )


def _shown(placed: Placed) -> dict[str, Any]:
    table = placed.table
    modes = _groups(table)
    return {
        "name": table.name,
        "file": placed.file_name,
        "caption": f"{placed.paper}. {table.title}" if placed.paper else table.title,
        "columns": [column.rpartition(" ")[2] for column in table.columns] if modes else list(table.columns),
        "groups": modes,
        "rows": [
            {"baseline": cell_text(row[0]).startswith(LABEL), "cells": [_html_cell(cell) for cell in row]}
            for row in table.rows
        ],
        "notes": list(table.notes),
        "signature": table.signature.splitlines(),
        "marked": any(isinstance(cell, Number) and cell.bold for row in table.rows for cell in row),
    }


def _groups(table: Table) -> list[tuple[str, int]]:
    """(header, columns) of Table 2, whose columns are a statistic in each mode; empty for other tables."""
    if table.name != "overall":
        return []
    groups: list[tuple[str, int]] = []
    for column in table.columns:
        head = column.rpartition(" ")[0]
        if groups and head and groups[-1][0] == head:
            groups[-1] = (head, groups[-1][1] + 1)
        else:
            groups.append((head, 1))
    return groups


def _html_cell(cell: Cell) -> dict[str, Any]:
    if isinstance(cell, str):
        return {"text": cell, "value": cell, "ci": "", "bold": False, "number": cell == "-", "title": ""}
    value, _, interval = cell_text(cell).partition(" ")
    about = [cell.definition] if cell.definition else []
    about += [f"n = {cell.n}"] if cell.n is not None else []
    about += [f"p = {cell.p:.4g}"] if cell.p is not None else []
    return {
        "text": cell_text(cell),
        "value": value,
        "ci": interval,
        "bold": cell.bold or cell.stars > 0,
        "number": True,
        "title": "; ".join(about),
    }


def _safe_json(value: Mapping[str, Any]) -> str:
    """JSON that no text in it can end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _environment() -> Any:
    try:
        import jinja2
    except ImportError:
        raise InputError('cmb report needs jinja2: pip install "cmb-benchmark[report]"') from None
    loader = jinja2.PackageLoader("cmb_harness.report", "templates")
    return jinja2.Environment(
        loader=loader,
        autoescape=jinja2.select_autoescape(default=True),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _source(name: str) -> str:
    from importlib.resources import files

    return (files("cmb_harness.report") / "templates" / name).read_text("utf-8")
