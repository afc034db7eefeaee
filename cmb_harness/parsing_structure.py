"""Structures that hold a final answer, each rewritten to ``⟦…⟧``, and what is layout only, taken away.

JSON (in or out of fences, well formed or nearly), ``\\boxed{}``, answer tags and box tokens become ``⟦their content⟧``.
After that the rules for prose need to know one kind of bracket.
"""

import json
import re
from collections import deque
from typing import NamedTuple

from cmb_harness.parsing_text import fold, normal_text
from cmb_harness.parsing_words import one_of, words
from cmb_harness.parsing_words_answer import FINAL

# Keys are compared folded, without spaces, hyphens and underscores.
ANSWER_KEYS = set(
    [
        "answer",
        "finalanswer",
        "correctanswer",
        "bestanswer",
        "choice",
        "finalchoice",
        "option",
        "selectedoption",
        "correctoption",
        "selected",
        "selection",
        "letter",
        "answerletter",
        "optionletter",
        "index",
        "answerindex",
        "optionindex",
        "prediction",
        "predicted",
        "pred",
        "result",
        "response",
        "output",
        "moment",
        "clip",
        "video",
        "momentnumber",
        "momentindex",
        "number",
        "optionnumber",
        "name",
        "concept",
        "answertext",
        "optiontext",
        "guess",
        "bestguess",
        "final",
        "decision",
        "verdict",
        "chosen",
        "label",
        "ans",
    ]
) | {re.sub(r"[\s_-]", "", word) for word in words(FINAL)}
SPAN_KEYS = set(
    [
        "answer",
        "finalanswer",
        "span",
        "timespan",
        "segment",
        "interval",
        "timeinterval",
        "range",
        "timerange",
        "timestamps",
        "timestamp",
        "times",
        "time",
        "window",
        "timewindow",
        "moment",
        "event",
        "prediction",
        "predicted",
        "result",
        "response",
        "output",
        "clip",
        "period",
        "location",
        "duration_range",
        "predictedspan",
        "finalspan",
        "spans",
        "segments",
    ]
) | {re.sub(r"[\s_-]", "", word) for word in words(FINAL)}
# Prose inside JSON: never an answer when an answer key stands beside it.
REMARK_KEYS = set(
    [
        "reasoning",
        "reason",
        "reasons",
        "explanation",
        "explain",
        "rationale",
        "analysis",
        "thought",
        "thoughts",
        "thinking",
        "justification",
        "comment",
        "comments",
        "note",
        "notes",
        "description",
        "evidence",
        "summary",
        "caption",
        "query",
        "question",
        "event",
        "observation",
        "observations",
        "context",
        "steps",
        "title",
        "cue",
    ]
)
_START_KEY = re.compile(
    r"(?:event|span|segment|pred(?:icted)?|time|timestamp|t|clip)?(start|begin|from|onset|end|stop|to|finish|offset|duration|length)(?:ing)?(?:time|at|point|timestamp)?(?:in)?\(?(s|sec|secs|seconds?|ms|milliseconds?|min|minutes?|frames?|percent|pct)?\)?"
)
_NEXT_OF_LIST = re.compile(r"[\s\]}]*\}\s*,\s*\{[\s{\[]*")
_NUMBERED_KEY = re.compile(r"(?:t|time|timestamp)(?:0?([012]))")

ANSWER_TAGS = (
    "answer|final_answer|finalanswer|final|final_choice|choice|option|selected_option|response|output|result|conclusion|solution|prediction|letter|moment|clip"
    "|span|segment|interval|timestamp|timestamps|time|time_range|verdict|box"
)  # fmt: skip
_LISTED_TAGS = ("option", "time", "timestamp")
_TAG = re.compile(
    rf"<(/?)\s?({ANSWER_TAGS})(?:\s[^<>=]{{0,60}})?>|\[(/?)(ANSWER|FINAL_ANSWER)\]", re.IGNORECASE
)
_BOX_TOKEN = re.compile(r"<\|(begin|end)_of_(?:box|solution|answer)\|>", re.IGNORECASE)
_BOXED = re.compile(
    r"(?P<box>\\?\x08?b?oxed\s?\{|\\(?:fbox|framebox)\s?\{)|(?P<escaped>\\[{}])|(?P<open>\{)|(?P<close>\})"
)
_DOUBLE = re.compile(r"\[\[([^\[\]\n⟦⟧]{1,80})\]\]|\{\{([^{}\n⟦⟧]{1,80})\}\}")

_PAIR = re.compile(
    r"""(?P<quote>["'])(?P<key>[^"'\n{}\[\]:⟦⟧]{1,40})(?P=quote)\s{0,9}:\s{0,99}(?P<value>"""
    r""""[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|$)|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'(?=\s{0,9}(?:[,}\]\n]|$))|\[[^\[\]{}⟦⟧]*+\]|[^\s,{}\[\]"'⟦⟧][^,{}\[\]"'\n⟦⟧]{0,60})""",
    re.DOTALL,
)

