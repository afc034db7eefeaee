"""Write docs/parsing.md: what the parser makes of a text, by examples from the cases that the tests check.

    python scripts/write_parsing_page.py

A test compares the page with what this script would write.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cmb_harness.files import write_whole

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "reference" / "parsing_more.jsonl"
PAGE = ROOT / "docs" / "parsing.md"
USUAL_OPTIONS = ["Songkran", "Thingyan", "Pchum Ben", "Tet"]
EXAMPLES_EACH = 3
LONGEST_SHOWN = 150

Case = Mapping[str, Any]

INTRODUCTION = """\
# What a model's text is taken to say

`cmb run` keeps every text of a model in `raw.jsonl` and reads a choice or a span out of it. Reading never guesses: an
answer comes with the status `ok` alone.

| status | what it means | scored |
|---|---|---|
| `ok` | one answer | as it is |
| `ambiguous` | two answers, neither called final | wrong |
| `refusal` | the model says that it gives none | wrong |
| `invalid` | an explicit answer that cannot be used: no such letter, 0, a percentage, frames, a single time | wrong |
| `none` | nothing was answered | wrong |

A failed request is none of these: its item stays open, and `cmb run` asks it again.

```python
from cmb_harness.parsing import parse_choice, parse_span

assert parse_choice("A festival for ancestors, so C.", ["Songkran", "Thingyan", "Pchum Ben", "Tet"]) == (2, "ok")
assert parse_choice("It is A or C.", 4) == (None, "ambiguous")
assert parse_span("từ 12,5 giây đến 1 phút 5 giây", duration_s=120.0) == ((12.5, 65.0), "ok")
```

The rules stand in order, each with its reason, at the head of `cmb_harness/parsing.py`. The words they know, in some
twenty languages, are lines of the modules `cmb_harness/grammar/words_*.py`; a new language is one more line.

## Parsing again

After a change of the rules, `cmb rescore` reads the kept texts of a run once more, writes its `predictions.jsonl` anew,
and prints what is read differently and how many answers of each stage have each status. `--dry-run` writes nothing.

```bash
cmb rescore runs/chance --dry-run
cmb rescore runs/chance
```

## What was decided where one can differ

- "None of the above" is an explicit answer outside the options: `invalid`. A name that is no option is `none`.
- "I don't know" is a `refusal`, unless an option is named beside it.
- A letter and a name that disagree are `ambiguous`, also behind "Answer:".
- An option that is left after all others were rejected was not named: it is not guessed.
- "from 12.5 s to the end" is a span where the length of the video is known, and a single time where it is not.
- "12,500 - 20,000" are thousands, unless the video is shorter than that.
- A reply longer than 12,000 characters is read at its two ends and around its last eight announcements between them.

## Time

The time to read a text grows with its length; 100 kB of anything take less than 100 ms of processor time. The script
tries texts made to be slow (nested tags, stacked accents, digits only …) and prints the slowest:

```bash no-run
python scripts/benchmark_parsing.py
```

## Examples

From `tests/reference/parsing_more.jsonl`, which the tests check whole: at most three for each reason. `⏎` is a line
break. Letters and indices: A is option 1, and index 0 in Python.
"""


def page(cases: Iterable[Case]) -> str:
    """The page, made of the cases of ``parsing_more.jsonl``."""
    rows = list(cases)
    usual = ", ".join(f"{letter} {name}" for letter, name in zip("ABCD", USUAL_OPTIONS, strict=True))
    return "\n".join(
        [
            INTRODUCTION,
            f"### Choices\n\nWhere no options are given they are {usual}.\n",
            *_table(("text", "options", "read as", "why"), [row for row in rows if row["kind"] == "choice"]),
            "\n### Spans\n\nThe video is 120 seconds long where nothing else is said.\n",
            *_table(("text", "video", "read as", "why"), [row for row in rows if row["kind"] == "span"]),
            "",
        ]
    )


def read_cases() -> list[Case]:
    """The cases with a reason."""
    return [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]


def _table(head: tuple[str, ...], cases: list[Case]) -> list[str]:
    by_reason: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        if len(case["text"]) <= LONGEST_SHOWN and len(by_reason[case["why"]]) < EXAMPLES_EACH:
            by_reason[case["why"]].append(case)
    rows = [
        (_code(case["text"]), _setting(case), _answer(case), case["why"].replace("|", "\\|"))
        for examples in by_reason.values()
        for case in examples
    ]
    return [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows)]


def _setting(case: Case) -> str:
    if case["kind"] == "span":
        length = case["duration_s"]
        return "" if length == 120 else "unknown" if length is None else f"{length:g} s"
    options = case["options"]
    if isinstance(options, int):
        return f"{options} moments"
    return "" if options == USUAL_OPTIONS else ", ".join(options).replace("|", "\\|")


def _answer(case: Case) -> str:
    if case["status"] != "ok":
        return f"`{case['status']}`"
    if case["kind"] == "choice":
        return chr(ord("A") + case["index"])
    return f"{case['span'][0]:g} to {case['span'][1]:g} s"


def _code(text: str) -> str:
    """``text`` as code in a cell of a table: visible line breaks, and a fence longer than any in it."""
    shown = "".join(char if char.isprintable() else _visible(char) for char in text).replace("|", "\\|")
    if not shown.strip():
        return "(blank)" if text else "(empty)"
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence, space = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{space}{shown}{space}{fence}"


def _visible(char: str) -> str:
    return {"\n": "⏎", "\t": "⇥"}.get(char, f"\\u{ord(char):04x}")


def main() -> int:
    """Write the page."""
    with write_whole(PAGE) as file:
        file.write(page(read_cases()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
