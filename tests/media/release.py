"""A small release for tests of fetching: four concepts whose options are shared, and pairs on any videos."""

import json
from pathlib import Path

OPTIONS = ["optionvid_a", "optionvid-b", "-ptionvid_c", "_ptionvid_d"]
NAMES = ["Abc", "Def", "Ghi", "Jkl"]
DURATION_S = 4.0


def video_id(name: str) -> str:
    """The name as an id of 11 characters."""
    return f"{name:_<11}"[:11]


def write_records(path: Path, s3_ids: list[str], duration_s: float | None = DURATION_S) -> Path:
    """Records of four concepts that share their options; the first one's pairs are on the given videos."""
    moments = [
        {"video_url": name, "start_s": 0.5 * k, "end_s": 0.5 * k + 1.0} for k, name in enumerate(OPTIONS)
    ]
    pairs = [
        {
            "video_url": name,
            "start_s": 1.0,
            "end_s": 2.0,
            "cue": f"it begins {name}",
            "duration_s": duration_s,
        }
        for name in s3_ids
    ]
    records = [
        {
            "concept_id": f"ID-Dance-{index + 1:02}",
            "country": "ID",
            "category": "Dance",
            "concept_name": name,
            "description": f"What number {index} stands for.",
            "s1_options": NAMES,
            "s1_correct_index": index,
            "video_A_url": OPTIONS[index],
            "video_A_s2_moment": [moments[index]["start_s"], moments[index]["end_s"]],
            "s2_options": moments,
            "s2_correct_index": index,
            "writing_cluster": "Latin",
            "s3_pairs": pairs if index == 0 else [],
        }
        for index, name in enumerate(NAMES)
    ]
    path.write_text(json.dumps(records))
    return path
