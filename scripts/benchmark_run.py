"""How fast the runner itself is: S1 items a second with an instant model, and what a resumed run costs.

    python scripts/benchmark_run.py [--items N]

Reading and writing are real (a run folder on the disk), start-up is aside. Exits with 1 when fresh S1 items go slower
than 500 a second.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cmb_harness.models import Model, load_model
from cmb_harness.questions import Plan
from cmb_harness.run import run

ENOUGH = 500
NAMES = ["Songkran", "Thingyan", "Pchum Ben", "Tet"]


def main() -> int:
    """Measure and print one line a figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=10_000, metavar="N", help="S1 items (10,000)")
    rows = {"s1": s1_rows(parser.parse_args().items)}
    slowest = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        for parallel in (1, 8):
            out = Path(folder) / str(parallel)
            rate = items_a_second(rows, load_model("chance"), out, parallel)
            slowest = min(slowest, rate)
            print(f"S1 items a second, fresh, {parallel} at once: {rate:.0f} (at least {ENOUGH})")
            again = items_a_second(rows, load_model("chance"), out, parallel)
            print(f"S1 items a second, all answered before, {parallel} at once: {again:.0f}")
    return 0 if slowest >= ENOUGH else 1


def s1_rows(count: int) -> list[dict[str, Any]]:
    """Public S1 rows as the built dataset has them."""
    text = "A rite that washes the old year away with scented water and asks the elders for their blessing."
    return [
        {
            "item_id": f"TH-Celebration-{number:05d}/s1",
            "description": f"{text} {number}",
            "options": NAMES,
            "answer": number % 4,
            "category": "Celebration",
        }
        for number in range(count)
    ]


def items_a_second(
    rows: dict[str, Sequence[dict[str, Any]]], model: Model, out: Path, parallel: int
) -> float:
    """The rate of one run, predictions and manifest written."""
    began = time.perf_counter()
    run(rows, model, Plan(stages=("s1",)), out, parallel=parallel)
    return len(rows["s1"]) / (time.perf_counter() - began)


if __name__ == "__main__":
    sys.exit(main())
