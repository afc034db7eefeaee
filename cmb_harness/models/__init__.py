"""Models behind one small interface, one adapter a family: baselines, served models, probes."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.models.baselines import RULES, Baseline
from cmb_harness.models.interface import Answer, Model, Question, TransportError

__all__ = ["Answer", "Model", "Question", "TransportError", "load_model", "model_names"]

BASELINES = (*RULES, "signal-reader")


def model_names() -> list[str]:
    """The names that `load_model` takes, beside ``openai:MODEL``, ``gemini:MODEL`` and ``command:PROGRAM``."""
    from cmb_harness.models.setup import presets

    return [*BASELINES, *presets()]


def load_model(
    name: str,
    *,
    seed: int = 0,
    cache: Path | None = None,
    probe: str | None = None,
    changes: Mapping[str, Any] | None = None,
) -> Model:
    """The model called ``name``.

    Args:
        name: a baseline, a preset, or ``openai:``, ``gemini:`` or ``command:`` and what the server or shell calls it.
        seed: the baselines' seed.
        cache: where frames and derived files are kept.
        probe: what is taken away from its media; it becomes part of the model's name.
        changes: fields of `cmb_harness.models.setup.Setup` that differ from the preset's.

    Raises:
        InputError: there is no such model, a change does not fit, or its client or key is missing.
    """
    if name in BASELINES:
        if changes:
            raise InputError(f"--set: {name} is a baseline and has no such settings")
        return _probed(_baseline(name, seed), probe, cache)
    return _served(name, cache, {**(changes or {}), **({"probe": probe} if probe else {})})


def _baseline(name: str, seed: int) -> Model:
    if name in RULES:
        return Baseline(name, *RULES[name], seed=seed)
    from cmb_harness.models.signal_reader import SignalReader

    return SignalReader(seed=seed)


def _probed(model: Model, probe: str | None, cache: Path | None) -> Model:
    if probe is None:
        return model
    from cmb_harness.models.parts import Look, Viewer
    from cmb_harness.models.probed import Probed

    return Probed(model, Viewer(Look(probe=probe), cache))


def _served(name: str, cache: Path | None, changes: Mapping[str, Any]) -> Model:
    from cmb_harness.models.parts import Viewer
    from cmb_harness.models.setup import changed

    setup = changed(setup_of(name), changes, "--set")
    # A probe with a file in place of frames would let the server choose what is seen of it.
    if setup.adapter == "gemini" and setup.probe in ("single-frame", "shuffled-frames"):
        setup = replace(setup, media="frames")
    called = (
        f"{name.partition(':')[2] or name}+{setup.probe}" if setup.probe else name.partition(":")[2] or name
    )
    viewer = Viewer(setup.look, cache)
    if setup.adapter == "gemini":
        from cmb_harness.models.gemini import Gemini

        return Gemini(called, setup, viewer)
    if setup.adapter == "command":
        from cmb_harness.models.command import Command

        return Command(called, setup, viewer)
    from cmb_harness.models.openai_compatible import OpenAICompatible

    return OpenAICompatible(called, setup, viewer)


def setup_of(name: str) -> Any:
    """The setup of a preset, or the plain one of ``ADAPTER:MODEL``.

    Raises:
        InputError: there is no such model.
    """
    from cmb_harness.models.setup import ADAPTERS, Setup, presets

    adapter, colon, model = name.partition(":")
    if name in presets():
        return presets()[name]
    if colon and adapter in ADAPTERS and model:
        keys = {"gemini": "GEMINI_API_KEY"}
        media = "video" if adapter in ("gemini", "command") else "frames"
        parallel = 1 if adapter == "command" else 8
        return Setup(
            adapter=adapter, model=model, key_variable=keys.get(adapter), media=media, parallel=parallel
        )
    raise InputError(
        f"--model {name}: there is no such model; there are {', '.join(model_names())}, "
        "and openai:MODEL, gemini:MODEL, command:PROGRAM"
    )
