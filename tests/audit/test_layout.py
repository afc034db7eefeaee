"""The layout of the 306 concepts: the audit's time, and what the docs' table rests on."""

import importlib.util
import time
from pathlib import Path
from types import ModuleType

import pytest

from cmb_harness.construction.audit import audit
from cmb_harness.records import read_region

pytestmark = pytest.mark.thorough

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "measure_attacks.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("measure_attacks", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_audit_of_306_concepts_takes_under_a_minute(script: ModuleType) -> None:
    release = script.draw("bswa", 0.8, 0, script.DIMENSIONS, script.COUNTRY_SHARE).release
    before = time.process_time()
    findings = audit(release, read_region())
    assert time.process_time() - before < 60
    chains = [finding for finding in findings if finding.check == "matching: chains"]
    assert chains
    assert {finding.severity for finding in chains} == {"ok"}


@pytest.mark.parametrize("share", [0.8, 0.5])
def test_blocks_are_at_chance_and_the_papers_sampler_is_not(script: ModuleType, share: float) -> None:
    block, paper = (
        script.figures_of(script.draw(sampler, share, 0, script.DIMENSIONS, script.COUNTRY_SHARE), 0)
        for sampler in ("block", "bswa")
    )
    for check in ("matching", "matching, countries known", "hubs, one option each, countries known"):
        assert block[f"{check}: full blocks"][0] == pytest.approx(0.25)
    assert block["items in full blocks"][0] > 0.85
    assert paper["country pattern"][0] == pytest.approx(0.49, abs=0.03)
    assert paper["matching, countries known"][0] == pytest.approx(0.7, abs=0.08)
    assert paper["hubs, one option each, countries known"][0] > 0.8
    assert paper["names left with one moment"][0] > 0.95
