"""How fast the runner itself is: S1 items a second with an instant model, and what a resumed run costs.

    python scripts/benchmark_run.py [--items N]

Reading and writing are real (a run folder on the disk), start-up is aside. Each line gives the rate by the clock and by
the processor time of this process, which says something on a busy machine too. Exits with 1 when fresh S1 items go
slower than 500 a second of processor time.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from cmb_harness.models import load_model
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
            for state in ("fresh", "all answered before"):
                clock, processor = rates(rows, Path(folder) / str(parallel), parallel)
                slowest = min(slowest, processor)
                print(
                    f"S1 items a second, {state}, {parallel} at once: {clock:.0f} by the clock, "
                    f"{processor:.0f} by processor time (at least {ENOUGH})"
                )
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


def rates(rows: dict[str, list[dict[str, Any]]], out: Path, parallel: int) -> tuple[float, float]:
    """Items a second of one run, predictions and manifest written: by the clock, and by processor time."""
    clock, processor = time.perf_counter(), time.process_time()
    run(rows, load_model("chance"), Plan(stages=("s1",)), out, parallel=parallel)
    count = len(rows["s1"])
    return count / (time.perf_counter() - clock), count / (time.process_time() - processor)


if __name__ == "__main__":
    sys.exit(main())
