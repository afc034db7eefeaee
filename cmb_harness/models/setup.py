"""How a served model is reached and asked, as data: presets in ``presets.json``, changed by ``--set``."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from importlib import resources
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.models.parts import MEDIA, PROBES, Look
from cmb_harness.models.pictures import ENCODERS, Sampling

ADAPTERS = ("openai", "gemini", "command")

# What says how a model is reached, not what it answers: it is no part of `Setup.settings`.
OF_THE_WAY = frozenset(
    {"base_url", "key_variable", "timeout_s", "parallel", "tokens_per_frame", "input_price", "output_price"}
)


@dataclass(frozen=True)
class Setup:
    """One configuration of one served model.

    Attributes:
        adapter: ``openai`` (any server of that interface), ``gemini`` or ``command``.
        model: the model as its server calls it; for ``command`` the command line.
        base_url: the server; None for the vendor's own.
        key_variable: the environment variable that holds the key; None where the server wants none.
        media: ``frames`` or ``video``.
        fps: frames a second, for frames and for servers that sample themselves.
        count: so many uniform frames instead; None for ``fps``.
        max_frames: a video that has more at ``fps`` gives so many uniform ones; None for no limit.
        size: pixels that pictures are squashed to.
        image: ``jpeg`` or ``png``.
        subtitles: whether the subtitles of S3's video are told as text, with their times.
        probe: one of `parts.PROBES`, or None.
        system: a text that stands before all others as the system's.
        temperature: None for the server's default.
        max_tokens: of the answer, reasoning included; None for the server's default.
        effort: reasoning effort, as the vendor calls it (OpenAI: ``low``; Gemini: its thinking level).
        thinking_tokens: Gemini's thinking budget.
        extra: more fields of the request's body, as the server documents them.
        timeout_s: seconds without an answer after which it is asked again.
        parallel: questions at once.
        tokens_per_frame: for estimates.
        input_price: US dollars a million input tokens, for estimates; None where it is not known.
        output_price: the same of output tokens.
    """

    adapter: str = "openai"
    model: str = ""
    base_url: str | None = None
    key_variable: str | None = None
    media: str = "frames"
    fps: float = 1.0
    count: int | None = None
    max_frames: int | None = None
    size: int = 224
    image: str = "jpeg"
    subtitles: bool = True
    probe: str | None = None
    system: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    effort: str | None = None
    thinking_tokens: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    timeout_s: float = 600.0
    parallel: int = 8
    tokens_per_frame: int = 256
    input_price: float | None = None
    output_price: float | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """All that changes what the model answers."""
        return {name: value for name, value in asdict(self).items() if name not in OF_THE_WAY}

    @property
    def look(self) -> Look:
        """How media reach it."""
        sampling = Sampling(self.fps, self.count, self.size, self.image, self.max_frames)
        return Look(self.media, sampling, self.probe, self.subtitles)


# Field → what `changed` accepts for it.
_NUMBERS = {"fps", "temperature", "timeout_s", "input_price", "output_price"}
_INTEGERS = {"count", "max_frames", "size", "max_tokens", "thinking_tokens", "parallel", "tokens_per_frame"}
_CHOICES: Mapping[str, Sequence[str]] = {
    "adapter": ADAPTERS,
    "media": MEDIA,
    "image": tuple(ENCODERS),
    "probe": PROBES,
}
_NEVER_NONE = {
    "adapter",
    "model",
    "media",
    "fps",
    "size",
    "image",
    "extra",
    "timeout_s",
    "parallel",
    "subtitles",
}


@cache
def presets() -> dict[str, Setup]:
    """Preset name → setup: the paper's configurations (4.1, appendix B and figure 14)."""
    text = resources.files("cmb_harness").joinpath("models", "presets.json").read_text("utf-8")
    return {name: changed(Setup(), values, name) for name, values in json.loads(text).items()}


def changed(setup: Setup, values: Mapping[str, Any], where: str) -> Setup:
    """A setup with some fields changed.

    Raises:
        InputError: a field that there is none of, or a value that does not fit; all of them.
    """
    faults = [f"{where}: {fault}" for name, value in values.items() if (fault := _fault(name, value))]
    if faults:
        raise InputError(faults)
    return replace(setup, **values)


def read_changes(texts: Sequence[str]) -> dict[str, Any]:
    """``["fps=2", "effort=low"]`` → fields: values are JSON where they read as JSON, else text.

    Raises:
        InputError: one is no NAME=VALUE.
    """
    values: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--set {text}: expected NAME=VALUE")
        try:
            values[name] = json.loads(value)
        except json.JSONDecodeError:
            values[name] = value
    return values


def _fault(name: str, value: Any) -> str | None:
    if name not in {field.name for field in fields(Setup)}:
        return (
            f"{name}: there is no such setting; there are {', '.join(field.name for field in fields(Setup))}"
        )
    if value is None:
        return f"{name}: must have a value" if name in _NEVER_NONE else None
    if name in _CHOICES and value not in _CHOICES[name]:
        return f"{name}: {value!r}: expected one of {', '.join(_CHOICES[name])}"
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if name in _NUMBERS and not (number and (value > 0 or name not in ("fps", "timeout_s"))):
        return f"{name}: {value!r}: expected a positive number"
    if name in _INTEGERS and not (number and isinstance(value, int) and value > 0):
        return f"{name}: {value!r}: expected a positive integer"
    if name == "extra" and not isinstance(value, dict):
        return f"{name}: {value!r}: expected a JSON object"
    if name == "subtitles":
        return None if isinstance(value, bool) else f"{name}: {value!r}: expected true or false"
    if name not in _NUMBERS | _INTEGERS | {"extra"} and not isinstance(value, str):
        return f"{name}: {value!r}: expected a text"
    return None
