"""The built dataset: a folder that ``load_dataset`` reads as it is, and that we read without importing `datasets`.

``README.md`` (the dataset card; its YAML lists configs, features, version and content hash) and one Parquet file a
config and split: ``s1/train-00000-of-00001.parquet``. A split without rows has no file, because `datasets` cannot load
an empty split and one such split would take its config with it.
"""

import json
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import cmb_dataset
from cmb_dataset import COLUMNS, CONFIGS, STAGES, Fault, Record, Row, stage_rows, withheld
from cmb_harness.faults import InputError
from cmb_harness.records import RecordError

Rows = dict[str, dict[str, list[Row]]]

CARD_NAME = "README.md"
# Files in a build all bear this time (2000-01-01): when one was written tells nothing.
FILE_TIME = 946_684_800


@dataclass(frozen=True)
class Dataset:
    """A built dataset.

    Attributes:
        version: of the columns (`cmb_dataset.VERSION`).
        sha256: of all rows, by which a result says what it was measured on.
        phase: the phase it was built for; None: hidden items of all stages, for work at home.
        rows: config → split → rows, as ``load_dataset`` gives them: what the Parquet leaves out is None. Of ``s1``,
            ``s2`` and ``s3`` both splits are there, empty where the dataset has none.
    """

    version: str
    sha256: str
    phase: str | None
    rows: Rows


def build_dataset(
    records: Iterable[Record],
    *,
    split: Mapping[str, Any] | None = None,
    secrets: Mapping[str, Any] | None = None,
    phase: str | None = None,
) -> Dataset:
    """The dataset of records, in memory; `cmb_dataset.stage_rows` says what each argument does.

    Raises:
        RecordError: the split or the secrets do not fit, or a text that gets published names a hidden concept.
    """
    records = list(records)
    try:
        rows = {config: stage_rows(records, config, split, secrets, phase) for config in CONFIGS}
    except cmb_dataset.RecordError as error:
        raise RecordError(error.faults) from None
    if secrets is not None and phase != "concluded":
        _refuse_leaks(rows, secrets)
    return Dataset(cmb_dataset.VERSION, _content_sha256(_published(rows, phase)), phase, rows)


def write_dataset(
    dataset: Dataset,
    out: str | os.PathLike[str],
    *,
    card: str | os.PathLike[str] | None = None,
    notice: str = "",
) -> None:
    """Write a dataset as a folder, in place of an earlier build; the same dataset gives the same bytes.

    It is made beside ``out`` and swapped in, so that an interrupted build leaves the old folder whole.

    Args:
        out: the folder; made if it is missing.
        card: the source of its README.md; ours if None.
        notice: what the card begins with, such as that this is an example.

    Raises:
        InputError: ``out`` holds something that no build wrote, or the card has no YAML front matter.
    """
    target = Path(out).resolve()
    _refuse_foreign(target)
    source = Path(card) if card else Path(str(files("cmb_harness"))) / "dataset_card.md"
    published = _published(dataset.rows, dataset.phase)
    text = _card_text(source, dataset, published, notice)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        dir=target.parent, prefix=f".{target.name}.", suffix=".part"
    ) as temporary:
        made = Path(temporary) / "made"
        for config, split, columns, rows in published:
            _write_parquet(made / _file_name(config, split), config, columns, rows)
        (made / CARD_NAME).write_text(text, encoding="utf-8", newline="")
        shutil.copyfile(str(cmb_dataset.__file__), made / "cmb_dataset.py")
        for path in (*made.rglob("*"), made):
            os.utime(path, (FILE_TIME, FILE_TIME))
        _swap(made, target, Path(temporary) / "old")


def read_dataset(folder: str | os.PathLike[str]) -> Dataset:
    """Read a built dataset: a folder, or ``ORG/NAME`` on the Hub if there is no such folder.

    Raises:
        InputError: it is no built dataset, or is not as it was written.
    """
    path = _local(folder)
    front, _ = _front_matter(path / CARD_NAME)
    about = front.get("cmb")
    if not isinstance(about, dict) or not {"version", "sha256", "phase"} <= about.keys():
        raise InputError(f"{path}: not a dataset that cmb build wrote ({CARD_NAME} does not say so)")
    published = list(_read_published(path))
    if _content_sha256(published) != about["sha256"]:
        raise InputError(f"{path}: the rows are not those that {CARD_NAME} names: build or fetch it again")
    rows: Rows = {
        config: {"train": [], "test": []} if config in STAGES else {"train": []} for config in CONFIGS
    }
    for config, split, _, part in published:
        rows[config][split] = [{**dict.fromkeys(COLUMNS[config]), **row} for row in part]
    return Dataset(str(about["version"]), about["sha256"], about["phase"], rows)


