"""Clips are read back frame by frame: every frame of the test videos carries its own number."""

import math
import subprocess
import sys
from fractions import Fraction

import av
import numpy as np
import pytest
from kinds import LONG_GOP
from numbered_video import RATE, Kind, loud_stretch, make, number_of, numbers_and_times, turn_in_header

from cmb_harness.media.cut import cut_clip
from cmb_harness.media.video import MediaError

MOMENTS = [
    (0.51, 1.27),
    (2.03, 2.95),
    pytest.param(0.0, 0.5, marks=pytest.mark.thorough),
    pytest.param(1.0, 2.0, marks=pytest.mark.thorough),
]


def expected_numbers(kind, start_s, end_s):
    """The frames of a moment by the rule itself: on screen at start_s, and those that begin before end_s."""
    # What an edit list cuts off is not shown; the clock starts with the first frame that is.
    shown = [(time + min(kind.start_s, 0), number) for number, time in enumerate(kind.times)]
    shown = [(time, number) for time, number in shown if time >= 0]
    first = max(index for index, (time, _) in enumerate(shown) if time <= start_s + 5e-4)
    return [number for time, number in shown[first:] if time < end_s - 5e-4]


@pytest.mark.parametrize(("start_s", "end_s"), MOMENTS)
def test_a_clip_holds_exactly_the_frames_of_its_moment(kind_of_video, tmp_path, start_s, end_s):
    path, kind = kind_of_video
    if kind.start_s < 0:
        end_s = min(end_s, 2.5)
    cut_clip(path, tmp_path / "clip.mp4", start_s, end_s)
    numbers, times = numbers_and_times(tmp_path / "clip.mp4")
    assert numbers == expected_numbers(kind, start_s, end_s)
    assert times[0] == 0
    longest = max(later - earlier for earlier, later in zip(kind.times, kind.times[1:], strict=False))
    assert 0 < times[-1] < end_s - start_s <= times[-1] + longest + 0.001


def test_a_clip_is_h264_and_aac_in_an_mp4_with_its_index_in_front(kind_of_video, tmp_path):
    path, kind = kind_of_video
    cut_clip(path, tmp_path / "clip.mp4", 0.5, 1.5)
    with av.open(str(tmp_path / "clip.mp4")) as clip:
        codecs = [stream.codec_context.name for stream in clip.streams]
        assert codecs == (["h264", "aac"] if kind.sound else ["h264"])
        assert clip.duration / 1e6 == pytest.approx(1.0, abs=0.03)
        assert clip.streams.video[0].duration * clip.streams.video[0].time_base == pytest.approx(
            1.0, abs=0.002
        )
    data = (tmp_path / "clip.mp4").read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")
    assert list(tmp_path.iterdir()) == [tmp_path / "clip.mp4"]


SOUND_KINDS = {
    "mp4": Kind(options=LONG_GOP, beep_s=(1.2, 1.6)),
    "mp4-late": Kind(options=LONG_GOP, beep_s=(1.2, 1.6), start_s=Fraction(3, 2)),
    "mp4-edit-list": Kind(options=LONG_GOP, beep_s=(1.7, 2.1), start_s=Fraction(-1, 2)),
    "mkv": Kind("mkv", options=LONG_GOP, beep_s=(1.2, 1.6)),
    "ts": Kind("ts", options=LONG_GOP, beep_s=(1.2, 1.6)),
    "webm": Kind(
        "webm", "libvpx-vp9", {"deadline": "realtime", "cpu-used": "8"}, sound="libopus", beep_s=(1.2, 1.6)
    ),
}


@pytest.mark.parametrize("name", SOUND_KINDS)
def test_the_sound_of_a_clip_is_in_step(name, tmp_path):
    kind = SOUND_KINDS[name]
    make(tmp_path / f"video.{kind.suffix}", kind)
    cut_clip(tmp_path / f"video.{kind.suffix}", tmp_path / "clip.mp4", 0.7, 2.2)
    begin_s, end_s = loud_stretch(tmp_path / "clip.mp4")
    # The beep is at 1.2-1.6 s of the video; codecs smear its edges by some milliseconds.
    assert begin_s == pytest.approx(0.5, abs=0.015)
    assert end_s == pytest.approx(0.9, abs=0.015)


def test_sound_that_begins_late_stays_late(tmp_path):
    make(tmp_path / "video.mp4", Kind(options=LONG_GOP, beep_s=(2.0, 2.3)))
    cut_clip(tmp_path / "video.mp4", tmp_path / "clip.mp4", 0.0, 3.0)
    assert loud_stretch(tmp_path / "clip.mp4") == pytest.approx((2.0, 2.3), abs=0.015)


