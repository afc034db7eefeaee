"""How long the parser takes on texts made to be slow: nested tags, stacked accents, digits only, and so on.

    python scripts/benchmark_parsing.py
    python scripts/benchmark_parsing.py --bytes 400000 --limit 400

Prints the slowest texts, and exits with 1 if one takes longer than the limit. Times are processor time, the shortest of
three calls: the machine's other work is no fault of the parser.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from cmb_harness.parsing import parse_choice, parse_span

OPTIONS = ["Songkran", "Thingyan", "Pchum Ben", "Tet"]
CALLS = 3

# Repeated until the text is long enough.
REPEATED = {
    "tags that open": "<think>",
    "tags that close": "</think>",
    "tags, empty": "<think></think>",
    "tags in brackets": "[THINK]",
    "channels": "<|channel|>analysis<|message|>",
    "fences": "```thinking\n",
    "answer tags": "<answer>",
    "answer tags, filled": "<answer>C</answer>",
    "escaped tags": "&lt;think&gt;",
    "accents": "\u0301\u0327\u0316",
    "accents of many planes": "\u0301\U0001d165",
    "decomposed letters": "e\u0302\u0301",
    "letters with marks": "ễ",
    "long ligatures": "\ufdfa",
    "zero-width": "\u200b",
    "surrogates": "\ufffd",
    "Khmer": "ភ្ជុំ",
    "Thai answers": "คำตอบคือ ",
    "digits": "1234567890",
    "digits apart": "1 2 ",
    "colons": ":",
    "clocks": "0:12 ",
    "clocks joined": "12:34:56",
    "commas": "1,",
    "dots": "1.",
    "minus": "-1",
    "powers": "1e9",
    "units": "1m05s ",
    "units first": "detik 12 ",
    "ranges": "12-20 ",
    "range words": "12.5 to ",
    "betweens": "between 1 and 2 ",
    "starts": "start: 12 end: 20 ",
    "durations": "12s for 8s ",
    "lengths": "The video is 120 seconds long. ",
    "percentages": "12% ",
    "NaN": "nan ",
    "words for numbers": "twenty ",
    "square brackets": "[",
    "brackets in pairs": "[]",
    "brackets mixed": "({[",
    "lists": "[[1,",
    "double quotes": '"',
    "single quotes": "'",
    "primes": "1'05\"",
    "keys": '"answer": ',
    "objects": '{"answer": "C"},',
    "objects with spans": '{"start": 1, "end": 2},',
    "boxes": "\\boxed{",
    "boxes, filled": "\\boxed{C}",
    "backslashes": "\\",
    "commands": "\\text{",
    "blanks": " ",
    "line breaks": "\n",
    "blank lines": " \t\n",
    "stars": "*",
    "bold": "**a",
    "backticks": "`",
    "underscores": "_",
    "tildes": "~~",
    "pipes": "|",
    "headings": "# ",
    "quote marks": ">",
    "less than": "<",
    "links": "https://x ",
    "letters apart": "A ",
    "letters C": "C ",
    "all letters": "A B C D ",
    "letters in brackets": "(A) ",
    "items": "A) ",
    "checked boxes": "[x] ",
    "lines of one letter": "C\n",
    "lines of one digit": "3\n",
    "alternatives": "A or B ",
    "rejected": "not A ",
    "rejected after": "A is wrong. ",
    "affirmed": "A is correct. ",
    "neither": "neither A nor B ",
    "concluded": "so C. ",
    "announced": "the answer is ",
    "announced, answered": "Answer: C\n",
    "announced, not answered": "Answer: x ",
    "names": "Songkran or Pchum Ben, ",
    "one name": "Tet ",
    "list of options": "A. Songkran\nB. Thingyan\nC. Pchum Ben\nD. Tet\n",
    "labels": "option ",
    "labels and articles": "option a ",
    "ordinals": "the third option ",
    "refusals": "I cannot ",
    "copulas": "is ",
    "prose": "People throw water in April from 3 to 5 seconds; the answer is not A, it may be Songkran. ",
}


class Timing(NamedTuple):
    """The shortest of some calls: milliseconds, and what was called with which text."""

    milliseconds: float
    call: str
    text: str


def adversarial_texts(size: int) -> dict[str, str]:
    """Texts of at least ``size`` bytes of UTF-8 each, by what they are."""
    texts = {name: part * (size // len(part.encode()) + 1) for name, part in REPEATED.items()}
    generator = random.Random(0)
    texts["random characters"] = "".join(
        chr(generator.choice((generator.randrange(32, 0xD800), generator.randrange(0xE000, 0x2FFFF))))
        for _ in range(size // 3)
    )
    texts["random ASCII"] = "".join(chr(generator.randrange(32, 127)) for _ in range(size))
    texts["unclosed block"] = "<think>" + "A or B? " * (size // 8)
    texts["answer in the middle"] = "x " * (size // 4) + "Answer: C. " + "y " * (size // 4)
    return texts


def timings(texts: dict[str, str]) -> list[Timing]:
    """The time of every text in every call, the slowest first."""
    calls: dict[str, Callable[[str], object]] = {
        "choice of names": lambda text: parse_choice(text, OPTIONS),
        "choice of 4": lambda text: parse_choice(text, 4),
        "span": lambda text: parse_span(text, 120.0),
    }
    for call in calls.values():
        call("Answer: C. ៣ 12.5 - 20")
    return sorted(
        (
            Timing(min(_milliseconds(call, text) for _ in range(CALLS)), name, kind)
            for kind, text in texts.items()
            for name, call in calls.items()
        ),
        reverse=True,
    )


def _milliseconds(call: Callable[[str], object], text: str) -> float:
    begun = time.process_time()
    call(text)
    return 1000 * (time.process_time() - begun)


def main() -> int:
    """Time, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])  # type: ignore[union-attr]
    parser.add_argument(
        "--bytes", type=int, default=100_000, help="length of each text in UTF-8 (default: 100000)"
    )
    parser.add_argument(
        "--limit", type=float, default=100.0, help="milliseconds that none may exceed (default: 100)"
    )
    parser.add_argument(
        "--show", type=int, default=15, help="how many of the slowest are printed (default: 15)"
    )
    arguments = parser.parse_args()
    found = timings(adversarial_texts(arguments.bytes))
    for timing in found[: arguments.show]:
        print(f"{timing.milliseconds:7.1f} ms  {timing.call:16}  {timing.text}")
    slow = sum(timing.milliseconds > arguments.limit for timing in found)
    print(
        f"{len(found)} calls on texts of {arguments.bytes} bytes; {slow} of them took more than {arguments.limit:g} ms"
    )
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
