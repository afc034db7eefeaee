"""What a user installs works away from this repository."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def installed_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's files alone, built from the tracked files."""
    folder = tmp_path_factory.mktemp("wheel")
    tracked = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    for name in tracked.stdout.splitlines():
        target = folder / "source" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (REPOSITORY / name).exists():
            shutil.copy2(REPOSITORY / name, target)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    wheel = [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder / "dist", folder / "source"]
    subprocess.run(wheel, check=True, capture_output=True)
    (file,) = (folder / "dist").glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", folder / "site", file], check=True)
    return folder / "site"


def test_the_wheel_does_the_main_job_from_an_empty_directory(
    installed_wheel: Path, tmp_path: Path, run_block: Command
) -> None:
    code = f"""
        export PYTHONPATH={installed_wheel} HOME={tmp_path}
        cmb() {{ {sys.executable} -m cmb_harness.cli "$@"; }}
        cmb example example --no-videos
        cmb build example/records.json --out cmb --split example/split.json --secrets example/secrets.json
        cmb run --dataset cmb --model always-a --mode reset --stage s1 --out run
        cmb score run --dataset cmb --mode reset
        cmb region check
        {sys.executable} -c "
import cmb_dataset, cmb_harness, cmb_metric, evaluate
from datasets import load_dataset
assert all(module.__file__.startswith('{installed_wheel}') for module in (cmb_dataset, cmb_harness, cmb_metric))
references = cmb_metric.references(load_dataset('cmb', 's1'))
result = evaluate.load(cmb_metric.path()).compute(
    predictions=[{{'item_id': row['item_id'], 'choice': 0, 'span': []}} for row in references],
    references=references, mode='reset', n_resamples=100)
print(result['signature'])"
    """
    completed = run_block("bash", code, cwd=tmp_path)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert "resamples:100" in completed.stdout.splitlines()[-1]


@pytest.mark.thorough
def test_the_two_commands_in_a_fresh_clone_with_an_empty_home(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", REPOSITORY, clone], check=True)
    environment = {
        "HOME": str(tmp_path / "home"),
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "CMB_PYTHON": sys.executable,
    }
    (tmp_path / "home").mkdir()
    for attempt in ("first", "again"):
        shown = subprocess.run(
            ["bash", "scripts/quickstart.sh"], cwd=clone, env=environment, capture_output=True, text=True
        )
        assert shown.returncode == 0, f"{attempt}: {shown.stderr}"
        assert "signal-reader" in shown.stdout
    again = shown.stdout
    assert "0 items answered" in again
