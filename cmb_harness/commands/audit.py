"""``cmb audit``: what is wrong with a release, and what it gives away."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cmb_harness.faults import InputError

if TYPE_CHECKING:
    from cmb_harness.construction.audit import FileFacts, Finding, Named, Release
    from cmb_harness.records import Region

# Records are looked at as they would first be published.
PHASE = "recognition"

HELP = "faults of a release, and what can be guessed, matched, joined and compared, beside chance"
EXAMPLE = "cmb audit cmb --secrets example/secrets.json --json audit.json --markdown audit.md"


@dataclass(frozen=True)
class Known:
    """What is known apart from the release: the region, names and countries, lengths of videos by id."""

    region: "Region"
    inventory: Sequence["Named"]
    lengths: dict[str, float]

    @property
    def of_videos_and_names(self) -> dict[str, Any]:
        """For `release_of`."""
        return {"inventory": self.inventory, "lengths": self.lengths}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb audit``."""
    parser.add_argument(
        "release", type=Path, metavar="RELEASE", help="a folder that cmb build wrote, or records"
    )
    parser.add_argument(
        "--secrets",
        type=Path,
        metavar="FILE",
        help="the secrets file: keys of hidden items, for exact figures",
    )
    parser.add_argument("--against", type=Path, metavar="OLD", help="an earlier release to compare with")
    parser.add_argument(
        "--inventory",
        type=Path,
        metavar="FILE",
        help="a concept table, for the countries of names; that of Southeast Asia if no --region is given",
    )
    parser.add_argument("--cache", type=Path, metavar="CACHE", help="of cmb fetch: the lengths of its videos")
    parser.add_argument(
        "--region", type=Path, metavar="FILE", help="a region file; Southeast Asia if not given"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the findings here")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the table and a text for the card here"
    )
    parser.add_argument(
        "--seed", type=int, default=42, help="of the bootstrap, the chains and the simulated solvers"
    )


def run(arguments: argparse.Namespace) -> int:
    """Check, print, write."""
    from cmb_harness.construction.audit import Settings, audit
    from cmb_harness.records import read_region
    from cmb_harness.report.formats import to_text

    if arguments.seed < 0:
        raise InputError(f"--seed {arguments.seed}: expected a whole number from 0")
    known = Known(read_region(arguments.region), _inventory(arguments), _lengths(arguments.cache))
    release, about = _read(arguments.release, arguments.secrets, known)
    against = _read(arguments.against, None, known)[0] if arguments.against else None
    settings = Settings(seed=arguments.seed)
    files = file_facts(arguments.release)
    findings = audit(release, known.region, against=against, files=files, settings=settings)
    table = findings_table(findings, f"Audit of {about['name']}", settings)
    _write(arguments, findings, table, {**about, **vars(settings)})
    sys.stdout.write(to_text([table]))
    return 0


def findings_table(findings: Sequence["Finding"], title: str, settings: Any) -> Any:
    """The table of the audit: check, where, severity, figure, interval, chance, evidence."""
    from cmb_harness.construction.audit.findings import SEVERITIES
    from cmb_harness.report.tables import Number, Table

    def number(value: float | None, scale: str) -> Number | str:
        return "" if value is None else Number(value, scale=scale)

    def interval(finding: "Finding") -> str:
        if finding.interval is None:
            return ""
        return f"[{', '.join(Number(bound, scale=finding.scale).text() for bound in finding.interval)}]"

    rows = [
        (
            finding.check,
            finding.where,
            finding.severity,
            number(finding.figure, finding.scale),
            interval(finding),
            number(finding.chance, finding.scale),
            finding.evidence,
        )
        for finding in findings
    ]
    count = {name: sum(finding.severity == name for finding in findings) for name in SEVERITIES}
    totals = ", ".join(f"{n} {name}" for name, n in count.items() if n)
    return Table(
        "audit",
        title,
        ("check", "where", "severity", "figure", "interval", "chance", "evidence"),
        rows,
        (f"{totals}.",),
        f"seed {settings.seed}, {settings.n_resamples} resamples, {settings.confidence_level:.0%} intervals",
    )


def file_facts(path: Path) -> list["FileFacts"]:
    """The files of a release folder; none for records."""
    from cmb_harness.construction.audit import FileFacts

    if not (path / "README.md").exists():
        return []
    facts = []
    for file in sorted(path.rglob("*")):
        # What a download tool keeps beside a dataset is no part of it.
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(path).parts):
            status = file.stat()
            facts.append(FileFacts(file.relative_to(path).as_posix(), status.st_mtime, status.st_size))
    return facts


