"""The rules of a choice, in the order of the grammar in `cmb_harness.parsing`."""

import re
from itertools import islice
from typing import NamedTuple

from cmb_harness.grammar import words_answer as answer_words
from cmb_harness.grammar import words_verdict as verdict_words
from cmb_harness.grammar.lists import ARTICLE, LEADS_ON, LINE_START, without_lists, without_range
from cmb_harness.grammar.marker import (
    ANNOUNCING,
    COPULA,
    FILLER,
    MARKERS_KEPT,
    NOISE,
    Marker,
    markers_in,
    sentence_end,
    sentence_ends_between,
)
from cmb_harness.grammar.mention import LABEL, Chain, chain_at, mention_at, mentions_in
from cmb_harness.grammar.option import Mention, Options
from cmb_harness.grammar.refusal import is_unsure, refuses
from cmb_harness.grammar.structure import outside_regions
from cmb_harness.grammar.text import fold, normal_text, read
from cmb_harness.grammar.view import View
from cmb_harness.grammar.words import one_of, skip

# Lines at each end of a text that are looked at; more of them is a loop, not an answer.
_LINES_KEPT = 60
_LONG_LINE = 160
_SLOT_STEPS = 16

# What may stand between an announcement and its option, besides what announces.
_BETWEEN = (NOISE, FILLER, re.compile("an?(?= [a-z])"))
_CONCLUDING = re.compile(one_of(answer_words.CONCLUDING))
_COPULA_BEFORE = re.compile(rf"{one_of(answer_words.COPULA)}(?: (?:a|an|the))? ?$")
_STANDS_ALONE = re.compile(r"[\s\"'»」』】)\]}>*]*(?:$|[\n.,;!?။។。【])")
_CLOSERS = r"[\s\"'»」』】)\]}>.,;:!?|။។。~-]*"
_CONFIDENCE = (
    r"[(\[]?(?:confidence|score|probability|p)?\s?[:=]?\s?(?:about |around |~)?\d{1,3}(?:\.\d{1,6})?\s?%?"
    r"\s?(?:confidence|confident|sure|certain)?[)\]]?"
)
_TAIL = re.compile(
    rf"{_CLOSERS}(?:{_CONFIDENCE}|\([^()\n]{{1,60}}\))?{_CLOSERS}"
    rf"(?:{one_of(answer_words.PARTICLE)})?{_CLOSERS}"
)
_NUMBERS = re.compile(r"(?:^|\s)[a-z0-9][.!?]\s?$")
_NONE_OF_THEM = re.compile(one_of(verdict_words.NONE_OF_THEM))
_NONE_GOES_ON = re.compile(r" (?:other|but|except|besides)\b")
_ALL_OF_THEM = re.compile(one_of(verdict_words.ALL_OF_THEM))

Region = tuple[int, str]


class Verdict(NamedTuple):
    """The options that a statement calls the answer; none of them: it names one that does not exist."""

    choices: frozenset[int]

    @property
    def result(self) -> tuple[int | None, str]:
        """The index, if there is one, and the status."""
        if len(self.choices) == 1:
            return next(iter(self.choices)), "ok"
        return None, "ambiguous" if self.choices else "invalid"


def decide_choice(options: Options, text: str, emphasised: tuple[str, ...] = ()) -> tuple[int | None, str]:
    """The choice of a reply that `cmb_harness.grammar.structure` has laid bare, and its status."""
    prose, regions = outside_regions(text)
    view = View(options, without_range(options, read(prose)))
    rest, listed = without_lists(view)
    standing = _standing(rest)
    verdict = (
        _last_final(view, regions)
        or (standing if standing and len(standing.choices) < 2 else None)
        or _loose_final(view)
        or _emphasised(rest, emphasised)
        or _conclusion(rest)
        or standing
    )
    if verdict:
        return verdict.result
    said = [view.plain, *(fold(content) for _, content in regions[-3:])]
    if refuses(said):
        return None, "refusal"
    index, status = _mentioned(rest, listed)
    return index, "refusal" if status == "none" and is_unsure(said) else status


def _last_final(view: View, regions: list[Region]) -> Verdict | None:
    """The last explicit final answer: a structure, an announced option, or an option that is called right."""
    finals: list[tuple[int, str | Marker | Chain]] = [*regions[-MARKERS_KEPT:]]
    finals += [(marker.start, marker) for marker in markers_in(view.plain)]
    finals += [(chain.mentions[0].start, chain) for chain in view.chains if view.is_affirmed(chain)]
    for _, final in sorted(finals, key=lambda final: -final[0]):
        if isinstance(final, Chain):
            verdict = _verdict(view, final)
        elif isinstance(final, Marker):
            verdict = _announced(view, final)
        else:
            verdict = _of_region(view.options, final)
        if verdict:
            return verdict
    return None


