"""Repetitions of the options in a text: they answer nothing and are taken out before it is read for mentions."""

import re
from itertools import islice

from cmb_harness.grammar import words_answer as answer_words
from cmb_harness.grammar.marker import sentence_end
from cmb_harness.grammar.mention import LABEL
from cmb_harness.grammar.option import Options
from cmb_harness.grammar.text import Reading, read
from cmb_harness.grammar.view import View
from cmb_harness.grammar.words import one_of, skip

_ITEMS_KEPT = 500

LINE_START = re.compile(r"(?:[\s\"'«»「」『』【】(){}\[\]<>|~#•–—]|-(?!\d)|(?<=[a-z])-){1,12}")
ARTICLE = re.compile(one_of(answer_words.ARTICLE))
# An option leads its line or its text if this follows it.
LEADS_ON = re.compile(
    r"[ \"'»」』】)\]}>|]{0,4}(?:$|[\n.:;–—)。।၊]|=(?!>)|-(?![a-z0-9>])| ?\("
    rf"| ?,? ?{one_of(answer_words.BECAUSE)}|(?P<comma> ?,))"
)
_ITEM = re.compile(
    r"(?:^|\n)(?:[ >|•*–—-]|\[[ xX]?\]|[✅❌✓✗✔☐☑])*+"
    rf"(?:{one_of(answer_words.LABEL)} ?)?[(\[]?(?P<line>[a-z]|\d{{1,2}})"
    r"(?: ?[).:\]|=–—,✅❌✓✗✔☑-]| (?=[❌✅✓✗✔☑]))"
    r"|(?<=[ ,;|])(?P<open>[(\[]?)(?P<inline>[a-z]|\d{1,2})(?P<close>[).:\]])(?= |\w)"
)
_OPTION_RANGE = re.compile(
    r"(?<![a-z0-9])a ?(?:-|–|—|to|through|thru|sampai|hingga|den|ถึง) ?([a-z])(?![a-z0-9])"
)


def without_lists(view: View) -> tuple[View, bool]:
    """The text without a repetition of the options, and whether there was one."""
    spans = _lettered_list(view) or _named_list(view)
    return (View(view.options, _without(view.reading, spans)), True) if spans else (view, False)


def without_range(options: Options, reading: Reading) -> Reading:
    """The text without "A to D", which names all options and none."""
    ranges = _OPTION_RANGE.finditer(reading.plain)
    spans = [found.span() for found in ranges if ord(found[1]) - 96 == options.count]
    return _without(reading, spans) if spans else reading


def _without(reading: Reading, spans: list[tuple[int, int]]) -> Reading:
    pieces: list[str] = []
    place = 0
    for start, end in spans:
        pieces.append(reading.shown[place:start].strip("\n"))
        place = end
    return read("\n".join([*pieces, reading.shown[place:].strip("\n")]))


def _lettered_list(view: View) -> list[tuple[int, int]]:
    """Items A, B, C… or 1, 2, 3…: at the starts of lines, or one after the other in a line if they are all there."""
    run: list[re.Match[str]] = []
    for item in islice(_ITEM.finditer(view.plain), _ITEMS_KEPT):
        number = _item_number(item)
        if number == len(run) and _is_item(view, item):
            run.append(item)
        elif number == 0 and len(run) < 2 and _is_item(view, item):
            run = [item]
    if len(run) < 2 or (len(run) < view.options.count and not all(item["line"] for item in run)):
        return []
    last = run[-1]
    line_end = view.plain.find("\n", last.end())
    end = len(view.plain) if line_end < 0 else line_end
    if last["inline"]:
        end = min(end, sentence_end(view.plain, last.end()))
    return [(run[0].start(), end)]


def _item_number(item: re.Match[str]) -> int:
    mark = item["line"] or item["inline"]
    return int(mark) - 1 if mark.isdigit() else ord(mark) - 97


def _is_item(view: View, item: re.Match[str]) -> bool:
    """Whether a mark opens an item; inside a line it must be bracketed, or stand before an option's name."""
    if item["line"]:
        return True
    capital = view.shown[item.start("inline")].isupper()
    if item["close"] in (")", "]") and (item["open"] or capital):
        return True
    name = item.end() + (view.plain[item.end() : item.end() + 1] == " ")
    return view.options.name_at(view.reading, name) is not None


def _named_list(view: View) -> list[tuple[int, int]]:
    """Lines that begin with the options' names, one a line, all of them or at least three; the first line of each."""
    spans: dict[frozenset[int], tuple[int, int]] = {}
    for line in islice(re.finditer(r"[^\n]+", view.plain), _ITEMS_KEPT):
        start = skip(view.plain, line.start(), LINE_START, ARTICLE, LABEL, most=9)
        mention = view.options.name_at(view.reading, start) if start < line.end() else None
        if mention and LEADS_ON.match(view.plain, mention.end):
            spans.setdefault(mention.choices, line.span())
    return list(spans.values()) if len(spans) >= min(3, max(2, view.options.count)) else []
