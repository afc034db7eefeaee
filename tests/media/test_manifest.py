"""The manifest survives being killed while it is written, and nothing local is published with it."""

import json
import threading

import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_harness.faults import InputError
from cmb_harness.media.fingerprint import read_fingerprint
from cmb_harness.media.manifest import COLUMNS, Manifest, read_reference

ROW = {"id": "aaaaaaaaaaa", "state": "ok", "duration_s": 3.0, "subtitles": ["en"], "file": "aaaaaaaaaaa.mp4",
       "mtime_ns": 1, "fingerprint": "1:1:00"}  # fmt: skip


def test_the_last_row_of_an_id_counts(tmp_path):
    manifest = Manifest(tmp_path)
    manifest.append(ROW | {"state": "network"})
    manifest.append({"id": "b", "state": "removed"})
    manifest.append(ROW)
    assert len((tmp_path / "manifest.jsonl").read_text().splitlines()) == 3
    for rows in (manifest.rows, Manifest(tmp_path).rows):
        assert rows == {"aaaaaaaaaaa": ROW, "b": {"id": "b", "state": "removed"}}
    manifest.append(ROW | {"state": "network"})
    for again in (manifest, Manifest(tmp_path)):
        assert again.rows["aaaaaaaaaaa"]["state"] == "network"
        assert again.accepted == {"aaaaaaaaaaa": ROW}


@given(cut=st.integers(0, 200))
def test_a_torn_last_line_costs_that_line_alone(tmp_path_factory, cut):
    folder = tmp_path_factory.mktemp("torn")
    first, second = (json.dumps(ROW | {"id": name}).encode() + b"\n" for name in "ab")
    content = (first + second)[: len(first) + min(cut, len(second))]
    (folder / "manifest.jsonl").write_bytes(content)
    manifest = Manifest(folder)
    # A row whose line end alone is lost is whole.
    whole = len(content) >= len(first) + len(second) - 1
    assert set(manifest.rows) == ({"a", "b"} if whole else {"a"})
    assert manifest.torn == ([] if whole or len(content) == len(first) else [2])
    manifest.append(ROW | {"id": "c"})
    assert set(Manifest(folder).rows) == set(manifest.rows)
    assert "c" in manifest.rows


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b'"x"',
        b'{"id": 5, "state": "ok"}',
        b'{"id": "a", "state": "well"}',
        b'{"id": "a", "state": []}',
        b'{"id": "a", "state": "ok", "duration_s": "4"}',
        b'{"id": "a", "state": "ok", "duration_s": NaN}',
        b'{"id": "a", "state": "ok", "duration_s": 1e999}',
        b'{"id": "a", "state": "ok", "subtitles": 5}',
        b'{"id": "a", "state": "ok", "subtitles_asked": [5]}',
        b'{"id": "a", "state": "ok", "fingerprint": 5}',
        b'{"id": "a", "state": "ok", "size": -1}',
        b'{"id": "a", "state": "ok", "frames": true}',
        b'{"id": "\\ud800", "state": "ok"}',
        b"[" * 100_000,
        b"\xff",
    ],
    ids=lambda line: line.decode("latin-1")[:60],
)
def test_what_is_no_row_is_counted_not_used(tmp_path, line):
    (tmp_path / "manifest.jsonl").write_bytes(line + b"\n" + json.dumps(ROW).encode())
    manifest = Manifest(tmp_path)
    assert (list(manifest.rows), manifest.torn) == (["aaaaaaaaaaa"], [1])


@pytest.mark.parametrize(
    "text",
    [
        "1:0:" + "0" * 64,
        "1:-3:" + "0" * 64,
        f"1:{10**20}:" + "0" * 64,
        "1:1:",
        "1:1:00",
        "2:1:00",
        "1:1",
        "x",
    ],
)
def test_what_is_no_fingerprint_is_told_from_one(text):
    with pytest.raises(ValueError):
        read_fingerprint(text)
    assert len(read_fingerprint("1:1:" + "0" * 64).pictures) == 1


def test_threads_append_whole_lines(tmp_path):
    manifest = Manifest(tmp_path)
    names = [f"{worker}-{k}" for worker in range(4) for k in range(50)]
    threads = [
        threading.Thread(target=lambda part=part: [manifest.append(ROW | {"id": name}) for name in part])
        for part in (names[k::4] for k in range(4))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    again = Manifest(tmp_path)
    assert (set(again.rows), again.torn) == (set(names), [])


def test_parquet_holds_the_last_rows_and_nothing_local(tmp_path):
    manifest = Manifest(tmp_path)
    manifest.append({"id": "b", "state": "removed", "message": f"{tmp_path}: gone"})
    manifest.append(ROW)
    table = pyarrow.parquet.read_table(manifest.write_parquet())
    assert table.column_names == list(COLUMNS)
    rows = table.to_pylist()
    assert [row["id"] for row in rows] == ["aaaaaaaaaaa", "b"]
    assert (rows[0]["duration_s"], rows[0]["subtitles"], rows[1]["state"]) == (3.0, ["en"], "removed")
    assert str(tmp_path).encode() not in (tmp_path / "manifest.parquet").read_bytes()
    for name in ("manifest.parquet", "manifest.jsonl"):
        assert read_reference(tmp_path / name)["aaaaaaaaaaa"]["fingerprint"] == "1:1:00"


@pytest.mark.parametrize("content", [b"", b"{}", b"PAR1 not really PAR1"])
def test_a_reference_that_is_none_is_named(tmp_path, content):
    for name in ("a.jsonl", "a.parquet"):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=name):
            read_reference(tmp_path / name)
    with pytest.raises(InputError, match="no such file"):
        read_reference(tmp_path / "absent.parquet")
