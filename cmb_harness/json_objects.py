"""One JSON object from one line of text, within limits: for files that strangers send.

Every way in which a line can fail ends in a `ValueError` with a word on it, in time and memory that follow the length
of the line.
"""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

SHOWN_CHARACTERS = 40


@dataclass(frozen=True)
class Limits:
    """What a file may hold; the defaults let pass whatever Python's JSON reader does.

    Attributes:
        lines: how many lines.
        line_bytes: length of a line.
        depth: levels of nesting; a row of numbers and strings has 1, one with a span 2.
        key_characters: length of a key.
        number_characters: length of a number as it is written.
        finite: refuse the tokens NaN and Infinity, and numbers that overflow a float (1e400).
        whole_characters: refuse half a surrogate pair, which no UTF-8 file can hold.
    """

    lines: int | None = None
    line_bytes: int | None = None
    depth: int | None = None
    key_characters: int | None = None
    number_characters: int | None = None
    finite: bool = False
    whole_characters: bool = False


NO_LIMITS = Limits()


def byte_lines(content: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield (number from 1, offset, line without its ``\\n``); only one line is copied at a time."""
    offset, number = 0, 1
    while offset < len(content):
        end = content.find(b"\n", offset)
        end = len(content) if end < 0 else end
        yield number, offset, content[offset:end]
        offset, number = end + 1, number + 1


def parse_object(text: str, limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """The JSON object that a line holds.

    Raises:
        ValueError: it holds none, or one beyond the limits; the message says which.
    """
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys(limits), **_number_hooks(limits))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not a whole JSON object: {error.msg} (column {error.colno})") from None
    if not isinstance(value, dict):
        raise ValueError(f"{shown(value)}: expected a JSON object, one a line (JSON Lines)")
    if limits.depth is not None and _deeper_than(value, limits.depth):
        raise ValueError(f"nested too deeply: more than {limits.depth} levels")
    if limits.whole_characters and "\\u" in text and _has_half_character(value):
        raise ValueError("half a character: a \\ud800-\\udfff escape without its other half")
    return value


def shown(value: Any, characters: int = SHOWN_CHARACTERS) -> str:
    """``value`` as JSON, cut to ``characters``, fit for any terminal, log or page.

    Control and formatting characters, halves of surrogate pairs and ``<``, ``>``, ``&`` appear as escapes.
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "…"
    text = text if len(text) <= characters else text[: characters - 3] + "…"
    return "".join(character if _is_plain(character) else _escaped(character) for character in text)


def _is_plain(character: str) -> bool:
    return character.isprintable() and character not in "<>&"


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _unique_keys(limits: Limits) -> Callable[[Sequence[tuple[str, Any]]], dict[str, Any]]:
    def build(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        keys = dict(pairs)
        if len(keys) < len(pairs):
            raise ValueError(f"{shown(_first_repeated(pairs))[1:-1]}: the key stands twice")
        if limits.key_characters is not None:
            for key in keys:
                if len(key) > limits.key_characters:
                    raise ValueError(f"{shown(key)}: a key of more than {limits.key_characters} characters")
        return keys

    return build


def _first_repeated(pairs: Sequence[tuple[str, Any]]) -> str:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            break
        seen.add(key)
    return key


def _number_hooks(limits: Limits) -> dict[str, Any]:
    hooks: dict[str, Any] = {}
    if limits.number_characters is not None:
        hooks["parse_int"] = lambda text: int(_short_number(text, limits))
    if limits.number_characters is not None or limits.finite:
        hooks["parse_float"] = lambda text: _float(_short_number(text, limits), limits)
    if limits.finite:
        hooks["parse_constant"] = _refuse_token
    return hooks


def _short_number(text: str, limits: Limits) -> str:
    # Before it is converted: the time that takes grows faster than the text.
    if limits.number_characters is not None and len(text) > limits.number_characters:
        raise ValueError(f"{text[:12]}…: a number of more than {limits.number_characters} characters")
    return text


def _float(text: str, limits: Limits) -> float:
    value = float(text)
    if limits.finite and math.isinf(value):
        raise ValueError(f"{text}: the number is too large")
    return value


def _refuse_token(token: str) -> float:
    raise ValueError(f"{token}: expected a finite number")


def _deeper_than(value: Any, depth: int) -> bool:
    level = [value]
    for _ in range(depth):
        level = [child for parent in level for child in _children(parent) if isinstance(child, dict | list)]
        if not level:
            return False
    return True


def _children(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value


def _has_half_character(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False
