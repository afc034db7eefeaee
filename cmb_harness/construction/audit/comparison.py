"""Two releases side by side: what changed, and what the difference gives away."""

from collections.abc import Mapping, Sequence

import numpy as np

from cmb_harness.construction.audit.findings import Finding, Settings, score_findings, shown, unmeasured
from cmb_harness.construction.audit.matching_checks import BASIS, EXPECTED
from cmb_harness.construction.audit.release import N_OPTIONS, Item, Release, Row, token
from cmb_harness.construction.audit.words import fold

# Columns that differ between two releases of one concept without anything being changed.
_PASSING = ("clip", "video")


def comparison_findings(new: Release, old: Release, settings: Settings) -> list[Finding]:
    """What is new, gone and changed since an earlier release, and what someone who has both can do."""
    findings = [*public_changes(new, old), *hidden_changes(new, old)]
    if not new.items["s1", "test"] and not new.items["s2", "test"]:
        return [*findings, unmeasured("what the difference gives", "test", "there are no hidden items")]
    return [*findings, ids_kept(new, old), *difference_scores(new, old, settings)]


def public_changes(new: Release, old: Release) -> list[Finding]:
    """Public items by id: added, gone, changed, and with other options."""
    findings = []
    for stage in ("s1", "s2", "s3"):
        now = {row["item_id"]: row for row in new.rows[stage]["train"]}
        before = {row["item_id"]: row for row in old.rows[stage]["train"]}
        both = sorted(now.keys() & before.keys())
        changed = [name for name in both if _content(now[name]) != _content(before[name])]
        other = [name for name in both if _option_set(now[name]) != _option_set(before[name])]
        for check, names in (
            ("items added", sorted(now.keys() - before.keys())),
            ("items gone", sorted(before.keys() - now.keys())),
            ("items changed", changed),
            ("option sets changed", other if stage != "s3" else []),
        ):
            severity = "note" if names else "ok"
            if stage != "s3" or "option" not in check:
                findings.append(
                    Finding(check, f"{stage} train", severity, len(names), None, None, shown(names), "plain")
                )
    return findings


def hidden_changes(new: Release, old: Release) -> list[Finding]:
    """Hidden items by description: added, gone, and with other options."""
    findings = []
    for stage in ("s1", "s2"):
        now, before = (
            {fold(item.description): item for item in one.items[stage, "test"]} for one in (new, old)
        )
        both = now.keys() & before.keys()
        counts = {
            "items added": len(now.keys() - before.keys()),
            "items gone": len(before.keys() - now.keys()),
            "option sets changed": sum(_tokens(now[text]) != _tokens(before[text]) for text in both),
        }
        for check, count in counts.items():
            severity = "note" if count else "ok"
            findings.append(Finding(check, f"{stage} test", severity, count, None, None, "", "plain"))
    return findings


def ids_kept(new: Release, old: Release) -> Finding:
    """Hidden items that bear their old id: answers and scores of both releases join."""
    before = {row["item_id"] for stage in ("s1", "s2", "s3") for row in old.rows[stage]["test"]}
    now = [row["item_id"] for stage in ("s1", "s2", "s3") for row in new.rows[stage]["test"]]
    figure = float(np.mean([name in before for name in now])) if now else 0.0
    note = "the same salts: what was learned of an item still holds" if figure else ""
    return Finding(
        "hidden items under their old id",
        "test",
        "note" if figure else "ok",
        figure,
        None,
        0.0,
        note,
        n=len(now),
    )


def difference_scores(new: Release, old: Release, settings: Settings) -> list[Finding]:
    """What the old release gives of the hidden items of the new one: keys that were public, or options in both sets.

    The key of an item is among its options in both releases; where the sets differ, only what they share is left.
    """
    findings = []
    for stage in ("s1", "s2"):
        items = new.items[stage, "test"]
        if not items:
            continue
        before = {
            fold(item.description): item for item in [*old.items[stage, "test"], *old.items[stage, "train"]]
        }
        guesses = np.array([_guess(item, before.get(fold(item.description))) for item in items])
        public = {fold(item.description) for item in old.items[stage, "train"]}
        was_public = sum(fold(item.description) in public for item in items)
        keys = [item.key for item in items]
        scores = [
            float(guess.max()) if key is None else float(guess[key])
            for guess, key in zip(guesses, keys, strict=True)
        ]
        basis = EXPECTED if any(key is None for key in keys) else BASIS
        narrowed = int(((guesses > 0).sum(axis=1) < N_OPTIONS).sum())
        check = "key from the earlier release"
        note = f"{basis}; {was_public} items were public, {narrowed} have fewer than four options left"
        clusters = [item.cluster for item in items]
        findings += score_findings(
            {check: scores}, clusters, f"{stage} test", settings, evidence={check: note}
        )
    return findings


def _guess(item: Item, before: Item | None) -> np.ndarray:
    """(4,) what is left to guess of an item, given the same question in the earlier release."""
    left = np.ones(N_OPTIONS, dtype=bool)
    if before is not None:
        old_tokens = [token(before, at) for at in range(N_OPTIONS)]
        kept = {old_tokens[before.key]} if before.key is not None and not before.hidden else set(old_tokens)
        shared = np.array([token(item, at) in kept for at in range(N_OPTIONS)])
        left = shared if shared.any() else left
    return left / left.sum()


def _tokens(item: Item) -> frozenset[object]:
    return frozenset(token(item, at) for at in range(N_OPTIONS))


def _content(row: Row) -> Row:
    content = {name: value for name, value in row.items() if name not in _PASSING}
    options = content.get("options")
    if options and isinstance(options[0], Mapping):
        content["options"] = [_content(option) for option in options]
    return content


def _option_set(row: Row) -> frozenset[str]:
    options: Sequence[object] = row.get("options") or ()
    return frozenset(str(_content(option) if isinstance(option, Mapping) else option) for option in options)
