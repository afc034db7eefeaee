"""Whatever is sent: under a gigabyte and under a minute, in a process of its own."""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
from attack_submissions import BYTES, SECONDS, Server, complaints, run_measured, score_honest  # noqa: E402
from hostile_files import KINDS  # noqa: E402

HEAVY = ("too_large", "gzip_bomb", "a_million_lines", "many_lists", "many_keys_one_twice", "lines_of_junk")


@pytest.fixture
def server(organiser: Path) -> Server:
    return Server(organiser / "recognition", organiser / "secrets.json")


def refuse(server: Server, kind: str, lines: list[dict[str, Any]], seed: int, folder: Path) -> list[str]:
    file, result = folder / "hostile", folder / "result.json"
    file.write_bytes(KINDS[kind].build(Random(seed), lines))
    return complaints(kind, server.score(file, result), result)


@pytest.mark.parametrize("kind", HEAVY)
def test_heavy_files_cost_little(
    kind: str, server: Server, recognition: Any, honest: Any, tmp_path: Path
) -> None:
    assert refuse(server, kind, honest(recognition.asked("recognition")), 0, tmp_path) == []


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_costs_little(
    kind: str, server: Server, recognition: Any, honest: Any, tmp_path: Path
) -> None:
    for seed in range(3):
        assert refuse(server, kind, honest(recognition.asked("recognition")), seed, tmp_path) == []


def test_the_largest_valid_file_costs_little(
    server: Server, recognition: Any, honest: Any, tmp_path: Path
) -> None:
    """Nothing stops reading here: full rows with a raw text each, empty lines up to the limits."""
    lines = honest(recognition.asked("recognition"))
    rows = [json.dumps(line | {"raw": "\\u1780" * 10_000}) + "\n" for line in lines[1:]]
    rows = [row.replace("\\\\u", "\\u") for row in rows]
    content = (json.dumps(lines[0]) + "\n" + "".join(rows)).encode()
    spaces = (49_990_000 - len(content)) // 199_000
    content += (b" " * (spaces - 1) + b"\n") * 199_000
    file, result = tmp_path / "large", tmp_path / "result.json"
    file.write_bytes(content)
    outcome = server.score(file, result)
    assert outcome.code == 0, outcome.err
    assert result.exists()
    assert outcome.elapsed_s < SECONDS
    assert outcome.peak_bytes < BYTES


def test_the_measure_sees_memory_and_failure() -> None:
    held = bytearray(600_000_000)
    held[::4096] = bytes(len(held[::4096]))
    outcome = run_measured([sys.executable, "-c", "x = bytearray(300_000_000); print(len(x)); exit(3)"])
    assert (outcome.code, outcome.out) == (3, b"300000000\n")
    # What this process holds is not counted.
    assert 300_000_000 < outcome.peak_bytes < 500_000_000
    assert len(held) == 600_000_000


def test_files_scored_side_by_side_give_what_each_gives_alone(
    server: Server, recognition: Any, tmp_path: Path
) -> None:
    assert score_honest(server, recognition.asked("recognition"), 3, 3, 0, tmp_path) == []
