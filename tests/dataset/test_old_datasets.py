"""`datasets` 3.6, the last that runs loading scripts: the folder loads, and the file works as a script."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cmb_dataset
from cmb_dataset import CONFIGS, Record, stage_rows
from cmb_harness.dataset import build_dataset, write_dataset

Row = dict[str, Any]

LOAD = """
import json, sys, datasets
assert datasets.__version__.startswith("3.6."), datasets.__version__
datasets.disable_progress_bars()
shown = {}
for config in sys.argv[2:]:
    if sys.argv[1] == "folder":
        loaded = datasets.load_dataset("cmb", config)
    else:
        # load_dataset() has a `split` of its own, so the builder is asked.
        options = {"records": "records.json", "split": "split.json", "secrets": "secrets.json"}
        builder = datasets.load_dataset_builder(sys.argv[1], config, trust_remote_code=True, **options)
        builder.download_and_prepare()
        loaded = builder.as_dataset()
    shown[config] = {name: part.to_list() for name, part in loaded.items()}
print(json.dumps(shown))
"""


@pytest.fixture(scope="module")
def old_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "datasets==3.6.*"], check=True)
    return python


@pytest.mark.thorough
def test_folder_and_script_give_the_same_rows_as_ever(
    old_python: Path,
    records: list[Record],
    split: Row,
    secrets: Row,
    tmp_path: Path,
    write_json: Callable[[str, Any], Path],
) -> None:
    write_json("split.json", split)
    write_json("secrets.json", secrets)
    write_dataset(build_dataset(records, split=split, secrets=secrets), tmp_path / "cmb")
    made = {config: stage_rows(records, config, split, secrets) for config in CONFIGS}
    expected = {
        config: {name: rows for name, rows in parts.items() if rows} for config, parts in made.items()
    }
    script = tmp_path / "script" / "cmb_dataset.py"
    script.parent.mkdir()
    script.write_bytes(Path(cmb_dataset.__file__).read_bytes())
    environment = {"HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "1", "PATH": "/usr/bin:/bin"}
    for source in ("folder", str(script)):
        shown = subprocess.run(
            [old_python, "-c", LOAD, source, *CONFIGS],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert json.loads(shown.stdout) == expected
