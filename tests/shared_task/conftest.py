"""A small release made by hand: 32 concepts of four countries in blocks, half of them hidden."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import cmb_dataset
from cmb_dataset import Moment, Pair, Record
from cmb_harness.dataset import build_dataset, write_dataset
from cmb_harness.shared_task.asked import Asked, asked_in
from cmb_harness.shared_task.template import template_lines

SECRETS = {"salts": {name: name.encode().hex().ljust(32, "0") for name in ("ids", "s1", "s2", "s3")}}
PAIRS = (1, 2, 1, 0)  # pairs of the first, second … concept of a block


@dataclass(frozen=True)
class Release:
    """Rows as participants have them in one phase, and the key table of the hidden ones."""

    rows: dict[str, dict[str, list[dict[str, Any]]]]
    key: list[dict[str, Any]]

    def asked(self, phase: str) -> Asked:
        return asked_in(phase, self.rows)


def block_records(n_blocks: int = 8) -> list[Record]:
    """Blocks of four concepts, two of each of two countries, that share one option set."""
    return [record for block in range(n_blocks) for record in _block(block)]


def _block(block: int) -> Iterable[Record]:
    category = ("Dance", "Music")[block % 2]
    countries = (("AA", "BB"), ("CC", "DD"))[block // 2 % 2]
    members = [(countries[i // 2], 10 + 2 * block + i % 2) for i in range(4)]
    names = tuple(f"Name {block}.{i}" for i in range(4))
    moments = tuple(Moment(f"A{block:04d}{i}-----", 2.0 + i, 5.0 + i) for i in range(4))
    for i, (country, number) in enumerate(members):
        pairs = (
            Pair(f"B{block:04d}{i}{k}----", 3.0 + k, 9.0 + k, f"event {k}", 60.0) for k in range(PAIRS[i])
        )
        yield Record(
            concept_id=f"{country}-{category}-{number}",
            country=country,
            category=category,
            concept_name=names[i],
            description=f"Description {block}.{i}",
            s1_options=names,
            s1_correct_index=i,
            video_A_url=moments[i].video_id,
            video_A_s2_moment=moments[i][1:],
            s2_options=moments,
            s2_correct_index=i,
            s3_pairs=tuple(pairs),
            writing_cluster="Latin" if country in ("AA", "BB") else "Local",
        )


def build_release(records: list[Record], hidden: Iterable[str], phase: str | None) -> Release:
    hidden = set(hidden)
    train = [record.concept_id for record in records if record.concept_id not in hidden]
    split = {"records_sha256": cmb_dataset.records_sha256(records), "seed": 0, "train": train}
    secrets = SECRETS | {"hidden_concepts": sorted(hidden), "references": []}
    rows = {
        stage: cmb_dataset.stage_rows(records, stage, split, secrets, phase) for stage in ("s1", "s2", "s3")
    }
    return Release(rows, cmb_dataset.key_table(records, split, secrets, phase))


def hidden_half(records: list[Record]) -> list[str]:
    return [record.concept_id for record in records[: len(records) // 2]]


@pytest.fixture(scope="session")
def release_of() -> Callable[[str | None], Release]:
    """The release in a phase."""

    def build(phase: str | None) -> Release:
        records = block_records()
        return build_release(records, hidden_half(records), phase)

    return build


@pytest.fixture(scope="session")
def recognition(release_of: Callable[..., Release]) -> Release:
    return release_of("recognition")


@pytest.fixture(scope="session")
def localization(release_of: Callable[..., Release]) -> Release:
    return release_of("localization")


@pytest.fixture(scope="session")
def honest() -> Callable[..., list[dict[str, Any]]]:
    """``honest(asked, modes=…)``: a header and the rows of a complete file that answers 1 or [2, 8] everywhere."""

    def lines(asked: Asked, **options: Any) -> list[dict[str, Any]]:
        header, *rows = template_lines(asked, **options)
        filled = [row | ({"choice": 1} if "choice" in row else {"span": [2.0, 8.0]}) for row in rows]
        return [header | {"header": {"team": "Honest", "model": "fixed"}}, *filled]

    return lines


@pytest.fixture(scope="session")
def to_bytes() -> Callable[[Iterable[dict[str, Any]]], bytes]:
    """JSON Lines as bytes."""
    return lambda lines: "".join(json.dumps(line) + "\n" for line in lines).encode()


@pytest.fixture(scope="session")
def organiser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``recognition/`` and ``localization/``, datasets with one hidden half, and ``secrets.json``."""
    folder = tmp_path_factory.mktemp("organiser")
    records = block_records()
    hidden = set(hidden_half(records))
    train = [record.concept_id for record in records if record.concept_id not in hidden]
    split = {"records_sha256": cmb_dataset.records_sha256(records), "seed": 0, "train": train}
    secrets = SECRETS | {"hidden_concepts": sorted(hidden), "references": []}
    for phase in ("recognition", "localization"):
        write_dataset(build_dataset(records, split=split, secrets=secrets, phase=phase), folder / phase)
    key = cmb_dataset.key_table(records, split, secrets, "localization")
    (folder / "secrets.json").write_text(json.dumps(secrets | {"references": key}))
    return folder
