"""Releases for the audit: one that gives nothing away, and pieces to plant faults with."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from cmb_dataset import STAGES, key_table, stage_rows
from cmb_harness.construction.audit import Named, Release, Settings, release_of
from cmb_harness.construction.audit.release import Item, PairItem
from cmb_harness.construction.concepts import Concept
from cmb_harness.construction.questions import make_records
from cmb_harness.construction.sampling import sample_concepts
from cmb_harness.construction.similarity import vector_similarity
from cmb_harness.construction.splits import split_concepts, split_file
from cmb_harness.construction.units import pair_units
from cmb_harness.records import Moment, Pair, Record, read_region

COUNTRIES = ("KH", "ID", "MY", "TH")
CATEGORIES = ("Dance", "Game")
SYLLABLES = ("ba", "ce", "do", "fi", "gu", "ha", "jo", "ke", "lu", "mi", "no", "pu", "ra", "so", "ti", "vu")


@dataclass(frozen=True)
class Made:
    """A made release and what it was made of."""

    records: list[Record]
    split: dict[str, Any]
    secrets: dict[str, Any]
    rows: dict[str, dict[str, list[dict[str, Any]]]]
    references: list[dict[str, Any]]
    inventory: list[Named]

    def release(self, *, keys: bool = True, rows: Any = None, phase: str = "recognition") -> Release:
        """The release, with the hidden keys or without."""
        references = self.references if keys else []
        return release_of(rows or self.rows, references=references, inventory=self.inventory, phase=phase)

    def changed(self) -> dict[str, dict[str, list[dict[str, Any]]]]:
        """Its rows, to plant something in."""
        return copy.deepcopy(self.rows)


def pseudo_word(rng: np.random.Generator, length: int = 3) -> str:
    """A word that means nothing."""
    return "".join(rng.choice(SYLLABLES, length))


def concepts_of(n_a_cell: int, seed: int) -> list[Concept]:
    """Concepts whose texts and times are drawn independently of everything."""
    rng = np.random.default_rng(seed)
    concepts, names = [], set()
    for category in CATEGORIES:
        for country in COUNTRIES:
            for number in range(1, n_a_cell + 1):
                name = pseudo_word(rng).capitalize()
                while name in names:
                    name = pseudo_word(rng).capitalize()
                names.add(name)
                at = len(concepts)
                start = float(rng.integers(0, 50))
                length = float(rng.integers(2, 6))
                span = float(rng.integers(0, 50))
                pair = Pair(
                    f"vidB{at:06d}x", span, span + float(rng.integers(2, 5)), pseudo_word(rng, 6), 60.0
                )
                concepts.append(
                    Concept(
                        f"{country}-{category}-{number:02d}",
                        country,
                        category,
                        name,
                        description=" ".join(pseudo_word(rng, 4) for _ in range(12)),
                        moment=Moment(f"vidA{at:06d}x", start, start + length),
                        s3_pairs=(pair,),
                    )
                )
    return concepts


def make(n_a_cell: int = 12, *, sampler: str = "block", seed: int = 0, phase: str = "recognition") -> Made:
    """Split, sampled and hidden by the construction itself."""
    region = read_region()
    concepts = concepts_of(n_a_cell, seed)
    vectors = np.random.default_rng(seed).normal(size=(len(concepts), 12))
    division = split_concepts(concepts, pair_units(concepts, seed), test_share=0.5, seed=seed)
    sampled = sample_concepts(concepts, vector_similarity(vectors), sampler=sampler, train=division.train)
    records = make_records(concepts, sampled.sample, region.writing_clusters, train=division.train)
    split = split_file(concepts, division, seed)
    salts = {name: f"{seed * 10 + at:032x}" for at, name in enumerate(("ids", *STAGES))}
    secrets = {"salts": salts, "hidden_concepts": list(division.hidden)}
    rows = {stage: stage_rows(records, stage, split, secrets, phase) for stage in STAGES}
    references = key_table(records, split, secrets, phase)
    inventory = [Named(c.concept_id, c.country, c.category, c.common_latin) for c in concepts]
    return Made(records, split, secrets, rows, references, inventory)


@pytest.fixture(scope="session")
def made() -> Made:
    """A release of full blocks: 96 concepts, half of them hidden."""
    return make()


@pytest.fixture(scope="session")
def made_by_the_paper() -> Made:
    """The same concepts by the paper's sampler."""
    return make(sampler="bswa")


@pytest.fixture(scope="session")
def make_release() -> Callable[..., Made]:
    """To make others."""
    return make


@pytest.fixture
def settings() -> Settings:
    """Fewer resamples than a user has, for speed."""
    return Settings(n_resamples=2_000)


def item(
    options: Sequence[Any] = ("Aba", "Bebe", "Coco", "Dudu"), key: int | None = 0, **changes: Any
) -> Item:
    """A public S1 item about nothing."""
    base = Item(
        "KH-Dance-01/s1", "Dance", "It keeps the year.", tuple(options), key, "KH-Dance-01", "KH", False
    )
    return replace(base, **changes)


def moment_item(options: Sequence[tuple[str, float, float]], key: int | None = 0, **changes: Any) -> Item:
    """A public S2 item."""
    moments = tuple(Moment(*option) for option in options)
    return item(moments, key, **({"item_id": "KH-Dance-01/s2", "s1_item_id": "KH-Dance-01/s1"} | changes))


def pair_item(**changes: Any) -> PairItem:
    """A public S3 item."""
    base = PairItem(
        "KH-Dance-01/s3/1",
        "Dance",
        "Aba",
        "they turn",
        "vidB000001x",
        60.0,
        (5.0, 9.0),
        "KH-Dance-01",
        "KH",
        False,
    )
    return replace(base, **changes)


@pytest.fixture(scope="session")
def pieces() -> tuple[Callable[..., Item], Callable[..., Item], Callable[..., PairItem]]:
    """Makers of an S1 item, an S2 item and an S3 item."""
    return item, moment_item, pair_item
