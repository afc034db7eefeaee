"""From prediction files to scores: the references of a dataset, the rows of one selection, the metric over them."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cmb_metric
from cmb_harness.faults import InputError
from cmb_harness.files import read_json, read_json_lines
from cmb_harness.predictions import Predictions, Row, read_predictions, select
from cmb_metric.items import ScoredItems, score_items
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
    manifest: Mapping[str, Any] = field(default_factory=dict)


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
    given = [row for _, row in read_json_lines(references)]
    faults = [
        f"{references}: line {line}: expected a reference row with item_id and stage"
        for line, row in read_json_lines(references)
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
    manifest_path = Path(path) / "manifest.json"
    manifest = read_json(manifest_path) if manifest_path.is_file() else {}
    manifest = manifest if isinstance(manifest, dict) else {}
    plan = manifest.get("plan") if isinstance(manifest.get("plan"), dict) else {}
    in_rows = {row["model"] for row in predictions.rows if row.get("model")}
    named = [predictions.header.get("model"), manifest.get("model"), *sorted(in_rows)[:1]]
    name = next((str(model) for model in named if model), Path(path).name.split(".")[0])
    context = predictions.header.get("context") or (plan or {}).get("context")
    return Run(name, predictions, context, manifest)


def rows_of(run: Run, references: ReferenceSet, selection: Selection) -> list[Row]:
    """The rows that are scored: S1's ``reset`` rows and the others of the selection.

    Raises:
        InputError: not one row of S2 or S3 has the mode, the setting or the variant, though others are there.
    """
    stage_of = references.stage_of
    rows = select(
        run.predictions.rows,
        stage_of,
        mode=selection.mode,
        setting=selection.setting,
        variant=selection.variant,
    )
    if not any(_asked_for(row, selection) for row in rows):
        raise InputError(_nothing_selected(run, stage_of, selection))
    return rows


def missing_stages(rows: Sequence[Row], references: ReferenceSet) -> list[str]:
    """Stages that have keys but not one row among ``rows``: every item of them counts as missing, so say so."""
    stage_of = references.stage_of
    answered = {stage_of.get(row["item_id"]) for row in rows}
    keyed = {row["stage"] for row in references.rows if _key(row) not in (None, [], -1)}
    return [stage for stage in STAGES if stage in keyed - answered]


def score_run(run: Run, references: ReferenceSet, selection: Selection) -> dict[str, Any]:
    """The metric's result for one run, with ``model``, ``mode``, ``setting``, ``variant`` and ``n_status`` added.

    ``n_status`` counts the parser's words (``ok``, ``ambiguous``, ``refusal``, ``invalid``, ``none``) by stage, where
    rows carry them.

    Raises:
        InputError: as `rows_of`, or the metric refuses the rows.
    """
    rows = rows_of(run, references, selection)
    with naming(run):
        scored = score_items(rows, references.rows)
        result = summarize_run(scored, run, references, selection)
    return result | {"n_status": _n_status(rows, references.stage_of)}


def summarize_run(
    scored: ScoredItems, run: Run, references: ReferenceSet, selection: Selection
) -> dict[str, Any]:
    """As `score_run`, from items that are scored already (and without ``n_status``)."""
    result = summarize(
        scored,
        n_resamples=selection.n_resamples,
        seed=selection.seed,
        confidence_level=selection.confidence_level,
        signature=signature_of(references.name, selection, run.context),
    )
    names = {"model": run.model, "mode": selection.mode}
    return names | {"setting": selection.setting, "variant": selection.variant} | result


def signature_of(dataset: str, selection: Selection, context: str | None) -> str:
    """The signature line of one selection."""
    return signature(
        dataset=dataset,
        mode=selection.mode,
        setting=selection.setting,
        variant=selection.variant,
        context=context,
        n_resamples=selection.n_resamples,
        seed=selection.seed,
        confidence_level=selection.confidence_level,
    )


@contextmanager
def naming(run: Run) -> Iterator[None]:
    """Turn the metric's refusal into faults of the input, each naming the file."""
    try:
        yield
    except cmb_metric.MetricError as error:
        raise InputError([f"{run.predictions.path}: {line}" for line in str(error).splitlines()]) from None


def distinct_models(runs: Sequence[Run]) -> list[Run]:
    """The runs, those that share a model name told apart by their path.

    Raises:
        InputError: one file is given twice.
    """
    paths = Counter(run.predictions.path.resolve() for run in runs)
    faults = [f"{path}: given {count} times" for path, count in paths.items() if count > 1]
    if faults:
        raise InputError(faults)
    names = Counter(run.model for run in runs)
    return [
        replace(run, model=f"{run.model} ({run.predictions.path})") if names[run.model] > 1 else run
        for run in runs
    ]


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


def _key(row: Row) -> Any:
    return row.get("span") if row["stage"] == "s3" else row.get("answer")


def _asked_for(row: Row, selection: Selection) -> bool:
    """S1 rows are reset in every mode, so in other modes they alone do not make a selection."""
    return row["mode"] == selection.mode or selection.mode == "reset"


def _nothing_selected(run: Run, stage_of: Mapping[str, str], selection: Selection) -> str:
    rows = [row for row in run.predictions.rows if stage_of.get(row["item_id"]) != "s1"]
    rows = rows or run.predictions.rows
    found = Counter((row["mode"], row["setting"], row["variant"]) for row in rows)
    listed = "; ".join(f"{' '.join(key)} ({count} rows)" for key, count in sorted(found.items()))
    wanted = f"{selection.mode} {selection.setting} {selection.variant}"
    return f"{run.predictions.path}: no rows of {wanted}; it has {listed}"


def _n_status(rows: Sequence[Row], stage_of: Mapping[str, str]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {stage: Counter() for stage in STAGES}
    for row in rows:
        if row.get("status") and row["item_id"] in stage_of:
            counts[stage_of[row["item_id"]]][row["status"]] += 1
    return {stage: dict(sorted(counter.items())) for stage, counter in counts.items()}
