"""Damaged, truncated and replaced files are told from whole ones, whatever the container."""

import random
from fractions import Fraction

import av
import pytest
from numbered_video import Kind, make, number_of

from cmb_harness.media.cut import cut_clip
from cmb_harness.media.frames import sample_frames
from cmb_harness.media.items import WantedVideo
from cmb_harness.media.probe import probe
from cmb_harness.media.remux import without
from cmb_harness.media.verify import verify
from cmb_harness.media.video import MediaError

VP9 = {"deadline": "realtime", "cpu-used": "8"}
TIMES = tuple(Fraction(k, 30) for k in range(180))
KINDS = {
    "mp4": Kind(times=TIMES, options={"preset": "ultrafast"}),
    "mkv": Kind("mkv", times=TIMES, options={"preset": "ultrafast"}),
    "webm": Kind("webm", "libvpx-vp9", VP9, sound="libopus", times=TIMES),
    "ts": Kind("ts", times=TIMES, options={"preset": "ultrafast"}),
}
WANTED = WantedVideo("videovideo1", needed_s=5.5, expected_s=6.0)


@pytest.fixture(scope="module", params=KINDS)
def video(request, tmp_path_factory):
    return make(tmp_path_factory.mktemp("whole") / f"video.{request.param}", KINDS[request.param])


def test_a_whole_file_is_ok_and_measured(video):
    verdict = verify(video, WANTED)
    assert (verdict.state, verdict.message) == ("ok", "")
    assert verdict.probe.duration_s == pytest.approx(6.0, abs=0.04)
    assert (verdict.probe.frames, verdict.probe.width, verdict.probe.height) == (180, 320, 180)
    assert verdict.probe.fps == pytest.approx(30, abs=0.2)
    assert verdict.probe.hole is None


@pytest.mark.parametrize("share", [0.3, 0.6, 0.75])
def test_a_truncated_file_is_never_ok(video, tmp_path, share):
    content = video.read_bytes()
    cut = tmp_path / video.name
    cut.write_bytes(content[: int(len(content) * share)])
    verdict = verify(cut, WantedVideo("videovideo1"))
    # A TS file has no header that promises a length: only the record tells.
    if video.suffix == ".ts":
        verdict = verify(cut, WANTED)
    assert verdict.state in ("corrupt", "too_short")
    assert str(tmp_path) not in verdict.message


# (TS is made for broadcasting: decoders paint over what is damaged.)
@pytest.mark.parametrize("suffix", ["mp4", "mkv", "webm"])
def test_a_damaged_file_is_never_ok(tmp_path, suffix):
    damaged = make(tmp_path / f"video.{suffix}", KINDS[suffix])
    content = bytearray(damaged.read_bytes())
    middle, length = len(content) // 2, len(content) // 5
    content[middle : middle + length] = bytes(length)
    damaged.write_bytes(bytes(content))
    assert verify(damaged, WANTED).state in ("corrupt", "too_short")


@pytest.mark.parametrize(
    ("wanted", "state", "said"),
    [
        (WantedVideo("v", 0.0, None), "ok", ""),
        (WantedVideo("v", 6.9, 7.5), "ok", ""),
        (WantedVideo("v", 7.5, None), "too_short", "a moment or span reaches to 7.500 s"),
        (WantedVideo("v", 0.0, 8.5), "too_short", "its record says 8.500 s"),
        (WantedVideo("v", 0.0, 3.5), "changed", "its record says 3.500 s"),
    ],
)
def test_lengths_are_held_against_records(tmp_path_factory, wanted, state, said):
    video = make(tmp_path_factory.mktemp("length") / "video.mp4", KINDS["mp4"])
    verdict = verify(video, wanted)
    assert verdict.state == state
    assert said in verdict.message


def test_the_length_that_the_site_says_counts(tmp_path):
    video = make(tmp_path / "video.mp4", KINDS["mp4"])
    assert verify(video, WantedVideo("v"), said_s=7.0).state == "ok"
    assert verify(video, WantedVideo("v"), said_s=60.0).state == "too_short"


def test_another_length_than_known_is_a_change(tmp_path):
    video = make(tmp_path / "video.mp4", KINDS["mp4"])
    known = {"duration_s": 6.0, "fingerprint": str(probe(video).track.fingerprint(1))}
    assert verify(video, WantedVideo("v"), known=known).state == "ok"
    assert verify(video, WantedVideo("v"), known=known | {"duration_s": 7.5}).state == "changed"
    # A fingerprint of a later version is passed over; the length still counts.
    assert verify(video, WantedVideo("v"), known=known | {"fingerprint": "9:zz"}).state == "ok"


def test_a_long_still_is_no_hole(tmp_path):
    times = (Fraction(0), Fraction(1, 30), Fraction(5), *(5 + Fraction(k, 30) for k in range(1, 30)))
    for suffix in ("mp4", "mkv"):
        still = make(tmp_path / f"still.{suffix}", Kind(suffix, times=times, options={"bf": "0"}))
        assert verify(still, WantedVideo("v")).state == "ok"


