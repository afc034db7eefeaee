"""Damaged, truncated and replaced files are told from whole ones, whatever the container."""

from fractions import Fraction

import pytest
from numbered_video import Kind, make

from cmb_harness.media.items import WantedVideo
from cmb_harness.media.probe import probe
from cmb_harness.media.verify import verify

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
