"""The manifest of a run: what answered, what it was asked, with which versions, by which commands."""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.files import read_json, write_json

MANIFEST_NAME = "manifest.json"
LIBRARIES = ("av", "numpy", "datasets", "openai", "google-genai")


def read_manifest(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """The manifest of a run folder; an empty dict where there is none.

    Raises:
        InputError: it is no JSON object.
    """
    path = Path(folder) / MANIFEST_NAME
    if not path.exists():
        return {}
    manifest = read_json(path)
    if not isinstance(manifest, dict):
        raise InputError(f"{path}: expected a JSON object")
    return manifest


class Session:
    """One call of ``cmb run``, as the manifest keeps it.

    Args:
        folder: the run folder; its earlier sessions are kept.
        facts: what the manifest says at its top: model, settings, prompts, plan, dataset.
    """

    def __init__(self, folder: Path, facts: Mapping[str, Any]):
        earlier = read_manifest(folder).get("sessions")
        self._folder = folder
        self._facts = dict(facts)
        self._earlier = earlier if isinstance(earlier, list) else []
        self._began = time.time()
        self._environment = {
            "command": sys.argv[1:],
            "started_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._began)),
            "versions": versions(),
            "commit": commit(),
        }

    def write(self, done: Mapping[str, Any], usage: Mapping[str, int]) -> None:
        """Write the manifest: ``done`` is what this session did so far, ``usage`` what all answers took."""
        session = {
            **self._environment,
            "plan": self._facts.get("plan"),
            "elapsed_s": round(time.time() - self._began, 1),
            **done,
        }
        manifest = {**self._facts, **session, "usage": dict(usage), "sessions": [*self._earlier, session]}
        write_json(self._folder / MANIFEST_NAME, manifest)


def total_usage(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The sums of what the answers' vendors counted, and of the answers' own seconds."""
    totals: dict[str, int] = {}
    for row in rows:
        for name, count in (row.get("usage") or {}).items():
            if isinstance(count, int):
                totals[name] = totals.get(name, 0) + count
    return totals


def versions() -> dict[str, str]:
    """The versions of Python, of this package and of the libraries that an answer can depend on."""
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for name in ("cmb-benchmark", *LIBRARIES):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def commit() -> dict[str, Any] | None:
    """The commit that the code was run from and whether files differ from it; None outside a git checkout."""
    source = Path(__file__).resolve().parent.parent
    if not (source / ".git").exists():
        return None
    try:
        sha = _git(source, "rev-parse", "HEAD")
        return {
            "sha": sha.strip(),
            "dirty": bool(_git(source, "status", "--porcelain", "--untracked-files=no")),
        }
    except (OSError, subprocess.SubprocessError):
        return None


def _git(source: Path, *arguments: str) -> str:
    command = ["git", "-C", str(source), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout
