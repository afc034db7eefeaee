"""From prediction files to scores: the references of a dataset, the rows of one selection, the metric over them."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cmb_metric
from cmb_harness.faults import InputError
from cmb_harness.files import read_json_lines
from cmb_harness.manifest import read_manifest
from cmb_harness.predictions import Predictions, Row, read_predictions, select
from cmb_metric import MetricError
from cmb_metric.items import MISSING, ScoredItems, score_items
from cmb_metric.scores import summarize
from cmb_metric.signature import fingerprint, signature

STAGES = ("s1", "s2", "s3")


@dataclass(frozen=True)
class ReferenceSet:
    """What answers are scored against.

    Attributes:
        rows: reference rows, those without a key too.
        name: the dataset's version and hash, for the signature.
    """

    rows: Sequence[Row]
    name: str

    @property
    def stage_of(self) -> dict[str, str]:
        """item_id → stage, of every known item."""
        return {row["item_id"]: row["stage"] for row in self.rows}


@dataclass(frozen=True)
class Selection:
    """Which rows of a run are scored, and how their intervals are drawn."""

    mode: str = "reset"
    setting: str = "full"
    variant: str = "common_latin"
    n_resamples: int = 10_000
    seed: int = 42
    confidence_level: float = 0.95


@dataclass(frozen=True)
class Run:
    """The predictions of one model.

    Attributes:
        model: what the header, the manifest or the rows call it; else the name of the file or folder.
        context: ``previous`` or ``all``, where the manifest or header says so.
    """

    model: str
    predictions: Predictions
    context: str | None = None


@dataclass(frozen=True)
class ScoredRun:
    """The scored items of one model in one mode, setting and variant, and what a signature says of them."""

    model: str
    scored: ScoredItems
    mode: str
    setting: str = "full"
    variant: str = "common_latin"
    context: str | None = None
    dataset: str = ""
    n_status: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    path: Path = Path()


def read_reference_set(
    dataset: str | os.PathLike[str] | None, references: str | os.PathLike[str] | None = None
) -> ReferenceSet:
    """The references of a built dataset, of a file of reference rows, or of a file beside its dataset.

    With both, answers are scored against the file, and items that only the dataset knows are set aside.

    Raises:
        InputError: a file or folder cannot be read, or neither is given.
    """
    if dataset is None and references is None:
        raise InputError("expected --dataset or --references: there is nothing to score against")
    own, name = ([], "") if dataset is None else _dataset_references(dataset)
    if references is None:
        return ReferenceSet(own, name)
    lines = read_json_lines(references)
    given = [row for _, row in lines]
    faults = [
        f"{references}: line {line}: expected a reference row with item_id and stage"
        for line, row in lines
        if not isinstance(row.get("item_id"), str) or row.get("stage") not in STAGES
    ]
    if faults or not given:
        raise InputError(faults or f"{references}: holds no reference rows")
    known = {row["item_id"] for row in given}
    others = [{**row, "answer": None, "span": None} for row in own if row["item_id"] not in known]
    return ReferenceSet([*given, *others], f"{name}/{fingerprint(given)}".lstrip("/"))


def read_run(path: str | os.PathLike[str]) -> Run:
    """A run folder or a prediction file, with the model's name.

    Raises:
        InputError: it cannot be read, or has faults.
    """
    predictions = read_predictions(path)
    manifest = read_manifest(path) if Path(path).is_dir() else {}
    plan = manifest.get("plan") if isinstance(manifest.get("plan"), dict) else {}
    in_rows = {row["model"] for row in predictions.rows if row.get("model")}
    named = [predictions.header.get("model"), manifest.get("model"), *sorted(in_rows)[:1]]
    name = next((str(model) for model in named if model), Path(path).name.split(".")[0])
    context = predictions.header.get("context") or (plan or {}).get("context")
    return Run(name, predictions, context)


def rows_of(run: Run, references: ReferenceSet, selection: Selection) -> list[Row]:
    """The rows that are scored: S1's ``reset`` rows and the others of the selection.

    Raises:
        InputError: not one row has the mode and the setting, or the variant, though others are there.
    """
    rows = chosen(run.predictions.rows, references.stage_of, selection)
    wanted = (selection.mode, selection.setting)
    if not any((row["mode"], row["setting"]) == wanted for row in rows):
        raise InputError(nothing_chosen(run.predictions.path, run.predictions.rows, selection))
    return rows


def chosen(rows: Iterable[Row], stage_of: Mapping[str, str], selection: Selection) -> list[Row]:
    """Rows of a selection, S1's ``reset`` rows among them."""
    return select(rows, stage_of, mode=selection.mode, setting=selection.setting, variant=selection.variant)


def score_run(run: Run, references: ReferenceSet, selection: Selection) -> ScoredRun:
    """Score the items of one run.

    Raises:
        InputError: as `rows_of`, or the metric refuses the rows.
    """
    rows = rows_of(run, references, selection)
    try:
        scored = score_items(rows, references.rows)
    except MetricError as error:
        raise InputError([f"{run.predictions.path}: {line}" for line in str(error).splitlines()]) from None
    return ScoredRun(
        run.model,
        scored,
        selection.mode,
        selection.setting,
        selection.variant,
        run.context,
        references.name,
        _n_status(rows, {item.item_id: item.stage for item in scored.items}),
        run.predictions.path,
    )


def result_of(run: ScoredRun, selection: Selection) -> dict[str, Any]:
    """The metric's result, with ``model``, ``mode``, ``setting``, ``variant`` and ``n_status`` beside it.

    ``n_status`` counts the parser's words (``ok``, ``ambiguous``, ``refusal``, ``invalid``, ``none``) by stage, where
    rows carry them.
    """
    result = summarize(
        run.scored,
        n_resamples=selection.n_resamples,
        seed=selection.seed,
        confidence_level=selection.confidence_level,
        signature=signature_of(run, selection),
    )
    return about(run, result)


def about(run: ScoredRun, result: Mapping[str, Any]) -> dict[str, Any]:
    """A result of the metric with what it is a result of."""
    names = {"model": run.model, "mode": run.mode, "setting": run.setting, "variant": run.variant}
    return {**names, **result, "n_status": run.n_status}


def signature_of(run: ScoredRun, selection: Selection) -> str:
    """The signature line of one scored run."""
    return signature(
        dataset=run.dataset,
        mode=run.mode,
        setting=run.setting,
        variant=run.variant,
        context=run.context,
        n_resamples=selection.n_resamples,
        seed=selection.seed,
        confidence_level=selection.confidence_level,
    )


def silent_stages(run: ScoredRun) -> list[str]:
    """Stages with items of which not one was answered: each counts as missing, and the user should hear of it."""
    answered = {item.stage for item in run.scored.items if item.answered != MISSING}
    return sorted({item.stage for item in run.scored.items} - answered)


def distinct_models(runs: Sequence[ScoredRun]) -> list[ScoredRun]:
    """The runs, those that share a model's name told apart by their path.

    Raises:
        InputError: one run is given twice.
    """
    given = Counter((run.path.resolve(), run.model) for run in runs)
    faults = [f"{path}: {model} is given {n} times" for (path, model), n in given.items() if n > 1]
    if faults:
        raise InputError(faults)
    names = Counter(run.model for run in runs)
    return [replace(run, model=f"{run.model} ({run.path})") if names[run.model] > 1 else run for run in runs]


def nothing_chosen(path: Path, rows: Sequence[Row], selection: Selection) -> str:
    """What a file has instead of the rows that were asked for."""
    found = Counter((row["mode"], row["setting"], row["variant"]) for row in rows)
    listed = "; ".join(f"{' '.join(key)} ({n} rows)" for key, n in sorted(found.items()))
    wanted = f"{selection.mode} {selection.setting} {selection.variant}"
    return f"{path}: no rows of {wanted}; it has {listed}"


def _dataset_references(dataset: str | os.PathLike[str]) -> tuple[list[Row], str]:
    from cmb_harness.dataset import read_dataset

    built = read_dataset(dataset)
    rows = [
        row
        for stage in STAGES
        for split in built.rows.get(stage, {}).values()
        for row in cmb_metric.references([{**row, "stage": stage} for row in split])
    ]
    return rows, f"{built.version}+{built.sha256[:12]}"


def _n_status(rows: Sequence[Row], stage_of: Mapping[str, str]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {stage: Counter() for stage in STAGES}
    for row in rows:
        if row.get("status") and row["item_id"] in stage_of:
            counts[stage_of[row["item_id"]]][row["status"]] += 1
    return {stage: dict(sorted(counter.items())) for stage, counter in counts.items()}
