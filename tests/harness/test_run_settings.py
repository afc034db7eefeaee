"""Settings of S3: what is taken away from the video, and what is not touched."""

import hashlib
from pathlib import Path
from typing import Any

import av
import pytest

from cmb_harness.media import find_video
from cmb_harness.models.interface import OpenItem, Text
from cmb_harness.models.parts import Look, Viewer
from cmb_harness.questions import Plan, Questions

LEFT = {
    "full": ["audio", "subtitle", "video"],
    "no-audio": ["subtitle", "video"],
    "no-subtitles": ["audio", "video"],
    "visual-only": ["video"],
}


@pytest.fixture
def s3_row(example_workspace: Path) -> dict[str, Any]:
    from cmb_harness.dataset import read_dataset

    return read_dataset(example_workspace / "cmb").rows["s3"]["train"][0]


def pictures_in(path: Path) -> str:
    """A hash of the picture's packets: equal where not one bit of them was changed."""
    found = hashlib.sha256()
    with av.open(str(path)) as container:
        for packet in container.demux(video=0):
            if packet.size:
                found.update(bytes(packet) + f"{float(packet.pts * packet.time_base):.4f}".encode())
    return found.hexdigest()


@pytest.mark.parametrize("setting", list(LEFT))
def test_a_setting_takes_its_tracks_away_and_leaves_the_picture(
    workspace: Path, s3_row: dict[str, Any], setting: str
) -> None:
    source = find_video(workspace / "cache", s3_row["video_id"])
    assert source is not None
    plan = Plan(setting=setting, cache=workspace / "cache")
    questions = Questions({"s3": [s3_row]}, plan, {})
    (ask,) = questions.asks("s3")
    question = questions.question(ask, with_media=True)
    assert question.video is not None
    with av.open(str(question.video)) as container:
        assert sorted(stream.type for stream in container.streams) == LEFT[setting]
    assert pictures_in(question.video) == pictures_in(source)
    # The example's videos all have subtitles.
    assert bool(question.subtitles) == ("subtitle" in LEFT[setting])
    texts = [
        part.text for part in Viewer(Look(), workspace / "cache").parts(question) if isinstance(part, Text)
    ]
    assert any(text.startswith("Its subtitles") for text in texts) == ("subtitle" in LEFT[setting])


def test_a_missing_video_leaves_the_item_open(workspace: Path, s3_row: dict[str, Any]) -> None:
    questions = Questions(
        {"s3": [{**s3_row, "video_id": "nothing-here"}]}, Plan(cache=workspace / "cache"), {}
    )
    (ask,) = questions.asks("s3")
    with pytest.raises(OpenItem, match="the video is missing"):
        questions.question(ask, with_media=True)


def test_settings_touch_s3_alone(workspace: Path, s3_row: dict[str, Any]) -> None:
    from cmb_harness.dataset import read_dataset

    rows = {
        stage: parts["train"][:1]
        for stage, parts in read_dataset(workspace / "cmb").rows.items()
        if stage != "records"
    }
    rows["s3"] = [s3_row]
    plan = Plan(setting="visual-only", cache=workspace / "cache")
    questions = Questions(rows, plan, {})
    settings = {stage: questions.key(ask)[2] for stage in ("s1", "s2", "s3") for ask in questions.asks(stage)}
    assert settings == {"s1": "full", "s2": "full", "s3": "visual-only"}
    (ask,) = questions.asks("s2")
    clips = questions.question(ask, with_media=True).clips
    assert {clip.parent for clip in clips} == {workspace / "cache" / "clips"}
