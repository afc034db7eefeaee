"""What a sampler did with a pool of concepts, in numbers; paper, A.1 (validation) and A.5."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cmb_harness.construction.distractors.bswa import cap_of
from cmb_harness.construction.distractors.pool import Pool
from cmb_harness.construction.distractors.slots import surroundings


@dataclass(frozen=True)
class PoolReport:
    """What a sampler did with one category, or with one side of it.

    Attributes:
        category, side: which; the side is ``train``, ``test`` or, without a split, ``all``.
        concepts: how many.
        blocks: of four concepts; 0 for the paper's sampler.
        leftovers: concepts in no block; 0 for the paper's sampler.
        unfilled: slots without a distractor.
        unused: concepts that are nobody's distractor.
        cap: uses as a distractor that the cap allows; most_used: of the concept used most. In a block each concept
            has three uses whatever the cap; with blocks, both are about the leftovers' options alone.
        over_cap: concepts with more uses than the cap.
        country_fallbacks: option sets that cannot follow A.1's rule on countries, the key having no companion at
            home or only one other country.
        country_violations: other option sets that break the rule: one compatriot and two of different other
            countries, or of one other country in a block.
        ambiguity_violations: option sets that hold two concepts of an ambiguity group or of one name.
        chosen, not_chosen: median similarity of a key to its distractors, and to the rest of its pool; None where
            there are none.
    """

    category: str
    side: str
    concepts: int
    blocks: int
    leftovers: int
    unfilled: int
    unused: int
    cap: int
    most_used: int
    over_cap: int
    country_fallbacks: int
    country_violations: int
    ambiguity_violations: int
    chosen: float | None
    not_chosen: float | None

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return asdict(self)


def pool_report(
    pool: Pool, distractors: np.ndarray, block: np.ndarray | None, cap: float, *, category: str, side: str
) -> PoolReport:
    """Count what became of a pool.

    Args:
        pool: what was sampled.
        distractors: (N, 3) input indices, -1 for an unfilled slot.
        block: (N,) from the block sampler, or None.
        cap: the share that was given to the sampler.
    """
    place = np.empty(len(pool), dtype=int)
    place[pool.order] = np.arange(len(pool))
    chosen = np.where(distractors < 0, -1, place[distractors])[pool.order]
    in_block = np.zeros(len(pool), dtype=bool) if block is None else block[pool.order] >= 0
    capped = np.bincount(chosen[~in_block][chosen[~in_block] >= 0], minlength=len(pool))
    uses = np.bincount(chosen[chosen >= 0], minlength=len(pool))
    lone, abroad = surroundings(pool)
    fallback = ~in_block & (lone | (abroad < 2))
    allowed = cap_of(len(pool), cap)
    medians = _medians(pool, chosen)
    return PoolReport(
        category=category,
        side=side,
        concepts=len(pool),
        blocks=0 if block is None else int(block.max()) + 1,
        leftovers=0 if block is None else int((~in_block).sum()),
        unfilled=int((chosen < 0).sum()),
        unused=int((uses == 0).sum()),
        cap=allowed,
        most_used=int(capped.max()),
        over_cap=int((capped > allowed).sum()),
        country_fallbacks=int(fallback.sum()),
        country_violations=int((~fallback & ~_keeps_countries(pool, chosen, in_block)).sum()),
        ambiguity_violations=sum(
            _holds_rivals(pool, [key, *options[options >= 0]]) for key, options in enumerate(chosen)
        ),
        chosen=medians[0],
        not_chosen=medians[1],
    )


def _keeps_countries(pool: Pool, chosen: np.ndarray, in_block: np.ndarray) -> np.ndarray:
    """(N,) whether the filled slots hold a compatriot and two foreign concepts (of one country in a block)."""
    countries = np.where(chosen < 0, -1 - np.arange(3), pool.countries[chosen])
    home = pool.countries
    at_home = (countries[:, 0] == home) | (chosen[:, 0] < 0)
    abroad = (countries[:, 1] != home) & (countries[:, 2] != home)
    return at_home & abroad & ((countries[:, 1] == countries[:, 2]) == in_block)


def _holds_rivals(pool: Pool, concepts: Sequence[int]) -> bool:
    return any(np.isin(pool.rivals[concept], concepts).any() for concept in concepts)


def _medians(pool: Pool, chosen: np.ndarray) -> tuple[float | None, float | None]:
    """Median similarity of keys to their distractors, and to the other concepts of the pool."""
    keys = np.arange(len(pool))
    rest = ~np.eye(len(pool), dtype=bool)
    picked = np.zeros_like(rest)
    for slot in range(chosen.shape[1]):
        filled = chosen[:, slot] >= 0
        picked[keys[filled], chosen[filled, slot]] = True
    first, second = (pool.similarity[mask] for mask in (picked, rest & ~picked))
    return tuple(float(np.median(values)) if len(values) else None for values in (first, second))  # type: ignore[return-value]
