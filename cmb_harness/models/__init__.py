"""Models behind one small interface, one adapter a family."""

from cmb_harness.faults import InputError
from cmb_harness.models.baselines import RULES, Baseline
from cmb_harness.models.interface import Answer, Model, Question, TransportError

__all__ = ["Answer", "Model", "Question", "TransportError", "load_model", "model_names"]


def model_names() -> list[str]:
    """The names that `load_model` takes."""
    return [*RULES, "signal-reader"]


def load_model(name: str, *, seed: int = 0) -> Model:
    """The model called ``name``.

    Raises:
        InputError: there is no such model.
    """
    if name in RULES:
        return Baseline(name, *RULES[name], seed=seed)
    if name == "signal-reader":
        from cmb_harness.models.signal_reader import SignalReader

        return SignalReader(seed=seed)
    raise InputError(f"--model {name}: there is no such model; there are {', '.join(model_names())}")
