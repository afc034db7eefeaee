"""``cmb run --dry-run``: exactly what a model would get, item by item, and what it would take. Nothing is asked."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from cmb_harness.models.interface import Blob, File, Model, OpenItem, Part, Question, Text
from cmb_harness.predictions import Key
from cmb_harness.questions import Ask, Plan, Questions, stages_asked

CHARACTERS_A_TOKEN = 4
TOKENS_AN_ANSWER = 8


@dataclass
class Estimate:
    """What a run would take.

    Attributes:
        items: questions that would be asked.
        done: questions that are answered already.
        open: questions that could not be put, by stage and reason.
        pictures: frames in all requests.
        files: video and sound files in all requests, and their bytes.
        characters: of all texts.
    """

    items: int = 0
    done: int = 0
    open: Counter[str] = field(default_factory=Counter)
    pictures: int = 0
    files: int = 0
    file_bytes: int = 0
    characters: int = 0

    def add(self, parts: Sequence[Part]) -> None:
        """Count the parts of one request."""
        self.items += 1
        for part in parts:
            if isinstance(part, Text):
                self.characters += len(part.text)
            elif isinstance(part, Blob) and part.mime.startswith("image/"):
                self.pictures += 1
            else:
                self.files += 1
                self.file_bytes += len(part.data) if isinstance(part, Blob) else part.path.stat().st_size

    def lines(self, setup: Any = None) -> Iterator[str]:
        """The estimate in words; ``setup`` is a served model's, for its tokens and prices."""
        yield f"{self.items} items to ask, {self.done} answered before, {self.open.total()} open"
        for reason, count in sorted(self.open.items()):
            yield f"  open: {count} items: {reason}"
        megabytes = f"{self.file_bytes / 1e6:.1f} MB"
        yield f"{self.pictures} frames, {self.files} files ({megabytes}), {self.characters} characters"
        if setup is None:
            return
        tokens = self.characters // CHARACTERS_A_TOKEN + self.pictures * setup.tokens_per_frame
        answer = setup.max_tokens or TOKENS_AN_ANSWER
        yield (
            f"about {tokens} input tokens ({CHARACTERS_A_TOKEN} characters, or {setup.tokens_per_frame} a frame; "
            f"video files not counted), at most {answer} output tokens an item"
        )
        if setup.input_price is None or setup.output_price is None:
            yield "cost: not known; --set input_price=… --set output_price=… (dollars a million tokens)"
            return
        cost = (tokens * setup.input_price + self.items * answer * setup.output_price) / 1e6
        yield f"cost: about ${cost:.2f}"


def show(
    rows: Mapping[str, Sequence[Mapping[str, Any]]],
    model: Model,
    plan: Plan,
    answers: Mapping[Key, dict[str, Any]],
    out: IO[str] = sys.stdout,
) -> Estimate:
    """Write what each question of a plan would send, and return the sum of it.

    Args:
        rows: stage → the rows of the built dataset.
        model: it makes the parts, and is asked nothing.
        plan: what would be asked.
        answers: what was answered before; where an earlier stage was not, option A stands for its answer, and the
            item says so.
        out: where it is written.
    """
    estimate, supposed = Estimate(), _Supposed(answers)
    questions = Questions(rows, plan, supposed)
    for stage in stages_asked(plan):
        for ask in questions.asks(stage):
            supposed.used = False
            try:
                question = questions.question(ask, with_media=stage in model.needs_media)
                parts = model.shown(question)
            except OpenItem as error:
                estimate.open[f"{stage}: {': '.join(str(error).split(': ')[:2])}"] += 1
                continue
            known = answers.get(questions.key(ask))
            if known and known.get("fingerprint") == questions.fingerprint(ask, question, model):
                estimate.done += 1
                continue
            estimate.add(parts)
            out.writelines(f"{line}\n" for line in _item_lines(ask, question, parts, supposed.used))
    return estimate


class _Supposed(dict[Key, dict[str, Any]]):
    """Answers, with option A in place of each that is not there."""

    def __init__(self, answers: Mapping[Key, dict[str, Any]]):
        super().__init__(answers)
        self.used = False

    def get(self, key: Key, default: Any = None) -> Any:
        if key in self:
            return self[key]
        self.used = True
        item_id, mode, setting, variant, truth = key
        fields = {"item_id": item_id, "mode": mode, "setting": setting, "variant": variant, "truth": truth}
        return {**fields, "stage": "s2", "options": 4, "text": "A"}


def _item_lines(ask: Ask, question: Question, parts: Sequence[Part], supposed: bool) -> Iterator[str]:
    truth = (
        "" if ask.truth is None else f", supposing that the truth of the stage before is {'ABCD'[ask.truth]}"
    )
    yield f"=== {question.item_id} ({question.stage}, {question.mode}{truth})"
    if supposed:
        yield "--- its earlier stage is not answered yet: A stands for that answer"
    for part in parts:
        yield from _part_lines(part)
    yield ""


def _part_lines(part: Part) -> list[str]:
    if isinstance(part, Text):
        return part.text.split("\n")
    if isinstance(part, File):
        return [f"[{part.mime}, {part.path.stat().st_size} bytes]"]
    time = "" if part.time_s is None else f" at {part.time_s:.2f} s"
    return [f"[{part.mime}{time}, {len(part.data)} bytes]"]
