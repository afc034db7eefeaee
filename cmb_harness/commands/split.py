"""``cmb split``: which concepts are public, and the secrets of the others."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cmb_harness.construction.splits import Division
    from cmb_harness.construction.units import Placed, Unit
    from cmb_harness.records import Region

HELP = "divide concepts into public and hidden ones, evenly over countries and categories"
EXAMPLE = "cmb split example/concepts.csv --out split.json --secrets secrets.json"
SALTS = ("ids", "s1", "s2", "s3")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb split``."""
    parser.add_argument(
        "concepts",
        type=Path,
        metavar="RECORDS|CONCEPTS",
        help="a concept table (CSV, JSON), or records, whose questions stay whole",
    )
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="the split, which is public")
    parser.add_argument(
        "--secrets",
        required=True,
        type=Path,
        metavar="FILE",
        help="salts and hidden concepts, readable by you alone; salts that are there are kept",
    )
    parser.add_argument("--test-share", type=float, default=0.5, metavar="X", help="share to hide (0.5)")
    parser.add_argument("--seed", type=int, help="of the draws (default: the region's)")
    parser.add_argument(
        "--by",
        choices=("pair", "block"),
        help="what stays together: same-country pairs (default), or the blocks of --sample",
    )
    parser.add_argument("--sample", type=Path, metavar="FILE", help="from cmb sample --sampler block")
    parser.add_argument(
        "--leftovers",
        choices=("either", "public"),
        default="either",
        help="with --by block: concepts in no block may be hidden (default), or stay public, all of them",
    )
    parser.add_argument(
        "--region", type=Path, metavar="FILE", help="a region file; Southeast Asia if not given"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the split and the secrets; print how many of what are hidden."""
    import sys

    from cmb_harness.construction.splits import secrets_file, split_file
    from cmb_harness.faults import InputError
    from cmb_harness.files import write_json
    from cmb_harness.records import read_region

    if arguments.out.resolve() == arguments.secrets.resolve():
        raise InputError(f"--out and --secrets: {arguments.out} cannot be both: the split is public")
    region = read_region(arguments.region)
    seed = region.seeds.get("split", 42) if arguments.seed is None else arguments.seed
    concepts, division = _divide(arguments, region, seed)
    before = _secrets_before(arguments.secrets)
    secrets = secrets_file(division, _new_salts(), before)
    if before.get("references") and not secrets["references"]:
        print(
            f"cmb: warning: {arguments.secrets}: other concepts are hidden now: key table removed",
            file=sys.stderr,
        )
    write_json(arguments.secrets, secrets, private=True)
    write_json(arguments.out, split_file(concepts, division, seed))
    for name in division.undivided:
        print(
            f"cmb: warning: {name} is public as a whole: its two sides could not both hold questions",
            file=sys.stderr,
        )
    print("\n".join(summary(concepts, set(division.hidden), region)))
    return 0


def summary(concepts: Sequence["Placed"], hidden: set[str], region: "Region") -> list[str]:
    """How many of all concepts, of each category and of each country are hidden, as lines of text."""
    lines = [f"hidden  {len(hidden)} of {len(concepts)} concepts"]
    for what, order in (("category", region.categories), ("country", tuple(region.writing_clusters))):
        for name in order:
            members = [c.concept_id for c in concepts if getattr(c, what) == name]
            if members:
                lines.append(f"        {len(hidden & set(members))} of {len(members)}  {name}")
    return lines


def _divide(
    arguments: argparse.Namespace, region: "Region", seed: int
) -> tuple[Sequence["Placed"], "Division"]:
    from cmb_harness.construction.concepts import read_concepts
    from cmb_harness.construction.inputs import holds_records
    from cmb_harness.construction.sampling import option_faults
    from cmb_harness.construction.splits import split_concepts
    from cmb_harness.construction.units import component_units
    from cmb_harness.faults import InputError
    from cmb_harness.records import read_records

    share = arguments.test_share
    if holds_records(arguments.concepts):
        if arguments.by or arguments.sample or arguments.leftovers != "either":
            raise InputError(
                "--by, --sample and --leftovers are for a concept table: the options of records stay together"
            )
        records = read_records(arguments.concepts, region)
        return records, split_concepts(
            records, component_units(records), test_share=share, seed=seed, tied=True
        )
    concepts = read_concepts(arguments.concepts, region)
    units, public = _units(arguments, concepts, seed)
    division = split_concepts(concepts, units, test_share=share, seed=seed, public=public)
    faults = option_faults(concepts, region.ambiguity_groups, set(division.train))
    if faults:
        raise InputError(faults)
    return concepts, division


def _units(
    arguments: argparse.Namespace, concepts: Sequence["Placed"], seed: int
) -> tuple[list["Unit"], set[str]]:
    """(what stays together, which concepts stay public)."""
    from cmb_harness.construction.inputs import read_sample
    from cmb_harness.construction.units import block_units, leftovers_of, pair_units
    from cmb_harness.faults import InputError

    if (arguments.by == "block") != bool(arguments.sample):
        raise InputError("--by block and --sample FILE go together")
    if arguments.by != "block":
        if arguments.leftovers != "either":
            raise InputError("--leftovers goes with --by block")
        return pair_units(concepts, seed), set()
    sample = read_sample(arguments.sample, concepts, ("block",))
    left = leftovers_of(concepts, sample) if arguments.leftovers == "public" else set()
    return block_units(concepts, sample, seed), left


def _secrets_before(path: Path) -> Mapping[str, Any]:
    """What the secrets file holds already: its salts go into every id of a release, so they are never replaced."""
    from cmb_harness.faults import InputError
    from cmb_harness.files import read_json

    if not path.exists():
        return {}
    before = read_json(path)
    if not isinstance(before, dict) or not isinstance(before.get("salts"), dict):
        raise InputError(f"{path}: salts: expected an object; the file stays as it is")
    faults = [
        f"{path}: salts.{name}: expected at least 32 hexadecimal digits; the file stays as it is"
        for name, salt in before["salts"].items()
        if not _is_salt(salt)
    ]
    if faults:
        raise InputError(faults)
    return before


def _is_salt(salt: Any) -> bool:
    return isinstance(salt, str) and len(salt) >= 32 and set(salt) <= set("0123456789abcdefABCDEF")


def _new_salts() -> dict[str, str]:
    import secrets

    return {name: secrets.token_hex(32) for name in SALTS}
