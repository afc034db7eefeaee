"""Attacks on option sets alone: nothing is read or watched, only which options stand where.

Each function returns guesses: (n, 4), rows that add up to 1, the chance with which each option is answered.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cmb_harness.construction.audit.assignment import best_assignment, by_category
from cmb_harness.construction.audit.marginals import has_matching, ties
from cmb_harness.construction.audit.release import N_OPTIONS, Item, token
from cmb_harness.construction.audit.structure import Structure, full_blocks

Guesses = NDArray[np.float64]
# Less than any option's company, more than what `best_assignment` gives to options that are not shown.
AWAY = -1e3
N_DRAWN, NEGLIGIBLE = 60, 1e-6


def even_guesses(allowed: NDArray[np.bool_]) -> Guesses:
    """Each of the allowed options alike."""
    return allowed / allowed.sum(axis=1, keepdims=True)


def rarest_option(structure: Structure, all_items: Sequence[Item]) -> Guesses:
    """The option that is shown least often over all items: each is the key once, however often it distracts."""
    return ties(-_appearances(structure, all_items))


def commonest_option(structure: Structure, all_items: Sequence[Item]) -> Guesses:
    """The option that is shown most often over all items."""
    return ties(_appearances(structure, all_items))


def togetherness(structure: Structure) -> NDArray[np.float64]:
    """(n, 4) how much an option keeps the company of the other three over all items: the sum of shared over all items.

    Distractors are chosen for being like the key, and likeness is mutual: the key's own distractors tend to show it in
    turn. So the key is the hub of its item, with no text read.
    """
    options = structure.options
    shown = np.zeros((len(structure), int(options.max(initial=-1)) + 1))
    shown[np.arange(len(structure))[:, None], options] = 1
    together = shown.T @ shown
    count = together.diagonal()
    both = together[options[:, :, None], options[:, None, :]]
    either = count[options][:, :, None] + count[options][:, None, :] - both
    return (both / either).sum(axis=2) - 1


def hubs(structure: Structure, allowed: NDArray[np.bool_], rng: np.random.Generator) -> Guesses:
    """The options with the most company, each used once: the assignment with the largest sum of `togetherness`.

    Assignments that are equally good share the guess, by drawing among them. A category that cannot use each option
    once is answered item by item.

    Args:
        allowed: (n, 4) options that come into question.
        rng: draws among equals.
    """
    company = np.where(allowed, togetherness(structure), AWAY)
    guesses = np.zeros(structure.options.shape)
    for items in by_category(structure):
        if not has_matching(structure.options[items], allowed[items], structure.copies):
            guesses[items] = ties(company[items])
            continue
        for _ in range(N_DRAWN):
            value = company[items] + NEGLIGIBLE * rng.random((len(items), N_OPTIONS))
            guesses[items, best_assignment(structure, items, value)] += 1 / N_DRAWN
    # The four items of a block value their options alike, so that all assignments within it are equally good.
    alike = full_blocks(structure) & allowed.all(axis=1)
    guesses[alike] = 1 / N_OPTIONS
    return guesses


def medoid(structure: Structure, similarity: NDArray[np.float64]) -> Guesses:
    """The option that is most like the other three: distractors are chosen for being like the key.

    Args:
        similarity: (n, 4, 4) of the options of each item; NaN where an option's text is not known, which leaves
            the item without a guess (a row of NaN).
    """
    closeness = similarity.sum(axis=2) - np.einsum("nii->ni", similarity)
    guesses = np.full(structure.options.shape, np.nan)
    known = ~np.isnan(closeness).any(axis=1)
    guesses[known] = ties(closeness[known])
    return guesses


def option_similarity(structure: Structure, texts: Mapping[object, str] | None = None) -> NDArray[np.float64]:
    """(n, 4, 4) light text similarity of the options of each item.

    Args:
        texts: option token → the text that stands for it; None compares the names themselves.
    """
    from cmb_harness.construction.similarity import light_vectors

    tokens: dict[int, object] = {}
    for item, row in zip(structure.items, structure.options.tolist(), strict=True):
        tokens |= {number: token(item, at) for at, number in enumerate(row)}
    known = {
        number: getattr(name, "name", "") if texts is None else texts.get(name)
        for number, name in tokens.items()
    }
    numbers = [number for number, text in sorted(known.items()) if text]
    if not numbers:
        return np.full((len(structure), N_OPTIONS, N_OPTIONS), np.nan)
    vectors = light_vectors([str(known[number]) for number in numbers])
    table = np.full((len(tokens), len(tokens)), np.nan)
    table[np.ix_(numbers, numbers)] = (vectors @ vectors.T).toarray()
    return table[structure.options[:, :, None], structure.options[:, None, :]]


def scores_of(
    guesses: Guesses, keys: NDArray[np.int_], shares: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """(n,) what guesses score: exactly where the key is known, else in expectation over ``shares``, else NaN."""
    scores = np.full(len(guesses), np.nan) if shares is None else (guesses * shares).sum(axis=1)
    known = keys >= 0
    scores[known] = guesses[known, keys[known]]
    return scores


def _appearances(structure: Structure, all_items: Sequence[Item]) -> NDArray[np.float64]:
    count = Counter(token(item, at) for item in all_items for at in range(N_OPTIONS))
    shown = [[count[token(item, at)] for at in range(N_OPTIONS)] for item in structure.items]
    return np.array(shown, dtype=float).reshape(-1, N_OPTIONS)
