"""Cheap guessers of S3: each habit is planted, and spans drawn at random leave it near chance."""

import numpy as np
import pytest

from cmb_harness.construction.audit import Settings
from cmb_harness.construction.audit.spans import (
    CONSTANT,
    PRIOR,
    learned_scores,
    pair_findings,
    random_iou,
    span_findings,
)


def pairs_of(pieces, spans, durations, first: int = 0) -> list:
    _, _, pair_item = pieces
    return [
        pair_item(
            item_id=f"KH-Dance-{at:02d}/s3/1",
            concept_id=f"KH-Dance-{at:02d}",
            span=tuple(span),
            duration_s=duration,
        )
        for at, (span, duration) in enumerate(zip(spans, durations, strict=True), first)
    ]


def random_pairs(pieces, n: int, seed: int, first: int = 0) -> list:
    rng = np.random.default_rng(seed)
    durations = rng.uniform(60, 600, n)
    starts = rng.uniform(0, 0.9, n) * durations
    return pairs_of(pieces, np.column_stack([starts, starts + 0.03 * durations]), durations.tolist(), first)


def found_in(pairs, public, settings: Settings) -> dict:
    return {finding.check: finding for finding in pair_findings(pairs, public, "s3 train", settings)}


def test_random_iou_has_a_closed_form_for_the_whole_video() -> None:
    # Two uniform times are a third of the video apart on average, and the IoU with the whole is their distance.
    assert random_iou(np.array([[0.0, 50.0]]), np.array([50.0]))[0] == pytest.approx(1 / 3, abs=0.002)


def test_random_iou_of_a_part_by_simulation() -> None:
    rng = np.random.default_rng(0)
    times = np.sort(rng.uniform(0, 100, (200_000, 2)), axis=1)
    overlap = np.clip(np.minimum(times[:, 1], 30) - np.maximum(times[:, 0], 20), 0, None)
    union = (times[:, 1] - times[:, 0]) + 10 - overlap
    expected = (overlap / union).mean()
    assert random_iou(np.array([[20.0, 30.0]]), np.array([100.0]))[0] == pytest.approx(expected, abs=0.003)


def test_quiet_on_random_spans(pieces, settings: Settings) -> None:
    pairs = random_pairs(pieces, 120, 0)
    for finding in found_in(pairs, pairs, settings).values():
        assert finding.severity == "ok", finding


@pytest.mark.parametrize(
    ("check", "low", "high"), [("middle third", 1 / 3, 2 / 3), ("whole video", 0.0, 1.0), (PRIOR, 0.8, 0.95)]
)
def test_spans_at_one_place_of_the_video(
    pieces, settings: Settings, check: str, low: float, high: float
) -> None:
    durations = np.random.default_rng(2).uniform(60, 600, 30)
    pairs = pairs_of(pieces, np.column_stack([low * durations, high * durations]), durations.tolist())
    found = found_in(pairs, pairs, settings)[check]
    assert found.figure == pytest.approx(1.0)
    assert found.severity == "serious"


def test_spans_at_one_time(pieces, settings: Settings) -> None:
    durations = np.random.default_rng(3).uniform(60, 600, 30)
    pairs = pairs_of(pieces, [(12.0, 20.0)] * 30, durations.tolist())
    found = found_in(pairs, pairs, settings)
    assert found[CONSTANT].figure == pytest.approx(1.0)
    assert found[CONSTANT].severity == "serious"
    assert found[PRIOR].figure < 0.7


def test_what_is_learned_leaves_the_own_concept_out() -> None:
    # Two concepts: each can only be answered with the span of the other.
    spans = np.array([[0.0, 10.0], [0.0, 10.0], [20.0, 30.0]])
    scores = learned_scores(spans, ["a", "a", "b"], spans, ["a", "a", "b"])
    np.testing.assert_allclose(scores, [0, 0, 0])
    assert np.isnan(learned_scores(spans[:1], ["a"], spans[:1], ["a"])).all()
    np.testing.assert_allclose(learned_scores(spans[:1], ["c"], spans, ["a", "a", "b"]), [1])


def test_hidden_pairs_are_answered_from_public_ones(pieces, settings: Settings) -> None:
    durations = [100.0] * 12
    public = pairs_of(pieces, [(40.0, 50.0)] * 12, durations)
    hidden = pairs_of(pieces, [(40.0, 45.0)] * 12, durations, first=50)
    assert found_in(hidden, public, settings)[CONSTANT].figure == pytest.approx(0.5)
    assert CONSTANT not in found_in(hidden, [], settings)


def test_lengths_that_are_not_known(pieces, settings: Settings) -> None:
    known, unknown = random_pairs(pieces, 10, 4), pairs_of(pieces, [(1.0, 5.0)] * 5, [None] * 5, first=60)
    found = found_in([*known, *unknown], known, settings)
    assert found["middle third"].n == 10
    assert "5 pairs without duration_s" in found["middle third"].evidence
    assert found[CONSTANT].n == 15
    (only,) = pair_findings(unknown, known, "s3 train", settings)
    assert only.severity == "not measured"


def test_hidden_spans_need_the_secrets(make_release, settings: Settings) -> None:
    made = make_release(6, phase="localization")
    hidden = [
        one
        for one in span_findings(made.release(keys=False, phase="localization"), settings)
        if one.where == "s3 test"
    ]
    assert [one.severity for one in hidden] == ["not measured"]
    found = span_findings(made.release(phase="localization"), settings)
    assert sum(one.where == "s3 test" for one in found) == 4
