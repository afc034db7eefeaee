"""``cmb submit`` as it is typed: what is printed, written and returned, and when the secrets are opened."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmb_harness import cli

Lines = list[dict[str, Any]]

# Tells on stderr when a file of that name is opened, then runs the command.
SPY = """
import sys
sys.addaudithook(lambda event, args: event == "open" and str(args[0]).endswith("secrets.json")
                 and print("the secrets were opened", file=sys.stderr))
from cmb_harness import cli
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.fixture
def submit(
    organiser: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """``submit("check", "f.jsonl", phase=…)`` in an empty folder → (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, built: str = "recognition") -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = cli.main(["submit", *arguments, "--dataset", str(organiser / built)])
        except SystemExit as error:
            code = int(error.code or 0)
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


def write(path: str, lines: Lines) -> str:
    Path(path).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def answered(path: str, lines: Lines) -> str:
    """Fill an empty template with answers that differ over truth."""
    for row in lines[1:]:
        row |= (
            {"choice": row.get("truth", 1)} if "choice" in row else {"span": [3.0 + row.get("truth", 0), 9.0]}
        )
    return write(path, lines)


def read_lines(path: str) -> Lines:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_from_template_to_scores(submit: Callable[..., tuple[int, str, str]], organiser: Path) -> None:
    secrets = ("--secrets", str(organiser / "secrets.json"))
    team = ("--team", "ទីម", "--model", "fixed")
    code, out, err = submit("template", "--out", "r.jsonl", *team)
    assert (code, out, err) == (0, "r.jsonl: phase recognition, 112 rows, 112 of them empty\n", "")
    answered("r.jsonl", read_lines("r.jsonl"))
    assert submit("check", "r.jsonl") == (
        0,
        "r.jsonl: complete: phase recognition, 112 rows, modes reset, carry, feedback\n",
        "",
    )
    code, out, err = submit("score", "r.jsonl", *secrets, "--phase", "recognition")
    result = json.loads(out)
    assert (code, err, result["team"], result["policy"]["step"]) == (0, "", "ទីម", 0.1)
    code, text, _ = submit("score", "r.jsonl", *secrets, "--phase", "recognition", "--json", "r.json")
    assert json.loads(Path("r.json").read_text()) == result
    assert text.splitlines()[0].split() == ["s1_accuracy", "s2_accuracy"]
    assert {line.split()[0] for line in text.splitlines()[1:]} >= {
        "reset",
        "feedback",
        "chance",
        "one-to-one",
    }

    assert submit("template", "--out", "l.jsonl", built="localization")[0] == 0
    answered("l.jsonl", read_lines("l.jsonl"))
    beside = ("--recognition", "r.jsonl")
    code, out, _ = submit(
        "score", "l.jsonl", *secrets, "--phase", "localization", *beside, built="localization"
    )
    assert code == 0
    assert set(json.loads(out)["scores"]["carry"]) == {"s1_accuracy", "s2_accuracy", "s3_miou", "joint"}
    code, out, _ = submit("score", "l.jsonl", *secrets, "--phase", "concluded", *beside, built="localization")
    assert len(json.loads(out)["items"]["feedback"]) == 48
    code, out, _ = submit("score", "r.jsonl", *secrets, "--phase", "concluded", built="localization")
    assert len(json.loads(out)["items"]["feedback"]) == 32


def test_development_needs_no_secrets(submit: Callable[..., tuple[int, str, str]]) -> None:
    submit("template", "--out", "d.jsonl", "--phase", "development", "--mode", "carry")
    answered("d.jsonl", read_lines("d.jsonl"))
    code, out, _ = submit("score", "d.jsonl", "--phase", "development")
    assert code == 0
    assert list(json.loads(out)["results"]) == ["carry"]


def test_a_policy_file_is_kept_to(submit: Callable[..., tuple[int, str, str]], organiser: Path) -> None:
    submit("template", "--out", "r.jsonl", "--mode", "reset")
    Path("policy.json").write_text('{"shown": ["s2_accuracy"], "step": null}')
    common = ("--secrets", str(organiser / "secrets.json"), "--phase", "recognition")
    _, out, _ = submit("score", "r.jsonl", *common, "--policy", "policy.json")
    assert list(json.loads(out)["scores"]["reset"]) == ["s2_accuracy"]
    Path("policy.json").write_text('{"step": 7}')
    assert submit("score", "r.jsonl", *common, "--policy", "policy.json")[0] == 1


def test_warnings_and_flags_are_told_to_participants(submit: Callable[..., tuple[int, str, str]]) -> None:
    submit("template", "--out", "r.jsonl")
    code, _, err = submit("check", "r.jsonl")
    assert code == 0
    assert err.splitlines() == [
        "cmb: warning: r.jsonl: 112 empty answers, scored 0: line 2, 3, 4, 5, 6, …",
        "cmb: warning: r.jsonl: flag: s2, feedback: no answer differs over truth: "
        "the truth was not shown, or not looked at",
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "r.jsonl", "--phase", "recognition"],
        ["score", "r.jsonl", "--phase", "localization", "--secrets", "s.json"],
        ["score", "r.jsonl", "--phase", "recognition", "--secrets", "s.json", "--recognition", "r.jsonl"],
        ["score", "r.jsonl", "--phase", "other", "--secrets", "s.json"],
        ["check"],
        [],
    ],
)
def test_wrong_usage_is_exit_2(arguments: list[str], submit: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = submit(*arguments)
    assert (code, out) == (2, "")
    assert "usage: cmb submit" in err


def test_bad_input_is_exit_1_and_leaves_nothing(
    submit: Callable[..., tuple[int, str, str]], organiser: Path
) -> None:
    write("bad.jsonl", [{"item_id": "x", "mode": "reset", "choice": 1}])
    secrets = ("--secrets", str(organiser / "secrets.json"))
    before = sorted(Path().iterdir())
    for arguments, words in (
        (("check", "missing.jsonl"), "missing.jsonl: there is no such file"),
        (("check", "bad.jsonl"), "the dataset has no such item"),
        (("check", "bad.jsonl", "--phase", "localization"), "built for an earlier phase"),
        (("score", "bad.jsonl", *secrets, "--phase", "recognition", "--json", "x.json"), "no such item"),
        (("template", "--out", "t.jsonl", "--team", "<b>"), "--team: "),
        (("template", "--out", "t.jsonl", "--run", "missing"), "there is no such file"),
    ):
        code, out, err = submit(*arguments)
        assert (code, out) == (1, ""), arguments
        assert words in err
        assert "Traceback" not in err
    assert sorted(Path().iterdir()) == before


def spied(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SPY, "submit", "score", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_secrets_are_opened_only_after_the_file_is_valid(
    submit: Callable[..., tuple[int, str, str]], organiser: Path, tmp_path: Path
) -> None:
    """A fault is told in the same words with the right secrets, with others and with none at all."""
    submit("template", "--out", "good.jsonl")
    good = read_lines("good.jsonl")
    write("bad.jsonl", [*good[:-1], good[-1] | {"choice": "B"}])
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secrets.json").write_text("not even JSON")
    ways = {
        "right": organiser / "secrets.json",
        "wrong": tmp_path / "other" / "secrets.json",
        "none": tmp_path / "none" / "secrets.json",
    }
    common = ("--dataset", str(organiser / "recognition"), "--phase", "recognition")
    bad = {way: spied(tmp_path, "bad.jsonl", *common, "--secrets", str(path)) for way, path in ways.items()}
    assert {(done.returncode, done.stdout, done.stderr) for done in bad.values()} == {
        (1, "", bad["none"].stderr)
    }
    assert "the secrets were opened" not in bad["right"].stderr
    assert bad["right"].stderr.startswith('cmb: bad.jsonl: line 113: choice: "B"')
    right = spied(tmp_path, "good.jsonl", *common, "--secrets", str(ways["right"]))
    assert right.returncode == 0
    assert "the secrets were opened" in right.stderr
    wrong = spied(tmp_path, "good.jsonl", *common, "--secrets", str(ways["wrong"]))
    assert (wrong.returncode, wrong.stdout) == (1, "")


def test_participants_commands_never_open_secrets(
    organiser: Path, tmp_path: Path, submit: Callable[..., tuple[int, str, str]]
) -> None:
    submit("template", "--out", "good.jsonl")
    command = [sys.executable, "-c", SPY, "submit", "check", "good.jsonl"]
    done = subprocess.run(
        [*command, "--dataset", str(organiser / "recognition")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "the secrets were opened" not in done.stderr


@pytest.mark.parametrize("job", ["template", "check", "score"])
def test_each_job_has_an_example(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main(["submit", job, "--help"])
    assert f"example:\n  cmb submit {job} " in capsys.readouterr().out


def test_what_participants_run_does_not_import_what_reads_keys() -> None:
    code = (
        "import sys; from cmb_harness.shared_task import asked, flags, reading, submission, template; "
        "print(*(name for name in sys.modules if name.endswith(('key_table', 'scoring'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
