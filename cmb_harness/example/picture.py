"""What the example's videos look like: a soft background, the number and the time of the frame, a signature."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache

import numpy as np

from cmb_harness.media.signature import draw, draw_time_code

WIDTH, HEIGHT = 192, 144

# 3 × 5 dots a character, row by row.
GLYPHS = {
    "0": "111101101101111", "1": "010110010010111", "2": "111001111100111", "3": "111001111001111",
    "4": "101101111001001", "5": "111100111001111", "6": "111100111101111", "7": "111001001010010",
    "8": "111101111101111", "9": "111101111001111", ".": "000000000000010", " ": "000000000000000",
}  # fmt: skip
GLYPH_SCALE = 3


def pictures(
    count: int, rate: Fraction, signatures: Mapping[int, np.ndarray], tint: tuple[int, int]
) -> Iterator[np.ndarray]:
    """The frames of a video, each as stacked planes of 4:2:0, uint8 (216, 192). The array is reused.

    Args:
        count: how many.
        rate: frames a second.
        signatures: frame number → the signature, bool (8, 8), that it carries.
        tint: the two chroma values of all frames, 128 is grey.
    """
    planes = np.empty((HEIGHT * 3 // 2, WIDTH), dtype=np.uint8)
    planes[HEIGHT:].reshape(2, -1)[:] = np.array(tint)[:, None]
    luma = planes[:HEIGHT]
    for number in range(count):
        luma[:] = background(number)
        draw_time_code(luma, number)
        write_digits(luma, f"{number:04d} {float(number / rate):06.2f}")
        if number in signatures:
            draw(luma, signatures[number])
        yield planes


def background(number: int) -> np.ndarray:
    """Soft waves that drift from frame to frame, in middle greys that read as no signature: uint8 (144, 192)."""
    across = 12 * np.sin((np.arange(WIDTH) + 2 * number) * (2 * np.pi / WIDTH))
    down = 12 * np.sin((np.arange(HEIGHT) + number) * (2 * np.pi / HEIGHT))
    return (128 + across[None, :] + down[:, None]).astype(np.uint8)


def write_digits(luma: np.ndarray, text: str) -> None:
    """Write digits, points and blanks along the bottom edge of ``luma``, uint8 (height, width), in place."""
    line = np.concatenate([_glyph(character) for character in text], axis=1)
    top, left = luma.shape[0] - line.shape[0] - 4, (luma.shape[1] - line.shape[1]) // 2
    luma[top : top + line.shape[0], left : left + line.shape[1]] = line


@cache
def _glyph(character: str) -> np.ndarray:
    dots = np.array([int(dot) for dot in GLYPHS[character]], dtype=np.uint8).reshape(5, 3)
    return np.kron(np.pad(dots, ((0, 0), (0, 1))), np.ones((GLYPH_SCALE, GLYPH_SCALE), np.uint8)) * 180 + 30
