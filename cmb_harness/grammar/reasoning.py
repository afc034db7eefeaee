"""Reasoning in think tags: found in every spelling that common models use, and dropped.

A block ends with its closing tag; one that does not end leaves nothing after it; a closing tag without an opening one
ends reasoning that began in the prompt, so all before it goes. Blocks nest. Channels (gpt-oss) keep the final one.
"""

import re

from cmb_harness.grammar.words import words
from cmb_harness.grammar.words_structure import REASONING_TAGS

_NAMES = "|".join(sorted(words(REASONING_TAGS), key=len, reverse=True))
# Phrases that end reasoning which no tag encloses.
ENDS = r"\.\.\.\s?done thinking\.?|here(?: is|'s) my response:"
# Tags with tokens of their own: opening and closing.
OPENINGS = r"<\|channel>\s*thought|```[ \t]*(?:thinking|think|thought|reasoning)\b"
CLOSINGS = r"<channel\|>"

_TAG = re.compile(
    rf"(?P<end>{ENDS}|{CLOSINGS})|(?P<start>{OPENINGS})|(?P<fence>```)"
    # <think>, <think mode="deep">, </think>, <seed:think>, <|begin_of_thought|>, <|START_THINKING|>, <think_end>
    r"|<(?=[\w|/ ])\|? ?(?P<slash>/)? ?(?P<edge>(?:begin|start|end)_(?:of_)?)?(?:\w{1,20}:)?"
    rf"(?P<name>{_NAMES})(?P<late>_(?:start|begin|end))?(?:\s[^<>]{{0,200}})?(?P<empty>/)?\|?>"
    # [THINK] and ◁think▷
    rf"|[\[◁]\s?(?P<slash2>/)?(?P<name2>thinking|think|thoughts?|reasoning)\s?[\]▷]",
    re.IGNORECASE,
)
# One of these is in every tag or phrase: most texts have none, and need no closer look.
_MARKS = ("<", "[", "◁", "```", "done thinking", "my response:")
_CHANNEL = re.compile(
    r"<\|channel\|>\s*(\w+)[^<]{0,200}(?:<\|constrain\|>[^<]{0,200})?<\|message\|>", re.IGNORECASE
)
_CHANNEL_END = re.compile(r"<\|(?:end|return|start|call)\|>", re.IGNORECASE)
# gpt-oss decoded without its special tokens: the channel's name runs into the first word.
_BARE_CHANNEL = re.compile(r"\s*(?:assistant)?analysis(?=[A-Z\"'])")


def drop_reasoning(text: str) -> str:
    """``text`` without its reasoning; what is left may be empty. Linear in the length of the text."""
    if "<|channel|>" in text:
        return _final_channel(text)
    if _BARE_CHANNEL.match(text):
        return text.rpartition("assistantfinal")[2] if "assistantfinal" in text else ""
    lower = text.lower()
    return _outside_tags(text) if any(mark in lower for mark in _MARKS) else text


def _final_channel(text: str) -> str:
    kept = []
    for channel in _CHANNEL.finditer(text):
        if channel[1].lower() == "final":
            end = _CHANNEL_END.search(text, channel.end())
            kept.append(text[channel.end() : end.start() if end else len(text)])
    return "\n".join(kept)


def _outside_tags(text: str) -> str:
    kept: list[str] = []
    open_names: list[str] = []
    outside_from = 0
    last_end = 0
    for tag in _TAG.finditer(text):
        name, closes = _name_and_side(tag, open_names)
        if not name:
            continue
        if closes and not open_names:
            kept.clear()
        elif closes:
            _close(open_names, name)
        else:
            if not open_names:
                kept.append(text[outside_from : tag.start()])
            # A template that already ends in the opening tag makes the model write a second one.
            if not open_names or open_names[-1] != name or text[last_end : tag.start()].strip():
                open_names.append(name)
        outside_from = last_end = tag.end()
    if not open_names:
        kept.append(text[outside_from:])
    return "\n".join(kept)


def _name_and_side(tag: re.Match[str], open_names: list[str]) -> tuple[str, bool]:
    """The tag's name (empty: it is no tag) and whether it closes."""
    if tag["end"]:
        return "end", True
    if tag["start"]:
        return ("fence" if tag["start"].startswith("`") else "channel"), False
    if tag["fence"]:
        return ("fence", True) if open_names[-1:] == ["fence"] else ("", False)
    if tag["name2"]:
        return tag["name2"].lower(), bool(tag["slash2"])
    if tag["empty"] and not tag["slash"]:
        return "", False
    edge = (tag["edge"] or "") + (tag["late"] or "")
    return tag["name"].lower(), bool(tag["slash"]) or "end" in edge.lower()


def _close(open_names: list[str], name: str) -> None:
    """Close the block ``name`` and those inside it; a name that is not open closes the innermost block."""
    if name in open_names[-20:]:
        while open_names[-1] != name:
            open_names.pop()
    open_names.pop()
