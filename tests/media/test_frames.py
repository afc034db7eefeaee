"""Sampled frames are those of a decoder that decodes everything, for every kind of video and density."""

from fractions import Fraction

import av
import numpy as np
import pytest
from kinds import LONG_GOP
from numbered_video import Kind, make, number_of, turn_in_header

from cmb_harness.media import frames as sampling
from cmb_harness.media.frames import sample_frames
from cmb_harness.media.video import MediaError


def decode_all(path, size=224):
    """(times from the start, pictures, end, tick) of every frame, by plain decoding, with no code of ours."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        frames = list(container.decode(stream))
        start = stream.start_time or 0
        times = np.array([float((frame.pts - start) * stream.time_base) for frame in frames])
        pictures = [
            frame.to_ndarray(format="rgb24", width=size, height=size, interpolation="BICUBIC")
            for frame in frames
        ]
        last = float((frames[-1].duration or 0) * stream.time_base) or float(np.median(np.diff(times)))
    return times, np.array(pictures), times[-1] + last, float(stream.time_base)


DENSITIES = [
    {"fps": 7.3},
    {"count": 12},
    pytest.param({"fps": 1.0}, marks=pytest.mark.thorough),
    pytest.param({"fps": 30.0}, marks=pytest.mark.thorough),
    pytest.param({"count": 1}, marks=pytest.mark.thorough),
    pytest.param({"count": 199}, marks=pytest.mark.thorough),
]


@pytest.mark.parametrize("how", DENSITIES, ids=str)
def test_the_frames_are_those_of_decoding_everything(kind_of_video, how):
    video, _ = kind_of_video
    times, pictures, end_s, tick_s = decode_all(video)
    frames, times_s = sample_frames(video, **how)
    if "count" in how:
        expected_s = [(part + 0.5) * end_s / how["count"] for part in range(how["count"])]
    else:
        expected_s = [k / how["fps"] for k in range(1000) if k / how["fps"] < end_s - 1e-6]
    assert frames.dtype == np.uint8
    assert times_s.dtype == np.float64
    assert times_s == pytest.approx(expected_s, abs=1e-9)
    shown = [int(np.searchsorted(times, at + tick_s / 2 - 1e-9, side="right")) - 1 for at in expected_s]
    assert frames.shape == (len(shown), 224, 224, 3)
    for frame, index in zip(frames, shown, strict=True):
        assert number_of(frame) == number_of(pictures[index])
        assert np.array_equal(frame, pictures[index])


def test_variable_rate_goes_by_time_not_by_index(tmp_path):
    # One frame stays for two seconds; frame 4 comes at 2.3 s. Index x fps would take frame 1 at one second.
    times = tuple(map(Fraction, ["0", "1/10", "1/5", "3/10", "23/10", "12/5", "5/2"]))
    make(tmp_path / "video.mp4", Kind(options={"bf": "0"}, times=times, sound=None, fps=Fraction(10)))
    frames, times_s = sample_frames(tmp_path / "video.mp4", fps=1)
    assert [number_of(frame) for frame in frames] == [0, 3, 3]
    assert times_s.tolist() == [0, 1, 2]


@pytest.mark.parametrize("quarter_turns", [1, 2, 3])
def test_a_turned_picture_is_set_upright(tmp_path, quarter_turns):
    video = turn_in_header(make(tmp_path / "video.mp4", Kind(options=LONG_GOP, sound=None)), quarter_turns)
    frames, _ = sample_frames(video, fps=10)
    turned_back = [number_of(np.rot90(frame, -quarter_turns)) for frame in frames]
    assert turned_back == list(range(0, 90, 3))


def test_few_frames_of_a_long_video_decode_a_fraction_of_it(tmp_path, monkeypatch):
    times = tuple(Fraction(k, 30) for k in range(1200))
    make(tmp_path / "video.mp4", Kind(options={"g": "60", "preset": "ultrafast"}, times=times, sound=None))
    fed = []
    wanted = sampling._decode_wanted

    def counting(video, packets, last, inside):
        return wanted(video, (fed.append(packet) or packet for packet in packets), last, inside)

    monkeypatch.setattr(sampling, "_decode_wanted", counting)
    frames, _ = sample_frames(tmp_path / "video.mp4", count=4)
    assert [number_of(frame) for frame in frames] == [150, 450, 750, 1050]
    assert 0 < len(fed) < 4 * 60


@pytest.mark.parametrize("threads", [1, 2, 3, 16])
def test_cores_share_the_work_and_change_nothing(tmp_path, threads):
    make(tmp_path / "video.mp4", Kind(options={"g": "20", "bf": "3", "x264-params": "open-gop=1"}))
    for how in ({"fps": 7.3}, {"count": 5}, {"fps": 100}):
        frames, _ = sample_frames(tmp_path / "video.mp4", **how, threads=threads)
        alone, _ = sample_frames(tmp_path / "video.mp4", **how, threads=1)
        assert np.array_equal(frames, alone)
    # A hundred pictures a second of 30: each frame stands for three or four of them.
    assert [number_of(frame) for frame in frames] == [k * 3 // 10 for k in range(300)]


def test_an_index_that_leads_nowhere_is_done_without(tmp_path, monkeypatch):
    make(tmp_path / "video.mp4", Kind(options={"g": "20", "preset": "ultrafast"}, sound=None))
    monkeypatch.setattr(sampling, "_seek_to", lambda video, pts: iter(()))
    frames, _ = sample_frames(tmp_path / "video.mp4", count=3)
    assert [number_of(frame) for frame in frames] == [15, 45, 75]


def test_a_file_whose_packets_tell_no_times_is_decoded_whole(tmp_path):
    make(tmp_path / "video.avi", Kind("avi", options={"bf": "2"}, sound=None))
    frames, _ = sample_frames(tmp_path / "video.avi", fps=5)
    shown = [number_of(frame) for frame in frames]
    assert shown == sorted(shown)
    assert len(shown) == 15
    assert max(abs(number - 6 * k) for k, number in enumerate(shown)) <= 2


@pytest.mark.parametrize(
    "bad",
    [
        {"fps": 0},
        {"fps": float("nan")},
        {"fps": -1},
        {"fps": "2"},
        {"count": 0},
        {"count": 2.5},
        {"size": 0},
        {"size": 2.5},
        {"size": (32, 32)},
        {"threads": -1},
    ],
    ids=str,
)
def test_what_is_not_positive_is_refused(bad):
    with pytest.raises(ValueError, match="must be positive"):
        sample_frames("unused.mp4", **bad)


def test_what_is_no_video_is_named(tmp_path):
    (tmp_path / "page.mp4").write_text("<html></html>")
    make(tmp_path / "video.mp4")
    with av.open(str(tmp_path / "sound.m4a"), "w") as container:
        stream = container.add_stream("aac", rate=48000, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        frame.rate = 48000
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    for name in ["page.mp4", "absent.mp4", "sound.m4a"]:
        with pytest.raises(MediaError, match=name):
            sample_frames(tmp_path / name)
