"""How fast and how large: the metric beside scipy's bootstrap, its growth, and what `evaluate` adds.

    python scripts/benchmark_metric.py [--large] [--repeat N]

Times are CPU seconds of this process, the least of N runs. Ratios are of times taken in one run, side by side, so that
they say something on a busy machine too. --large adds 100,000 concepts (some minutes, under 2 GB).
"""

import argparse
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

import cmb_metric
from cmb_harness.records import read_region
from cmb_metric.comparison import compare_estimates
from cmb_metric.concepts import RATIOS, ConceptTable, concept_table
from cmb_metric.estimates import estimate_models
from cmb_metric.items import score_items

N_CONCEPTS, N_PAIRS, N_MODELS, N_RESAMPLES = 306, 631, 6, 10_000
PAPER_NAMES = ("s1_accuracy", "s2_accuracy", "s3_miou")

Rows = list[dict[str, Any]]


def main() -> int:
    """Measure and print one line a figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--large", action="store_true", help="also 100,000 concepts and 200,000 pairs")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="take the least of N runs")
    arguments = parser.parse_args()
    references = reference_rows(N_CONCEPTS, N_PAIRS)
    models = {f"model-{number}": prediction_rows(references, number) for number in range(N_MODELS)}
    one = cpu_seconds(lambda: cmb_metric.score(models["model-0"], references), arguments.repeat)
    say("cmb_metric.score, 306 concepts, 631 pairs, 10,000 resamples", f"{one:.2f} s", "at most 2 s")
    against_scipy(models, references, arguments.repeat)
    through_evaluate(models["model-0"], references, arguments.repeat)
    growth(arguments.large)
    return 0


def against_scipy(models: dict[str, Rows], references: Rows, repeat: int) -> None:
    """All statistics of the paper's Tables 10 to 14, by us and by `scipy.stats.bootstrap`."""
    ours = cpu_seconds(lambda: all_ours(models, references), repeat)
    theirs = cpu_seconds(lambda: all_scipy(models, references), 1)
    n = len(
        list(scipy_jobs([concept_table(score_items(rows, references).items) for rows in models.values()]))
    )
    say(f"all statistics of Tables 10-14 ({n} of scipy's), ours", f"{ours:.2f} s", "")
    say("the same list, scipy.stats.bootstrap", f"{theirs:.2f} s", "")
    say("ours / scipy", f"1/{theirs / ours:.0f}", "at most 1/30")


def all_ours(models: dict[str, Rows], references: Rows) -> None:
    """The same list from raw rows: checked, scored, one draw, intervals of every cell, macro average and pair."""
    tables = [concept_table(score_items(rows, references).items) for rows in models.values()]
    kinds = ("country", "category")
    found = estimate_models(tables, n_resamples=N_RESAMPLES, seed=42, names=PAPER_NAMES, kinds=kinds)
    for estimates in found:
        estimates.intervals(0.95)
        for kind in kinds:
            estimates.macro_intervals(kind, 0.95)
    compare_estimates(dict(zip(models, found, strict=True)))


def all_scipy(models: dict[str, Rows], references: Rows) -> None:
    """Each statistic by its own bootstrap, on sums over concepts that are ready made."""
    from scipy.stats import bootstrap

    tables = [concept_table(score_items(rows, references).items) for rows in models.values()]
    for samples, statistic in scipy_jobs(tables):
        bootstrap(
            samples,
            statistic,
            n_resamples=N_RESAMPLES,
            paired=True,
            vectorized=True,
            method="percentile",
            rng=np.random.default_rng(42),
        )


def scipy_jobs(tables: Sequence[ConceptTable]) -> Iterator[tuple[tuple[np.ndarray, ...], Callable[..., Any]]]:
    """(samples, statistic) of 6 models × 3 statistics × 13 cells, their macro averages, and 15 pairs × 3."""
    for table in tables:
        for name in PAPER_NAMES:
            over, under = (table.sums[side] for side in RATIOS[name])
            yield (over, under), ratio
            for kind in ("country", "category"):
                masks = [mask for cell, mask in table.cells.items() if cell[0] == kind]
                cells = [(over * mask, under * mask) for mask in masks]
                for cell_sums in cells:
                    yield cell_sums, ratio
                yield tuple(side for cell_sums in cells for side in cell_sums), macro
    for at, a in enumerate(tables):
        for b in tables[at + 1 :]:
            for name in PAPER_NAMES:
                sides = [one.sums[side] for one in (a, b) for side in RATIOS[name]]
                yield tuple(sides), difference


