"""What attacks on option sets score on the layout of the 306 concepts: the table of docs/audit.md.

    python scripts/measure_attacks.py [--draws N] [--out FILE]

The concepts, names, countries and ambiguity groups are ours. Descriptions exist for 64 of the concepts only, so that
the similarities of the whole layout are synthetic: cosines of random vectors, a fifth of whose variance is common to
the concepts of a country. Each draw has vectors and a split of its own. Two more columns have the 64 by the light text
similarity of their descriptions. Keys are known here, so every figure is what the attack scores on them, and in
brackets what it is expected to score by someone without them.
"""

import argparse
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from cmb_dataset import STAGES, key_table, stage_rows
from cmb_harness.construction.audit import Named, Release, attacks, cooccurrence, one_each, release_of
from cmb_harness.construction.audit.attacked import Attacked, attack
from cmb_harness.construction.audit.matching_checks import HUBS, HUBS_WITH_COUNTRIES, MATCHING, WITH_COUNTRIES
from cmb_harness.construction.audit.release import N_OPTIONS, token
from cmb_harness.construction.audit.structure import full_blocks
from cmb_harness.construction.concepts import Concept, read_concepts
from cmb_harness.construction.questions import make_records
from cmb_harness.construction.sampling import Sample, sample_concepts
from cmb_harness.construction.similarity import light_vectors, vector_similarity
from cmb_harness.construction.splits import split_concepts, split_file
from cmb_harness.construction.units import block_units, leftovers_of, pair_units
from cmb_harness.files import write_whole
from cmb_harness.records import Moment, Record, read_region

INVENTORY = (
    Path(__file__).resolve().parent.parent / "cmb_harness" / "regions" / "southeast_asia_inventory.csv"
)
DESCRIBED = INVENTORY.parent.parent / "example" / "concepts.csv"
SAMPLERS = {"bswa": "paper's sampler", "block": "block sampler"}
# The block sampler once more, on a split that keeps what is in no block public.
FULL_BLOCKS = "full blocks alone"
SHARES = (0.8, 0.5)
DIMENSIONS, COUNTRY_SHARE = 24, 0.2

Figures = dict[str, tuple[float, float | None]]
"""Row of the table → (score on the keys, score expected without them), shares from 0 to 1."""


@dataclass(frozen=True)
class Draw:
    """A release, the split of it that is attacked, and the vectors that it was sampled with (concept_id → row)."""

    release: Release
    split: str
    vectors: np.ndarray
    place: dict[str, int]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--draws", type=int, default=5, help="releases averaged over, each with its own vectors and split"
    )
    parser.add_argument("--dimensions", type=int, default=DIMENSIONS, help="of the random vectors")
    parser.add_argument(
        "--country-share", type=float, default=COUNTRY_SHARE, help="variance common to a country"
    )
    parser.add_argument("--out", type=Path, help="write the table here too")
    arguments = parser.parse_args(argv)
    columns: dict[str, list[Figures]] = {}
    jobs = [
        (sampler, share, number)
        for sampler in (*SAMPLERS, FULL_BLOCKS)
        for share in SHARES
        for number in range(arguments.draws)
    ]
    for sampler, share, number in tqdm(jobs, desc="releases"):
        drawn = draw(sampler, share, number, arguments.dimensions, arguments.country_share)
        columns.setdefault(f"{SAMPLERS.get(sampler, sampler)}, {share:.0%} hidden", []).append(
            figures_of(drawn, number)
        )
    for sampler, name in SAMPLERS.items():
        columns[f"{name}, 64 described"] = [figures_of(draw_described(sampler), 0)]
    text = markdown(columns)
    if arguments.out:
        with write_whole(arguments.out) as file:
            file.write(text)
    sys.stdout.write(text)
    return 0


