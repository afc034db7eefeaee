"""A figure that is drawn: its bytes, and what it says to those who cannot see it."""

import base64
import io
import warnings
from dataclasses import dataclass
from typing import Any

from cmb_harness.report.figures.style import settings

PNG_DPI = 144


@dataclass(frozen=True)
class Drawn:
    """One figure.

    Attributes:
        name: of its files.
        paper: the paper's figure, such as ``Figure 3``; empty where it has none.
        section: of the page.
        title, note: the caption; the note says how to read it.
        alt: the numbers, in words.
        svg, png: the files' bytes.
        width, height: CSS pixels.
    """

    name: str
    paper: str
    section: str
    title: str
    note: str
    alt: str
    svg: bytes
    png: bytes
    width: int
    height: int

    @property
    def source(self) -> str:
        """The SVG as a data URL."""
        return f"data:image/svg+xml;base64,{base64.b64encode(self.svg).decode('ascii')}"


@dataclass(frozen=True)
class Words:
    """What a figure is called and what it says; see `Drawn`."""

    name: str
    paper: str
    section: str
    title: str
    note: str
    alt: str


def drawn(figure: Any, words: Words) -> Drawn:
    """Save a matplotlib figure; the same data give the same bytes."""
    import matplotlib

    svg, png = io.BytesIO(), io.BytesIO()
    with matplotlib.rc_context(settings()), warnings.catch_warnings():
        # Glyphs that no font has were replaced before they were drawn.
        warnings.filterwarnings("ignore", "Glyph")
        # The layout takes longer than the drawing, and is the same for both files.
        figure.draw_without_rendering()
        figure.set_layout_engine(None)
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        figure.savefig(png, format="png", dpi=PNG_DPI, metadata={"Software": None})
    width, height = (round(96 * inches) for inches in figure.get_size_inches())
    return Drawn(**vars(words), svg=svg.getvalue(), png=png.getvalue(), width=width, height=height)