def clip_moments(rows: Rows) -> list[tuple[str, float, float]]:
    """The moments that S2 shows, each once: (video_id, start_s, end_s)."""
    options = [option for part in rows["s2"].values() for row in part for option in row["options"]]
    return list(dict.fromkeys((option["video_id"], option["start_s"], option["end_s"]) for option in options))


def shared_videos(rows: Rows) -> list[str]:
    """Videos of both public and hidden items: they tell of a hidden item what is known of the public one."""
    sides = {
        split: {option["video_id"] for row in rows["s2"][split] for option in row["options"]}
        | {row["video_id"] for row in rows["s3"][split]}
        for split in ("train", "test")
    }
    return sorted(sides["train"] & sides["test"])


# (config, split, the columns that are published, the rows with these columns alone)
Part = tuple[str, str, list[str], list[Row]]


def _published(rows: Rows, phase: str | None) -> list[Part]:
    parts = []
    for config in CONFIGS:
        for split, part in rows[config].items():
            left_out = withheld(config, phase) if split == "test" else ()
            columns = [column for column in COLUMNS[config] if column not in left_out]
            if part:
                parts.append(
                    (config, split, columns, [{name: row[name] for name in columns} for row in part])
                )
    return parts


def _content_sha256(published: Iterable[Part]) -> str:
    return cmb_dataset.sha256_of([list(part) for part in published])


def _file_name(config: str, split: str) -> str:
    return f"{config}/{split}-00000-of-00001.parquet"


def _refuse_leaks(rows: Rows, secrets: Mapping[str, Any]) -> None:
    secret = map(re.escape, [*secrets["hidden_concepts"], *secrets["salts"].values()])
    pattern = re.compile(rf"(?:{'|'.join(secret)})(?![0-9])")
    faults = []
    for config, parts in rows.items():
        for row in (row for part in parts.values() for row in part):
            for name in sorted(set(pattern.findall(json.dumps(row, ensure_ascii=False)))):
                place = row.get("item_id") or row["concept_id"]
                faults.append(
                    Fault("records", place, config, f"what is published of it names {name}: hidden")
                )
    if faults:
        raise RecordError(faults)


def _refuse_foreign(target: Path) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise InputError(f"{target}: is a file; expected a folder")
    entries = {path.name for path in target.iterdir()}
    foreign = sorted(entries - {CARD_NAME, "cmb_dataset.py", *CONFIGS})
    if entries and not foreign:
        try:
            built = "cmb" in _front_matter(target / CARD_NAME)[0]
        except InputError:
            built = False
        foreign = [] if built else sorted(entries)
    if foreign:
        raise InputError(f"{target}: holds {', '.join(foreign)}, which no build wrote: choose another folder")


def _swap(made: Path, target: Path, old: Path) -> None:
    if not target.exists():
        os.rename(made, target)
        return
    os.rename(target, old)
    try:
        os.rename(made, target)
    except BaseException:
        os.rename(old, target)
        raise


def _write_parquet(path: Path, config: str, columns: Sequence[str], rows: list[Row]) -> None:
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema([(name, _arrow_type(COLUMNS[config][name])) for name in columns])
    path.parent.mkdir(parents=True, exist_ok=True)
    # `datasets` 3.6 cannot read the schema that newer ones keep in the metadata: the card holds the features.
    table = pyarrow.Table.from_pylist(rows, schema=schema)
    pyarrow.parquet.write_table(table, path, store_schema=False, write_statistics=False)


def _arrow_type(column: Any) -> Any:
    import pyarrow

    if isinstance(column, str):
        return {"string": pyarrow.string(), "int64": pyarrow.int64(), "float64": pyarrow.float64()}[column]
    if isinstance(column, list):
        return pyarrow.list_(_arrow_type(column[0]))
    return pyarrow.struct([(name, _arrow_type(part)) for name, part in column.items()])


