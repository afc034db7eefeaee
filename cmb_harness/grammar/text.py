"""The text of a model, made plain: one spelling a character, ASCII digits, and a folded copy of equal length."""

import re
import unicodedata
from functools import cache
from typing import NamedTuple

# Stacked accents cost normalisation quadratic time; no orthography of the region stacks more than four.
_MARKS_KEPT = 8

# Format characters, variation selectors, keycap frames: they say nothing and stand inside words.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff⟦⟧]"
)
_NEWLINES = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_GROUPED = re.compile("(?<=\\d)[\u00a0\u2009\u202f](?=\\d{3}(?!\\d))")

# First code point of the decimal digits of each script.
_DIGIT_ZEROS = (
    0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0, 0xF20,
    0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0,
    0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
)  # fmt: skip
# Letters and digits in another dress (full-width, circled, mathematical, ligatures), which NFKC undresses.
_DRESSED = (
    (0xFF01, 0xFF5E), (0x2460, 0x24FF), (0x1D400, 0x1D7FF), (0x2100, 0x2149), (0xFB00, 0xFB06), (0x2160, 0x217F),
    (0x1F110, 0x1F12B), (0x1F130, 0x1F149), (0x2070, 0x2071), (0x2074, 0x2079), (0x2080, 0x2089),
)  # fmt: skip
_WRITTEN_OTHERWISE = {
    "’‘ʼʻ′´ʹꞌ‛": "'", "“”„‟″〃": '"', "−‐‑‒﹘": "-", "٫": ".", "٬": ",", "٪": "%", "،": ",", "៖꞉ː︰": ":", "⟶⇾": "→",
    "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000": " ",
}  # fmt: skip
_SPELLED_OUT = {
    "ß": "ss",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "þ": "th",
    "Þ": "TH",
    "İ": "I",
    "…": "...",
    "™": "",
}
# What folding makes of letters whose decomposition is not their base letter.
_BARE_LETTERS = {
    "đ": "d",
    "ð": "d",
    "ø": "o",
    "ł": "l",
    "ħ": "h",
    "ŧ": "t",
    "ı": "i",
    "ŋ": "n",
    "ɓ": "b",
    "ɗ": "d",
    "ƙ": "k",
}


def _one_spelling() -> dict[str, str]:
    table = {char: to for chars, to in _WRITTEN_OTHERWISE.items() for char in chars}
    for first, last in _DRESSED:
        table |= {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(first, last + 1)}
    table |= _SPELLED_OUT
    table |= {chr(zero + value): str(value) for zero in _DIGIT_ZEROS for value in range(10)}
    # Emoji letters: negative circled and negative squared A to Z.
    table |= {chr(start + i): chr(65 + i) for start in (0x1F150, 0x1F170) for i in range(26)}
    return {char: to for char, to in table.items() if char != to}


def _base_letters() -> dict[str, str]:
    table = dict(_BARE_LETTERS)
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base.isascii():
            table[chr(code)] = base
    return table


_ONE_SPELLING = str.maketrans(_one_spelling())
_BASE_LETTERS = str.maketrans(_base_letters())
_LOOSE_LATIN_MARKS = re.compile("[\u0300-\u036f]+")


class Reading(NamedTuple):
    """A text in two copies of equal length, so that a place in one is the same place in the other.

    Attributes:
        shown: the characters as written; tells cases and marks apart.
        plain: ``shown`` folded: lower case, Latin letters without their marks.
    """

    shown: str
    plain: str

    def part(self, start: int, end: int) -> "Reading":
        """The characters ``start`` to ``end`` of both copies."""
        return Reading(self.shown[start:end], self.plain[start:end])


def normal_text(text: str) -> str:
    """``text`` with one spelling a character: NFC, ASCII digits, plain quotes, no invisible characters.

    Linear in the length of the text: a run of combining marks is cut to eight before it is composed.
    """
    text = _NEWLINES.sub("\n", text)
    if text.isascii():
        return text
    text = _GROUPED.sub("", _INVISIBLE.sub("", text)).translate(_ONE_SPELLING)
    # Marks beyond the basic plane make the search slow: only for texts that have such characters.
    text = _stacked(0x1F000 if max(text, default="") > "\uffff" else 0x10000).sub(r"\1", text)
    text = unicodedata.normalize("NFC", text)
    # Thai and Lao AM are one character or two; NFC leaves both.
    text = text.replace("\u0e4d\u0e32", "\u0e33").replace("\u0ecd\u0eb2", "\u0eb3")
    return _LOOSE_LATIN_MARKS.sub("", text)


@cache
def _stacked(last: int) -> re.Pattern[str]:
    """A pattern for more combining marks in a row than any spelling needs; made once, when first asked for."""
    marks = "".join(filter(unicodedata.combining, map(chr, range(0x300, last))))
    return re.compile(f"([{marks}][{marks}]{{{_MARKS_KEPT - 1}}})[{marks}]+")


def fold(text: str) -> str:
    """``text`` (from ``normal_text``) in lower case and with bare Latin letters; the length stays the same.

    Marks of other scripts stay: in Thai, Khmer or Burmese they are the vowels.
    """
    lower = text.lower()
    return lower if lower.isascii() else lower.translate(_BASE_LETTERS)


def read(text: str) -> Reading:
    """Both copies of a text that ``normal_text`` has made."""
    return Reading(text, fold(text))
