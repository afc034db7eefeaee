"""How every figure looks: colours that are apart in grey too, and fonts that have the letters."""

import contextlib
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

# Okabe and Ito's colours, the yellow left out: it is too light for lines on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "h", "p")
DASHES: tuple[Any, ...] = ("-", (0, (4, 2)), (0, (1, 1.2)), (0, (6, 2, 1, 2)))
INK, SOFT, GRID = "#1b1b1f", "#55565e", "#d4d5dc"
# Light, middle, dark: apart in grey too.
ROLE_COLOURS = {"Complementary": "#0B559F", "Redundant": "#DFE3E8", "Distracting": "#E69F00"}
ROLE_HATCHES = {"Complementary": "", "Redundant": "", "Distracting": "///"}
MODE_COLOURS = {"reset": "#E3E6EA", "carry": "#93C1E3", "feedback": "#3B7DAE"}
OWN_FONT = "DejaVu Sans"
LOCAL_FONTS = (
    "Noto Sans",
    "Noto Sans Thai",
    "Noto Sans Khmer",
    "Noto Sans Myanmar",
    "Noto Sans Lao",
    "Padauk",
)
LONGEST = 26


def settings() -> Any:
    """What matplotlib is told for every figure: a dictionary, typed so loosely because its own type lists every key."""
    return {
        "font.family": list(fonts()),
        "font.size": 9,
        "text.color": INK,
        "axes.edgecolor": SOFT,
        "axes.labelcolor": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 9.5,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.axisbelow": True,
        "axes.grid": False,
        "grid.color": GRID,
        "grid.linewidth": 0.6,
        "xtick.color": SOFT,
        "ytick.color": SOFT,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "legend.frameon": False,
        "hatch.linewidth": 0.6,
        "svg.fonttype": "path",
        "svg.hashsalt": "cmb",
        "savefig.facecolor": "white",
        "text.parse_math": False,
    }


def canvas(width: float, height: float, rows: int = 1, columns: int = 1, **options: Any) -> tuple[Any, Any]:
    """A figure of ``width`` × ``height`` inches and its axes, (rows, columns), without the global state of pyplot."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


# Each font that a text may be in is looked up anew for every text, so that only those that are needed are named.
_needed: ContextVar[tuple[str, ...]] = ContextVar("fonts", default=())


@contextlib.contextmanager
def fonts_for(texts: Iterable[str]) -> Iterator[None]:
    """Within: figures may hold these texts, each letter in the first installed font that has it."""
    letters = {ord(letter) for text in texts for letter in text} - _letters(OWN_FONT)
    needed = []
    for name in installed():
        if found := letters & _letters(name):
            needed.append(name)
            letters -= found
    token = _needed.set(tuple(needed))
    try:
        yield
    finally:
        _needed.reset(token)


def fonts() -> tuple[str, ...]:
    """matplotlib's own font, then those of local scripts that the texts of `fonts_for` need."""
    return (OWN_FONT, *_needed.get())


@functools.cache
def installed() -> tuple[str, ...]:
    """The fonts of local scripts that this machine has."""
    from matplotlib import font_manager

    names = {font.name for font in font_manager.fontManager.ttflist}
    return tuple(name for name in LOCAL_FONTS if name in names)


@functools.cache
def _letters(font: str) -> frozenset[int]:
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    path = font_manager.findfont(font_manager.FontProperties(family=font))
    return frozenset(FT2Font(path).get_charmap())


def labels(names: Sequence[str], prefix: str = "model", longest: int = LONGEST) -> list[str]:
    """Names as a figure can print them: shortened, and numbered where no installed font has their letters.

    Never boxes; the caption tells what a number stands for (`substitutes`).
    """
    return [
        shortened(name, longest) if _can_be_drawn(name) else f"{prefix} {place}"
        for place, name in enumerate(names, 1)
    ]


def substitutes(names: Sequence[str], prefix: str = "model") -> str:
    """What the numbered names of `labels` stand for, as a sentence; empty where none is."""
    told = [
        f"{label}: {name}"
        for label, name in zip(labels(names, prefix), names, strict=True)
        if not _can_be_drawn(name)
    ]
    return f" {'; '.join(told)} (no installed font has these letters)." if told else ""


def shortened(name: str, longest: int = LONGEST) -> str:
    """The name, its middle left out where it is longer than ``longest`` characters."""
    if len(name) <= longest:
        return name
    half = (longest - 1) // 2
    return f"{name[:half]}…{name[-half:]}"


def line_styles(names: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """Colour, dash and marker of each name; twelve and more are told apart without colour."""
    return {
        name: {
            "color": COLOURS[place % len(COLOURS)],
            "linestyle": DASHES[place % len(DASHES)],
            "marker": MARKERS[place % len(MARKERS)],
        }
        for place, name in enumerate(names)
    }


def styled(function: Any) -> Any:
    """Draw with `settings`, which leave the caller's own matplotlib as it was."""

    @functools.wraps(function)
    def within(*arguments: Any, **options: Any) -> Any:
        import matplotlib

        with matplotlib.rc_context(settings()):
            return function(*arguments, **options)

    return within


def _can_be_drawn(text: str) -> bool:
    return all(any(ord(letter) in _letters(font) for font in fonts()) for letter in text)
