"""Items × model × mode → predictions: asks what is still open, keeps every answer, and can be stopped at any time.

One folder a model: ``raw.jsonl`` (every text, appended before it is parsed), ``predictions.jsonl`` (derived from it)
and ``manifest.json``. An answer is reused only where the whole question, the model and its settings are the same.
"""

import hashlib
import json
import os
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from cmb_harness import modes, prompts
from cmb_harness.faults import InputError
from cmb_harness.files import read_json, write_json, write_json_lines
from cmb_harness.models.interface import Model, Question, TransportError
from cmb_harness.predictions import Key
from cmb_harness.raw import RAW_NAME, RawLog, parse_raw, predictions_of, read_raw

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """What one call of `run` asks.

    Attributes:
        mode: ``reset``, ``carry`` or ``feedback``. S1 is asked once, as ``reset``, whatever the mode.
        stages: the stages to ask; ``carry`` and ``feedback`` ask the earlier ones too where they are not there.
        setting: ``full``, ``no-audio``, ``no-subtitles`` or ``visual-only``; it touches S3 alone.
        variant: the name variant of S1's options and of S3's concept name.
        context: ``previous`` or ``all`` earlier stages.
        cache: the folder of videos and clips; None where the model opens no files.
    """

    mode: str = "reset"
    stages: tuple[str, ...] = prompts.STAGES
    setting: str = "full"
    variant: str = "common_latin"
    context: str = "previous"
    cache: Path | None = None


@dataclass
class Outcome:
    """What one call of `run` did: counts of items answered before, answered now, and open, by reason."""

    reused: int = 0
    answered: int = 0
    open: Counter[str] = field(default_factory=Counter)


class OpenItem(Exception):
    """The item cannot be asked now; the reason is told and counted."""


def run(
    rows: Mapping[str, Sequence[Row]],
    model: Model,
    plan: Plan,
    out: str | os.PathLike[str],
    *,
    dataset: Mapping[str, Any] | None = None,
    progress: Callable[[Iterable[Row], str], Iterable[Row]] = lambda rows, stage: rows,
) -> Outcome:
    """Ask ``model`` every open item of ``rows`` and write the run folder ``out``.

    Args:
        rows: stage → the rows of the built dataset, of all splits.
        dataset: what the manifest says of it (folder, version, sha256).
        progress: wraps the rows of a stage, for a progress bar.

    Returns:
        What was done. Items stay open when their media are missing, their earlier stage is open, or no answer came.

    Raises:
        InputError: ``out`` holds the answers of another model.
    """
    folder = Path(out)
    _check_model(folder, model)
    answers = read_raw(folder / RAW_NAME)
    by_id = {row["item_id"]: row for stage in rows for row in rows[stage]}
    outcome = Outcome()
    started = time.time()
    write_json(folder / "manifest.json", _manifest(model, plan, dataset, outcome, started))
    try:
        with RawLog(folder / RAW_NAME) as log:
            for stage in stages_asked(plan):
                for row in progress(rows.get(stage, []), stage):
                    _ask(row, stage, model, plan, by_id, answers, log, outcome)
    finally:
        write_json_lines(folder / "predictions.jsonl", predictions_of(answers.values()))
        write_json(folder / "manifest.json", _manifest(model, plan, dataset, outcome, started))
    return outcome


def stages_asked(plan: Plan) -> Iterator[str]:
    """The stages that a plan goes through, in order: those before a carried one come with it."""
    last = max(map(prompts.STAGES.index, plan.stages))
    for stage in prompts.STAGES[: last + 1]:
        if stage in plan.stages or plan.mode != "reset":
            yield stage


def question_of(
    row: Row, stage: str, plan: Plan, by_id: Mapping[str, Row], answers: Mapping[Key, Row]
) -> Question:
    """The question that ``row`` asks under ``plan``; pure but for looking whether its media are there.

    Raises:
        OpenItem: its media are missing, its earlier stage is unanswered, or a truth is needed that is hidden.
    """
    mode = mode_of(stage, plan)
    common = {"item_id": row["item_id"], "stage": stage, "mode": mode}
    if stage == "s1":
        options = tuple(options_shown(row, plan.variant))
        return Question(
            **common,
            prompt=prompts.s1_prompt(row["description"], options),
            description=row["description"],
            options=options,
        )
    if stage == "s2":
        context = "" if mode == "reset" else modes.naming_context(_naming(row, plan, by_id, answers))
        return Question(
            **common,
            prompt=prompts.s2_prompt(row["description"], context),
            description=row["description"],
            clips=_clips(row, plan.cache),
        )
    name = row["concept_name"]
    if plan.variant != "common_latin":
        name = row.get(f"concept_name_{plan.variant}") or _stay_open(f"no {plan.variant} name")
    context = "" if mode == "reset" else _s3_context(row, plan, by_id, answers)
    return Question(
        **common,
        prompt=prompts.s3_prompt(name, row["cue"], row.get("duration_s"), context),
        concept_name=name,
        cue=row["cue"],
        video=_video(row, plan.cache),
        duration_s=row.get("duration_s"),
    )


def mode_of(stage: str, plan: Plan) -> str:
    """The mode that a row of ``stage`` is filed under: S1 has no earlier stage and is always ``reset``."""
    return "reset" if stage == "s1" else plan.mode


def key_of(row: Row, stage: str, plan: Plan) -> Key:
    """The key of the answer to ``row`` under ``plan``."""
    setting = plan.setting if stage == "s3" else "full"
    return row["item_id"], mode_of(stage, plan), setting, plan.variant, None


