"""The example's concept table as records, and as plans of the videos that they speak of."""

import itertools
import json
import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from cmb_harness.construction.concepts import read_concepts
from cmb_harness.construction.questions import make_records
from cmb_harness.example.videos import Shown, VideoPlan, exact
from cmb_harness.records import Record, read_region

HERE = Path(__file__).parent
NOTE = "unreviewed example, not CMB"

# Video A goes on at least this long after its moment: a clip cut a second late must not end inside it.
TAIL_S = Fraction(8, 5)
# A whole number of frames at each of the frame rates.
DURATION_STEP_S = Fraction(2, 5)


def read_example() -> list[Record]:
    """The example's records, in the order of its table, from its sample and its split."""
    region = read_region()
    split, sample = (json.loads((HERE / name).read_text("utf-8")) for name in ("split.json", "sample.json"))
    records = make_records(
        read_concepts(HERE / "concepts.csv", region),
        sample,
        region.writing_clusters,
        train=set(split["train"]),
        seeds=region.seeds,
    )
    return [replace(record, extra={"example": True, "note": NOTE}) for record in records]


def video_plans(concepts: Iterable[Record]) -> list[VideoPlan]:
    """One plan for each video of the concepts: video A shows the description's signature, B those of its pairs."""
    return [plan for concept in concepts for plan in (_plan_a(concept), *_plans_b(concept))]


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
