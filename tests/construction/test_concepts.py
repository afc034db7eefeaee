"""The concept table as spreadsheets write it, and everything that can be wrong with one."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_harness.construction.concepts import COLUMNS, Concept, read_concepts
from cmb_harness.construction.faults import ConstructionError
from cmb_harness.records import Moment, Pair, read_region

A, B, C = "aaaaaaaaaaa", "bbbbbbbbbbb", "ccccccccccc"
ROBAM = ("KH-Dance-01", "KH", "Dance", "Robam", "", "របាំ", "", 'A "wish", said\nin two lines', A, "1.5", "4")
TARI = (
    "ID-Dance-01",
    "ID",
    "Dance",
    "Tari",
    "",
    "",
    "",
    "Another wish",
    f"youtube.com/watch?v={C}",
    "0",
    "5",
)
ROWS = [
    [*ROBAM, B, "0", "2.25", "the first bow", "60"],
    ["KH-Dance-01", *[""] * 10, f"https://youtu.be/{C}", "3", "9", "the last; bow", ""],
    [*TARI, *[""] * 5],
]
EXPECTED = [
    Concept(
        "KH-Dance-01",
        "KH",
        "Dance",
        "Robam",
        common_local="របាំ",
        description='A "wish", said\nin two lines',
        moment=Moment(A, 1.5, 4.0),
        s3_pairs=(Pair(B, 0.0, 2.25, "the first bow", 60.0), Pair(C, 3.0, 9.0, "the last; bow")),
    ),
    Concept("ID-Dance-01", "ID", "Dance", "Tari", description="Another wish", moment=Moment(C, 0.0, 5.0)),
]


def as_csv(rows, *, delimiter=",", quoting=csv.QUOTE_MINIMAL, header=COLUMNS, ending="\r\n") -> str:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, quoting=quoting, lineterminator=ending).writerows([header, *rows])
    return text.getvalue()


def put(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_what_spreadsheets_export_is_read_alike(tmp_path, bom, delimiter, ending, quoting) -> None:
    text = bom + as_csv(ROWS, delimiter=delimiter, quoting=quoting, ending=ending)
    assert read_concepts(put(tmp_path / "table.csv", text)) == EXPECTED


def test_json_rows_are_read_alike(tmp_path) -> None:
    numbers = {"video_A_start_s", "video_A_end_s", "video_B_start_s", "video_B_end_s", "duration_s"}
    rows = [
        {
            name: (float(cell) if cell else None) if name in numbers else cell
            for name, cell in zip(COLUMNS, row, strict=True)
        }
        for row in ROWS
    ]
    assert read_concepts(put(tmp_path / "table.json", json.dumps(rows))) == EXPECTED


def test_a_decimal_comma_is_read_where_it_is_no_delimiter(tmp_path) -> None:
    rows = [[cell.replace(".", ",") if cell in ("1.5", "2.25") else cell for cell in row] for row in ROWS]
    assert read_concepts(put(tmp_path / "table.csv", as_csv(rows, delimiter=";"))) == EXPECTED
    with pytest.raises(
        ConstructionError, match=r"line 2: video_A_start_s: '1,5': expected seconds, such as 12\.5"
    ):
        read_concepts(put(tmp_path / "table.csv", as_csv(rows)))


def test_other_columns_empty_rows_and_a_sep_line_are_taken(tmp_path) -> None:
    rows = [[*ROWS[0], "by hand"], [""] * 17, [*ROWS[1], ""], [*ROWS[2], ""], [""] * 17]
    text = "sep=;\r\n" + as_csv(rows, delimiter=";", header=[*COLUMNS, "source"])
    first, second = read_concepts(put(tmp_path / "table.csv", text))
    assert first.extra == {"source": "by hand"}
    assert second.extra == {}
    assert len(first.s3_pairs) == 2


def test_the_shipped_inventory_has_the_counts_of_the_paper(tmp_path) -> None:
    shipped = Path(__file__).resolve().parents[2] / "cmb_harness/regions/southeast_asia_inventory.csv"
    concepts = read_concepts(shipped, read_region())
    counts = [sum(c.category == name for c in concepts) for name in read_region().categories]
    assert counts == [91, 60, 76, 68, 11]
    with pytest.raises(ConstructionError) as told:
        read_concepts(shipped, needs=("description",))
    assert len(told.value.faults) == 306
    assert told.value.faults[0] == f"{shipped}: line 2: description: missing"


def changed(row: int, **cells: str):
    rows = [list(one) for one in ROWS]
    for name, cell in cells.items():
        rows[row][COLUMNS.index(name)] = cell
    return rows


@pytest.mark.parametrize(
    ("rows", "faults"),
    [
        (changed(2, concept_id="ID-Dance-1"), ["line 5: concept_id: 'ID-Dance-1': expected <country>-"]),
        (changed(2, country="XX"), ["line 5: country: 'XX' does not agree with concept_id ID-Dance-01"]),
        (
            changed(2, category="Music"),
            ["line 5: category: 'Music' does not agree with concept_id ID-Dance-01"],
        ),
        (
            changed(2, concept_id="XX-Dance-01", country="XX"),
            ["line 5: country: 'XX' is not in the region (KH, ID, MY, MM, PH, TH, VN)"],
        ),
        (changed(2, common_latin=""), ["line 5: common_latin: missing"]),
        (changed(2, video_A_url=""), ["line 5: video_A_url: missing beside video_A_start_s, video_A_end_s"]),
        (
            changed(2, video_A_url="https://vimeo.com/1"),
            ["line 5: video_A_url: expected the URL or the 11-char"],
        ),
        (changed(2, video_A_end_s="1:30"), ["line 5: video_A_end_s: '1:30': expected seconds, such as 12.5"]),
        (changed(2, video_A_end_s="-1"), ["line 5: video_A_end_s: '-1': expected seconds"]),
        (changed(2, video_A_end_s="inf"), ["line 5: video_A_end_s: 'inf': expected seconds"]),
        (changed(2, video_A_start_s="5"), ["line 5: video_A_start_s: 5 is not before the end, 5"]),
        (changed(1, s3_cue=""), ["line 4: s3_cue: missing beside video B"]),
        (
            changed(1, video_B_url=""),
            ["line 4: video_B_url: missing beside video_B_start_s, video_B_end_s"],
        ),
        (changed(0, duration_s="2"), ["line 2: video_B_end_s: 2.25 is past the video's 2 s"]),
        (changed(0, video_B_url=A), [f"line 2: video_B_url: KH-Dance-01: video B is video A ({A})"]),
        (
            changed(1, description="Other"),
            ["line 4: description: differs from line 2, which is the same concept"],
        ),
        (
            changed(2, duration_s="9"),
            ["line 5: duration_s: is the length of video B, but this row has no video B"],
        ),
        (
            changed(1, video_B_url=B, video_B_start_s="0", video_B_end_s="2.25"),
            [f"line 2: video_B_url: KH-Dance-01: {B} from 0 to 2.25 s is given 2 times"],
        ),
        (
            changed(2, concept_id="KH-Dance-02", country="KH", common_latin="ROBAM"),
            ["line 5: common_latin: 'ROBAM' is the name of KH-Dance-01 (line 2) too"],
        ),
        (
            changed(2, video_A_url=A, video_A_start_s="1.5", video_A_end_s="4"),
            ["line 5: video_A_url: the moment is that of KH-Dance-01 (line 2) too"],
        ),
        ([*ROWS, ROWS[2]], ["line 6: concept_id: ID-Dance-01 stands at line 5 already"]),
        (
            changed(0, country="", category="", video_A_end_s="x"),
            ["line 2: country: missing", "line 2: category: missing", "line 2: video_A_end_s: 'x'"],
        ),
    ],
)
def test_every_fault_names_its_line_and_column(tmp_path, rows, faults) -> None:
    path = put(tmp_path / "table.csv", as_csv(rows))
    with pytest.raises(ConstructionError) as told:
        read_concepts(path, read_region())
    assert len(told.value.faults) == len(faults)
    for fault, expected in zip(told.value.faults, faults, strict=True):
        assert fault.startswith(f"{path}: {expected}")


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "holds no row"),
        (b"concept_id,country\n", "holds no row"),
        ("concept_id;country\nä".encode("latin-1"), "line 2: not UTF-8 (byte 19)"),
        ("concept_id,country".encode("utf-16"), "UTF-16; export it as CSV in UTF-8"),
        (b"PK\x03\x04\0\0", "line 1: holds a NUL byte, so it is no table"),
        (b"a,a\n1,2\n", "line 1: a: two columns have this name"),
        (b",,\n1,2\n", "line 1: expected the names of the columns"),
        (b"a,b\n1,2,3\n", "line 2: cell 3 stands in no named column"),
        (b'a,b\n1,"2\n3,4\n', "line 2: not CSV from here on: unexpected end of data"),
        (b"concept_id,b\n1,2\n", "no cell in the columns country, category, common_latin"),
        (b"[1]", "row 1: expected an object, found int"),
        (b'[{"a": ["b"]}]', "row 1: a: expected a text or a number, found a list"),
        (b'[{"a": true}]', "row 1: a: expected a text or a number, found true or false"),
        (b'[{"a": "\\ud800"}]', "row 1: a: the text holds half a character (a lone surrogate)"),
        (b'{"a": 1}', "expected a list of rows, found one object"),
        (b'[{"a": 1}', "not JSON: Expecting ',' delimiter: line 1 column 10 (char 9)"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_files_that_are_no_table_are_told(tmp_path, content, fault) -> None:
    path = put(tmp_path / "table", content)
    with pytest.raises(ConstructionError) as told:
        read_concepts(path)
    assert told.value.faults == [f"{path}: {fault}"]


def test_a_missing_file_is_told(tmp_path) -> None:
    with pytest.raises(ConstructionError, match="cannot be read: No such file or directory"):
        read_concepts(tmp_path / "none.csv")


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=20).map(str.strip)
seconds = st.integers(0, 10**6).map(lambda ms: ms / 1000)
concepts = st.builds(
    Concept,
    concept_id=st.integers(1, 99).map(lambda n: f"ID-Dance-{n:02}"),
    country=st.just("ID"),
    category=st.just("Dance"),
    common_latin=st.integers(0, 10**6).map(str),
    common_local=cells,
    description=cells,
    moment=st.none() | st.builds(lambda a, b: Moment(A, a, a + b + 0.5), seconds, seconds),
    s3_pairs=st.lists(
        st.builds(lambda a, cue: Pair(B, a, a + 1, cue, None), seconds, cells.filter(bool)),
        max_size=3,
        unique_by=lambda pair: pair.start_s,
    ).map(tuple),
)


def rows_of(concept: Concept) -> list[list[object]]:
    moment = concept.moment or ("", "", "")
    own = [
        concept.concept_id,
        concept.country,
        concept.category,
        concept.common_latin,
        "",
        concept.common_local,
        "",
    ]
    pairs = [[pair.video_url, pair.start_s, pair.end_s, pair.cue, ""] for pair in concept.s3_pairs] or [
        [""] * 5
    ]
    return [
        [*own, concept.description, *moment, *pairs[0]],
        *([concept.concept_id, *[""] * 10, *pair] for pair in pairs[1:]),
    ]


@given(
    st.lists(
        concepts,
        min_size=1,
        max_size=5,
        unique_by=(lambda c: c.concept_id, lambda c: c.common_latin, lambda c: c.moment or c.concept_id),
    ),
    st.sampled_from(",;\t"),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_whatever_is_written_is_read_back(tmp_path_factory, table, delimiter, quoting) -> None:
    path = tmp_path_factory.mktemp("table") / "table.csv"
    rows = [row for concept in table for row in rows_of(concept)]
    put(path, as_csv(rows, delimiter=delimiter, quoting=quoting))
    assert read_concepts(path) == table


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: as_csv([[text] * 3]).encode()))
def test_no_bytes_bring_the_reader_down(tmp_path_factory, content) -> None:
    path = put(tmp_path_factory.mktemp("table") / "table.csv", content)
    with pytest.raises(ConstructionError):
        read_concepts(path)
