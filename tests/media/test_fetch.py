"""The shipped ``cmb fetch``, run in a process of its own, against a mirror on loopback that misbehaves."""

import json
import os
import shutil
from fractions import Fraction
from pathlib import Path

import av
import pyarrow.parquet
import pytest
from mirror import Mirror
from numbered_video import Kind, board, make, numbers_and_times
from release import DURATION_S, OPTIONS, video_id

from cmb_harness.cli import main
from cmb_harness.media import resolve
from cmb_harness.media.cache import clip_path, find_video
from cmb_harness.media.manifest import Manifest
from cmb_harness.media.subtitles import subtitles_of

FAST = ("--tries", "3", "--backoff", "0.1")


def fetch(cmb, folder: Path, *arguments: str, check: bool = True):
    return cmb("fetch", "records.json", "--cache", "cache", *arguments, cwd=folder, check=check)


@pytest.fixture
def fetch_here(tmp_path, monkeypatch, capsys):
    """The same in this process, where a process of its own shows nothing more: exit code, stdout, stderr."""

    def call(*arguments: str):
        monkeypatch.chdir(tmp_path)
        code = main(["fetch", "records.json", "--cache", "cache", *arguments])
        return (code, *capsys.readouterr())

    return call


def states(folder: Path) -> dict[str, str]:
    return {name: row["state"] for name, row in Manifest(folder / "cache").rows.items()}


MANNERS = {
    "fine": "ok",
    "slow": "ok",
    "busy_at_first": "ok",
    "broken_at_first": "ok",
    "dropping_once": "ok",
    "missing": "removed",
    "gone": "removed",
    "forbidden": "forbidden",
    "broken": "network",
    "dropping": "network",
    "of_wrong_length": "network",
    "truncated": "too_short",
    "empty": "corrupt",
    "a_page": "corrupt",
    "a_page_called_video": "corrupt",
}


def test_every_misbehaviour_ends_in_its_state_and_a_second_run_mends_it(tmp_path, release, cmb, source):
    ids = {manner: video_id(f"{k:02}{manner}".replace("_", "-")) for k, manner in enumerate(MANNERS)}
    release(list(ids.values()))
    with Mirror(tmp_path / "mirror") as mirror:
        mirror.manners = {name: manner for manner, name in ids.items()}
        first = fetch(cmb, tmp_path, "--url-template", mirror.template, "--jobs", "4", *FAST)
        found = states(tmp_path)
        assert {manner: found[name] for manner, name in ids.items()} == MANNERS
        assert all(found[name] == "ok" for name in OPTIONS)
        # A broken connection is taken up where it broke.
        assert (ids["dropping_once"], True) in mirror.requests
        whole = {name for name, state in found.items() if state == "ok"}
        assert {path.stem for path in (tmp_path / "cache/videos").iterdir()} == whole
        before = {name: find_video(tmp_path / "cache", name).stat().st_mtime_ns for name in whole}
        for name in whole:
            assert find_video(tmp_path / "cache", name).read_bytes() == source.read_bytes()
        assert "videos: 9 ok" in first.stdout
        assert not (tmp_path / "cache/partial").exists()

        mirror.manners.clear()
        mirror.forget()
        second = fetch(cmb, tmp_path, "--url-template", mirror.template, "--jobs", "2", *FAST)
        assert set(states(tmp_path).values()) == {"ok"}
        assert {name for name, _ in mirror.requests} == set(found) - whole
        assert {name: find_video(tmp_path / "cache", name).stat().st_mtime_ns for name in whole} == before
        assert f"videos: {len(found)} ok ({len(whole)} were there)" in second.stdout
        mirror.forget()
        fetch(cmb, tmp_path, "--url-template", mirror.template)
        assert mirror.requests == []


def test_rows_hold_what_was_fetched(tmp_path, release, fetch_here, source):
    release(["b"])
    with Mirror(tmp_path / "mirror") as mirror:
        fetch_here("--url-template", mirror.template)
    row = Manifest(tmp_path / "cache").rows[video_id("b")]
    assert row["duration_s"] == pytest.approx(DURATION_S)
    assert (row["size"], row["frames"], row["fps"]) == (source.stat().st_size, 120, 30.0)
    assert (row["codec"], row["audio"], row["width"], row["height"]) == ("h264", "aac", 320, 180)
    assert (row["source"], row["attempts"], row["expected_duration_s"]) == ("mirror", 1, DURATION_S)
    table = pyarrow.parquet.read_table(tmp_path / "cache/manifest.parquet").to_pylist()
    assert [entry["id"] for entry in table] == sorted([*OPTIONS, video_id("b")])


