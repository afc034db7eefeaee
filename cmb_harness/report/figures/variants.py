"""Figure 14: how much S1 depends on which name is shown."""

from cmb_harness.report.contents import Contents
from cmb_harness.report.figures.drawn import Drawn, Words, drawn
from cmb_harness.report.figures.style import INK, canvas, labels, styled, substitutes
from cmb_metric.breakdowns import SENSITIVE_POINTS


@styled
def variants_figure(contents: Contents) -> Drawn:
    """Bars of the spread over name variants, with the mean beside them."""
    rows = sorted(contents.variants, key=lambda row: -row["spread_points"])
    models = [row["model"] for row in rows]
    figure, grid = canvas(7.5, 0.9 + 0.32 * len(rows))
    axis = grid[0][0]
    for place, row in enumerate(rows):
        colour = "#D55E00" if row["sensitive"] else "#9DB4C8"
        hatch = "///" if row["sensitive"] else ""
        axis.barh(place, row["spread_points"], height=0.66, color=colour, edgecolor="white", hatch=hatch)
        text = f"{row['spread_points']:.1f} (μ={100 * row['mean']:.1f}%, {len(row['accuracies'])} variants)"
        axis.annotate(
            text, (row["spread_points"], place), xytext=(4, 0), textcoords="offset points", va="center"
        )
    axis.axvline(SENSITIVE_POINTS, color=INK, linestyle="--", linewidth=0.9)
    axis.set_yticks(range(len(rows)), labels(models))
    axis.set(xlabel="largest less smallest S1 accuracy, points", ylim=(len(rows) - 0.4, -0.6))
    axis.set_xlim(0, 1.45 * max(SENSITIVE_POINTS, *(row["spread_points"] for row in rows)))
    axis.tick_params(axis="y", length=0)
    note = (
        f"μ is the mean over the variants. From {SENSITIVE_POINTS:g} points on (dashed line, hatched) a model counts "
        f"as sensitive to the name shown.{substitutes(models)}"
    )
    alt = "; ".join(
        f"{row['model']}: spread {row['spread_points']:.1f} points, mean {100 * row['mean']:.1f}%"
        for row in rows
    )
    title = "S1 by name variant"
    return drawn(figure, Words("variants", "Figure 14", "views", title, note, alt + "."))
