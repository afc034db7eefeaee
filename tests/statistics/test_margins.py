"""Outcomes that meet the paper's printed margins: counts are whole numbers, all agree, and a program finds outcomes."""

import json
from collections import Counter
from pathlib import Path

import pytest

from cmb_harness.faults import InputError
from cmb_harness.records import read_region
from cmb_harness.statistics.margins import Margins, counts_of, fit_outcomes, outcomes

PAPER = json.loads((Path(__file__).parent.parent / "reference" / "paper_tables.json").read_text("utf-8"))
TABLES = {"s1": PAPER["table10_S1_cells_point_lo_hi"], "s2": PAPER["table11_S2_cells_point_lo_hi"]}
MODELS = [model for model in TABLES["s1"]["All (micro)"] if model != "n"]
CATEGORIES = ("Celebration", "Dance", "Game", "Music", "Wedding")
C_S2 = {
    "Gemini 3.1 Pro": (213, 238),
    "GPT-5.4": (190, 217),
    "Qwen3-VL-32B": (48, 156),
    "Qwen3.5-27B": (76, 164),
    "InternVL3.5-14B (n)": (31, 143),
    "InternVL3.5-14B (t)": (28, 126),
}


def counts(stage: str, model: str) -> dict[str, int]:
    """Cell → the one whole number that prints so."""
    found = {cell: counts_of(row[model][0], row["n"]) for cell, row in TABLES[stage].items()}
    assert all(len(numbers) == 1 for numbers in found.values())
    return {cell: numbers[0] for cell, numbers in found.items()}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("stage", ["s1", "s2"])
def test_printed_shares_are_whole_numbers_whose_margins_agree(stage: str, model: str) -> None:
    found = counts(stage, model)
    whole = found.pop("All (micro)")
    assert sum(n for cell, n in found.items() if cell in CATEGORIES) == whole
    assert sum(n for cell, n in found.items() if cell not in CATEGORIES) == whole


def test_gemini_names_238_of_306() -> None:
    assert counts("s1", "Gemini 3.1 Pro")["All (micro)"] == 238


@pytest.mark.parametrize("model", MODELS)
def test_outcomes_meet_every_margin(model: str) -> None:
    codes = {country.name: country.code for country in read_region().countries}
    sizes = Counter((row["country"], row["category"]) for row in PAPER["table5_inventory"])
    wanted = {
        stage: {codes.get(cell, cell): n for cell, n in counts(stage, model).items() if cell != "All (micro)"}
        for stage in TABLES
    }
    both, named = C_S2[model]
    assert counts_of(PAPER["table3_cascade_carry_percent"][model]["c_S2"], named) == [both]
    cells = fit_outcomes(sizes, Margins(wanted["s1"], wanted["s2"], both))
    got: dict[str, Counter[str]] = {"s1": Counter(), "s2": Counter()}
    n_both = 0
    for cell, four in cells.items():
        concepts = outcomes(four)
        assert len(concepts) == sizes[cell]
        n_both += sum(s1 and s2 for s1, s2 in concepts)
        for code in cell:
            got["s1"][code] += sum(s1 for s1, _ in concepts)
            got["s2"][code] += sum(s2 for _, s2 in concepts)
    assert (got["s1"], got["s2"], n_both) == (Counter(wanted["s1"]), Counter(wanted["s2"]), both)


def test_margins_that_contradict_each_other_are_told() -> None:
    with pytest.raises(InputError, match="no outcomes meet all margins"):
        fit_outcomes({("ID", "Game"): 3}, Margins({"ID": 2, "Game": 3}, {}, 0))


@pytest.mark.parametrize(
    ("percent", "n", "expected"),
    [
        (77.8, 306, [238]),
        (56.2, 48, [27]),
        (50.0, 4, [2]),
        (33.3, 2, []),
        (0.0, 5, [0]),
        (0.1, 5000, list(range(3, 8))),
    ],
)
def test_counts_of_a_printed_share(percent: float, n: int, expected: list[int]) -> None:
    """27/48 is 56.25%, which the paper prints as 56.2; 2.5/5000 would print as 0.1 too, and is no count."""
    assert counts_of(percent, n) == expected
