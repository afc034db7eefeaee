"""What a run asks: dataset rows × plan → questions, each with what the plan lets it see of earlier stages.

Pure but for looking whether media are there. What cannot be asked now stays open, with a reason.
"""

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cmb_harness import modes
from cmb_harness.models.interface import Model, OpenItem, Question
from cmb_harness.predictions import Key
from cmb_harness.prompts import STAGES, Prompts, base
from cmb_harness.raw import parse_raw
from cmb_harness.shared_task.conditional import truth_of_naming

Row = Mapping[str, Any]
Answered = Mapping[Key, Row]


@dataclass(frozen=True)
class Plan:
    """What one call of `cmb_harness.run.run` asks.

    Attributes:
        mode: ``reset``, ``carry`` or ``feedback``. S1 is asked once, as ``reset``, whatever the mode.
        stages: the stages to ask; ``carry`` and ``feedback`` ask the earlier ones too where they are not there.
        setting: ``full``, ``no-audio``, ``no-subtitles`` or ``visual-only``; it touches S3 alone.
        variant: the name variant of S1's options and of S3's concept name.
        context: ``previous`` or ``all`` earlier stages.
        all_truths: in ``feedback``, ask S2 and S3 once for each possible truth of the stage before, none of them
            read from the dataset (a conditional file).
        cache: the folder of videos and clips; None where the model opens no files.
        prompts: the templates.
    """

    mode: str = "reset"
    stages: tuple[str, ...] = STAGES
    setting: str = "full"
    variant: str = "common_latin"
    context: str = "previous"
    all_truths: bool = False
    cache: Path | None = None
    prompts: Prompts = field(default_factory=base)


@dataclass(frozen=True)
class Ask:
    """One question to be put: a row of the dataset, its stage, and the truth that a conditional file supposes."""

    row: Row
    stage: str
    truth: int | None = None


class Questions:
    """The questions of a plan.

    Args:
        rows: stage → the rows of the built dataset, of all splits.
        plan: what is asked.
        answers: key → raw row of what was answered before; it may grow while questions are made.
    """

    def __init__(self, rows: Mapping[str, Sequence[Row]], plan: Plan, answers: Answered):
        self.plan = plan
        self._rows = rows
        self._answers = answers
        self._making = threading.Lock()
        self._by_id = {row["item_id"]: row for stage in rows for row in rows[stage]}

    def asks(self, stage: str) -> list[Ask]:
        """What the plan asks of a stage, in the order of the dataset."""
        truths = range(4) if self.plan.all_truths and stage != "s1" else (None,)
        return [Ask(row, stage, truth) for row in self._rows.get(stage, ()) for truth in truths]

    def key(self, ask: Ask) -> Key:
        """The key that the answer to ``ask`` is filed under."""
        setting = self.plan.setting if ask.stage == "s3" else "full"
        return ask.row["item_id"], self._mode(ask.stage), setting, self.plan.variant, ask.truth

    def question(self, ask: Ask, *, with_media: bool) -> Question:
        """The whole question.

        Args:
            ask: the item.
            with_media: look for its files; without, `Question.clips` and `.video` stay empty.

        Raises:
            OpenItem: its media are missing, its earlier stage is unanswered, or a truth is needed that is hidden.
        """
        make = {
            "s1": self._naming_question,
            "s2": self._recognition_question,
            "s3": self._localization_question,
        }
        question = make[ask.stage](ask)
        if not with_media or ask.stage == "s1":
            return question
        if ask.stage == "s2":
            return replace(question, clips=clips_of(ask.row, self.plan.cache))
        # Workers may ask about one video at once, and only one may make its version of a setting.
        with self._making:
            return with_video(question, ask.row, self.plan.cache, self.plan.setting)

    def fingerprint(self, ask: Ask, question: Question, model: Model) -> str:
        """Sixteen hex digits of the SHA-256 of all that could change the answer: question, media, model, settings."""
        asked = {
            "prompt": question.prompt,
            "labels": dict(question.labels),
            "clips": [clip.name for clip in question.clips],
            # A derived file's own name changes with the cache that it lies in.
            "video": ask.row.get("video_id") if question.video else None,
            "subtitles": list(question.subtitles),
            "duration_s": question.duration_s,
            "setting": self.key(ask)[2],
            "model": model.name,
            "settings": dict(model.settings),
        }
        return digest(asked)

    def _mode(self, stage: str) -> str:
        # S1 has no earlier stage: its rows are those of reset in every mode.
        return "reset" if stage == "s1" else self.plan.mode

    def _naming_question(self, ask: Ask) -> Question:
        row = ask.row
        options = tuple(options_shown(row, self.plan.variant))
        return Question(
            item_id=row["item_id"],
            stage="s1",
            mode="reset",
            prompt=self.plan.prompts.s1(row["description"], options),
            description=row["description"],
            options=options,
        )

    def _recognition_question(self, ask: Ask) -> Question:
        context = ""
        if self.plan.mode != "reset":
            context = modes.naming_context(self.plan.prompts, self._named(ask.row, ask.truth))
        return Question(
            item_id=ask.row["item_id"],
            stage="s2",
            mode=self.plan.mode,
            prompt=self.plan.prompts.s2(ask.row["description"], context),
            description=ask.row["description"],
            labels=self.plan.prompts.labels,
        )

    def _localization_question(self, ask: Ask) -> Question:
        row, name = ask.row, name_shown(ask.row, self.plan.variant)
        context = "" if self.plan.mode == "reset" else self._earlier(ask)
        return Question(
            item_id=row["item_id"],
            stage="s3",
            mode=self.plan.mode,
            prompt=self.plan.prompts.s3(name, row["cue"], row.get("duration_s"), context),
            concept_name=name,
            cue=row["cue"],
            duration_s=row.get("duration_s"),
            labels=self.plan.prompts.labels,
        )

    def _earlier(self, ask: Ask) -> str:
        """What S3 is told. In a conditional file the truth of S1 is no secret: S3 states the concept's name."""
        s2_row = self._row(ask.row, "s2_item_id")
        named = self._named_truth(ask.row, s2_row) if self.plan.all_truths else None
        chosen = self._choice(Ask(s2_row, "s2", named))
        truth = None
        if self.plan.mode == "feedback":
            truth = key_option(s2_row) if ask.truth is None else ask.truth
        recognition = modes.Recognition(s2_row["description"], chosen, truth)
        naming = self._named(s2_row, named) if self.plan.context == "all" else None
        return modes.s3_context(self.plan.prompts, recognition, naming)

    def _named(self, s2_row: Row, supposed: int | None) -> modes.Naming:
        s1_row = self._row(s2_row, "s1_item_id")
        options = options_shown(s1_row, self.plan.variant)
        chosen = self._choice(Ask(s1_row, "s1"))
        truth = None
        if self.plan.mode == "feedback":
            truth = options[key_option(s1_row) if supposed is None else supposed]
        return modes.Naming(s1_row["description"], None if chosen is None else options[chosen], truth)

    def _named_truth(self, s3_row: Row, s2_row: Row) -> int:
        try:
            return truth_of_naming(self._row(s2_row, "s1_item_id")["options"], s3_row["concept_name"])
        except ValueError:
            return stay_open("its concept name is not exactly one of the s1 options")

    def _choice(self, ask: Ask) -> int | None:
        raw = self._answers.get(self.key(ask))
        if raw is None:
            return stay_open(f"its {ask.stage} item is open")
        choice: int | None = parse_raw(raw)["choice"]
        return choice

    def _row(self, row: Row, link: str) -> Row:
        item_id = row.get(link)
        return self._by_id.get(item_id) or stay_open(f"its {link} {item_id!r} is not among the items")


