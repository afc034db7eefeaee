"""Hostile and honest submissions against ``cmb submit score``, each in a process of its own.

Hostile: every file must end with exit code 1, its own fault, nothing on stdout, no result file, no traceback, in under
a minute and under 1 GB. Honest: files scored side by side must give, byte for byte, what each gives alone.

    python scripts/attack_submissions.py --dataset cmb --secrets example/secrets.json --hostile 1000 --honest 200
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from hostile_files import KINDS, plain
from tqdm import tqdm

from cmb_harness.dataset import read_dataset
from cmb_harness.shared_task.asked import Asked, asked_in
from cmb_harness.shared_task.template import template_lines

SECONDS = 60
BYTES = 10**9


@dataclass(frozen=True)
class Outcome:
    """How one process ended."""

    code: int
    out: bytes
    err: str
    elapsed_s: float
    cpu_s: float
    peak_bytes: int


@dataclass(frozen=True)
class Server:
    """What an organiser's scorer is given with each file."""

    dataset: Path
    secrets: Path

    def score(self, file: Path, result: Path) -> Outcome:
        """``cmb submit score`` on one file, in a process of its own."""
        command = [
            *(sys.executable, "-m", "cmb_harness.cli", "submit", "score", str(file)),
            *("--dataset", str(self.dataset), "--secrets", str(self.secrets)),
            *("--phase", "recognition", "--json", str(result)),
        ]
        return run_measured(command)


# A process inherits the largest size that the one which started it ever had: a small one starts what is measured.
_STARTER = """
import json, os, sys
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w") as file:
    json.dump([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss], file)
"""


def run_measured(command: Sequence[str]) -> Outcome:
    """Run a command to its end; it is killed after twice the time that it may take.

    Args:
        command: the program's full path, and its arguments.
    """
    with tempfile.TemporaryDirectory() as folder:
        out, err, usage = (Path(folder, name) for name in ("out", "err", "usage"))
        started = time.monotonic()
        with out.open("wb") as to_out, err.open("wb") as to_err:
            process = subprocess.Popen(
                [sys.executable, "-S", "-c", _STARTER, str(usage), *command],
                stdout=to_out,
                stderr=to_err,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                process.wait(2 * SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        elapsed_s = time.monotonic() - started
        code, cpu_s, peak = -signal.SIGKILL, elapsed_s, 0
        if usage.exists():
            code, cpu_s, peak = json.loads(usage.read_text())
        peak_bytes = peak * (1 if sys.platform == "darwin" else 1024)
        text = err.read_text(errors="replace")
        return Outcome(code, out.read_bytes(), text, elapsed_s, cpu_s, peak_bytes)


def honest_lines(asked: Asked, generator: Random, team: str) -> list[dict[str, Any]]:
    """A complete file with answers at random, some of them empty."""
    rows = list(template_lines(asked))[1:]
    for row in rows:
        if generator.random() > 0.05:
            row["choice"] = generator.randrange(4)
    return [{"header": {"team": team, "model": "random"}}, *rows]


def complaints(kind: str, outcome: Outcome, result: Path) -> list[str]:
    """What is wrong with how a hostile file was dealt with."""
    expected = {
        f"exit code {outcome.code}": outcome.code == 1,
        "something on stdout": not outcome.out,
        "a result file": not result.exists(),
        "a traceback": "Traceback" not in outcome.err,
        f"another fault: {outcome.err[:200]!r}": KINDS[kind].fault in outcome.err,
        f"{outcome.elapsed_s:.0f} s": outcome.elapsed_s < SECONDS,
        f"{outcome.peak_bytes // 10**6} MB": outcome.peak_bytes < BYTES,
    }
    return [f"{kind}: {what}" for what, kept in expected.items() if not kept]


def attack(server: Server, asked: Asked, count: int, jobs: int, seed: int, folder: Path) -> list[str]:
    """Send ``count`` hostile files, every kind in turn; print the costs and return the complaints."""
    kinds = list(KINDS)

    def one(number: int) -> tuple[str, Outcome, list[str]]:
        generator = Random(f"{seed}/{number}")
        kind = kinds[number % len(kinds)]
        file, result = folder / f"hostile-{number}", folder / f"hostile-{number}.json"
        file.write_bytes(KINDS[kind].build(generator, honest_lines(asked, generator, "Team")))
        outcome = server.score(file, result)
        file.unlink()
        return kind, outcome, complaints(kind, outcome, result)

    done = list(in_parallel(one, range(count), jobs, "hostile"))
    slowest = max(done, key=lambda entry: entry[1].elapsed_s)
    dearest = max(done, key=lambda entry: entry[1].cpu_s)
    largest = max(done, key=lambda entry: entry[1].peak_bytes)
    refused = sum(not found for _, _, found in done)
    print(f"hostile: {refused} of {count} files of {len(kinds)} kinds refused as expected")
    print(f"slowest: {slowest[1].elapsed_s:.1f} s ({slowest[0]}), with {jobs} at a time")
    print(f"most processor time: {dearest[1].cpu_s:.1f} s ({dearest[0]})")
    print(f"largest: {largest[1].peak_bytes / 1e6:.0f} MB ({largest[0]})")
    return [complaint for _, _, found in done for complaint in found]


def score_honest(server: Server, asked: Asked, count: int, jobs: int, seed: int, folder: Path) -> list[str]:
    """Score ``count`` honest files one by one and then side by side; return those whose results differ."""
    files = []
    for number in range(count):
        files.append(folder / f"honest-{number}.jsonl")
        files[-1].write_bytes(plain(honest_lines(asked, Random(f"{seed}/honest/{number}"), f"Team {number}")))

    def one(way: str) -> Callable[[Path], tuple[int, bytes, bytes]]:
        def score(file: Path) -> tuple[int, bytes, bytes]:
            result = file.with_suffix(f".{way}.json")
            outcome = server.score(file, result)
            return outcome.code, outcome.out, result.read_bytes() if result.exists() else b""

        return score

    alone = list(in_parallel(one("alone"), files, 1, "honest, one by one"))
    together = list(in_parallel(one("together"), files, max(2, jobs), "honest, side by side"))
    different = [file.name for file, a, b in zip(files, alone, together, strict=True) if a != b or a[0] != 0]
    teams = {json.loads(result)["team"] for _, _, result in together if result}
    print(f"honest: {count - len(different)} of {count} scored alike alone and {max(2, jobs)} at a time")
    return different + ([] if len(teams) == count else ["results of different teams were mixed up"])


def in_parallel(
    function: Callable[[Any], Any], arguments: Iterable[Any], jobs: int, what: str
) -> Iterable[Any]:
    """Results in the order of the arguments, ``jobs`` at a time; threads, since the function waits for a process."""
    every = list(arguments)
    with ThreadPoolExecutor(jobs) as pool:
        yield from tqdm(pool.map(function, every), total=len(every), desc=what)


def main() -> int:
    """Send the files, print the costs; exit 1 if one was dealt with wrongly."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dataset", required=True, type=Path, help="built for the phase recognition")
    parser.add_argument("--secrets", required=True, type=Path)
    parser.add_argument("--hostile", type=int, default=1000)
    parser.add_argument("--honest", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    server = Server(arguments.dataset, arguments.secrets)
    asked = asked_in("recognition", read_dataset(arguments.dataset).rows)
    with tempfile.TemporaryDirectory() as name:
        common = (arguments.jobs, arguments.seed, Path(name))
        found = attack(server, asked, arguments.hostile, *common) if arguments.hostile else []
        found += score_honest(server, asked, arguments.honest, *common) if arguments.honest else []
    for complaint in found:
        print(complaint)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
