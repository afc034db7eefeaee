"""A table of results as data, apart from how it is printed. Every number carries what it is and what it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Number:
    """One result.

    Attributes:
        value: on the scale of the statistic (shares and IoU between 0 and 1); None where it is undefined.
        ci: the interval, or None where there is none.
        n: how many items, pairs or concepts it rests on.
        p: a two-sided p, where one was asked for.
        scale: ``percent`` prints 100 times the value with one decimal; ``points`` the same with a sign; ``plain``
            prints whole numbers whole and others with three decimals; ``p`` prints ``<.001`` or three decimals.
        definition: what the number is, in a line.
        bold: significant, by the rule that the table's note names.
        stars: 0 to 3, printed after the value.
    """

    value: float | None
    ci: Sequence[float] | None = None
    n: int | None = None
    p: float | None = None
    scale: str = "percent"
    definition: str = ""
    bold: bool = False
    stars: int = 0

    def text(self) -> str:
        """``77.8 [73.2, 82.4]``; a dash where the value is undefined."""
        value = self.value_text()
        if self.value is None or self.ci is None:
            return value
        return f"{value} [{', '.join(self._printed(bound) for bound in self.ci)}]"

    def value_text(self) -> str:
        """The value alone, with its stars."""
        return "-" if self.value is None else self._printed(self.value) + "*" * self.stars

    def _printed(self, value: float) -> str:
        if self.scale == "plain":
            return str(int(value)) if float(value).is_integer() else f"{value:.3f}"
        if self.scale == "p":
            return "<.001" if value < 0.001 else f"{value:.3f}".replace("0.", ".", 1)
        sign = "+" if self.scale == "points" else ""
        # Adding 0.0 turns -0.0, which a rounded small negative is, into 0.0.
        return f"{round(100 * value, 1) + 0.0:{sign}.1f}"


Cell = Number | str


@dataclass(frozen=True)
class Table:
    """Rows under named columns.

    Attributes:
        name: short, for files and CSV rows.
        title: one line.
        columns: the header, the first of them over the row labels.
        rows: cells, as many as columns; the first is the label.
        notes: lines under the table.
        signature: what the numbers can be compared with.
        stacked: on a terminal, intervals stand under their values, so that many columns fit.
    """

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = field(default_factory=tuple)
    signature: str = ""
    stacked: bool = False


def stars(p: float | None) -> int:
    """The paper's stars: 1 below .05, 2 below .01, 3 below .001."""
    return 0 if p is None else sum(p < level for level in (0.05, 0.01, 0.001))


def cell_text(cell: Cell) -> str:
    """What a cell prints as."""
    return cell if isinstance(cell, str) else cell.text()
