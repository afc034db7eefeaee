"""The videos, really decoded: streams, every frame's time code, and the signature in exactly its frames."""

import hashlib
import itertools
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from cmb_harness.example.table import read_example, video_plans
from cmb_harness.example.videos import Shown, VideoPlan, is_whole, make_video
from cmb_harness.media import signature

PLANS = video_plans(read_example())
SMALL = VideoPlan("abcdefghijx", 4.0, (Shown("a text", 1.2, 2.217),))


def decoded(path: Path) -> list[tuple[Fraction, np.ndarray]]:
    """(seconds, RGB) of every frame."""
    with av.open(str(path)) as container:
        return [
            (frame.pts * frame.time_base, frame.to_ndarray(format="rgb24"))
            for frame in container.decode(video=0)
        ]


def on_screen(times_s: list[Fraction], duration_s: Fraction, shown: Shown) -> list[int]:
    """The frames whose time on screen meets ``[start_s, end_s)``."""
    start_s, end_s = Fraction(str(shown.start_s)), Fraction(str(shown.end_s))
    until_s = [*times_s[1:], duration_s]
    return [
        at
        for at, (begin, end) in enumerate(zip(times_s, until_s, strict=True))
        if begin < end_s and end > start_s
    ]


@pytest.mark.parametrize(
    ("start_s", "end_s", "rate", "first", "last"),
    [
        (1.2, 2.217, Fraction(25, 2), 15, 27),  # 1.2 s is frame 15; 2.217 s is 0.71 into frame 27
        (3.217, 6.0, Fraction(10), 32, 59),  # frame 60 begins at 6.0 s, after the moment
        (2.24, 4.4, Fraction(25, 2), 28, 54),  # 2.24 × 12.5 is 28 exactly, in decimals
        (0.3, 0.7, Fraction(10), 3, 6),
    ],
)
def test_frames_of_a_moment(start_s: float, end_s: float, rate: Fraction, first: int, last: int) -> None:
    frames = Shown("a text", start_s, end_s).frames(rate)
    assert (frames[0], frames[-1]) == (first, last)


def test_every_video_is_there_and_together_they_are_small(example: Path) -> None:
    files = {path.name for path in (example / "videos").iterdir()}
    assert files == {f"{plan.video_id}.mp4" for plan in PLANS}
    assert sum(path.stat().st_size for path in (example / "videos").iterdir()) < 10e6


@pytest.mark.parametrize("part", range(4))
def test_every_frame_carries_its_number_and_the_signature_in_its_time_alone(example: Path, part: int) -> None:
    for plan in PLANS[part::4]:
        frames = decoded(example / "videos" / f"{plan.video_id}.mp4")
        times_s = [time_s for time_s, _ in frames]
        duration_s = Fraction(str(plan.duration_s))
        assert times_s == [number / plan.rate for number in range(int(duration_s * plan.rate))]
        assert [signature.read_time_code(frame) for _, frame in frames] == list(range(len(frames)))
        expected = {
            at: signature.pattern(shown.text)
            for shown in plan.shown
            for at in on_screen(times_s, duration_s, shown)
        }
        for at, (_, frame) in enumerate(frames):
            seen = signature.read_pattern(frame)
            assert (seen is None) == (at not in expected), (plan.video_id, at)
            if seen is not None:
                assert signature.matches(frame, expected[at]), (plan.video_id, at)


def test_streams_and_their_lengths(example: Path) -> None:
    for plan in PLANS:
        with av.open(str(example / "videos" / f"{plan.video_id}.mp4")) as container:
            codecs = [(stream.type, stream.codec_context.name) for stream in container.streams]
            assert codecs == [("video", "h264"), ("audio", "aac"), ("subtitle", "mov_text")]
            picture = container.streams.video[0]
            assert picture.codec_context.pix_fmt == "yuv420p"
            assert (picture.width, picture.height) == (192, 144)
            assert picture.average_rate == plan.rate
            for stream in container.streams:
                length_s = float(stream.duration * stream.time_base)
                assert length_s == pytest.approx(plan.duration_s, abs=0.07)


def test_the_tone_sounds_from_end_to_end(example: Path) -> None:
    for plan in PLANS[::10]:
        with av.open(str(example / "videos" / f"{plan.video_id}.mp4")) as container:
            samples = np.concatenate([frame.to_ndarray()[0] for frame in container.decode(audio=0)])
        assert len(samples) / 16000 == pytest.approx(plan.duration_s, abs=0.13)
        whole = samples[: len(samples) // 1600 * 1600].reshape(-1, 1600)[1:-2]
        assert np.abs(whole).max(axis=1).min() > 0.1


def test_subtitles_follow_each_other_and_say_nothing(example: Path) -> None:
    plan = next(plan for plan in PLANS if len(plan.shown) == 3)
    with av.open(str(example / "videos" / f"{plan.video_id}.mp4")) as container:
        packets = [bytes(packet) for packet in container.demux(subtitles=0) if packet.size > 2]
    texts = [packet[2:].decode() for packet in packets]
    assert texts == [
        f"Synthetic test video, part {number + 1}" for number in range(-(-int(plan.duration_s) // 3))
    ]


def test_exact_cutting_is_really_tested(example: Path) -> None:
    """B-frames, keyframes seconds apart, and moments that mostly do not begin on one."""
    on_keyframe = 0
    for plan in PLANS:
        with av.open(str(example / "videos" / f"{plan.video_id}.mp4")) as container:
            packets = [packet for packet in container.demux(video=0) if packet.pts is not None]
        assert any(packet.pts != packet.dts for packet in packets)
        keys_s = [packet.pts * packet.time_base for packet in packets if packet.is_keyframe]
        assert all(3 <= b - a <= 5 for a, b in itertools.pairwise(keys_s))
        on_keyframe += sum(Fraction(str(shown.start_s)) in keys_s for shown in plan.shown)
    assert on_keyframe <= 5


def test_the_same_plan_shows_the_same(tmp_path: Path) -> None:
    digests = set()
    for name in ("a.mp4", "b.mp4"):
        make_video(SMALL, tmp_path / name)
        pixels = b"".join(frame.tobytes() for _, frame in decoded(tmp_path / name))
        digests.add(hashlib.sha256(pixels).hexdigest())
    assert len(digests) == 1


def test_a_file_is_whole_if_it_is_the_whole_video_of_this_plan(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    assert not is_whole(SMALL, path)
    make_video(SMALL, path)
    assert is_whole(SMALL, path)
    assert not is_whole(replace(SMALL, shown=(Shown("a text", 1.2, 2.317),)), path)
    content = path.read_bytes()
    for size in (0, len(content) // 2, len(content) - 40):
        path.write_bytes(content[:size])
        assert not is_whole(SMALL, path), size


def test_the_video_says_that_it_is_synthetic(tmp_path: Path) -> None:
    make_video(SMALL, tmp_path / "a.mp4")
    with av.open(str(tmp_path / "a.mp4")) as container:
        assert "not CMB" in container.metadata["comment"]
        assert "title" not in container.metadata
