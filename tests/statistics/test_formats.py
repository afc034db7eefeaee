"""How numbers print, and that every format says the same and can be read again."""

import csv
import io
import json

import pytest

from cmb_harness.report.formats import to_csv, to_json, to_latex, to_markdown, to_text
from cmb_harness.report.tables import Number, Table, stars

TABLE = Table(
    "differences",
    "Δ of a & b, 100%",
    ("pair", "ΔS1", "c_S2"),
    [
        [
            "a_1 | b",
            Number(0.069, [0.023, 0.114], n=306, p=0.004, scale="points", definition="a, less b", bold=True),
            "-",
        ],
        [
            "ไทย - é",
            Number(None, definition="nothing"),
            Number(0.895, n=238, p=0.0001, stars=3, definition="c"),
        ],
    ],
    ["a note with 5%"],
    "cmb_metric:1|mode:carry",
)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Number(0.7778, [0.732, 0.8235]), "77.8 [73.2, 82.3]"),
        (Number(0.069, [0.023, -0.0004], scale="points"), "+6.9 [+2.3, +0.0]"),
        (Number(None, [0.1, 0.2]), "-"),
        (Number(0.895, stars=3), "89.5***"),
        (Number(0.5, None), "50.0"),
        (Number(306, scale="plain"), "306"),
        (Number(16.7142, scale="plain"), "16.714"),
        (Number(0.0001, scale="p"), "<.001"),
        (Number(0.0452, scale="p"), ".045"),
        (Number(1.0, scale="p"), "1.000"),
    ],
)
def test_numbers_print_as_the_paper_prints_them(number: Number, text: str) -> None:
    assert number.text() == text


@pytest.mark.parametrize(
    ("p", "n"), [(None, 0), (0.05, 0), (0.049, 1), (0.01, 1), (0.0099, 2), (0.001, 2), (0.0001, 3)]
)
def test_stars_are_below_their_level(p: float | None, n: int) -> None:
    assert stars(p) == n


def test_text_columns_stand_under_each_other() -> None:
    lines = to_text([TABLE]).splitlines()
    assert lines[0] == "Δ of a & b, 100%"
    assert lines[3].split("  ")[:2] == ["a_1 | b", "+6.9 [+2.3, +11.4]†"]
    assert lines[3].endswith("        -")
    assert lines[4].endswith("  89.5***")
    assert len(lines[3]) == len(lines[4]) == len(lines[2])
    assert lines[-1] == TABLE.signature


def test_combining_marks_take_no_column_and_wide_characters_two() -> None:
    table = Table("t", "t", ("", "n"), [["กิน", Number(1, scale="plain")], ["祭", Number(2, scale="plain")]])
    assert to_text([table]).splitlines()[3:] == ["กิน  1", "祭  2"]


def test_csv_has_a_line_a_number() -> None:
    first, second, third, fourth = csv.DictReader(io.StringIO(to_csv([TABLE])))
    assert first["value"] == "0.069"
    assert (first["lo"], first["hi"], first["n"], first["p"]) == ("0.023", "0.114", "306", "0.004")
    assert (first["row"], first["column"], first["significant"]) == ("a_1 | b", "ΔS1", "True")
    assert (second["text"], second["value"]) == ("-", "")
    assert (third["row"], third["value"]) == ("ไทย - é", "")
    assert (fourth["text"], fourth["significant"]) == ("89.5***", "True")
    assert {row["signature"] for row in (first, second)} == {TABLE.signature}


def test_json_is_plain() -> None:
    (written,) = json.loads(json.dumps(to_json([TABLE]), allow_nan=False))
    assert written["numbers"][0] == {
        "row": "a_1 | b",
        "column": "ΔS1",
        "value": 0.069,
        "ci": [0.023, 0.114],
        "n": 306,
        "p": 0.004,
        "significant": True,
        "text": "+6.9 [+2.3, +11.4]",
        "definition": "a, less b",
    }


def test_markdown_escapes_and_marks() -> None:
    text = to_markdown([TABLE])
    assert r"| a\_1 \| b | **+6.9 [+2.3, +11.4]** | - |" in text
    assert r"89.5\*\*\*" in text
    assert "`cmb_metric:1|mode:carry`" in text


def test_latex_escapes_and_marks() -> None:
    text = to_latex([TABLE])
    assert r"a\_1 $|$ b & \textbf{+6.9} [+2.3, +11.4] & - \\" in text
    assert r"89.5$^{***}$" in text
    assert r"\toprule" in text
    assert r"\bottomrule" in text
    assert r"$\Delta$ of a \& b, 100\%" in text
    assert text.count("{") == text.count("}")
