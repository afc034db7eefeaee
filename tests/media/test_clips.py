"""Clips of a cache: made once, made again when their video changes, filled into loaded datasets."""

import os
import shutil
import subprocess
import sys
import threading
import time

import datasets
import pytest
from numbered_video import Kind, make, numbers_and_times

from cmb_dataset import clip_name
from cmb_harness import media
from cmb_harness.media.cache import clip_path, duration_of, find_video
from cmb_harness.media.clips import cut_clips, with_media

GOOD, OTHER, BROKEN, GONE = "goodvideo-1", "-thervideo2", "brokenvid_3", "gonevideo-4"
OPTION = {
    "video_id": datasets.Value("string"),
    "start_s": datasets.Value("float64"),
    "end_s": datasets.Value("float64"),
    "clip": datasets.Value("string"),
}
S2 = datasets.Features(
    {"item_id": datasets.Value("string"), "options": datasets.List(OPTION), "answer": datasets.Value("int8")}
)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return make(tmp_path_factory.mktemp("source") / "video.mp4", Kind(options={"preset": "ultrafast"}))


@pytest.fixture
def cache(tmp_path, source):
    folder = tmp_path / "cache"
    (folder / "videos").mkdir(parents=True)
    shutil.copy(source, folder / "videos" / f"{GOOD}.mp4")
    shutil.copy(source, folder / "videos" / f"{OTHER}.mkv")
    (folder / "videos" / f"{BROKEN}.webm").write_bytes(b"no video")
    (folder / "videos" / f"{GONE}.mp4.part").write_bytes(source.read_bytes())
    (folder / "videos" / f"{GONE}.en.vtt").write_text("WEBVTT")
    (folder / "videos" / f"{GONE}.json").write_text("{}")
    return folder


def test_videos_are_found_by_id_in_any_container(cache):
    assert find_video(cache, GOOD) == cache / "videos" / f"{GOOD}.mp4"
    assert find_video(cache, OTHER) == cache / "videos" / f"{OTHER}.mkv"
    assert find_video(cache, GONE) is None
    assert find_video(cache, "goodvideo") is None
    assert duration_of(find_video(cache, GOOD)) == pytest.approx(3.0)


@pytest.mark.parametrize("jobs", [1, 3])
def test_one_row_a_moment_and_no_bad_video_stops_the_rest(cache, jobs):
    moments = [(GONE, 0, 1), (BROKEN, 0, 1), (GOOD, 1, 2), (OTHER, 0.5, 1.5), (GOOD, 2, 9), (GOOD, 1, 2)]
    rows = cut_clips(moments, cache, jobs=jobs)
    assert [(row["video_id"], row["state"]) for row in rows] == [
        (GONE, "no_video"),
        (BROKEN, "failed"),
        (GOOD, "made"),
        (OTHER, "made"),
        (GOOD, "failed"),
    ]
    assert rows[2]["clip"] == str(clip_path(cache, GOOD, 1, 2))
    assert numbers_and_times(clip_path(cache, GOOD, 1, 2))[0] == list(range(30, 60))
    assert "picture ends at 3.000 s" in rows[4]["message"]
    assert [row["clip"] is None for row in rows] == [True, True, False, False, True]
    assert len(list((cache / "clips").iterdir())) == 2


def test_a_clip_is_made_again_only_when_its_video_changed(cache, tmp_path):
    moment = (GOOD, 0.0, 1.0)
    assert cut_clips([moment], cache)[0]["state"] == "made"
    clip = clip_path(cache, *moment)
    first = clip.stat().st_ino
    assert cut_clips([moment], cache)[0]["state"] == "kept"
    assert clip.stat().st_ino == first
    # A shifted upload takes the place of the video; its date may well be older than the clip.
    video = find_video(cache, GOOD)
    make(video, Kind(options={"preset": "ultrafast"}, times=Kind().times[:60]))
    os.utime(video, (1, 1))
    assert cut_clips([moment], cache)[0]["state"] == "made"
    assert clip.stat().st_ino != first
    # Without its video a clip is used as it is; with a video that cannot be cut it is not used at all.
    video.unlink()
    assert cut_clips([moment], cache)[0]["state"] == "kept"
    video.write_bytes(b"half a video")
    assert cut_clips([moment], cache)[0]["state"] == "failed"
    assert not clip.exists()


def test_a_clip_is_made_again_when_another_video_of_the_same_time_takes_its_place(cache):
    # Archives and build systems give all files one time.
    moment, video = (GOOD, 0.0, 1.0), find_video(cache, GOOD)
    os.utime(video, (1, 1))
    assert cut_clips([moment], cache)[0]["state"] == "made"
    make(video, Kind(options={"preset": "ultrafast"}, times=Kind().times[:60]))
    os.utime(video, (1, 1))
    assert cut_clips([moment], cache)[0]["state"] == "made"
    assert cut_clips([moment], cache)[0]["state"] == "kept"
    # A byte more is another file too.
    with video.open("ab") as file:
        file.write(b"\0")
    os.utime(video, (1, 1))
    assert cut_clips([moment], cache)[0]["state"] == "made"


