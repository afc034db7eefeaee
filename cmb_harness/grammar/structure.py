"""A reply laid bare: structures that hold a final answer become ``⟦…⟧``, and what is layout only goes.

JSON, ``\\boxed{}``, answer tags and box tokens are rewritten to ``⟦their content⟧``, so that the rules for prose need
to know one kind of bracket.
"""

import re
from collections import deque
from typing import NamedTuple

from cmb_harness.grammar.json_values import mark_json
from cmb_harness.grammar.text import fold
from cmb_harness.grammar.words import one_of, words
from cmb_harness.grammar.words_answer import FINAL
from cmb_harness.grammar.words_structure import ANSWER_TAGS, LISTED_TAGS

# Characters that are read at each end of a long reply, and around each of the last announcements between them.
_HEAD, _TAIL = 3_000, 9_000
_WINDOWS, _BEFORE, _AFTER = 8, 100, 300
_TELLING = re.compile(one_of(FINAL, {"structure": 'oxed{|<answer|answer"|choice"|start"|begin_of_box'}))
_EMPHASES_KEPT = 50

_REGION = re.compile("⟦([^⟦⟧]*)⟧")
_TAG = re.compile(
    rf"<(?P<closes>/?)\s?(?P<name>{'|'.join(words(ANSWER_TAGS))})(?:\s[^<>=]{{0,60}})?>"
    r"|\[(?P<closes2>/?)(?:ANSWER|FINAL_ANSWER)\]",
    re.IGNORECASE,
)
_BOX_TOKEN = re.compile(r"<\|(begin|end)_of_(?:box|solution|answer)\|>", re.IGNORECASE)
# JSON eats the backslash and the b of "\boxed" where they are not escaped.
_BRACE = re.compile(
    r"(?P<box>\\?\x08?b?oxed\s?\{|\\(?:fbox|framebox)\s?\{)|(?P<escaped>\\[{}])|(?P<open>\{)|(?P<close>\})"
)
_DOUBLE = re.compile(r"\[\[([^\[\]\n⟦⟧]{1,80})\]\]|\{\{([^{}\n⟦⟧]{1,80})\}\}")

_ENTITIES = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&apos;": "'",
    "&nbsp;": " ",
    "&amp;": "&",
}
_ENTITY = re.compile("|".join(_ENTITIES))
_URL = re.compile(r"(?:https?://|www\.)[^\s)\]>\"']+")
# Tokens of chat templates, whatever their name.
_TOKEN = re.compile(r"<\|[^|<>]{1,40}\|>|</?s>|<(?:eos|bos|pad|end_of_turn|start_of_turn)>")
_HTML = re.compile(
    r"</?(?P<name>b|i|u|p|a|br|em|strong|span|div|li|ul|ol|h[1-6]|code|pre|font|sup|sub|table|tr|td|th|tbody|center|mark)"
    r"(?:\s[^<>=]{0,200})?/?>",
    re.IGNORECASE,
)
_BLOCKS = frozenset(("br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6"))
_LATEX_GROUP = re.compile(r"\\(?:text|math|operatorname)[a-z]{0,4}\s?\{([^{}]{0,200})\}")
_LATEX = re.compile(
    r"\\(?:(?:text|math)[a-z]{0,4}|operatorname|displaystyle|large|bf|quad|qquad|left|right|begin|end|boxed)\b"
    r"|\\[()\[\],;!: ]"
)
_LINE_BREAK = re.compile(r"\\[nrt](?![a-z])")
_TABLE_ROW = re.compile(r"(?m)^[ \t]*\|([^\n]*)\|[ \t]*$")
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~|<(del|strike)>[^<>\n]{1,200}</\1>")
_EMPHASIS = re.compile(r"(\*{1,3}|_{2,3}|`{1,2})(?=[^\s*_`])([^*`\n]{1,120}?)\1")
_EMPHASISED_MARK = re.compile(r"(\*{1,3}|`)([A-Za-z0-9])\1")
_MARKUP = re.compile(
    r"[*`\\$]|(?m:^[ \t]*(?:#{1,6}(?=\s)|>+|[•●▪◦‣·](?=\s))+)|[\x00-\x08\x0e-\x1f\x7f]|_(?!\w)|(?<!\w)_"
)
_NOT_APPLICABLE = re.compile(r"\b[Nn]/[Aa]\b\.?")
_BLANK = re.compile(r"[ \t_]*\n\s*|[ \t_]+")


class Page(NamedTuple):
    """A reply laid bare.

    Attributes:
        text: its text, where ``⟦…⟧`` holds what a structure calls the answer.
        emphasised: the parts set in bold, italics or as code.
    """

    text: str
    emphasised: tuple[str, ...]


# The line under a table's headings.
_TABLE_RULE = re.compile(r"(?=[^-]*-)[ \t|:-]+")


def lay_bare(text: str, *, spans: bool) -> Page:
    """Mark the structures of ``text`` and take its markup away; ``spans`` tells which answer is looked for."""
    text = _telling_parts(text)
    if spans and "|" in text:
        text = _labelled_rows(text)
    if "&" in text:
        text = _ENTITY.sub(lambda found: _ENTITIES[found[0]], text)
    text = _mark_tags(_mark_boxed(mark_json(_URL.sub(" ", text), spans=spans)))
    if not spans:
        text = _DOUBLE.sub(lambda found: f"⟦{found[1] or found[2]}⟧", text)
    return _without_markup(text)


