"""Options for the example's questions: a plain draw that is valid, balanced, and the same every time."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from cmb_harness.records import Record

N_OPTIONS = 4


def with_options(records: Sequence[Record], train: Iterable[str]) -> list[Record]:
    """Records whose S1 and S2 have their four options, all from the same category and side of the split.

    Args:
        records: concepts whose options are still empty.
        train: the concept_ids of the public side.
    """
    public = frozenset(train)
    letters = {stage: key_letters(records, public, stage) for stage in ("s1", "s2")}
    drawn = []
    for key in records:
        pool = [record for record in records if _cell(record, public) == _cell(key, public)]
        drawn.append(_question(key, distractors(key, pool), letters))
    return drawn


def distractors(key: Record, pool: Sequence[Record]) -> list[Record]:
    """Three other concepts of a pool: one of the key's country, then others of countries that all differ.

    Where the pool has too few countries for that, what it has left fills the places.

    Args:
        key: the concept that the question is about.
        pool: the concepts of its category and side, the key among them; at least four.
    """
    at = pool.index(key)
    # Each key looks on from its own place, so that every concept serves about equally often.
    others = [*pool[at + 1 :], *pool[:at]]
    chosen = [other for other in others if other.country == key.country][:1]
    for other in others:
        if other.country not in {key.country, *(record.country for record in chosen)}:
            chosen.append(other)
    chosen += [other for other in others if other not in chosen]
    return chosen[: N_OPTIONS - 1]


def key_letters(records: Iterable[Record], public: frozenset[str], stage: str) -> dict[str, int]:
    """concept_id → the place of its key, 0 to 3: each place equally often, within one, in every category and side."""
    mixed = sorted(
        records, key=lambda record: (_cell(record, public), _mix(f"{stage}/key/{record.concept_id}"))
    )
    return {record.concept_id: number % N_OPTIONS for number, record in enumerate(mixed)}


def _question(key: Record, others: Sequence[Record], letters: Mapping[str, Mapping[str, int]]) -> Record:
    options = {}
    for stage, places in letters.items():
        mixed = sorted(others, key=lambda other: _mix(f"{stage}/{key.concept_id}/{other.concept_id}"))
        place = places[key.concept_id]
        options[stage] = [*mixed[:place], key, *mixed[place:]]
    return replace(
        key,
        s1_options=tuple(option.common_latin for option in options["s1"]),
        s1_option_concept_ids=tuple(option.concept_id for option in options["s1"]),
        s1_correct_index=letters["s1"][key.concept_id],
        s1_distractor_origin=tuple(
            "same-country" if option.country == key.country else "different-country"
            for option in options["s1"]
            if option is not key
        ),
        s2_options=tuple(option.moment for option in options["s2"]),
        s2_correct_index=letters["s2"][key.concept_id],
    )


def _cell(record: Record, public: frozenset[str]) -> tuple[str, bool]:
    return record.category, record.concept_id in public


def _mix(text: str) -> str:
    return hashlib.sha256(f"example/{text}".encode()).hexdigest()
