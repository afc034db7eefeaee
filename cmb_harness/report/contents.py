"""All that a report says, as plain data: results, profiles, the paper's other tables, and what is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.predictions import MODES, SETTINGS
from cmb_harness.records import Region
from cmb_harness.report.missing import missing_lines
from cmb_harness.report.no_model import CHANCE_ALONE, Baselines, no_model_baselines, span_baselines
from cmb_harness.report.profiles import Profile, failure_profile
from cmb_harness.report.sentences import sentence
from cmb_harness.statistics.comparing import compare_runs
from cmb_harness.statistics.paper import (
    Runs,
    ablation_rows,
    chain_rows,
    distribution_rows,
    duration_rows,
    variant_rows,
)
from cmb_harness.statistics.scoring import STAGES, ScoredRun, Selection, result_of
from cmb_metric.items import ScoredItems

Row = Mapping[str, Any]
Result = Mapping[str, Any]


@dataclass(frozen=True)
class Public:
    """What of a dataset may be shown: rows with keys.

    Attributes:
        rows: stage → rows; empty where no dataset was given.
        records: the public records.
        n_hidden: items whose keys the dataset does not have.
    """

    rows: Mapping[str, Sequence[Row]] = field(default_factory=lambda: {stage: [] for stage in STAGES})
    records: Sequence[Row] = ()
    n_hidden: int = 0


@dataclass(frozen=True)
class Contents:
    """The data of a report.

    Attributes:
        mode: of everything that shows one mode.
        results: (model, mode) → result of the metric.
        profiles, sentences: by model that has the mode.
        comparison: of `compare_runs`, without its results; None for fewer than two models.
        missing: what is not there, one line each.
    """

    mode: str
    selection: Selection
    region: Region
    public: Public
    runs: Runs
    results: Mapping[tuple[str, str], Result]
    profiles: Mapping[str, Profile]
    sentences: Mapping[str, str]
    chain: Sequence[Row]
    ablation: Sequence[Row]
    variants: Sequence[Row]
    durations: Sequence[Row]
    distribution: Sequence[Row]
    comparison: Row | None
    baselines: Baselines
    span_baselines: Mapping[str, Mapping[str, float]]
    missing: Sequence[str]

    @property
    def shown(self) -> dict[str, Result]:
        """model → result in the shown mode."""
        return {model: result for (model, mode), result in self.results.items() if mode == self.mode}

    @property
    def localized(self) -> dict[str, Result]:
        """The same, of the models that have S3."""
        return {model: result for model, result in self.shown.items() if result["n"]["pairs"]}


def public_part(rows: Mapping[str, Mapping[str, Sequence[Row]]]) -> Public:
    """The rows of a built dataset whose keys it has: those of the hidden test are not among them.

    Args:
        rows: config → split → rows, as ``read_dataset`` has them.
    """
    every = {stage: [row for part in rows[stage].values() for row in part] for stage in STAGES}
    keyed = {
        stage: [row for row in every[stage] if row["span" if stage == "s3" else "answer"] is not None]
        for stage in STAGES
    }
    n_hidden = sum(len(every[stage]) - len(keyed[stage]) for stage in STAGES)
    return Public(keyed, [row for part in rows.get("records", {}).values() for row in part], n_hidden)


def chosen_mode(runs: Runs, wanted: str | None = None) -> str:
    """The mode of the tables that show one: ``wanted``, else the one that most models have; of several, carry.

    Raises:
        InputError: no run has the mode.
    """
    order = ("carry", *(mode for mode in MODES if mode != "carry"))
    beyond = {mode: sum(map(_beyond_s1, runs.of(mode).values())) for mode in order}
    found = [mode for mode in order if runs.of(mode)]
    if not found or (wanted is not None and wanted not in found):
        has = ", ".join(found) or "none"
        raise InputError(
            f"--mode {wanted or 'any'}: no run has it with full settings; there are rows of {has}"
        )
    return wanted or max(found, key=lambda mode: beyond[mode])


def gather_contents(
    runs: Runs,
    selection: Selection,
    region: Region,
    public: Public,
    *,
    own_keys: bool = True,
    open_items: Mapping[str, Mapping[str, int]] | None = None,
    holm: bool = False,
) -> Contents:
    """Compute everything of a report.

    Args:
        own_keys: the runs were scored against the dataset's own keys, so that its baselines belong to them.
        open_items: model → reason → questions that its run left open.
    """
    mode = selection.mode
    runs = _with_names_alone(runs, mode)
    every = {
        (model, one): without_joint(result_of(run, selection))
        for one in MODES
        for model, run in runs.of(one).items()
        if one == mode or _beyond_s1(run)
    }
    own = runs.of(mode)
    chain = chain_rows(runs, selection)
    profiles = {model: failure_profile(run, selection) for model, run in own.items()}
    ablation, faults = _ablation(runs, selection, region)
    contents = Contents(
        mode=mode,
        selection=selection,
        region=region,
        public=public,
        runs=runs,
        results=every,
        profiles=profiles,
        sentences=_sentences(profiles, chain, selection),
        chain=chain,
        ablation=ablation,
        variants=variant_rows(runs, selection),
        durations=[row for row in duration_rows(runs, selection, region.duration_edges_s) if row["n"]],
        distribution=[row for row in distribution_rows(runs, selection) if row["n"]],
        comparison=_comparison(own, selection, holm),
        baselines=no_model_baselines(public.rows) if own_keys else CHANCE_ALONE,
        span_baselines=span_baselines(public.rows["s3"]) if own_keys else {},
        missing=faults,
    )
    lines = missing_lines(contents, open_items or {})
    return Contents(**{**vars(contents), "missing": [*lines, *faults]})


def ious(run: ScoredRun) -> list[float]:
    """The IoU of every pair."""
    return [item.value for item in run.scored.items if item.stage == "s3"]


def _with_names_alone(runs: Runs, mode: str) -> Runs:
    """Models that answered S1 alone have the shown mode too: S1 is asked once, and counts in every mode."""
    there = runs.of(mode)
    alone = {
        (model, mode, "full", "common_latin"): replace(run, mode=mode)
        for model, run in runs.of("reset").items()
        if model not in there and not _beyond_s1(run)
    }
    every = {**runs.scored, **alone}
    ordered = {key: run for model in runs.models for key, run in every.items() if key[0] == model}
    return replace(runs, scored=ordered)


def _beyond_s1(run: ScoredRun) -> bool:
    return any(item.stage != "s1" for item in run.scored.items)


def _sentences(profiles: Mapping[str, Profile], chain: Sequence[Row], selection: Selection) -> dict[str, str]:
    alpha = 1 - selection.confidence_level
    return {
        model: sentence(
            model,
            profile,
            {
                row["statistic"]: row
                for row in chain
                if (row["model"], row["mode"]) == (model, selection.mode)
            },
            alpha,
        )
        for model, profile in profiles.items()
    }


def _ablation(runs: Runs, selection: Selection, region: Region) -> tuple[list[Row], list[str]]:
    """The ablations of the shown mode; one that a run cannot give is a line, not the end of the report."""
    rows: list[Row] = []
    faults = []
    for setting in SETTINGS[1:]:
        kept = {key: run for key, run in runs.scored.items() if key[2] in ("full", setting)}
        part = Runs(kept, runs.durations_s, runs.spans_s)
        try:
            rows += ablation_rows(part, selection, region.role_cuts)
        except InputError as error:
            faults += [f"Tables 15 to 17: {fault}" for fault in error.faults]
    return rows, faults


def without_joint(result: Mapping[str, Any]) -> dict[str, Any]:
    """A result without its Joint where S3 was not asked: the metric's 0 would read as a failure."""
    if result["n"]["pairs"]:
        return dict(result)
    none = {"joint": {"value": None, "ci": None, "n": 0}}
    cells = {
        kind: {code: {**cell, **none} for code, cell in by_code.items()}
        for kind, by_code in result["cells"].items()
    }
    macro = {kind: {**values, **none} for kind, values in result["macro"].items()}
    return {**result, "joint": None, "ci": {**result["ci"], "joint": None}, "cells": cells, "macro": macro}


