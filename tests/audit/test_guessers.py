"""Cheap guessers of S1 and S2: each habit is planted, and clean items leave it at chance."""

import numpy as np
import pytest

from cmb_harness.construction.audit import Settings
from cmb_harness.construction.audit.findings import clustered_mean, score_findings
from cmb_harness.construction.audit.guessers import ONE_LETTER, choice_findings, guesser_findings

N = 24


def found_in(items, stage: str, settings: Settings) -> dict:
    return {finding.check: finding for finding in choice_findings(items, stage, f"{stage} train", settings)}


def s1_items(pieces, change) -> list:
    """Items of names alike in length, whose keys go round the letters; ``change(names, key)`` plants a habit."""
    item, _, _ = pieces
    rng = np.random.default_rng(0)
    items = []
    for number in range(N):
        names = ["".join(rng.choice(list("bcdfghklmn"), 6)).capitalize() for _ in range(4)]
        key = number % 4
        names, text = change(list(names), key)
        items.append(item(names, key, concept_id=f"KH-Dance-{number:02d}", description=text))
    return items


def planted_name(kind: str):
    def change(names: list[str], key: int) -> tuple[list[str], str]:
        text = "It keeps the year."
        if kind == "longest name":
            names[key] += "bcd"
        elif kind == "shortest name":
            names[key] = names[key][:3]
        elif kind == "first in the alphabet":
            names[key] = "A" + names[key][1:]
        elif kind == "last in the alphabet":
            names[key] = "Z" + names[key][1:]
        elif kind == "name most like the description":
            text = f"They call it {names[key].lower()}ing there."
        return names, text

    return change


@pytest.mark.parametrize(
    "kind",
    [
        "longest name",
        "shortest name",
        "first in the alphabet",
        "last in the alphabet",
        "name most like the description",
    ],
)
def test_habits_of_names(pieces, settings: Settings, kind: str) -> None:
    found = found_in(s1_items(pieces, planted_name(kind)), "s1", settings)
    assert (found[kind].figure, found[kind].severity) == (1.0, "serious")
    quiet = found_in(s1_items(pieces, planted_name("none")), "s1", settings)
    assert quiet[kind].severity == "ok"
    assert quiet[kind].interval[0] <= 0.25 <= quiet[kind].interval[1]


def test_names_of_one_length_are_a_draw(pieces, settings: Settings) -> None:
    quiet = found_in(s1_items(pieces, planted_name("none")), "s1", settings)
    assert (quiet["longest name"].figure, quiet["shortest name"].figure) == (0.25, 0.25)


def s2_items(pieces, kind: str) -> list:
    _, moment_item, _ = pieces
    rng = np.random.default_rng(1)
    items = []
    for number in range(N):
        starts, lengths = rng.permutation([10.0, 20.0, 30.0, 40.0]), rng.permutation([3.0, 4.0, 5.0, 6.0])
        key = number % 4
        if kind == "longest moment":
            lengths[key] = 9.0
        elif kind == "shortest moment":
            lengths[key] = 1.0
        elif kind == "earliest moment":
            starts[key] = 2.0
        elif kind == "latest moment":
            starts[key] = 90.0
        options = [(f"vid{number:04d}{i}xyzx", starts[i], starts[i] + lengths[i]) for i in range(4)]
        items.append(moment_item(options, key, concept_id=f"KH-Dance-{number:02d}"))
    return items


@pytest.mark.parametrize("kind", ["longest moment", "shortest moment", "earliest moment", "latest moment"])
def test_habits_of_moments(pieces, settings: Settings, kind: str) -> None:
    found = found_in(s2_items(pieces, kind), "s2", settings)
    assert (found[kind].figure, found[kind].severity) == (1.0, "serious")
    assert found_in(s2_items(pieces, "none"), "s2", settings)[kind].severity == "ok"


def test_one_letter(pieces, settings: Settings) -> None:
    item, _, _ = pieces

    def items(keys: list[int]) -> list:
        return [item(key=key, concept_id=f"KH-Dance-{number:02d}") for number, key in enumerate(keys)]

    balanced = found_in(items([0, 1, 2, 3] * 6), "s1", settings)[ONE_LETTER]
    assert (balanced.figure, balanced.severity) == (0.25, "ok")
    skewed = found_in(items([2] * 16 + [0, 1, 3] * 2 + [0, 1]), "s1", settings)[ONE_LETTER]
    assert (skewed.figure, skewed.severity) == (pytest.approx(16 / 24), "serious")
    assert skewed.evidence == "the keys: A 12%, B 12%, C 67%, D 8%"


def test_hidden_items_need_keys(made, settings: Settings) -> None:
    found = [
        one for one in guesser_findings(made.release(keys=False), settings) if one.where.endswith("test")
    ]
    assert [(one.where, one.severity) for one in found] == [
        ("s1 test", "not measured"),
        ("s2 test", "not measured"),
    ]
    with_keys = guesser_findings(made.release(), settings)
    assert {one.severity for one in with_keys} == {"ok"}
    assert len(with_keys) == 22


def test_intervals_are_the_cluster_bootstrap_of_the_metric() -> None:
    # Five clusters; the draw written out as SPEC has it: default_rng(seed).integers(0, N, (resamples, N)).
    values = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0])
    clusters = ["e", "a", "b", "b", "c", "d", "d"]
    sums, counts = np.array([0, 2, 0, 1, 1.0]), np.array([1, 2, 1, 2, 1.0])
    drawn = np.random.default_rng(7).integers(0, 5, (1000, 5))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    figure, interval = clustered_mean(values, clusters, Settings(seed=7, n_resamples=1000), 0.9)
    assert figure == pytest.approx(4 / 7)
    assert interval == pytest.approx(tuple(np.percentile(means, [5, 95])))
    assert clustered_mean(values[:1], ["a"], Settings(), 0.95) == (1.0, None)


def test_severity_follows_the_gain() -> None:
    settings = Settings(n_resamples=500)
    names = [f"c{i}" for i in range(1000)]
    for share, severity in ((0.25, "ok"), (0.23, "ok"), (0.29, "note"), (0.35, "warning"), (0.45, "serious")):
        values = np.arange(1000) < 1000 * share
        assert score_findings({"x": values}, names, "s1", settings)[0].severity == severity
    # As large a share of a few items is no evidence.
    assert score_findings({"x": [1.0, 0.0, 0.0]}, names[:3], "s1", settings)[0].severity == "ok"
    assert score_findings({"x": [np.nan]}, ["c"], "s1", settings)[0].severity == "not measured"