def _verdict(view: View, chain: Chain) -> Verdict | None:
    choices = view.accepted(chain)
    return None if choices is None else Verdict(choices)


def _of_region(options: Options, content: str) -> Verdict | None:
    index, status = decide_choice(options, content)
    by_status = {"ambiguous": Verdict(frozenset((0, 1))), "invalid": Verdict(frozenset())}
    return by_status.get(status) if index is None else Verdict(frozenset({index}))


def _announced(view: View, marker: Marker) -> Verdict | None:
    verdict = _slot(view, marker.end, announced=marker.kind != "noun")
    if verdict or marker.kind != "noun":
        return verdict
    # "The option that matches best is C"
    end = sentence_end(view.plain, marker.end)
    copulas = islice(COPULA.finditer(view.plain, marker.end, end), 4)
    slots = (_slot(view, copula.end(), announced=True) for copula in copulas)
    return next(filter(None, slots), None)


def _slot(view: View, place: int, *, announced: bool) -> Verdict | None:
    """What is answered at ``place``, past fillers; what nothing has announced yet must stand alone there."""
    for _ in range(_SLOT_STEPS):
        mention = mention_at(view.options, view.reading, place)
        if mention:
            chain = chain_at(view.options, view.reading, mention)
            there = announced or _STANDS_ALONE.match(view.plain, chain.end)
            return _verdict(view, chain) if there else None
        none = _NONE_OF_THEM.match(view.plain, place) if announced else None
        if none and not _NONE_GOES_ON.match(view.plain, none.end()):
            return Verdict(frozenset())
        announcing = ANNOUNCING.match(view.plain, place) or COPULA.match(view.plain, place)
        link = announcing or next(filter(None, (part.match(view.plain, place) for part in _BETWEEN)), None)
        if not link:
            return None
        announced |= announcing is not None
        place = link.end()
    return None


def _loose_final(view: View) -> Verdict | None:
    """The only option that the sentence of the last announcement names ("Answer: the rite of Pchum Ben")."""
    for marker in reversed(markers_in(view.plain)[-20:]):
        place = skip(view.plain, marker.end, NOISE, FILLER, most=8)
        announcing = ANNOUNCING.match(view.plain, place) or COPULA.match(view.plain, place)
        end = sentence_end(view.plain, place)
        named = [view.accepted(chain) for chain in view.chains if place <= chain.mentions[0].core < end]
        choices = frozenset().union(*filter(None, named))
        if announcing and len(choices) == 1:
            return Verdict(choices)
    return None


def _standing(view: View) -> Verdict | None:
    """Lines that hold an option and nothing else, or an option that leads the text and is set apart from it."""
    lines = [found.span() for found in re.finditer(r"[^\n]+", view.plain)]
    if len(lines) > 2 * _LINES_KEPT:
        lines = lines[:_LINES_KEPT] + lines[-_LINES_KEPT:]
    alone = [_alone(view, *line) for line in lines]
    lead = _lead(view)
    found = [choices for choices in alone if choices is not None]
    if lead is not None and (not found or alone[-1] is None):
        found.append(lead)
    return Verdict(frozenset().union(*found)) if found else _last_sentence(view)


def _alone(view: View, start: int, end: int) -> frozenset[int] | None:
    """The options of ``start`` to ``end`` if nothing else stands there."""
    if end - start > _LONG_LINE:
        return None
    place = skip(view.plain, start, LINE_START, ARTICLE, LABEL, most=9)
    mention = mention_at(view.options, view.reading, start) or mention_at(view.options, view.reading, place)
    if not mention or mention.end > end:
        mention = _labelled_first(view, start, end)
    if not mention:
        return None
    chain = chain_at(view.options, view.reading, mention)
    if mention.end <= end < chain.end:
        # The name of the letter stands in the next line.
        return view.accepted(chain)
    tail = _TAIL.match(view.plain, chain.end)
    fills = tail is not None and tail.end() >= end and not _has_rival(view, chain)
    return view.accepted(chain) if fills else None


