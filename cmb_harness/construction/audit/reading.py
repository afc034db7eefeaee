"""What a score of x means, given what the audit found: a plain text for the dataset card."""

from collections.abc import Sequence

from cmb_harness.construction.audit.attack_checks import MATCHING, WITH_COUNTRIES
from cmb_harness.construction.audit.findings import Finding

CHANCE = 0.25
LINKED = "S2 from the right S1 name"
EXAMPLES = (0.5, 0.7, 0.86)


def card_text(findings: Sequence[Finding]) -> str:
    """Markdown paragraphs; of the hidden split where there is one, else of the public one."""
    split = "test" if any(finding.where == "s1 test" for finding in findings) else "train"
    of = {
        (finding.check, finding.where): finding.figure
        for finding in findings
        if finding.figure is not None and finding.scale == "percent"
    }

    def figure(check: str, stage: str) -> float | None:
        return of.get((check, f"{stage} {split}"))

    pattern, free, known = (figure(check, "s1") for check in ("country pattern", MATCHING, WITH_COUNTRIES))
    floor = max((one for one in (pattern, free, known) if one is not None), default=CHANCE)
    lines = [f"Picking options at random scores {_percent(CHANCE)} in S1 and S2."]
    if pattern is not None:
        lines.append(f"Knowing only which country each name belongs to gives {_percent(pattern)} of S1;")
    if free is not None:
        lines.append(
            f"using only that each concept is the answer once gives {_percent(free)}"
            + (f", and both together {_percent(known)}." if known is not None else ".")
        )
    text = [" ".join(lines), _reading(floor)]
    linked = figure(LINKED, "s2")
    if linked is not None:
        text.append(
            f"Whoever has the right S1 name gets {_percent(linked)} of S2 without watching, from which names and moments "
            "stand together. A high S2 says something about seeing only for systems that answer each item by itself."
        )
    gains = [
        f"{_percent(accuracy)} becomes {_percent(one)}"
        for accuracy in EXAMPLES
        if (one := figure(f"one option each: solver of {accuracy:.0%}", "s1")) is not None
    ]
    if gains:
        text.append(
            f"A system that sees all items and uses each option once gains by that alone: {', '.join(gains)}. "
            "Say in a report whether items were answered one by one."
        )
    return "\n\n".join(text) + "\n"


def above(score: float, floor: float) -> float:
    """The share of the way from a floor to a full score: 0 at the floor, 1 at 100%, below 0 under the floor."""
    return (score - floor) / (1 - floor)


def _reading(floor: float) -> str:
    if floor <= CHANCE + 0.005:
        return (
            "None of these is above chance here, so that a score x stands for (x - 25) / 75 of what there is to know: "
            + ", ".join(f"{_percent(x)} for {_percent(above(x, CHANCE))}" for x in EXAMPLES)
            + "."
        )
    examples = ", ".join(
        f"{_percent(x)} for {_percent(max(0.0, above(x, floor)))} instead of {_percent(above(x, CHANCE))}"
        for x in EXAMPLES
    )
    return (
        f"An S1 score up to {_percent(floor)} therefore needs no reading of a description. Read a score x from a system that "
        f"might use this as (x - {100 * floor:.0f}) / {100 - 100 * floor:.0f}, not (x - 25) / 75, of what there is to "
        f"know: {examples}. For systems that answer each item by itself and know no countries, chance stays 25%."
    )


def _percent(value: float) -> str:
    return f"{100 * value:.0f}%"