EVEN = tuple(Fraction(k, 30) for k in range(300))
# Without sound: nothing goes on behind a gap in the picture that would tell of it.
SILENT = {
    "mkv": Kind("mkv", times=EVEN, sound=None),
    "webm": Kind("webm", "libvpx-vp9", VP9, sound=None, times=EVEN),
    "flv": Kind("flv", times=EVEN, sound=None),
    "ts": Kind("ts", times=EVEN, sound=None),
    "heard.ts": Kind("ts", times=EVEN),
}


@pytest.mark.parametrize("name", SILENT)
@pytest.mark.parametrize("length", [2000, 8000])
@pytest.mark.parametrize("filling", ["zero", "random"])
def test_damage_that_decoders_paint_over_is_never_ok(tmp_path, name, length, filling):
    video = make(tmp_path / f"video.{name}", SILENT[name])
    assert verify(video, WantedVideo("v")).state == "ok"
    content = bytearray(video.read_bytes())
    middle, length = len(content) // 2, min(length, len(content) // 4)
    content[middle : middle + length] = (
        bytes(length) if filling == "zero" else random.Random(1).randbytes(length)
    )
    video.write_bytes(bytes(content))
    assert verify(video, WantedVideo("v")).state in ("corrupt", "too_short")


def test_frames_out_of_order_are_told(tmp_path):
    # AVI keeps no times for B-frames.
    video = make(tmp_path / "video.avi", Kind("avi", options={"bf": "2"}, sound=None))
    verdict = verify(video, WantedVideo("v"))
    assert verdict.state == "corrupt"
    assert "frames come out of order in time" in verdict.message
    with pytest.raises(MediaError, match="out of order"):
        cut_clip(video, tmp_path / "clip.mp4", 0.5, 2.0)


def test_a_frame_that_is_said_to_come_in_eleven_days_is_told_at_once(tmp_path):
    times = (*(Fraction(k, 30) for k in range(30)), Fraction(1_000_000))
    video = make(tmp_path / "video.mkv", Kind("mkv", times=times, sound=None, options={"bf": "0"}))
    verdict = verify(video, WantedVideo("v"))
    assert verdict.state == "corrupt"
    assert "no video is that long" in verdict.message


def test_a_recording_that_begins_between_keyframes_is_used_from_its_first_one(tmp_path):
    whole = make(tmp_path / "whole.ts", Kind("ts", sound=None, options={"g": "30", "bf": "2"}))
    packets = [whole.read_bytes()[at : at + 188] for at in range(0, whole.stat().st_size, 188)]
    # The tables at the front stay; an eighth of the rest is cut away, within the first second.
    late = tmp_path / "late.ts"
    late.write_bytes(b"".join(packets[:3] + packets[len(packets) // 8 :]))
    with av.open(str(late)) as container:
        shown = [number_of(frame.to_ndarray(format="rgb24")) for frame in container.decode(video=0)]
    assert 0 < shown[0] <= 30
    assert verify(late, WantedVideo("v")).state == "ok"
    frames, times_s = sample_frames(late, fps=1)
    assert len(frames) == len(times_s) >= 2
    assert number_of(frames[0]) == shown[0]
    cut_clip(late, tmp_path / "clip.mp4", 1.0, 1.5)


@pytest.mark.parametrize("suffix", ["mp4", "mkv"])
def test_tags_that_are_not_utf_8_are_no_fault(tmp_path, suffix):
    plain = make(tmp_path / f"plain.{suffix}", KINDS[suffix])
    named = tmp_path / f"named.{suffix}"
    with av.open(str(plain)) as source, av.open(str(named), "w") as copy:
        copy.metadata["title"] = "Caf?s"
        streams = {stream.index: copy.add_stream_from_template(stream) for stream in source.streams}
        for packet in source.demux():
            if packet.dts is not None:
                packet.stream = streams[packet.stream_index]
                copy.mux(packet)
    content = named.read_bytes()
    assert content.count(b"Caf?s") == 1
    named.write_bytes(content.replace(b"Caf?s", b"Caf\xe9s"))
    assert verify(named, WANTED).state == "ok"
    cut_clip(named, tmp_path / "clip.mp4", 1.0, 2.0)
    assert len(sample_frames(named)[0]) == 6
    without(named, tmp_path / f"silent.{suffix}", ["audio"])


def test_a_subtitle_that_outlasts_the_picture_is_no_truncation(tmp_path):
    from test_settings import make_with_subtitles

    video = make_with_subtitles(tmp_path / "video.mkv", "srt", [(1000, 5000, "until long after the end")])
    assert verify(video, WantedVideo("v", 2.9, 3.0)).state == "ok"
