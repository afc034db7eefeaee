"""Figures with ten long or local names: nothing lies over anything else, no letter is a box, grey tells apart."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.dataset import read_dataset
from cmb_harness.records import read_region
from cmb_harness.report.contents import Contents, gather_contents, public_part
from cmb_harness.report.figures import draw, style
from cmb_harness.statistics.paper import gather
from cmb_harness.statistics.scoring import Selection

NAMES = [
    "a-very-long-name-of-an-open-model-32B-instruct-v2.5",
    "a-very-long-name-of-an-open-model-32B-thinking-v2.5",
    "โมเดลภาษาไทยขนาดใหญ่",
    "ម៉ូដែលភាសាខ្មែរ",
    "မြန်မာဘာသာမော်ဒယ်",
    "mô hình tiếng Việt",
    *(f"model {letter}" for letter in "GHIJ"),
]
PAPER = {f"Figure {number}" for number in (3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15)}


@pytest.fixture(scope="module")
def contents(small_release: Any) -> Contents:
    """Ten models in two modes, with ablations and variants."""
    settings = ("no-audio", "no-subtitles", "visual-only")
    runs = [
        small_release.add_run(
            name, 0.9 - 0.06 * place, modes=("reset", "carry"), settings=settings, variants=("common_local",)
        )
        for place, name in enumerate(NAMES)
    ]
    dataset: Path = small_release.folder / "cmb"
    rows = read_dataset(dataset).rows
    found = gather(runs, dataset=dataset)
    return gather_contents(found, Selection("carry", n_resamples=50), read_region(), public_part(rows))


@pytest.fixture(scope="module")
def drawn(contents: Contents) -> list[tuple[Any, Any]]:
    """(matplotlib's figure, ours) of every figure of a report."""
    from matplotlib.figure import Figure

    kept: list[Any] = []
    save = Figure.savefig

    def kept_save(figure: Any, *arguments: Any, **options: Any) -> None:
        if not any(one is figure for one in kept):
            kept.append(figure)
        save(figure, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Figure, "savefig", kept_save)
        figures = draw.figures_of(contents, similarity)
    return list(zip(kept, figures, strict=True))


def similarity(texts: Any) -> Callable[..., Any]:
    """Some numbers: what Figure 7 is given is not its own."""
    import numpy as np

    return lambda places: np.random.default_rng(1).random((len(places), len(places)))


def test_all_the_papers_figures_and_no_label_over_another(drawn: list[tuple[Any, Any]]) -> None:
    assert {about.paper for _, about in drawn} == {"", *PAPER}
    for figure, about in drawn:
        for axis in figure.axes:
            boxes = [tick_box(axis, label) for label in (*axis.get_xticklabels(), *axis.get_yticklabels())]
            seen = [box for box in boxes if box is not None]
            overlaps = [pair for pair in itertools.combinations(seen, 2) if pair[0][1].overlaps(pair[1][1])]
            assert not overlaps, (about.name, [(a[0], b[0]) for a, b in overlaps])


def tick_box(axis: Any, label: Any) -> Any:
    """(text, its place) of a tick label; None where it is not seen, or slanted, so that its box is mostly air."""
    if not label.get_text() or not label.get_visible() or label.get_rotation() not in (0, 90):
        return None
    (low, high), at = (axis.get_xlim(), label.get_position()[0])
    if label in axis.get_xticklabels() and not min(low, high) <= at <= max(low, high):
        return None
    return label.get_text(), label.get_window_extent().shrunk(0.98, 0.9)


def test_every_figure_says_its_numbers(contents: Contents, drawn: list[tuple[Any, Any]]) -> None:
    shown = contents.shown
    by_name = {about.name: about for _, about in drawn}
    for model, result in shown.items():
        assert f"{model}: P(S1) {100 * result['s1_accuracy']:.1f}%" in by_name["profile"].alt
        assert model in by_name["s1"].alt
    row = next(row for row in contents.ablation if row["setting"] == "no-audio")
    share = 100 * row["roles"]["5"]["shares"]["Distracting"]
    assert f"no-audio (n={row['roles']['5']['n']})" in by_name["roles"].alt
    assert f"Distracting {share:.1f}%" in by_name["roles"].alt


def test_letters_that_no_font_has_become_numbers_that_the_caption_explains() -> None:
    # Linear B is in none of the fonts that figures use.
    names = ["plain", "𐀀𐀁𐀂"]
    with style.fonts_for(names):
        assert style.labels(names) == ["plain", "model 2"]
        assert "model 2: 𐀀𐀁𐀂" in style.substitutes(names)
    with style.fonts_for(["plain"]):
        assert style.substitutes(["plain"]) == ""


def test_local_scripts_are_drawn_where_a_font_is_installed() -> None:
    if "Noto Sans Khmer" not in style.installed():
        pytest.skip("no Noto Sans Khmer on this machine (Debian: fonts-noto-core)")
    with style.fonts_for(NAMES):
        assert style.labels(NAMES)[3] == NAMES[3]
        assert style.fonts()[0] == style.OWN_FONT
    assert style.fonts() == (style.OWN_FONT,)


def test_roles_and_modes_are_apart_in_grey() -> None:
    for colours in (style.ROLE_COLOURS, style.MODE_COLOURS):
        greys = [grey(colour) for colour in colours.values()]
        assert all(abs(a - b) > 0.1 for a, b in itertools.combinations(greys, 2))


def grey(colour: str) -> float:
    """Rec. 709 luma of #rrggbb, 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_twelve_models_differ_without_colour() -> None:
    styles = style.line_styles([f"m{n}" for n in range(12)])
    assert len({found["marker"] for found in styles.values()}) == 12


def test_the_same_data_give_the_same_bytes(contents: Contents) -> None:
    from cmb_harness.report.figures.profile import profile_figure

    first, second = profile_figure(contents), profile_figure(contents)
    assert first
    assert second
    assert first.svg == second.svg
    assert first.png == second.png


def test_a_model_that_only_localizes_has_no_empty_chart(small_release: Any, contents: Contents) -> None:
    dataset = small_release.folder / "cmb"
    runs = gather([small_release.add_run("grounder", 0.6, stages=("s3",))], dataset=dataset)
    only = gather_contents(runs, Selection("carry", n_resamples=20), read_region(), contents.public)
    papers = {figure.paper for figure in draw.figures_of(only)}
    assert papers == {"Figure 5", "Figure 6", "Figure 10", "Figure 11", "Figure 12", "Figure 13"}
