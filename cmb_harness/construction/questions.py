"""From concepts and their distractors to records: options in their order, and where the key stands."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from cmb_harness.construction.concepts import VARIANTS, Concept
from cmb_harness.construction.draws import shuffled
from cmb_harness.construction.faults import ConstructionError
from cmb_harness.records import Record

OPTIONS = 4


def make_records(
    concepts: Sequence[Concept],
    sample: Mapping[str, Mapping[str, Any]],
    writing_clusters: Mapping[str, str],
    *,
    train: Collection[str] | None = None,
    seeds: Mapping[str, int] | None = None,
) -> list[Record]:
    """Records with the same distractors in S1 and S2, in orders that are drawn for each stage by itself.

    In each stage the key stands at A, B, C and D equally often, within one, in every category and side of the split,
    and on every side as a whole. The orders depend on the seeds and the concept_ids, not on the order of the table.

    Args:
        concepts: each with a description and a moment.
        sample: concept_id → ``{"distractors": [3 concept_ids], …}``.
        writing_clusters: country → cluster.
        train: concept_ids of the public side; None if there is no split.
        seeds: of ``s1`` and ``s2``; 1 and 2 if not given.

    Returns:
        One record a concept, in the order of ``concepts``.

    Raises:
        ConstructionError: a sample that does not fit the concepts or the split, an unknown country, or a concept
            that is not finished; all at once.
    """
    known = {concept.concept_id: concept for concept in concepts}
    faults = sample_faults(known, sample, train)
    faults += [message for concept in concepts for message in _unfinished(concept, writing_clusters)]
    if faults:
        raise ConstructionError(faults)
    seeds = {"s1": 1, "s2": 2, **(seeds or {})}
    orders = {stage: option_orders(concepts, sample, train, seeds[stage], stage) for stage in ("s1", "s2")}
    return [_record(concept, orders, known, writing_clusters) for concept in concepts]


def option_orders(
    concepts: Sequence[Concept],
    sample: Mapping[str, Mapping[str, Any]],
    train: Collection[str] | None,
    seed: int,
    stage: str,
) -> dict[str, list[str]]:
    """concept_id → its four options by concept_id: the key where it is dealt to, the distractors shuffled."""
    orders = {}
    for concept_id, letter in _key_letters(concepts, train, seed, stage).items():
        order = shuffled(sample[concept_id]["distractors"], seed, stage, concept_id)
        order.insert(letter, concept_id)
        orders[concept_id] = order
    return orders


def sample_faults(
    known: Mapping[str, Concept], sample: Mapping[str, Mapping[str, Any]], train: Collection[str] | None
) -> list[str]:
    """What keeps a sample from being used with these concepts and this split, one line a fault."""
    faults = [f"sample: {name}: no such concept in the table" for name in sample if name not in known]
    for concept_id, concept in known.items():
        entry = sample.get(concept_id)
        distractors: Any = entry.get("distractors") if isinstance(entry, Mapping) else None
        if not _are_ids(distractors) or len({concept_id, *distractors}) != OPTIONS:
            faults.append(f"sample: {concept_id}: expected three different distractors")
            continue
        for name in distractors:
            if name not in known:
                faults.append(f"sample: {concept_id}: distractor {name} is not in the table")
            elif known[name].category != concept.category:
                faults.append(f"sample: {concept_id}: distractor {name} is of another category")
            elif train is not None and (name in train) != (concept_id in train):
                faults.append(f"sample: {concept_id}: distractor {name} is on the other side of the split")
    return faults


def _are_ids(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == OPTIONS - 1
        and all(isinstance(v, str) for v in value)
    )


def _key_letters(
    concepts: Sequence[Concept], train: Collection[str] | None, seed: int, stage: str
) -> dict[str, int]:
    """concept_id → place of the key, dealt round and round: a side's categories follow one another without a gap."""
    letters: dict[str, int] = {}
    for side in ("train", "test"):
        dealt = [c for c in concepts if (train is None or c.concept_id in train) == (side == "train")]
        mixed = shuffled(dealt, seed, stage, "key", key=lambda concept: concept.concept_id)
        mixed.sort(key=lambda concept: concept.category)
        deck = shuffled(range(OPTIONS), seed, stage, side, "deck")
        letters |= {concept.concept_id: deck[i % OPTIONS] for i, concept in enumerate(mixed)}
    return letters


def _record(
    concept: Concept,
    orders: Mapping[str, Mapping[str, list[str]]],
    known: Mapping[str, Concept],
    writing_clusters: Mapping[str, str],
) -> Record:
    s1, s2 = ([known[name] for name in orders[stage][concept.concept_id]] for stage in ("s1", "s2"))
    moments = [option.moment for option in s2 if option.moment]
    moment = moments[s2.index(concept)]
    return Record(
        concept_id=concept.concept_id,
        country=concept.country,
        category=concept.category,
        concept_name=_name(concept),
        description=concept.description,
        s1_options=tuple(option.common_latin for option in s1),
        s1_correct_index=s1.index(concept),
        s1_distractor_origin=tuple(
            "same-country" if option.country == concept.country else "different-country"
            for option in s1
            if option is not concept
        ),
        s1_option_concept_ids=tuple(option.concept_id for option in s1),
        video_A_url=moment.video_id,
        video_A_s2_moment=(moment.start_s, moment.end_s),
        s2_options=tuple(moments),
        s2_correct_index=s2.index(concept),
        s3_pairs=concept.s3_pairs,
        writing_cluster=writing_clusters[concept.country],
        name_variants={name: getattr(concept, name) for name in VARIANTS if getattr(concept, name)},
        extra=dict(concept.extra),
    )


def _name(concept: Concept) -> str:
    """The native name with the Latin one beside it, where the two differ (A.2)."""
    local, latin = concept.common_local, concept.common_latin
    return latin if local in ("", latin) else f"{local} ({latin})"


def _unfinished(concept: Concept, writing_clusters: Mapping[str, str]) -> list[str]:
    messages = []
    if not concept.description:
        messages.append(f"{concept.concept_id}: description: missing")
    if concept.moment is None:
        messages.append(f"{concept.concept_id}: video_A_url: missing, so S2 has no moment to show")
    if concept.country not in writing_clusters:
        messages.append(f"{concept.concept_id}: country: {concept.country} is not in the region")
    return messages
