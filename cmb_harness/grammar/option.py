"""The options of a question: their letters, numbers and names, and where a text spells a name."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from cmb_harness.grammar.text import Reading, fold, normal_text

# Mentions at each end of a text that are looked at; more than these together is a loop, not an answer.
MENTIONS_KEPT = 120

# Marks of scripts whose vowels are marks belong to a word as its letters do.
_NAME_PART = re.compile(
    "(?:[^\\W_]|[\u0900-\u0963\u0b80-\u0bff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ecd\u102b-\u103e\u1056-\u109d\u17b6-\u17d3])+"
)
_PARENTHESES = re.compile(r"[(\[]([^()\[\]]*)[)\]]")


class Mention(NamedTuple):
    """One place where a text names an option.

    Attributes:
        start: where it begins, its label and brackets included.
        core: where the letter, number or name itself begins.
        end: where it ends.
        choices: the indices it can mean; empty for a letter or number that no option has.
        by_name: whether it is a name.
        strong: False for a one-word name in lower case, which may be an ordinary word.
    """

    start: int
    core: int
    end: int
    choices: frozenset[int]
    by_name: bool = False
    strong: bool = True


class Options:
    """What can be answered: letters and numbers up to a count, and names if there are any."""

    def __init__(self, options: tuple[str, ...] | int):
        names = () if isinstance(options, int) else options
        self.count = options if isinstance(options, int) else len(options)
        self._written = [_exact(name) for name in names]
        spellings = _spellings(names)
        self._by_key: dict[str, frozenset[int]] = {}
        for parts, found in spellings.items():
            self._by_key["".join(parts)] = self._by_key.get("".join(parts), frozenset()) | found
        longest_first = sorted(spellings, key=lambda parts: -len("".join(parts)))
        self._pattern = re.compile("|".join(map(_loose, longest_first))) if spellings else None
        self._capital = [name[:1].isupper() for name in names]

    def by_number(self, number: int) -> frozenset[int]:
        """The option that ``number`` names, counted from 1; empty if there is none."""
        return frozenset({number - 1}) if 1 <= number <= self.count else frozenset()

    def by_letter(self, letter: str) -> frozenset[int]:
        """The option of an ASCII letter in either case; empty if there is none."""
        return self.by_number(ord(letter.lower()) - 96)

    def name_at(self, reading: Reading, place: int) -> Mention | None:
        """The longest option name that begins at ``place``."""
        found = self._pattern.match(reading.plain, place) if self._pattern else None
        return self._named(reading, found) if found else None

    def names(self, reading: Reading) -> Iterator[Mention]:
        """Every option name, from left to right; where two overlap, the one that begins first and is longest."""
        for found in both_ends(self._pattern.finditer(reading.plain)) if self._pattern else ():
            yield self._named(reading, found)

    def _named(self, reading: Reading, found: re.Match[str]) -> Mention:
        shown = reading.shown[found.start() : found.end()]
        choices = self._by_key[_key(shown)]
        if len(choices) > 1:
            choices = self._closest(reading, found, choices)
        weak = (
            shown[0].islower()
            and " " not in shown
            and "-" not in shown
            and any(self._capital[i] for i in choices)
        )
        return Mention(found.start(), found.start(), found.end(), choices, True, not weak)

    def _closest(self, reading: Reading, found: re.Match[str], choices: frozenset[int]) -> frozenset[int]:
        """Of options that fold to one key (Sape, Sape'), those that are written as the text writes them."""
        start, end = found.span()
        quoted = start > 0 and reading.shown[start - 1] in "'`"
        tail = reading.shown[end : end + 1]
        shown = reading.shown[start:end] + (tail if tail == "'" and not quoted else "")
        for spelled in (lambda name: name, str.casefold):
            same = frozenset(i for i in choices if spelled(self._written[i]) == spelled(shown))
            if same:
                return same
        return choices


@lru_cache(maxsize=4096)
def options_of(options: tuple[str, ...] | int) -> Options:
    """The compiled options; one set of options is asked of many models."""
    return Options(options)


def _exact(name: str) -> str:
    return re.sub(r"\s+", " ", normal_text(name)).strip()


def _parts(name: str) -> tuple[str, ...]:
    """The words of a folded name. Marks count as letters: in Thai or Khmer they are vowels."""
    return tuple(_NAME_PART.findall(name))


def _key(text: str) -> str:
    return "".join(_parts(fold(normal_text(text))))


def _spellings(names: Sequence[str]) -> dict[tuple[str, ...], frozenset[int]]:
    """Words of a name → the options that have it. What stands in parentheses may be missing, or stand alone if it is a
    name itself (two words or another script), unless that is the whole name of another option."""
    whole: dict[tuple[str, ...], set[int]] = {}
    short: dict[tuple[str, ...], set[int]] = {}
    for index, name in enumerate(map(_exact, names)):
        whole.setdefault(_parts(fold(name)), set()).add(index)
        inside = [
            part for part in _PARENTHESES.findall(name) if len(_parts(fold(part))) > 1 or not part.isascii()
        ]
        for part in (_PARENTHESES.sub(" ", name), *inside):
            short.setdefault(_parts(fold(part)), set()).add(index)
    return {parts: frozenset(found) for parts, found in (short | whole).items() if parts}


def _loose(parts: tuple[str, ...]) -> str:
    """A pattern for a name: its words may be joined or hyphenated, with or without apostrophes and hyphens in them."""
    words = ("['-]?".join(map(re.escape, word)) if word.isascii() else re.escape(word) for word in parts)
    pattern = r"[\s'.,·/()\[\]:–—-]{0,3}".join(words)
    before = "(?<![0-9a-z])" if parts[0][0].isascii() else ""
    after = "(?![0-9a-z])" if parts[-1][-1].isascii() else ""
    return f"{before}{pattern}{after}"


def both_ends(found: Iterator[re.Match[str]]) -> list[re.Match[str]]:
    """All of ``found``; of very many, the first and the last hundreds."""
    every = list(found)
    return every if len(every) <= 2 * MENTIONS_KEPT else every[:MENTIONS_KEPT] + every[-MENTIONS_KEPT:]
