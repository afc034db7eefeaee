"""What the example's synthetic videos show: a signature that stands for a text, and a time code.

A *signature* is a square of 8 × 8 dark and light cells in the middle of the frame, the first 64 bits of the text's
SHA-256. A *time code* is the number of the frame, as a strip of dark and light blocks along its top edge. Both are
placed by fractions of the frame's size, so that they read back from a frame of any size and shape.
"""

import hashlib
import unicodedata

import numpy as np

CELLS = 8
CODE_BITS = 12

# (top, bottom, left, right), as fractions of the frame's height and width.
Area = tuple[float, float, float, float]
SQUARE: Area = (1 / 6, 5 / 6, 1 / 4, 3 / 4)
CODE: Area = (1 / 36, 5 / 36, 1 / 8, 7 / 8)

DARK, LIGHT = 40, 216
# Between these a cell is neither: a plain background reads as no signature at all.
CLEARLY_DARK, CLEARLY_LIGHT = 96, 160
# Another text's signature agrees in 60 of its 64 cells with probability 4e-14.
TOLERATED_CELLS = 4

# Where each cell is sampled: away from its edges, which compression and resizing blur.
INSIDE = np.array([0.3, 0.4, 0.5, 0.6, 0.7])
BT601 = np.array([0.299, 0.587, 0.114])


def pattern(text: str) -> np.ndarray:
    """The signature of a text: bool (8, 8), True is light. Equal for texts that are equal in Unicode's NFC."""
    digest = hashlib.sha256(unicodedata.normalize("NFC", text).encode("utf-8")).digest()
    bits = np.unpackbits(np.frombuffer(digest[: CELLS * CELLS // 8], dtype=np.uint8))
    return bits.reshape(CELLS, CELLS).astype(bool)


def draw(luma: np.ndarray, signature: np.ndarray) -> None:
    """Paint a signature, bool (8, 8), into the middle of ``luma``, uint8 (height, width), in place."""
    _paint(luma, SQUARE, signature)


def draw_time_code(luma: np.ndarray, number: int) -> None:
    """Paint the number of a frame, 0 to 4095, along the top edge of ``luma``, uint8 (height, width), in place.

    Raises:
        ValueError: the number does not fit.
    """
    if not 0 <= number < 1 << CODE_BITS:
        raise ValueError(f"a time code holds 0 to {(1 << CODE_BITS) - 1}, not {number}")
    bits = np.array([number >> shift & 1 for shift in reversed(range(CODE_BITS))], dtype=bool)
    # The second row is the first one inverted: a picture that is no time code does not read as one.
    _paint(luma, CODE, np.stack([bits, ~bits]))


def read_pattern(frame: np.ndarray) -> np.ndarray | None:
    """The signature that a frame shows, bool (8, 8); None if its middle is no square of dark and light cells.

    Args:
        frame: uint8 (height, width, 3) in RGB, or (height, width).
    """
    cells = _sample(frame, SQUARE, CELLS, CELLS)
    return cells > (CLEARLY_DARK + CLEARLY_LIGHT) / 2 if _unclear(cells) <= TOLERATED_CELLS else None


def matches(frame: np.ndarray, signature: np.ndarray) -> bool:
    """Whether a frame, uint8 (height, width, 3) or (height, width), shows a signature, bool (8, 8).

    Four cells may differ, for the sake of lossy video.
    """
    shown = read_pattern(frame)
    return shown is not None and int((shown != signature).sum()) <= TOLERATED_CELLS


def read_time_code(frame: np.ndarray) -> int | None:
    """The number of the frame as it is burned in; None if there is no time code that can be read for certain.

    Args:
        frame: uint8 (height, width, 3) in RGB, or (height, width).
    """
    cells = _sample(frame, CODE, 2, CODE_BITS)
    bits, inverted = cells > (CLEARLY_DARK + CLEARLY_LIGHT) / 2
    if _unclear(cells) or (bits == inverted).any():
        return None
    return int("".join("01"[int(bit)] for bit in bits), 2)


def _unclear(cells: np.ndarray) -> int:
    return int(((cells > CLEARLY_DARK) & (cells < CLEARLY_LIGHT)).sum())


def _paint(luma: np.ndarray, area: Area, cells: np.ndarray) -> None:
    """Fill an area with dark and light cells, bool (rows, columns)."""
    top, bottom, left, right = area
    ys, rows = _pixels(luma.shape[0], top, bottom, cells.shape[0])
    xs, columns = _pixels(luma.shape[1], left, right, cells.shape[1])
    luma[ys, xs] = np.where(cells[rows[:, None], columns], LIGHT, DARK)


def _pixels(size: int, low: float, high: float, cells: int) -> tuple[slice, np.ndarray]:
    """The pixels of one axis between two fractions of its size, and the cell in which each has its centre."""
    first, last = round(low * size), round(high * size)
    centres = (np.arange(first, last) + 0.5) / size
    return slice(first, last), ((centres - low) / (high - low) * cells).clip(0, cells - 1).astype(int)


def _sample(frame: np.ndarray, area: Area, rows: int, columns: int) -> np.ndarray:
    """Mean luma, 0 to 255, of the inside of each cell of an area: float (rows, columns)."""
    top, bottom, left, right = area
    ys = _positions(frame.shape[0], top, bottom, rows)
    xs = _positions(frame.shape[1], left, right, columns)
    points = frame[ys[:, None], xs].astype(float)
    luma = points @ BT601 if points.ndim == 3 else points
    return luma.reshape(rows, len(INSIDE), columns, len(INSIDE)).mean(axis=(1, 3))


def _positions(size: int, low: float, high: float, cells: int) -> np.ndarray:
    fractions = (np.arange(cells)[:, None] + INSIDE).ravel() / cells
    return ((low + (high - low) * fractions) * size).astype(int)
