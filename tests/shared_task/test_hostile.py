"""Every kind of hostile file gets its own fault, and nothing in the answer can steer a terminal, a log or a page."""

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cmb_harness.faults import InputError
from cmb_harness.shared_task.submission import FAULTS_SHOWN, check_submission

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
from hostile_files import KINDS  # noqa: E402


def test_there_are_kinds_enough() -> None:
    assert len(KINDS) >= 30


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("phase", ["recognition", "localization"])
def test_each_kind_gets_its_fault(name: str, phase: str, localization: Any, honest: Any) -> None:
    asked = localization.asked(phase)
    for seed in range(3):
        content = KINDS[name].build(Random(seed), honest(asked))
        with pytest.raises(InputError) as caught:
            check_submission(content, asked, "f.jsonl")
        told = caught.value.faults
        assert any(KINDS[name].fault in fault for fault in told), told[:5]
        assert len(told) <= FAULTS_SHOWN + 1
        assert all(fault.isprintable() and len(fault) < 400 for fault in told)
        assert not {"<", ">"} & set("".join(told))
