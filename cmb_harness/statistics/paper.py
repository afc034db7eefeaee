"""The paper's other tables and figures as plain data, from all that a set of runs holds.

Each function takes runs that are scored already and returns rows that JSON can hold; `cmb_metric` has the definitions.
"""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.statistics.loading import is_scored_records, read_scored_records
from cmb_harness.statistics.scoring import (
    STAGES,
    ReferenceSet,
    Run,
    ScoredRun,
    Selection,
    distinct_models,
    read_reference_set,
    read_run,
    rows_of,
    score_run,
    signature_of,
    silent_stages,
)
from cmb_metric.ablation import (
    cluster_gap,
    concept_roles,
    concept_shares,
    mean_shift,
    pair_deltas,
    pairs_of,
    role_shares,
    roles_by,
)
from cmb_metric.breakdowns import by_duration, cascade, iou_distribution, variant_spread
from cmb_metric.items import ScoredItems

Row = dict[str, Any]


@dataclass(frozen=True)
class Runs:
    """Every mode, setting and variant of every model that was given.

    Attributes:
        scored: (model, mode, setting, variant) → its scored items, of the stages that it answered.
        durations_s, spans_s: item_id → length of the video and of the true span, where a dataset was given.
    """

    scored: Mapping[tuple[str, str, str, str], ScoredRun]
    durations_s: Mapping[str, float] = field(default_factory=dict)
    spans_s: Mapping[str, float] = field(default_factory=dict)

    def of(self, mode: str, setting: str = "full", variant: str = "common_latin") -> dict[str, ScoredRun]:
        """model → run, of those that have this mode, setting and variant."""
        wanted = (mode, setting, variant)
        return {key[0]: run for key, run in self.scored.items() if key[1:] == wanted}

    @property
    def models(self) -> list[str]:
        """In the order given."""
        return list(dict.fromkeys(key[0] for key in self.scored))

    def kinds(self, position: int) -> list[str]:
        """The modes (1), settings (2) or variants (3) that are there, in the order of first appearance."""
        return list(dict.fromkeys(key[position] for key in self.scored))


def gather(
    paths: Sequence[str | os.PathLike[str]],
    *,
    dataset: str | os.PathLike[str] | None = None,
    references: str | os.PathLike[str] | None = None,
) -> Runs:
    """Score everything that run folders, prediction files and scored records hold.

    Raises:
        InputError: the faults of all paths together.
    """
    given = dataset is not None or references is not None
    needed = any(not is_scored_records(path) for path in paths)
    known = read_reference_set(dataset, references) if given or needed else None
    found: list[ScoredRun] = []
    faults: list[str] = []
    for path in paths:
        try:
            found += _every_run(path, known)
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    runs: dict[tuple[str, str, str, str], ScoredRun] = {}
    for key in dict.fromkeys((run.mode, run.setting, run.variant) for run in found):
        alike = [run for run in found if (run.mode, run.setting, run.variant) == key]
        runs |= {(run.model, *key): run for run in distinct_models(alike)}
    lengths = _lengths(dataset) if dataset is not None else {}
    return Runs(
        runs,
        {item_id: row["duration_s"] for item_id, row in lengths.items() if row.get("duration_s")},
        {item_id: row["span"][1] - row["span"][0] for item_id, row in lengths.items() if row.get("span")},
    )


def chain_rows(runs: Runs, selection: Selection) -> list[Row]:
    """c-S2 and c-mIoU against their baselines, by model and mode (Table 3, Figure 9)."""
    rows = []
    for (model, mode, setting, variant), run in runs.scored.items():
        asked = {item.stage for item in run.scored.items}
        if setting == "full" and variant == "common_latin" and asked - {"s1"}:
            for name, values in cascade(run.scored, **_draw(selection)).items():
                about = {"model": model, "mode": mode, "statistic": name}
                rows.append(about | values | {"signature": signature_of(run, selection)})
    return rows


def ablation_rows(runs: Runs, selection: Selection, cuts: Iterable[float]) -> list[Row]:
    """What each setting takes away, over the models that have it and ``full`` (Tables 15 to 17, Figures 3 and 4).

    Returns:
        One row a setting: ``{setting, mode, models, shift, roles: {cut: shares}, by_cluster: {cut: shares}, cut,
        by_category, gap, by_concept, concept_roles, signature}``; what follows ``cut`` is at the one in the middle.

    Raises:
        InputError: a model has a setting but not ``full``, or was scored on different pairs.
    """
    from cmb_metric import MetricError

    rows = []
    for setting in runs.kinds(2):
        ablated = runs.of(selection.mode, setting)
        if setting == "full" or not ablated:
            continue
        full = {model: run for model, run in runs.of(selection.mode).items() if model in ablated}
        try:
            deltas = pair_deltas(_items(full), _items(ablated))
        except MetricError as error:
            raise InputError(f"{setting}: {error}") from None
        first = next(iter(ablated.values()))
        rows.append(_ablation_row(setting, first, deltas, list(ablated), selection, list(cuts)))
    return rows


