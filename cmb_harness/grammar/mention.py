"""Where a text names an option, by letter, number or name, and which mentions are one statement."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cmb_harness.grammar import words_answer as answer_words
from cmb_harness.grammar.option import Mention, Options, both_ends
from cmb_harness.grammar.text import Reading
from cmb_harness.grammar.words import numbered, one_of, skip

LABEL = re.compile(one_of(answer_words.LABEL, answer_words.NUMBER_LEAD))
_NOUN_LABEL = re.compile(one_of(answer_words.LABEL))
_COUNTED = numbered(answer_words.NUMBER_WORDS) | numbered(answer_words.ORDINALS)
_WORD_NUMBER = one_of(answer_words.NUMBER_WORDS, answer_words.ORDINALS)
_LOCAL = numbered(answer_words.LOCAL_LETTERS)
_MAX_CHAIN = 30

_NEXT_WORD = re.compile(r" [a-zа-я]")
_VERB = re.compile(rf" ?(?:{one_of(answer_words.VERB_AFTER_LETTER)}|[^\W\da-z])")
_CAPITAL_NEXT = re.compile(r" [A-Z](?![0-9A-Za-zÀ-ɏḀ-ỿ'])")
_OPTION_NOUN = re.compile(rf" ?{one_of(answer_words.OPTION_NOUN)}")
_NO_OPTION_BEFORE = re.compile(rf"{one_of(answer_words.NO_OPTION_BEFORE)} $")
_NO_OPTION_AFTER = re.compile(rf"[ -]{one_of(answer_words.NO_OPTION_AFTER)}")

# A letter is no part of a word ("Dance", "I'd"), of an abbreviation ("A.D.") or of a compound ("B-roll", "C++").
_LATIN = "0-9A-Za-zÀ-ɏḀ-ỿ"
_BARE = re.compile(
    rf"(?<![{_LATIN}а-яА-Я_°@])(?<![A-Za-z]\.)(?<![0-9A-Za-z][-'])[A-Z]"
    rf"(?![{_LATIN}_])(?!'(?!s\b)[A-Za-z])(?![-.][0-9A-Za-z](?![A-Za-z]))(?!-[A-Za-z])(?!#|\+\+)"
)
_BRACKETED = re.compile(r"(?<![0-9a-z])[(\[{<「『【\"'«](?: ?)([a-z])(?: ?)[)\]}>」』】\"'»](?![0-9a-z])")
_AFTER_LABEL = re.compile(
    rf"[ :#.–(\[\"'=-]{{0,4}}(?:{one_of(answer_words.NUMBER_LEAD)}[ .:#-]{{0,2}})?(?:"
    r"(?P<letter>[a-z])(?![0-9a-z]|'(?!s\b)[a-z]|[-.][0-9a-z](?![a-z]))"
    rf"|(?P<number>\d{{1,3}})(?!\d|[.,:/]\d|[a-z]| ?%)|(?P<word>{_WORD_NUMBER}))"
)
_ORDINAL = re.compile(one_of(answer_words.ORDINALS))
_COUNTER = re.compile(r"(\d{1,2}) ?(?:番目?|번째?|つ目|个选项|个片段|號|号)")
_TOKEN = re.compile(
    r"(?P<letter>(?<![0-9a-z])[a-z])(?![0-9a-z_]|'(?!s\b)[a-z]|[-.][0-9a-z](?![a-z])|-[a-z]|#|\+\+)"
    r"|(?P<number>(?<![0-9.,:])[-+]?\d{1,15}(?:[.,:/]\d{1,15})*(?:st|nd|rd|th)?(?: ?%| ?percent)?(?:\s?[-–—~]\s?\d+)?)"
    r"(?![0-9a-z])"
    rf"|(?P<word>{_WORD_NUMBER})"
    r"|(?P<letters>(?<![0-9a-z])[a-z]{2,6})(?![0-9a-z])"
    rf"|(?P<local>(?<![^\W\d_])[{''.join(map(re.escape, _LOCAL))}])"
    r"(?![^\W\d_a-z]|[\u0e30-\u0e4e\u17b6-\u17d3\u102b-\u103e])"
)
_WHOLE_NUMBER = re.compile(r"(\d{1,9})(?:\.0+)?(?:st|nd|rd|th)?")

_QUOTES = r"\"'«»‹›「」『』【】《》<>(){}\[\]"
_CLOSING = re.compile(rf"\s?[{_QUOTES}.]{{0,12}}\s?(?:[,/&+;|]\s?)?")
_AND = re.compile(rf"{one_of(answer_words.AND_OR)}")
_ALSO = re.compile(one_of(answer_words.ALSO))
_BREAK = re.compile(rf"[\s{_QUOTES},]{{1,12}}")
_COMMA = re.compile(rf"[{_QUOTES}]{{0,12}}\s?[,;|]")
_JOINT = re.compile(rf"[\s{_QUOTES}.:=,|–—-]{{1,8}}(?:(?:the|i\.e\.?,?|namely) )?")
_OPENS = re.compile(r"[(\[:=–—|-]|, ?(?:option|answer|choice|letter)")
_LIST_GOES_ON = re.compile(rf"[{_QUOTES}]{{0,12}}\s?(?:$|[\n.!?,;|]|{one_of(answer_words.AND_OR)})")


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
        """Where the last of them ends."""
        return self.mentions[-1].end


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
        choices = _letters_together(options, reading.shown[start:end])
    elif found["number"]:
        choices = None if _counts(reading, end) else _numbered(options, found["number"])
    elif found["local"]:
        choices = options.by_number(_LOCAL[found["local"]])
    else:
        noun = _OPTION_NOUN.match(reading.plain, end)
        choices = options.by_number(_COUNTED[found["word"]]) if noun or not _counts(reading, end) else None
    return None if choices is None else Mention(start, start, end, choices)


def _letters_together(options: Options, shown: str) -> frozenset[int] | None:
    """The options of "AC", each letter once and each an option's."""
    several = frozenset(ord(letter) - 65 for letter in shown)
    together = shown.isupper() and len(several) == len(shown) and max(several) < options.count
    return several if together else None


