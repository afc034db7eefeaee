"""One stage of one split under attack: its option sets, what is ruled out, and the guesses that follow."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cmb_harness.construction.audit import attacks
from cmb_harness.construction.audit.assignment import by_category
from cmb_harness.construction.audit.marginals import Marginals, NoMatching, has_matching, key_marginals
from cmb_harness.construction.audit.release import Release
from cmb_harness.construction.audit.structure import Structure, country_pattern, not_public, structure_of


@dataclass(frozen=True)
class Attacked:
    """One stage of one split, and what the attacks on its option sets came to.

    Attributes:
        structure: its option sets.
        allowed: (n, 4) options that the public split does not strike out.
        in_country: (n, 4) of these, the ones that the country pattern allows.
        matched_in_country: (n, 4) the same, without the pattern in categories where it leaves no matching.
        n_unknown: items with a name whose country is not known.
        free, with_countries: the probabilities of the keys; None where no matching exists.
        hubs, hubs_with_countries: (n, 4) guesses of `attacks.hubs`.
    """

    structure: Structure
    allowed: NDArray[np.bool_]
    in_country: NDArray[np.bool_]
    matched_in_country: NDArray[np.bool_]
    n_unknown: int
    free: Marginals | None
    with_countries: Marginals | None
    hubs: attacks.Guesses
    hubs_with_countries: attacks.Guesses

    @property
    def knows_countries(self) -> bool:
        """Whether the country of any name is known."""
        return self.n_unknown < len(self.structure)

    @property
    def shares(self) -> NDArray[np.float64] | None:
        """The probabilities without countries."""
        return None if self.free is None else self.free.shares


def attack(release: Release, stage: str, split: str, seed: int) -> Attacked:
    """Run the attacks on one stage of one split."""
    structure = structure_of(release.items[stage, split], release.concepts, split)
    allowed = np.ones(structure.options.shape, dtype=bool)
    if split == "test":
        allowed = not_public(structure, release.items[stage, "train"], release.concepts)
    pattern, n_unknown = (
        country_pattern(structure, release.concepts) if stage == "s1" else (allowed, len(structure))
    )
    both = allowed & pattern
    none_left = ~both.any(axis=1)
    both[none_left] = allowed[none_left]
    relaxed = where_it_matches(structure, both, allowed)
    rng = np.random.default_rng(seed)
    return Attacked(
        structure,
        allowed,
        both,
        relaxed,
        n_unknown,
        _marginals(structure, allowed, seed),
        _marginals(structure, relaxed, seed) if stage == "s1" else None,
        attacks.hubs(structure, allowed, rng),
        attacks.hubs(structure, relaxed, rng),
    )


def where_it_matches(
    structure: Structure, narrow: NDArray[np.bool_], wide: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """(n, 4) the narrow choice of options, but the wide one in categories where the narrow one leaves no matching.

    The pattern of countries is no law: a concept without a compatriot has a key that is none of a pair.
    """
    chosen = narrow.copy()
    for items in by_category(structure):
        if not has_matching(structure.options[items], narrow[items], structure.copies):
            chosen[items] = wide[items]
    return chosen


def _marginals(structure: Structure, allowed: NDArray[np.bool_], seed: int) -> Marginals | None:
    try:
        return key_marginals(structure.options, allowed, structure.copies, seed=seed)
    except NoMatching:
        return None
