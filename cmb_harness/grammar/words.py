"""Tables of words, and patterns made of them.

A table maps a language to its phrases, separated by ``|``. Phrases are written as people write them; `one_of` folds
them as the text is folded, so case and Latin marks do not matter. Words of scripts that put spaces between words match
whole words only. Where a table is empty for a language, its speakers say it with punctuation. A new language is one
more line, a new marker one more phrase.
"""

import re
from collections.abc import Mapping
from functools import cache

from cmb_harness.grammar.text import fold, normal_text

Table = Mapping[str, str]


def words(table: Table) -> list[str]:
    """Every phrase of a table, folded, each once."""
    phrases = (phrase for line in table.values() for phrase in line.split("|"))
    return sorted({_spelled(phrase) for phrase in phrases} - {""})


def numbered(table: Table) -> dict[str, int]:
    """Each phrase of a table whose lines count from one → its number."""
    lines = (enumerate(line.split("|"), 1) for line in table.values())
    return {_spelled(phrase): number for line in lines for number, phrase in line if phrase}


@cache
def _spelled(phrase: str) -> str:
    return fold(normal_text(phrase))


def one_of(*tables: Table, glued: bool = False) -> str:
    """A pattern for the longest phrase of the tables, at a place in folded text.

    It is a prefix tree, so that matching costs the length of the phrase and not the number of phrases.

    Args:
        tables: where the phrases are; one of all of them is matched.
        glued: digits may touch the phrase, as they touch a unit.
    """
    edge = "[a-zа-я]" if glued else "[0-9a-zа-я]"
    root = _tree({phrase for table in tables for phrase in words(table)})
    # Every alternative begins with its letter, then comes the boundary: so the engine skips to the next likely letter.
    parts = [
        f"{_escaped(first)}(?<!{edge}{_escaped(first)}){_branch(rest)}(?!{edge})"
        if _is_spaced(first)
        else _escaped(first) + _branch(rest)
        for first, rest in sorted(root.items())
    ]
    return f"(?:{'|'.join(parts)})"


def skip(plain: str, place: int, *parts: re.Pattern[str], most: int = 12) -> int:
    """Where one is in ``plain`` after at most ``most`` matches of ``parts``, one after the other, from ``place`` on."""
    for _ in range(most):
        found = next((found for part in parts if (found := part.match(plain, place))), None)
        if not found or found.end() == place:
            break
        place = found.end()
    return place


def _is_spaced(char: str) -> bool:
    """Whether the script of ``char`` puts spaces between words, so that whole words can be asked for."""
    return char.isalnum() and (char.isascii() or "а" <= char <= "я")


def _tree(phrases: set[str]) -> dict:
    root: dict = {}
    for phrase in phrases:
        node = root
        for char in phrase:
            node = node.setdefault(char, {})
        node[""] = {}
    return root


def _branch(node: dict) -> str:
    ends = "" in node
    parts = [_escaped(char) + _branch(child) for char, child in sorted(node.items()) if char]
    if not parts:
        return ""
    inner = parts[0] if len(parts) == 1 and not ends else f"(?:{'|'.join(parts)})"
    return f"{inner}?" if ends else inner


def _escaped(char: str) -> str:
    return " " if char == " " else re.escape(char)
