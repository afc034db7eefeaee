"""The page about the parser shows what the cases say."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "write_parsing_page", ROOT / "scripts" / "write_parsing_page.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_script_writes(script: ModuleType) -> None:
    written = (ROOT / "docs" / "parsing.md").read_text("utf-8")
    assert written == script.page(script.read_cases()), "python scripts/write_parsing_page.py writes it anew"


def test_every_reason_is_shown_with_one_to_three_examples(script: ModuleType) -> None:
    cases = script.read_cases()
    table = script.page(cases).split("## Examples")[1]
    for reason in {case["why"] for case in cases if len(case["text"]) <= script.LONGEST_SHOWN}:
        rows = [line for line in table.splitlines() if line.endswith(f"| {reason} |")]
        # A reason may serve choices and spans: three of each.
        assert 1 <= len(rows) <= 6, reason


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("a|b", r"`a\|b`"),
        ("x\ny\tz", "`x⏎y⇥z`"),
        ("`q` and ``r``", "``` `q` and ``r`` ```"),
        ("\u200b!", r"`\u200b!`"),
        ("", "(empty)"),
        (" ", "(blank)"),
    ],
)
def test_no_text_breaks_its_row(script: ModuleType, text: str, cell: str) -> None:
    case = {"kind": "choice", "text": text, "options": 4, "index": 1, "status": "ok", "why": "a | b"}
    assert rf"| {cell} | 4 moments | B | a \| b |" in script.page([case]).splitlines()
