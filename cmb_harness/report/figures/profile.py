"""The first figure: the links of each model's chain, and what the Joint would gain if one of them were perfect."""

from collections.abc import Mapping, Sequence
from typing import Any

from cmb_harness.report.contents import Contents
from cmb_harness.report.figures.drawn import Drawn, Words, drawn
from cmb_harness.report.figures.style import GRID, INK, SOFT, canvas, labels, styled, substitutes

PANELS = (
    ("p_s1", "P(S1): named", "s1_accuracy"),
    ("p_s2_given_s1", "P(S2 | S1): recognised", "s2_accuracy"),
    ("mean_iou_given_both", "IoU given both", None),
)
FEW = 6
STAGES = {"s1": ("o", "#0072B2"), "s2": ("s", "#009E73"), "s3": ("^", "#D55E00")}


@styled
def profile_figure(contents: Contents) -> Drawn | None:
    """Failure profiles, one row a model; a panel that no model has a value for is left out. None without any."""
    profiles = contents.profiles
    panels = [
        panel
        for panel in PANELS
        if any(found["links"][panel[0]]["value"] is not None for found in profiles.values())
    ]
    gains = any(gain["value"] is not None for found in profiles.values() for gain in found["gains"].values())
    widths = [1.0] * len(panels) + [1.25] * gains
    height = 0.95 + (0.42 if len(profiles) <= FEW else 0.36) * len(profiles)
    if not widths:
        return None
    figure, grid = canvas(1.6 + 2.0 * sum(widths), height, 1, len(widths), sharey=True, width_ratios=widths)
    axes = grid[0]
    for axis, (name, title, chance) in zip(axes, panels, strict=False):
        _link_panel(axis, list(profiles.values()), name)
        axis.set_title(title)
        if chance:
            axis.axvline(25, color=SOFT, linestyle=(0, (2, 2)), linewidth=0.9)
    if gains:
        _gain_panel(axes[-1], list(profiles.values()))
    axes[0].set_yticks(range(len(profiles)), labels(list(profiles)))
    axes[0].set_ylim(len(profiles) - 0.5, -0.5)
    for axis in axes:
        axis.tick_params(axis="y", length=0)
        axis.grid(axis="x")
    return drawn(figure, _words(contents))


def _link_panel(axis: Any, profiles: Sequence[Mapping[str, Any]], name: str) -> None:
    axis.set_xlim(0, 100)
    axis.set_xticks((0, 25, 50, 75, 100))
    axis.set_xlabel("%")
    needed = set(list(STAGES)[: 1 + [panel for panel, *_ in PANELS].index(name)])
    for place, profile in enumerate(profiles):
        link = profile["links"][name]
        if link["value"] is None:
            # 0/0 where every stage was asked: nothing was right at the stage before.
            why = "undefined" if needed <= set(profile["asked"]) else "not answered"
            axis.text(50, place, why, ha="center", va="center", color=SOFT)
            continue
        _whisker(axis, place, link, INK)
        value = 100 * link["value"]
        axis.plot(value, place, "o", color=INK, markersize=5.5, clip_on=False)
        left = value > 60
        axis.annotate(
            f"{value:.1f}",
            (value, place),
            xytext=(-2 if left else 2, 5),
            textcoords="offset points",
            ha="right" if left else "left",
            fontsize=8.5,
        )


def _gain_panel(axis: Any, profiles: Sequence[Mapping[str, Any]]) -> None:
    axis.set_title("Joint gains, if perfect")
    axis.set_xlabel("points")
    for place, profile in enumerate(profiles):
        if all(gain["value"] is None for gain in profile["gains"].values()):
            axis.text(
                0.5,
                place,
                "needs all three stages",
                va="center",
                ha="center",
                color=SOFT,
                transform=axis.get_yaxis_transform(),
            )
        for step, (stage, gain) in enumerate(profile["gains"].items()):
            if gain["value"] is None:
                continue
            marker, colour = STAGES[stage]
            at = place + 0.24 * (step - 1)
            _whisker(axis, at, gain, colour)
            face = colour if stage == profile["bottleneck"] else "white"
            axis.plot(100 * gain["value"], at, marker, color=colour, markerfacecolor=face, markersize=6)
    for stage, (marker, colour) in STAGES.items():
        axis.plot([], [], marker, color=colour, markerfacecolor="white", label=stage.upper())
    axis.set_xlim(left=min(0, axis.get_xlim()[0]))
    axis.axvline(0, color=GRID, linewidth=1)
    axis.legend(loc="center left", bbox_to_anchor=(1, 0.5), handletextpad=0.1)


def _whisker(axis: Any, place: float, found: Mapping[str, Any], colour: str) -> None:
    if found["ci"] is not None:
        axis.plot([100 * bound for bound in found["ci"]], [place, place], "-", color=colour, linewidth=1.6)


def _words(contents: Contents) -> Words:
    said = []
    for model, profile in contents.profiles.items():
        links = [
            f"{title.partition(':')[0]} {_told(profile['links'][name], '%')}" for name, title, _ in PANELS
        ]
        gains = [
            f"{stage.upper()} {_told(gain, ' points', '+')}"
            for stage, gain in profile["gains"].items()
            if gain["value"] is not None
        ]
        said.append(
            f"{model}: {', '.join(links)}" + (f"; gain of the Joint: {', '.join(gains)}" if gains else "")
        )
    first = next(iter(contents.shown.values()))
    level = f"{100 * contents.selection.confidence_level:g}%"
    note = (
        f"Bars are {level} intervals over {first['n']['concepts']} concepts, {contents.mode} mode; the dotted line is "
        "chance. A concept without an S3 pair has IoU 0, as in the Joint. A filled mark is the bottleneck: a gain "
        "significantly above both others." + substitutes(list(contents.profiles))
    )
    title = "Failure profile of each model"
    return Words("profile", "", "profile", title, note, ". ".join(said) + ".")


def _told(found: Mapping[str, Any], unit: str, sign: str = "") -> str:
    return "undefined" if found["value"] is None else f"{100 * found['value']:{sign}.1f}{unit}"
