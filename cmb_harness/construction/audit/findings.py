"""What a check of the audit reports, and how bad a figure is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmb_metric.resampling import percentile_intervals, resampled_ratios

SEVERITIES = ("ok", "note", "warning", "serious", "not measured")
# Points over chance from which a leak is worth a warning, and from which scores must be read beside it.
WARNING_GAIN, SERIOUS_GAIN = 0.05, 0.15
# Averages over tied guesses come out some 1e-16 off.
ROUNDING = 1e-9
SHOWN = 5


@dataclass(frozen=True)
class Finding:
    """One row of the audit's table.

    Attributes:
        check: what was looked at.
        where: the stage and the split, such as ``s1 test``.
        severity: one of `SEVERITIES`.
        figure: a share or a mean IoU from 0 to 1, or a count; None where it was not measured.
        interval: the percentile interval over concepts, or None.
        chance: what the figure would be if nothing were wrong, or None.
        evidence: a line. Of hidden items it holds no id, no key and no guess.
        scale: ``percent`` or ``plain``, how the three numbers are printed.
        n: how many items the figure rests on.
    """

    check: str
    where: str
    severity: str
    figure: float | None
    interval: tuple[float, float] | None = None
    chance: float | None = None
    evidence: str = ""
    scale: str = "percent"
    n: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Plain data, numbers unrounded."""
        return {**vars(self), "interval": None if self.interval is None else list(self.interval)}


@dataclass(frozen=True)
class Settings:
    """How intervals are drawn and chains are started."""

    seed: int = 42
    n_resamples: int = 10_000
    confidence_level: float = 0.95


def count_finding(check: str, where: str, found: Sequence[str], severity: str, evidence: str) -> Finding:
    """A fault that is there or not: how often, where (a few of the public places), and ``evidence`` for a reader."""
    listed = shown(found)
    text = ": ".join(part for part in (evidence, listed) if part) if found else ""
    return Finding(check, where, severity if found else "ok", len(found), None, 0, text, "plain")


def shown(places: Sequence[str]) -> str:
    """A few of the places by name; those without a name, which are hidden, as a count."""
    named = [place for place in places if place]
    hidden = len(places) - len(named)
    parts = named[:SHOWN]
    if len(named) > SHOWN:
        parts.append(f"and {len(named) - SHOWN} more")
    if hidden:
        parts.append(f"{hidden} hidden")
    return ", ".join(parts)


def unmeasured(check: str, where: str, reason: str) -> Finding:
    """A check that the input does not allow."""
    return Finding(check, where, "not measured", None, None, None, reason)


def severity_of(figure: float, interval: tuple[float, float] | None, chance: float) -> str:
    """How bad a gain over chance is: none that the interval tells from 0, or by its size."""
    lower = figure if interval is None else interval[0]
    gain = figure - chance
    if gain <= ROUNDING or lower <= chance + ROUNDING:
        return "ok"
    return "serious" if gain >= SERIOUS_GAIN else "warning" if gain >= WARNING_GAIN else "note"


def score_findings(
    scores: Mapping[str, Sequence[float] | NDArray[np.float64]],
    clusters: Sequence[str],
    where: str,
    settings: Settings,
    *,
    chance: float | Mapping[str, float] = 0.25,
    evidence: Mapping[str, str] | None = None,
    confidence: Mapping[str, float] | None = None,
) -> list[Finding]:
    """One finding a guesser or attack: its mean score, with the cluster bootstrap of the metric.

    Args:
        scores: check → what it scores on each of n items, 0 to 1; NaN where it says nothing, which is left out.
        clusters: the concept of each item.
        chance: what each check is compared with.
        evidence: check → a line.
        confidence: check → the level of its interval, where it is another than that of the settings.
    """
    findings = []
    for check, values in scores.items():
        value = np.asarray(values, dtype=float)
        used = ~np.isnan(value)
        base = chance if isinstance(chance, int | float) else chance[check]
        if not used.any():
            findings.append(unmeasured(check, where, (evidence or {}).get(check, "no item to measure it on")))
            continue
        level = (confidence or {}).get(check, settings.confidence_level)
        names = [name for name, keep in zip(clusters, used, strict=True) if keep]
        figure, interval = clustered_mean(value[used], names, settings, level)
        findings.append(
            Finding(
                check,
                where,
                severity_of(figure, interval, base),
                figure,
                interval,
                base,
                (evidence or {}).get(check, ""),
                n=int(used.sum()),
            )
        )
    return findings


def clustered_mean(
    values: NDArray[np.float64], clusters: Sequence[str], settings: Settings, confidence_level: float
) -> tuple[float, tuple[float, float] | None]:
    """The mean of n values and its percentile interval over clusters; None for fewer than two clusters."""
    names, index = np.unique(np.asarray(clusters), return_inverse=True)
    figure = float(values.mean())
    if len(names) < 2:
        return figure, None
    sums = np.bincount(index, values, len(names)).astype(np.float64)[:, None]
    counts = np.bincount(index, minlength=len(names)).astype(np.float64)[:, None]
    drawn = resampled_ratios(
        sums,
        counts,
        [np.ones(len(names), dtype=bool)],
        n_resamples=settings.n_resamples,
        seed=settings.seed,
    )
    low, high = percentile_intervals(drawn[0, 0], confidence_level)
    return figure, (float(low), float(high))