def _labelled_rows(text: str) -> str:
    """Rows of Markdown tables as ``heading: value`` pairs, since spans are found by their labels."""
    lines = text.split("\n")
    headings: list[str] = []
    kept: list[str] = []
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if _TABLE_RULE.fullmatch(after) and "|" in line:
            headings = cells
        elif not (headings and "|" in line):
            headings = []
            kept.append(line)
        elif not _TABLE_RULE.fullmatch(line):
            kept.append(", ".join(f"{name}: {cell}" for name, cell in zip(headings, cells, strict=False)))
    return "\n".join(kept)


def outside_regions(text: str) -> tuple[str, list[tuple[int, str]]]:
    """The text without its ``⟦…⟧``, a line break in place of each, and where each stood and what it held."""
    pieces: list[str] = []
    regions: list[tuple[int, str]] = []
    length = place = 0
    for found in _REGION.finditer(text):
        pieces.append(text[place : found.start()].strip("\n"))
        length += len(pieces[-1]) + 1
        regions.append((length, found[1]))
        place = found.end()
    return "\n".join([*filter(None, pieces), text[place:].strip("\n")]), regions


def _telling_parts(text: str) -> str:
    """A long reply's two ends and what surrounds its last announcements: the rest is a loop or a copy."""
    if len(text) <= _HEAD + _TAIL:
        return text
    middle = fold(text[_HEAD:-_TAIL])
    parts = [text[:_HEAD]]
    place = 0
    for found in deque(_TELLING.finditer(middle), maxlen=_WINDOWS):
        start = max(place, found.start() - _BEFORE)
        place = max(place, min(found.end() + _AFTER, len(middle)))
        parts.append(text[_HEAD + start : _HEAD + place])
    return "\n".join([*parts, text[-_TAIL:]])


def _mark_boxed(text: str) -> str:
    if "oxed" not in text and "box" not in text:
        return text
    pieces: list[str] = []
    opened: list[bool] = []  # for each open brace, whether it is that of an outermost box
    inside = False
    place = 0
    for brace in _BRACE.finditer(text):
        if brace["box"] or brace["open"]:
            opened.append(bool(brace["box"]) and not inside)
            if opened[-1]:
                inside = True
                pieces.append(text[place : brace.start()] + "⟦")
                place = brace.end()
        elif brace["close"] and opened and opened.pop():
            pieces.append(re.sub("[⟦⟧]", " ", text[place : brace.start()]) + "⟧")
            place = brace.end()
            inside = False
    tail = text[place:]
    if inside:
        line, newline, rest = tail.partition("\n")
        tail = f"{line}⟧{newline}{rest}"
    return "".join(pieces) + tail


def _mark_tags(text: str) -> str:
    if "<|" in text:
        text = _BOX_TOKEN.sub(lambda token: "⟦" if token[1].lower() == "begin" else "⟧", text)
    listed = {name for name in words(LISTED_TAGS) if len(re.findall(rf"<{name}\b", text, re.IGNORECASE)) > 1}

    def bracket(tag: re.Match[str]) -> str:
        if (tag["name"] or "").lower() in listed:
            return " "
        return "⟧" if tag["closes"] or tag["closes2"] else "⟦"

    return _outermost(_TAG.sub(bracket, text))


def _outermost(text: str) -> str:
    """``⟦…⟧`` without brackets inside brackets; one that is left open ends with the text."""
    pieces: list[str] = []
    depth = place = 0
    for bracket in re.finditer("[⟦⟧]", text):
        opens = bracket[0] == "⟦"
        depth += 1 if opens else -1
        edge = "\n⟦" if opens and depth == 1 else "⟧\n" if not opens and depth == 0 else " "
        pieces.append(text[place : bracket.start()] + edge)
        place = bracket.end()
        depth = max(depth, 0)
    return "".join(pieces) + text[place:] + ("⟧" if depth else "")


def _without_markup(text: str) -> Page:
    if "|" in text:
        text = _TABLE_ROW.sub(_row, _TOKEN.sub("\n", text))
    text = _TOKEN.sub("\n", _STRUCK.sub(" ", text))
    if "</" in text or "/>" in text or "<br" in text.lower():
        text = _HTML.sub(lambda tag: "\n" if tag["name"].lower() in _BLOCKS else " ", text)
    if "\\" in text:
        text = _LATEX_GROUP.sub(r"\1", _LATEX_GROUP.sub(r"\1", _LINE_BREAK.sub("\n", text)))
        text = _LATEX.sub(" ", text)
    text = _NOT_APPLICABLE.sub(" ", text)
    emphasised = tuple(found[2] for found in deque(_EMPHASIS.finditer(text), maxlen=_EMPHASES_KEPT))
    # One emphasised character stays apart from its sentence, as if in parentheses.
    text = _MARKUP.sub("", _EMPHASISED_MARK.sub(r"(\2)", text))
    text = _BLANK.sub(lambda blank: "\n" if "\n" in blank[0] else " ", text)
    return Page(text.strip(), emphasised)


def _row(found: re.Match[str]) -> str:
    """A row of a table as a label and what it says; the rule under the header goes."""
    cells = [cell.strip() for cell in found[1].split("|")]
    return "" if all(re.fullmatch(r":?-*:?", cell) for cell in cells) else " : ".join(filter(None, cells))
