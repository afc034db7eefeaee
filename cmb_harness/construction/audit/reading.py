"""What a score of x means, given what the audit found: a plain text for the dataset card."""

from collections.abc import Callable, Sequence

from cmb_harness.construction.audit.attack_checks import FROM_NAME
from cmb_harness.construction.audit.findings import Finding
from cmb_harness.construction.audit.matching_checks import HUBS, HUBS_WITH_COUNTRIES, MATCHING, WITH_COUNTRIES

CHANCE = 0.25
EXAMPLES = (0.5, 0.7, 0.86)
# Half a point: what a rounded percentage hides.
HARDLY = 0.005

Figure = Callable[..., float | None]


def card_text(findings: Sequence[Finding]) -> str:
    """Markdown paragraphs: of the hidden split, and of the public one for what is not measured on that."""
    measured = {
        (finding.check, finding.where): finding.figure
        for finding in findings
        if finding.figure is not None and finding.scale == "percent"
    }

    def best(stage: str, *checks: str) -> float | None:
        """The largest figure of some checks."""
        found = [
            measured.get((check, f"{stage} test"), measured.get((check, f"{stage} train")))
            for check in checks
        ]
        return max((one for one in found if one is not None), default=None)

    floors = {
        "knowing which country each name belongs to": best("s1", "country pattern"),
        "comparing the option sets of all items": best("s1", MATCHING, HUBS),
        "doing both": best("s1", WITH_COUNTRIES, HUBS_WITH_COUNTRIES),
    }
    known = {how: figure for how, figure in floors.items() if figure is not None}
    parts = [_floors(known), _reading(max(known.values(), default=CHANCE)), _linked(best), _gains(best)]
    return "\n\n".join(part for part in parts if part) + "\n"


def above(score: float, floor: float) -> float:
    """The share of the way from a floor to a full score: 0 at or below the floor, 1 at a full score."""
    return max(0.0, (score - floor) / (1 - floor)) if floor < 1 else 0.0


def _floors(known: dict[str, float]) -> str:
    listed = ", ".join(f"{how} gives {_percent(figure)}" for how, figure in known.items())
    return f"Picking options at random scores {_percent(CHANCE)} in S1 and S2." + (
        f" With no description read, {listed} of S1." if listed else ""
    )


def _reading(floor: float) -> str:
    if floor <= CHANCE + HARDLY:
        examples = ", ".join(f"{_percent(x)} for {_percent(above(x, CHANCE))}" for x in EXAMPLES)
        return f"So a score x stands for (x - 25) / 75 of what there is to know: {examples}."
    examples = ", ".join(
        f"{_percent(x)} for {_percent(above(x, floor))} instead of {_percent(above(x, CHANCE))}"
        for x in EXAMPLES
    )
    points = f"(x - {100 * floor:.0f}) / {100 - 100 * floor:.0f}"
    return (
        f"An S1 score up to {_percent(floor)} therefore needs no reading. Read a score x of a system that may have "
        f"used this as {points}, not (x - 25) / 75, of what there is to know: {examples}. For a system that answers "
        "each item by itself and knows no countries, chance stays 25%."
    )


def _linked(best: Figure) -> str:
    linked = best("s2", FROM_NAME)
    if linked is None or linked <= CHANCE + HARDLY:
        return ""
    return (
        f"Whoever has the right S1 name gets {_percent(linked)} of S2 without watching, from which names and moments "
        "stand together. A high S2 tells of seeing only where each item was answered by itself."
    )


def _gains(best: Figure) -> str:
    gains = [
        f"{_percent(accuracy)} becomes {_percent(one)}"
        for accuracy in EXAMPLES
        if (one := best("s1", f"one option each: solver of {accuracy:.0%}")) is not None
    ]
    if not gains:
        return ""
    return (
        f"A system that sees all items and uses each option once gains by that alone: {', '.join(gains)}. "
        "A report should say whether items were answered one by one."
    )


def _percent(value: float) -> str:
    return f"{100 * value:.0f}%"
