"""What a solver gains by using each option once: its own answers, made to fit one another."""

import numpy as np
from numpy.typing import NDArray

from cmb_harness.construction.audit.assignment import best_assignment, by_category
from cmb_harness.construction.audit.structure import Structure

SOLVERS = (0.50, 0.70, 0.86)
N_DRAWS = 40
# Of the quadrature; the integrand is smooth.
N_NODES = 64


def sensitivity(accuracy: float, n_options: int = 4) -> float:
    """How far the evidence for the key lies above that for others, in standard deviations (d' of m-AFC).

    The evidence for each option is normal with variance 1; the solver answers the largest. Its accuracy is
    ∫ φ(x - d') Φ(x)^(m-1) dx.

    Args:
        accuracy: above 1/m and below 1.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr

    nodes, weights = np.polynomial.hermite_e.hermegauss(N_NODES)
    weights = weights / weights.sum()

    def excess(distance: float) -> float:
        return float(weights @ ndtr(nodes + distance) ** (n_options - 1)) - accuracy

    return float(brentq(excess, 0.0, 10.0))


def solver_scores(
    structure: Structure,
    keys: NDArray[np.int_],
    accuracy: float,
    rng: np.random.Generator,
    *,
    n_draws: int = N_DRAWS,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(n,) how often each item is answered right, alone and with each option used once.

    With normal evidence of equal variance, the assignment with the largest sum of evidence is the likeliest one.

    Args:
        keys: (n,) places of the keys.
        accuracy: of the solver when it answers items one by one.
        rng: draws the evidence.
        n_draws: solvers averaged over.

    Raises:
        ValueError: no way to use each option once.
    """
    distance = sensitivity(accuracy)
    rows = np.arange(len(structure))
    alone, fitted = np.zeros(len(structure)), np.zeros(len(structure))
    for _ in range(n_draws):
        evidence = rng.normal(size=structure.options.shape)
        evidence[rows, keys] += distance
        alone += evidence.argmax(axis=1) == keys
        for items in by_category(structure):
            fitted[items] += best_assignment(structure, items, evidence[items]) == keys[items]
    return alone / n_draws, fitted / n_draws


def drawn_keys(structure: Structure, rng: np.random.Generator) -> NDArray[np.int_]:
    """(n,) keys that use each option once, at random, to stand in for keys that are not known.

    Raises:
        ValueError: there are none.
    """
    keys = np.empty(len(structure), dtype=int)
    evidence = rng.random(structure.options.shape)
    for items in by_category(structure):
        keys[items] = best_assignment(structure, items, evidence[items])
    return keys