@pytest.mark.parametrize("quarter_turns", [1, 2, 3])
def test_a_turned_picture_is_set_upright(tmp_path, quarter_turns):
    size = (180, 320) if quarter_turns == 2 else (320, 180)
    video = make(tmp_path / "video.mp4", Kind(options=LONG_GOP, size=size))
    with av.open(str(video)) as container:
        stored = next(container.decode(video=0)).to_ndarray(format="rgb24")
    turn_in_header(video, quarter_turns)
    with av.open(str(video)) as container:
        turns = round(next(container.decode(video=0)).rotation / 90) % 4
    cut_clip(video, tmp_path / "clip.mp4", 0.0, 1.0)
    with av.open(str(tmp_path / "clip.mp4")) as container:
        frames = list(container.decode(video=0))
    upright = frames[0].to_ndarray(format="rgb24")
    assert frames[0].rotation == 0
    assert turns == quarter_turns
    assert upright.shape == ((320, 180, 3) if quarter_turns == 3 or quarter_turns == 1 else stored.shape)
    # Turned back by numpy, every frame reads its number again: the turn went the way the header says.
    turned_back = [number_of(_rot(frame.to_ndarray(format="rgb24"), -quarter_turns)) for frame in frames]
    assert turned_back == list(range(30))


def _rot(picture, turns):
    import numpy as np

    return np.rot90(picture, turns)


def test_a_moment_may_pass_the_end_by_a_rounding_and_no_more(tmp_path):
    video = make(tmp_path / "video.mp4", Kind(options=LONG_GOP))
    cut_clip(video, tmp_path / "clip.mp4", 2.0, 3.5)
    numbers, _ = numbers_and_times(tmp_path / "clip.mp4")
    assert numbers == list(range(60, 90))
    for start_s, end_s in [(2.0, 4.5), (3.0, 3.5), (50.0, 60.0)]:
        with pytest.raises(MediaError, match=r"the picture ends at 3\.000 s, before the moment"):
            cut_clip(video, tmp_path / "other.mp4", start_s, end_s)
    assert not (tmp_path / "other.mp4").exists()


@pytest.mark.parametrize(
    ("start_s", "end_s"), [(-1, 2), (2, 2), (3, 1), (float("nan"), 2), (0, float("inf"))]
)
def test_what_is_no_moment_is_refused(tmp_path, start_s, end_s):
    with pytest.raises(ValueError, match="a moment needs"):
        cut_clip("unused.mp4", tmp_path / "clip.mp4", start_s, end_s)


def test_a_broken_source_leaves_nothing_and_says_which_file(tmp_path):
    whole = make(tmp_path / "video.mp4", Kind(options={"g": "15", "movflags": "faststart"}))
    cut_clip(whole, tmp_path / "clip.mp4", 0, 1)
    before = (tmp_path / "clip.mp4").read_bytes()
    for content in (b"", b"<html>not a video</html>", whole.read_bytes()[:3000]):
        (tmp_path / "broken.mp4").write_bytes(content)
        with pytest.raises(MediaError, match=r"broken\.mp4: "):
            cut_clip(tmp_path / "broken.mp4", tmp_path / "clip.mp4", 1, 2)
    with pytest.raises(MediaError, match=r"absent\.mp4: "):
        cut_clip(tmp_path / "absent.mp4", tmp_path / "clip.mp4", 1, 2)
    assert (tmp_path / "clip.mp4").read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"video.mp4", "clip.mp4", "broken.mp4"}


