"""What all tests share: an offline home, ``--thorough``, and one workspace with the example release in it."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

REPOSITORY = Path(__file__).resolve().parent.parent

# What tests share is modules beside them, which are no package.
sys.path.insert(0, str(REPOSITORY / "tests"))

# Nothing in the tests may reach the Hub, and nothing may be served from the developer's own caches.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_OFFLINE"] = "1"
os.environ["HF_UPDATE_DOWNLOAD_COUNTS"] = "FALSE"

# A loaded machine is no fault of the code; CI draws the same examples every time, --thorough draws more and others.
COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=50, derandomize=True, **COMMON)
settings.register_profile("thorough", max_examples=1000, **COMMON)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="also run what takes long")


def pytest_configure(config: pytest.Config) -> None:
    # A shell's background jobs, and all that they start, are deaf to Ctrl-C, which some tests press.
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.load_profile("thorough" if config.getoption("--thorough") else "quick")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--thorough"):
        thorough = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=thorough)
        items[:] = [item for item in items if item not in thorough]


def run_command(
    *command: str | os.PathLike[str], cwd: Path, check: bool = True, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command as a user would; the ``cmb`` is that of this interpreter's environment."""
    scripts = Path(sys.executable).parent
    path = f"{scripts}{os.pathsep}{os.environ['PATH']}"
    completed = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=600,
    )
    if check and completed.returncode:
        raise AssertionError(
            f"{command}: exit {completed.returncode}\n{completed.stdout}\n{completed.stderr}"
        )
    return completed


@pytest.fixture(scope="session", autouse=True)
def offline_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty home for every cache that a library keeps."""
    home = tmp_path_factory.mktemp("home")
    os.environ["HOME"] = str(home)
    os.environ["HF_HOME"] = str(home / "huggingface")
    os.environ["XDG_CACHE_HOME"] = str(home / "cache")
    return home


@pytest.fixture(scope="session")
def example_workspace(tmp_path_factory: pytest.TempPathFactory, offline_home: Path) -> Path:
    """The folder that the docs' commands start from; read-only: take `workspace` to write in it.

    ``example/`` (cmb example), ``cmb/`` (cmb build, with the split), ``cache/`` (cmb fetch: videos and clips) and
    ``runs/`` with the baselines chance and signal-reader, and ``runs/conditional`` (chance under every truth). Made
    once for all test processes.
    """
    shared = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        shared = shared.parent
    folder = shared / "example-workspace"
    with FileLock(shared / "example-workspace.lock"):
        if not (folder / "done").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            _fill_workspace(folder)
            (folder / "done").touch()
    return folder


@pytest.fixture
def workspace(example_workspace: Path, tmp_path: Path) -> Path:
    """A copy of the example workspace that a test may change (big files are hard links)."""
    target = tmp_path / "workspace"
    shutil.copytree(example_workspace, target, copy_function=_link_or_copy)
    return target


@pytest.fixture(scope="session")
def cmb() -> Callable[..., subprocess.CompletedProcess[str]]:
    """``cmb("score", …, cwd=folder)``: the installed command, in a process of its own."""

    def call(*arguments: str | os.PathLike[str], **options: object) -> subprocess.CompletedProcess[str]:
        return run_command("cmb", *arguments, **options)  # type: ignore[arg-type]

    return call


@pytest.fixture(scope="session")
def run_block() -> Callable[..., subprocess.CompletedProcess[str]]:
    """``run_block("bash" | "python", text, cwd=folder)``: a block of a page; the exit code is the caller's to check."""

    def call(language: str, text: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        program = ("bash", "-euc", text) if language == "bash" else ("python", "-c", text)
        return run_command(*program, cwd=cwd, check=False)

    return call


def _fill_workspace(folder: Path) -> None:
    files = ("--split", "example/split.json", "--secrets", "example/secrets.json", "--phase", "recognition")
    run_command("cmb", "example", "example", cwd=folder)
    run_command("cmb", "build", "example/records.json", "--out", "cmb", *files, cwd=folder)
    run_command("cmb", "fetch", "cmb", "--cache", "cache", "--video-dir", "example/videos", cwd=folder)
    for model in ("chance", "signal-reader"):
        common = ("--dataset", "cmb", "--mode", "reset", "--cache", "cache")
        run_command("cmb", "run", *common, "--model", model, "--out", f"runs/{model}", cwd=folder)
    supposing = ("--mode", "feedback", "--truth", "all", "--out", "runs/conditional")
    run_command("cmb", "run", "--dataset", "cmb", "--model", "chance", *supposing, cwd=folder)


def _link_or_copy(source: str, target: str) -> None:
    # Videos and clips are only ever replaced, never written in place; everything else is copied.
    if source.endswith(".mp4"):
        os.link(source, target)
    else:
        shutil.copy2(source, target)
