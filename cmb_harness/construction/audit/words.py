"""Text as the audit compares it: folded, in words, and how alike two texts are."""

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Shorter words are particles in most of the languages concerned.
LEAST_LETTERS = 4
# Diacritics of Latin letters; the combining vowels of other scripts are letters in their own right.
_MARKS = re.compile("[\u0300-\u036f]")
_LETTERS = str.maketrans({"đ": "d", "ø": "o", "ł": "l"})


def fold(text: str) -> str:
    """Case, width and Latin diacritics taken away: ``Bánh Chưng`` and ``banh chung`` are the same."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    decomposed = _MARKS.sub("", unicodedata.normalize("NFD", plain))
    return unicodedata.normalize("NFC", decomposed).translate(_LETTERS)


def words(text: str) -> list[str]:
    """The folded words of a text, in order. A script that sets no spaces gives long ones."""
    return re.findall(r"\w+", fold(text))


def content_words(text: str) -> set[str]:
    """The words that can give a name away: four letters or more, no numbers."""
    return {word for word in words(text) if len(word) >= LEAST_LETTERS and not word.isdigit()}


def holds_name(text: str, name: str) -> bool:
    """Whether a text holds a name: as whole words, or anywhere where the script sets no spaces."""
    wanted = words(name)
    if not wanted:
        return False
    if not re.search("[a-z]", fold(name)):
        return fold(name).strip() in fold(text)
    return f" {' '.join(wanted)} " in f" {' '.join(words(text))} "


def holds_country(text: str, country: str) -> bool:
    """Whether a text holds a country's name or a word made of it: Thai for Thailand, Vietnamese for Vietnam.

    Words of another stem, such as Burmese for Myanmar, are not known.
    """
    if holds_name(text, country):
        return True
    name = fold(country)
    return any(word.startswith(name) or name.startswith(word) for word in content_words(text))


def word_overlap(texts: Sequence[str]) -> NDArray[np.float64]:
    """(N, N) words that two texts share, over the words that either has; 0 for texts without a word."""
    from scipy.sparse import csr_array

    sets = [set(words(text)) for text in texts]
    columns = {word: place for place, word in enumerate(sorted(set().union(*sets)))}
    row = np.repeat(np.arange(len(sets)), [len(one) for one in sets])
    column = np.array([columns[word] for one in sets for word in sorted(one)], dtype=int)
    shape = (len(sets), max(1, len(columns)))
    present = csr_array((np.ones(len(row)), (row, column)), shape=shape)
    both = (present @ present.T).toarray()
    size = np.array([len(one) for one in sets], dtype=float)
    either = size[:, None] + size[None, :] - both
    return np.divide(both, either, out=np.zeros_like(both), where=either > 0)
