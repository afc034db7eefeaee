"""Presets and settings: the paper's configurations in a word, and every wrong setting told."""

from pathlib import Path

import pytest

from cmb_harness.faults import InputError
from cmb_harness.models import load_model, model_names
from cmb_harness.models.setup import Setup, changed, presets, read_changes


def test_the_papers_configurations_have_presets() -> None:
    # Paper 4.1, appendix B and figure 14.
    told = {name: (setup.fps, setup.count, setup.size) for name, setup in presets().items()}
    assert told == {
        "gemini-3.1-pro": (1, None, 224),
        "gpt-5.4": (1, None, 224),
        "gpt-5.4-low-1024": (1, None, 224),
        "qwen3-vl-32b": (1, None, 224),
        "qwen3.5-27b": (1, None, 224),
        "qwen3.5-27b-nothink": (1, None, 224),
        "internvl3.5-14b": (1.0, 12, 224),
        "internvl3.5-14b-thinking": (1.0, 12, 224),
    }
    low = presets()["gpt-5.4-low-1024"]
    assert (low.effort, low.max_tokens) == ("low", 1024)
    assert presets()["qwen3-vl-32b"].model == "Qwen/Qwen3-VL-32B-Instruct"


def test_settings_hold_what_changes_answers_and_nothing_of_the_way() -> None:
    one = Setup(model="m", base_url="http://a", key_variable="KEY", timeout_s=5, parallel=2, input_price=1.0)
    assert one.settings == Setup(model="m").settings
    assert changed(one, {"fps": 2}, "--set").settings != one.settings


def test_values_are_json_where_they_read_as_json() -> None:
    texts = ["fps=2", "effort=low", "count=null", 'extra={"top_k": 1}', "model=a=b", "max_tokens=64"]
    assert read_changes(texts) == {
        "fps": 2,
        "effort": "low",
        "count": None,
        "extra": {"top_k": 1},
        "model": "a=b",
        "max_tokens": 64,
    }


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("frames", 2, "frames: there is no such setting; there are adapter, model"),
        ("fps", 0, "fps: 0: expected a positive number"),
        ("fps", "fast", "fps: 'fast': expected a positive number"),
        ("fps", True, "fps: True: expected a positive number"),
        ("fps", None, "fps: must have a value"),
        ("count", 1.5, "count: 1.5: expected a positive integer"),
        ("count", -1, "count: -1: expected a positive integer"),
        ("image", "gif", "image: 'gif': expected one of jpeg, png"),
        ("media", "audio", "media: 'audio': expected one of frames, video"),
        ("extra", "x", "extra: 'x': expected a JSON object"),
        ("effort", 3, "effort: 3: expected a text"),
    ],
)
def test_a_wrong_setting_is_told(name: str, value: object, fault: str) -> None:
    with pytest.raises(InputError) as caught:
        changed(Setup(), {name: value}, "--set")
    assert caught.value.faults[0].startswith(f"--set: {fault}")


def test_a_temperature_of_nought_is_a_setting() -> None:
    assert changed(Setup(), {"temperature": 0}, "--set").temperature == 0


def test_a_change_without_a_value_is_told() -> None:
    with pytest.raises(InputError, match="--set fps: expected NAME=VALUE"):
        read_changes(["fps"])


@pytest.mark.parametrize("name", ["gpt-6", "openai:", "anthropic:some-model", ""])
def test_an_unknown_model_is_told_with_those_there_are(name: str) -> None:
    with pytest.raises(InputError, match="there is no such model; there are chance, always-a"):
        load_model(name)


def test_a_baseline_has_no_settings_to_change() -> None:
    with pytest.raises(InputError, match="chance is a baseline"):
        load_model("chance", changes={"fps": 2})


def test_names_are_what_can_be_loaded() -> None:
    assert model_names()[:5] == ["chance", "always-a", "centre-span", "whole-video", "signal-reader"]


def test_a_client_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(InputError, match=r"pip install 'cmb-benchmark\[openai\]'"):
        load_model("openai:m", cache=tmp_path, changes={"base_url": "http://127.0.0.1:9"})
