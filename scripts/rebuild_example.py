"""Makes the example's split, sample and secrets again, from its concept table and its fixed salts.

    python scripts/rebuild_example.py [DIR]

Writes split.json, sample.json and secrets.json to DIR, by default over those in the package; `cmb example` makes the
records of them. It does what `cmb split` and `cmb sample --sampler bswa --split` do, and marks the files as an example.
"""

import sys
from pathlib import Path

from cmb_harness.construction.concepts import read_concepts
from cmb_harness.construction.sampling import option_faults, sample_concepts
from cmb_harness.construction.similarity import light_similarity
from cmb_harness.construction.splits import secrets_file, split_concepts, split_file
from cmb_harness.construction.units import pair_units
from cmb_harness.example.table import HERE, NOTE
from cmb_harness.files import read_json, write_json
from cmb_harness.records import read_region

MARKS = {"example": True, "note": NOTE}


def main(directory: Path) -> None:
    """Write the three files."""
    region = read_region()
    concepts = read_concepts(HERE / "concepts.csv", region, needs=("description", "video_A_url"))
    seed = region.seeds["split"]
    division = split_concepts(concepts, pair_units(concepts, seed), seed=seed)
    train = set(division.train)
    assert not option_faults(concepts, region.ambiguity_groups, train)
    sampled = sample_concepts(
        concepts,
        light_similarity([concept.description for concept in concepts]),
        ambiguity_groups=region.ambiguity_groups,
        cap=region.cap,
        train=train,
    )
    secrets = read_json(HERE / "secrets.json")
    write_json(directory / "split.json", {**split_file(concepts, division, seed), **MARKS})
    write_json(directory / "sample.json", sampled.sample)
    write_json(directory / "secrets.json", {**secrets_file(division, secrets["salts"], secrets), **MARKS})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
