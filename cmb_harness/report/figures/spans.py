"""Figures 10 and 11: S3 by video length, and how the IoU of single pairs is spread."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from cmb_harness.report.contents import Contents, ious
from cmb_harness.report.figures.drawn import Drawn, Words, drawn
from cmb_harness.report.figures.style import (
    INK,
    SOFT,
    canvas,
    labels,
    line_styles,
    styled,
    substitutes,
)

Row = Mapping[str, Any]
# Intervals of more models than this would lie over each other.
FEW = 3


@styled
def durations_figure(contents: Contents) -> Drawn:
    """Figure 10: mIoU by length of the video, and the mean true span on a second axis."""
    models = list(dict.fromkeys(row["model"] for row in contents.durations))
    buckets = list(dict.fromkeys((row["from_s"], row["to_s"]) for row in contents.durations))
    figure, grid = canvas(8.6, 3.9)
    axis = grid[0][0]
    for model, style in line_styles(models).items():
        rows = [row for row in contents.durations if row["model"] == model]
        at = [buckets.index((row["from_s"], row["to_s"])) for row in rows]
        (label,) = [text for name, text in zip(models, labels(models), strict=True) if name == model]
        axis.plot(at, [100 * row["miou"] for row in rows], **style, label=label, linewidth=1.5, markersize=5)
        if len(models) <= FEW:
            _whiskers(axis, at, rows, style["color"])
    first = {(row["from_s"], row["to_s"]): row for row in reversed(contents.durations)}
    axis.set_xticks(range(len(buckets)), [_bucket(first[bucket]) for bucket in buckets])
    axis.set(ylabel="mIoU, %", xlabel="length of the video", xlim=(-0.4, len(buckets) - 0.6))
    axis.set_ylim(bottom=0)
    axis.grid(axis="y")
    _spans(axis, [first[bucket] for bucket in buckets])
    axis.legend(loc="upper left", bbox_to_anchor=(1.1, 1.02))
    shown = "Bars are intervals. " if len(models) <= FEW else "Intervals stand in the table. "
    note = (
        f"n: S3 pairs; ℓ: mean length of their videos. {shown}Grey marks: mean length of the true span (right axis). "
        f"{contents.mode} mode.{substitutes(models)}"
    )
    title = "S3 by length of the video"
    return drawn(
        figure, Words("durations", "Figure 10", "views", title, note, _durations_alt(contents.durations))
    )


@styled
def distribution_figure(contents: Contents) -> Drawn:
    """Figure 11: cumulative shares of pairs, and one violin a model."""
    values = {
        row["model"]: ious(contents.runs.of(contents.mode)[row["model"]]) for row in contents.distribution
    }
    figure, grid = canvas(10, max(3.4, 1.2 + 0.36 * len(values)), 1, 2)
    _ecdf(grid[0][0], values)
    _violins(grid[0][1], values)
    n = max(map(len, values.values()))
    note = (
        f"Left: share of pairs with an IoU up to x (n={n} pairs); what is above the curve at the dashed line is "
        f"IoU@0.3. Right: dot mean, bar median. {contents.mode} mode.{substitutes(list(values))}"
    )
    title = "How the IoU of single pairs is spread"
    return drawn(
        figure, Words("distribution", "Figure 11", "views", title, note, _spread_alt(contents.distribution))
    )


def _whiskers(axis: Any, at: Sequence[int], rows: Sequence[Row], colour: str) -> None:
    for place, row in zip(at, rows, strict=True):
        if row["ci"] is not None:
            axis.plot(
                [place, place], [100 * bound for bound in row["ci"]], color=colour, linewidth=1, alpha=0.7
            )


def _spans(axis: Any, rows: Sequence[Row]) -> None:
    known = [(place, row["mean_span_s"]) for place, row in enumerate(rows) if row["mean_span_s"] is not None]
    if known:
        right = axis.twinx()
        right.plot(*zip(*known, strict=True), "d", color=SOFT, markersize=7, markerfacecolor="none")
        right.set_ylabel("mean true span, s", color=SOFT)
        right.set_ylim(bottom=0)
        right.spines["right"].set_visible(True)


def _bucket(row: Row) -> str:
    if row["from_s"] is None:
        return f"unknown\nn={row['n']}"
    low, high = row["from_s"] / 60, row["to_s"]
    name = f"≥ {low:g} min" if high is None else f"{low:g}–{high / 60:g} min"
    return f"{name}\nn={row['n']}\nℓ={row['mean_duration_s'] / 60:.1f} min"


def _ecdf(axis: Any, values: Mapping[str, Sequence[float]]) -> None:
    names = dict(zip(values, labels(list(values)), strict=True))
    for place, (model, style) in enumerate(line_styles(list(values)).items()):
        ranked = sorted(values[model])
        shares = [100 * (rank + 1) / len(ranked) for rank in range(len(ranked))]
        line = {"color": style["color"], "linestyle": style["linestyle"], "linewidth": 1.3}
        axis.step([0, *ranked, 1], [0, *shares, 100], where="post", **line)
        # Marks of different models stand at different places, so that they do not hide each other.
        marked = [0.04 + 0.25 * step + 0.25 * place / len(values) for step in range(4)]
        heights = [100 * bisect_right(ranked, at) / len(ranked) for at in marked]
        axis.plot(marked, heights, style["marker"], color=style["color"], markersize=4.5)
        axis.plot([], [], **style, label=names[model], markersize=4.5)
    axis.axvline(0.3, color=INK, linestyle="--", linewidth=0.9)
    axis.set(xlim=(0, 1), ylim=(0, 101), xlabel="IoU of a pair", ylabel="% of pairs up to x")
    axis.grid()
    axis.legend(loc="lower right", fontsize=7.5, frameon=True, framealpha=0.9, edgecolor="none")


def _violins(axis: Any, values: Mapping[str, Sequence[float]]) -> None:
    from statistics import fmean, median

    places = range(len(values))
    parts = axis.violinplot(
        list(values.values()), list(places), orientation="horizontal", widths=0.8, showextrema=False
    )
    for body in parts["bodies"]:
        body.set(facecolor="#BBD3E8", edgecolor=SOFT, alpha=1, linewidth=0.6)
    for place, found in zip(places, values.values(), strict=True):
        axis.plot(fmean(found), place, "o", color=INK, markersize=5)
        middle = median(found)
        axis.plot([middle, middle], [place - 0.3, place + 0.3], "-", color=INK, linewidth=2)
    axis.set_yticks(list(places), labels(list(values)))
    axis.set(xlim=(-0.01, 1.01), ylim=(len(values) - 0.4, -0.6), xlabel="IoU of a pair")
    axis.grid(axis="x")
    axis.tick_params(axis="y", length=0)


def _durations_alt(rows: Sequence[Row]) -> str:
    told = [f"{row['model']}, {_bucket(row)}: {100 * row['miou']:.1f}%".replace("\n", ", ") for row in rows]
    return "; ".join(told) + "."


def _spread_alt(rows: Sequence[Row]) -> str:
    told = [
        f"{row['model']}: mean {row['mean']:.3f}, median {row['quantiles']['0.5']:.3f}, "
        f"{100 * row['share_zero']:.1f}% of {row['n']} pairs at 0"
        for row in rows
    ]
    return "; ".join(told) + "."
