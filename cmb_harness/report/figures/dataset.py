"""Figures 5 to 7: what the public items are made of."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from cmb_harness.report.contents import Contents
from cmb_harness.report.figures.drawn import Drawn, Words, drawn
from cmb_harness.report.figures.style import INK, canvas, labels, styled, substitutes

BLUE, ORANGE = "#4F81AE", "#E69F00"
BINS = 24

Row = Mapping[str, Any]
# Texts → (places → (n, n) similarities).
Similarity = Callable[[Sequence[str]], Callable[[Sequence[int]], Any]]


@styled
def counts_figure(contents: Contents) -> Drawn:
    """Figure 5: concepts and pairs by country and by category."""
    rows = contents.public.rows
    panels = {
        "(a) concepts by country": _by_country(contents, rows["s1"]),
        "(b) concepts by category": Counter(row["category"] for row in rows["s1"]),
        "(c) S3 pairs by country": _by_country(contents, rows["s3"]),
        "(d) S3 pairs by category": Counter(row["category"] for row in rows["s3"]),
    }
    panels = {title: found for title, found in panels.items() if found}
    tallest = max(map(len, panels.values()))
    figure, grid = canvas(9, 0.6 + len(panels) / 2 * (0.5 + 0.25 * tallest), -(-len(panels) // 2), 2)
    names = list(dict.fromkeys(name for found in panels.values() for name in found))
    told = dict(zip(names, labels(names, "no."), strict=True))
    for axis, (title, found) in zip(grid.flat, panels.items(), strict=False):
        _count_bars(axis, found, told)
        axis.set(title=title, xlabel="how many")
    alt = "; ".join(
        f"{title[4:]}: {', '.join(f'{name} {n}' for name, n in found.items())}"
        for title, found in panels.items()
    )
    note = f"Public items: {len(rows['s1'])} concepts, one S1 and one S2 question each; {len(rows['s3'])} S3 pairs."
    note += substitutes(names, "no.")
    return drawn(figure, Words("counts", "Figure 5", "dataset", "Concepts and S3 questions", note, alt + "."))


@styled
def lengths_figure(contents: Contents) -> Drawn:
    """Figure 6: words of the questions, seconds of moments, videos and spans."""
    rows = contents.public.rows
    words = {
        "S1 and S2": _words(contents, rows["s1"], lambda row: row["description"]),
        "S3": _words(contents, rows["s3"], lambda row: f"{row['concept_name']} {row['cue']}"),
    }
    seconds = {
        "moments of S2": [moment["end_s"] - moment["start_s"] for moment in _own_moments(rows["s2"])],
        "videos of S3": [row["duration_s"] for row in rows["s3"] if row["duration_s"]],
    }
    spans: dict[str, list[float]] = {}
    for row in rows["s3"]:
        spans.setdefault(row["category"], []).append(row["span"][1] - row["span"][0])
    figure, grid = canvas(11, 3.4, 1, 3)
    names = list(dict.fromkeys([name for found in words.values() for name in found] + list(spans)))
    told = dict(zip(names, labels(names, "no."), strict=True))
    _word_bars(grid[0][0], words, told)
    _histograms(grid[0][1], seconds)
    _boxes(grid[0][2], spans, told)
    return drawn(figure, _lengths_words(words, seconds, spans, substitutes(names, "no.")))


@styled
def similarity_figure(contents: Contents, similarity: Similarity) -> Drawn | None:
    """Figure 7: how alike the key is to its distractors, and to the candidates that were not chosen."""
    records = contents.public.records
    places = {record["concept_id"]: place for place, record in enumerate(records)}
    matrix = similarity([record["description"] for record in records])(range(len(records)))
    chosen: list[float] = []
    others: list[float] = []
    for place, record in enumerate(records):
        options = set(record.get("s1_option_concept_ids") or ()) - {record["concept_id"]}
        for name, other in places.items():
            if options and other != place and records[other]["category"] == record["category"]:
                (chosen if name in options else others).append(float(matrix[place, other]))
    if not chosen or not others:
        return None
    figure, grid = canvas(7, 3.1)
    axis = grid[0][0]
    low, top = min(*chosen, *others), max(*chosen, *others) + 0.01
    styles = (("chosen distractors", chosen, "#B3371B", "-"), ("not chosen", others, "#6B7280", "--"))
    for label, values, colour, line in styles:
        weights = [100 / len(values)] * len(values)
        axis.hist(
            values,
            BINS,
            (low, top),
            weights=weights,
            histtype="step",
            color=colour,
            linestyle=line,
            linewidth=1.6,
            label=f"{label} (n={len(values)}, median {median(values):.2f})",
        )
        axis.axvline(median(values), color=colour, linestyle=line, linewidth=0.9)
    axis.set(xlabel="similarity to the key's description", ylabel="% of pairs of concepts", xlim=(low, top))
    axis.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
    note = (
        "Cosine of letter sequences (3 to 5) of the descriptions, a light stand-in for Sentence-BERT: the paper's "
        "values are on another scale. Upright lines: medians. Both sides are public concepts of the key's category."
    )
    alt = (
        f"Chosen distractors: median {median(chosen):.2f} (n={len(chosen)}); not chosen: median {median(others):.2f} "
        f"(n={len(others)})."
    )
    title = "Distractors are harder than what was not chosen"
    if median(chosen) <= median(others):
        title = "Distractors beside what was not chosen"
    return drawn(figure, Words("similarity", "Figure 7", "dataset", title, note, alt))


def _by_country(contents: Contents, rows: Sequence[Row]) -> dict[str, int]:
    return dict(Counter(_country(contents, row) for row in rows))


def _country(contents: Contents, row: Row) -> str:
    names = {country.code: country.name for country in contents.region.countries}
    return names.get(str(row["country"]), str(row["country"]))


def _count_bars(axis: Any, found: Mapping[str, int], told: Mapping[str, str]) -> None:
    names = sorted(found, key=lambda name: -found[name])
    axis.barh(range(len(names)), [found[name] for name in names], color=BLUE, height=0.7)
    for place, name in enumerate(names):
        axis.annotate(
            str(found[name]), (found[name], place), xytext=(3, 0), textcoords="offset points", va="center"
        )
    axis.set_yticks(range(len(names)), [told[name] for name in names])
    axis.set_ylim(len(names) - 0.4, -0.6)
    axis.set_xlim(0, 1.12 * max(found.values()))
    axis.tick_params(axis="y", length=0)


def _words(contents: Contents, rows: Sequence[Row], text: Callable[[Row], str]) -> dict[str, float]:
    counts: dict[str, list[int]] = {}
    for row in rows:
        counts.setdefault(_country(contents, row), []).append(len(text(row).split()))
    return {name: fmean(found) for name, found in counts.items()}


def _own_moments(rows: Sequence[Row]) -> list[Row]:
    return [row["options"][row["answer"]] for row in rows]


def _word_bars(axis: Any, words: Mapping[str, Mapping[str, float]], told: Mapping[str, str]) -> None:
    names = list(dict.fromkeys(name for found in words.values() for name in found))
    for step, (label, found) in enumerate(words.items()):
        at = [place + 0.38 * (step - 0.5) for place in range(len(names))]
        colour, hatch = ((BLUE, ""), (ORANGE, "///"))[step]
        values = [found.get(name, 0) for name in names]
        axis.barh(at, values, height=0.36, color=colour, hatch=hatch, edgecolor="white", label=label)
    axis.set_yticks(range(len(names)), [told[name] for name in names])
    axis.set(title="(a) mean words of a question", xlabel="words", ylim=(len(names) - 0.4, -0.6))
    axis.legend(loc="upper center", bbox_to_anchor=(0.4, -0.16), ncols=2)
    axis.tick_params(axis="y", length=0)


def _histograms(axis: Any, seconds: Mapping[str, Sequence[float]]) -> None:
    import numpy as np

    every = [value for values in seconds.values() for value in values if value > 0]
    edges = np.geomspace(min(every) * 0.95, max(every) * 1.05, BINS)
    for (label, values), (colour, line) in zip(
        seconds.items(), ((BLUE, "-"), ("#9A5B00", "--")), strict=True
    ):
        if values:
            axis.hist(
                values,
                edges,
                histtype="step",
                color=colour,
                linestyle=line,
                linewidth=1.6,
                label=f"{label} (n={len(values)},\nmedian {median(values):.0f} s)",
            )
    axis.set_xscale("log")
    ticks = [step * 10**power for power in range(-1, 5) for step in (1, 3)]
    axis.set_xticks([tick for tick in ticks if edges[0] <= tick <= edges[-1]])
    axis.xaxis.set_major_formatter("{x:g}")
    axis.minorticks_off()
    axis.set(title="(b) lengths", xlabel="seconds, logarithmic", ylabel="how many")
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, fontsize=8)


def _boxes(axis: Any, spans: Mapping[str, Sequence[float]], told: Mapping[str, str]) -> None:
    axis.set(title="(c) true spans of S3", xlabel="seconds")
    if not spans:
        axis.text(0.5, 0.5, "no S3 pairs", ha="center", transform=axis.transAxes)
        return
    names = sorted(spans, key=lambda name: median(spans[name]))
    axis.boxplot(
        [spans[name] for name in names],
        orientation="horizontal",
        widths=0.6,
        patch_artist=True,
        boxprops={"facecolor": "#C7D7E6"},
        medianprops={"color": INK, "linewidth": 1.8},
        flierprops={"markersize": 3},
    )
    axis.set_yticks(
        range(1, len(names) + 1),
        [f"{told[name]} (n={len(spans[name])})" for name in names],
    )
    axis.set_xlim(left=0)


def _lengths_words(
    words: Mapping[str, Mapping[str, float]],
    seconds: Mapping[str, Sequence[float]],
    spans: Mapping[str, Sequence[float]],
    explained: str,
) -> Words:
    told = [
        f"{stage}, mean words: {', '.join(f'{name} {value:.1f}' for name, value in found.items())}"
        for stage, found in words.items()
        if found
    ]
    told += [
        f"{label}: median {median(values):.1f} s, n={len(values)}"
        for label, values in seconds.items()
        if values
    ]
    told += [
        f"spans of {name}: median {median(values):.1f} s, n={len(values)}" for name, values in spans.items()
    ]
    note = "Public items. Boxes: quartiles and median; whiskers reach 1.5 times the box; dots lie beyond."
    note += explained
    return Words("lengths", "Figure 6", "dataset", "Questions, videos and spans", note, "; ".join(told) + ".")
