"""Which concepts are public and which are hidden: stratified over country and category, seeded, in whole units."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cmb_harness.construction.balance import LEAST_CONCEPTS, LEAST_COUNTRIES, Layout, improved, start
from cmb_harness.construction.faults import ConstructionError
from cmb_harness.construction.units import Placed, Unit
from cmb_harness.records import records_sha256

TRIES = 8


@dataclass(frozen=True)
class Division:
    """A split.

    Attributes:
        train: concept_ids of the public side, sorted.
        hidden: those of the hidden side, sorted.
        undivided: categories that are public as a whole, because their two halves could not both hold questions.
    """

    train: tuple[str, ...]
    hidden: tuple[str, ...]
    undivided: tuple[str, ...]


def split_concepts(
    concepts: Sequence[Placed],
    units: Iterable[Unit],
    *,
    test_share: float = 0.5,
    seed: int = 42,
    tied: bool = False,
    public: Collection[str] = (),
) -> Division:
    """Hide about ``test_share`` of the concepts of each country, each category and each cell of the two.

    Whole units go to a side. Of all seeded tries, the one with the least sum of squared deviations (in concepts,
    over cells, countries, categories and the whole) is taken. Both sides of a category keep at least four
    concepts of three countries (or of as many as it has); a category that cannot be divided so stays public.
    The result depends neither on the order of the concepts nor on that of the units.

    Args:
        concepts: what is to be divided.
        units: concept_ids that stay together; each concept is in exactly one.
        test_share: share of the concepts to hide, above 0 and below 1.
        seed: of the draws.
        tied: the units already hold whole questions, so a side needs one unit and no number of countries.
        public: concept_ids that stay public, and their units with them.

    Raises:
        ConstructionError: a share out of range, or no category that can be divided.
    """
    if not 0 < test_share < 1:
        raise ConstructionError(f"test share: {test_share!r} is not above 0 and below 1")
    units = sorted(tuple(sorted(unit)) for unit in units)
    layout = Layout(concepts, units, test_share, tied, public)
    undivided: set[str] = set()
    while True:
        hidden = min(
            (improved(layout, start(layout, seed, try_, undivided), undivided) for try_ in range(TRIES)),
            key=layout.cost,
        )
        stuck = {name for name in layout.categories if layout.shortfall(hidden, name)} - undivided
        if not stuck:
            break
        undivided |= stuck
    if undivided >= set(layout.categories):
        raise ConstructionError(_cannot(tied))
    names = sorted(name for unit, out in zip(units, hidden, strict=True) if out for name in unit)
    train = sorted({concept.concept_id for concept in concepts} - set(names))
    return Division(tuple(train), tuple(names), tuple(sorted(undivided)))


def split_file(concepts: Sequence[Placed], division: Division, seed: int) -> dict[str, Any]:
    """The content of a split file."""
    return {"records_sha256": records_sha256(concepts), "seed": seed, "train": list(division.train)}


def secrets_file(
    division: Division, salts: Mapping[str, str], before: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The content of a secrets file: what was there before keeps its salts, and its references if nothing moved.

    Args:
        salts: ``ids``, ``s1``, ``s2``, ``s3``, in hexadecimal; used where ``before`` has none.
        before: the content of an earlier secrets file.
    """
    before = before or {}
    hidden = list(division.hidden)
    unmoved = sorted(before.get("hidden_concepts") or ()) == hidden
    return {
        **before,
        "salts": {**salts, **before.get("salts", {})},
        "hidden_concepts": hidden,
        "references": before.get("references", []) if unmoved else [],
    }


def _cannot(tied: bool) -> str:
    if tied:
        return (
            "the options tie the concepts of each category together, so no split leaves them whole: "
            "split the concept table, then sample and make the questions with --split"
        )
    return f"no category can be divided: each side needs {LEAST_CONCEPTS} concepts of {LEAST_COUNTRIES} countries"