def test_threads_of_one_process_may_cut_the_same_clip(cache):
    moment = (GOOD, 0.0, 2.0)
    workers = [threading.Thread(target=cut_clips, args=([moment], cache)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert os.listdir(cache / "clips") == [clip_name(*moment)]
    assert numbers_and_times(clip_path(cache, *moment))[0] == list(range(60))


CUTTER = (
    "import sys; from cmb_harness.media import cut_clips; cut_clips([(sys.argv[2], 0.0, 3.0)], sys.argv[1])"
)


def test_a_cut_that_is_killed_leaves_nothing_behind_once_it_is_done_again(cache):
    clips = cache / "clips"
    while True:
        cutter = subprocess.Popen([sys.executable, "-c", CUTTER, str(cache), GOOD])
        while not (clips.is_dir() and os.listdir(clips)) and cutter.poll() is None:
            time.sleep(0.001)
        cutter.kill()
        cutter.wait()
        left = os.listdir(clips)
        if left != [clip_name(GOOD, 0.0, 3.0)]:
            break
        # It was quicker than the signal.
        (clips / left[0]).unlink()
    assert len(left) == 1
    assert cut_clips([(GOOD, 0.0, 3.0)], cache)[0]["state"] == "made"
    assert os.listdir(clips) == [clip_name(GOOD, 0.0, 3.0)]


def s2_dataset():
    def options(*moments):
        return [
            {"video_id": name, "start_s": start, "end_s": end, "clip": None} for name, start, end in moments
        ]

    rows = [
        {"item_id": "a", "options": options((GOOD, 0.0, 1.0), (GONE, 0.0, 1.0)), "answer": 1},
        {"item_id": "b", "options": options((BROKEN, 0.0, 1.0), (GOOD, 1.0, 2.0)), "answer": None},
    ]
    return datasets.Dataset.from_list(rows, features=S2)


def test_with_media_fills_clips_and_leaves_the_rest_as_it_was(cache, monkeypatch):
    monkeypatch.chdir(cache.parent)
    before = s2_dataset()
    after = with_media(datasets.DatasetDict(train=before, test=before.select([1])), "cache")
    assert type(after) is datasets.DatasetDict
    train = after["train"]
    assert train.features == before.features
    assert train.column_names == before.column_names
    assert train["answer"][:] == [1, None]
    clips = [[option["clip"] for option in row["options"]] for row in train]
    assert clips == [[str(clip_path(cache, GOOD, 0, 1)), None], [None, str(clip_path(cache, GOOD, 1, 2))]]
    assert [option["clip"] for option in after["test"][0]["options"]] == clips[1]
    stripped = [[{**option, "clip": None} for option in row["options"]] for row in train]
    assert stripped == before["options"][:]


def test_with_media_fills_videos_and_passes_other_rows_through(cache):
    s3 = datasets.Dataset.from_list(
        [
            {"item_id": "a", "video_id": GOOD, "video": None},
            {"item_id": "b", "video_id": GONE, "video": None},
        ],
        features=datasets.Features(
            {name: datasets.Value("string") for name in ("item_id", "video_id", "video")}
        ),
    )
    assert with_media(s3, cache)["video"][:] == [str(find_video(cache, GOOD)), None]
    s1 = datasets.Dataset.from_list([{"item_id": "a", "options": ["x", "y"]}])
    assert with_media(s1, cache) is s1


def test_what_cannot_be_filled_or_looked_at_is_told(cache):
    with pytest.raises(TypeError, match="or DatasetDict was expected, not list"):
        with_media([{"video_id": GOOD}], cache)
    with pytest.raises(TypeError, match="not into one that is streamed"):
        with_media(s2_dataset().to_iterable_dataset(), cache)
    with pytest.raises(ValueError, match="jobs must be 1 or more"):
        cut_clips([], cache, jobs=0)
    item = {**s2_dataset()[0], "description": "x"}
    for wrong in (lambda: media.view(item, cache / "no"), lambda: media.subtitles_of(cache / "no", GOOD)):
        with pytest.raises(FileNotFoundError, match="there is no such cache folder"):
            wrong()
    for wrong in (
        lambda: media.view(item, cache, setting="x"),
        lambda: media.subtitles_of(cache, GOOD, setting="x"),
    ):
        with pytest.raises(ValueError, match="setting 'x': expected one of full"):
            wrong()
    with pytest.raises(media.MediaError, match=r"absent\.mp4: cannot be read"):
        duration_of(cache / "absent.mp4")


def test_a_view_is_what_a_model_gets(cache):
    item = {**s2_dataset()[0], "description": "What it stands for.", "item_id": "ID-Dance-01/s2"}
    view = media.view(item, cache)
    assert (view.stage, view.text) == ("s2", "What it stands for.")
    assert view.files == (clip_path(cache, GOOD, 0, 1), None)
    frames = view.frames(count=2)
    assert frames[0][0].shape == (2, 224, 224, 3)
    assert frames[1] is None
    page = view._repr_html_()
    assert (page.count("<video"), page.count("not in the cache")) == (1, 1)
    for hidden in (GOOD, GONE, "ID-Dance-01"):
        assert hidden not in page
    s3 = {"concept_name": "Gong", "cue": "it is struck", "video_id": GOOD, "item_id": "x"}
    assert media.view(s3, cache).files == (find_video(cache, GOOD),)
    assert media.view(s3, cache, setting="no-audio").files == (cache / "settings/no-audio" / f"{GOOD}.mp4",)
    with pytest.raises(ValueError, match="has no media"):
        media.view({"item_id": "ID-Dance-01/s1", "options": ["a", "b", "c", "d"]}, cache)
