"""The docs do what they say: every shown command and every ``--help`` example is run."""

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cmb_harness.cli import command_module, command_names

REPOSITORY = Path(__file__).resolve().parent.parent
PAGES = sorted([REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md")])
BLOCK = re.compile(r"^```(bash|python)([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)

Command = Callable[..., subprocess.CompletedProcess[str]]


def blocks(page: Path) -> list[tuple[str, str]]:
    """The blocks of a page that are run; ``no-run`` marks those that need the outside network or this repository."""
    return [
        (language, text)
        for language, tags, text in BLOCK.findall(page.read_text("utf-8"))
        if "no-run" not in tags
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_a_page_runs(page: Path, workspace: Path, run_block: Command) -> None:
    for language, text in blocks(page):
        completed = run_block(language, text, cwd=workspace)
        assert completed.returncode == 0, f"{page.name}:\n{text}\n{completed.stdout}\n{completed.stderr}"


@pytest.mark.parametrize("name", command_names())
def test_every_help_example_runs(name: str, workspace: Path, cmb: Command) -> None:
    example = command_module(name).EXAMPLE
    assert example in cmb(name, "--help", cwd=workspace).stdout
    program, *arguments = shlex.split(example)
    assert program == "cmb"
    cmb(*arguments, cwd=workspace)
