"""A made-up release of the paper's size with made-up models, and a real Chromium to open pages in."""

import csv
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.dataset import build_dataset, write_dataset
from cmb_harness.files import write_json, write_json_lines
from cmb_harness.records import read_records, read_region

MODES = ("reset", "carry", "feedback")
SETTINGS = ("no-audio", "no-subtitles", "visual-only")
N_PAIRS = 631

Row = dict[str, Any]


def inventory(per_category: int | None = None) -> list[Row]:
    """The paper's 306 concepts, or so many of each category."""
    path = files("cmb_harness") / "regions" / "southeast_asia_inventory.csv"
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    if per_category is None:
        return rows
    by_category: dict[str, list[Row]] = {}
    for row in rows:
        by_category.setdefault(row["category"], []).append(row)
    return [
        row for found in by_category.values() for row in found[:: len(found) // per_category][:per_category]
    ]


def video(name: str) -> str:
    """An id of 11 characters that no real video has."""
    return hashlib.sha256(name.encode()).hexdigest()[:10] + "x"


def moment(concept_id: str) -> Row:
    start_s = float(int(hashlib.sha256(concept_id.encode()).hexdigest()[:4], 16) % 90)
    return {"video_url": video(concept_id), "start_s": start_s, "end_s": start_s + 12.5}


def made_records(concepts: list[Row], n_pairs: int) -> list[Row]:
    """Records with options from the concept's own category; every third Music concept has no pair."""
    generator = random.Random(7)
    clusters = read_region().writing_clusters
    paired = [row for at, row in enumerate(concepts) if row["category"] != "Music" or at % 3]
    pairs: dict[str, list[Row]] = {row["concept_id"]: [] for row in concepts}
    for number in range(n_pairs):
        concept_id = paired[number % len(paired)]["concept_id"]
        duration_s = round(generator.lognormvariate(5.5, 0.9) + 30, 1)
        start_s = round(generator.uniform(0, 0.8) * duration_s, 2)
        end_s = round(start_s + min(13.0, 0.15 * duration_s), 2)
        pairs[concept_id].append(
            {
                "video_url": video(f"{concept_id}/B{number}"),
                "start_s": start_s,
                "end_s": end_s,
                "cue": f"the elders <b>raise</b> the banner, time {number}",
                "duration_s": duration_s,
            }
        )
    return [_record(row, concepts, pairs[row["concept_id"]], clusters, generator) for row in concepts]


def _record(
    row: Row, concepts: list[Row], pairs: list[Row], clusters: dict[str, str], generator: random.Random
) -> Row:
    others = [
        one
        for one in concepts
        if one["category"] == row["category"] and one["common_latin"] != row["common_latin"]
    ]
    distinct = list({one["common_latin"]: one for one in others}.values())
    options = [row, *generator.sample(distinct, 3)]
    named, shown = generator.sample(options, 4), generator.sample(options, 4)
    return {
        "concept_id": row["concept_id"],
        "country": row["country"],
        "category": row["category"],
        "concept_name": row["common_latin"],
        "description": f"It marks a turning of the year for those who keep {row['concept_id']} & its debts "
        "to the ancestors, who are thanked before anyone eats.",
        "s1_options": [one["common_latin"] for one in named],
        "s1_option_concept_ids": [one["concept_id"] for one in named],
        "s1_correct_index": named.index(row),
        "video_A_url": video(row["concept_id"]),
        "video_A_s2_moment": [moment(row["concept_id"])["start_s"], moment(row["concept_id"])["end_s"]],
        "s2_options": [moment(one["concept_id"]) for one in shown],
        "s2_correct_index": shown.index(row),
        "s3_pairs": pairs,
        "writing_cluster": clusters[row["country"]],
    }


class Release:
    """A dataset folder with runs beside it.

    Attributes:
        folder: holds ``cmb/`` and ``runs/``.
        rows: stage → public rows.
    """

    def __init__(self, folder: Path, concepts: list[Row], n_pairs: int) -> None:
        self.folder = folder
        write_json(folder / "records.json", made_records(concepts, n_pairs))
        dataset = build_dataset(read_records(folder / "records.json"))
        write_dataset(dataset, folder / "cmb")
        self.rows = {stage: dataset.rows[stage]["train"] for stage in ("s1", "s2", "s3")}

    def add_run(self, model: str, skill: float, **options: Any) -> Path:
        """A run of a made-up model; ``skill`` is its chance of a right answer, and how near its spans are."""
        path = self.folder / "runs" / f"run-{len(list((self.folder / 'runs').glob('*')))}"
        write_json_lines(
            path / "predictions.jsonl", list(self._predictions(model, skill, random.Random(model), **options))
        )
        return path

    def _predictions(
        self,
        model: str,
        skill: float,
        generator: random.Random,
        *,
        stages: tuple[str, ...] = ("s1", "s2", "s3"),
        modes: tuple[str, ...] = MODES,
        settings: tuple[str, ...] = (),
        variants: tuple[str, ...] = (),
        silent: float = 0.0,
    ) -> Iterator[Row]:
        common = {"model": model, "setting": "full", "variant": "common_latin"}
        for stage in stages:
            for mode in ("reset",) if stage == "s1" else modes:
                for row in self.rows[stage]:
                    if generator.random() >= silent:
                        yield (
                            common | {"item_id": row["item_id"], "mode": mode} | answer(row, skill, generator)
                        )
        for setting in settings:
            for row in self.rows["s3"]:
                about = {"item_id": row["item_id"], "mode": "carry", "setting": setting}
                yield common | about | answer(row, skill, generator)
        for variant in variants:
            for row in self.rows["s1"]:
                about = {"item_id": row["item_id"], "mode": "reset", "variant": variant}
                yield common | about | answer(row, skill, generator)


def answer(row: Row, skill: float, generator: random.Random) -> Row:
    """A choice or a span; one answer in fifty is invalid."""
    if "span" not in row:
        right = generator.random() < skill
        wrong = generator.choice([place for place in range(4) if place != row["answer"]])
        return {"choice": 9 if generator.random() < 0.02 else row["answer"] if right else wrong}
    start_s, end_s = row["span"]
    shift = generator.expovariate(skill) * (end_s - start_s) * 0.8
    return {"span": [round(start_s + shift, 2), round(end_s + shift, 2)]}


@pytest.fixture(scope="session")
def large_release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """306 concepts, 631 pairs, twelve models: some ablated, one without S3, one that left items open."""
    release = Release(tmp_path_factory.mktemp("large"), inventory(), N_PAIRS)
    names = ["Gemini-like", "ไทยโมเดล ขนาดใหญ่", "a-very-long-name-of-an-open-model-32B-instruct-v2.5"]
    names += [f"model-{letter}" for letter in "DEFGHIJ"]
    for place, name in enumerate(names):
        extra: Row = {"settings": SETTINGS} if place < 3 else {}
        release.add_run(name, 0.85 - 0.05 * place, **extra)
    release.add_run("without-s3", 0.5, stages=("s1", "s2"))
    release.add_run("half-done", 0.4, silent=0.3)
    return release


@pytest.fixture(scope="session")
def small_release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """40 concepts, 50 pairs."""
    return Release(tmp_path_factory.mktemp("small"), inventory(8), 50)


@pytest.fixture(scope="session")
def make_report() -> Callable[..., Path]:
    """``make_report(out, runs, dataset)``: `cmb report` in this process; returns the folder."""
    from cmb_harness.cli import main

    def make(out: Path, runs: list[Path], dataset: Path | None, *more: str, resamples: int = 200) -> Path:
        given = [] if dataset is None else ["--dataset", str(dataset)]
        arguments = [
            "report",
            *map(str, runs),
            *given,
            "--out",
            str(out),
            "--resamples",
            str(resamples),
            *more,
        ]
        assert main(arguments) == 0
        return out

    return make


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser. Skips where there is none, unless CMB_REQUIRE_CHROMIUM=1 forbids that."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        if os.environ.get("CMB_REQUIRE_CHROMIUM") == "1":
            pytest.fail("CMB_REQUIRE_CHROMIUM=1, and there is no Chromium (Debian: apt-get install chromium)")
        pytest.skip("no Chromium: pages are not opened (Debian: apt-get install chromium)")
    return found


@pytest.fixture
def opened(chromium: str, tmp_path: Path) -> Callable[..., Row]:
    """``opened(page, probe)``: open a page, run the JavaScript expression ``probe`` after it has loaded.

    Returns ``{"value", "console"}``: what the probe gave, and every line that Chromium logged from the page.
    """

    def open_page(page: Path, probe: str, *, width: int = 1280) -> Row:
        copy = page.with_name(f"{page.stem}-probe.html")
        copy.write_text(_with_probe(page.read_text("utf-8"), probe), "utf-8")
        flags = [
            "headless",
            "no-sandbox",
            "disable-gpu",
            "disable-quic",
            "no-first-run",
            "enable-logging=stderr",
        ]
        flags += ["disable-background-networking", "disable-component-update", "disable-sync", "dump-dom"]
        flags += [f"user-data-dir={tmp_path / 'chromium'}", f"window-size={width},900"]
        flags += ["virtual-time-budget=4000", "host-resolver-rules=MAP * ~NOTFOUND"]
        command = [chromium, *(f"--{flag}" for flag in flags), copy.resolve().as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        copy.unlink()
        found = re.search(r'<pre id="probe">(.*?)</pre>', done.stdout, re.DOTALL)
        assert found, f"the page did not get to its end:\n{done.stderr[-2000:]}"
        console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        return {
            "value": json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")),
            "console": console,
        }

    return open_page


def _with_probe(page: str, probe: str) -> str:
    script = (
        "<script>(async () => { const pre = document.createElement('pre'); pre.id = 'probe';"
        f" let value; try {{ value = await ({probe}); }} catch (error) {{ value = {{error: String(error)}}; }}"
        " pre.textContent = JSON.stringify(value ?? null); document.body.append(pre); })();</script>"
    )
    head, body, tail = page.rpartition("</body>")
    return f"{head}{script}{body}{tail}"
