"""References and prediction files of models that were never run."""

import contextlib
import io
import json
import random
from pathlib import Path
from typing import Any

from cmb_harness.cli import main as cmb

CLUSTERS = {"ID": "Latin", "KH": "Local", "VN": "Latin"}
Rows = list[dict[str, Any]]


def reference_rows(n_concepts: int = 24) -> Rows:
    """Two categories, three countries; every fourth concept has no pair."""
    rng = random.Random(3)
    rows: Rows = []
    for number in range(n_concepts):
        country, category = list(CLUSTERS)[number % 3], ("Dance", "Music")[number % 2]
        concept = {
            "concept_id": f"{country}-{category}-{number:02d}",
            "country": country,
            "category": category,
            "writing_cluster": CLUSTERS[country],
            "answer": None,
            "span": None,
        }
        for stage in ("s1", "s2"):
            item_id = f"{concept['concept_id']}/{stage}"
            rows.append({**concept, "item_id": item_id, "stage": stage, "answer": rng.randrange(4)})
        for pair in range(1, 1 + number % 4):
            item_id = f"{concept['concept_id']}/s3/{pair}"
            rows.append(
                {**concept, "item_id": item_id, "stage": "s3", "span": [10.0 * pair, 10.0 * pair + 5]}
            )
    return rows


def answers(references: Rows, skill: float, seed: int, **fields: Any) -> Rows:
    """One row an item; ``fields`` go into each."""
    rng = random.Random(seed)
    rows: Rows = []
    for row in references:
        if row["stage"] == "s3":
            shift = rng.gauss(0, 5 * (1.2 - skill))
            answer: dict[str, Any] = {"span": [second + shift for second in row["span"]]}
        else:
            answer = {"choice": row["answer"] if rng.random() < skill else rng.randrange(4)}
        rows.append({"item_id": row["item_id"], **answer, **fields})
    return rows


def of_mode(references: Rows, skill: float, seed: int, mode: str, **fields: Any) -> Rows:
    """The rows of one mode: S1 as ``reset``."""
    rows = answers(references, skill, seed, **fields)
    stage_of = {row["item_id"]: row["stage"] for row in references}
    return [{**row, "mode": "reset" if stage_of[row["item_id"]] == "s1" else mode} for row in rows]


def write_lines(path: Path, rows: Rows, header: dict[str, Any] | None = None) -> Path:
    """JSON Lines, with a header line if one is given."""
    lines = ([{"header": header}] if header else []) + rows
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def run(*arguments: str | Path) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of one ``cmb`` command."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cmb([str(argument) for argument in arguments])
    return code, out.getvalue(), err.getvalue()