def _read_published(path: Path) -> Iterator[Part]:
    import pyarrow
    import pyarrow.parquet

    for config in CONFIGS:
        for split in ("train", "test"):
            file = path / _file_name(config, split)
            if file.exists():
                try:
                    # read_table() would import pandas, which takes longer than all the rest.
                    with pyarrow.parquet.ParquetFile(file) as parquet:
                        table = parquet.read()
                except (pyarrow.ArrowException, OSError) as error:
                    raise InputError(f"{file}: not a Parquet file that can be read: {error}") from None
                yield config, split, table.column_names, table.to_pylist()


def _local(folder: str | os.PathLike[str]) -> Path:
    path = Path(folder)
    if path.is_dir():
        return path
    if path.exists() or not re.fullmatch(r"[\w.-]+/[\w.-]+", str(folder)):
        raise InputError(f"{folder}: no such folder; cmb build writes one")
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(str(folder), repo_type="dataset", allow_patterns=["*.md", "*.parquet"]))
    except Exception as error:
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"{folder}: no such folder, and none from the Hub: {reason}") from None


def _front_matter(path: Path) -> tuple[dict[str, Any], str]:
    """(the YAML at the head of a card, the text below it)."""
    import yaml

    try:
        text = path.read_text(encoding="utf-8-sig")
        match = re.match(r"---\n(.*?\n)---\n(.*)", text, re.DOTALL)
        front = yaml.safe_load(match[1]) if match else None
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; a dataset that cmb build wrote has one") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    if not match or not isinstance(front, dict):
        raise InputError(f"{path}: expected YAML between two lines of ---, then text")
    return front, match[2]


def _card_text(source: Path, dataset: Dataset, published: Sequence[Part], notice: str) -> str:
    import yaml

    front, body = _front_matter(source)
    configs = list(dict.fromkeys(config for config, _, _, _ in published))
    front["size_categories"] = [_size_category(sum(len(rows) for _, _, _, rows in published))]
    front["configs"] = [_config_entry(config, dataset, published) for config in configs]
    front["dataset_info"] = [
        {"config_name": config, "version": dataset.version, "features": _features(COLUMNS[config])}
        for config in configs
    ]
    front["cmb"] = {"version": dataset.version, "sha256": dataset.sha256, "phase": dataset.phase}
    filled = {
        "notice": f"> **{notice}**\n\n" if notice else "",
        "contents": _contents(dataset.rows),
        "version": dataset.version,
        "phase": dataset.phase or "none",
        "sha256": dataset.sha256,
    }
    for name, value in filled.items():
        body = body.replace("{{" + name + "}}", value)
    return f"---\n{yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=110)}---\n{body}"


def _config_entry(config: str, dataset: Dataset, published: Iterable[Part]) -> Row:
    splits = [split for name, split, _, _ in published if name == config]
    return {
        "config_name": config,
        # `datasets` keeps what it has loaded under a name made of this text, so it must change with the rows.
        "description": f"{config} of CMB, content {dataset.sha256}",
        "data_files": [{"split": split, "path": _file_name(config, split)} for split in splits],
        **({"default": True} if config == "s2" else {}),
    }


def _features(columns: Mapping[str, Any]) -> list[Row]:
    """Columns in the notation of a card's ``dataset_info``, which 3.6 and later versions of `datasets` read alike."""

    def feature(column: Any) -> Row:
        if isinstance(column, str):
            return {"dtype": column}
        if isinstance(column, list):
            return {"list": column[0] if isinstance(column[0], str) else _features(column[0])}
        return {"struct": _features(column)}

    return [{"name": name, **feature(column)} for name, column in columns.items()]


def _size_category(n_rows: int) -> str:
    return "n<1K" if n_rows < 1000 else "1K<n<10K" if n_rows < 10_000 else "10K<n<100K"


def _contents(rows: Rows) -> str:
    """How much there is; of hidden items their number alone, since the rest would help to guess them."""
    counts = [f"| `{stage}` | {len(rows[stage]['train'])} | {len(rows[stage]['test'])} |" for stage in STAGES]
    public = rows["s1"]["train"]
    cells = Counter((row["country"], row["category"]) for row in public)
    countries = sorted({row["country"] for row in public})
    categories = sorted({row["category"] for row in public})
    table = [
        f"| {country} | {' | '.join(str(cells[country, name]) for name in categories)} |"
        for country in countries
    ]
    lines = ["| config | items in `train` | items in `test` |", "|---|---|---|", *counts]
    if public:
        head = f"| public concepts | {' | '.join(categories)} |"
        lines += ["", head, f"|{'---|' * (len(categories) + 1)}", *table]
    return "\n".join(lines)