@pytest.mark.parametrize("gap_s", [0.02, 0.05, 0.09, 0.15])
def test_sound_keeps_in_step_over_a_gap_of_its_source(tmp_path, gap_s):
    # The sound pauses at 0.5 s, and says so by its times alone; a beep follows at 1.5 s.
    times = np.arange(round(RATE * 3)) / RATE
    wave = np.where((times >= 1.5) & (times < 1.7), 0.5 * np.sin(2 * np.pi * 1000 * times), 0).astype(
        np.float32
    )
    silent = make(tmp_path / "silent.mp4", Kind(options={"bf": "0"}, sound=None))
    with av.open(str(silent)) as source, av.open(str(tmp_path / "video.mkv"), "w") as target:
        picture = target.add_stream_from_template(source.streams.video[0])
        sound = target.add_stream("pcm_s16le", rate=RATE, layout="mono")
        for packet in source.demux():
            if packet.dts is not None:
                packet.stream = picture
                target.mux(packet)
        for first in range(0, len(wave), 480):
            if RATE * 0.5 <= first < RATE * (0.5 + gap_s):
                continue
            samples = (wave[None, first : first + 480] * 32767).astype(np.int16)
            frame = av.AudioFrame.from_ndarray(samples, format="s16", layout="mono")
            frame.rate, frame.pts, frame.time_base = RATE, first, Fraction(1, RATE)
            target.mux(sound.encode(frame))
        target.mux(sound.encode(None))
    cut_clip(tmp_path / "video.mkv", tmp_path / "clip.mp4", 0.2, 2.5)
    assert loud_stretch(tmp_path / "clip.mp4") == pytest.approx((1.3, 1.5), abs=0.012)


@pytest.mark.parametrize(("start_s", "end_s"), [(0.5, 2.0), (0.59, 0.61), (0.999, 1.5)])
def test_a_coarse_clock_of_the_source_makes_no_coarse_clip(tmp_path, start_s, end_s):
    # 25 frames a second on a clock of 25 ticks a second; the beep is at 1.2-1.6 s.
    times = tuple(Fraction(k, 25) for k in range(75))
    fine = make(tmp_path / "fine.mp4", Kind(times=times, fps=Fraction(25), beep_s=(1.2, 1.6)))
    with (
        av.open(str(fine)) as source,
        av.open(str(tmp_path / "video.mp4"), "w", options={"video_track_timescale": "25"}) as copy,
    ):
        streams = {stream.index: copy.add_stream_from_template(stream) for stream in source.streams}
        for packet in source.demux():
            if packet.dts is not None:
                packet.stream = streams[packet.stream_index]
                copy.mux(packet)
    with av.open(str(tmp_path / "video.mp4")) as coarse:
        assert coarse.streams.video[0].time_base == Fraction(1, 25)
    cut_clip(tmp_path / "video.mp4", tmp_path / "clip.mp4", start_s, end_s)
    # Frame k begins at k / 25 s: on screen at the start is the last one that has begun by then.
    expected = range(int(start_s * 25), math.ceil(end_s * 25 - 1e-9))
    numbers, shown = numbers_and_times(tmp_path / "clip.mp4")
    assert numbers == list(expected)
    assert shown == pytest.approx([max(k / 25 - start_s, 0) for k in expected], abs=0.0002)
    with av.open(str(tmp_path / "clip.mp4")) as clip:
        picture = clip.streams.video[0]
        assert float(picture.duration * picture.time_base) == pytest.approx(end_s - start_s, abs=0.0005)
    if end_s == 2.0:
        assert loud_stretch(tmp_path / "clip.mp4") == pytest.approx((0.7, 1.1), abs=0.012)


@pytest.mark.parametrize(("start_s", "end_s"), [(7.1, 7.2), (6.2, 7.5), (7.0, 8.0), (7.5, 8.6)])
def test_the_last_frame_of_a_video_ends_with_the_moment(tmp_path, start_s, end_s):
    # One frame a second, eight of them: the last is on screen from 7 to 8 s.
    times = tuple(Fraction(k) for k in range(8))
    video = make(tmp_path / "video.mp4", Kind(times=times, fps=Fraction(1), sound=None, options={"bf": "0"}))
    cut_clip(video, tmp_path / "clip.mp4", start_s, end_s)
    with av.open(str(tmp_path / "clip.mp4")) as clip:
        picture = clip.streams.video[0]
        assert float(picture.duration * picture.time_base) == pytest.approx(
            min(end_s, 8.0) - start_s, abs=0.0005
        )
    assert numbers_and_times(tmp_path / "clip.mp4")[0] == list(range(int(start_s), 8))


LOUD = """
import av, sys
from cmb_harness.media import cut_clip
av.logging.set_level(av.logging.DEBUG)
for _ in range(20):
    cut_clip(sys.argv[1], sys.argv[2], 1.0333, 1.0666)
"""


def test_a_cut_is_not_stopped_by_what_libav_says_to_pyavs_log(tmp_path):
    # torchvision turns that log on; a decoder that was dropped while its threads spoke waited for them for ever.
    video = make(tmp_path / "video.mp4", Kind(options={"g": "30", "x264-params": "intra-refresh=1"}))
    command = [sys.executable, "-c", LOUD, str(video), str(tmp_path / "clip.mp4")]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
