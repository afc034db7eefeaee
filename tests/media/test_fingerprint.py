"""Fingerprints tell the same picture in another coding from another picture, or from the same one shifted."""

from fractions import Fraction

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_harness.media import fingerprint as prints
from cmb_harness.media.fingerprint import Fingerprint, Track, difference, read_fingerprint, usual_step
from cmb_harness.media.probe import probe

# Moving pictures that libav makes: a fractal zoomed into, a chart with a hand going round, shapes flying about.
SCENES = {
    "fractal": "mandelbrot=size=160x90:rate=25:end_pts=300:end_scale=0.003",
    "chart": "testsrc=size=160x90:rate=25",
    "shapes": "testsrc2=size=160x90:rate=25",
}


def write(path, scene, *, begin_s=0.0, length_s=8.0, size=(160, 90), fps=25, codec="libx264", options=None):
    """Encode a part of a scene; frames are picked by time, so another rate shows the same moments."""
    with av.open(scene, format="lavfi") as source, av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=fps, options=options or {"preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        written = 0
        for frame in source.decode(video=0):
            time_s = frame.time - begin_s
            if time_s >= length_s:
                break
            while written / fps <= time_s + 1e-6 and time_s >= 0:
                picture = frame.reformat(*size, "yuv420p")
                picture.pts, picture.time_base, picture.pict_type = written, Fraction(1, fps), 0
                container.mux(stream.encode(picture))
                written += 1
        container.mux(stream.encode(None))
    return path


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenes")
    return {name: probe(write(folder / f"{name}.mp4", scene)).track for name, scene in SCENES.items()}


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize(
    "how",
    [
        {"options": {"preset": "ultrafast", "crf": "38"}},
        {"size": (320, 180)},
        {"fps": 15},
        pytest.param({"fps": 30}, marks=pytest.mark.thorough),
        {"codec": "libvpx-vp9", "options": {"deadline": "realtime", "cpu-used": "8", "crf": "45", "b": "0"}},
    ],
    ids=str,
)
def test_another_coding_of_the_same_picture_is_the_same(original, tmp_path, name, how):
    suffix = "webm" if "codec" in how else "mp4"
    seen = probe(write(tmp_path / f"again.{suffix}", SCENES[name], **how)).track
    assert difference(original[name].fingerprint(1), seen) is None
    misfit = prints._misfit(original[name].pictures, seen.pictures[: len(original[name].pictures)])
    assert misfit.mean() < prints.SAME_PICTURE / 2


@pytest.mark.parametrize(
    ("name", "begin_s"),
    [("fractal", 0.6), ("fractal", 3.0), ("chart", 1.0), ("chart", 2.0), ("shapes", 1.0), ("shapes", 2.5)],
)
def test_a_shifted_picture_is_noticed(original, tmp_path, name, begin_s):
    seen = probe(write(tmp_path / "shifted.mp4", SCENES[name], begin_s=begin_s)).track
    assert difference(original[name].fingerprint(1), seen) is not None


# A fractal that is zoomed into twelve times more slowly: pictures a second apart hardly differ.
SLOW = "mandelbrot=size=160x90:rate=25:end_pts=3600:end_scale=0.003"


@pytest.mark.parametrize("begin_s", [0.0, 0.5, 1.0, 2.0])
def test_a_shift_of_less_than_a_step_is_noticed_in_a_slow_picture(tmp_path, begin_s):
    known = probe(write(tmp_path / "known.mp4", SLOW, length_s=40)).track.fingerprint(6)
    again = {"preset": "ultrafast", "crf": "32"}
    other = write(tmp_path / "other.mp4", SLOW, begin_s=begin_s, length_s=40, fps=15, options=again)
    said = difference(known, probe(other).track)
    assert said == (f"its picture comes about {begin_s:g} s earlier than it did" if begin_s else None)
    # The other way round: something was put in front.
    if begin_s:
        said = difference(probe(other).track.fingerprint(6), probe(tmp_path / "known.mp4").track)
        assert said == f"its picture comes about {begin_s:g} s later than it did"


def slides(path, every_s, length_s, fps, grey=None):
    """A slide show that changes every so often, or one grey picture."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=fps, options={"preset": "ultrafast", "crf": "10"})
        stream.width, stream.height, stream.pix_fmt = 160, 96, "yuv420p"
        for k in range(int(length_s * fps)):
            slide = np.random.default_rng(int(k / fps / every_s + 1e-6)).integers(0, 255, (6, 10), np.uint8)
            luma = (
                np.kron(slide, np.ones((16, 16), np.uint8))
                if grey is None
                else np.full((96, 160), grey, np.uint8)
            )
            planes = np.concatenate([luma, np.full((48, 160), 128, np.uint8)])
            frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            frame.pts, frame.time_base = k, 1 / Fraction(fps)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return probe(path).track


@pytest.mark.parametrize("every_s", [0.5, 1.0, 2.0])
def test_slides_at_another_rate_are_the_same(tmp_path, every_s):
    one = slides(tmp_path / "a.mp4", every_s, 40, Fraction(10))
    other = slides(tmp_path / "b.mp4", every_s, 40, Fraction(999, 100))
    assert difference(one.fingerprint(1), other) is None


def test_a_grey_level_more_is_the_same_and_a_replaced_part_is_not(tmp_path):
    one = slides(tmp_path / "a.mp4", 1, 8, Fraction(10), grey=127)
    assert difference(one.fingerprint(1), slides(tmp_path / "b.mp4", 1, 8, Fraction(10), grey=128)) is None
    # Three of 64 seconds show something else.
    whole = slides(tmp_path / "c.mp4", 1, 64, Fraction(5))
    pictures = whole.pictures.copy()
    pictures[60:66] = 15 - pictures[60:66]
    assert difference(whole.fingerprint(1), Track(pictures)) == "3 of 64 sampled pictures differ"


def test_every_other_picture_is_noticed(original):
    for one in SCENES:
        for other in SCENES:
            said = difference(original[one].fingerprint(1), original[other])
            assert (said is None) == (one == other)


@given(st.integers(1, 600), st.integers(1, 4), st.randoms(use_true_random=False))
def test_a_fingerprint_reads_back_from_its_string(step_s, count, random):
    pictures = np.array([[random.randrange(16) for _ in range(64)] for _ in range(count)], np.uint8)
    again = read_fingerprint(str(Fingerprint(step_s, pictures)))
    assert again.step_s == step_s
    assert np.array_equal(again.pictures, pictures)


def test_the_pictures_of_a_video_are_those_past_half_steps(tmp_path):
    from numbered_video import Kind, board, make

    make(tmp_path / "video.mp4", Kind(options={"preset": "ultrafast", "crf": "10"}))
    seen = probe(tmp_path / "video.mp4").track.fingerprint(1)
    assert len(seen.pictures) == 3
    # 30 frames a second: at 0.637, 1.637 and 2.637 s frames 19, 49 and 79 are on screen. By hand: a cell of the 4 x 4
    # board covers 2 x 2 of the 8 x 8 pixels; 225 and 25 of 256 are levels 14 and 1, or one more by the dither.
    for picture, number in zip(seen.pictures, (19, 49, 79), strict=True):
        cells = board(number)[::45, ::80, 0][:4, :4]
        expected = np.kron(cells // 16, np.ones((2, 2), int))
        assert np.abs(picture.reshape(8, 8).astype(int) - expected).max() <= 1


def test_long_videos_have_no_longer_fingerprints():
    assert [usual_step(seconds) for seconds in (0.5, 64, 65, 360, 3600)] == [1, 1, 2, 6, 57]
    # A minute and a half, half a second apart: with steps of two seconds, at 1, 3, 5, … s.
    track = Track(np.repeat(np.arange(180, dtype=np.uint8)[:, None], 64, axis=1))
    assert track.fingerprint(2).pictures[:, 0].tolist() == list(range(2, 180, 4))
    assert Track(track.pictures[:2]).fingerprint(2).pictures[:, 0].tolist() == [1]
    with pytest.raises(ValueError):
        read_fingerprint("2:1:00")
