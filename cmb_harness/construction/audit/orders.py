"""Orders that tell: of rows between files, of rows among themselves, of options between stages."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cmb_harness.construction.audit import cooccurrence
from cmb_harness.construction.audit.findings import Finding, Settings, score_findings, unmeasured
from cmb_harness.construction.audit.release import N_OPTIONS, SPLITS, Item, Release, token

# Two-sided p from which an order is no accident; several orders are looked at.
UNLIKELY = 0.001
PERMUTATIONS = 2_000


def orders(release: Release, seed: int) -> list[Finding]:
    """Whether the order of hidden rows is that of another file, of the concepts, or keeps like rows together."""
    s1, s2, s3 = release.items["s1", "test"], release.items["s2", "test"], release.pairs["test"]
    pairs = cooccurrence.joined_items(s1, s2)
    rank1 = {item.item_id: place for place, item in enumerate(s1)}
    rank2 = {item.item_id: place for place, item in enumerate(s2)}
    findings = [
        order_finding("order of S1 and S2", [(rank1[a.item_id], rank2[b.item_id]) for a, b in pairs]),
    ]
    if s3:
        placed = [
            (rank2[pair.s2_item_id], place) for place, pair in enumerate(s3) if pair.s2_item_id in rank2
        ]
        findings.append(order_finding("order of S2 and S3", placed))
    for stage, rows in (("s1", s1), ("s2", s2), ("s3", s3)):
        known = [row.concept_id for row in rows]
        if rows and all(known):
            by_id = {name: place for place, name in enumerate(sorted({str(name) for name in known}))}
            ranks = [(by_id[str(name)], place) for place, name in enumerate(known)]
            findings.append(order_finding(f"order of {stage} and of the concept_ids", ranks))
    return findings + [neighbours(items, stage, seed) for stage, items in (("s1", s1), ("s2", s2)) if items]


def order_finding(check: str, ranks: Sequence[tuple[int, int]]) -> Finding:
    """Spearman's correlation of two orders of the same items; 0 for orders that know nothing of each other."""
    if len(ranks) < 3:
        return unmeasured(check, "test", "too few items are joined to compare orders")
    rho, p = rank_correlation(ranks)
    severity = "ok" if p >= UNLIKELY else "serious" if abs(rho) >= 0.5 else "warning"
    return Finding(
        check, "test", severity, float(rho), None, 0.0, f"Spearman's rho, p = {p:.3f}", "plain", len(ranks)
    )


def rank_correlation(ranks: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """Spearman's rho of n pairs, equals by their order, and its two-sided p (t with n - 2 degrees of freedom)."""
    from scipy.special import stdtr

    n = len(ranks)
    one, other = (np.argsort(np.argsort(column)) for column in np.array(ranks).T)
    rho = float(np.corrcoef(one, other)[0, 1])
    if abs(rho) > 1 - 1e-12:
        return rho, 0.0
    t = abs(rho) * np.sqrt((n - 2) / (1 - rho**2))
    return rho, float(2 * stdtr(n - 2, -t))


def neighbours(items: Sequence[Item], stage: str, seed: int) -> Finding:
    """How many rows that follow one another share an option, beside what shuffled rows do."""
    sets = [frozenset(token(item, at) for at in range(N_OPTIONS)) for item in items]
    sharing = np.array([[bool(a & b) for b in sets] for a in sets])
    check = "neighbouring rows share an option"
    if len(items) < 3:
        return unmeasured(check, f"{stage} test", "too few items")
    rng = np.random.default_rng(seed)
    mixed = [rng.permutation(len(items)) for _ in range(PERMUTATIONS)]
    drawn = np.array([_neighbour_share(sharing, order) for order in mixed])
    figure = _neighbour_share(sharing, np.arange(len(items)))
    p = (1 + int((drawn >= figure).sum())) / (1 + PERMUTATIONS)
    severity = "ok" if p >= UNLIKELY else "serious"
    low, high = np.quantile(drawn, (0.025, 0.975))
    note = f"shuffled rows: {100 * low:.0f}% to {100 * high:.0f}%, p = {p:.3f}"
    return Finding(check, f"{stage} test", severity, figure, None, float(drawn.mean()), note, n=len(items))


def same_letters(release: Release, settings: Settings) -> list[Finding]:
    """Whether S1 and S2 show their options in one order, so that a name's letter is that of its moment."""
    findings = []
    for split in SPLITS:
        pairs = cooccurrence.joined_items(release.items["s1", split], release.items["s2", split])
        if not pairs:
            continue
        links = cooccurrence.name_moment_links(pairs, pairs)
        scores = {"a name and its moment at one letter": cooccurrence.same_place_share(pairs, links)}
        keyed = [(a, b) for a, b in pairs if a.key is not None and b.key is not None]
        clusters = [item.cluster for _, item in pairs]
        evidence = dict.fromkeys(scores, "of names that are tied to one moment")
        findings += score_findings(scores, clusters, f"s1 s2 {split}", settings, evidence=evidence)
        if keyed:
            same = {"the keys at one letter": [float(a.key == b.key) for a, b in keyed]}
            findings += score_findings(same, [b.cluster for _, b in keyed], f"s1 s2 {split}", settings)
    return findings


def _neighbour_share(sharing: NDArray[np.bool_], order: NDArray[np.int_]) -> float:
    return float(sharing[order[:-1], order[1:]].mean())
