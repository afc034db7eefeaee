"""The attacks on option sets, run over a release and put into findings."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cmb_harness.construction.audit import attacks, cooccurrence, one_each
from cmb_harness.construction.audit.attacked import Attacked, attack
from cmb_harness.construction.audit.findings import (
    Finding,
    Settings,
    clustered_mean,
    score_findings,
    severity_of,
    unmeasured,
)
from cmb_harness.construction.audit.matching_checks import (
    BASIS,
    EXPECTED,
    NO_COUNTRIES,
    NO_KEYS,
    basis_of,
    hub_findings,
    matching_findings,
)
from cmb_harness.construction.audit.release import SPLITS, Release, token

FROM_NAME = "S2 from the right S1 name"
UNWATCHED = "S2 unwatched: hubs with countries, then ties"


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
            findings += matching_findings(attacked, stage, where, settings)
            findings += hub_findings(attacked, stage, where, settings)
            findings += _medoid_findings(release, attacked, stage, where, settings)
        if "s2" in found and "s1" in found:
            findings += _link_findings(release, found["s1"], split, settings)
        if found:
            stage = next(iter(found))
            findings += _solver_findings(found[stage], f"{stage} {split}", settings)
    return findings


def _pattern_findings(
    release: Release, attacked: Attacked, stage: str, where: str, settings: Settings
) -> list[Finding]:
    structure, keys, basis = attacked.structure, attacked.structure.keys, basis_of(attacked.structure)
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
        if not attacked.knows_countries:
            scores["country pattern"] = np.full(len(structure), np.nan)
            notes["country pattern"] = NO_COUNTRIES
    return score_findings(scores, structure.clusters, where, settings, evidence=notes)


def _unknown(attacked: Attacked) -> str:
    return f"; unknown names in {attacked.n_unknown} items" if attacked.n_unknown else ""


def _medoid_findings(
    release: Release, attacked: Attacked, stage: str, where: str, settings: Settings
) -> list[Finding]:
    structure = attacked.structure
    check = "medoid of the names" if stage == "s1" else "medoid of the descriptions"
    if not (structure.keys >= 0).any():
        return [unmeasured(check, where, NO_KEYS)]
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
    if not pairs:
        return [unmeasured(FROM_NAME, where, "no S2 item joins to an S1 item")]
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
    scores = {FROM_NAME: cooccurrence.link_scores(pairs, names, links)}
    notes = {FROM_NAME: f"{basis}; {tied}"}
    if s1.knows_countries and basis == BASIS:
        moments = cooccurrence.moment_guesses(s1.hubs_with_countries[rows], links)
        keys = np.array([item.key for _, item in pairs])
        scores[UNWATCHED] = moments[np.arange(len(pairs)), keys]
        notes[UNWATCHED] = basis
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
        drawn = "" if structure.keyed else ", keys drawn"
        note = f"{one_each.N_DRAWS} simulated solvers{drawn}; chance is answering alone"
        findings.append(
            Finding(
                check,
                where,
                severity_of(gain, interval, 0.0),
                accuracy + gain,
                shifted,
                accuracy,
                note,
                n=len(structure),
            )
        )
    return findings
