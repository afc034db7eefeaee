"""The raw log: appended whole, read back whole, and what a killed process or a wrong hand leaves in it."""

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.faults import InputError
from cmb_harness.raw import RawLog, parse_raw, predictions_of, read_answers, read_raw


def row(item_id: str = "ID-Dance-01/s1", text: str | None = "A", **more: Any) -> dict[str, Any]:
    fields = {"mode": "reset", "setting": "full", "variant": "common_latin", "stage": "s1"}
    names = ["Songkran", "Thingyan", "Pchum Ben", "Tet"]
    return {"item_id": item_id, **fields, "options": names, "duration_s": None, "text": text, **more}


KEY = ("ID-Dance-01/s1", "reset", "full", "common_latin", None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run" / "raw.jsonl"


def test_rows_come_back_and_the_last_of_a_key_counts(path: Path) -> None:
    with RawLog(path) as log:
        log.append(row(text="A"))
        log.append(row(text="ก\u2028\nB"))
        log.append(row(truth=0))
    assert {key: kept["text"] for key, kept in read_raw(path).items()} == {
        KEY: "ก\u2028\nB",
        (*KEY[:4], 0): "A",
    }
    assert path.read_bytes().count(b"\n") == 3


def test_there_is_no_answer_without_a_log(path: Path) -> None:
    assert read_raw(path) == {}


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_a_torn_last_line_is_no_answer_and_goes(path: Path, cut: int) -> None:
    with RawLog(path) as log:
        log.append(row())
        log.append(row("ID-Dance-02/s1"))
    whole = path.read_bytes()
    os.truncate(path, len(whole) - cut)
    assert list(read_raw(path)) == [KEY]
    with RawLog(path) as log:
        log.append(row("ID-Dance-03/s1"))
    assert [key[0] for key in read_raw(path)] == ["ID-Dance-01/s1", "ID-Dance-03/s1"]


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b"7",
        b"\xff\xfe",
        b'{"text": "A", "stage": "s1"}',
        b'{"item_id": "a", "mode": "reset", "stage": "s9", "text": "A"}',
        b'{"item_id": "a", "mode": "reset", "stage": "s1", "text": 7}',
        b'{"item_id": "a", "mode": "reset", "stage": "s1"}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_line_in_the_middle_is_told_with_its_number(path: Path, line: bytes) -> None:
    good = json.dumps(row()).encode()
    path.parent.mkdir()
    path.write_bytes(good + b"\n" + line + b"\n" + good + b"\n")
    with pytest.raises(InputError, match=r"raw\.jsonl: line 2: not a row of a raw log"):
        read_raw(path)


def test_every_damaged_line_is_told(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"{\n\n[\n")
    with pytest.raises(InputError) as caught:
        read_raw(path)
    assert [fault.split(": ")[1] for fault in caught.value.faults] == ["line 1", "line 3"]


def test_a_row_is_with_the_system_before_append_returns(path: Path) -> None:
    with RawLog(path) as log:
        log.append(row())
        # Another handle on the file sees it, so a killed process cannot lose it.
        assert list(read_raw(path)) == [KEY]


def test_threads_do_not_tear_each_others_rows(path: Path) -> None:
    with RawLog(path) as log:

        def write(first: int) -> None:
            for number in range(first, first + 50):
                log.append(row(f"item-{number}", text="x" * 5000))

        threads = [threading.Thread(target=write, args=(first,)) for first in (0, 50, 100, 150)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert {key[0] for key in read_raw(path)} == {f"item-{number}" for number in range(200)}


def test_two_runs_cannot_write_into_one_log(path: Path) -> None:
    with RawLog(path), pytest.raises(InputError, match="another cmb run is writing to it"):
        RawLog(path)
    with RawLog(path) as log:
        log.append(row())


def test_a_full_disk_leaves_no_half_row(path: Path) -> None:
    with RawLog(path) as log:
        log.append(row())
        before = path.read_bytes()

        class FullDisk:
            """The file, on a disk that takes ten bytes more."""

            def __init__(self, file: Any):
                self.file = file

            def write(self, line: bytes) -> int:
                return int(self.file.write(line[:10]))

            def __getattr__(self, name: str) -> Any:
                return getattr(self.file, name)

        log._file = FullDisk(log._file)  # type: ignore[assignment]
        with pytest.raises(OSError, match="No space left"):
            log.append(row("ID-Dance-02/s1"))
        assert path.read_bytes() == before


def test_a_withdrawn_answer_does_not_count(path: Path) -> None:
    with RawLog(path) as log:
        log.append(row(fingerprint="f"))
        log.withdraw(KEY, "s1")
    answers = read_answers(path)
    assert answers.current == {}
    assert answers.known[KEY, "f"]["text"] == "A"


def test_answers_of_another_configuration_do_not_count(path: Path) -> None:
    with RawLog(path) as log:
        log.append({"config": "one"})
        log.append(row(fingerprint="f"))
        log.append({"config": "two"})
        log.append(row("ID-Dance-02/s1", fingerprint="g"))
    answers = read_answers(path)
    assert (answers.config, [key[0] for key in answers.current]) == ("two", ["ID-Dance-02/s1"])
    assert len(answers.known) == 2


def test_predictions_come_in_one_order_whatever_the_order_of_answers() -> None:
    rows = [
        row("b/s1"),
        row("a/s2", stage="s2", options=4, mode="feedback", truth=1),
        row("a/s2", stage="s2", options=4, mode="feedback", truth=0),
        row("a/s1"),
        row("a/s3/1", stage="s3", options=None, text="[1, 2.5]"),
    ]
    predictions = predictions_of(rows)
    assert predictions == predictions_of(rows[::-1])
    assert [(each["item_id"], each.get("truth")) for each in predictions] == [
        ("a/s1", None),
        ("b/s1", None),
        ("a/s2", 0),
        ("a/s2", 1),
        ("a/s3/1", None),
    ]
    assert predictions[-1]["span"] == [1.0, 2.5]
    assert predictions[0] == {
        "item_id": "a/s1",
        "mode": "reset",
        "setting": "full",
        "variant": "common_latin",
        "choice": 0,
        "status": "ok",
        "raw": "A",
        "model": None,
    }


def test_an_answer_that_the_vendor_withheld_is_a_refusal_whatever_its_text() -> None:
    assert parse_raw(row(text="", refused=True))["status"] == "refusal"
    withheld = parse_raw(row(stage="s3", options=None, text="[1, 2]", refused=True))
    assert (withheld["span"], withheld["status"]) == (None, "refusal")
