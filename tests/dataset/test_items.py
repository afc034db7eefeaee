"""The rows made of records: public and hidden, phase by phase."""

import hashlib
import hmac
import json
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from cmb_dataset import (
    COLUMNS,
    CONFIGS,
    PHASES,
    STAGES,
    VARIANTS,
    WITHHELD,
    Record,
    RecordError,
    check_split,
    key_table,
    option_sources,
    records_sha256,
    stage_rows,
)

Row = dict[str, Any]
COMMON = ["item_id", "concept_id", "country", "category", "writing_cluster"]


def mac(salt_hex: str, text: str) -> str:
    return hmac.new(bytes.fromhex(salt_hex), text.encode(), hashlib.sha256).hexdigest()


def by_id(rows: list[Row]) -> dict[str, Row]:
    assert len({row["item_id"] for row in rows}) == len(rows)
    return {row["item_id"]: row for row in rows}


def test_the_columns_are_those_of_the_specification() -> None:
    assert list(COLUMNS["s1"]) == [
        *COMMON,
        "description",
        "options",
        "answer",
        *(f"options_{v}" for v in VARIANTS),
    ]
    assert list(COLUMNS["s2"]) == [*COMMON, "s1_item_id", "description", "options", "answer"]
    assert list(COLUMNS["s2"]["options"][0]) == ["video_id", "start_s", "end_s", "clip"]
    assert list(COLUMNS["s3"]) == [
        *COMMON,
        *("s2_item_id", "concept_name", "cue", "video_id", "video", "duration_s", "span"),
        *(f"concept_name_{v}" for v in VARIANTS),
    ]


def test_public_rows_by_hand(records: list[Record]) -> None:
    rows = {stage: by_id(stage_rows(records, stage)["train"]) for stage in STAGES}
    common = {"concept_id": "KH-Dance-01", "country": "KH", "category": "Dance", "writing_cluster": "Local"}
    assert rows["s1"]["KH-Dance-01/s1"] == {
        "item_id": "KH-Dance-01/s1",
        **common,
        "description": "What it stands for, number 2 of Dance.",
        "options": ["Nama Id Dance 01", "Nama Id Dance 02", "Nama Kh Dance 01", "Nama Kh Dance 02"],
        "answer": 2,
        "options_common_latin": [
            "Nama Id Dance 01",
            "Nama Id Dance 02",
            "Nama Kh Dance 01",
            "Nama Kh Dance 02",
        ],
        "options_official_latin": None,
        "options_common_local": ["ឈ្មោះ Dance-01", "ឈ្មោះ Dance-02", "ឈ្មោះ Dance-01", "ឈ្មោះ Dance-02"],
        "options_official_local": None,
    }
    assert rows["s2"]["KH-Dance-01/s2"] == {
        "item_id": "KH-Dance-01/s2",
        **common,
        "s1_item_id": "KH-Dance-01/s1",
        "description": "What it stands for, number 2 of Dance.",
        "options": [
            {"video_id": "AKHDan02_00", "start_s": 1.5, "end_s": 6.0, "clip": None},
            {"video_id": "AKHDan01_00", "start_s": 1.5, "end_s": 5.0, "clip": None},
            {"video_id": "AIDDan02_00", "start_s": 1.5, "end_s": 6.0, "clip": None},
            {"video_id": "AIDDan01_00", "start_s": 1.5, "end_s": 5.0, "clip": None},
        ],
        "answer": 1,
    }
    assert rows["s3"]["KH-Dance-01/s3/2"] == {
        "item_id": "KH-Dance-01/s3/2",
        **common,
        "s2_item_id": "KH-Dance-01/s2",
        "concept_name": "Nama Kh Dance 01",
        "cue": "the moment number 1 of what is seen",
        "video_id": "BKHDan01_00",
        "video": None,
        "duration_s": 61.25,
        "span": [25.0, 32.5],
        "concept_name_common_latin": "Nama Kh Dance 01",
        "concept_name_official_latin": None,
        "concept_name_common_local": "ឈ្មោះ Dance-01",
        "concept_name_official_local": None,
    }
    assert [len(rows[stage]) for stage in STAGES] == [32, 32, 24]


def test_without_a_split_all_is_public(records: list[Record]) -> None:
    for stage in STAGES:
        assert stage_rows(records, stage, phase="concluded")["test"] == []
    assert list(stage_rows(records, "records")) == ["train"]
    assert key_table(records, None, None, "concluded") == []


