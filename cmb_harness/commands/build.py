"""``cmb build``: records to the dataset folder that ``load_dataset`` reads."""

import argparse
import dataclasses
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cmb_dataset import PHASES, STAGES, Record, key_table, records_sha256
from cmb_harness.faults import InputError

if TYPE_CHECKING:
    from cmb_harness.dataset import Dataset

HELP = "build the dataset folder; with a split, its hidden items and their key table"
EXAMPLE = "cmb build example/records.json --out cmb --split example/split.json --secrets example/secrets.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb build``."""
    parser.add_argument(
        "records", type=Path, metavar="RECORDS", help="a JSON list, JSON Lines, or a folder of them"
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="DIR", help="the folder; an earlier build is replaced"
    )
    parser.add_argument(
        "--split", type=Path, metavar="FILE", help="what is public, from cmb split; else all is"
    )
    parser.add_argument(
        "--secrets", type=Path, metavar="FILE", help="from cmb split; the key table is written into it"
    )
    parser.add_argument(
        "--phase", choices=PHASES, help="what of the hidden test is out; always name it when you publish"
    )
    parser.add_argument(
        "--clips", type=Path, metavar="CACHE", help="also cut the clips that this cache lacks"
    )
    parser.add_argument(
        "--region", type=Path, metavar="FILE", help="a region file; Southeast Asia if not given"
    )
    parser.add_argument(
        "--card", type=Path, metavar="FILE", help="the source of the folder's README.md; else ours"
    )


def run(arguments: argparse.Namespace) -> int:
    """Build the folder; exit 1 when clips were asked for and not one is there."""
    from cmb_harness.dataset import build_dataset, shared_videos, write_dataset
    from cmb_harness.files import read_json
    from cmb_harness.records import RecordError, read_records, read_region

    if arguments.phase and not arguments.split:
        raise InputError(f"--phase {arguments.phase}: nothing is hidden without --split and --secrets")
    records = read_records(arguments.records, read_region(arguments.region))
    split = read_json(arguments.split) if arguments.split else None
    secrets = read_json(arguments.secrets) if arguments.secrets else None
    phase = arguments.phase
    try:
        dataset = build_dataset(records, split=split, secrets=secrets, phase=phase)
    except RecordError as error:
        names = {name: str(getattr(arguments, name) or name) for name in ("records", "split", "secrets")}
        raise RecordError(
            dataclasses.replace(fault, file=names.get(fault.file, fault.file)) for fault in error.faults
        ) from None
    write_dataset(dataset, arguments.out, card=arguments.card, notice=common_note(records))
    if secrets is not None:
        _keep_keys(arguments.secrets, secrets, key_table(records, split, secrets, phase))
    shared = shared_videos(dataset.rows)
    if shared:
        print(f"cmb: warning: videos of both public and hidden items: {', '.join(shared)}", file=sys.stderr)
    if arguments.region and not arguments.card:
        print(
            "cmb: warning: the card is that of Southeast Asia's CMB; --card FILE takes your own",
            file=sys.stderr,
        )
    if split is not None:
        _warn_of_the_split(split, records, dataset)
    _print_summary(arguments.out, dataset)
    return _cut(arguments.clips, dataset) if arguments.clips else 0


def common_note(records: Sequence[Record]) -> str:
    """What every record says in a field ``note``, such as that it is an example; else nothing."""
    notes = {str(record.extra.get("note") or "") for record in records}
    return notes.pop() if len(notes) == 1 else ""


def _warn_of_the_split(split: Mapping[str, Any], records: Sequence[Record], dataset: "Dataset") -> None:
    if split.get("records_sha256") != records_sha256(records):
        message = "records_sha256 is not that of these records, though all concepts have their side"
        print(f"cmb: warning: split: {message}", file=sys.stderr)
    if dataset.phase is None and dataset.rows["s3"]["test"]:
        message = "S3 of hidden concepts is in this build, and S3 states their names: keep it at home"
        print(f"cmb: warning: {message}, or build with --phase recognition", file=sys.stderr)


def _keep_keys(path: Path, secrets: Mapping[str, Any], references: Sequence[Mapping[str, Any]]) -> None:
    from cmb_harness.files import write_json

    if secrets.get("references") == references:
        return
    write_json(path, {**secrets, "references": references}, private=True)


def _print_summary(out: Path, dataset: "Dataset") -> None:
    for stage in STAGES:
        counts = [f"{len(rows)} in {split}" for split, rows in dataset.rows[stage].items()]
        print(f"{out}: {stage}: {', '.join(counts)}")
    print(f"{out}: version {dataset.version}, content {dataset.sha256}")


def _cut(cache: Path, dataset: "Dataset") -> int:
    from cmb_harness.dataset import clip_moments
    from cmb_harness.media import cut_clips

    rows = cut_clips(clip_moments(dataset.rows), cache, jobs=os.cpu_count() or 1, progress=True)
    for row in rows:
        if row["clip"] is None:
            print(f"cmb: no clip: {row['message']}", file=sys.stderr)
    states = Counter(row["state"] for row in rows)
    print(f"{cache}: clips: {', '.join(f'{count} {state}' for state, count in sorted(states.items()))}")
    return 0 if any(row["clip"] for row in rows) or not rows else 1
