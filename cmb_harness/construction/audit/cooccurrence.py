"""Which names and moments occur together over the items: what a right name says of the moment, unwatched."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cmb_harness.construction.audit.marginals import ties
from cmb_harness.construction.audit.release import N_OPTIONS, Item, token

Pairs = Sequence[tuple[Item, Item]]


def joined_items(s1: Sequence[Item], s2: Sequence[Item]) -> list[tuple[Item, Item]]:
    """The S2 items and the S1 item of each: by ``s1_item_id``, else by the description, where only one has it."""
    by_id = {item.item_id: item for item in s1}
    by_text: dict[str, list[Item]] = defaultdict(list)
    for item in s1:
        by_text[item.description].append(item)
    pairs = []
    for item in s2:
        same = [by_id[item.s1_item_id]] if item.s1_item_id in by_id else by_text[item.description]
        if len(same) == 1:
            pairs.append((same[0], item))
    return pairs


def name_moment_links(pairs: Pairs, all_pairs: Pairs) -> NDArray[np.float64]:
    """For each joined item and each of its names, which of its moments to take.

    A name and its own moment stand in the same items, always. The moment is taken whose items are most nearly those
    of the name (shared over all, 1 for the own one unless concepts share the name); equals share the guess.

    Args:
        pairs: the items to answer.
        all_pairs: the items whose options are counted; those of both splits.

    Returns:
        (n, 4 names, 4 moments); each name's row adds up to 1.
    """
    items_of: dict[object, set[int]] = defaultdict(set)
    for number, pair in enumerate(all_pairs):
        for item in pair:
            for at in range(N_OPTIONS):
                items_of[token(item, at)].add(number)
    overlap = np.zeros((len(pairs), N_OPTIONS, N_OPTIONS))
    for number, (s1_item, s2_item) in enumerate(pairs):
        for i in range(N_OPTIONS):
            for j in range(N_OPTIONS):
                name, moment = items_of[token(s1_item, i)], items_of[token(s2_item, j)]
                overlap[number, i, j] = len(name & moment) / len(name | moment)
    return ties(overlap)


def tied_share(links: NDArray[np.float64]) -> float:
    """The share of names, over all items, that are left with one moment."""
    return float((links.max(axis=2) > 1 - 1e-9).mean())


def moment_guesses(name_guesses: NDArray[np.float64], links: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 4) guesses of names as guesses of moments."""
    return np.einsum("ni,nij->nj", name_guesses, links)


def same_place_share(pairs: Pairs, links: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,) of the names left with one moment, the share at the same letter as it; NaN where there is none."""
    tied = links.max(axis=2) > 1 - 1e-9
    same = np.einsum("nii->ni", links) > 1 - 1e-9
    count = tied.sum(axis=1)
    return np.divide((tied & same).sum(axis=1), count, out=np.full(len(pairs), np.nan), where=count > 0)


def right_names(pairs: Pairs, shares: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """(n, 4) the right name of each S1 item; where the key is not known, its probabilities."""
    even = np.full(N_OPTIONS, 1 / N_OPTIONS)
    rows = [
        np.eye(N_OPTIONS)[item.key] if item.key is not None else shares.get(item.item_id, even)
        for item, _ in pairs
    ]
    return np.array(rows).reshape(-1, N_OPTIONS)


def link_scores(pairs: Pairs, names: NDArray[np.float64], links: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,) what S2 scores from the right names: exactly with S2's key, else the chance to draw the own moment."""
    guesses = moment_guesses(names, links)
    expected = (names * links.max(axis=2)).sum(axis=1)
    return np.array(
        [
            expected[at] if s2_item.key is None else guesses[at, s2_item.key]
            for at, (_, s2_item) in enumerate(pairs)
        ]
    )
