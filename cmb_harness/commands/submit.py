"""``cmb submit``: the shared task on the hidden test, from both sides."""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cmb_harness.faults import InputError

if TYPE_CHECKING:
    from cmb_harness.dataset import Dataset
    from cmb_harness.shared_task.asked import Asked
    from cmb_harness.shared_task.policy import Policy
    from cmb_harness.shared_task.submission import Submission

HELP = "the hidden test: template and check of a submission (participants), score (organisers)"
EXAMPLE = "cmb submit template --dataset cmb --out submission.jsonl"
PHASES = ("development", "recognition", "localization")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb submit`` and of its three jobs."""
    jobs = parser.add_subparsers(dest="job", metavar="JOB", required=True)
    _add_template(
        _add_job(
            jobs, "template", "write the rows of a complete submission, empty or filled from a run", EXAMPLE
        )
    )
    check = "cmb submit check submission.jsonl --dataset cmb"
    _add_check(_add_job(jobs, "check", "say all that is wrong with a submission; needs no labels", check))
    score = (
        "cmb submit score submission.jsonl --dataset cmb --secrets example/secrets.json --phase recognition"
    )
    _add_score(_add_job(jobs, "score", "check a submission, then score it as the phase allows", score))


def _add_job(jobs: Any, name: str, text: str, example: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = jobs.add_parser(
        name,
        help=text,
        description=text,
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--dataset", required=True, metavar="DIR", help="the folder that cmb build wrote")
    return parser


def _add_template(parser: argparse.ArgumentParser) -> None:
    from cmb_harness.predictions import MODES

    parser.add_argument("--out", required=True, metavar="FILE", help="the submission, JSON Lines")
    parser.add_argument("--phase", choices=PHASES, help="whose items (default: the dataset's latest)")
    parser.add_argument(
        "--mode", action="append", choices=MODES, help="this mode only (may be repeated; default: all)"
    )
    # Not arguments.run, which is the command's own function.
    parser.add_argument(
        "--run", dest="answers", metavar="RUN", help="fill in the answers of this run folder or file"
    )
    parser.add_argument("--team", metavar="NAME", help="for the header")
    parser.add_argument("--model", metavar="NAME", help="for the header")


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="JSON Lines, plain or with gzip")
    parser.add_argument("--phase", choices=PHASES, help="whose items (default: the dataset's latest)")


def _add_score(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="JSON Lines, plain or with gzip")
    parser.add_argument("--phase", required=True, choices=(*PHASES, "concluded"), help="the phase that it is")
    parser.add_argument("--secrets", metavar="FILE", help="the key table; all phases but development need it")
    parser.add_argument(
        "--recognition",
        type=Path,
        metavar="FILE",
        help="the team's accepted recognition file, beside a localization file",
    )
    parser.add_argument("--policy", metavar="FILE", help="what is shown; see docs/shared-task.md")
    parser.add_argument("--json", metavar="FILE", help="write the result here and print its totals alone")
    parser.set_defaults(usage_error=parser.error)


def run(arguments: argparse.Namespace) -> int:
    """Do one of the three jobs."""
    return {"template": _template, "check": _check, "score": _score}[arguments.job](arguments)


def _template(arguments: argparse.Namespace) -> int:
    from cmb_harness.files import write_json_lines
    from cmb_harness.predictions import MODES, read_predictions
    from cmb_harness.shared_task.submission import header_faults
    from cmb_harness.shared_task.template import answers_of, template_lines

    _, asked = _read_asked(arguments)
    modes = [mode for mode in MODES if mode in (arguments.mode or MODES)]
    answers = answers_of(read_predictions(arguments.answers).rows) if arguments.answers else {}
    header, *rows = template_lines(asked, modes, answers)
    header["header"].update(team=arguments.team, model=arguments.model)
    faults = header_faults(header["header"])
    if faults:
        raise InputError([f"--{fault}" for fault in faults])
    write_json_lines(arguments.out, [header, *rows])
    empty = sum(row.get("choice", row.get("span")) is None for row in rows)
    print(f"{arguments.out}: phase {asked.phase}, {len(rows)} rows, {empty} of them empty")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from cmb_harness.shared_task.flags import truth_ignored
    from cmb_harness.shared_task.reading import read_bytes
    from cmb_harness.shared_task.submission import check_submission

    _, asked = _read_asked(arguments)
    submission = check_submission(read_bytes(arguments.file), asked, arguments.file)
    _warn(submission.warnings)
    _warn(f"{arguments.file}: {describe_flag(flag)}" for flag in truth_ignored(submission, asked))
    modes = ", ".join(submission.modes)
    print(f"{arguments.file}: complete: phase {asked.phase}, {len(submission.rows)} rows, modes {modes}")
    return 0


def _score(arguments: argparse.Namespace) -> int:
    from cmb_harness.files import write_json
    from cmb_harness.shared_task.scoring import score_submission
    from cmb_harness.shared_task.submission import check_together

    phase = file_phase(arguments)
    dataset, asked = _read_asked(argparse.Namespace(dataset=arguments.dataset, phase=phase))
    policy = _policy(arguments, asked)
    submission = _checked(arguments.file, asked)
    recognition = None
    if phase == "localization":
        recognition = _checked(arguments.recognition, _asked_in("recognition", dataset))
        check_together(submission, recognition)
    result = score_submission(
        submission,
        asked,
        # Not before this line: whatever was wrong until here was told without them.
        _references(arguments, dataset),
        policy,
        recognition=recognition,
        dataset=f"{dataset.version}+{dataset.sha256[:12]}",
    )
    if arguments.json:
        write_json(arguments.json, result)
        sys.stdout.write(describe(result))
    else:
        sys.stdout.write(json.dumps(result, indent=2, allow_nan=False) + "\n")
    return 0


def file_phase(arguments: argparse.Namespace) -> str:
    """The phase that the file is of: after the close, that of a localization file if a recognition file is beside it.

    Wrong combinations end the program as wrong usage (exit 2).
    """
    phase: str = arguments.phase
    if phase == "concluded":
        phase = "localization" if arguments.recognition else "recognition"
    if phase == "localization" and not arguments.recognition:
        arguments.usage_error("phase localization needs --recognition, the team's accepted file of S1 and S2")
    if phase != "localization" and arguments.recognition:
        arguments.usage_error(f"phase {phase}: --recognition goes with a localization file")
    if phase != "development" and not arguments.secrets:
        arguments.usage_error(f"phase {phase} needs --secrets")
    return phase


def describe(result: Mapping[str, Any]) -> str:
    """The totals of a result, its baselines and its flags, as lines of text."""
    names = list(dict.fromkeys(name for scores in result["scores"].values() for name in scores))
    lines = [_cells(["", *names])]
    for mode, scores in result["scores"].items():
        lines.append(_cells([mode, *(_number(scores.get(name, {}).get("value")) for name in names)]))
    for name, totals in result["baselines"].items():
        lines.append(_cells([name, *(_number(totals.get(total)) for total in names)]))
    lines += [describe_flag(flag) for flag in result["flags"]]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def describe_flag(flag: Mapping[str, Any]) -> str:
    """A flag as one line."""
    where = f"{flag['stage']}, {flag['mode']}"
    if flag["flag"] == "truth-ignored":
        return f"flag: {where}: no answer differs over truth: the truth was not shown, or not looked at"
    return (
        f"flag: {where}: {flag['different_options']} different options in {flag['answered']} answers, "
        f"an honest solver has at most {flag['honest_at_most']}: answered one to one"
    )


def _cells(cells: list[str]) -> str:
    return f"{cells[0]:<26}" + "".join(f"{cell:>13}" for cell in cells[1:])


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}".rstrip("0").rstrip(".")


def _read_asked(arguments: argparse.Namespace) -> "tuple[Dataset, Asked]":
    from cmb_harness.dataset import read_dataset
    from cmb_harness.shared_task.asked import phase_of

    dataset = read_dataset(arguments.dataset)
    return dataset, _asked_in(arguments.phase or phase_of(dataset.rows), dataset)


def _asked_in(phase: str, dataset: "Dataset") -> "Asked":
    from cmb_harness.shared_task.asked import asked_in

    return asked_in(phase, dataset.rows)


def _checked(path: Path, asked: "Asked") -> "Submission":
    from cmb_harness.shared_task.reading import read_bytes
    from cmb_harness.shared_task.submission import check_submission

    submission = check_submission(read_bytes(path), asked, path)
    _warn(submission.warnings)
    return submission


def _policy(arguments: argparse.Namespace, asked: "Asked") -> "Policy":
    from cmb_harness.shared_task.policy import CLOSED, open_policy, read_policy

    n_concepts = len(asked.rows["s1"])
    if arguments.policy:
        return read_policy(arguments.policy, n_concepts)
    # The keys of development are public, and after the close all keys are.
    return CLOSED if arguments.phase in ("development", "concluded") else open_policy(n_concepts)


def _references(arguments: argparse.Namespace, dataset: "Dataset") -> list[Any]:
    from cmb_harness.shared_task.key_table import read_secrets
    from cmb_metric import references

    if arguments.phase != "development":
        return read_secrets(arguments.secrets)
    parts = (rows["train"] for stage, rows in dataset.rows.items() if stage in ("s1", "s2", "s3"))
    return [row for part in parts for row in references(part)]


def _warn(lines: Iterable[str]) -> None:
    for line in lines:
        print(f"cmb: warning: {line}", file=sys.stderr)
