"""Reference rows from loaded configurations and from plain rows."""

import pytest

import cmb_metric

COMMON = {
    "concept_id": "ID-Dance-01",
    "country": "ID",
    "category": "Dance",
    "writing_cluster": "Latin",
}
MOMENTS = [{"video_id": f"video{n}", "start_s": 0.0, "end_s": 1.0, "clip": None} for n in range(4)]
ROWS = {
    "s1": {"item_id": "ID-Dance-01/s1", **COMMON, "description": "d", "options": list("abcd"), "answer": 2},
    "s2": {"item_id": "ID-Dance-01/s2", **COMMON, "description": "d", "options": MOMENTS, "answer": 1},
    "s3": {"item_id": "ID-Dance-01/s3/1", **COMMON, "concept_name": "n", "cue": "c", "span": [1.0, 2.0]},
}
EXPECTED = {
    "s1": {"item_id": "ID-Dance-01/s1", **COMMON, "stage": "s1", "answer": 2, "span": None},
    "s2": {"item_id": "ID-Dance-01/s2", **COMMON, "stage": "s2", "answer": 1, "span": None},
    "s3": {"item_id": "ID-Dance-01/s3/1", **COMMON, "stage": "s3", "answer": None, "span": [1.0, 2.0]},
}


@pytest.mark.parametrize("stage", ["s1", "s2", "s3"])
def test_from_a_dataset_its_splits_and_plain_rows(stage: str) -> None:
    import datasets

    loaded = datasets.Dataset.from_list([ROWS[stage]])
    for given in (loaded, datasets.DatasetDict(train=loaded), [ROWS[stage]], {"train": [ROWS[stage]]}):
        assert cmb_metric.references(given) == [EXPECTED[stage]]


def test_hidden_rows_have_no_key() -> None:
    row = {"item_id": "s1-0a", "category": "Dance", "description": "d", "options": list("abcd")}
    (reference,) = cmb_metric.references([row])
    assert reference["stage"] == "s1"
    assert (reference["answer"], reference["concept_id"]) == (None, None)


def test_several_stages_at_once() -> None:
    assert cmb_metric.references({stage: {"train": [row]} for stage, row in ROWS.items()}) == list(
        EXPECTED.values()
    )


def test_columns_with_media_are_not_read() -> None:
    """A Video column would be decoded row by row."""

    class Watched:
        column_names = ("item_id", "cue", "span", "video")

        def select_columns(self, names: list[str]) -> list[dict]:
            assert "video" not in names
            return [{"item_id": "a/s3/1", "span": [0.0, 1.0]}]

    assert cmb_metric.references(Watched())[0]["span"] == [0.0, 1.0]


def test_records_are_no_items() -> None:
    with pytest.raises(cmb_metric.MetricError, match="expected rows of s1, s2 or s3"):
        cmb_metric.references([{"concept_id": "ID-Dance-01", "description": "d"}])
