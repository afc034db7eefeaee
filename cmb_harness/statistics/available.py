"""Which items could be seen at all: those whose media a manifest lists as fetched."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.statistics.scoring import STAGES, ScoredRun
from cmb_metric.availability import only


def media_of_items(
    rows: Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]],
) -> dict[str, frozenset[str]]:
    """item_id → ids of the videos that it shows: none at S1, the four options' at S2, one at S3.

    Args:
        rows: config → split → rows, as the built dataset has them.
    """
    shown: dict[str, frozenset[str]] = {}
    for stage in STAGES:
        for split in rows.get(stage, {}).values():
            for row in split:
                moments = row["options"] if stage == "s2" else [row] if stage == "s3" else []
                shown[row["item_id"]] = frozenset(moment["video_id"] for moment in moments)
    return shown


def available_items(
    manifest: str | os.PathLike[str], media: Mapping[str, frozenset[str]], item_ids: Sequence[str]
) -> frozenset[str]:
    """The items all of whose videos the manifest lists as ``ok``.

    Raises:
        InputError: the manifest cannot be read, or an item is not in the dataset, so that its videos are not known.
    """
    from cmb_harness.media.manifest import read_reference

    unknown = [item_id for item_id in item_ids if item_id not in media]
    if unknown:
        raise InputError(
            f"--available: needs the dataset that names the videos of the items; {len(unknown)} items are not in it, "
            f"first {', '.join(unknown[:5])}"
        )
    videos = set(read_reference(manifest))
    return frozenset(item_id for item_id in item_ids if media[item_id] <= videos)


def restricted(run: ScoredRun, available: frozenset[str], said: str) -> ScoredRun:
    """The run on the available items alone; ``said`` is added to the dataset's name, and so to the signature.

    Raises:
        InputError: nothing is left.
    """
    scored = only(run.scored, available)
    if not scored.items:
        raise InputError("--available: not one item of the dataset is available")
    return replace(run, scored=scored, dataset=f"{run.dataset}/{said}")
