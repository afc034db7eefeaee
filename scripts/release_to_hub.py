"""Put a built dataset, or the metric, on the Hugging Face Hub, as one commit.

    python scripts/release_to_hub.py dataset cmb ORG/cmb [--tag 1.0.0] [--send]
    python scripts/release_to_hub.py metric ORG/cmb_metric [--tag v1.0.0] [--send]

Without --send it says what it would send, and sends nothing. The token is that of ``hf auth login``, or HF_TOKEN.
"""

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cmb_dataset import CONFIGS
from cmb_harness.dataset import CARD_NAME, Dataset, read_dataset
from cmb_harness.faults import InputError
from cmb_metric.signature import VERSION

HERE = Path(__file__).resolve().parent
METRIC = HERE.parent / "cmb_metric"
# A Space is a page too: the metric's own, and what the page needs.
SPACE = HERE / "metric_space"


def main(argv: Sequence[str] | None = None) -> int:
    """Look, say, send."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    for kind, what in (("dataset", "a folder that cmb build wrote"), ("metric", "cmb_metric/, as a Space")):
        each = kinds.add_parser(kind, help=what)
        if kind == "dataset":
            each.add_argument("folder", type=Path, metavar="DATASET", help=what)
        each.add_argument("repository", metavar="ORG/NAME")
        each.add_argument("--tag", help="name the commit, so that it can be asked for by revision")
        each.add_argument("--private", action="store_true", help="make a new repository private")
        each.add_argument("--send", action="store_true", help="send it")
    arguments = parser.parse_args(argv)
    try:
        refuse_names(arguments)
        if arguments.kind == "dataset":
            files, title = dataset_files(arguments.folder)
        else:
            files, title = metric_files(), f"Metric {VERSION}"
        print(f"{title}, to {arguments.repository}:")
        for name, path in sorted(files.items()):
            print(f"  {path.stat().st_size:>10,}  {name}")
        if not arguments.send:
            print("Nothing was sent; add --send.")
            return 0
        print(send(files, title, arguments))
    except InputError as error:
        print("\n".join(f"release_to_hub: {line}" for line in str(error).splitlines()), file=sys.stderr)
        return 1
    return 0


def refuse_names(arguments: argparse.Namespace) -> None:
    """Names that the libraries would look for something else under.

    Raises:
        InputError: the repository or the tag cannot have that name.
    """
    name, kind, tag = arguments.repository.rpartition("/")[2], arguments.kind, arguments.tag or ""
    faults = []
    if arguments.repository.count("/") != 1:
        faults.append(f"{arguments.repository}: expected ORG/NAME")
    if kind == "metric" and name != "cmb_metric":
        faults.append(f"{name}: evaluate looks for {name}.py in it; expected ORG/cmb_metric")
    if kind == "dataset" and name == "cmb_dataset":
        faults.append(
            f"{name}: datasets would take its cmb_dataset.py for a loading script; expected another name"
        )
    if kind == "metric" and re.match(r"\d*\.\d*\.\d*", tag):
        faults.append(f"--tag {tag}: evaluate asks for v{tag} when it is given {tag}; expected v{tag}")
    if faults:
        raise InputError(faults)


def dataset_files(folder: Path) -> tuple[dict[str, Path], str]:
    """(name in the repository → file, title) of a built dataset.

    Raises:
        InputError: it is not as it was built, was built for work at home, or holds what is not published.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder; cmb build writes one")
    dataset = read_dataset(folder)
    names = [CARD_NAME, "cmb_dataset.py"]
    names += [f"{config}/{split}-00000-of-00001.parquet" for config in CONFIGS for split in ("train", "test")]
    faults = unpublishable(dataset)
    present = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    faults += [f"{name}: is not of the build; take it out" for name in sorted(set(present) - set(names))]
    if faults:
        raise InputError([f"{folder}: {fault}" for fault in faults])
    phase = "all rows public" if not dataset.rows["s1"]["test"] else f"phase {dataset.phase}"
    return present, f"Dataset {dataset.version}, {phase}, content {dataset.sha256[:12]}"


def unpublishable(dataset: Dataset) -> list[str]:
    """What forbids publishing a dataset, in words."""
    faults = []
    hidden = any(parts.get("test") for parts in dataset.rows.values())
    if hidden and dataset.phase is None:
        faults.append(
            "was built without --phase: hidden items of all stages together, for work at home; "
            "build it with the phase that is to open"
        )
    clips = [
        option["clip"] for part in dataset.rows["s2"].values() for row in part for option in row["options"]
    ]
    videos = [row["video"] for part in dataset.rows["s3"].values() for row in part]
    local = sum(path is not None for path in clips + videos)
    if local:
        faults.append(f"holds {local} local paths of clips and videos")
    return faults


def metric_files() -> dict[str, Path]:
    """Name in the repository → file of the metric's Space."""
    paths = [*METRIC.glob("*.py"), METRIC / "README.md", *SPACE.iterdir()]
    return {path.name: path for path in paths if path.is_file()}


def send(files: dict[str, Path], title: str, arguments: argparse.Namespace) -> str:
    """Commit the files, in place of all that is there; return where they are, and how to load them.

    Raises:
        InputError: the Hub refuses, cannot be reached, or knows the tag already.
    """
    from huggingface_hub import HfApi

    name = arguments.repository
    kind = "dataset" if arguments.kind == "dataset" else "space"
    try:
        hub = HfApi()
        hub.create_repo(
            name,
            repo_type=kind,
            private=arguments.private,
            exist_ok=True,
            space_sdk=None if kind == "dataset" else "gradio",
        )
        if arguments.tag in {tag.name for tag in hub.list_repo_refs(name, repo_type=kind).tags}:
            raise InputError(f"{name}: has a tag {arguments.tag} already; a tag names one commit for good")
        with tempfile.TemporaryDirectory() as folder:
            for path_in_repo, path in files.items():
                target = Path(folder, path_in_repo)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
            made = hub.upload_folder(
                repo_id=name, repo_type=kind, folder_path=folder, commit_message=title, delete_patterns="*"
            )
        if arguments.tag:
            hub.create_tag(name, repo_type=kind, tag=arguments.tag, revision=made.oid)
    except InputError:
        raise
    except Exception as error:
        # Its HTTP client, and so the class of what it raises, changes between versions of huggingface_hub.
        raise InputError(f"{name}: {' '.join(str(error).split())[:400]}") from None
    revision = f', revision="{arguments.tag or made.oid}"'
    if kind == "dataset":
        return f'{made.commit_url}\nload_dataset("{name}", "s2"{revision})'
    return f'{made.commit_url}\nevaluate.load("{name}"{revision})'


if __name__ == "__main__":
    raise SystemExit(main())
