"""What a report lacks, each in one line, so that no chart stands empty and no dash is a riddle."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cmb_harness.predictions import MODES, SETTINGS, VARIANTS
from cmb_harness.report.items import holds_answers
from cmb_harness.statistics.scoring import STAGES
from cmb_metric.items import MISSING

if TYPE_CHECKING:
    from cmb_harness.report.contents import Contents

ITEMS = {"s1": "s1", "s2": "s2", "s3": "pairs"}


def missing_lines(contents: "Contents", open_items: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Lines about models first, then about tables and figures."""
    return [
        *_modes(contents),
        *_stages(contents),
        *_answers(contents),
        *(
            f"{model}: {n} questions are open, not answered: {reason}"
            for model, reasons in open_items.items()
            for reason, n in reasons.items()
        ),
        *_variants(contents),
        *_views(contents),
        *_dataset(contents),
    ]


def _modes(contents: "Contents") -> Iterator[str]:
    for model in contents.runs.models:
        has = [mode for mode in MODES if (model, mode) in contents.results]
        if contents.mode not in has:
            where = "only in Table 2 and Figures 9, 12 and 13" if has else "in no table of one mode"
            yield f"{model}: no answers in {contents.mode} mode: {where}"
    absent = [mode for mode in MODES if mode not in {mode for _, mode in contents.results}]
    if absent:
        yield f"no model has answers in {' or '.join(absent)} mode"


def _stages(contents: "Contents") -> Iterator[str]:
    for model, profile in contents.profiles.items():
        absent = [stage.upper() for stage in STAGES if stage not in profile["asked"]]
        if absent:
            yield f"{model}: {' and '.join(absent)} not answered: no numbers that need them"


def _answers(contents: "Contents") -> Iterator[str]:
    for (model, mode), result in contents.results.items():
        for stage, name in ITEMS.items():
            n, without = result["n"][name], result["n_missing"][stage]
            if n and without and (stage != "s1" or mode == contents.mode):
                yield f"{model}, {mode}: {without} of {n} {stage.upper()} items have no answer: they count as 0"


def _variants(contents: "Contents") -> Iterator[str]:
    for (model, mode, setting, variant), run in contents.runs.scored.items():
        items = [item for item in run.scored.items if item.stage == "s1"]
        without = sum(item.answered == MISSING for item in items)
        if (mode, setting) == ("reset", "full") and variant != VARIANTS[0] and without:
            yield (
                f"{model}, {variant}: {without} of {len(items)} S1 items have no answer: "
                "they count as 0 in Figure 14"
            )


def _views(contents: "Contents") -> Iterator[str]:
    if contents.comparison is None:
        alone = "one model, so that there is nothing to compare it with"
        yield f"Table 14: {alone if len(contents.profiles) == 1 else 'the models share no stage'}"
    if not contents.localized:
        yield "Tables 12 and 18, Figures 10 to 13: no model has S3"
    have = {row["setting"] for row in contents.ablation}
    absent = [setting for setting in SETTINGS[1:] if setting not in have]
    if absent:
        yield (
            f"Tables 15 to 17, Figures 3 and 4: no {contents.mode} answers for {', '.join(absent)} "
            "beside those with every modality"
        )
    if not contents.variants:
        variants = ", ".join(VARIANTS[1:])
        yield f"Figure 14: no model has S1 with a second name variant ({variants})"
    if contents.localized and not contents.durations:
        yield "Figure 10: the lengths of the videos are not known"


def _dataset(contents: "Contents") -> Iterator[str]:
    public: Any = contents.public
    if not public.rows["s1"]:
        yield "Figures 5 to 7, the item browser and the structure-only baselines: no dataset was given"
    elif not any(record.get("s1_option_concept_ids") for record in public.records):
        yield "Figure 7: the records do not say which concepts their options are"
    for model, run in contents.runs.of(contents.mode).items():
        if public.rows["s1"] and not holds_answers(run):
            yield f"{model}: scored records hold no answers: not in the item browser"
    if public.n_hidden:
        yield f"{public.n_hidden} items of the hidden test are not scored and not shown"
    yield "human rows: none; answers of people in a prediction file of their own stand in every table like a model's"