def _labelled_first(view: View, start: int, end: int) -> Mention | None:
    """What a part of the text begins with, if its label is more than one that can be skipped ("第三个选项")."""
    part = view.reading.part(start, end)
    reach = max(4, skip(part.plain, 0, LINE_START, ARTICLE, LABEL, most=9))
    first = next(iter(mentions_in(view.options, part)), None)
    if not first or first.start > reach:
        return None
    return first._replace(start=first.start + start, core=first.core + start, end=first.end + start)


def _lead(view: View) -> frozenset[int] | None:
    """The option that the text begins with, set apart by punctuation or followed by its reason."""
    place = skip(view.plain, 0, LINE_START, ARTICLE, LABEL, most=9)
    mention = mention_at(view.options, view.reading, place)
    if not mention or _enumerates(view, mention):
        return None
    chain = chain_at(view.options, view.reading, mention)
    leads = LEADS_ON.match(view.plain, chain.end)
    if not leads or (mention.by_name and leads["comma"]):
        return None
    choices = None if _has_rival(view, chain) else view.accepted(chain)
    return choices if choices is not None and len(choices) < 2 else None


def _has_rival(view: View, chain: Chain) -> bool:
    """Whether the letter of another option follows at once in the line: "(A) (C)"."""
    place = skip(view.plain, chain.end, LINE_START, most=2)
    rival = None if "\n" in view.plain[chain.end : place] else mention_at(view.options, view.reading, place)
    if not rival or not view.shown[place : rival.end].isupper():
        return False
    return rival.choices != chain.mentions[-1].choices


def _enumerates(view: View, mention: Mention) -> bool:
    """Whether the mark that leads the text is the first of several: "a) … b) …", "A: 0.1, B: 0.2"."""
    mark = view.shown[mention.core : mention.end]
    if not re.fullmatch(r"[A-Ya-y]|\d", mark):
        return False
    following = re.escape(chr(ord(mark) + 1))
    return bool(re.search(rf"(?<![0-9a-zA-Z]){following}(?:[.)]|[\"']? ?:)", view.shown[mention.end :]))


def _last_sentence(view: View) -> Verdict | None:
    end = len(view.plain)
    for start in reversed(sentence_ends_between(view.plain, max(0, end - _LONG_LINE), end)[-2:]):
        if view.plain[start:].strip(" .!?\n\"')") and not _NUMBERS.search(
            view.plain, max(0, start - 4), start
        ):
            choices = _alone(view, start, end)
            return None if choices is None else Verdict(choices)
    return None


def _emphasised(view: View, emphasised: tuple[str, ...]) -> Verdict | None:
    """The only option that is set in bold by itself, if the text does not reject it."""
    parts = [View(view.options, read(normal_text(part))) for part in emphasised]
    bold = frozenset().union(*(filter(None, (_alone(part, 0, len(part.plain)) for part in parts))))
    kept = (
        frozenset().union(*filter(None, map(view.accepted, view.chains))) if len(bold) == 1 else frozenset()
    )
    return Verdict(bold) if bold and bold <= kept else None


def _conclusion(view: View) -> Verdict | None:
    """The one option that the text concludes or prefers; of two conclusions neither is final."""
    places = [found.end() for found in _CONCLUDING.finditer(view.plain)][-MARKERS_KEPT:]
    verdicts = [_slot(view, place, announced=True) for place in places]
    favoured = [view.accepted(chain) for chain in view.chains if view.is_favoured(chain)]
    chosen = [verdict.choices for verdict in verdicts if verdict] + list(filter(None, favoured))
    choices = frozenset().union(*chosen)
    return Verdict(choices) if len(choices) == 1 else None


def _mentioned(view: View, listed: bool) -> tuple[int | None, str]:
    """The only option that is named and not rejected; a statement of all options is one more list of them."""
    every = frozenset(range(view.options.count))
    named = [view.accepted(chain) for chain in view.chains if _counts_as_mention(view, chain)]
    kept = [choices for choices in named if choices is not None and (choices != every or len(every) < 3)]
    listed |= len(every) > 2 and every in named
    choices = frozenset().union(*kept)
    if choices:
        return Verdict(choices).result
    if kept or (_NONE_OF_THEM.search(view.plain) and not listed):
        return None, "invalid"
    return None, "ambiguous" if listed or _ALL_OF_THEM.search(view.plain) else "none"


def _counts_as_mention(view: View, chain: Chain) -> bool:
    """A one-word name in lower case is an ordinary word unless the text says that something is it."""
    if any(mention.strong for mention in chain.mentions):
        return True
    start = chain.mentions[0].start
    return bool(_COPULA_BEFORE.search(view.plain, max(0, start - 30), start))