def ratio(over: np.ndarray, under: np.ndarray, axis: int = -1) -> np.ndarray:
    """A ratio of sums."""
    return over.sum(axis=axis) / under.sum(axis=axis)


def macro(*sides: np.ndarray, axis: int = -1) -> np.ndarray:
    """The mean of several ratios."""
    parts = [ratio(over, under, axis) for over, under in zip(sides[::2], sides[1::2], strict=True)]
    return np.mean(parts, axis=0)


def difference(a: np.ndarray, n: np.ndarray, b: np.ndarray, m: np.ndarray, axis: int = -1) -> np.ndarray:
    """One ratio less another."""
    return ratio(a, n, axis) - ratio(b, m, axis)


def through_evaluate(rows: Rows, references: Rows, repeat: int) -> None:
    """What `evaluate` adds: rows given at once go straight through, rows gathered in batches go through Arrow."""
    import evaluate

    metric = evaluate.load(cmb_metric.path())

    def gathered() -> None:
        metric.add_batch(predictions=rows, references=references)
        metric.compute()

    plain = cpu_seconds(lambda: cmb_metric.score(rows, references), repeat)
    at_once = cpu_seconds(lambda: metric.compute(predictions=rows, references=references), repeat)
    say("evaluate's compute(predictions, references) / plain", f"{at_once / plain:.2f}", "at most 1.10")
    say("evaluate's add_batch, then compute() / plain", f"{cpu_seconds(gathered, repeat) / plain:.2f}", "")


def growth(large: bool) -> None:
    """CPU time per concept × resample, and the largest memory, as both grow."""
    sizes = [(N_CONCEPTS, N_PAIRS, N_RESAMPLES), (10 * N_CONCEPTS, 10 * N_PAIRS, N_RESAMPLES)]
    sizes += [(100_000, 200_000, N_RESAMPLES)] if large else []
    first = None
    for n_concepts, n_pairs, n_resamples in sizes:
        references = reference_rows(n_concepts, n_pairs)
        rows = prediction_rows(references, 1)
        seconds = cpu_seconds(partial(cmb_metric.score, rows, references), 1)
        unit = 1e9 * seconds / (n_concepts * n_resamples)
        first = first or unit
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        figure = f"{seconds:.2f} s, {unit:.1f} ns a unit ({unit / first:.2f} of the first), {peak:.2f} GB"
        say(f"{n_concepts:,} concepts x {n_resamples:,} resamples", figure, "at most 1.3, under 2 GB")


def reference_rows(n_concepts: int, n_pairs: int) -> Rows:
    """Rows of a data set of this size, over the region's countries and categories."""
    region, rng = read_region(), random.Random(0)
    rows: Rows = []
    concepts = []
    for number in range(n_concepts):
        country, category = rng.choice(region.countries), rng.choice(region.categories)
        concept = {
            "concept_id": f"{country.code}-{category}-{number:06d}",
            "country": country.code,
            "category": category,
            "writing_cluster": country.writing_cluster,
            "answer": None,
            "span": None,
        }
        concepts.append(concept)
        for stage in ("s1", "s2"):
            item_id = f"{concept['concept_id']}/{stage}"
            rows.append({**concept, "item_id": item_id, "stage": stage, "answer": rng.randrange(4)})
    for number in range(n_pairs):
        concept, start_s = rng.choice(concepts), rng.uniform(0, 300)
        item_id = f"{concept['concept_id']}/s3/{number}"
        span = [start_s, start_s + rng.uniform(1, 30)]
        rows.append({**concept, "item_id": item_id, "stage": "s3", "span": span})
    return rows


def prediction_rows(references: Rows, seed: int) -> Rows:
    """Answers of a middling model."""
    rng = random.Random(seed)
    rows: Rows = []
    for row in references:
        if row["stage"] == "s3":
            shift = rng.gauss(0, 5)
            rows.append({"item_id": row["item_id"], "span": [second + shift for second in row["span"]]})
        else:
            choice = row["answer"] if rng.random() < 0.5 else rng.randrange(4)
            rows.append({"item_id": row["item_id"], "choice": choice})
    return rows


def cpu_seconds(job: Callable[[], Any], repeat: int) -> float:
    """The least CPU time of ``repeat`` runs."""
    times = []
    for _ in range(repeat):
        began = time.process_time()
        job()
        times.append(time.process_time() - began)
    return min(times)


def say(what: str, figure: str, bound: str) -> None:
    """One line: what was measured, the figure, the bound that was asked for."""
    print(f"{what:<70} {figure:<58} {bound}".rstrip(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
