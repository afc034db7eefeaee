"""The signature line: everything that must be equal for two printed scores to be comparable."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

# The metric's own version, apart from the package's: this folder is self-contained (it is copied by `evaluate` and
# published as a metric), and its number goes up when a definition changes a score.
VERSION = "1.0.0"

MODES = ("reset", "carry", "feedback")


def signature(
    *,
    dataset: str,
    mode: str,
    setting: str,
    variant: str,
    context: str | None,
    n_resamples: int,
    seed: int,
    confidence_level: float,
) -> str:
    """One line of ``name:value`` parts joined by ``|``.

    ``context`` says what carry and feedback showed (``previous`` or ``all`` earlier stages). Reset shows nothing, so
    it is always ``none`` there; elsewhere None prints as ``unstated``. The name variant is printed only when it is
    not the default.
    """
    parts = {
        "cmb_metric": VERSION,
        "dataset": dataset,
        "mode": mode,
        "setting": setting,
        "variant": variant,
        "context": "none" if mode == "reset" else context or "unstated",
        "seed": seed,
        "resamples": n_resamples,
        "ci": f"percentile {confidence_level * 100:g}%",
    }
    if variant == "common_latin":
        del parts["variant"]
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def fingerprint(references: Iterable[Mapping[str, Any]]) -> str:
    """``rows-`` and 12 hex digits over the reference rows, whatever their order: names a dataset that has no name."""
    lines = sorted(json.dumps([row["item_id"], row.get("concept_id"), _key(row)]) for row in references)
    return "rows-" + hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _key(row: Mapping[str, Any]) -> list[float] | None:
    key = row.get("span") if row["stage"] == "s3" else row.get("answer")
    values = [float(value) for value in np.atleast_1d([] if key is None else key)]
    return None if values in ([], [-1.0]) else values