def test_clips_are_cut_and_the_summary_counts_complete_items(tmp_path, release, cmb):
    release(["good", "bad"])
    with Mirror(tmp_path / "mirror") as mirror:
        mirror.manners = {video_id("bad"): "gone"}
        done = fetch(cmb, tmp_path, "--url-template", mirror.template, *FAST)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["ID", "4/4", "1/2"] in lines
    assert ["Dance", "4/4", "1/2"] in lines
    assert ["all", "4/4", "1/2"] in lines
    clip = clip_path(tmp_path / "cache", OPTIONS[2], 1.0, 2.0)
    assert numbers_and_times(clip)[0] == list(range(30, 60))
    assert len(list((tmp_path / "cache/clips").iterdir())) == 4


@pytest.mark.parametrize("manner", ["busy", "busy_for_an_hour"])
def test_a_refusing_server_is_left_alone(tmp_path, release, cmb, manner):
    release(["b", "c", "d", "e"])
    with Mirror(tmp_path / "mirror") as mirror:
        mirror.manners = dict.fromkeys([*OPTIONS[1:], *map(video_id, "bcde")], manner)
        done = fetch(cmb, tmp_path, "--url-template", mirror.template, *FAST, check=False)
        assert done.returncode == 1
        assert "stopped: blocked: the server refuses further requests" in done.stderr
        assert ("asks for a rest of 3600 s" in done.stderr) == (manner == "busy_for_an_hour")
        found = states(tmp_path)
        assert found == {OPTIONS[0]: "ok", OPTIONS[1]: "rate_limited", OPTIONS[2]: "rate_limited"}
        tries = mirror.counts[OPTIONS[1]]
        assert tries == (1 if manner == "busy_for_an_hour" else 3)
        assert mirror.counts[OPTIONS[3]] == 0
        mirror.manners.clear()
        fetch(cmb, tmp_path, "--url-template", mirror.template)
        assert set(states(tmp_path).values()) == {"ok"}


def test_a_server_that_is_not_there_is_told_soon(tmp_path, release, cmb):
    release(["b", "c", "d", "e"])
    with Mirror(tmp_path / "mirror") as mirror:
        template = mirror.template
    done = fetch(cmb, tmp_path, "--url-template", template, *FAST, check=False)
    assert done.returncode == 1
    assert "stopped: the server cannot be reached" in done.stderr
    assert list(states(tmp_path).values()) == ["network"] * 3


def test_videos_that_are_here_already_are_used_as_they_are(tmp_path, release, cmb, source):
    release(["b"])
    folder = tmp_path / "mirror"
    (folder / f"{OPTIONS[1]}.mp4").unlink()
    make(folder / f"{OPTIONS[1]}.mkv", Kind("mkv", times=tuple(Fraction(k, 30) for k in range(120))))
    (folder / f"{video_id('b')}.id.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nsatu\n")
    fetch(cmb, tmp_path, "--video-dir", "mirror")
    assert set(states(tmp_path).values()) == {"ok"}
    cache = tmp_path / "cache"
    assert find_video(cache, OPTIONS[1]).suffix == ".mkv"
    assert os.path.samefile(find_video(cache, OPTIONS[0]), folder / f"{OPTIONS[0]}.mp4")
    assert (cache / "subtitles" / f"{video_id('b')}.id.vtt").exists()
    size = (cache / "manifest.jsonl").stat().st_size
    again = fetch(cmb, tmp_path, "--video-dir", "mirror")
    assert "5 ok (5 were there)" in again.stdout
    assert (cache / "manifest.jsonl").stat().st_size == size


def test_what_lies_beside_a_video_is_not_taken_for_it(tmp_path, release, fetch_here):
    release(["b"])
    folder, video = tmp_path / "mirror", video_id("b")
    for ending in ("description", "md5", "log", "MP4~", "a_backup"):
        (folder / f"{video}.{ending}").write_text("no video")
    (folder / f"{OPTIONS[0]}.avi").write_text("no video either, though it comes first by name")
    code, _, _ = fetch_here("--video-dir", "mirror")
    assert (code, set(states(tmp_path).values())) == (0, {"ok"})
    again = fetch_here("--video-dir", "mirror")[1]
    assert "5 ok (5 were there)" in again