def _comparison(own: Mapping[str, ScoredRun], selection: Selection, holm: bool) -> dict[str, Any] | None:
    """All pairs of models; a pair of which one lacks a stage is compared on the stages that all have."""
    asked = {model: _stages(run) for model, run in own.items()}
    common = frozenset.intersection(*asked.values()) if len(own) > 1 else frozenset()
    if not common:
        return None
    compared = compare_runs([_only(run, common) for run in own.values()], selection, holm=holm)
    if common != frozenset(STAGES):
        compared = _without_undefined(compared)
        whole = [model for model in own if asked[model] == frozenset(STAGES)]
        if len(whole) > 1:
            compared = _merged(compared, compare_runs([own[model] for model in whole], selection, holm=holm))
    return {name: value for name, value in compared.items() if name != "results"}


def _without_undefined(compared: dict[str, Any]) -> dict[str, Any]:
    """The comparison without the Joint, which needs all stages."""
    nothing = {"difference": None, "ci": None, "p": None, "p_holm": None, "significant": False}
    no_cells = {"above": 0, "equal": 0, "below": 0, "cells": 0}
    return {
        **compared,
        "pairs": [{**row, **(nothing if row["statistic"] == "joint" else {})} for row in compared["pairs"]],
        "ranks": [row for row in compared["ranks"] if row["statistic"] != "joint"],
        "dominance": [
            {**row, **(no_cells if row["statistic"] == "joint" else {})} for row in compared["dominance"]
        ],
    }


def _merged(compared: dict[str, Any], fuller: dict[str, Any]) -> dict[str, Any]:
    """What the models that have all stages add: the rows that the common stages leave undefined."""

    def better(rows: str) -> dict[tuple[str, str, str], Row]:
        return {(row["a"], row["b"], row["statistic"]): row for row in fuller[rows]}

    def filled(rows: str, name: str, empty: Any) -> list[Row]:
        found = better(rows)
        return [
            found.get((row["a"], row["b"], row["statistic"]), row) if row[name] == empty else row
            for row in compared[rows]
        ]

    ranked = {row["statistic"] for row in compared["ranks"]}
    return {
        **compared,
        "pairs": filled("pairs", "difference", None),
        "ranks": [*compared["ranks"], *(row for row in fuller["ranks"] if row["statistic"] not in ranked)],
        "dominance": filled("dominance", "cells", 0),
        "order": {
            name: agreement if name in ranked else fuller["order"][name]
            for name, agreement in compared["order"].items()
        },
    }


def _stages(run: ScoredRun) -> frozenset[str]:
    return frozenset(item.stage for item in run.scored.items)


def _only(run: ScoredRun, stages: frozenset[str]) -> ScoredRun:
    kept = [item for item in run.scored.items if item.stage in stages]
    return ScoredRun(**{**vars(run), "scored": ScoredItems(kept, run.scored.n_set_aside)})
