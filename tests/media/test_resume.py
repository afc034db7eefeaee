"""``cmb fetch`` killed at any moment goes on, and ends where an undisturbed run ends."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mirror import Mirror
from release import OPTIONS

from cmb_harness.media.manifest import Manifest


def command(template: str, cache: str) -> list[str]:
    program = Path(sys.executable).parent / "cmb"
    places = ("--cache", cache, "--url-template", template)
    return [str(program), "fetch", "records.json", *places, "--jobs", "2", "--tries", "2", "--backoff", "0.1"]


def end_state(cache: Path) -> tuple[dict[str, dict], dict[str, bytes]]:
    """What a run leaves, apart from times of day: the last rows, and every file's bytes."""
    passing = {"fetched_at", "mtime_ns", "attempts"}
    rows = {
        name: {key: value for key, value in row.items() if key not in passing}
        for name, row in Manifest(cache).rows.items()
    }
    logs = {"manifest.jsonl", "fetch.lock"}
    files = {
        str(path.relative_to(cache)): path.read_bytes()
        for path in sorted(cache.rglob("*"))
        if path.is_file() and path.name not in logs
    }
    files["manifest.parquet"] = b"" if "manifest.parquet" in files else b"missing"
    return rows, files


def run_to_the_end(folder: Path, template: str, cache: str) -> None:
    done = subprocess.run(command(template, cache), cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def check_kills(folder: Path, release, kills: int, seed: int) -> None:
    names = [f"pair{k}" for k in range(6)]
    release(names)
    with Mirror(folder / "mirror") as mirror:
        mirror.manners = {**dict.fromkeys(OPTIONS, "slow"), "pair1______": "gone", "pair2______": "truncated"}
        run_to_the_end(folder, mirror.template, "undisturbed")
        moments = random.Random(seed)
        killed = 0
        for _ in range(kills):
            process = subprocess.Popen(
                command(mirror.template, "killed"),
                cwd=folder,
                stderr=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
            time.sleep(moments.uniform(0.4, 3.0))
            os.kill(process.pid, signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
            if moments.random() < 0.5 and (folder / "killed/manifest.jsonl").exists():
                # The disk may lose the end of what a killed machine wrote last.
                with open(folder / "killed/manifest.jsonl", "ab") as manifest:
                    manifest.write(b'{"id": "pair0______", "sta')
        assert killed
        run_to_the_end(folder, mirror.template, "killed")
    rows, files = end_state(folder / "undisturbed")
    rows_again, files_again = end_state(folder / "killed")
    assert rows_again == rows
    assert list(files_again) == list(files)
    assert files_again == files


def test_killed_twice_it_ends_like_an_undisturbed_run(tmp_path, release):
    check_kills(tmp_path, release, kills=2, seed=3)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_killed_ten_times_it_ends_like_an_undisturbed_run(tmp_path, release, seed):
    check_kills(tmp_path, release, kills=10, seed=seed)


def test_ctrl_c_stops_soon_and_says_that_it_goes_on(tmp_path, release):
    release([f"pair{k}" for k in range(20)])
    with Mirror(tmp_path / "mirror") as mirror:
        mirror.manners = {f"pair{k}"[:11].ljust(11, "_"): "slow" for k in range(20)}
        process = subprocess.Popen(
            command(mirror.template, "cache"),
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        while not mirror.requests:
            time.sleep(0.05)
        time.sleep(0.3)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "Traceback" not in said
        assert "the same command goes on from here" in said
        assert time.monotonic() - begin < 20
        run_to_the_end(tmp_path, mirror.template, "cache")
    assert {row["state"] for row in Manifest(tmp_path / "cache").rows.values()} == {"ok"}
    assert len(Manifest(tmp_path / "cache").rows) == 24
