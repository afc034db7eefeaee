"""The attacks on option sets, run over a release and put into findings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmb_harness.construction.audit import attacks, cooccurrence, one_each
from cmb_harness.construction.audit.findings import (
    Finding,
    Settings,
    clustered_mean,
    score_findings,
    unmeasured,
)
from cmb_harness.construction.audit.marginals import Marginals, NoMatching, has_matching, key_marginals
from cmb_harness.construction.audit.release import SPLITS, Release, token
from cmb_harness.construction.audit.sampling import ERROR_LIMIT, R_HAT_LIMIT
from cmb_harness.construction.audit.structure import (
    Structure,
    country_pattern,
    full_blocks,
    not_public,
    structure_of,
)

CHANCE = 0.25
BASIS, EXPECTED = "on the keys", "expected"
MATCHING, WITH_COUNTRIES = "matching", "matching, countries known"


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
    """

    structure: Structure
    allowed: NDArray[np.bool_]
    in_country: NDArray[np.bool_]
    matched_in_country: NDArray[np.bool_]
    n_unknown: int
    free: Marginals | None
    with_countries: Marginals | None

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
    return Attacked(
        structure,
        allowed,
        both,
        relaxed,
        n_unknown,
        _marginals(structure, allowed, seed),
        _marginals(structure, relaxed, seed) if stage == "s1" else None,
    )


