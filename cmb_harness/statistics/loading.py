"""What a command was given, as scored runs: run folders and prediction files are scored, scored records read."""

import os
from collections.abc import Sequence

from cmb_harness.faults import InputError
from cmb_harness.statistics.scored_records import is_scored_records, read_scored_records
from cmb_harness.statistics.scoring import (
    ReferenceSet,
    ScoredRun,
    Selection,
    distinct_models,
    read_reference_set,
    read_run,
    score_run,
)


def load_runs(
    paths: Sequence[str | os.PathLike[str]],
    selection: Selection,
    *,
    dataset: str | os.PathLike[str] | None = None,
    references: str | os.PathLike[str] | None = None,
) -> tuple[list[ScoredRun], ReferenceSet | None]:
    """Every path as one scored run, or, for a file of scored records, as one run a model.

    Returns:
        The runs, no two of one name, and the references; None where scored records alone were given and no dataset.

    Raises:
        InputError: the faults of all paths together.
    """
    needed = any(not is_scored_records(path) for path in paths)
    given = dataset is not None or references is not None
    known = read_reference_set(dataset, references) if needed or given else None
    runs: list[ScoredRun] = []
    faults: list[str] = []
    for path in paths:
        try:
            if is_scored_records(path):
                runs += read_scored_records(path, selection)
            elif known is not None:
                runs.append(score_run(read_run(path), known, selection))
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    return distinct_models(runs), known
