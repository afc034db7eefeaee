"""Items × model × mode → predictions: asks what is still open, keeps every answer, and can be stopped at any time.

One folder a model: ``raw.jsonl`` (every text, appended before it is parsed), ``predictions.jsonl`` (derived from it)
and ``manifest.json``. An answer is reused only where the whole question, the model and its settings are the same.
"""

import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cmb_harness import workers
from cmb_harness.faults import InputError
from cmb_harness.files import write_json_lines
from cmb_harness.manifest import Session, read_manifest, total_usage
from cmb_harness.models.interface import Answer, Model, OpenItem, Question, TransportError
from cmb_harness.models.retry import Asker, Retries
from cmb_harness.predictions import Key
from cmb_harness.questions import Ask, Plan, Questions, configuration, digest, stages_asked
from cmb_harness.raw import RAW_NAME, RawLog, key_fields, parse_raw, predictions_of, read_answers

Row = Mapping[str, Any]

# So many items in a row without any answer, all attempts used up, and the server is taken to be down.
DEAD_AFTER = 10


@dataclass
class Outcome:
    """What one call of `run` did.

    Attributes:
        reused: items answered before.
        answered: items answered now.
        open: items that are open, counted by stage and kind of reason.
        open_items: each of them: its key, stage and whole reason.
        retried: requests that were made again.
    """

    reused: int = 0
    answered: int = 0
    open: Counter[str] = field(default_factory=Counter)
    open_items: list[dict[str, Any]] = field(default_factory=list)
    retried: int = 0


@dataclass(frozen=True)
class Event:
    """Something to show while a run goes on.

    Attributes:
        stage: the stage.
        kind: ``begin`` (of the stage, with ``total`` items), ``reused``, ``answered`` or ``open``.
        total: how many items the stage has; of ``begin`` alone.
        score: 1 or 0 for a choice, the IoU of a span; None where the label is not public.
        retried: requests made again so far.
    """

    stage: str
    kind: str
    total: int = 0
    score: float | None = None
    retried: int = 0


def run(
    rows: Mapping[str, Sequence[Row]],
    model: Model,
    plan: Plan,
    out: str | os.PathLike[str],
    *,
    dataset: Mapping[str, Any] | None = None,
    parallel: int | None = None,
    retries: Retries | None = None,
    watch: Callable[[Event], None] = lambda event: None,
) -> Outcome:
    """Ask ``model`` every open item of ``rows`` and write the run folder ``out``.

    Args:
        rows: stage → the rows of the built dataset, of all splits.
        model: what is asked.
        plan: what of the rows is asked, and how.
        out: the run folder.
        dataset: what the manifest says of it (folder, version, sha256).
        parallel: questions at once; by default what the model says.
        retries: how often a question without an answer is asked again.
        watch: told what happens, one call at a time.

    Returns:
        What was done. Items stay open when their media are missing, their earlier stage is open, or no answer came.

    Raises:
        InputError: ``out`` holds the answers of another model, another process writes to it, or the model says that
            every question would fail. What was answered is kept.
    """
    folder = Path(out)
    _check_media(model, plan)
    with RawLog(folder / RAW_NAME) as log:
        _check_model(folder, model)
        runner = _Runner(rows, model, plan, log, retries or Retries(), watch)
        facts = {**configuration(model, plan), "plan": _plan_facts(plan), "dataset": dict(dataset or {})}
        session = Session(folder, facts)
        session.write(runner.done(), total_usage(runner.current.values()))
        try:
            for stage in stages_asked(plan):
                runner.ask_stage(stage, parallel or model.parallel)
        finally:
            answers = list(runner.current.values())
            write_json_lines(folder / "predictions.jsonl", predictions_of(answers))
            session.write(runner.done(), total_usage(answers))
    return runner.outcome