def draw(sampler: str, share: float, number: int, dimensions: int, country_share: float) -> Draw:
    """The whole layout with synthetic similarities: split, sampled, made into questions, hidden."""
    concepts = [finished(concept, at) for at, concept in enumerate(read_concepts(INVENTORY, read_region()))]
    vectors = random_vectors([concept.country for concept in concepts], number, dimensions, country_share)
    units, public = pair_units(concepts, number), set[str]()
    if sampler == FULL_BLOCKS:
        sampler = "block"
        sample = sampled_by(concepts, vectors, sampler, None)
        units, public = block_units(concepts, sample, number), leftovers_of(concepts, sample)
    division = split_concepts(concepts, units, test_share=share, seed=number, public=public)
    records = records_of(concepts, vectors, sampler, division.train)
    split = split_file(concepts, division, number)
    salts = dict.fromkeys(("ids", *STAGES), f"{number:032x}")
    secrets = {"salts": salts, "hidden_concepts": list(division.hidden)}
    rows = {stage: stage_rows(records, stage, split, secrets, "recognition") for stage in STAGES}
    keys = key_table(records, split, secrets, "recognition")
    return Draw(
        release_of(rows, references=keys, inventory=named(concepts)), "test", vectors, places(concepts)
    )


def draw_described(sampler: str) -> Draw:
    """The concepts that have descriptions, by the light similarity of these; nothing hidden, keys taken as unknown."""
    concepts = read_concepts(DESCRIBED, read_region())
    vectors = light_vectors([concept.description for concept in concepts]).toarray()
    records = records_of(concepts, vectors, sampler, None)
    rows = {stage: stage_rows(records, stage) for stage in STAGES}
    return Draw(release_of(rows, inventory=named(concepts)), "train", vectors, places(concepts))


def records_of(
    concepts: Sequence[Concept], vectors: np.ndarray, sampler: str, train: Collection[str] | None
) -> list[Record]:
    """The questions that a sampler makes of the similarities."""
    sample = sampled_by(concepts, vectors, sampler, train)
    return make_records(concepts, sample, read_region().writing_clusters, train=train)


def sampled_by(
    concepts: Sequence[Concept], vectors: np.ndarray, sampler: str, train: Collection[str] | None
) -> Sample:
    """What a sampler draws by the similarities, on each side of a split by itself."""
    region = read_region()
    return sample_concepts(
        concepts,
        vector_similarity(vectors),
        sampler=sampler,
        ambiguity_groups=region.ambiguity_groups,
        cap=region.cap,
        train=train,
    ).sample


def named(concepts: Sequence[Concept]) -> list[Named]:
    """The inventory that everybody knows."""
    return [Named(c.concept_id, c.country, c.category, c.common_latin) for c in concepts]


def places(concepts: Sequence[Concept]) -> dict[str, int]:
    """concept_id → its row of the vectors."""
    return {concept.concept_id: at for at, concept in enumerate(concepts)}


def finished(concept: Concept, number: int) -> Concept:
    """The concept with a stand-in for its description and its moment: attacks on option sets look at neither."""
    moment = Moment(f"video{number:05d}x", 1.0, 3.0)
    return replace(concept, description=f"What {concept.concept_id} stands for.", moment=moment)


def random_vectors(countries: Sequence[str], seed: int, dimensions: int, country_share: float) -> np.ndarray:
    """(N, dimensions) normal vectors, of whose variance ``country_share`` is common to the concepts of a country."""
    rng = np.random.default_rng(seed)
    common = {country: rng.normal(size=dimensions) for country in sorted(set(countries))}
    own = rng.normal(size=(len(countries), dimensions))
    shared = np.array([common[country] for country in countries])
    return np.sqrt(country_share) * shared + np.sqrt(1 - country_share) * own


def figures_of(drawn: Draw, seed: int) -> Figures:
    """All rows of the table for one release."""
    release = drawn.release
    s1, s2 = (attack(release, stage, drawn.split, seed) for stage in ("s1", "s2"))
    structure, keys = s1.structure, s1.structure.keys
    blocks = full_blocks(structure)
    figures: Figures = {"items in full blocks": (float(blocks.mean()), None)}
    rarest = attacks.rarest_option(structure, release.all_items("s1"))
    figures["rarest option"] = _both(rarest, keys, s1.shares)
    even = attacks.even_guesses(s1.allowed)
    figures["keys of public items struck out"] = _both(even, keys, even)
    pattern = attacks.even_guesses(s1.in_country)
    figures["country pattern"] = _both(pattern, keys, pattern)
    for check, marginals in ((MATCHING, s1.free), (WITH_COUNTRIES, s1.with_countries)):
        if marginals is not None:
            figures |= _by_blocks(check, marginals.guesses(), keys, blocks, marginals.guess_score)
    for check, guesses in ((HUBS, s1.hubs), (HUBS_WITH_COUNTRIES, s1.hubs_with_countries)):
        figures |= _by_blocks(check, guesses, keys, blocks, None)
    figures["medoid of the similarities"] = (_medoid(drawn, s2), None)
    figures |= _links(drawn, s1)
    rng = np.random.default_rng(seed)
    for accuracy in one_each.SOLVERS:
        alone, fitted = one_each.solver_scores(structure, keys, accuracy, rng)
        figures[f"one option each: solver of {accuracy:.0%}"] = (
            accuracy + float((fitted - alone).mean()),
            None,
        )
    return figures


