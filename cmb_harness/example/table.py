"""The example's concept table as records that still want their options, and as plans of videos."""

import csv
import itertools
import math
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

from cmb_dataset import VARIANTS
from cmb_harness.example.videos import Shown, VideoPlan, exact
from cmb_harness.records import Pair, Record, read_region

HERE = Path(__file__).parent
NOTE = "unreviewed example, not CMB"

# Video A goes on at least this long after its moment: a clip cut a second late must not end inside it.
TAIL_S = Fraction(8, 5)
# A whole number of frames at each of the frame rates.
DURATION_STEP_S = Fraction(2, 5)


def read_concepts() -> list[Record]:
    """The concepts of the table, in its order; their S1 and S2 options are empty."""
    with open(HERE / "concepts.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    clusters = read_region().writing_clusters
    # A further pair repeats the concept_id right below.
    groups = itertools.groupby(rows, key=lambda row: row["concept_id"])
    return [_concept(list(group), clusters) for _, group in groups]


def video_plans(concepts: Iterable[Record]) -> list[VideoPlan]:
    """One plan for each video of the concepts: video A shows the description's signature, B those of its pairs."""
    return [plan for concept in concepts for plan in (_plan_a(concept), *_plans_b(concept))]


def _concept(rows: list[dict[str, str]], clusters: dict[str, str]) -> Record:
    first = rows[0]
    latin, local = first["common_latin"], first["common_local"]
    return Record(
        concept_id=first["concept_id"],
        country=first["country"],
        category=first["category"],
        # Native script with the Latin name beside it (A.2), where the two differ.
        concept_name=latin if local in ("", latin) else f"{local} ({latin})",
        description=first["description"],
        s1_options=(),
        s1_correct_index=0,
        video_A_url=first["video_A_url"],
        video_A_s2_moment=(float(first["video_A_start_s"]), float(first["video_A_end_s"])),
        s2_options=(),
        s2_correct_index=0,
        s3_pairs=tuple(_pair(row) for row in rows if row["video_B_url"]),
        writing_cluster=clusters[first["country"]],
        name_variants={variant: first[variant] for variant in VARIANTS if first[variant]},
        extra={"example": True, "note": NOTE},
    )


def _pair(row: dict[str, str]) -> Pair:
    start_s, end_s, duration_s = (
        float(row[name]) for name in ("video_B_start_s", "video_B_end_s", "duration_s")
    )
    return Pair(row["video_B_url"], start_s, end_s, row["s3_cue"], duration_s)


def _plan_a(concept: Record) -> VideoPlan:
    start_s, end_s = concept.video_A_s2_moment
    steps = math.floor((exact(end_s) + TAIL_S) / DURATION_STEP_S) + 1
    return VideoPlan(
        concept.video_A_url, float(steps * DURATION_STEP_S), (Shown(concept.description, start_s, end_s),)
    )


def _plans_b(concept: Record) -> list[VideoPlan]:
    plans = []
    for video, pairs in itertools.groupby(
        concept.s3_pairs, key=lambda pair: (pair.video_url, pair.duration_s)
    ):
        shown = [Shown(f"{concept.common_latin}\n{pair.cue}", pair.start_s, pair.end_s) for pair in pairs]
        plans.append(VideoPlan(video[0], float(video[1] or 0), tuple(shown)))
    return plans
