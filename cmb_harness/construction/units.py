"""What a split may not tear apart: same-country pairs, blocks, or all that is tied by options."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from cmb_harness.construction.draws import shuffled
from cmb_harness.records import Record, option_sources


class Placed(Protocol):
    """What a split needs to know of a concept: `Concept` and `Record` both have it."""

    @property
    def concept_id(self) -> str:
        """Its id."""

    @property
    def country(self) -> str:
        """The code of its country."""

    @property
    def category(self) -> str:
        """Its category."""


Unit = tuple[str, ...]
"""concept_ids that go to one side together."""


def pair_units(concepts: Iterable[Placed], seed: int) -> list[Unit]:
    """Random pairs within each country and category, so that each concept finds a compatriot on its side.

    Where a number is odd, one unit has three; a concept that is alone in its country and category is one of one.
    """
    units: list[Unit] = []
    for cell, ids in sorted(_cells(concepts).items()):
        mixed = shuffled(ids, seed, "pair", *cell)
        cut = len(mixed) - 3 if len(mixed) % 2 and len(mixed) > 1 else len(mixed)
        units += [tuple(mixed[i : i + 2]) for i in range(0, cut, 2)]
        if cut < len(mixed):
            units.append(tuple(mixed[cut:]))
    return units


def block_units(concepts: Sequence[Placed], sample: Mapping[str, Mapping[str, Any]], seed: int) -> list[Unit]:
    """The blocks of a sample, and pairs of its leftovers as in `pair_units`.

    Args:
        sample: as `sample_concepts` returns it: concept_id → ``{"distractors", "block"}``.
    """
    blocks: dict[int, list[str]] = defaultdict(list)
    left = leftovers_of(concepts, sample)
    for concept in concepts:
        if concept.concept_id not in left:
            blocks[sample[concept.concept_id]["block"]].append(concept.concept_id)
    rest = [concept for concept in concepts if concept.concept_id in left]
    return [tuple(sorted(block)) for block in blocks.values()] + pair_units(rest, seed)


def leftovers_of(concepts: Iterable[Placed], sample: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The ids of the concepts that are in no block of a sample."""
    numbers = {concept.concept_id: sample[concept.concept_id]["block"] for concept in concepts}
    return {name for name, number in numbers.items() if number is None or number < 0}


def component_units(records: Sequence[Record]) -> list[Unit]:
    """The connected components of the option graph: a record is tied to the concepts that its options show."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    place = {record.concept_id: i for i, record in enumerate(records)}
    ties = [
        (place[concept_id], place[source])
        for concept_id, stages in option_sources(records).items()
        for sources in (*stages["s1"], *stages["s2"])
        for source in sources
        if source in place
    ]
    rows, columns = zip(*ties, strict=True) if ties else ((), ())
    graph = coo_array(([1] * len(ties), (rows, columns)), shape=(len(records), len(records)))
    _, labels = connected_components(graph, directed=False)
    components: dict[int, list[str]] = defaultdict(list)
    for record, label in zip(records, labels, strict=True):
        components[int(label)].append(record.concept_id)
    return [tuple(sorted(component)) for component in components.values()]


def _cells(concepts: Iterable[Placed]) -> dict[tuple[str, str], list[str]]:
    cells: dict[tuple[str, str], list[str]] = defaultdict(list)
    for concept in concepts:
        cells[concept.country, concept.category].append(concept.concept_id)
    return cells
