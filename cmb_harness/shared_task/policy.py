"""What organisers say of a scored submission: little while a phase is open, everything once it is closed.

Every printed digit that depends on a key gives some of it away to whoever asks often enough
(``scripts/simulate_probing.py`` measures how fast). So the open policy prints totals alone, rounded to a step that
follows from the number of hidden concepts and from nothing else, with an interval made from the rounded value alone.
"""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.files import read_json
from cmb_harness.json_objects import shown
from cmb_harness.predictions import MODES
from cmb_metric.concepts import RATIOS

TOTALS = ("s1_accuracy", "s2_accuracy", "s3_miou", "joint")
POLICY_FIELDS = ("shown", "step", "whole", "modes")
Z = 1.959963984540054


@dataclass(frozen=True)
class Policy:
    """What a result holds.

    Attributes:
        shown: the totals that are printed, of the nine names that ``cmb_metric.score`` has.
        step: they are rounded to multiples of it (0 < step ≤ 1); None prints them exactly.
        whole: all else too: bootstrap intervals, cells, conditional statistics, profile, and the score of every item.
            With it nothing is rounded.
        modes: those that are scored; a file's others are checked and kept for later. Every mode tells of the same S2
            keys again.
    """

    shown: tuple[str, ...] = TOTALS
    step: float | None = None
    whole: bool = False
    modes: tuple[str, ...] = MODES

    def rounded(self, value: float | None) -> float | None:
        """``value`` as it is printed; an undefined one stays None."""
        if value is None or self.step is None or self.whole:
            return value
        decimals = max(0, math.ceil(-math.log10(self.step))) + 2
        return round(round(value / self.step) * self.step, decimals)


CLOSED = Policy(tuple(RATIOS), None, whole=True)


def open_policy(n_concepts: int) -> Policy:
    """The default while a phase is open: stage totals and Joint, rounded to `justified_step`."""
    return Policy(TOTALS, justified_step(n_concepts))


def justified_step(n_concepts: int) -> float:
    """The rounding that an interval justifies: the largest of 1, 2 and 5 · 10^-k that is no larger than 0.5 / √N.

    0.5 / √N is the standard error of an accuracy over N concepts at its largest; finer digits say nothing about the
    system, but something about the keys.
    """
    standard_error = 0.5 / math.sqrt(n_concepts)
    power = 10.0 ** math.floor(math.log10(standard_error))
    factor = max(factor for factor in (1, 2, 5) if factor * power <= standard_error)
    return round(factor * power, 12)


def bounded_interval(value: float | None, n: float, step: float | None) -> list[float] | None:
    """A 95% interval from a printed value alone, so that it tells nothing which the value does not.

    Wilson's score interval for a share of ``n``, widened by half a ``step`` for the rounding. It is wide enough for a
    mean IoU too: among all distributions on [0, 1] with one mean, that of 0 and 1 has the largest variance.

    Args:
        value: 0 to 1, or None.
        n: concepts; for a mean over pairs that come in clusters of m: (Σ m)² / Σ m².

    Returns:
        [lo, hi], within 0 and 1, outward to three decimals; None for an undefined value.
    """
    if value is None or n <= 0:
        return None
    half = (step or 0.0) / 2
    low, high = _wilson(max(0.0, value - half), n)[0], _wilson(min(1.0, value + half), n)[1]
    return [math.floor(max(0.0, low) * 1000) / 1000, math.ceil(min(1.0, high) * 1000) / 1000]


def read_policy(path: str | os.PathLike[str], n_concepts: int) -> Policy:
    """A policy from a JSON object ``{"shown": [names], "step": number | null, "whole": bool, "modes": [modes]}``.

    What it leaves out is as in `open_policy`.

    Raises:
        InputError: the file cannot be read, or says something else.
    """
    value = read_json(path)
    faults = [f"{path}: {fault}" for fault in _policy_faults(value)]
    if faults:
        raise InputError(faults)
    default = open_policy(n_concepts)
    return Policy(
        tuple(value.get("shown", default.shown)),
        value.get("step", default.step),
        value.get("whole", default.whole),
        tuple(value.get("modes", default.modes)),
    )


def _policy_faults(value: Any) -> list[str]:
    if not isinstance(value, Mapping):
        return [f"{shown(value)}: expected an object"]
    faults = [
        f"{shown(name)}: expected {', '.join(POLICY_FIELDS)}" for name in value if name not in POLICY_FIELDS
    ]
    for field, allowed in (("shown", tuple(RATIOS)), ("modes", MODES)):
        names = value.get(field, [])
        if not isinstance(names, list) or not all(name in allowed for name in names):
            faults.append(f"{field}: {shown(names)}: expected a list of {', '.join(allowed)}")
    step = value.get("step")
    if step is not None and not (_is_number(step) and 0 < step <= 1):
        faults.append(f"step: {shown(step)}: expected a number above 0 and up to 1, or null for no rounding")
    if not isinstance(value.get("whole", False), bool):
        faults.append(f"whole: {shown(value['whole'])}: expected true or false")
    return faults


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _wilson(share: float, n: float) -> tuple[float, float]:
    centre = share + Z**2 / (2 * n)
    spread = Z * math.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    return (centre - spread) / (1 + Z**2 / n), (centre + spread) / (1 + Z**2 / n)
