"""Records written by hand: 32 concepts in blocks of four that share their options, half of them hidden."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cmb_dataset

Row = dict[str, Any]

CATEGORIES = ("Dance", "Music")
CLUSTERS = {"ID": "Latin", "KH": "Local"}
SALTS = {name: f"{i:02x}" * 16 for i, name in enumerate(("ids", "s1", "s2", "s3"), 0xA1)}


def concept_ids(category: str, block: int) -> list[str]:
    return [f"{country}-{category}-{2 * block + n:02d}" for country in CLUSTERS for n in (1, 2)]


def name_of(concept_id: str) -> str:
    return f"Nama {concept_id.replace('-', ' ').title()}"


def video_of(kind: str, concept_id: str, number: int = 0) -> str:
    country, category, digits = concept_id.split("-")
    return f"{kind}{country}{category[:3]}{digits}_{number:02d}"[:11]


def raw_record(category: str, block: int, place: int) -> Row:
    """One record in the form of ``s3_pairs``; its pairs number 0, 1 or 2."""
    ids = concept_ids(category, block)
    concept_id = ids[place]
    country = concept_id[:2]
    ids = ids[block:] + ids[:block]
    others = [other for other in ids if other != concept_id]
    moments = [moment_of(other) for other in reversed(ids)]
    return {
        "concept_id": concept_id,
        "country": country,
        "category": category,
        "concept_name": f"ឈ្មោះ ({name_of(concept_id)})",
        "description": f"What it stands for, number {block * 4 + place} of {category}.",
        "s1_options": [name_of(other) for other in ids],
        "s1_correct_index": ids.index(concept_id),
        "s1_distractor_origin": [
            "same-country" if other[:2] == country else "different-country" for other in others
        ],
        "s1_option_concept_ids": ids,
        "video_A_url": f"https://www.youtube.com/watch?v={video_of('A', concept_id)}",
        "video_A_s2_moment": moment_of(concept_id)[1:],
        "s2_options": moments,
        "s2_correct_index": 3 - ids.index(concept_id),
        "s3_pairs": [
            {
                "video_url": f"https://youtu.be/{video_of('B', concept_id)}",
                "start_s": 5 + 20 * number,
                "end_s": 12.5 + 20 * number,
                "cue": f"the moment number {number} of what is seen",
                "duration_s": 61.25,
            }
            for number in range(place % 3)
        ],
        "writing_cluster": CLUSTERS[country],
        "audio_role": "Redundant" if place % 3 else None,
        "annotator_role_id": "annotator-3",
        "review_outcome": "passed",
        "name_variants": {"common_latin": name_of(concept_id), "common_local": f"ឈ្មោះ {concept_id[3:]}"},
    }


def moment_of(concept_id: str) -> list[Any]:
    return [video_of("A", concept_id), 1.5, 4.0 + int(concept_id[-2:])]


@pytest.fixture
def raw_records() -> list[Row]:
    """Records as JSON values, free to be changed."""
    return [
        raw_record(category, block, place)
        for category in CATEGORIES
        for block in range(4)
        for place in range(4)
    ]


@pytest.fixture
def records_file(raw_records: list[Row], tmp_path: Path) -> Path:
    path = tmp_path / "records.json"
    path.write_text(json.dumps(raw_records, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.fixture
def records(records_file: Path) -> list[cmb_dataset.Record]:
    return cmb_dataset.read_records(records_file)


@pytest.fixture
def split(records: list[cmb_dataset.Record]) -> Row:
    """Blocks 0 and 1 of each category are public."""
    train = [
        concept_id
        for category in CATEGORIES
        for block in (0, 1)
        for concept_id in concept_ids(category, block)
    ]
    return {"records_sha256": cmb_dataset.records_sha256(records), "seed": 1, "train": train}


@pytest.fixture
def secrets() -> Row:
    hidden = [
        concept_id
        for category in CATEGORIES
        for block in (2, 3)
        for concept_id in concept_ids(category, block)
    ]
    return {"salts": dict(SALTS), "hidden_concepts": hidden, "references": []}


@pytest.fixture
def write_json(tmp_path: Path) -> Callable[[str, Any], Path]:
    def write(name: str, value: Any) -> Path:
        path = tmp_path / name
        path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
        return path

    return write
