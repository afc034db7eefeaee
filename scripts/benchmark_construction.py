"""How fast, how large and how good the samplers are.

    python scripts/benchmark_construction.py [--concepts 5000] [--skip-size] [--skip-paper]

Size: both samplers on one category of that many concepts, each in a process of its own; CPU seconds and peak memory.
Paper: on the paper's inventory, how near the blocks come to a bound that no choice of blocks can pass (a linear
program), beside a greedy choice. Similarities are made up: cosines of random vectors of few (8) or many (64)
dimensions.
"""

import argparse
import multiprocessing
import resource
import time
from collections.abc import Iterator

import numpy as np

from cmb_harness.construction.concepts import Concept, read_concepts
from cmb_harness.construction.distractors import sample_block, sample_bswa
from cmb_harness.construction.distractors.exact import block_totals, valid_blocks
from cmb_harness.construction.distractors.pool import make_pool
from cmb_harness.construction.region import inventory_path
from cmb_harness.construction.sampling import index_groups
from cmb_harness.records import read_region

DIMENSIONS = (8, 64)


def main() -> None:
    """Measure and print one line a figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--concepts", type=int, default=5000, help="of the large category (5000)")
    parser.add_argument("--skip-size", action="store_true", help="the paper's inventory alone")
    parser.add_argument("--skip-paper", action="store_true", help="the large category alone")
    arguments = parser.parse_args()
    if not arguments.skip_size:
        for line in size_lines(arguments.concepts):
            print(line, flush=True)
    if not arguments.skip_paper:
        for line in paper_lines():
            print(line, flush=True)


def cosines(n: int, dimensions: int, seed: int = 0) -> np.ndarray:
    """(n, n) cosines of random vectors."""
    vectors = np.random.default_rng(seed).normal(size=(n, dimensions))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors @ vectors.T


def size_lines(n: int) -> Iterator[str]:
    """One line a sampler and number of countries."""
    context = multiprocessing.get_context("spawn")
    for sampler in ("bswa", "block"):
        for countries in (7, 2) if sampler == "block" else (7, 3):
            with context.Pool(1) as workers:
                seconds, megabytes = workers.apply(_measure, (sampler, n, countries))
            yield f"{sampler:5}  {n} concepts of {countries} countries  {seconds:5.1f} s CPU  {megabytes:5.0f} MB peak"


def _measure(sampler: str, n: int, n_countries: int) -> tuple[float, float]:
    names = [f"n{i}" for i in range(n)]
    countries = ["ABCDEFG"[i % n_countries] for i in range(n)]
    groups = [[i, i + 1, i + 2] for i in range(0, n - 3, 10)]
    similarity = cosines(n, DIMENSIONS[0])
    start = time.process_time()
    if sampler == "bswa":
        sample_bswa(names, countries, similarity, groups)
    else:
        sample_block(names, countries, similarity, groups)
    seconds = time.process_time() - start
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def paper_lines() -> Iterator[str]:
    """One line a category and kind of similarity."""
    region = read_region()
    concepts = read_concepts(inventory_path(), region)
    for category in region.categories:
        members = [concept for concept in concepts if concept.category == category]
        for dimensions in DIMENSIONS:
            yield _paper_line(category, members, index_groups(members, region.ambiguity_groups), dimensions)


def _paper_line(category: str, members: list[Concept], groups: list[list[int]], dimensions: int) -> str:
    names, countries = [c.common_latin for c in members], [c.country for c in members]
    similarity = cosines(len(members), dimensions)
    pool = make_pool(names, countries, similarity, groups)
    start = time.process_time()
    _, block = sample_block(names, countries, similarity, groups)
    seconds = time.process_time() - start
    n_blocks = int(block.max()) + 1
    shown = f"{category:11}  {dimensions:2} dimensions  {n_blocks:2} blocks  {seconds:4.1f} s CPU"
    if not n_blocks:
        return shown
    blocks = np.array([np.flatnonzero(block == number) for number in range(n_blocks)])
    total = float(block_totals(similarity, blocks).sum())
    every = valid_blocks(pool)
    values = block_totals(pool.similarity, every)
    bound = _bound(len(pool), every, values, n_blocks)
    greedy = _greedy(every, values)
    return (
        f"{shown}  total {total:6.2f}, {100 * total / bound:5.1f}% of the bound"
        f"  (greedy: {len(greedy)} blocks, {100 * values[greedy].sum() / bound:5.1f}%)"
    )


def _bound(n: int, blocks: np.ndarray, values: np.ndarray, n_blocks: int) -> float:
    """No ``n_blocks`` disjoint blocks have a higher total: the value if blocks could be taken in fractions."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    rows, columns = blocks.ravel(), np.repeat(np.arange(len(blocks)), 4)
    holds = csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, len(blocks)))
    solved = linprog(
        -values, A_ub=holds, b_ub=np.ones(n), A_eq=np.ones((1, len(blocks))), b_eq=[n_blocks], method="highs"
    )
    return -float(solved.fun)


def _greedy(blocks: np.ndarray, values: np.ndarray) -> list[int]:
    """Repeatedly the block with the highest total among what is left."""
    taken: set[int] = set()
    chosen = []
    for place in np.argsort(-values, kind="stable").tolist():
        members = set(blocks[place].tolist())
        if not members & taken:
            taken |= members
            chosen.append(place)
    return chosen


if __name__ == "__main__":
    main()
