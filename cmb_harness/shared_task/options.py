"""Options as numbers, so that names and moments are compared alike."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmb_harness.shared_task.asked import Row


def option_numbers(rows: Sequence[Row]) -> NDArray[np.int64]:
    """(N, 4): the options of S1 rows (names) or S2 rows (moments), the same number for the same option."""
    numbers: dict[Hashable, int] = {}
    return np.array([[numbers.setdefault(_option(o), len(numbers)) for o in row["options"]] for row in rows])


def _option(option: Any) -> Hashable:
    return option if isinstance(option, str) else (option["video_id"], option["start_s"], option["end_s"])
