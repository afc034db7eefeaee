"""Where a text names an option: by its letter, its number or its name, and which of these belong together."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from cmb_harness import parsing_words_answer as answer_words
from cmb_harness.parsing_text import Reading, fold, normal_text
from cmb_harness.parsing_words import numbered, one_of

# Mentions at each end of a text that are looked at; more than these together is a loop, not an answer.
_MENTIONS_KEPT = 200

_LABEL = one_of(answer_words.LABEL)
_NUMBER_LEAD = one_of(answer_words.NUMBER_LEAD)
_COUNTED = numbered(answer_words.NUMBER_WORDS) | numbered(answer_words.ORDINALS)
_ORDINAL = one_of(answer_words.ORDINALS)
_WORD_NUMBER = one_of(answer_words.NUMBER_WORDS, answer_words.ORDINALS)
_LOCAL = numbered(answer_words.LOCAL_LETTERS)
_QUOTES = "\"'«»‹›「」『』【】《》<>(){}\\[\\]"

# Marks of scripts whose vowels are marks belong to a word as its letters do.
_NAME_PART = re.compile(
    "(?:[^\\W_]|[\u0900-\u0963\u0b80-\u0bff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ecd\u102b-\u103e\u1056-\u109d\u17b6-\u17d3])+"
)
_PARENTHESES = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_NEXT_WORD = re.compile(r" [a-zа-я]")
_VERB = re.compile(rf" ?(?:{one_of(answer_words.VERB_AFTER_LETTER)}|[^\W\da-z])")
_OPTION_NOUN = re.compile(rf" ?{one_of(answer_words.OPTION_NOUN)}")
_NO_OPTION_BEFORE = re.compile(rf"{one_of(answer_words.NO_OPTION_BEFORE)} $")
_NO_OPTION_AFTER = re.compile(rf"[ -]{one_of(answer_words.NO_OPTION_AFTER)}")

# A letter that is no part of a word, an abbreviation or a compound.
_LETTER_END = (
    r"(?![0-9A-Za-zÀ-ɏḀ-ỿ_])(?!'(?!s\b)[A-Za-z])(?![-.][0-9A-Za-z](?![A-Za-z]))(?!-[A-Za-z])(?!#|\+\+)"
)
_BARE = re.compile(rf"(?<![0-9A-Za-zÀ-ɏḀ-ỿа-яА-Я_°@])(?<![A-Za-z]\.)(?<![0-9A-Za-z][-'])[A-Z]{_LETTER_END}")
_BRACKETED = re.compile(rf"(?<![0-9a-z])[(\[{{<「『【\"'«](?: ?)([a-z])(?: ?)[)\]}}>」』】\"'»](?![0-9a-z])")
_LABELLED = re.compile(
    rf"(?:{_LABEL}[ :#.\-–(\[\"'=]{{0,4}}(?:{_NUMBER_LEAD}[ .:#-]{{0,2}})?"
    rf"(?:(?P<letter>[a-z])(?![0-9a-z]|'(?!s\b)[a-z]|[-.][0-9a-z](?![a-z]))|(?P<number>\d{{1,3}})(?!\d|[.,:/]\d|[a-z]| ?%)|(?P<word>{_WORD_NUMBER}))"
    rf"|(?P<ordinal>{_ORDINAL}) ?{one_of(answer_words.OPTION_NOUN)}(?! ?:)|(?P<counter>\d{{1,2}}) ?(?:番目?|번째?|つ目|个选项|个片段|號|号))"
)
_TOKEN = re.compile(
    rf"(?P<letter>(?<![0-9a-z])[a-z])(?![0-9a-z_]|'(?!s\b)[a-z]|[-.][0-9a-z](?![a-z])|-[a-z]|#|\+\+)"
    r"|(?P<number>(?<![0-9.,:])[-+]?\d{1,15}(?:[.,:/]\d{1,15})*(?:st|nd|rd|th)?(?: ?%| ?percent)?(?:\s?[-–—~]\s?\d+)?)(?![0-9a-z])"
    rf"|(?P<word>{_WORD_NUMBER})"
    r"|(?P<letters>(?<![0-9a-z])[a-z]{2,6})(?![0-9a-z])"
    rf"|(?P<local>(?<![^\W\d_])[{''.join(map(re.escape, _LOCAL))}])(?![^\W\d_a-z]|[\u0e30-\u0e4e\u17b6-\u17d3\u102b-\u103e])"
)
_CLOSING = rf"[{_QUOTES}.]*"
_AND = one_of(answer_words.AND_OR)
_FILL = one_of(answer_words.ALSO, answer_words.LABEL, answer_words.NUMBER_LEAD)
_AND_GAP = re.compile(rf"{_CLOSING}\s*(?:[,/&+;|]\s*)?(?:{_AND}|[/&+])(?:[\s{_QUOTES},]|{_FILL}){{0,8}}+")
_COMMA_GAP = re.compile(rf"[{_QUOTES}]*\s*[,;|]\s*(?:[\s{_QUOTES}]|{_FILL}){{0,6}}+")
_JOIN_GAP = re.compile(
    rf"[\s{_QUOTES}.:=,|–—-]{{1,8}}(?:(?:the|i\.e\.?,?|namely|{_LABEL}) ?)?[\s{_QUOTES}#:]{{0,3}}"
)
_OPENS = re.compile(r"[(\[:=–—|-]|, ?(?:option|answer|choice|letter)")
_LIST_GOES_ON = re.compile(rf"[{_QUOTES}]*\s*(?:$|[\n.!?,;|]|{_AND})")


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


class Chain(NamedTuple):
    """Mentions that one statement holds together ("A or C", "C. Pchum Ben").

    Attributes:
        mentions: in the order of the text.
        links: how each but the first hangs on the one before: ``and``, ``comma`` or ``join``.
    """

    mentions: tuple[Mention, ...]
    links: tuple[str, ...]

    @property
    def end(self) -> int:
        return self.mentions[-1].end

    @property
    def choices(self) -> frozenset[int]:
        return frozenset().union(*(mention.choices for mention in self.mentions))


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
        for found in _ends(self._pattern.finditer(reading.plain)) if self._pattern else ():
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
    """A pattern for a name: words may be joined or hyphenated, an apostrophe or hyphen inside a word may be missing or added."""
    words = ("['-]?".join(map(re.escape, word)) if word.isascii() else re.escape(word) for word in parts)
    pattern = r"[\s'.,·/()\[\]:–—-]{0,3}".join(words)
    before = "(?<![0-9a-z])" if parts[0][0].isascii() else ""
    after = "(?![0-9a-z])" if parts[-1][-1].isascii() else ""
    return f"{before}{pattern}{after}"


def mention_at(options: Options, reading: Reading, place: int) -> Mention | None:
    """The option that is named at ``place``, where an answer is expected: one small letter is enough there."""
    return options.name_at(reading, place) or _token_at(options, reading, place)


def _token_at(options: Options, reading: Reading, place: int) -> Mention | None:
    found = _TOKEN.match(reading.plain, place)
    if not found:
        return None
    start, end = found.span()
    if found["letter"]:
        if not reading.shown[start].isascii() or is_ordinary_letter(options, reading, start, end):
            return None
        return Mention(start, start, end, options.by_letter(found["letter"]))
    if found["letters"]:
        several = frozenset(ord(letter) - 97 for letter in found["letters"])
        together = (
            reading.shown[start:end].isupper()
            and len(several) == end - start
            and max(several) < options.count
        )
        return Mention(start, start, end, several) if together else None
    if found["number"]:
        return (
            None if _counts(reading, end) else Mention(start, start, end, _numbered(options, found["number"]))
        )
    if found["local"]:
        return Mention(start, start, end, options.by_number(_LOCAL[found["local"]]))
    followed = _NEXT_WORD.match(reading.plain, end) and not _VERB.match(reading.plain, end)
    if followed and not _OPTION_NOUN.match(reading.plain, end):
        return None
    return Mention(start, start, end, options.by_number(_COUNTED[found["word"]]))


def _numbered(options: Options, number: str) -> frozenset[int]:
    whole = re.fullmatch(r"(\d{1,9})(?:\.0+)?(?:st|nd|rd|th)?", number)
    return options.by_number(int(whole[1])) if whole else frozenset()


def _counts(reading: Reading, end: int) -> bool:
    """Whether a number before ``end`` counts what follows ("3 dancers")."""
    return bool(_NEXT_WORD.match(reading.plain, end)) and not _VERB.match(reading.plain, end)


def is_ordinary_letter(options: Options, reading: Reading, start: int, end: int) -> bool:
    """Whether a single letter is an article, a pronoun or part of a name that is no option.

    Before a verb, punctuation or an option name it is an option's letter; a capital A inside a sentence, too.
    """
    shown, plain = reading
    letter = shown[start]
    if _NO_OPTION_AFTER.match(plain, end) or _NO_OPTION_BEFORE.search(plain, max(0, start - 20), start):
        return True
    if not _NEXT_WORD.match(plain, end) or options.name_at(reading, end + 1):
        return False
    if letter in "Ii" and options.count < 9:
        return True
    if _VERB.match(plain, end):
        return False
    if letter.islower():
        return True
    if letter != "A":
        return False
    before = re.search(r"([^\W\d_])[^\W\d_]*,? $", shown[max(0, start - 30) : start])
    in_sentence = bool(before) and before[1].islower() and shown[end + 1].islower()  # type: ignore[index]
    return not in_sentence


def chain_at(options: Options, reading: Reading, first: Mention) -> Chain:
    """``first`` and all that one statement adds to it."""
    mentions, links = [first], []
    while len(mentions) < 30:
        link, following = _next(options, reading, mentions[-1])
        if not following:
            break
        mentions.append(following)
        links.append(link)
    return Chain(tuple(mentions), tuple(links))


def _next(options: Options, reading: Reading, last: Mention) -> tuple[str, Mention | None]:
    for link, gap in (("and", _AND_GAP), ("join", _JOIN_GAP), ("comma", _COMMA_GAP)):
        found = gap.match(reading.plain, last.end)
        if not found:
            continue
        following = mention_at(options, reading, found.end())
        if following and _holds(link, last, following, reading, found):
            return link, following
    return "", None


def _holds(link: str, last: Mention, following: Mention, reading: Reading, gap: re.Match[str]) -> bool:
    capital = reading.shown[following.core].isupper() or reading.shown[last.core].islower()
    if not following.by_name and not capital and not reading.plain[following.core].isdigit():
        return False
    if link == "and":
        return True
    if link == "comma":
        return bool(_LIST_GOES_ON.match(reading.plain, following.end))
    if last.by_name == following.by_name:
        # "3 (C)", "3. C"; two letters or two names need a word between them.
        numbered = reading.plain[last.core].isdigit() and not reading.plain[following.core].isdigit()
        return numbered and not following.by_name and gap[0].strip()[:1] in ("(", ".", ")", ":")
    if following.by_name:
        return True
    return "\n" not in gap[0] and bool(_OPENS.match(gap[0].strip()))


def mentions_in(options: Options, reading: Reading) -> list[Mention]:
    """Every place where the text names an option, by position; of very many, the first and the last hundreds."""
    by_name = list(options.names(reading))
    taken = {place for name in by_name for place in range(name.start, name.end)}
    found = {mention.core: mention for mention in _letters(options, reading) if mention.core not in taken}
    for name in by_name:
        found[name.core] = name
    return [found[core] for core in sorted(found)]


def _letters(options: Options, reading: Reading) -> Iterator[Mention]:
    shown, plain = reading
    for bare in _ends(_BARE.finditer(shown)):
        start, end = bare.span()
        choices = options.by_letter(bare[0])
        if choices and not is_ordinary_letter(options, reading, start, end):
            yield Mention(start, start, end, choices)
    for bracketed in _ends(_BRACKETED.finditer(plain)):
        core = bracketed.start(1)
        if shown[core].isascii() and (options.by_letter(bracketed[1]) or shown[core].isupper()):
            yield Mention(bracketed.start(), core, bracketed.end(), options.by_letter(bracketed[1]))
    for labelled in _ends(_LABELLED.finditer(plain)):
        mention = _labelled(options, reading, labelled)
        if mention:
            yield mention


def _labelled(options: Options, reading: Reading, found: re.Match[str]) -> Mention | None:
    start, end = found.span()
    if found["letter"]:
        core = found.start("letter")
        capital = reading.shown[core].isupper()
        loose = not capital or ":" in found[0]
        if not reading.shown[core].isascii() or (loose and is_ordinary_letter(options, reading, core, end)):
            return None
        choices = options.by_letter(found["letter"])
        return Mention(start, core, end, choices) if choices or capital else None
    group = next(group for group in ("number", "word", "ordinal", "counter") if found[group])
    number = int(found[group]) if found[group].isdigit() else _COUNTED[found[group]]
    if reading.plain[found.start(group) - 2 : found.start(group)] == " -":
        number = -number
    return Mention(start, found.start(group), end, options.by_number(number))


def _ends(found: Iterator[re.Match[str]]) -> list[re.Match[str]]:
    every = list(found)
    return every if len(every) <= 2 * _MENTIONS_KEPT else every[:_MENTIONS_KEPT] + every[-_MENTIONS_KEPT:]