def where_it_matches(
    structure: Structure, narrow: NDArray[np.bool_], wide: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """(n, 4) the narrow choice of options, but the wide one in categories where the narrow one leaves no matching.

    The pattern of countries is no law: a concept without a compatriot has a key that is none of a pair.
    """
    chosen = narrow.copy()
    for items in one_each.by_category(structure):
        if not has_matching(structure.options[items], narrow[items], structure.copies):
            chosen[items] = wide[items]
    return chosen


def attack_findings(release: Release, settings: Settings) -> list[Finding]:
    """All attacks on all splits that have items."""
    findings = []
    for split in SPLITS:
        found = {
            stage: attack(release, stage, split, settings.seed)
            for stage in ("s1", "s2")
            if release.items[stage, split]
        }
        for stage, attacked in found.items():
            where = f"{stage} {split}"
            findings += _pattern_findings(release, attacked, stage, where, settings)
            findings += _matching_findings(attacked, stage, where, settings)
            findings += _medoid_findings(release, attacked, stage, where, settings)
        if "s2" in found and "s1" in found:
            findings += _link_findings(release, found["s1"], split, settings)
        if found:
            stage = next(iter(found))
            findings += _solver_findings(found[stage], f"{stage} {split}", settings)
    return findings


def chain_text(marginals: Marginals) -> str:
    """How the probabilities were come by."""
    if not marginals.n_sampled:
        return "matchings counted"
    agreement = f"R-hat {marginals.r_hat:.2f}, standard error {100 * (marginals.error or 0):.1f} points"
    return f"{marginals.n_sampled} items by Markov chains ({agreement})"


def _marginals(structure: Structure, allowed: NDArray[np.bool_], seed: int) -> Marginals | None:
    try:
        return key_marginals(structure.options, allowed, structure.copies, seed=seed)
    except NoMatching:
        return None


def _basis(structure: Structure) -> str:
    return BASIS if structure.keyed else EXPECTED


def _pattern_findings(
    release: Release, attacked: Attacked, stage: str, where: str, settings: Settings
) -> list[Finding]:
    structure, keys, basis = attacked.structure, attacked.structure.keys, _basis(attacked.structure)
    all_items = release.all_items(stage)
    guesses = {
        "rarest option": attacks.rarest_option(structure, all_items),
        "commonest option": attacks.commonest_option(structure, all_items),
    }
    scores = {check: attacks.scores_of(one, keys, attacked.shares) for check, one in guesses.items()}
    notes = dict.fromkeys(scores, basis)
    if where.endswith("test"):
        check = "struck out: keys of public items"
        even = attacks.even_guesses(attacked.allowed)
        scores[check] = attacks.scores_of(even, keys, even)
        notes[check] = f"{basis}; {int((~attacked.allowed).sum())} options struck out"
    if stage == "s1":
        even = attacks.even_guesses(attacked.in_country)
        scores["country pattern"] = attacks.scores_of(even, keys, even)
        notes["country pattern"] = f"{basis}; one of those that share a country" + _unknown(attacked)
        if attacked.n_unknown == len(structure):
            scores["country pattern"] = np.full(len(structure), np.nan)
            notes["country pattern"] = "the countries of the names are not known (--inventory)"
    return score_findings(scores, structure.clusters, where, settings, evidence=notes)


def _unknown(attacked: Attacked) -> str:
    return f"; unknown names in {attacked.n_unknown} items" if attacked.n_unknown else ""


def _matching_findings(attacked: Attacked, stage: str, where: str, settings: Settings) -> list[Finding]:
    findings = []
    kinds = {MATCHING: attacked.free} | ({WITH_COUNTRIES: attacked.with_countries} if stage == "s1" else {})
    for check, marginals in kinds.items():
        if check == WITH_COUNTRIES and attacked.n_unknown == len(attacked.structure):
            findings.append(
                unmeasured(check, where, "the countries of the names are not known (--inventory)")
            )
        elif marginals is None:
            reason = "no answer uses each option once; names that several concepts share? (--inventory)"
            findings.append(unmeasured(check, where, reason))
        else:
            relaxed = (attacked.matched_in_country != attacked.in_country).any(axis=1).sum()
            more = f"; {relaxed} items without the pattern, which fits no matching" if relaxed else ""
            note = more if check == WITH_COUNTRIES else ""
            findings += _scored_matching(attacked.structure, marginals, (check, note), where, settings)
    return findings


def _scored_matching(
    structure: Structure, marginals: Marginals, named: tuple[str, str], where: str, settings: Settings
) -> list[Finding]:
    """All items; where some are in full blocks and some not, these two apart as well; and the chains, if any."""
    check, more = named
    scores = marginals.guess_score.copy()
    known = structure.keys >= 0
    scores[known] = marginals.guesses()[known, structure.keys[known]]
    note = f"{_basis(structure)}; {chain_text(marginals)}{more}"
    blocks = full_blocks(structure)
    masks = {check: np.ones(len(structure), dtype=bool)}
    if blocks.any():
        masks |= {f"{check}: full blocks": blocks, f"{check}: leftovers": ~blocks}
    findings = []
    for name, mask in masks.items():
        if mask.any():
            clusters = [cluster for cluster, take in zip(structure.clusters, mask, strict=True) if take]
            findings += score_findings({name: scores[mask]}, clusters, where, settings, evidence={name: note})
    if marginals.n_sampled:
        r_hat, error = marginals.r_hat or np.inf, marginals.error or np.inf
        agree = r_hat <= R_HAT_LIMIT and error <= ERROR_LIMIT
        figure = round(r_hat, 4) if np.isfinite(r_hat) else None
        text = chain_text(marginals) if agree else f"have not converged: {chain_text(marginals)}"
        severity = "ok" if agree else "warning"
        findings.append(Finding(f"{check}: chains", where, severity, figure, None, 1.0, text, "plain"))
    return findings


def _medoid_findings(
    release: Release, attacked: Attacked, stage: str, where: str, settings: Settings
) -> list[Finding]:
    structure = attacked.structure
    check = "medoid of the names" if stage == "s1" else "medoid of the descriptions"
    if not (structure.keys >= 0).any():
        return [unmeasured(check, where, "needs keys (--secrets)")]
    texts: Mapping[Any, str] | None = None
    if stage == "s2":
        keyed = [item for item in release.all_items("s2") if item.key is not None]
        texts = {token(item, item.key or 0): item.description for item in keyed}
    guesses = attacks.medoid(structure, attacks.option_similarity(structure, texts))
    scores = attacks.scores_of(guesses, structure.keys)
    n_left = int(np.isnan(scores).sum())
    note = f"{BASIS}; the option most like the other three (shared letter sequences)"
    note += f"; {n_left} items with an option of unknown text left out" if n_left else ""
    return score_findings({check: scores}, structure.clusters, where, settings, evidence={check: note})


def _link_findings(release: Release, s1: Attacked, split: str, settings: Settings) -> list[Finding]:
    pairs = cooccurrence.joined_items(release.items["s1", split], release.items["s2", split])
    where = f"s2 {split}"
    check, unwatched = "S2 from the right S1 name", "S2 unwatched: matching with countries, then ties"
    if not pairs:
        return [unmeasured(check, where, "no S2 item joins to an S1 item")]
    everywhere = [
        pair
        for part in SPLITS
        for pair in cooccurrence.joined_items(release.items["s1", part], release.items["s2", part])
    ]
    links = cooccurrence.name_moment_links(pairs, everywhere)
    place = {item.item_id: at for at, item in enumerate(s1.structure.items)}
    rows = [place[s1_item.item_id] for s1_item, _ in pairs]
    by_id = {} if s1.shares is None else {item: s1.shares[at] for item, at in place.items()}
    names = cooccurrence.right_names(pairs, by_id)
    basis = BASIS if all(item.key is not None for pair in pairs for item in pair) else EXPECTED
    tied = f"{100 * cooccurrence.tied_share(links):.0f}% of the names are left with one moment"
    scores = {check: cooccurrence.link_scores(pairs, names, links)}
    notes = {check: f"{basis}; {tied}"}
    if s1.with_countries is not None and s1.n_unknown < len(s1.structure):
        guesses = s1.with_countries.guesses()[rows]
        moments = cooccurrence.moment_guesses(guesses, links)
        keys = np.array([-1 if item.key is None else item.key for _, item in pairs])
        expected = s1.with_countries.guess_score[rows] * (guesses * links.max(axis=2)).sum(axis=1)
        scores[unwatched] = np.where(keys >= 0, moments[np.arange(len(pairs)), keys], expected)
        notes[unwatched] = basis
    clusters = [item.cluster for _, item in pairs]
    return score_findings(scores, clusters, where, settings, evidence=notes)


def _solver_findings(attacked: Attacked, where: str, settings: Settings) -> list[Finding]:
    structure = attacked.structure
    rng = np.random.default_rng(settings.seed)
    findings = []
    for accuracy in one_each.SOLVERS:
        check = f"one option each: solver of {accuracy:.0%}"
        try:
            keys = structure.keys if structure.keyed else one_each.drawn_keys(structure, rng)
            alone, fitted = one_each.solver_scores(structure, keys, accuracy, rng)
        except ValueError as error:
            findings.append(unmeasured(check, where, str(error)))
            continue
        # What the simulated solvers had by themselves is off their accuracy by chance; the gain is paired with it.
        gain, interval = clustered_mean(
            fitted - alone, structure.clusters, settings, settings.confidence_level
        )
        shifted = None if interval is None else (accuracy + interval[0], accuracy + interval[1])
        note = f"{one_each.N_DRAWS} simulated solvers{'' if structure.keyed else ', keys drawn'}; chance is answering alone"
        findings.append(
            Finding(
                check,
                where,
                _severity(gain, interval),
                accuracy + gain,
                shifted,
                accuracy,
                note,
                n=len(structure),
            )
        )
    return findings


def _severity(gain: float, interval: tuple[float, float] | None) -> str:
    from cmb_harness.construction.audit.findings import severity_of

    return severity_of(gain, interval, 0.0)
