"""What must never reach a page: keys of the hidden test, and the file that holds them."""

import json
import os
import re
from collections.abc import Collection, Iterable
from pathlib import Path

from cmb_harness.faults import InputError
from cmb_harness.statistics.paper import Runs

# What `cmb split` puts into a secrets file; nothing else has either.
SECRET_FIELDS = {"salts", "hidden_concepts"}
HIDDEN_ID = re.compile(r"s[123]-[0-9a-f]{16}")


def refuse_secrets(paths: Iterable[str | os.PathLike[str] | None]) -> None:
    """Refuse a secrets file that was given in place of something else.

    Raises:
        InputError: naming every such file.
    """
    secret = [path for path in paths if path is not None and _is_secrets(Path(path))]
    if secret:
        raise InputError(
            f"{path}: is a secrets file: a report is made from public items alone, and never reads it"
            for path in secret
        )


def refuse_hidden(runs: Runs, public: Collection[str]) -> None:
    """Refuse runs that were scored on the hidden test: exact scores by cell give its keys away.

    Args:
        public: item ids whose keys the dataset itself holds.

    Raises:
        InputError: with the number of such items by model.
    """
    faults = []
    for (model, mode, _, _), run in runs.scored.items():
        ids = {item.item_id for item in run.scored.items if HIDDEN_ID.fullmatch(item.item_id)}
        if n := len(ids - set(public)):
            faults.append(
                f"{model}, {mode}: scored on {n} items of the hidden test: a report shows public items alone; "
                "cmb submit score prints what a phase allows"
            )
    if faults:
        raise InputError(faults)


def _is_secrets(path: Path) -> bool:
    if not path.is_file():
        return False
    try:
        value = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(value, dict) and bool(SECRET_FIELDS & value.keys())
