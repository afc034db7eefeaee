"""One plain sentence a model, by rules that say what is significant and nothing else."""

from collections.abc import Mapping, Sequence
from typing import Any

ABILITIES = {"s1": "naming (S1)", "s2": "recognition (S2)", "s3": "localization (S3)"}
LINKS = {
    "c_s2": ("recognition", "where the name was right"),
    "c_miou": ("localization", "where recognition was right"),
}


def sentence(
    model: str, profile: Mapping[str, Any], chain: Mapping[str, Mapping[str, Any]], alpha: float
) -> str:
    """What the numbers of one model allow to say.

    Args:
        profile: of `failure_profile`.
        chain: ``c_s2`` and ``c_miou`` → ``{"value", "difference", "p"}`` against the unconditional value.
        alpha: the level below which p is significant.
    """
    parts = [_bottleneck(profile), *_chance(profile), *_chain(chain, alpha)]
    return f"{model}: {'; '.join(parts)}."


def _bottleneck(profile: Mapping[str, Any]) -> str:
    missing = [ABILITIES[stage] for stage in ABILITIES if stage not in profile["asked"]]
    if missing:
        was = "was" if len(missing) == 1 else "were"
        return f"{listed(missing)} {was} not asked, so that no bottleneck can be named"
    worst = profile["bottleneck"]
    if worst is not None:
        others = " or ".join(_gain(profile, stage) for stage in ABILITIES if stage != worst)
        return (
            f"{ABILITIES[worst]} is the bottleneck: were it perfect, the Joint would gain "
            f"{_points(profile, worst)} points, significantly more than for {others}"
        )
    above = _significantly_above(profile)
    if not above:
        return "no ability is significantly more of a bottleneck than another"
    told = [
        f"from perfect {listed([_gain(profile, stage) for stage in more])} than from perfect {_gain(profile, less)}"
        for less, more in above.items()
    ]
    return f"no single bottleneck: the Joint would gain significantly more {listed(told)}"


def _significantly_above(profile: Mapping[str, Any]) -> dict[str, list[str]]:
    """stage → the stages whose gain is significantly above its own."""
    above: dict[str, list[str]] = {}
    for row in profile["differences"]:
        if row["significant"]:
            more, less = (row["a"], row["b"]) if row["difference"] > 0 else (row["b"], row["a"])
            above.setdefault(less, []).append(more)
    return above


def _chance(profile: Mapping[str, Any]) -> list[str]:
    said = []
    for verdict in ("above", "below"):
        stages = [
            f"{ABILITIES[stage].removesuffix(')')}, {100 * found['value']:.1f}%)"
            for stage, found in profile["chance"].items()
            if found["verdict"] == verdict
        ]
        if stages:
            said.append(f"{listed(stages)} {'is' if len(stages) == 1 else 'are'} {verdict} chance")
    return said


def _chain(chain: Mapping[str, Mapping[str, Any]], alpha: float) -> list[str]:
    said = []
    for name, (ability, where) in LINKS.items():
        found = chain.get(name)
        # Where all or none is right, as 0 of 7 by luck, the bootstrap has nothing to vary and its p says nothing.
        varies = found is not None and found.get("value") not in (0, 1)
        if found and varies and found["p"] is not None and found["p"] < alpha:
            better = "better" if found["difference"] > 0 else "worse"
            said.append(f"{ability} is {better} {where} ({100 * found['difference']:+.1f} points)")
    return said


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _gain(profile: Mapping[str, Any], stage: str) -> str:
    return f"{ABILITIES[stage].removesuffix(')')}, {_points(profile, stage)})"


def _points(profile: Mapping[str, Any], stage: str) -> str:
    return f"{100 * profile['gains'][stage]['value']:+.1f}"
