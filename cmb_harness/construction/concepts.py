"""The concept table: what a team fills in before there are any questions."""

import math
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cmb_harness.construction.distractors.pool import fold_name
from cmb_harness.construction.faults import ConstructionError
from cmb_harness.construction.table import TableRow, read_table
from cmb_harness.records import Moment, Pair, Region, video_id

VARIANTS = ("common_latin", "official_latin", "common_local", "official_local")
KEY_COLUMNS = ("concept_id", "country", "category", "common_latin")
VIDEO_A_COLUMNS = ("video_A_url", "video_A_start_s", "video_A_end_s")
PAIR_COLUMNS = ("video_B_url", "video_B_start_s", "video_B_end_s", "s3_cue")
COLUMNS = (
    "concept_id",
    "country",
    "category",
    *VARIANTS,
    "description",
    *VIDEO_A_COLUMNS,
    *PAIR_COLUMNS,
    "duration_s",
)
_CONCEPT_COLUMNS = ("country", "category", *VARIANTS, "description", *VIDEO_A_COLUMNS)
_ID = re.compile(r"([A-Z]{2})-([A-Za-z]+)-[0-9]{2,}")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?", re.ASCII)


@dataclass(frozen=True)
class Concept:
    """One concept of the table.

    Attributes:
        concept_id: ``<country>-<category>-<number>``.
        common_latin: the name that every table and question shows by default.
        official_latin, common_local, official_local: its other forms; "" where they are not known.
        description: what it symbolizes, the stem of S1 and S2; "" where it is still to be written.
        moment: the part of video A that S2 shows; None where it is still to be chosen.
        s3_pairs: sub-events on videos B, none or several.
        extra: cells of other columns.
    """

    concept_id: str
    country: str
    category: str
    common_latin: str
    official_latin: str = ""
    common_local: str = ""
    official_local: str = ""
    description: str = ""
    moment: Moment | None = None
    s3_pairs: tuple[Pair, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict, hash=False)


def read_concepts(
    path: str | os.PathLike[str], region: Region | None = None, *, needs: Collection[str] = ()
) -> list[Concept]:
    """Read and check a concept table, CSV or JSON.

    The columns are those of ``COLUMNS``; ``concept_id``, ``country``, ``category`` and ``common_latin`` must be there.
    Numbers have a decimal point or, where ``;`` or tab separates the cells, a decimal comma. A further pair repeats
    the concept_id and leaves the concept's cells empty (or repeats them). Other columns are kept.

    Args:
        region: countries and categories must be this region's; None checks neither.
        needs: columns that must be filled for every concept, such as ``"description"`` or ``"video_A_url"``.

    Returns:
        The concepts in the order in which the table first names them.

    Raises:
        ConstructionError: every fault, each with file, line (or row of a JSON list), column and what was expected.
    """
    rows = read_table(path)
    reader = _Reader(str(path), region, needs)
    concepts = reader.concepts(rows)
    if reader.faults:
        raise ConstructionError(reader.faults)
    return concepts