def _read(path: Path, secrets_path: Path | None, known: Known) -> tuple["Release", dict[str, Any]]:
    """(the release, what it is called in reports)."""
    from cmb_harness.construction.audit import release_of
    from cmb_harness.files import read_json

    secrets = read_json(secrets_path) if secrets_path else None
    if secrets is not None and not isinstance(secrets, dict):
        raise InputError(f"{secrets_path}: expected an object, a secrets file")
    if path.is_file() or (path.is_dir() and not (path / "README.md").exists()):
        return _from_records(path, secrets, secrets_path, known)
    from cmb_harness.dataset import read_dataset

    dataset = read_dataset(path)
    references = _references(secrets, secrets_path)
    _check_keys(dataset.rows, references, secrets_path)
    release = release_of(
        dataset.rows, references=references, phase=dataset.phase, **known.of_videos_and_names
    )
    about = {"name": path.name, "version": dataset.version, "sha256": dataset.sha256, "phase": dataset.phase}
    return release, about


def _from_records(
    path: Path,
    secrets: dict[str, Any] | None,
    secrets_path: Path | None,
    known: Known,
) -> tuple["Release", dict[str, Any]]:
    """Records as they would be built: all public, or with the hidden concepts of the secrets hidden."""
    import dataclasses

    from cmb_dataset import STAGES, key_table, stage_rows
    from cmb_dataset import RecordError as Faulty
    from cmb_harness.construction.audit import release_of
    from cmb_harness.records import RecordError, read_records, records_sha256

    records = read_records(path, known.region)
    split = None
    if secrets is not None:
        hidden = secrets.get("hidden_concepts")
        if not isinstance(hidden, list):
            raise InputError(f"{secrets_path}: hidden_concepts: expected a list of concept_ids")
        train = [record.concept_id for record in records if record.concept_id not in set(map(str, hidden))]
        split = {"records_sha256": records_sha256(records), "train": train}
    try:
        rows = {stage: stage_rows(records, stage, split, secrets, PHASE) for stage in STAGES}
        references = key_table(records, split, secrets, PHASE) if split else []
    except Faulty as error:
        names = {"records": str(path), "secrets": str(secrets_path), "split": str(secrets_path)}
        raise RecordError(
            dataclasses.replace(fault, file=names.get(fault.file, fault.file)) for fault in error.faults
        ) from None
    release = release_of(rows, references=references, **known.of_videos_and_names)
    return release, {"name": path.name, "records_sha256": records_sha256(records)}


def _references(secrets: dict[str, Any] | None, path: Path | None) -> list[dict[str, Any]]:
    if secrets is None:
        return []
    rows = secrets.get("references")
    if not isinstance(rows, list) or not all(isinstance(row, dict) and row.get("item_id") for row in rows):
        raise InputError(f"{path}: references: expected a list of reference rows, as cmb build writes them")
    return rows


def _check_keys(rows: Any, references: Sequence[dict[str, Any]], path: Path | None) -> None:
    """The secrets must be those of this release, or no figure would be of it."""
    if path is None:
        return
    keyed = {row["item_id"] for row in references}
    missing = sum(row["item_id"] not in keyed for stage in ("s1", "s2", "s3") for row in rows[stage]["test"])
    if missing:
        raise InputError(
            f"{path}: references: no key for {missing} hidden items: run cmb build with these secrets"
        )


def _inventory(arguments: argparse.Namespace) -> list["Named"]:
    from importlib.resources import files

    from cmb_harness.construction.audit import Named
    from cmb_harness.construction.concepts import read_concepts

    path = arguments.inventory
    if path is None:
        if arguments.region:
            return []
        path = Path(str(files("cmb_harness"))) / "regions" / "southeast_asia_inventory.csv"
    return [
        Named(concept.concept_id, concept.country, concept.category, concept.common_latin)
        for concept in read_concepts(path)
    ]


def _lengths(cache: Path | None) -> dict[str, float]:
    if cache is None:
        return {}
    from cmb_harness.media.manifest import MANIFEST_NAME, Manifest

    if not (cache / MANIFEST_NAME).exists():
        raise InputError(f"{cache}: holds no {MANIFEST_NAME}; cmb fetch writes one")
    rows = Manifest(cache).accepted.values()
    return {row["id"]: float(row["duration_s"]) for row in rows if row.get("duration_s")}


def _write(
    arguments: argparse.Namespace, findings: Sequence["Finding"], table: Any, about: dict[str, Any]
) -> None:
    from cmb_harness.construction.audit import card_text
    from cmb_harness.files import write_json, write_whole
    from cmb_harness.report.formats import to_markdown

    text = card_text(findings)
    if arguments.json:
        rows = [finding.as_json() for finding in findings]
        write_json(arguments.json, {"release": about, "findings": rows, "reading": text})
    if arguments.markdown:
        with write_whole(arguments.markdown) as file:
            file.write(f"{to_markdown([table])}\n## What a score means\n\n{text}")