def stages_asked(plan: Plan) -> Iterator[str]:
    """The stages that a plan goes through, in order: those before a carried one come with it."""
    last = max(map(STAGES.index, plan.stages))
    for stage in STAGES[: last + 1]:
        if stage in plan.stages or plan.mode != "reset":
            yield stage


def options_shown(row: Row, variant: str) -> Sequence[str]:
    """The four names of an S1 row in one variant.

    Raises:
        OpenItem: not all four names are known in it.
    """
    name = "options" if variant == "common_latin" else f"options_{variant}"
    options = row.get(name)
    return options if options and all(options) else stay_open(f"no {variant} names")


def name_shown(row: Row, variant: str) -> str:
    """The concept name of an S3 row in one variant.

    Raises:
        OpenItem: it is not known.
    """
    name = "concept_name" if variant == "common_latin" else f"concept_name_{variant}"
    return row.get(name) or stay_open(f"no {variant} name")


def key_option(row: Row) -> int:
    """The index of the right option of an S1 or S2 row.

    Raises:
        OpenItem: it is hidden.
    """
    if row.get("answer") is None:
        return stay_open("feedback needs the key of its earlier stage, which is hidden (see --truth all)")
    return int(row["answer"])


def clips_of(row: Row, cache: Path | None) -> tuple[Path, ...]:
    """The four local clips of an S2 row, in the order of its options.

    Raises:
        OpenItem: one is missing.
    """
    from cmb_harness.media.cache import clip_path

    if cache is None:
        return stay_open("no cache of clips was named")
    moments = ((option["video_id"], option["start_s"], option["end_s"]) for option in row["options"])
    paths = tuple(clip_path(cache, *moment) for moment in moments)
    return paths if all(path.exists() for path in paths) else stay_open("a clip is missing (cmb fetch)")


def with_video(question: Question, row: Row, cache: Path | None, setting: str) -> Question:
    """An S3 question with its local video and subtitles, as the setting leaves them.

    Raises:
        OpenItem: the video is missing, or cannot be read.
    """
    from cmb_harness.media.settings import video_for
    from cmb_harness.media.subtitles import subtitles_of
    from cmb_harness.media.video import MediaError

    if cache is None:
        return stay_open("no cache of videos was named")
    try:
        version = video_for(cache, row["video_id"], setting)
        lines = subtitles_of(cache, row["video_id"], setting=setting)
    except MediaError as error:
        raise OpenItem(f"unreadable media: {error}") from None
    if version is None:
        return stay_open("the video is missing (cmb fetch)")
    subtitles = tuple((line.start_s, line.end_s, line.text) for line in lines)
    return replace(question, video=version.path, subtitles=subtitles)


def configuration(model: Model, plan: Plan) -> dict[str, Any]:
    """What all answers of a run folder have in common; answers of another configuration do not count beside them."""
    return {
        "model": model.name,
        "settings": dict(model.settings),
        "prompts": plan.prompts.version,
        "context": plan.context,
    }


def digest(value: Any) -> str:
    """Sixteen hex digits of the SHA-256 of ``value`` as JSON."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def stay_open(reason: str) -> Any:
    """Leave an item open.

    Raises:
        OpenItem: always.
    """
    raise OpenItem(reason)
