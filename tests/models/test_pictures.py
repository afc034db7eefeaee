"""Frames as pictures: faithful, kept, and decoded once for all modes, threads and processes."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cmb_harness.media import frames
from cmb_harness.models.interface import OpenItem, Question
from cmb_harness.models.parts import Look, Viewer
from cmb_harness.models.pictures import FrameStore, Sampling, encoded


@pytest.fixture
def decodings(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """The videos that were decoded, and how."""
    real, seen = frames.sample_frames, list[tuple[str, Any]]()

    def counting(path: Path, **sampling: Any) -> Any:
        seen.append((Path(path).name, sampling))
        time.sleep(0.05)
        return real(path, **sampling)

    monkeypatch.setattr(frames, "sample_frames", counting)
    return seen


@pytest.mark.parametrize(("image", "tolerance"), [("png", 0), ("jpeg", 6)])
def test_a_picture_shows_its_frame(tools: Any, image: str, tolerance: int) -> None:
    across = np.linspace(0, 255, 224, dtype=np.uint8)
    frame = np.stack(np.broadcast_arrays(across[:, None], across[None, :], np.uint8(90)), axis=2)
    (shown,) = tools.frames_in(encoded(frame, image))
    assert shown.shape == (224, 224, 3)
    assert np.abs(shown.astype(int) - frame).max() <= tolerance
    assert encoded(frame, image)[:3] == (b"\x89PN" if image == "png" else b"\xff\xd8\xff")


def test_a_video_is_decoded_once_for_all_modes(
    cache: Path, questions: dict[str, Question], decodings: list[Any]
) -> None:
    for _ in ("reset", "carry", "feedback"):
        # A viewer of its own, as each call of cmb run has one.
        viewer = Viewer(Look(), cache)
        viewer.parts(questions["s2"])
        viewer.parts(questions["s3"])
    assert len(decodings) == 5
    assert len({name for name, _ in decodings}) == 5


def test_threads_do_not_decode_a_video_twice(
    cache: Path, questions: dict[str, Question], decodings: list[Any]
) -> None:
    store, video = FrameStore(cache), questions["s3"].video
    assert video is not None
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: store.pictures(video, Sampling()), range(8)))
    assert len(decodings) == 1
    assert all(each == found[0] for each in found)


def test_another_sampling_or_another_video_is_decoded(
    cache: Path, questions: dict[str, Question], decodings: list[Any]
) -> None:
    store, video = FrameStore(cache), questions["s3"].video
    assert video is not None
    for sampling in (
        Sampling(),
        Sampling(fps=2),
        Sampling(count=12),
        Sampling(size=112),
        Sampling(image="png"),
    ):
        store.pictures(video, sampling)
    assert len(decodings) == 5
    os.utime(video, ns=(1, 1))
    store.pictures(video, Sampling())
    assert len(decodings) == 6


def test_a_long_video_gives_no_more_frames_than_allowed(cache: Path, questions: dict[str, Question]) -> None:
    store, video = FrameStore(cache), questions["s3"].video
    assert video is not None
    times = {most: [p.time_s for p in store.pictures(video, Sampling(max_frames=most))] for most in (3, 6, 7)}
    # Six seconds hold six frames at 1 fps; three uniform ones are the centres of thirds.
    assert times == {3: [1, 3, 5], 6: [0, 1, 2, 3, 4, 5], 7: [0, 1, 2, 3, 4, 5]}


def test_kept_pictures_are_the_decoded_ones(cache: Path, questions: dict[str, Question]) -> None:
    video = questions["s3"].video
    assert video is not None
    fresh, kept = (FrameStore(cache).pictures(video, Sampling()) for _ in range(2))
    assert fresh == kept
    assert [picture.time_s for picture in kept] == [0, 1, 2, 3, 4, 5]


def test_kept_files_tell_nothing_of_the_video(
    cache: Path, questions: dict[str, Question], tools: Any
) -> None:
    Viewer(Look(), cache).parts(questions["s3"])
    Viewer(Look(media="video"), cache).parts(questions["s3"])
    names = [path.name for folder in ("frames", "derived") for path in (cache / folder).iterdir()]
    assert len(names) == 2
    assert not any(tools.VIDEO_ID in name for name in names)


@pytest.mark.parametrize("sent", ["frames", "video"])
@pytest.mark.parametrize("content", [b"", b"<html>not found</html>", None])
def test_a_file_that_is_no_video_leaves_the_item_open(
    cache: Path, questions: dict[str, Question], sent: str, content: bytes | None
) -> None:
    video = questions["s3"].video
    assert video is not None
    whole = video.read_bytes()
    video.unlink()
    video.write_bytes(whole[: len(whole) // 2] if content is None else content)
    with pytest.raises(OpenItem, match="unreadable media: "):
        Viewer(Look(media=sent), cache).parts(questions["s3"])
    assert list((cache / "derived").glob("*")) == [] if (cache / "derived").exists() else True


def test_a_silent_clip_says_so_when_sound_is_all_that_is_shown(
    tmp_path: Path, questions: dict[str, Question], tools: Any
) -> None:
    clips = tuple(tools.write_video(tmp_path / f"{index}.mp4", 1, sound=False) for index in range(4))
    parts = Viewer(Look(probe="audio-only"), tmp_path).parts(replace(questions["s2"], clips=clips))
    assert [part.text for part in parts[:-1]] == [  # type: ignore[union-attr]
        text for letter in "ABCD" for text in (f"Moment {letter}:", "(no sound)")
    ]


def test_subtitles_stand_before_the_prompt_with_their_times(
    cache: Path, questions: dict[str, Question]
) -> None:
    told = replace(questions["s3"], subtitles=((0.5, 2.0, "น้ำ"), (2.0, 3.25, "Water")))
    parts = Viewer(Look(), cache).parts(told)
    assert parts[-2].text == "Its subtitles, with their times in seconds:\n0.50-2.00: น้ำ\n2.00-3.25: Water"  # type: ignore[union-attr]
