"""Imports point one way: scripts, cli → harness → cmb_metric, cmb_dataset; and what is heavy is imported late."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
OURS = ("cmb_dataset", "cmb_metric", "cmb_harness", "scripts")
HEAVY = {"torch", "sentence_transformers", "transformers", "matplotlib", "jinja2", "openai", "google"}

# What a room may import of ours besides itself and the harness's own top-level modules.
ROOMS = {
    "cmb_harness.construction": set(),
    "cmb_harness.media": set(),
    "cmb_harness.models": {"cmb_harness.media"},
    "cmb_harness.report": {"cmb_harness.shared_task"},  # baselines that know the structure alone
    "cmb_harness.shared_task": set(),
    "cmb_harness.example": {"cmb_harness.construction", "cmb_harness.media"},
}


def modules() -> list[Path]:
    """Every Python file of the product."""
    folders = ("cmb_metric", "cmb_harness", "scripts")
    files = (path for folder in folders for path in (REPOSITORY / folder).rglob("*.py"))
    return [REPOSITORY / "cmb_dataset.py", *sorted(files)]


def imports(path: Path, *, top_level: bool = False) -> Iterator[str]:
    """The absolute names that a file imports; relative ones are resolved."""
    tree = ast.parse(path.read_text("utf-8"))
    package = ".".join(path.relative_to(REPOSITORY).parts[:-1])
    for node in tree.body if top_level else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield f"{package}.{node.module or ''}".rstrip(".") if node.level else str(node.module)


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(REPOSITORY).with_suffix("").parts)


def room_of(name: str) -> str | None:
    return next((room for room in ROOMS if name == room or name.startswith(f"{room}.")), None)


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_arrows_point_one_way(path: Path) -> None:
    name = name_of(path)
    ours = {imported for imported in imports(path) if imported.split(".")[0] in OURS}
    if name == "cmb_dataset":
        assert not ours
    elif name.startswith("cmb_metric"):
        assert all(imported.startswith("cmb_metric") for imported in ours)
    elif name.startswith("cmb_harness"):
        assert not {imported for imported in ours if imported.startswith("scripts")}
    room = room_of(name)
    if room:
        rooms = {room_of(imported) for imported in ours} - {None, room}
        assert rooms <= ROOMS[room]
        assert "cmb_harness.cli" not in ours


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_extras_are_imported_inside_functions(path: Path) -> None:
    assert not {imported.split(".")[0] for imported in imports(path, top_level=True)} & HEAVY


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("cmb_metric", ["datasets", "evaluate", "scipy", "pyarrow", "av"]),
        ("cmb_harness.cli", ["datasets", "evaluate", "scipy", "av", "yt_dlp", "numpy"]),
    ],
)
def test_light_imports_stay_light(module: str, unwanted: list[str]) -> None:
    code = f"import sys, {module}; print(*[name for name in {unwanted} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == []
