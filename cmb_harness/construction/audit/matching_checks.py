"""Matching over all items, and the hubs of option sets, put into findings: all items, full blocks, leftovers."""

import numpy as np
from numpy.typing import NDArray

from cmb_harness.construction.audit.attacked import Attacked
from cmb_harness.construction.audit.findings import Finding, Settings, score_findings, unmeasured
from cmb_harness.construction.audit.marginals import Marginals
from cmb_harness.construction.audit.sampling import ERROR_LIMIT, R_HAT_LIMIT
from cmb_harness.construction.audit.structure import Structure, full_blocks

BASIS, EXPECTED = "on the keys", "expected"
MATCHING, WITH_COUNTRIES = "matching", "matching, countries known"
HUBS, HUBS_WITH_COUNTRIES = "hubs, one option each", "hubs, one option each, countries known"
NO_COUNTRIES = "the countries of the names are not known (--inventory)"
NO_KEYS = "needs keys (--secrets)"


def matching_findings(attacked: Attacked, stage: str, where: str, settings: Settings) -> list[Finding]:
    """The likeliest options over all matchings; with what is known of countries too, for names."""
    findings = []
    kinds = {MATCHING: attacked.free} | ({WITH_COUNTRIES: attacked.with_countries} if stage == "s1" else {})
    for check, marginals in kinds.items():
        if check == WITH_COUNTRIES and not attacked.knows_countries:
            findings.append(unmeasured(check, where, NO_COUNTRIES))
        elif marginals is None:
            reason = "no answer uses each option once; names that several concepts share? (--inventory)"
            findings.append(unmeasured(check, where, reason))
        else:
            note = chain_text(marginals) + (_relaxed(attacked) if check == WITH_COUNTRIES else "")
            findings += _matching(attacked.structure, marginals, (check, note), where, settings)
    return findings


def hub_findings(attacked: Attacked, stage: str, where: str, settings: Settings) -> list[Finding]:
    """The hubs, without and with countries. What they score is known on keys alone: no even odds to expect it by."""
    kinds = {HUBS: (attacked.hubs, "")}
    if stage == "s1":
        kinds[HUBS_WITH_COUNTRIES] = attacked.hubs_with_countries, _relaxed(attacked)
    findings = []
    keys = attacked.structure.keys
    for check, (guesses, note) in kinds.items():
        if not attacked.structure.keyed:
            findings.append(unmeasured(check, where, NO_KEYS))
        elif check == HUBS_WITH_COUNTRIES and not attacked.knows_countries:
            findings.append(unmeasured(check, where, NO_COUNTRIES))
        else:
            scores = guesses[np.arange(len(keys)), keys]
            findings += _by_blocks(attacked.structure, scores, (check, BASIS + note), where, settings)
    return findings


def basis_of(structure: Structure) -> str:
    """Whether a figure is what is scored on the keys, or what is expected of it without them."""
    return BASIS if structure.keyed else EXPECTED


def chain_text(marginals: Marginals) -> str:
    """How the probabilities were come by."""
    if not marginals.n_sampled:
        return "matchings counted"
    agreement = f"R-hat {marginals.r_hat:.2f}, standard error {100 * (marginals.error or 0):.1f} points"
    return f"{marginals.n_sampled} items by Markov chains ({agreement})"


def _matching(
    structure: Structure, marginals: Marginals, named: tuple[str, str], where: str, settings: Settings
) -> list[Finding]:
    """The findings of one kind of matching, and of its chains, if any."""
    check, note = named
    scores = marginals.guess_score.copy()
    known = structure.keys >= 0
    scores[known] = marginals.guesses()[known, structure.keys[known]]
    findings = _by_blocks(structure, scores, (check, f"{basis_of(structure)}; {note}"), where, settings)
    if marginals.n_sampled:
        r_hat, error = marginals.r_hat or np.inf, marginals.error or np.inf
        agree = r_hat <= R_HAT_LIMIT and error <= ERROR_LIMIT
        figure = round(r_hat, 4) if np.isfinite(r_hat) else None
        text = chain_text(marginals) if agree else f"have not converged: {chain_text(marginals)}"
        severity = "ok" if agree else "warning"
        findings.append(Finding(f"{check}: chains", where, severity, figure, None, 1.0, text, "plain"))
    return findings


def _by_blocks(
    structure: Structure, scores: NDArray[np.float64], named: tuple[str, str], where: str, settings: Settings
) -> list[Finding]:
    """All items; where some are in full blocks, these and the leftovers apart as well."""
    check, note = named
    blocks = full_blocks(structure)
    masks = {check: np.ones(len(structure), dtype=bool)}
    if blocks.any():
        masks |= {f"{check}: full blocks": blocks, f"{check}: leftovers": ~blocks}
    findings = []
    for name, mask in masks.items():
        if mask.any():
            clusters = [cluster for cluster, take in zip(structure.clusters, mask, strict=True) if take]
            findings += score_findings({name: scores[mask]}, clusters, where, settings, evidence={name: note})
    return findings


def _relaxed(attacked: Attacked) -> str:
    n = int((attacked.matched_in_country != attacked.in_country).any(axis=1).sum())
    return f"; {n} items without the pattern, which fits no matching" if n else ""
