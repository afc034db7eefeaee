"""Signatures and time codes: from known digests, through lossy video and squashing, never where there is none."""

import io
import math
import unicodedata
from fractions import Fraction

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cmb_harness.example.picture import background, pictures
from cmb_harness.media import signature

TEXT = "A description, and a second clause."


def picture(text: str | None = None, number: int = 7, size: tuple[int, int] = (144, 192)) -> np.ndarray:
    luma = np.resize(background(number), size).copy()
    signature.draw_time_code(luma, number)
    if text is not None:
        signature.draw(luma, signature.pattern(text))
    return luma


def through_h264(frames: list[np.ndarray], crf: int) -> list[np.ndarray]:
    """Encode planes of 4:2:0 and give back RGB frames squashed to 224 × 224."""
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=10, options={"crf": str(crf), "preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = 192, 144, "yuv420p"
        for planes in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(planes, format="yuv420p")))
        container.mux(stream.encode(None))
    file.seek(0)
    with av.open(file) as container:
        return [frame.reformat(224, 224, format="rgb24").to_ndarray() for frame in container.decode(video=0)]


def test_a_pattern_is_the_head_of_the_sha256() -> None:
    # FIPS 180-2, B.1: SHA-256("abc") = ba7816bf 8f01cfea …
    rows = [0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA]
    bits = [[bool(row >> shift & 1) for shift in range(7, -1, -1)] for row in rows]
    assert signature.pattern("abc").tolist() == bits


def test_a_pattern_is_that_of_the_normalised_text() -> None:
    text = "Tết Nguyên Đán\nសួស្តី"
    apart = unicodedata.normalize("NFD", text)
    assert apart != unicodedata.normalize("NFC", text)
    assert (signature.pattern(apart) == signature.pattern(text)).all()


@given(st.text(), st.integers(0, 4095), st.integers(40, 400), st.integers(60, 400), st.booleans())
def test_what_is_drawn_is_read_at_any_size(
    text: str, number: int, height: int, width: int, rgb: bool
) -> None:
    luma = picture(text, number, (height * 2, width * 2))
    frame = np.repeat(luma[:, :, None], 3, axis=2) if rgb else luma
    shown = signature.read_pattern(frame)
    assert shown is not None
    assert (shown == signature.pattern(text)).all()
    assert signature.matches(frame, signature.pattern(text))
    assert signature.read_time_code(frame) == number


@pytest.mark.parametrize("crf", [23, 38])
def test_both_survive_lossy_video_squashed_to_a_square(crf: int) -> None:
    pattern = signature.pattern(TEXT)
    planes = [
        frame.copy() for frame in pictures(20, Fraction(10), dict.fromkeys(range(8, 15), pattern), (120, 134))
    ]
    frames = through_h264(planes, crf)
    assert [signature.read_time_code(frame) for frame in frames] == list(range(20))
    assert [signature.matches(frame, pattern) for frame in frames] == [8 <= at < 15 for at in range(20)]


def test_another_text_is_taken_for_this_one_less_than_once_in_a_million() -> None:
    agreeing = sum(math.comb(64, cells) for cells in range(signature.TOLERATED_CELLS + 1))
    assert agreeing / 2**64 < 1e-6
    frame = picture(TEXT)
    assert not any(signature.matches(frame, signature.pattern(f"{TEXT}{number}")) for number in range(2000))


def test_as_many_cells_as_tolerated_may_differ_and_no_more() -> None:
    pattern = signature.pattern(TEXT)
    for wrong, expected in ((4, True), (5, False)):
        other = pattern.copy()
        other.ravel()[:wrong] ^= True
        assert signature.matches(picture(TEXT), other) is expected


@pytest.mark.parametrize("number", range(0, 400, 13))
def test_the_background_shows_no_signature(number: int) -> None:
    assert signature.read_pattern(picture(None, number)) is None


@given(arrays(np.uint8, (48, 64, 3)))
def test_arbitrary_pictures_match_nothing(frame: np.ndarray) -> None:
    assert not signature.matches(frame, signature.pattern(TEXT))


def test_a_plain_picture_is_no_time_code() -> None:
    for grey in (0, 128, 255):
        assert signature.read_time_code(np.full((144, 192, 3), grey, np.uint8)) is None


def test_a_covered_time_code_is_not_guessed() -> None:
    frame = picture(None, 1234)
    frame[:20, 60:90] = 128
    assert signature.read_time_code(frame) is None


@pytest.mark.parametrize("number", [-1, 4096])
def test_a_number_that_does_not_fit_raises(number: int) -> None:
    with pytest.raises(ValueError, match="4095"):
        signature.draw_time_code(np.zeros((144, 192), np.uint8), number)