def options_shown(row: Row, variant: str) -> Sequence[str]:
    """The four names of an S1 row in one variant.

    Raises:
        OpenItem: not all four names are known in it.
    """
    name = "options" if variant == "common_latin" else f"options_{variant}"
    return row.get(name) or _stay_open(f"no {variant} names")


def fingerprint(question: Question, model: Model, plan: Plan) -> str:
    """Sixteen hex digits of the SHA-256 of all that could change the answer."""
    asked = {
        "prompt": question.prompt,
        "clips": [clip.name for clip in question.clips],
        "video": question.video.name if question.video else None,
        "setting": plan.setting if question.stage == "s3" else "full",
        "model": model.name,
        "settings": model.settings,
    }
    text = json.dumps(asked, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _ask(
    row: Row,
    stage: str,
    model: Model,
    plan: Plan,
    by_id: Mapping[str, Row],
    answers: dict[Key, dict[str, Any]],
    log: RawLog,
    outcome: Outcome,
) -> None:
    key = key_of(row, stage, plan)
    try:
        question = question_of(row, stage, _with_needed_media(plan, stage, model), by_id, answers)
    except OpenItem as error:
        outcome.open[f"{stage}: {error}"] += 1
        return
    mark = fingerprint(question, model, plan)
    if key in answers and answers[key].get("fingerprint") == mark:
        outcome.reused += 1
        return
    began = time.monotonic()
    try:
        answer = model.answer(question)
    except TransportError as error:
        outcome.open[f"{stage}: no answer came ({error})"] += 1
        return
    item_id, mode, setting, variant, _ = key
    answers[key] = {
        "item_id": item_id,
        "mode": mode,
        "setting": setting,
        "variant": variant,
        "stage": stage,
        "options": list(question.options) or (4 if stage == "s2" else None),
        "duration_s": question.duration_s,
        "text": answer.text,
        "model": model.name,
        "fingerprint": mark,
        "usage": dict(answer.usage),
        "elapsed_s": round(time.monotonic() - began, 3),
    }
    log.append(answers[key])
    outcome.answered += 1


def _with_needed_media(plan: Plan, stage: str, model: Model) -> Plan:
    if stage in model.needs_media:
        if plan.cache is None:
            raise InputError(f"--cache: {model.name} opens the media of {stage}: say where they are")
        return plan
    return Plan(**{**vars(plan), "cache": None})


def _naming(row: Row, plan: Plan, by_id: Mapping[str, Row], answers: Mapping[Key, Row]) -> modes.Naming:
    s1_row = by_id[row["s1_item_id"]]
    options = options_shown(s1_row, plan.variant)
    chosen = _answer_to(s1_row, "s1", plan, answers)
    truth = options[_truth(s1_row)] if plan.mode == "feedback" else None
    return modes.Naming(s1_row["description"], None if chosen is None else options[chosen], truth)


def _s3_context(row: Row, plan: Plan, by_id: Mapping[str, Row], answers: Mapping[Key, Row]) -> str:
    s2_row = by_id[row["s2_item_id"]]
    truth = _truth(s2_row) if plan.mode == "feedback" else None
    recognition = modes.Recognition(s2_row["description"], _answer_to(s2_row, "s2", plan, answers), truth)
    naming = _naming(s2_row, plan, by_id, answers) if plan.context == "all" else None
    return modes.s3_context(recognition, naming)


def _answer_to(row: Row, stage: str, plan: Plan, answers: Mapping[Key, Row]) -> int | None:
    raw = answers.get(key_of(row, stage, plan))
    if raw is None:
        return _stay_open(f"its {stage} item is open")
    choice: int | None = parse_raw(raw)["choice"]
    return choice


def _truth(row: Row) -> int:
    if row.get("answer") is None:
        return _stay_open("feedback needs the key of its earlier stage, which is hidden")
    return int(row["answer"])


def _clips(row: Row, cache: Path | None) -> tuple[Path, ...]:
    if cache is None:
        return ()
    from cmb_harness.media.cache import clip_path

    paths = tuple(
        clip_path(cache, option["video_id"], option["start_s"], option["end_s"]) for option in row["options"]
    )
    return paths if all(path.exists() for path in paths) else _stay_open("a clip is missing")


def _video(row: Row, cache: Path | None) -> Path | None:
    if cache is None:
        return None
    from cmb_harness.media.cache import find_video

    return find_video(cache, row["video_id"]) or _stay_open("the video is missing")


def _stay_open(reason: str) -> Any:
    raise OpenItem(reason)


def _check_model(folder: Path, model: Model) -> None:
    manifest = folder / "manifest.json"
    if manifest.exists():
        other = read_json(manifest).get("model")
        if other != model.name:
            raise InputError(
                f"{folder}: holds the answers of {other}: one folder a model, give another --out"
            )


def _manifest(
    model: Model, plan: Plan, dataset: Mapping[str, Any] | None, outcome: Outcome, started: float
) -> dict[str, Any]:
    return {
        "model": model.name,
        "settings": dict(model.settings),
        "plan": {name: value for name, value in vars(plan).items() if name != "cache"},
        "dataset": dict(dataset or {}),
        "prompts": prompts.prompts_version(),
        "versions": {
            "cmb-benchmark": metadata.version("cmb-benchmark"),
            "python": platform.python_version(),
        },
        "command": sys.argv[1:],
        "started_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(started)),
        "elapsed_s": round(time.time() - started, 1),
        "reused": outcome.reused,
        "answered": outcome.answered,
        "open": dict(outcome.open),
    }
