"""Whether a text says that it gives no answer, and why."""

import re
from collections.abc import Iterable

from cmb_harness.grammar import words_verdict as verdict_words
from cmb_harness.grammar.words import one_of

_REFUSING = re.compile(one_of(verdict_words.REFUSING))
# What other people cannot do is no refusal ("you cannot watch this without …").
_OTHERS = re.compile(r"(?:you|they|he|she|it|one|who|people|dancers?|monks?|women|men|guests?|performers?) $")
_UNSURE = re.compile(one_of(verdict_words.UNSURE))
_FAILED = re.compile(one_of(verdict_words.FAILED))


def refuses(said: Iterable[str]) -> bool:
    """Whether one of the folded texts says that it cannot or will not answer ("I can't view videos")."""
    return any(
        not _OTHERS.search(plain, max(0, found.start() - 12), found.start())
        for plain in said
        for found in _REFUSING.finditer(plain)
    )


def is_unsure(said: Iterable[str]) -> bool:
    """Whether one of the folded texts says that it does not know."""
    return any(map(_UNSURE.search, said))


def is_failure(plain: str) -> bool:
    """Whether a folded text is the message of a failed call; its numbers answer nothing."""
    return _FAILED.search(plain) is not None
