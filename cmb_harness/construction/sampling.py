"""Distractors for a whole table: category by category, and each side of a split by itself."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cmb_harness.construction.concepts import VARIANTS, Concept
from cmb_harness.construction.distractors import sample_block, sample_bswa
from cmb_harness.construction.distractors.pool import fold_name, make_pool
from cmb_harness.construction.distractors.repair import unfillable
from cmb_harness.construction.faults import ConstructionError
from cmb_harness.construction.similarity import Similarity
from cmb_harness.construction.statistics import PoolReport, pool_report

SAMPLERS = ("bswa", "block")
Sample = dict[str, dict[str, Any]]
"""concept_id → ``{"distractors": [3 concept_ids], "block": number}``; -1 for leftovers, None without blocks."""


@dataclass(frozen=True)
class Sampled:
    """What `sample_concepts` returns.

    Attributes:
        sample: concept_id → ``{"distractors": [3 concept_ids], "block": number | None}``, sorted by concept_id. The
            first distractor is the same-country one. Blocks are numbered through the table; -1 marks a leftover.
        reports: one a pool, sorted by category and side.
    """

    sample: Sample
    reports: list[PoolReport]


def sample_concepts(
    concepts: Sequence[Concept],
    similarity: Similarity,
    *,
    sampler: str = "bswa",
    ambiguity_groups: Sequence[Collection[str]] = (),
    cap: float = 0.1,
    seed: int = 0,
    train: Collection[str] | None = None,
) -> Sampled:
    """Three distractors for every concept, from its own category and its own side of the split.

    Args:
        concepts: the table.
        similarity: of indices into ``concepts``.
        sampler: ``"bswa"`` (the paper's) or ``"block"``.
        ambiguity_groups: of concept_ids; those that the table does not have are passed over.
        cap: share of a pool's concepts that one concept's uses as a distractor may reach.
        seed: of the block sampler's search.
        train: concept_ids of the public side; None if there is no split.

    Raises:
        ConstructionError: a pool that no option set can be made from, or keys for which none exists; all at once.
    """
    sample: Sample = {}
    reports, faults, n_blocks = [], [], 0
    for (category, side), members in pools_of(concepts, train).items():
        try:
            pool_sample, report = _sample_pool(
                [concepts[i] for i in members],
                similarity(members),
                {"sampler": sampler, "cap": cap, "seed": seed, "groups": ambiguity_groups},
                (category, side),
            )
        except ConstructionError as error:
            faults += [f"{category} ({side}): {fault}" for fault in error.faults]
            continue
        for entry in pool_sample.values():
            if entry["block"] is not None and entry["block"] >= 0:
                entry["block"] += n_blocks
        n_blocks += report.blocks
        sample |= pool_sample
        reports.append(report)
    if faults:
        raise ConstructionError(faults)
    return Sampled(dict(sorted(sample.items())), reports)


def pools_of(concepts: Sequence[Concept], train: Collection[str] | None) -> dict[tuple[str, str], list[int]]:
    """(category, side) → indices of its concepts by concept_id: the order in which no result depends on the input's."""
    pools: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i in sorted(range(len(concepts)), key=lambda i: concepts[i].concept_id):
        side = "all" if train is None else "train" if concepts[i].concept_id in train else "test"
        pools[concepts[i].category, side].append(i)
    return dict(sorted(pools.items()))


def option_faults(
    concepts: Sequence[Concept], ambiguity_groups: Sequence[Collection[str]], train: Collection[str] | None
) -> list[str]:
    """Why questions cannot be made of each side of each category, one line a reason; none if they can."""
    faults = []
    for (category, side), members in pools_of(concepts, train).items():
        chosen = [concepts[i] for i in members]
        try:
            flat = np.zeros((len(chosen), len(chosen)))
            pool = make_pool(*_columns(chosen), flat, index_groups(chosen, ambiguity_groups))
        except ConstructionError as error:
            faults += [f"{category} ({side}): {fault}" for fault in error.faults]
        else:
            faults += [f"{category} ({side}): {_no_set(chosen[key])}" for key in unfillable(pool)]
    return faults


def index_groups(concepts: Sequence[Concept], ambiguity_groups: Sequence[Collection[str]]) -> list[list[int]]:
    """Groups of concept_ids as groups of indices, and the concepts that share one of their names.

    Concepts that are not there are left out.
    """
    place = {concept.concept_id: i for i, concept in enumerate(concepts)}
    groups = [[place[name] for name in group if name in place] for group in ambiguity_groups]
    named: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i, concept in enumerate(concepts):
        for variant in VARIANTS:
            named[variant, fold_name(getattr(concept, variant))].append(i)
    shared = [members for (_, name), members in named.items() if name and len(members) > 1]
    return [group for group in (*groups, *shared) if len(group) > 1]


def _columns(concepts: Sequence[Concept]) -> tuple[list[str], list[str]]:
    return [concept.common_latin for concept in concepts], [concept.country for concept in concepts]


def _sample_pool(
    concepts: list[Concept], similarity: np.ndarray, how: Mapping[str, Any], where: tuple[str, str]
) -> tuple[Sample, PoolReport]:
    names, countries = _columns(concepts)
    groups = index_groups(concepts, how["groups"])
    block = None
    if how["sampler"] == "block":
        chosen, block = sample_block(names, countries, similarity, groups, seed=how["seed"], cap=how["cap"])
    elif how["sampler"] == "bswa":
        chosen = sample_bswa(names, countries, similarity, groups, cap=how["cap"])
    else:
        raise ConstructionError(f"sampler: {how['sampler']!r} is none of {', '.join(SAMPLERS)}")
    open_keys = np.flatnonzero((chosen < 0).any(axis=1))
    if len(open_keys):
        raise ConstructionError([_no_set(concepts[key]) for key in open_keys])
    pool = make_pool(names, countries, similarity, groups)
    report = pool_report(pool, chosen, block, how["cap"], category=where[0], side=where[1])
    sample = {
        concept.concept_id: {
            "distractors": [concepts[i].concept_id for i in options],
            "block": None if block is None else int(block[key]),
        }
        for key, (concept, options) in enumerate(zip(concepts, chosen, strict=True))
    }
    return sample, report


def _no_set(concept: Concept) -> str:
    return f"{concept.concept_id} finds no three distractors: too few countries, or too many of its ambiguity group"