class _Reader:
    """Turns rows into concepts and collects what is wrong with them."""

    def __init__(self, file: str, region: Region | None, needs: Collection[str]):
        self.file, self.region = file, region
        self.needs = {*KEY_COLUMNS, *needs}
        self.faults: list[str] = []

    def concepts(self, rows: Sequence[TableRow]) -> list[Concept]:
        missing = [name for name in KEY_COLUMNS if not any(name in row.cells for row in rows)]
        if missing:
            self.faults.append(f"{self.file}: no cell in the columns {', '.join(missing)}")
            return []
        read: dict[str, tuple[TableRow, Concept]] = {}
        for row in rows:
            self._add(row, read)
        self._check_together(read.values())
        return [concept for _, concept in read.values()]

    def _add(self, row: TableRow, read: dict[str, tuple[TableRow, Concept]]) -> None:
        concept_id = row.cells.get("concept_id", "")
        first = read.get(concept_id)
        pair = self._pair(row)
        if first is None:
            concept = self._concept(row)
            read[concept_id or row.place] = row, replace(concept, s3_pairs=(pair,) if pair else ())
            return
        for name in _CONCEPT_COLUMNS:
            if name in row.cells and row.cells[name] != first[0].cells.get(name):
                self._note(row, name, f"differs from {first[0].place}, which is the same concept")
        if not any(name in row.cells for name in PAIR_COLUMNS):
            self._note(row, "concept_id", f"{concept_id} stands at {first[0].place} already")
        elif pair:
            read[concept_id] = first[0], replace(first[1], s3_pairs=(*first[1].s3_pairs, pair))

    def _concept(self, row: TableRow) -> Concept:
        cells = row.cells
        for name in COLUMNS:
            if name in self.needs and name not in cells:
                self._note(row, name, "missing")
        self._check_id(row)
        extra = {name: cell for name, cell in cells.items() if name not in COLUMNS}
        texts = {name: cells.get(name, "") for name in (*KEY_COLUMNS, *VARIANTS, "description")}
        moment = self._video(row, VIDEO_A_COLUMNS)
        return Concept(moment=moment, extra=extra, **texts)  # type: ignore[arg-type]

    def _check_id(self, row: TableRow) -> None:
        concept_id = row.cells.get("concept_id")
        match = _ID.fullmatch(concept_id or "")
        if concept_id and not match:
            expected = "expected <country>-<category>-<number>, like ID-Dance-01"
            self._note(row, "concept_id", f"{concept_id!r}: {expected}")
        known = self.region and {
            "country": tuple(self.region.writing_clusters),
            "category": self.region.categories,
        }
        for part, name in enumerate(("country", "category"), 1):
            value = row.cells.get(name)
            if match and value and value != match[part]:
                self._note(row, name, f"{value!r} does not agree with concept_id {concept_id}")
            elif value and known and value not in known[name]:
                self._note(row, name, f"{value!r} is not in the region ({', '.join(known[name])})")

    def _pair(self, row: TableRow) -> Pair | None:
        if not any(name in row.cells for name in PAIR_COLUMNS):
            if "duration_s" in row.cells:
                self._note(row, "duration_s", "is the length of video B, but this row has no video B")
            return None
        span = self._video(row, PAIR_COLUMNS[:3])
        cue = row.cells.get("s3_cue")
        if cue is None:
            self._note(row, "s3_cue", "missing beside video B")
        duration_s = self._seconds(row, "duration_s") if "duration_s" in row.cells else None
        if duration_s is not None and span and span.end_s > duration_s:
            self._note(row, "video_B_end_s", f"{span.end_s:g} is past the video's {duration_s:g} s")
        return Pair(*span, cue, duration_s) if span and cue else None

    def _video(self, row: TableRow, columns: Sequence[str]) -> Moment | None:
        """A part of a video from its three columns; None where all are empty, or after a fault."""
        given = [name for name in columns if name in row.cells]
        for name in columns:
            if name not in given and (given or columns[0] in PAIR_COLUMNS):
                self._note(row, name, f"missing beside {', '.join(given) or 's3_cue'}")
        video = self._video_id(row, columns[0]) if columns[0] in given else None
        start_s, end_s = (self._seconds(row, name) if name in given else None for name in columns[1:])
        if video is None or start_s is None or end_s is None:
            return None
        # Clips are told apart to the millisecond, so a shorter moment is none.
        if round(start_s, 3) >= round(end_s, 3):
            self._note(row, columns[1], f"{start_s:g} is not before the end, {end_s:g}")
            return None
        return Moment(video, start_s, end_s)

    def _video_id(self, row: TableRow, column: str) -> str | None:
        try:
            return video_id(row.cells[column])
        except ValueError as error:
            self._note(row, column, str(error))
            return None

    def _seconds(self, row: TableRow, column: str) -> float | None:
        cell = row.cells[column].replace(row.decimal, ".")
        if _NUMBER.fullmatch(cell) and math.isfinite(float(cell)) and float(cell) < 1e9:
            return float(cell)
        self._note(row, column, f"{row.cells[column]!r}: expected seconds, such as 12.5")
        return None

    def _check_together(self, read: Iterable[tuple[TableRow, Concept]]) -> None:
        """Names twice in a country, moments of two concepts, and videos B that are video A or come twice."""
        names: dict[tuple[str, str, str], str] = {}
        moments: dict[Moment, str] = {}
        for row, concept in read:
            place = f"{concept.concept_id or '?'} ({row.place})"
            name = (concept.country, concept.category, fold_name(concept.common_latin))
            if concept.common_latin and names.setdefault(name, place) != place:
                self._note(row, "common_latin", f"{concept.common_latin!r} is the name of {names[name]} too")
            if concept.moment and moments.setdefault(concept.moment, place) != place:
                self._note(row, "video_A_url", f"the moment is that of {moments[concept.moment]} too")
            self._check_pairs(row, concept)

    def _check_pairs(self, row: TableRow, concept: Concept) -> None:
        spans = Counter((pair.video_url, pair.start_s, pair.end_s) for pair in concept.s3_pairs)
        for pair in concept.s3_pairs:
            if concept.moment and pair.video_url == concept.moment.video_id:
                self._note(row, "video_B_url", f"{concept.concept_id}: video B is video A ({pair.video_url})")
        for (video, start_s, end_s), count in spans.items():
            if count > 1:
                where = f"{video} from {start_s:g} to {end_s:g} s"
                self._note(row, "video_B_url", f"{concept.concept_id}: {where} is given {count} times")

    def _note(self, row: TableRow, column: str, message: str) -> None:
        self.faults.append(f"{self.file}: {row.place}: {column}: {message}")
