"""The example release comes from its concept table and its fixed salts, by the commands and by the script alike."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cmb_harness.cli import main
from cmb_harness.example import write_example

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLE = REPOSITORY / "cmb_harness/example"
MARKS = {"example": True, "note": "unreviewed example, not CMB"}


def test_the_script_makes_the_shipped_files_byte_for_byte(tmp_path) -> None:
    script = REPOSITORY / "scripts/rebuild_example.py"
    subprocess.run([sys.executable, script, tmp_path], check=True, timeout=120)
    for name in ("split.json", "sample.json", "secrets.json"):
        assert (tmp_path / name).read_bytes() == (EXAMPLE / name).read_bytes(), name


@pytest.mark.usefixtures("capsys")
def test_the_commands_chained_make_the_example_release(tmp_path) -> None:
    write_example(tmp_path / "example", videos=False)
    table = str(tmp_path / "example/concepts.csv")
    split, secrets, sample, records = (
        str(tmp_path / f"{name}.json") for name in ("split", "secrets", "sample", "records")
    )
    shutil.copyfile(EXAMPLE / "secrets.json", secrets)
    assert main(["split", table, "--out", split, "--secrets", secrets]) == 0
    assert main(["sample", table, "--sampler", "bswa", "--split", split, "--out", sample]) == 0
    assert main(["questions", table, sample, "--split", split, "--out", records]) == 0
    assert json.loads(Path(secrets).read_text()) == json.loads((EXAMPLE / "secrets.json").read_text())
    assert json.loads(Path(split).read_text()) | MARKS == json.loads((EXAMPLE / "split.json").read_text())
    assert Path(sample).read_bytes() == (EXAMPLE / "sample.json").read_bytes()
    marked = [record | MARKS for record in json.loads(Path(records).read_text())]
    assert marked == json.loads((tmp_path / "example/records.json").read_text())