@pytest.mark.parametrize(
    ("phase", "items", "keys"),
    [
        (None, {"s1": 16, "s2": 16, "s3": 12}, 44),
        ("development", {"s1": 0, "s2": 0, "s3": 0}, 0),
        ("recognition", {"s1": 16, "s2": 16, "s3": 0}, 32),
        ("localization", {"s1": 16, "s2": 16, "s3": 12}, 44),
        ("concluded", {"s1": 16, "s2": 16, "s3": 12}, 44),
    ],
)
def test_what_is_out_in_each_phase(
    phase: str | None, items: dict[str, int], keys: int, records: list[Record], split: Row, secrets: Row
) -> None:
    for stage in STAGES:
        rows = stage_rows(records, stage, split, secrets, phase)
        assert {row["concept_id"] for row in rows["train"]} <= {*split["train"]}
        assert len(rows["train"]) == {"s1": 16, "s2": 16, "s3": 12}[stage]
        assert len(rows["test"]) == items[stage]
        for row in rows["test"]:
            assert list(row) == list(COLUMNS[stage])
            held_back = {name for name in (*WITHHELD[stage], "s2_item_id") if row.get(name, 0) is None}
            unlinked = {"s2_item_id"} if stage == "s3" and phase is None else set()
            assert held_back == (set() if phase == "concluded" else {*WITHHELD[stage]} | unlinked)
            assert row["category"] in ("Dance", "Music")
    assert len(key_table(records, split, secrets, phase)) == keys
    released = stage_rows(records, "records", split, secrets, phase)
    assert {row["concept_id"] for row in released["train"]} == {*split["train"]}
    assert ("test" in released) == (phase == "concluded")


def test_phases_only_add_to_what_was_out(records: list[Record], split: Row, secrets: Row) -> None:
    """Ids, orders and options stay from phase to phase; `concluded` fills in what was held back."""
    for stage in STAGES:
        out = [stage_rows(records, stage, split, secrets, phase)["test"] for phase in PHASES]
        for earlier, later in combinations(out, 2):
            shown = [{name: value for name, value in row.items() if value is not None} for row in earlier]
            assert shown in (
                [],
                [{name: row[name] for name in part} for row, part in zip(later, shown, strict=False)],
            )


def test_hidden_ids_and_row_orders_are_the_hmac_of_the_salts(
    records: list[Record], split: Row, secrets: Row
) -> None:
    # printf 'KH-Dance-07/s3/2' | openssl dgst -sha256 -mac HMAC -macopt hexkey:a1a1…a1 (16 times a1)
    assert "s3-0c78f0b66664495c" in {
        row["item_id"] for row in stage_rows(records, "s3", split, secrets, "localization")["test"]
    }
    public = {f"{concept}/s1": concept for concept in secrets["hidden_concepts"]}
    rows = stage_rows(records, "s1", split, secrets, "concluded")["test"]
    order = sorted(public, key=lambda item_id: mac(secrets["salts"]["s1"], f"row/{item_id}"))
    assert [row["concept_id"] for row in rows] == [public[item_id] for item_id in order]
    assert [row["item_id"] for row in rows] == [
        f"s1-{mac(secrets['salts']['ids'], item_id)[:16]}" for item_id in order
    ]


def test_hidden_options_are_those_of_the_record_in_another_order(
    records: list[Record], split: Row, secrets: Row
) -> None:
    known = {record.concept_id: record for record in records}
    moved = 0
    for stage in ("s1", "s2"):
        for row in stage_rows(records, stage, split, secrets, "concluded")["test"]:
            record = known[row["concept_id"]]
            if stage == "s1":
                assert sorted(row["options"]) == sorted(record.s1_options)
                assert row["options"][row["answer"]] == record.common_latin
                local = [f"ឈ្មោះ {name[8:].replace(' ', '-')}" for name in row["options"]]
                assert row["options_common_local"] == local
                moved += row["options"] != list(record.s1_options)
            else:
                options = [
                    (option["video_id"], option["start_s"], option["end_s"]) for option in row["options"]
                ]
                assert sorted(options) == sorted(record.s2_options)
                assert options[row["answer"]] == record.moment
                moved += options != list(record.s2_options)
    assert moved > 20


def test_stages_do_not_share_an_order(records: list[Record], split: Row, secrets: Row) -> None:
    tests = {stage: stage_rows(records, stage, split, secrets, "concluded")["test"] for stage in STAGES}
    orders = {stage: list(dict.fromkeys(row["concept_id"] for row in rows)) for stage, rows in tests.items()}
    for one, other in combinations(STAGES, 2):
        shared = [name for name in orders[one] if name in orders[other]]
        assert shared != [name for name in orders[other] if name in orders[one]]
        assert shared != sorted(shared)
    letters = {stage: {row["concept_id"]: row["answer"] for row in tests[stage]} for stage in ("s1", "s2")}
    assert letters["s1"] != letters["s2"]
    suffixes = [{row["item_id"][3:] for row in rows} for rows in tests.values()]
    assert all(not one & other for one, other in combinations(suffixes, 2))