def markdown(columns: dict[str, list[Figures]]) -> str:
    """The table: means over the draws."""
    # The columns with blocks have the most rows, in the order wanted.
    by_length = sorted((one for figures in columns.values() for one in figures), key=len, reverse=True)
    names = list(dict.fromkeys(name for one in by_length for name in one))
    lines = [f"| % of items | {' | '.join(columns)} |", f"|---|{'---:|' * len(columns)}"]
    for name in names:
        cells = [_cell([one[name] for one in figures if name in one]) for figures in columns.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(values: Sequence[tuple[float, float | None]]) -> str:
    if not values:
        return ""
    on_keys = f"{100 * np.mean([score for score, _ in values]):.1f}"
    expected = [score for _, score in values if score is not None]
    return f"{on_keys} ({100 * np.mean(expected):.1f})" if expected else on_keys


def _both(guesses: np.ndarray, keys: np.ndarray, shares: np.ndarray | None) -> tuple[float, float | None]:
    expected = None if shares is None else float((guesses * shares).sum(axis=1).mean())
    return float(attacks.scores_of(guesses, keys).mean()), expected


def _by_blocks(
    check: str, guesses: np.ndarray, keys: np.ndarray, blocks: np.ndarray, expected: np.ndarray | None
) -> Figures:
    """All items; where there are blocks, the full ones and the leftovers apart too."""
    scores = guesses[np.arange(len(keys)), keys]
    masks = {check: np.ones(len(keys), dtype=bool)}
    if blocks.any():
        masks |= {f"{check}: full blocks": blocks, f"{check}: leftovers": ~blocks}
    return {
        name: (float(scores[mask].mean()), None if expected is None else float(expected[mask].mean()))
        for name, mask in masks.items()
        if mask.any()
    }


def _medoid(drawn: Draw, s2: Attacked) -> float:
    """The medoid under the very similarities that the options were chosen by."""
    concept_of = {
        token(item, item.key): item.concept_id for item in s2.structure.items if item.key is not None
    }
    unit = drawn.vectors / np.linalg.norm(drawn.vectors, axis=1, keepdims=True)
    places = [
        [drawn.place[str(concept_of[token(item, at)])] for at in range(N_OPTIONS)]
        for item in s2.structure.items
    ]
    options = unit[np.array(places)]
    similarity = np.einsum("nid,njd->nij", options, options)
    return float(attacks.scores_of(attacks.medoid(s2.structure, similarity), s2.structure.keys).mean())


def _links(drawn: Draw, s1: Attacked) -> Figures:
    s1_items, s2_items = (drawn.release.items[stage, drawn.split] for stage in ("s1", "s2"))
    pairs = cooccurrence.joined_items(s1_items, s2_items)
    links = cooccurrence.name_moment_links(pairs, pairs)
    names = cooccurrence.right_names(pairs, {})
    figures: Figures = {
        "names left with one moment": (cooccurrence.tied_share(links), None),
        "S2 from the right S1 name": (float(cooccurrence.link_scores(pairs, names, links).mean()), None),
    }
    place = {item.item_id: at for at, item in enumerate(s1.structure.items)}
    guesses = s1.hubs_with_countries[[place[item.item_id] for item, _ in pairs]]
    moments = cooccurrence.moment_guesses(guesses, links)
    right = [moments[at, item.key] for at, (_, item) in enumerate(pairs) if item.key is not None]
    figures["S2 unwatched, from hubs with countries"] = (float(np.mean(right)), None)
    return figures


if __name__ == "__main__":
    sys.exit(main())
