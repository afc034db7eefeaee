"""All figures that the data of a report allow."""

from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.report.contents import Contents
from cmb_harness.report.figures.drawn import Drawn


def figures_of(contents: Contents, similarity: Any = None) -> list[Drawn]:
    """The figures, in the order of the page; none is drawn without data.

    Raises:
        InputError: matplotlib is not installed.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError('cmb report needs matplotlib: pip install "cmb-benchmark[report]"') from None
    from cmb_harness.report.figures.profile import profile_figure

    return [profile_figure(contents)]
