"""JSON in a reply, well formed or nearly, in fences or not: what its answer keys hold, rewritten to ``⟦…⟧``.

Pairs of a key and a value are found one by one, so that single quotes, trailing commas, missing brackets and prose
around the object do no harm; a string is read whole, so that nothing inside it is taken for a key.
"""

import json
import re

from cmb_harness.grammar.text import fold, normal_text
from cmb_harness.grammar.words import words
from cmb_harness.grammar.words_answer import FINAL
from cmb_harness.grammar.words_structure import CHOICE_KEYS, REMARK_KEYS, SPAN_KEYS

_DOUBLE_QUOTED = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|$)'
_SINGLE_QUOTED = r"'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'(?=\s{0,9}(?:[,}\]\n]|$))"
_BARE = r"[^\s,{}\[\]\"'⟦⟧][^,{}\[\]\"'\n⟦⟧]{0,60}"
_PAIR = re.compile(
    r"(?P<quote>[\"'])(?P<key>[^\"'\n{}\[\]:⟦⟧]{1,40})(?P=quote)\s{0,9}:\s{0,99}"
    rf"(?P<value>{_DOUBLE_QUOTED}|{_SINGLE_QUOTED}|\[[^\[\]{{}}⟦⟧]*+\]|{_BARE})",
    re.DOTALL,
)
_HOLDS_PAIRS = re.compile(r"[\"'] ?:")
_NEXT_OF_LIST = re.compile(r"[\s\]}]*\}\s*,\s*\{[\s{\[]*")
_NO_VALUE = frozenset(("null", "none", "undefined", "true", "false", "[]"))

_EDGE_KEY = re.compile(
    r"(?:event|span|segment|pred(?:icted)?|time|timestamp|t|clip)?"
    r"(?P<edge>start|begin|from|onset|end|stop|to|finish|offset|duration|length)(?:ing)?(?:time|at|point|timestamp)?(?:in)?"
    r"\(?(?P<unit>s|sec|secs|seconds?|ms|milliseconds?|min|minutes?|frames?|percent|pct)?\)?"
)
_NUMBERED_KEY = re.compile(r"(?:t|time|timestamp)0?[012]")
_STARTS = frozenset(("start", "begin", "from", "onset"))
_LENGTHS = frozenset(("duration", "length"))


def _bare(key: str) -> str:
    return re.sub(r"[\s_-]", "", key)


_FINAL_KEYS = frozenset(map(_bare, words(FINAL)))
_CHOICE_KEYS = _FINAL_KEYS | set(words(CHOICE_KEYS))
_SPAN_KEYS = _FINAL_KEYS | set(words(SPAN_KEYS))
_REMARK_KEYS = frozenset(words(REMARK_KEYS))


def mark_json(text: str, *, spans: bool) -> str:
    """``text`` with ``⟦…⟧`` around what the answer keys of its JSON hold, and without the remarks beside them.

    Args:
        text: what `grammar.text.normal_text` made.
        spans: whether the keys of spans are looked for, or those of choices.
    """
    pairs = list(_PAIR.finditer(text)) if _HOLDS_PAIRS.search(text) else []
    answers = [_span_answer(pair) if spans else _choice_answer(pair) for pair in pairs]
    if not any(answers):
        return text
    pieces: list[str] = []
    place = 0
    inside = False
    for pair, answer in zip(pairs, answers, strict=True):
        gap = text[place : pair.start()]
        place = pair.end()
        # Answers of one object, or of the objects of one list, are one statement.
        goes_on = inside and (("{" not in gap and "}" not in gap) or _NEXT_OF_LIST.fullmatch(gap))
        if inside and not goes_on:
            pieces.append("⟧")
            inside = False
        if answer:
            pieces.append(f" , {answer}" if goes_on else f"{gap}⟦{answer}")
            inside = True
        elif not inside:
            pieces.append(gap if _key(pair) in _REMARK_KEYS else gap + pair[0])
    return "".join(pieces) + ("⟧" if inside else "") + text[place:]


def _key(pair: re.Match[str]) -> str:
    return _bare(fold(normal_text(pair["key"])))


def _choice_answer(pair: re.Match[str]) -> str:
    return _value(pair["value"]) if _key(pair) in _CHOICE_KEYS else ""


def _span_answer(pair: re.Match[str]) -> str:
    key, value = _key(pair), _value(pair["value"])
    edge = _EDGE_KEY.fullmatch(key)
    if edge and value:
        unit = edge["unit"] or ""
        label = edge["edge"] if edge["edge"] in _LENGTHS else ("start" if edge["edge"] in _STARTS else "end")
        return f"{label}: frame {value}" if unit.startswith("frame") else f"{label}: {value} {unit}"
    if _NUMBERED_KEY.fullmatch(key):
        return value
    # NaN is an answer, if no good one; a text without numbers is none.
    tells = any(char.isdigit() for char in value) or "nan" in value.lower()
    return value if key in _SPAN_KEYS and tells else ""


def _value(raw: str) -> str:
    raw = raw.strip()
    if raw.startswith('"'):
        try:
            raw = json.loads(raw, strict=False)
        except ValueError:
            raw = raw.strip('"')
    elif raw.startswith("'"):
        raw = raw[1:-1]
    elif raw.lower() in _NO_VALUE:
        return ""
    return re.sub("[⟦⟧]", "", normal_text(raw))