def test_a_video_put_into_the_cache_by_hand_is_taken_whatever_case_its_ending_has(
    tmp_path, release, fetch_here, source
):
    release(["b"])
    videos = tmp_path / "cache/videos"
    videos.mkdir(parents=True)
    for name in [*OPTIONS, video_id("b")]:
        shutil.copy(source, videos / f"{name}.MP4")
    assert fetch_here("--video-dir", "nowhere")[0] == 1
    with Mirror(tmp_path / "mirror") as mirror:
        assert "5 ok" in fetch_here("--url-template", mirror.template)[1]
        assert "5 ok (5 were there)" in fetch_here("--url-template", mirror.template)[1]
        assert mirror.requests == []


@pytest.mark.parametrize("name", ["a%(id)s", "100%", "$HOME x", "ถังเก็บ"])
def test_a_cache_may_have_any_name(tmp_path, release, cmb, name):
    release(["b"])
    (tmp_path / "home").mkdir()
    with Mirror(tmp_path / "mirror") as mirror:
        places = ("--cache", f"home/{name}", "--url-template", mirror.template)
        cmb("fetch", "records.json", *places, "--no-clips", cwd=tmp_path)
    assert os.listdir(tmp_path / "home") == [name]
    assert len(os.listdir(tmp_path / "home" / name / "videos")) == 5


@pytest.mark.parametrize("body", [b"WEBVTT\n\n00:01.000 --> 00:02.500\ncaf\xe9\n", b"<html>", b""])
def test_subtitles_that_cannot_be_read_are_not_taken(tmp_path, release, fetch_here, body):
    release(["b"])
    (tmp_path / "mirror" / f"{video_id('b')}.id.vtt").write_bytes(body)
    with Mirror(tmp_path / "mirror") as mirror:
        template = ("--subtitle-template", mirror.subtitle_template)
        code, said, _ = fetch_here("--url-template", mirror.template, *template, "--subtitles", "id", *FAST)
    assert code == 0
    assert "subtitles: id 0 of 5 videos; 1 still open, run again" in said
    assert not (tmp_path / "cache/subtitles").exists()


def test_a_server_that_drips_is_left(tmp_path, release, fetch_here, monkeypatch):
    release(["b"])
    monkeypatch.setattr(resolve, "PATIENCE_S", 0.3)
    monkeypatch.setattr(resolve, "SLOWEST_BYTES_PER_S", 10**9)
    with Mirror(tmp_path / "mirror") as mirror:
        mirror.manners = {video_id("b"): "slow"}
        fetch_here("--url-template", mirror.template, "--tries", "1")
    row = Manifest(tmp_path / "cache").rows[video_id("b")]
    assert (row["state"], "slower than" in row["message"]) == ("network", True)


VTT = "WEBVTT\n\n00:01.000 --> 00:02.500\n{}\n"


def test_subtitles_come_from_the_mirror_once_and_what_failed_is_asked_again(tmp_path, release, cmb):
    release(["b", "c"])
    one, other = video_id("b"), video_id("c")
    folder = tmp_path / "mirror"
    (folder / f"{one}.id.vtt").write_text(VTT.format("satu, ສອງ"), encoding="utf-8")
    (folder / f"{one}.lo.vtt").write_text("\ufeff" + VTT.format("ສອງ"), encoding="utf-8")
    (folder / f"{other}.id.vtt").write_text(VTT.format("dua"))
    with Mirror(folder) as mirror:
        mirror.manners = {f"{other}.id": "broken"}
        asked = ("--url-template", mirror.template, "--subtitle-template", mirror.subtitle_template, *FAST)
        first = fetch(cmb, tmp_path, *asked, "--subtitles", "id", "lo")
        # Six videos: the one whose server failed is left open, the others have been asked.
        assert "subtitles: id 1, lo 1 of 6 videos; 1 still open, run again" in first.stdout
        rows = Manifest(tmp_path / "cache").rows
        assert (rows[one]["subtitles"], rows[one]["subtitles_asked"]) == (["id", "lo"], ["id", "lo"])
        assert (rows[OPTIONS[0]]["subtitles"], rows[OPTIONS[0]]["subtitles_asked"]) == ([], ["id", "lo"])
        assert "subtitles_asked" not in rows[other]
        assert [line.text for line in subtitles_of(tmp_path / "cache", one, language="id")] == ["satu, ສອງ"]
        assert [line.text for line in subtitles_of(tmp_path / "cache", one, language="lo")] == ["ສອງ"]

        mirror.manners = {f"{other}.id": "a_page"}
        mirror.forget()
        second = fetch(cmb, tmp_path, *asked, "--subtitles", "id", "lo")
        assert "1 still open" in second.stdout
        mirror.manners.clear()
        third = fetch(cmb, tmp_path, *asked, "--subtitles", "id", "lo")
        assert "subtitles: id 2, lo 1 of 6 videos\n" in third.stdout
        assert {name for name, _ in mirror.requests} == {f"{other}.id", f"{other}.lo"}
        mirror.forget()
        fetch(cmb, tmp_path, *asked, "--subtitles", "id")
        assert mirror.requests == []


