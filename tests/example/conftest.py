"""The example release, written once for all tests that only read it."""

import os
from pathlib import Path

import pytest
from filelock import FileLock

from cmb_harness.example import write_example


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the whole example; read-only."""
    shared = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        shared = shared.parent
    with FileLock(shared / "example-release.lock"):
        write_example(shared / "example-release")
    return shared / "example-release"