# Characters that are read at each end of a long reply, and around each announcement between them.
_HEAD, _TAIL, _WINDOWS, _BEFORE, _AFTER = 4_000, 12_000, 8, 100, 300
_TELLING = re.compile(one_of(FINAL, {"structure": 'oxed{|<answer|answer"|choice"|start"|begin_of_box'}))

_REGION = re.compile("⟦([^⟦⟧]*)⟧")

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
    r"</?(?:b|i|u|p|a|br|em|strong|span|div|li|ul|ol|h[1-6]|code|pre|font|sup|sub|table|tr|td|th|tbody|center|mark)(?:\s[^<>=]{0,200})?/?>",
    re.IGNORECASE,
)
_LATEX_GROUP = re.compile(r"\\(?:text|math|operatorname)[a-z]{0,4}\s?\{([^{}]{0,200})\}")
_LATEX = re.compile(
    r"\\(?:textbf|textit|textrm|texttt|text|mathrm|mathbf|mathit|mathsf|mathtt|operatorname|displaystyle|large|bf|quad|qquad|left|right|begin|end|boxed)\b|\\[()\[\],;!: ]"
)
_TABLE_ROW = re.compile(r"(?m)^[ \t]*\|([^\n]*)\|[ \t]*$")
_LINE_BREAK = re.compile(r"\\[nrt](?![a-z])")
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~|<(s|del|strike)>[^<>\n]{1,200}</\1>")
_EMPHASIS = re.compile(r"(\*{1,3}|_{2,3}|`{1,2})(?=[^\s*_`])([^*`\n]{1,120}?)\1")
_MARKUP = re.compile(
    r"[*`\\$]|(?m:^[ \t]*(?:#{1,6}(?=\s)|>+|[•●▪◦‣·](?=\s))+)|[\x00-\x08\x0e-\x1f\x7f]|_(?!\w)|(?<!\w)_"
)
_NOT_APPLICABLE = re.compile(r"\b[Nn]/[Aa]\b\.?")
_BLANK = re.compile(r"[ \t_]*\n\s*|[ \t_]+")


class Page(NamedTuple):
    """A reply laid bare: its text, where ``⟦…⟧`` holds what is called the answer, and its emphasised parts."""

    text: str
    emphasised: tuple[str, ...]


def lay_bare(text: str, *, spans: bool) -> Page:
    """Mark the structures of ``text`` and take its markup away. ``spans`` chooses which keys of JSON are answers."""
    text = _telling_parts(text)
    text = _ENTITY.sub(lambda found: _ENTITIES[found[0]], text) if "&" in text else text
    text = _URL.sub(" ", text)
    if '":' in text or "':" in text or '" :' in text or "' :" in text:
        text = _mark_json(text, spans)
    text = _mark_tags(_mark_boxed(text))
    if not spans:
        text = _DOUBLE.sub(lambda found: f"⟦{found[1] or found[2]}⟧", text)
    return _without_markup(text)


def _telling_parts(text: str) -> str:
    """A long reply's two ends and what surrounds its last announcements: the rest of so long a text is a loop or a copy."""
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
    return "\n".join([*(piece for piece in pieces if piece), text[place:].strip("\n")]), regions


def _mark_json(text: str, spans: bool) -> str:
    pairs = list(_PAIR.finditer(text))
    answers = [_span_answer(pair) if spans else _choice_answer(pair) for pair in pairs]
    if not any(answers):
        return text
    pieces = []
    place = 0
    open_group = False
    for pair, answer in zip(pairs, answers, strict=True):
        gap = text[place : pair.start()]
        place = pair.end()
        if answer:
            # Answers of one object are one statement: a letter and a name, or a start and an end.
            same_object = open_group and (not ("{" in gap or "}" in gap) or _NEXT_OF_LIST.fullmatch(gap))
            pieces.append(f" , {answer}" if same_object else ("⟧" if open_group else "") + f"{gap}⟦{answer}")
            open_group = True
        elif _bare_key(pair["key"]) not in REMARK_KEYS and not open_group:
            pieces.append(gap + pair[0])
        elif open_group and ("{" in gap or "}" in gap):
            pieces.append(f"⟧{gap}")
            open_group = False
    return "".join(pieces) + ("⟧" if open_group else "") + text[place:]


def _bare_key(key: str) -> str:
    return re.sub(r"[\s_-]", "", fold(normal_text(key)))


def _choice_answer(pair: re.Match[str]) -> str:
    return _value(pair["value"]) if _bare_key(pair["key"]) in ANSWER_KEYS else ""


def _span_answer(pair: re.Match[str]) -> str:
    key = _bare_key(pair["key"])
    value = _value(pair["value"])
    edge = _START_KEY.fullmatch(key)
    if edge and value:
        unit = edge[2] or ""
        label = "start" if edge[1] in ("start", "begin", "from", "onset") else edge[1]
        label = label if label in ("start", "duration", "length") else "end"
        return f"{label}: frame {value}" if unit.startswith("frame") else f"{label}: {value} {unit}"
    number = _NUMBERED_KEY.fullmatch(key)
    if number and value:
        return value
    return value if key in SPAN_KEYS and any(char.isdigit() or char in "nN" for char in value) else ""


def _value(raw: str) -> str:
    raw = raw.strip()
    if raw.startswith('"'):
        try:
            raw = json.loads(raw, strict=False)
        except ValueError:
            raw = raw.strip('"')
    elif raw.startswith("'"):
        raw = raw[1:-1]
    elif raw.lower() in ("null", "none", "undefined", "true", "false", "[]"):
        return ""
    return re.sub("[⟦⟧]", "", normal_text(raw))


def _mark_boxed(text: str) -> str:
    if "oxed" not in text and "box" not in text:
        return text
    pieces = []
    place = 0
    depths: list[bool] = []
    inside = 0
    for found in _BOXED.finditer(text):
        if found["box"] or found["open"]:
            depths.append(bool(found["box"]) and not inside)
            if depths[-1]:
                pieces.append(text[place : found.start()] + "⟦")
                place = found.end()
            inside += depths[-1]
        elif found["close"] and depths and depths.pop():
            pieces.append(re.sub("[⟦⟧]", " ", text[place : found.start()]) + "⟧")
            place = found.end()
            inside = 0
    tail = text[place:]
    if inside:
        line, newline, rest = tail.partition("\n")
        tail = f"{line}⟧{newline}{rest}"
    return "".join(pieces) + tail


def _mark_tags(text: str) -> str:
    if "<|" in text:
        text = _BOX_TOKEN.sub(lambda token: "⟦" if token[1].lower() == "begin" else "⟧", text)
    # One tag for each of several is a list of them, not an answer given several times.
    listed = {name for name in _LISTED_TAGS if len(re.findall(f"<{name}\\b", text, re.IGNORECASE)) > 1}
    depth = 0

    def mark(tag: re.Match[str]) -> str:
        nonlocal depth
        if (tag[2] or "").lower() in listed:
            return " "
        if tag[1] or tag[3]:
            depth -= 1
            return "⟧" if depth >= 0 else " "
        depth = max(depth, 0) + 1
        return "⟦"

    return _outermost(_TAG.sub(mark, text))


def _outermost(text: str) -> str:
    """``⟦…⟧`` without brackets inside brackets; one that is left open ends with the text."""
    pieces = []
    depth = 0
    place = 0
    for bracket in re.finditer("[⟦⟧]", text):
        opens = bracket[0] == "⟦"
        depth += 1 if opens else -1
        pieces.append(text[place : bracket.start()])
        place = bracket.end()
        if opens and depth == 1:
            pieces.append("\n⟦")
        elif not opens and depth == 0:
            pieces.append("⟧\n")
        else:
            pieces.append(" ")
        depth = max(depth, 0)
    return "".join(pieces) + text[place:] + ("⟧" if depth else "")


def _row(found: re.Match[str]) -> str:
    """A row of a table as a label and what it says; the rule under the header goes."""
    cells = [cell.strip() for cell in found[1].split("|")]
    return "" if all(re.fullmatch(r":?-*:?", cell) for cell in cells) else " : ".join(filter(None, cells))


def _without_markup(text: str) -> Page:
    text = _TABLE_ROW.sub(_row, text) if "|" in text else text
    text = _STRUCK.sub(" ", _TOKEN.sub("\n", text))
    if "</" in text or "/>" in text or "<br" in text.lower():
        text = _HTML.sub(lambda tag: "\n" if re.match(r"(?i)</?(?:br|p|div|li|tr|h)", tag[0]) else " ", text)
    if "\\" in text:
        text = _LINE_BREAK.sub("\n", text)
        text = _LATEX.sub(" ", _LATEX_GROUP.sub(r"\1", _LATEX_GROUP.sub(r"\1", text)))
    text = _NOT_APPLICABLE.sub(" ", text)
    emphasised = tuple(found[2] for found in _EMPHASIS.finditer(text))
    # One emphasised character stays apart from its sentence, as if in parentheses.
    text = re.sub(r"(\*{1,3}|`)([A-Za-z0-9])\1", r"(\2)", text)
    text = _BLANK.sub(lambda blank: "\n" if "\n" in blank[0] else " ", _MARKUP.sub("", text))
    return Page(text.strip(), emphasised[-50:])