def test_a_server_that_refuses_subtitles_is_asked_for_videos_alone(tmp_path, release, fetch_here):
    release(["b", "c", "d"])
    with Mirror(tmp_path / "mirror") as mirror:
        mirror.manners = {f"{name}.id": "busy" for name in [*OPTIONS, *map(video_id, "bcd")]}
        template = ("--subtitle-template", mirror.subtitle_template)
        code, said, complaint = fetch_here(
            "--url-template", mirror.template, *template, "--subtitles", "id", *FAST
        )
        assert "cmb: subtitles: the server refuses further requests (HTTP Error 429" in complaint
        assert sum(name.endswith(".id") for name, _ in mirror.requests) == 2
        # The videos are no worse without.
        assert (code, states(tmp_path)) == (0, dict.fromkeys([*OPTIONS, *map(video_id, "bcd")], "ok"))
        assert "subtitles: id 0 of 7 videos; 7 still open" in said


def other_video(path: Path, shift: int = 0) -> Path:
    """Four seconds whose frame k shows k + shift, or 40000 - k: the same length, another picture."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30, options={"preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = 320, 180, "yuv420p"
        for k in range(120):
            number = k + shift if shift else 40000 - 97 * k
            frame = av.VideoFrame.from_ndarray(board(number), format="rgb24").reformat(format="yuv420p")
            frame.pts, frame.time_base = k, Fraction(1, 30)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def test_a_replaced_upload_is_noticed_kept_aside_and_never_used(tmp_path, release, fetch_here):
    release(["b"])
    video = video_id("b")
    with Mirror(tmp_path / "mirror") as mirror:
        arguments = ("--url-template", mirror.template, *FAST)
        fetch_here(*arguments)
        cache = tmp_path / "cache"
        find_video(cache, video).unlink()
        other_video(tmp_path / "mirror" / f"{video}.mp4")
        _, _, said = fetch_here(*arguments)
        assert states(tmp_path)[video] == "changed"
        assert f"{video}: changed: " in said
        assert find_video(cache, video) is None
        assert (cache / "aside" / f"{video}.mp4").exists()
        fetch_here(*arguments, "--accept", video)
        assert states(tmp_path)[video] == "ok"
        # From now on the new one is the right one.
        fetch_here(*arguments)
        assert states(tmp_path)[video] == "ok"


def test_a_wrong_file_in_the_folder_leaves_the_right_one_of_the_cache(tmp_path, release, fetch_here):
    release(["b"])
    video, folder, cache = OPTIONS[0], tmp_path / "mirror", tmp_path / "cache"
    fetch_here("--video-dir", "mirror")
    clips = {path.name: path.read_bytes() for path in (cache / "clips").iterdir()}
    (folder / f"{video}.mp4").unlink()
    other_video(folder / f"{video}.mp4")
    code, said, complaint = fetch_here("--video-dir", "mirror")
    assert (code, states(tmp_path)[video]) == (0, "ok")
    assert "5 ok (5 were there)" in said
    assert f"cmb: {video}: the folder's file is changed: " in complaint
    assert "the cache's own is used" in complaint
    # The wrong one finds its way into the cache: no clip is cut from it, and the old one's are not used for it.
    shutil.copy(folder / f"{video}.mp4", tmp_path / "wrong.mp4")
    (cache / "videos" / f"{video}.mp4").unlink()
    shutil.move(tmp_path / "wrong.mp4", cache / "videos" / f"{video}.mp4")
    code, said, complaint = fetch_here("--video-dir", "mirror")
    assert states(tmp_path)[video] == "changed"
    assert find_video(cache, video) is None
    assert (cache / "aside" / f"{video}.mp4").exists()
    assert {path.name: path.read_bytes() for path in (cache / "clips").iterdir()} == clips
    assert "(compared with the one that this cache accepted before)" in complaint


def test_what_is_here_comes_first_and_offline_nobody_is_asked(tmp_path, release, fetch_here):
    release(["b", "c", "d", "e"])
    for name in (OPTIONS[0], OPTIONS[2], video_id("c")):
        (tmp_path / "mirror" / f"{name}.mp4").unlink()
    dead = ("--url-template", "http://127.0.0.1:9/{id}.mp4", "--tries", "1")
    code, said, complaint = fetch_here("--video-dir", "mirror", *dead)
    assert code == 1
    assert "videos: 5 ok, 3 network" in said
    assert "stopped: the server cannot be reached" in complaint
    # One cause, one line.
    assert complaint.count(": network: ") == 1
    assert "Connection refused (and 2 more like it)" in complaint
    shutil.rmtree(tmp_path / "cache")
    code, said, complaint = fetch_here("--video-dir", "mirror", "--offline", "--subtitles", "id")
    assert (code, states(tmp_path)) == (
        0,
        dict.fromkeys([OPTIONS[1], OPTIONS[3], *map(video_id, "bde")], "ok"),
    )
    assert "videos: 5 ok, 3 pending (0 were there)" in said
    assert "stopped" not in complaint


def test_a_message_names_the_cache_and_no_word_that_looks_like_it(tmp_path, release, cmb):
    release(["b"])
    with Mirror(tmp_path / "mirror") as mirror:
        mirror.manners = {video_id("b"): "missing"}
        places = ("--cache", "127", "--url-template", mirror.template)
        done = cmb("fetch", "records.json", *places, *FAST, cwd=tmp_path)
    assert "CACHE" not in done.stderr
    assert "removed: " in done.stderr


def test_a_folder_that_holds_records_is_told_from_a_dataset(example_workspace, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(example_workspace)
    # Records may be a folder of files, whatever their names.
    (tmp_path / "several").mkdir()
    shutil.copy("example/records.json", tmp_path / "several")
    assert main(["fetch", str(tmp_path / "several"), "--cache", str(tmp_path / "new"), "--estimate"]) == 0
    assert "videos: 119, 0 of them here" in capsys.readouterr().out
    assert main(["fetch", "example", "--cache", str(tmp_path / "new"), "--estimate"]) == 1
    assert "its records are example/records.json" in capsys.readouterr().err
    assert main(["fetch", "cmb", "--cache", "cache", "--estimate"]) == 0
    assert "all of them here: nothing to fetch" in capsys.readouterr().out


def test_a_file_that_was_overwritten_in_the_cache_is_noticed(tmp_path, release, fetch_here, source):
    release(["b"])
    video = video_id("b")
    with Mirror(tmp_path / "mirror") as mirror:
        arguments = ("--url-template", mirror.template, *FAST)
        fetch_here(*arguments)
        path = find_video(tmp_path / "cache", video)
        other_video(path)
        fetch_here(*arguments)
        assert states(tmp_path)[video] == "ok"
        assert path.read_bytes() == source.read_bytes()
        shown = [row["state"] for row in map(json.loads, (tmp_path / "cache/manifest.jsonl").open())
                 if row["id"] == video]  # fmt: skip
        assert shown == ["ok", "changed", "ok"]
        # Touched but the same: looked into once more, and kept.
        os.utime(path, (5, 5))
        mirror.forget()
        fetch_here(*arguments)
        assert (states(tmp_path)[video], mirror.requests) == ("ok", [])


def test_a_published_manifest_is_what_others_compare_with(tmp_path, release, fetch_here):
    release(["b"])
    video = video_id("b")
    with Mirror(tmp_path / "mirror") as mirror:
        fetch_here("--url-template", mirror.template)
        shutil.copy(tmp_path / "cache/manifest.parquet", tmp_path / "published.parquet")
        shutil.rmtree(tmp_path / "cache")
        other_video(tmp_path / "mirror" / f"{video}.mp4")
        fetch_here("--url-template", mirror.template, "--reference", "published.parquet")
        assert states(tmp_path) == {**dict.fromkeys(OPTIONS, "ok"), video: "changed"}


def test_a_reference_that_comes_later_is_compared_with_once(tmp_path, release, fetch_here):
    release(["b"])
    with Mirror(tmp_path / "mirror") as mirror:
        fetch_here("--url-template", mirror.template)
        shutil.copy(tmp_path / "cache/manifest.parquet", tmp_path / "published.parquet")
        shutil.rmtree(tmp_path / "cache")
        video = video_id("b")
        # The same picture in another coding, and another picture, fetched before anybody gave a reference.
        times = tuple(Fraction(k, 30) for k in range(120))
        make(tmp_path / "mirror" / f"{video}.mp4", Kind(times=times, options={"crf": "30"}))
        other_video(tmp_path / "mirror" / f"{OPTIONS[0]}.mp4")
        fetch_here("--url-template", mirror.template)
        assert set(states(tmp_path).values()) == {"ok"}
        for _ in range(2):
            fetch_here("--url-template", mirror.template, "--reference", "published.parquet")
            assert states(tmp_path) == {**dict.fromkeys([*OPTIONS[1:], video], "ok"), OPTIONS[0]: "changed"}
        rows = [json.loads(line) for line in (tmp_path / "cache/manifest.jsonl").open()]
        assert [row["state"] for row in rows if row["id"] == video] == ["ok", "ok"]


def test_the_records_length_counts(tmp_path, release, fetch_here):
    release(["b"], duration_s=9.0)
    with Mirror(tmp_path / "mirror") as mirror:
        _, _, said = fetch_here("--url-template", mirror.template)
    assert states(tmp_path)[video_id("b")] == "too_short"
    assert "decodes to 4.000 s, its record says 9.000 s" in said


def test_an_estimate_asks_for_nothing(tmp_path, release, fetch_here):
    release(["b", "c"])
    with Mirror(tmp_path / "mirror") as mirror:
        _, said, _ = fetch_here("--url-template", mirror.template, "--estimate")
        assert mirror.requests == []
    assert "videos: 6, 0 of them here, 6 to fetch" in said
    # Two records of 4 s; the four moments end at 1, 1.5, 2 and 2.5 s.
    assert (
        f"hours: {8 / 3600:.2f} of the 2 whose records say it; at least {7 / 3600:.2f} of the other 4" in said
    )
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--url-template", "http://127.0.0.1/x.mp4"), "expected {id} in it"),
        (("--video-dir", "absent"), "--video-dir absent: there is no such folder"),
        (("--cache", "records.json"), "--cache records.json: expected a folder, found a file"),
        (("--url-template", "127.0.0.1/{id}"), "expected a URL that begins with http:// or https://"),
        (("--sleep", "-1"), "--sleep -1.0: expected seconds, 0 or more"),
        (("--accept", "nonsense"), "--accept nonsense: no item asks for such a video"),
        (("--jobs", "0"), "--jobs: expected 1 or more"),
        (
            ("--url-template", "http://127.0.0.1/{id}", "--subtitles", "en"),
            "expected --subtitle-template too",
        ),
        (
            ("--subtitles", "en", "--subtitle-template", "http://127.0.0.1/{id}"),
            "expected {id} and {lang} in it",
        ),
        (("--subtitle-template", "http://127.0.0.1/{id}.{lang}"), "expected --subtitles LANG too"),
        (("--subtitles", "../en"), "expected a language's code"),
        (("--again", "lost"), "--again lost: expected one of ok, removed"),
        (("--only", "test"), "records have no splits"),
        (("--reference", "records.json"), "holds no manifest row"),
        (("--cookies", "records.json"), "expected cookies in Netscape's format"),
    ],
)
def test_bad_arguments_are_told_before_anything_is_asked(release, fetch_here, arguments, said):
    release([])
    code, shown, complaint = fetch_here(*arguments)
    assert (code, shown) == (1, "")
    assert said in complaint


def test_two_at_once_do_not_share_a_cache(tmp_path, release, fetch_here):
    from filelock import FileLock

    release([])
    (tmp_path / "cache").mkdir()
    with FileLock(tmp_path / "cache/fetch.lock"):
        code, _, said = fetch_here("--video-dir", "mirror")
    assert code == 1
    assert "another cmb fetch is at work there" in said


def test_cookies_are_sent_and_their_file_stays_as_it_was(tmp_path, release, fetch_here):
    release([])
    cookies = "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tname\tvalue\n"
    (tmp_path / "cookies.txt").write_text(cookies)
    seen = []
    with Mirror(tmp_path / "mirror") as mirror:
        handler = mirror._server.RequestHandlerClass
        fine = handler.be_fine
        handler.be_fine = lambda self, *rest: (seen.append(self.headers.get("Cookie")), fine(self, *rest))[1]
        fetch_here("--url-template", mirror.template, "--cookies", "cookies.txt")
    assert "name=value" in seen
    assert (tmp_path / "cookies.txt").read_text() == cookies
