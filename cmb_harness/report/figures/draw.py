"""All figures that the data of a report allow."""

from collections.abc import Iterator
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.predictions import MODES
from cmb_harness.report.contents import Contents
from cmb_harness.report.figures.chain import chain_figure
from cmb_harness.report.figures.dataset import counts_figure, lengths_figure, similarity_figure
from cmb_harness.report.figures.drawn import Drawn
from cmb_harness.report.figures.heat import heat_figure
from cmb_harness.report.figures.profile import profile_figure
from cmb_harness.report.figures.roles import roles_by_figure, roles_figure
from cmb_harness.report.figures.spans import distribution_figure, durations_figure
from cmb_harness.report.figures.style import fonts_for
from cmb_harness.report.figures.variants import variants_figure

HEATS = (
    ("s3_iou@0.3", ("iou-at-0.3", "Figure 12", "S3 IoU@0.3 by category and writing cluster"), "S3 pairs"),
    ("s3_miou", ("miou", "Figure 13", "S3 mIoU by category and writing cluster"), "S3 pairs"),
)
S1 = ("s1", "Figure 15", "S1 accuracy by category and writing cluster")


def figures_of(contents: Contents, similarity: Any = None) -> list[Drawn]:
    """The figures, in the order of the page; none is drawn without data.

    Args:
        similarity: texts → (places → similarities), for Figure 7.

    Raises:
        InputError: matplotlib is not installed.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError('cmb report needs matplotlib: pip install "cmb-benchmark[report]"') from None
    with fonts_for(_names(contents)):
        first = profile_figure(contents)
        return [
            *([first] if first else []),
            *_of_models(contents),
            *_of_modalities(contents),
            *_of_items(contents, similarity),
        ]


def _names(contents: Contents) -> Iterator[str]:
    """Every text of a figure that is not ours."""
    yield from contents.runs.models
    yield from (country.name for country in contents.region.countries)
    for run in contents.runs.scored.values():
        for item in run.scored.items:
            yield from filter(None, (item.country, item.category, item.writing_cluster))


def _of_models(contents: Contents) -> Iterator[Drawn]:
    if any(row["difference"] is not None for row in contents.chain):
        yield chain_figure(contents)
    modes = [mode for mode in MODES if mode in {mode for _, mode in contents.results}]
    if any(result["s1_accuracy"] is not None for result in contents.shown.values()):
        yield heat_figure(contents, "s1_accuracy", S1, "concepts", [contents.mode])
    if any(result["n"]["pairs"] for result in contents.results.values()):
        for name, words, counted in HEATS:
            yield heat_figure(contents, name, words, counted, modes)
    if contents.durations:
        yield durations_figure(contents)
    if contents.distribution:
        yield distribution_figure(contents)
    if contents.variants:
        yield variants_figure(contents)


def _of_modalities(contents: Contents) -> Iterator[Drawn]:
    if contents.ablation:
        yield roles_figure(contents)
        yield roles_by_figure(contents)


def _of_items(contents: Contents, similarity: Any) -> Iterator[Drawn]:
    if contents.public.rows["s1"]:
        yield counts_figure(contents)
        yield lengths_figure(contents)
    if contents.public.records and similarity is not None:
        found = similarity_figure(contents, similarity)
        if found:
            yield found
