"""Cheap guessers of S1 and S2: what a habit scores that reads next to nothing."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cmb_harness.construction.audit.attacks import Guesses, scores_of
from cmb_harness.construction.audit.findings import Finding, Settings, score_findings, unmeasured
from cmb_harness.construction.audit.marginals import ties
from cmb_harness.construction.audit.matching_checks import NO_KEYS
from cmb_harness.construction.audit.release import N_OPTIONS, SPLITS, Item, Release
from cmb_harness.construction.audit.words import fold

LETTERS = "ABCD"
ONE_LETTER = "always one letter"


def guesser_findings(release: Release, settings: Settings) -> list[Finding]:
    """All guessers on all items with keys."""
    findings = []
    for stage in ("s1", "s2"):
        for split in SPLITS:
            items = [item for item in release.items[stage, split] if item.key is not None]
            where = f"{stage} {split}"
            if items:
                findings += choice_findings(items, stage, where, settings)
            elif release.items[stage, split]:
                findings.append(unmeasured("cheap guessers", where, NO_KEYS))
    return findings


def choice_findings(items: Sequence[Item], stage: str, where: str, settings: Settings) -> list[Finding]:
    """The guessers of one stage on items with keys."""
    keys = np.array([item.key for item in items])
    guesses = name_guesses(items) if stage == "s1" else moment_guesses(items)
    scores = {check: scores_of(guess, keys) for check, guess in guesses.items()}
    counts = np.bincount(keys, minlength=N_OPTIONS)
    scores[ONE_LETTER] = (keys == counts.argmax()).astype(float)
    shares = ", ".join(
        f"{letter} {100 * count / len(keys):.0f}%" for letter, count in zip(LETTERS, counts, strict=True)
    )
    # The best of four letters is chosen on the same items: its interval is widened for four looks.
    level = 1 - (1 - settings.confidence_level) / N_OPTIONS
    return score_findings(
        scores,
        [item.cluster for item in items],
        where,
        settings,
        evidence={ONE_LETTER: f"the keys: {shares}"},
        confidence={ONE_LETTER: level},
    )


def name_guesses(items: Sequence[Item]) -> dict[str, Guesses]:
    """Guesses from four names and a description, each (n, 4)."""
    length = np.array([[len(option) for option in item.options] for item in items], dtype=float)
    rank = np.array(
        [[sorted(map(fold, item.options)).index(fold(name)) for name in item.options] for item in items]
    )
    return {
        "longest name": ties(length),
        "shortest name": ties(-length),
        "first in the alphabet": ties(-rank.astype(float)),
        "last in the alphabet": ties(rank.astype(float)),
        "name most like the description": ties(text_overlap(items)),
    }


def moment_guesses(items: Sequence[Item]) -> dict[str, Guesses]:
    """Guesses from the times of four moments, each (n, 4)."""
    start = np.array([[option.start_s for option in item.options] for item in items], dtype=float)
    length = np.array([[option.end_s - option.start_s for option in item.options] for item in items]).round(3)
    return {
        "longest moment": ties(length),
        "shortest moment": ties(-length),
        "earliest moment": ties(-start),
        "latest moment": ties(start),
    }


def text_overlap(items: Sequence[Item]) -> NDArray[np.float64]:
    """(n, 4) how alike each name and the description are: shared letter sequences, the rare ones count more."""
    from cmb_harness.construction.similarity import light_vectors

    n = len(items)
    names = [name for item in items for name in item.options]
    vectors = light_vectors([*(item.description for item in items), *names])
    stems = vectors[np.repeat(np.arange(n), N_OPTIONS)]
    overlap = stems.multiply(vectors[np.arange(n, n + len(names))]).sum(axis=1)
    return np.asarray(overlap, dtype=float).reshape(n, N_OPTIONS)