@pytest.mark.parametrize("stage", ["s1", "s2"])
@pytest.mark.parametrize("n_hidden", [4, 8, 16, 15, 9, 1])
def test_letters_balance_within_one_per_category(
    stage: str, n_hidden: int, records: list[Record], secrets: Row
) -> None:
    # Options are not looked at here, so what crosses the split must not be told: keep moments and names apart.
    chosen = [record for record in records if record.category == "Dance"][:n_hidden]
    hidden = {"hidden_concepts": [record.concept_id for record in chosen], "salts": secrets["salts"]}
    split = {"train": [], "records_sha256": records_sha256(chosen)}
    rows = stage_rows(chosen, stage, split, hidden, "concluded")["test"]
    counts = Counter(row["answer"] for row in rows)
    assert len(rows) == n_hidden
    assert max(counts.values()) - min(counts[letter] for letter in range(4)) <= 1


def test_other_salts_give_other_ids_orders_and_letters(
    records: list[Record], split: Row, secrets: Row
) -> None:
    other = {**secrets, "salts": {name: salt[::-1] for name, salt in secrets["salts"].items()}}
    for stage in STAGES:
        one = stage_rows(records, stage, split, secrets, "concluded")["test"]
        two = stage_rows(records, stage, split, other, "concluded")["test"]
        assert not {row["item_id"] for row in one} & {row["item_id"] for row in two}
        assert [row["concept_id"] for row in one] != [row["concept_id"] for row in two]


def test_the_links_between_stages_follow_the_hidden_ids(
    records: list[Record], split: Row, secrets: Row
) -> None:
    rows = {stage: stage_rows(records, stage, split, secrets, "localization") for stage in STAGES}
    for part in ("train", "test"):
        s1, s2 = by_id(rows["s1"][part]), by_id(rows["s2"][part])
        assert {row["s1_item_id"] for row in s2.values()} == set(s1)
        for row in s2.values():
            assert s1[row["s1_item_id"]]["description"] == row["description"]
        for row in rows["s3"][part]:
            description = s2[row["s2_item_id"]]["description"]
            (record,) = [record for record in records if record.description == description]
            assert record.common_latin == row["concept_name"]


def test_the_key_table_answers_every_hidden_item(records: list[Record], split: Row, secrets: Row) -> None:
    keys = by_id(key_table(records, split, secrets, "localization"))
    known = {record.concept_id: record for record in records}
    seen = 0
    for stage in STAGES:
        for row in stage_rows(records, stage, split, secrets, "localization")["test"]:
            seen += 1
            key = keys[row["item_id"]]
            assert set(key) == {*COMMON, "stage", "answer", "span"}
            record = known[key["concept_id"]]
            assert (key["stage"], key["country"], key["writing_cluster"]) == (
                stage,
                record.country,
                record.writing_cluster,
            )
            if stage == "s3":
                spans = {pair.cue: [pair.start_s, pair.end_s] for pair in record.s3_pairs}
                assert (key["answer"], key["span"]) == (None, spans[row["cue"]])
            else:
                assert key["span"] == []
                option = row["options"][key["answer"]]
                assert (
                    option == record.common_latin
                    if stage == "s1"
                    else option["video_id"] == record.video_A_url
                )
    assert seen == len(keys) == 44


def test_variants_need_all_four_concepts(records: list[Record]) -> None:
    without = [record for record in records if record.concept_id != "ID-Dance-02"]
    rows = by_id(stage_rows(without, "s1")["train"])
    assert rows["ID-Dance-01/s1"]["options_common_local"] is None
    assert rows["ID-Dance-03/s1"]["options_common_local"] is not None


def test_no_hidden_row_says_whose_it_is(records: list[Record], split: Row, secrets: Row) -> None:
    for stage in STAGES:
        rows = stage_rows(records, stage, split, secrets, "localization")
        text = json.dumps(rows, ensure_ascii=False)
        assert not [name for name in secrets["hidden_concepts"] if name in text]
        assert "country" not in [name for row in rows["test"] for name in row if row[name] in ("ID", "KH")]


def told(records: list[Record], split: Any, secrets: Any) -> list[tuple[str, str, str]]:
    faults = check_split(records, split, secrets)
    if faults:
        with pytest.raises(RecordError) as caught:
            stage_rows(records, "s1", split, secrets)
        assert caught.value.faults == faults
    return [(fault.file, fault.record, fault.field) for fault in faults]


def test_splits_that_do_not_fit(records: list[Record], split: Row, secrets: Row) -> None:
    assert told(records, split, secrets) == []
    assert told(records, split, None) == [("secrets", "", "")]
    assert told(records, None, secrets) == [("split", "", "")]
    assert told(records, ["ID-Dance-01"], secrets) == [("split", "", "")]
    assert told(records, {**split, "train": "all"}, secrets)[0] == ("split", "", "train")
    assert told(records, {**split, "train": [*split["train"], "TH-Game-01"]}, secrets) == [
        ("split", "TH-Game-01", "train")
    ]
    assert told(records, {**split, "train": [*split["train"], "ID-Dance-01"]}, secrets) == [
        ("split", "ID-Dance-01", "train")
    ]
    less = {**secrets, "hidden_concepts": secrets["hidden_concepts"][1:]}
    assert told(records, split, less) == [("secrets", secrets["hidden_concepts"][0], "hidden_concepts")]
    more = {**secrets, "hidden_concepts": [*secrets["hidden_concepts"], "ID-Dance-01"]}
    assert told(records, split, more) == [("secrets", "ID-Dance-01", "hidden_concepts")]
    for salt in (None, "", "zz" * 16, "a1" * 8, 7, "a1" * 16 + "a"):
        bad = {**secrets, "salts": {**secrets["salts"], "s2": salt}}
        assert told(records, split, bad) == [("secrets", "", "salts.s2")]
    assert len(told(records, split, {**secrets, "salts": None})) == 4


def test_the_hash_of_a_split_is_that_of_ids_countries_and_categories(records: list[Record]) -> None:
    class Concept:
        def __init__(self, *values: str) -> None:
            self.concept_id, self.country, self.category = values

    # printf '[["ID-Dance-01","ID","Dance"],["KH-Music-02","KH","Music"]]' | sha256sum
    expected = "55b474b7c422a570e54fa9e47b6aa384282cca4d36d8efd4b3de77e19328b804"
    concepts = [Concept("KH-Music-02", "KH", "Music"), Concept("ID-Dance-01", "ID", "Dance")]
    assert records_sha256(concepts) == expected


def test_options_must_not_cross_the_split(
    raw_records: list[Row], records: list[Record], split: Row, secrets: Row, write_json: Any
) -> None:
    from cmb_dataset import read_records

    train = [name for name in split["train"] if name != "ID-Dance-01"]
    crossed = {**split, "train": train}
    hidden = {**secrets, "hidden_concepts": [*secrets["hidden_concepts"], "ID-Dance-01"]}
    found = told(records, crossed, hidden)
    # Three public items show the concept, and its own item shows their three concepts: in S1 and in S2.
    assert {name for _, name, _ in found} == {"ID-Dance-01", "ID-Dance-02", "KH-Dance-01", "KH-Dance-02"}
    assert Counter(name for _, name, _ in found)["ID-Dance-01"] == 6
    assert len(found) == 12
    # Without ids of the options, their names and moments tell.
    bare = [{**row, "s1_option_concept_ids": None} for row in raw_records]
    assert told(read_records(write_json("bare.json", bare)), crossed, hidden) == found


def test_shared_names_count_as_of_either_side(raw_records: list[Row], write_json: Any) -> None:
    from cmb_dataset import read_records

    text = json.dumps([{**row, "s1_option_concept_ids": None} for row in raw_records])
    text = text.replace("Nama Id Dance 07", "Kulintang").replace("Nama Id Dance 01", "Kulintang")
    sources = option_sources(read_records(write_json("r.json", json.loads(text))))
    assert sources["KH-Dance-01"]["s1"] == [
        {"ID-Dance-01", "ID-Dance-07"},
        {"ID-Dance-02"},
        {"KH-Dance-01"},
        {"KH-Dance-02"},
    ]
    assert sources["KH-Dance-01"]["s2"] == [
        {"KH-Dance-02"},
        {"KH-Dance-01"},
        {"ID-Dance-02"},
        {"ID-Dance-01"},
    ]


def test_unknown_phases_and_configs_raise(records: list[Record]) -> None:
    with pytest.raises(ValueError, match="expected one of development, recognition"):
        stage_rows(records, "s1", phase="final")
    with pytest.raises(ValueError, match="expected one of s1, s2, s3, records"):
        stage_rows(records, "s4")


def test_configs_are_the_stages_and_the_records(records: list[Record]) -> None:
    assert CONFIGS == ("s1", "s2", "s3", "records")
    row = stage_rows(records, "records")["train"][1]
    assert list(row) == list(COLUMNS["records"])
    assert row["s3_pairs"] == [
        {
            "video_url": "BIDDan02_00",
            "start_s": 5.0,
            "end_s": 12.5,
            "cue": "the moment number 0 of what is seen",
            "duration_s": 61.25,
        }
    ]
