"""How videos are asked for; and files of picture and sound joined into one."""

from fractions import Fraction

import av
import pytest
import yt_dlp
from numbered_video import Kind, loud_stretch, make, numbers_and_times

from cmb_harness.media.cache import ending_of
from cmb_harness.media.remux import join, without
from cmb_harness.media.resolve import Source, _options


def form(name, height, video, audio, ext="mp4"):
    return {"format_id": name, "height": height, "vcodec": video, "acodec": audio, "ext": ext, "url": "x"}


SOUND = form("140", None, "none", "mp4a", "m4a")


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ([SOUND, form("18", 360, "avc1", "mp4a"), form("135", 480, "avc1", "none"), form("136", 720, "avc1", "none")],
         ["135", "140"]),
        ([SOUND, form("22", 480, "avc1", "mp4a"), form("135", 480, "avc1", "none")], ["22"]),
        ([form("18", 360, "avc1", "mp4a"), form("22", 720, "avc1", "mp4a")], ["18"]),
        ([form("mp4", None, None, None)], ["mp4"]),
        ([form("134", 360, "avc1", "none")], ["134"]),
        ([form("22", 720, "avc1", "mp4a")], []),
    ],
)  # fmt: skip
def test_the_best_form_that_is_not_too_high_is_chosen(offered, chosen):
    downloader = yt_dlp.YoutubeDL(_options(Source(), None))
    select = downloader.build_format_selector(downloader.params["format"])
    merged = any("none" not in (form["vcodec"], form["acodec"]) for form in offered)
    found = select({"formats": offered, "has_merged_format": merged, "incomplete_formats": False})
    assert [form["format_id"] for form in found] == chosen


def test_videos_are_asked_of_youtube_or_of_the_mirror():
    assert Source().url("-abc_defghi") == "https://www.youtube.com/watch?v=-abc_defghi"
    assert Source("http://m/{id}?again={id}").url("-abc_defghi") == "http://m/-abc_defghi?again=-abc_defghi"
    assert Source("http://m/{video_id}.mp4").url("-abc_defghi") == "http://m/-abc_defghi.mp4"
    options = _options(Source(), None)
    extractors = yt_dlp.YoutubeDL(options)._ies
    assert [name for name in extractors if extractors[name].suitable(Source().url("-abc_defghi"))] == [
        "Youtube"
    ]
    assert options["sleep_interval_requests"] > 0


@pytest.mark.parametrize(
    ("picture", "sound", "ending"),
    [
        (Kind(beep_s=(1.0, 1.5), options={"bf": "3"}), "m4a", ".mp4"),
        (Kind("webm", "libvpx-vp9", {"deadline": "realtime", "cpu-used": "8"}, sound="libopus", beep_s=(1.0, 1.5)),
         "webm", ".webm"),
        (Kind("webm", "libvpx-vp9", {"deadline": "realtime", "cpu-used": "8"}, sound="libopus", beep_s=(1.0, 1.5)),
         "m4a", ".mkv"),
    ],
    ids=["mp4 and m4a", "webm and webm", "webm and m4a"],
)  # fmt: skip
def test_picture_and_sound_are_joined_in_step(tmp_path, picture, sound, ending):
    times = tuple(Fraction(k, 30) for k in range(90))
    whole = make(tmp_path / f"whole.{picture.suffix}", picture)
    without(whole, tmp_path / f"picture.{picture.suffix}", ["audio"])
    heard = (
        whole
        if sound == picture.suffix
        else make(tmp_path / "whole.mp4", Kind(beep_s=(1.0, 1.5), times=times))
    )
    (tmp_path / "sound").mkdir()
    with av.open(str(heard)) as source, av.open(str(tmp_path / f"sound/s.{sound}"), "w") as target:
        copy = target.add_stream_from_template(source.streams.audio[0])
        for packet in source.demux(source.streams.audio[0]):
            if packet.dts is not None:
                packet.stream = copy
                target.mux(packet)
    joined = join(tmp_path / f"picture.{picture.suffix}", tmp_path / f"sound/s.{sound}", tmp_path)
    assert joined.suffix == ending
    numbers, shown = numbers_and_times(joined)
    assert numbers == list(range(90))
    # Matroska has no negative times: AAC's run-up of 21 ms may put both off, and the picture's start tells by how much.
    start_s = shown[0]
    assert start_s < 0.022
    assert [time - start_s for time in shown] == pytest.approx([float(time) for time in times], abs=0.0011)
    assert [time - start_s for time in loud_stretch(joined)] == pytest.approx([1.0, 1.5], abs=0.015)


def test_endings_that_tell_nothing_are_replaced(tmp_path):
    make(tmp_path / "a.mkv", Kind("mkv", options={"preset": "ultrafast"})).rename(
        tmp_path / "a.unknown_video"
    )
    assert ending_of(tmp_path / "a.unknown_video") == ".mkv"
    assert ending_of(tmp_path / "b.WEBM") == ".webm"