class _Runner:
    """The state that the workers of one run share; what changes is guarded by one lock."""

    def __init__(
        self,
        rows: Mapping[str, Sequence[Row]],
        model: Model,
        plan: Plan,
        log: RawLog,
        retries: Retries,
        watch: Callable[[Event], None],
    ):
        self.outcome = Outcome()
        self._model, self._plan, self._log, self._watch = model, plan, log, watch
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._asker = Asker(model, retries, generator=random.Random(0), pause=self._stop.wait)
        answers = read_answers(log.path)
        self._config = digest(configuration(model, plan))
        if answers.config != self._config:
            log.append({"config": self._config, **configuration(model, plan)})
            answers.current = {}
        self.current: dict[Key, dict[str, Any]] = answers.current
        self._known = answers.known
        self._questions = Questions(rows, plan, self.current)
        self._unanswered_in_a_row = 0

    def done(self) -> dict[str, Any]:
        """What the manifest says of this session."""
        outcome = self.outcome
        return {
            "reused": outcome.reused,
            "answered": outcome.answered,
            "retried": self._asker.retried,
            "open": dict(outcome.open),
            "open_items": list(outcome.open_items),
        }

    def ask_stage(self, stage: str, parallel: int) -> None:
        """Ask all of one stage; the next one can then carry its answers."""
        asks = self._questions.asks(stage)
        self._watch(Event(stage, "begin", total=len(asks)))
        workers.do_all(asks, self._ask, workers=parallel, stop=self._stop)
        self.outcome.retried = self._asker.retried

    def _ask(self, ask: Ask) -> None:
        key = self._questions.key(ask)
        try:
            question = self._questions.question(ask, with_media=self._looks_at(ask))
            mark = self._questions.fingerprint(ask, question, self._model)
            if self._reuse(key, mark, ask):
                return
            self._check_alive()
            began = time.monotonic()
            answer = self._asker.ask(question)
        except (OpenItem, TransportError) as error:
            self._leave_open(key, ask, error)
            return
        self._keep(key, ask, self._raw_row(key, question, answer, mark, time.monotonic() - began))

    def _looks_at(self, ask: Ask) -> bool:
        if ask.stage in self._model.needs_media:
            return True
        # Whoever answers with seconds needs the length of the video, from its record or from its file.
        return ask.stage == "s3" and ask.row.get("duration_s") is None and self._plan.cache is not None

    def _reuse(self, key: Key, mark: str, ask: Ask) -> bool:
        """Whether the answer is there; an answer to an older form of the question is taken back."""
        with self._lock:
            current = self.current.get(key)
            if current is None or current.get("fingerprint") != mark:
                known = self._known.get((key, mark))
                if known is None:
                    if current is not None:
                        self._log.withdraw(key, ask.stage)
                        del self.current[key]
                    return False
                self._log.append(known)
                self.current[key] = known
            self.outcome.reused += 1
            self._tell("reused", ask, self.current[key])
            return True

    def _keep(self, key: Key, ask: Ask, row: dict[str, Any]) -> None:
        with self._lock:
            self._log.append(row)
            self.current[key] = row
            self.outcome.answered += 1
            self._unanswered_in_a_row = 0
            self._tell("answered", ask, row)

    def _leave_open(self, key: Key, ask: Ask, error: OpenItem | TransportError) -> None:
        reason = str(error)
        with self._lock:
            if isinstance(error, TransportError):
                self._unanswered_in_a_row += 1
                reason = f"no answer came: {reason}"
            kind = ": ".join(reason.split(": ")[:2])
            self.outcome.open[f"{ask.stage}: {kind}"] += 1
            self.outcome.open_items.append({**key_fields(key), "stage": ask.stage, "reason": reason})
            self._tell("open", ask, None)

    def _check_alive(self) -> None:
        if self._unanswered_in_a_row >= DEAD_AFTER:
            raise OpenItem(f"not asked, since {DEAD_AFTER} items in a row got no answer")

    def _tell(self, kind: str, ask: Ask, row: Row | None) -> None:
        # A row of a conditional file supposes a truth: only one in four supposes the right one.
        score = None if row is None or ask.truth is not None else score_of(parse_raw(row), ask.row)
        self._watch(Event(ask.stage, kind, score=score, retried=self._asker.retried))

    def _raw_row(
        self, key: Key, question: Question, answer: Answer, mark: str, elapsed_s: float
    ) -> dict[str, Any]:
        row = {
            **key_fields(key),
            "stage": question.stage,
            "options": list(question.options) or (4 if question.stage == "s2" else None),
            "duration_s": question.duration_s,
            # JSON can smuggle in half a character, which no file can hold.
            "text": answer.text.encode("utf-8", "replace").decode("utf-8"),
            "model": self._model.name,
            "fingerprint": mark,
            "usage": dict(answer.usage),
            "elapsed_s": round(elapsed_s, 3),
        }
        if answer.refused:
            row["refused"] = True
        return {**row, "details": dict(answer.details)} if answer.details else row


def score_of(prediction: Row, row: Row) -> float | None:
    """1 or 0 for a choice, the IoU for a span; None where the row holds no label (it is hidden)."""
    if "choice" in prediction:
        return None if row.get("answer") is None else float(prediction["choice"] == row["answer"])
    if not row.get("span"):
        return None
    if prediction["span"] is None:
        return 0.0
    from cmb_metric import span_iou

    return float(span_iou([prediction["span"]], [row["span"]])[0])


def _check_media(model: Model, plan: Plan) -> None:
    needed = model.needs_media & set(stages_asked(plan))
    if needed and plan.cache is None:
        raise InputError(
            f"--cache: {model.name} opens the media of {', '.join(sorted(needed))}: say where they are"
        )
    if plan.cache is not None and not plan.cache.is_dir():
        raise InputError(f"--cache {plan.cache}: there is no such folder")


def _check_model(folder: Path, model: Model) -> None:
    other = read_manifest(folder).get("model", model.name)
    if other != model.name:
        raise InputError(f"{folder}: holds the answers of {other}: one folder a model, give another --out")


def _plan_facts(plan: Plan) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in vars(plan).items()
        if name not in ("cache", "prompts")
    }
