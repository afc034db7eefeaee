"""Which items could be seen, from a manifest; and what is scored then."""

import json
from pathlib import Path

import pytest

from cmb_harness.faults import InputError
from cmb_harness.statistics.available import available_items, media_of_items, restricted
from cmb_harness.statistics.scoring import ScoredRun
from cmb_metric.items import ScoredItem, ScoredItems

ROWS = {
    "s1": {"train": [{"item_id": "a/s1"}]},
    "s2": {"train": [{"item_id": "a/s2", "options": [{"video_id": name} for name in "pqrs"]}], "test": []},
    "s3": {"train": [{"item_id": "a/s3/1", "video_id": "t"}, {"item_id": "a/s3/2", "video_id": "u"}]},
}
ITEMS = ["a/s1", "a/s2", "a/s3/1", "a/s3/2"]


def manifest(path: Path, states: dict[str, str]) -> Path:
    rows = [{"id": name, "state": state} for name, state in states.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_an_item_needs_all_its_videos(tmp_path: Path) -> None:
    media = media_of_items(ROWS)
    whole = dict.fromkeys("pqrst", "ok")
    found = available_items(manifest(tmp_path / "m.jsonl", {**whole, "u": "removed"}), media, ITEMS)
    assert found == {"a/s1", "a/s2", "a/s3/1"}
    # One of the four moments of S2 is gone.
    found = available_items(manifest(tmp_path / "m.jsonl", {**whole, "q": "private"}), media, ITEMS)
    assert found == {"a/s1", "a/s3/1"}


def test_items_that_the_dataset_does_not_know_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="1 items are not in it, first b/s2"):
        available_items(manifest(tmp_path / "m.jsonl", {"p": "ok"}), media_of_items(ROWS), [*ITEMS, "b/s2"])


@pytest.mark.parametrize("content", ["", "no manifest\n", '{"id": "p", "state": "removed"}\n'])
def test_what_is_no_manifest_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "m.jsonl").write_text(content, "utf-8")
    with pytest.raises(InputError, match="holds no manifest row with state ok"):
        available_items(tmp_path / "m.jsonl", media_of_items(ROWS), ITEMS)


def test_the_signature_will_say_so() -> None:
    items = [ScoredItem(i, "a", i.split("/")[1], "ID", "Game", "Latin", 1.0, "ok") for i in ITEMS]
    run = ScoredRun("m", ScoredItems(items), "reset", dataset="1.0.0+abc")
    there = restricted(run, frozenset(ITEMS[:2]), "available 2 of 4 items")
    assert [item.item_id for item in there.scored.items] == ITEMS[:2]
    assert there.dataset == "1.0.0+abc/available 2 of 4 items"
    with pytest.raises(InputError, match="not one item"):
        restricted(run, frozenset(), "")
