"""How alike two descriptions are: Sentence-BERT, any matrix from a file, or a light stand-in that needs no weights."""

import csv
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cmb_harness.construction.distractors.pool import similarity_faults
from cmb_harness.construction.faults import ConstructionError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Similarity = Callable[[Sequence[int]], np.ndarray]
"""Indices of n concepts of the table → their (n, n) similarities."""

GRAM_LENGTHS = (3, 4, 5)


def light_similarity(texts: Sequence[str]) -> Similarity:
    """Cosine of TF-IDF vectors over the letter sequences (3 to 5 characters) of the words of each text.

    It sees shared words and shared stems, in any script, and nothing else: not synonyms, not meaning. It is there
    so that a table can be sampled with no download; a release is better sampled with Sentence-BERT, as
    the paper's is. Values lie in [0, 1].
    """
    vectors = light_vectors(texts)

    def similarity(indices: Sequence[int]) -> np.ndarray:
        rows = vectors[np.asarray(indices, dtype=int)]
        return (rows @ rows.T).toarray()

    return similarity


def light_vectors(texts: Sequence[str]) -> "csr_array":
    """(N, V) TF-IDF vectors of unit length; a text without a word has the zero vector.

    A count c weighs 1 + ln c, a sequence in d of N texts ln((1 + N) / (1 + d)) + 1.
    """
    from scipy.sparse import csr_array

    counts = [Counter(_grams(text)) for text in texts]
    columns = {gram: i for i, gram in enumerate(sorted({gram for count in counts for gram in count}))}
    row = np.repeat(np.arange(len(texts)), [len(count) for count in counts])
    ordered = [sorted(count.items()) for count in counts]
    column = np.array([columns[gram] for count in ordered for gram, _ in count], dtype=int)
    weight = 1 + np.log(np.array([n for count in ordered for _, n in count], dtype=float))
    spread = np.bincount(column, minlength=len(columns))
    weight *= (np.log((1 + len(texts)) / (1 + spread)) + 1)[column]
    length = np.sqrt(np.bincount(row, weight**2, minlength=len(texts)))
    return csr_array((weight / length[row], (row, column)), shape=(len(texts), max(1, len(columns))))


def vector_similarity(vectors: np.ndarray) -> Similarity:
    """Cosine of (N, D) dense vectors.

    Raises:
        ConstructionError: a vector that is zero or not finite.
    """
    length = np.linalg.norm(vectors, axis=1)
    wrong = np.flatnonzero(~(np.isfinite(length) & (length > 0)))
    if len(wrong):
        raise ConstructionError(f"similarity: the vector of concept {wrong[0]} is zero or not finite")
    unit = np.asarray(vectors, dtype=float) / length[:, None]

    def similarity(indices: Sequence[int]) -> np.ndarray:
        rows = unit[np.asarray(indices, dtype=int)]
        return rows @ rows.T

    return similarity


def read_matrix(path: str | os.PathLike[str], concept_ids: Sequence[str]) -> Similarity:
    """A matrix from a file, checked against the concepts of the table.

    Args:
        path: ``.npy`` with an (N, N) array in the order of the table; or ``.csv`` with numbers alone in that order, or
            with concept_ids as its first row and first column in any order, those of other concepts allowed.
        concept_ids: of the table, in its order.

    Raises:
        ConstructionError: cannot be read, wrong size, a concept without a row, not symmetric, or not finite.
    """
    matrix = _npy(path) if Path(path).suffix == ".npy" else _csv(path, concept_ids)
    faults = similarity_faults(matrix, len(concept_ids))
    if faults:
        raise ConstructionError([f"{path}: {fault}" for fault in faults])
    return lambda indices: matrix[np.ix_(indices, indices)]


def _grams(text: str) -> list[str]:
    words = re.findall(r"[\w]+", unicodedata.normalize("NFKC", text).casefold())
    return [
        padded[i : i + length]
        for padded in (f" {word} " for word in words)
        for length in GRAM_LENGTHS
        for i in range(len(padded) - length + 1)
    ]


def _npy(path: str | os.PathLike[str]) -> np.ndarray:
    try:
        return np.asarray(np.load(path, allow_pickle=False), dtype=float)
    except OSError as error:
        raise ConstructionError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, TypeError, EOFError) as error:
        raise ConstructionError(f"{path}: no array of numbers: {error}") from None


def _csv(path: str | os.PathLike[str], concept_ids: Sequence[str]) -> np.ndarray:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except OSError as error:
        raise ConstructionError(f"{path}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise ConstructionError(f"{path}: not CSV in UTF-8: {error}") from None
    named = bool(rows) and bool(set(rows[0]) & set(concept_ids))
    return _named_rows(path, rows, concept_ids) if named else _numbers(path, rows, 1)


def _named_rows(
    path: str | os.PathLike[str], rows: list[list[str]], concept_ids: Sequence[str]
) -> np.ndarray:
    columns, lines = rows[0][1:], [row[0] for row in rows[1:]]
    for what, names in (("columns", columns), ("rows", lines)):
        missing = [name for name in concept_ids if names.count(name) != 1]
        if missing:
            raise ConstructionError(f"{path}: {what}: not there, or twice: {', '.join(missing[:5])}")
    numbers = _numbers(path, [row[1:] for row in rows[1:]], 2)
    if numbers.shape[1] != len(columns):
        raise ConstructionError(f"{path}: {len(columns)} columns have names, {numbers.shape[1]} have numbers")
    return numbers[
        np.ix_([lines.index(name) for name in concept_ids], [columns.index(name) for name in concept_ids])
    ]


def _numbers(path: str | os.PathLike[str], rows: list[list[str]], first: int) -> np.ndarray:
    if len({len(row) for row in rows}) > 1:
        raise ConstructionError(f"{path}: the rows differ in length")
    faults = []
    for number, row in enumerate(rows, first):
        for cell in row:
            try:
                float(cell)
            except ValueError:
                faults.append(f"{path}: row {number}: {cell!r} is no number")
    if faults:
        raise ConstructionError(faults[:10])
    return np.array(rows, dtype=float)