def variant_rows(runs: Runs, selection: Selection | None = None) -> list[Row]:
    """S1 accuracy by name variant, its spread and mean, by model (Figure 14); models with two variants or more."""
    rows = []
    for model in runs.models:
        accuracies: dict[str, float] = {}
        signed: Row = {}
        for (name, mode, setting, variant), run in runs.scored.items():
            values = [item.value for item in run.scored.items if item.stage == "s1"]
            if (name, mode, setting) == (model, "reset", "full") and values:
                accuracies[variant] = sum(values) / len(values)
                signed = {"signature": signature_of(replace(run, variant="all"), selection or Selection())}
        if len(accuracies) > 1:
            rows.append({"model": model, "accuracies": accuracies, **variant_spread(accuracies), **signed})
    return rows


def duration_rows(runs: Runs, selection: Selection, edges_s: Sequence[float]) -> list[Row]:
    """mIoU by length of the video, by model (Figure 10); none where lengths are not known."""
    rows = []
    for model, run in runs.of(selection.mode).items():
        if runs.durations_s:
            buckets = by_duration(
                run.scored, runs.durations_s, edges_s, spans_s=runs.spans_s, **_draw(selection)
            )
            signed = {"signature": signature_of(run, selection)}
            rows += [{"model": model, "mode": selection.mode, **bucket, **signed} for bucket in buckets]
    return rows


def distribution_rows(runs: Runs, selection: Selection) -> list[Row]:
    """How the IoU of pairs is spread, by model (Figure 11)."""
    return [
        {
            "model": model,
            "mode": selection.mode,
            **iou_distribution(run.scored),
            "signature": signature_of(run, selection),
        }
        for model, run in runs.of(selection.mode).items()
    ]


def _ablation_row(
    setting: str,
    run: ScoredRun,
    deltas: Mapping[str, float],
    models: list[str],
    selection: Selection,
    cuts: list[float],
) -> Row:
    pairs = pairs_of(run.scored)
    middle = sorted(cuts)[len(cuts) // 2]
    clusters = sorted({pair.writing_cluster for pair in pairs.values() if pair.writing_cluster})
    concept_ids = [item.concept_id for item in run.scored.items]
    return {
        "setting": setting,
        "mode": selection.mode,
        "models": models,
        "shift": mean_shift(deltas, pairs, **_draw(selection)),
        "roles": {f"{cut:g}": role_shares(list(deltas.values()), cut) for cut in cuts},
        "cut": middle,
        "by_category": roles_by(deltas, pairs, "category", middle),
        "by_cluster": {f"{cut:g}": roles_by(deltas, pairs, "writing_cluster", cut) for cut in cuts},
        # The paper asks how much larger the share is where the script is not Latin.
        "gap": cluster_gap(deltas, pairs, clusters[1], clusters[0], cut=middle)
        if len(clusters) == 2
        else None,
        "by_concept": [
            {"writing_cluster": cluster, "category": category, **shares}
            for (cluster, category), shares in concept_shares(deltas, pairs, middle).items()
        ],
        "concept_roles": concept_roles(deltas, pairs, concept_ids, middle),
        "signature": signature_of(run, selection),
    }


def _every_run(path: str | os.PathLike[str], known: ReferenceSet | None) -> list[ScoredRun]:
    if is_scored_records(path):
        from cmb_harness.files import read_json_lines

        keys = {(row.get("mode"), row.get("setting"), row.get("variant")) for _, row in read_json_lines(path)}
        runs = [run for selection in _selections(keys) for run in read_scored_records(path, selection)]
        # A record of a question that was not asked looks like one of a question that got no answer.
        return [_with_stages(run, {*STAGES} - {*silent_stages(run)}) for run in runs]
    assert known is not None
    run = read_run(path)
    keys = {(row["mode"], row["setting"], row["variant"]) for row in run.predictions.rows}
    return [_asked(run, known, selection) for selection in _selections(keys)]


def _selections(keys: Iterable[tuple[Any, Any, Any]]) -> list[Selection]:
    return [Selection(mode, setting, variant) for mode, setting, variant in sorted(keys, key=str)]


def _asked(run: Run, known: ReferenceSet, selection: Selection) -> ScoredRun:
    """The stages that have rows: S1 alone does not make S2 wrong, but a stage of null answers is wrong."""
    stage_of = known.stage_of
    stages = {stage_of.get(row["item_id"]) for row in rows_of(run, known, selection)}
    return _with_stages(score_run(run, known, selection), stages)


def _with_stages(run: ScoredRun, stages: Collection[str | None]) -> ScoredRun:
    kept = [item for item in run.scored.items if item.stage in stages]
    return replace(run, scored=ScoredItems(kept, run.scored.n_set_aside))


def _items(runs: Mapping[str, ScoredRun]) -> dict[str, ScoredItems]:
    return {model: run.scored for model, run in runs.items()}


def _draw(selection: Selection) -> dict[str, Any]:
    return {
        "n_resamples": selection.n_resamples,
        "seed": selection.seed,
        "confidence_level": selection.confidence_level,
    }


def _lengths(dataset: str | os.PathLike[str]) -> dict[str, Mapping[str, Any]]:
    from cmb_harness.dataset import read_dataset

    return {row["item_id"]: row for split in read_dataset(dataset).rows["s3"].values() for row in split}
