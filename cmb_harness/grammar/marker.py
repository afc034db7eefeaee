"""Where a text announces its final answer, and how far the announcement reaches."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cmb_harness.grammar import words_answer as answer_words
from cmb_harness.grammar import words_verdict as verdict_words
from cmb_harness.grammar.words import one_of, words

# Markers from the end of a text that are looked at: more of them is a loop, not an answer.
MARKERS_KEPT = 40
_LONGEST_SENTENCE = 400

# Signs judge what follows them at the start of a line only; elsewhere they judge what stands before them.
SIGNS = set(words({"choosing": answer_words.CHOOSING["sign"], "rejecting": verdict_words.REJECTING["sign"]}))

COPULA = re.compile(one_of(answer_words.COPULA))
FILLER = re.compile(one_of(answer_words.FILLER, answer_words.LABEL, answer_words.NUMBER_LEAD))
ANNOUNCING = re.compile(r"[:=→⇒\n】]|->|=>| [-–—] ")
NOISE = re.compile(r"""[ "'«»‹›「」『』【】《》(){}\[\]<>|,.;~#\-–—_]""")

_ANNOUNCEMENT = re.compile(
    one_of(answer_words.FINAL, answer_words.FINAL_BEFORE_COLON, answer_words.CHOOSING)
    # "Q: … A: C"
    + r"|(?:^|(?<=\n)|(?<=[?.!] ))a: ?(?=[\"'(\[]?[a-z][\s.)\]\"']*(?:$|\n))"
)
_BEFORE_COLON = re.compile(r"[ \"')\]]{0,3}[:=]")
_FINAL_NOUNS = frozenset(words(answer_words.FINAL))
_COLON_NOUNS = frozenset(words(answer_words.FINAL_BEFORE_COLON))
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[\n。！？။។]")
_SENTENCE_START = re.compile(r"[\s:=\"'»」』】)\]}>.-]*")


class Marker(NamedTuple):
    """One announcement of an answer.

    Attributes:
        start, end: where its words stand.
        kind: ``noun`` ("the answer": a copula, a colon or a line break has to follow), ``colon`` (a noun that
            announces before a colon alone: "choice:") or ``verb`` ("I choose", "actually": the answer follows at once).
    """

    start: int
    end: int
    kind: str


def markers_in(plain: str) -> list[Marker]:
    """The last announcements of a folded text, from left to right."""
    return list(_markers(plain))[-MARKERS_KEPT:]


def _markers(plain: str) -> Iterator[Marker]:
    for found in _ANNOUNCEMENT.finditer(plain):
        start, end = found.span()
        said = found[0]
        colon = _BEFORE_COLON.match(plain, end)
        if said in _FINAL_NOUNS and not plain.endswith("to ", 0, start):
            yield Marker(start, end, "noun")
        elif said in _COLON_NOUNS and colon:
            yield Marker(start, end, "colon")
        elif said not in _FINAL_NOUNS | _COLON_NOUNS and (said not in SIGNS or begins_line(plain, start)):
            yield Marker(start, end, "verb")


def sentence_end(plain: str, place: int) -> int:
    """Where the sentence that goes on at ``place`` ends; a break right there does not end it."""
    start = _SENTENCE_START.match(plain, place)
    end = _SENTENCE_END.search(plain, start.end() if start else place)
    return min(end.start() if end else len(plain), place + _LONGEST_SENTENCE)


def sentence_ends_between(plain: str, start: int, end: int) -> list[int]:
    """Where sentences end from ``start`` to ``end``."""
    return [found.end() for found in _SENTENCE_END.finditer(plain, start, end)]


def begins_line(plain: str, place: int) -> bool:
    """Whether only bullets and brackets stand before ``place`` in its line."""
    return not plain[max(plain.rfind("\n", 0, place) + 1, place - 20) : place].strip(" -•|>(")
