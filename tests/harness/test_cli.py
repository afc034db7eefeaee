"""The command line: exit codes, and a word instead of a traceback."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cmb_harness import cli
from cmb_harness.faults import InputError
from cmb_harness.files import read_json, write_json, write_json_lines, write_whole

Command = Callable[..., subprocess.CompletedProcess[str]]

# SPEC's fixed names, in the order of the main job.
NAMES = [
    "example",
    "check",
    "split",
    "build",
    "fetch",
    "run",
    "score",
    "compare",
    "sample",
    "questions",
    "rescore",
]


def test_help_names_every_job(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--help"])
    listed = capsys.readouterr().out.split()
    assert set(NAMES) <= set(listed)


def test_wrong_usage_is_exit_2() -> None:
    for arguments in ([], ["no-such-job"], ["score"], ["score", "x", "--mode", "other", "--dataset", "cmb"]):
        with pytest.raises(SystemExit, match="2"):
            cli.main(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "missing.json"],
        ["build", "missing.json", "--out", "cmb"],
        ["run", "--dataset", "missing", "--model", "chance", "--mode", "reset", "--out", "run"],
        ["score", "missing.jsonl", "--dataset", "missing", "--mode", "reset"],
        ["compare", "missing", "--dataset", "missing", "--mode", "reset"],
        ["rescore", "missing"],
        ["split", "missing.json", "--out", "split.json", "--secrets", "secrets.json"],
        ["sample", "missing.csv", "--sampler", "bswa", "--out", "sample.json"],
        ["questions", "missing.csv", "missing.json", "--out", "records.json"],
        ["fetch", "missing.json", "--cache", "cache"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_missing_file_is_exit_1_with_its_name_and_leaves_nothing(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(arguments) == 1
    told = capsys.readouterr()
    assert "missing" in told.err
    assert "Traceback" not in told.err
    assert told.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_goes_away_is_no_error(workspace: Path, run_block: Command) -> None:
    assert run_block("bash", "set -o pipefail; cmb --help | head -n 1", cwd=workspace).returncode == 0


def test_files_are_whole_or_not_there(tmp_path: Path) -> None:
    target = tmp_path / "new" / "file.json"
    with pytest.raises(KeyError), write_whole(target) as file:
        file.write("half")
        raise KeyError
    assert list(target.parent.iterdir()) == []
    write_json(target, {"ខ": 1})
    with pytest.raises(ValueError, match="JSON compliant"):
        write_json(target, float("nan"))
    assert read_json(target) == {"ខ": 1}
    assert [path.name for path in target.parent.iterdir()] == ["file.json"]
    assert target.stat().st_mode & 0o777 == 0o644
    write_json_lines(target, [1, "a"])
    assert target.read_bytes() == b'1\n"a"\n'


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff", "byte 0: not UTF-8"),
        (b'{"a": 1,\n', "line 2: not JSON"),
        (b"[" * 99999, "nested too deeply"),
    ],
)
def test_json_that_cannot_be_read_says_where(content: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_json(file)


def test_a_split_and_its_secrets_are_two_files(
    tmp_path: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(workspace)
    before = (workspace / "example/secrets.json").read_bytes()
    same = ["--out", "example/secrets.json", "--secrets", "example/../example/secrets.json"]
    assert cli.main(["split", "example/concepts.csv", *same]) == 1
    assert "cannot be both" in capsys.readouterr().err
    assert (workspace / "example/secrets.json").read_bytes() == before
