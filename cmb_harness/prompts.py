"""The texts that a model gets: templates read from ``cmb_harness/prompts/`` or a folder of one's own, and filled.

No prompt names a video, a title, a file or a second of video A (paper, 3.2: S2 moments are unlabelled). What is
carried from an earlier stage is decided in `cmb_harness.modes`; its sentences are templates too.
"""

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

from cmb_harness.faults import InputError

LETTERS = "ABCD"
STAGES = ("s1", "s2", "s3")

# Template file → the places that it must fill, and may leave out.
PLACES: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "s1": (frozenset({"description", "options"}), frozenset()),
    "s2": (frozenset({"description", "context"}), frozenset()),
    "s3": (frozenset({"concept_name", "cue", "context"}), frozenset({"length"})),
    "naming": (frozenset({"answer", "truth"}), frozenset()),
    "naming_described": (frozenset({"naming", "description"}), frozenset()),
    "recognition": (frozenset({"description", "answer", "truth"}), frozenset()),
    "truth": (frozenset({"truth"}), frozenset()),
    "moment": (frozenset({"letter"}), frozenset()),
    "video": (frozenset(), frozenset()),
    "frame": (frozenset({"time_s"}), frozenset()),
    "no_sound": (frozenset(), frozenset()),
    "subtitles": (frozenset({"lines"}), frozenset()),
}

# The templates that an adapter fills, since it alone knows what stands beside them.
LABELS = ("moment", "video", "frame", "no_sound", "subtitles")


@dataclass(frozen=True)
class Prompts:
    """One set of templates.

    Attributes:
        name: ``base`` for ours, else the name of the folder that they came from.
        texts: template name (`PLACES`) → text with ``$place`` marks, without the line end of its file.
    """

    name: str
    texts: Mapping[str, str]

    @cached_property
    def version(self) -> str:
        """``name-`` and eight hex digits of the SHA-256 of all templates: it changes when any of them does."""
        joined = "\0".join(f"{name}\0{self.texts[name]}" for name in sorted(PLACES))
        return f"{self.name}-{hashlib.sha256(joined.encode()).hexdigest()[:8]}"

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """The templates of `LABELS`: what stands before a moment, a video, a frame."""
        return {name: self.texts[name] for name in LABELS}

    def s1(self, description: str, options: Sequence[str]) -> str:
        """Stage 1: four names, lettered A-D in the order given."""
        lettered = "\n".join(f"{letter}. {option}" for letter, option in zip(LETTERS, options, strict=True))
        return self.fill("s1", description=description, options=lettered)

    def s2(self, description: str, context: str = "") -> str:
        """Stage 2: four moments, shown beside the text as clips A-D."""
        return self.fill("s2", description=description, context=_paragraph(context))

    def s3(self, concept_name: str, cue: str, duration_s: float | None, context: str = "") -> str:
        """Stage 3: a span of one video. ``duration_s`` is that of video B, None where it is unknown."""
        length = "" if duration_s is None else f" It lasts {duration_s:g} seconds."
        return self.fill("s3", concept_name=concept_name, cue=cue, length=length, context=_paragraph(context))

    def fill(self, template: str, **values: str) -> str:
        """One template with its places filled; a ``$`` in a value stays one."""
        return Template(self.texts[template]).substitute(values)


@cache
def base() -> Prompts:
    """The templates that are shipped."""
    folder = resources.files("cmb_harness").joinpath("prompts")
    return Prompts(
        "base", {name: _text(folder.joinpath(f"{name}.txt").read_text("utf-8")) for name in PLACES}
    )


def read_prompts(folder: str | os.PathLike[str] | None) -> Prompts:
    """The templates of a folder; those that it lacks are ours. None: all are ours.

    Raises:
        InputError: the folder holds no template, a file of another name, or one with a wrong ``$place``.
    """
    if folder is None:
        return base()
    files = sorted(Path(folder).glob("*.txt"))
    if not files:
        raise InputError(f"{folder}: holds no prompt template: expected any of {', '.join(PLACES)} (.txt)")
    texts, faults = dict(base().texts), []
    for file in files:
        try:
            texts[file.stem] = _text(file.read_bytes().decode("utf-8-sig"))
            faults += [f"{file}: {fault}" for fault in template_faults(file.stem, texts[file.stem])]
        except UnicodeDecodeError as error:
            faults.append(f"{file}: byte {error.start}: not UTF-8")
    if faults:
        raise InputError(faults)
    return Prompts(Path(folder).resolve().name, texts)


def template_faults(name: str, text: str) -> list[str]:
    """What is wrong with a template: its name, a mark that is no place, a place that is missing."""
    if name not in PLACES:
        return [f"no template has this name: expected one of {', '.join(PLACES)}"]
    needed, optional = PLACES[name]
    template = Template(text)
    if not template.is_valid():
        return ["a $ begins no place: write $$ for the sign itself"]
    found = set(template.get_identifiers())
    return [f"${place}: this place is missing" for place in sorted(needed - found)] + [
        f"${place}: not a place of this template" for place in sorted(found - needed - optional)
    ]


def _text(content: str) -> str:
    # The line end that closes the file is an editor's, not the prompt's.
    return content.replace("\r\n", "\n").removesuffix("\n")


def _paragraph(text: Any) -> str:
    return f"{text}\n\n" if text else ""
