"""What an open policy prints: steps by hand, intervals by statsmodels."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from cmb_harness.faults import InputError
from cmb_harness.shared_task.policy import (
    CLOSED,
    TOTALS,
    Policy,
    bounded_interval,
    justified_step,
    open_policy,
    read_policy,
)


@pytest.mark.parametrize(
    ("n", "step"),
    # 0.5 / √n: 0.125, 0.05, 0.0319, 0.0286, 0.01, 0.005
    [(16, 0.1), (100, 0.05), (245, 0.02), (306, 0.02), (2500, 0.01), (10_000, 0.005), (1, 0.5)],
)
def test_the_step_is_the_standard_error_rounded_down_to_1_2_or_5(n: int, step: float) -> None:
    assert justified_step(n) == pytest.approx(step, abs=1e-12)


def test_values_are_rounded_to_steps() -> None:
    policy = open_policy(245)
    assert policy.shown == TOTALS
    assert [policy.rounded(value) for value in (0.0, 0.2939, 0.309, 0.311, 1.0, None)] == [
        *(0.0, 0.3, 0.3, 0.32, 1.0),
        None,
    ]
    assert CLOSED.rounded(0.2939) == 0.2939
    assert Policy(step=None).rounded(0.2939) == 0.2939


@pytest.mark.parametrize(("share", "n"), [(0.0, 16), (0.3, 40), (0.5, 245), (1.0, 245)])
def test_without_rounding_the_interval_is_wilsons(share: float, n: int) -> None:
    low, high = proportion_confint(share * n, n, method="wilson")
    assert bounded_interval(share, n, None) == pytest.approx([low, high], abs=0.001)


@given(st.integers(1, 500), st.floats(0, 1))
def test_the_interval_holds_that_of_every_value_that_is_printed_alike(n: int, value: float) -> None:
    policy = open_policy(n)
    low, high = bounded_interval(policy.rounded(value), n, policy.step) or (1, 0)
    own = proportion_confint(value * n, n, method="wilson")
    assert 0 <= low <= own[0] + 1e-9
    assert 1 >= high >= own[1] - 1e-9


def test_an_undefined_value_has_no_interval() -> None:
    assert bounded_interval(None, 10, 0.1) is None
    assert bounded_interval(0.5, 0, 0.1) is None


def test_a_policy_file_changes_what_it_names(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    file.write_text('{"shown": ["joint"]}')
    assert read_policy(file, 245) == Policy(("joint",), 0.02, False)
    file.write_text('{"step": null, "whole": true}')
    assert read_policy(file, 245) == Policy(TOTALS, None, True)
    file.write_text('{"modes": ["carry"]}')
    assert read_policy(file, 245) == Policy(TOTALS, 0.02, False, ("carry",))


@pytest.mark.parametrize(
    "value",
    [
        *([], {"show": []}, {"shown": "joint"}, {"shown": ["accuracy"]}, {"shown": [["joint"]]}),
        *(
            {"modes": ["Carry"]},
            {"modes": "carry"},
            {"step": 0},
            {"step": True},
            {"step": 2},
            {"step": "0.1"},
            {"whole": 1},
        ),
    ],
)
def test_another_policy_is_a_fault(value: Any, tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    file.write_text(json.dumps(value))
    with pytest.raises(InputError, match=r"policy\.json: "):
        read_policy(file, 245)
