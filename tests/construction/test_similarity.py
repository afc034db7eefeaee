"""Similarities: the light stand-in by hand, matrices from files, and Sentence-BERT with real weights."""

import math

import numpy as np
import pytest

from cmb_harness.construction.faults import ConstructionError
from cmb_harness.construction.similarity import light_similarity, read_matrix

IDS = ["AA-Dance-01", "BB-Dance-01", "CC-Dance-01"]
MATRIX = np.array([[1.0, 0.5, 0.25], [0.5, 1.0, 0.125], [0.25, 0.125, 1.0]])


def test_the_light_similarity_by_hand() -> None:
    # " ab " has the sequences " ab", "ab ", " ab "; " ac " has " ac", "ac ", " ac ". In the first text the former count
    # twice. Each of the first three is in two of three texts, the others in one.
    two, one = math.log(4 / 3) + 1, math.log(4 / 2) + 1
    first = 3 * ((1 + math.log(2)) * two) ** 2 + 3 * one**2
    second = 3 * two**2
    shared = 3 * (1 + math.log(2)) * two * two
    expected = shared / math.sqrt(first * second)
    similarity = light_similarity(["ab Ab, ac!", "AB", "xyz"])([0, 1, 2])
    assert similarity == pytest.approx(np.array([[1, expected, 0], [expected, 1, 0], [0, 0, 1]]))


def test_the_light_similarity_sees_stems_in_any_script_and_no_synonyms() -> None:
    texts = [
        "harvest thanks",
        "thankful harvesting",
        "gratitude for crops",
        "ขอบคุณ การเก็บเกี่ยว",
        "ขอบคุณ ฝน",
        "",
        "!",
    ]
    similarity = light_similarity(texts)(range(7))
    assert similarity[0, 1] > 0.4
    assert similarity[0, 2] < 0.05
    assert similarity[3, 4] > 0.2
    assert not similarity[5].any()
    assert not similarity[6].any()


def test_parts_of_a_similarity_are_parts_of_the_whole() -> None:
    similarity = light_similarity(["a wish for rain", "rain and rice", "a bride's wish"])
    assert similarity([2, 0]) == pytest.approx(similarity([0, 1, 2])[np.ix_([2, 0], [2, 0])])


def test_a_matrix_is_read_from_each_kind_of_file(tmp_path) -> None:
    np.save(tmp_path / "a.npy", MATRIX)
    (tmp_path / "plain.csv").write_text("\n".join(",".join(map(str, row)) for row in MATRIX.tolist()))
    names = ["CC-Dance-01", "ZZ-Dance-01", "AA-Dance-01", "BB-Dance-01"]
    rows = {
        name: [
            MATRIX[IDS.index(name), IDS.index(other)] if {name, other} <= set(IDS) else 9 for other in names
        ]
        for name in names
    }
    lines = [",".join(["", *names]), *(",".join([name, *map(str, row)]) for name, row in rows.items())]
    (tmp_path / "named.csv").write_text("\ufeff" + "\r\n".join(lines))
    for name in ("a.npy", "plain.csv", "named.csv"):
        similarity = read_matrix(tmp_path / name, IDS)
        assert similarity([0, 1, 2]).tolist() == MATRIX.tolist()
        assert similarity([2, 0]).tolist() == [[1.0, 0.25], [0.25, 1.0]]


def damaged(**cells: float) -> np.ndarray:
    matrix = MATRIX.copy()
    for place, value in cells.items():
        matrix[int(place[1]), int(place[2])] = value
    return matrix


@pytest.mark.parametrize(
    ("matrix", "fault"),
    [
        (MATRIX[:2], r"similarity: the matrix is \(2, 3\), 3 concepts need \(3, 3\)"),
        (damaged(c01=0.4), "similarity: not symmetric: row 0, column 1 holds 0.4 against 0.5"),
        (damaged(c12=math.nan), "similarity: 1 values are not finite, the first at row 1, column 2"),
        (damaged(c12=math.inf, c21=math.inf), "similarity: 2 values are not finite"),
        (np.array(["a", "b"]), "no array of numbers"),
    ],
)
def test_a_matrix_that_cannot_be_used_is_told(tmp_path, matrix, fault) -> None:
    np.save(tmp_path / "a.npy", matrix)
    with pytest.raises(ConstructionError, match=fault):
        read_matrix(tmp_path / "a.npy", IDS)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("1,x\nx,1", "row 1: 'x' is no number"),
        ("1,2\n2", "the rows differ in length"),
        (f",{IDS[0]},{IDS[1]}\n{IDS[0]},1,0\n{IDS[1]},0,1", "columns: not there, or twice: CC-Dance-01"),
        ("", r"similarity: the matrix is \(0,\)"),
    ],
)
def test_a_csv_matrix_that_cannot_be_used_is_told(tmp_path, text, fault) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ConstructionError, match=fault):
        read_matrix(tmp_path / "a.csv", IDS)


def test_no_file_and_no_array_are_told(tmp_path) -> None:
    for name in ("none.npy", "none.csv"):
        with pytest.raises(ConstructionError, match="cannot be read: No such file"):
            read_matrix(tmp_path / name, IDS)
    (tmp_path / "a.npy").write_bytes(b"no array")
    with pytest.raises(ConstructionError, match=r"a\.npy: no array of numbers"):
        read_matrix(tmp_path / "a.npy", IDS)