def _numbered(options: Options, number: str) -> frozenset[int]:
    whole = _WHOLE_NUMBER.fullmatch(number)
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
    if _VERB.match(plain, end) or _CAPITAL_NEXT.match(shown, end):
        return False
    if letter != "A":
        return letter.islower()
    before = re.search(r"([^\W\d_])[^\W\d_]*,? $", shown[max(0, start - 30) : start])
    in_sentence = before is not None and before[1].islower() and shown[end + 1].islower()
    return not in_sentence


def chain_at(options: Options, reading: Reading, first: Mention) -> Chain:
    """``first`` and all that its statement adds to it."""
    mentions, links = [first], []
    while len(mentions) < _MAX_CHAIN:
        link, following = _next(options, reading, mentions[-1])
        if not following:
            break
        mentions.append(following)
        links.append(link)
    return Chain(tuple(mentions), tuple(links))


def _next(options: Options, reading: Reading, last: Mention) -> tuple[str, Mention | None]:
    for link, place in _gaps(reading.plain, last.end):
        following = mention_at(options, reading, place)
        if following and _holds(link, last, following, reading):
            return link, following
    return "", None


def _gaps(plain: str, end: int) -> Iterator[tuple[str, int]]:
    """Ways on from ``end`` to a mention of the same statement: the kind of link, and where that mention would begin."""
    closing = _CLOSING.match(plain, end)
    conjunction = _AND.match(plain, closing.end()) if closing else None
    if conjunction:
        yield "and", skip(plain, conjunction.end(), _BREAK, _ALSO, LABEL, most=8)
    elif closing and closing[0].rstrip()[-1:] in ("/", "&", "+"):
        yield "and", skip(plain, closing.end(), _BREAK, _ALSO, LABEL, most=8)
    joint = _JOINT.match(plain, end)
    if joint:
        yield "join", skip(plain, joint.end(), LABEL, _BREAK, most=3)
    comma = _COMMA.match(plain, end)
    if comma:
        yield "comma", skip(plain, comma.end(), _BREAK, _ALSO, LABEL, most=6)


def _holds(link: str, last: Mention, following: Mention, reading: Reading) -> bool:
    shown, plain = reading
    capital = shown[following.core].isupper() or shown[last.core].islower()
    if not (following.by_name or capital or plain[following.core].isdigit()):
        return False
    if link != "join":
        return link == "and" or bool(_LIST_GOES_ON.match(plain, following.end))
    gap = plain[last.end : following.core]
    if last.by_name == following.by_name:
        # "3 (C)", "3. C"; two letters or two names need a word between them.
        differ = plain[last.core].isdigit() and not plain[following.core].isdigit()
        return differ and not following.by_name and gap.strip()[:1] in ("(", ".", ")", ":")
    return following.by_name or ("\n" not in gap and bool(_OPENS.match(gap.strip())))


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
    for bare in both_ends(_BARE.finditer(shown)):
        start, end = bare.span()
        choices = options.by_letter(bare[0])
        if choices and not is_ordinary_letter(options, reading, start, end):
            yield Mention(start, start, end, choices)
    for bracketed in both_ends(_BRACKETED.finditer(plain)):
        core = bracketed.start(1)
        if shown[core].isascii() and (options.by_letter(bracketed[1]) or shown[core].isupper()):
            yield Mention(bracketed.start(), core, bracketed.end(), options.by_letter(bracketed[1]))
    for label in both_ends(_NOUN_LABEL.finditer(plain)):
        labelled = _AFTER_LABEL.match(plain, label.end())
        mention = _labelled(options, reading, label.start(), labelled) if labelled else None
        if mention:
            yield mention
    for ordinal in both_ends(_ORDINAL.finditer(plain)):
        noun = _OPTION_NOUN.match(plain, ordinal.end())
        # "First choice: C" ranks the options.
        if noun and not re.match(" ?:", plain[noun.end() : noun.end() + 2]):
            choices = options.by_number(_COUNTED[ordinal[0]])
            yield Mention(ordinal.start(), ordinal.start(), noun.end(), choices)
    for counter in both_ends(_COUNTER.finditer(plain)):
        yield Mention(counter.start(), counter.start(), counter.end(), options.by_number(int(counter[1])))


def _labelled(options: Options, reading: Reading, start: int, found: re.Match[str]) -> Mention | None:
    if found["letter"]:
        core = found.start("letter")
        capital = reading.shown[core].isupper()
        loose = not capital or ":" in found[0]
        if not reading.shown[core].isascii() or (
            loose and is_ordinary_letter(options, reading, core, found.end())
        ):
            return None
        choices = options.by_letter(found["letter"])
        return Mention(start, core, found.end(), choices) if choices or capital else None
    core = found.start("number") if found["number"] else found.start("word")
    number = int(found["number"]) if found["number"] else _COUNTED[found["word"]]
    negative = reading.plain[core - 2 : core] == " -"
    return Mention(start, core, found.end(), frozenset() if negative else options.by_number(number))
