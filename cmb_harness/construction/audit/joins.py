"""Joins: which rows of hidden items can be put together with other rows, by what, and what that gives."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cmb_harness.construction.audit import cooccurrence
from cmb_harness.construction.audit.findings import Finding, Settings, score_findings, unmeasured
from cmb_harness.construction.audit.marginals import ties
from cmb_harness.construction.audit.matching_checks import NO_KEYS
from cmb_harness.construction.audit.orders import orders, same_letters
from cmb_harness.construction.audit.release import N_OPTIONS, Name, Release, plain, token
from cmb_harness.construction.audit.words import fold

_CONCEPT_ID = re.compile(r"[A-Z]{2}-[A-Za-z]+-[0-9]{2,}")


@dataclass(frozen=True)
class FileFacts:
    """A file of a release as it lies on the disk.

    Attributes:
        name: within the folder.
        modified_s: when it was written, in seconds.
        size: in bytes.
    """

    name: str
    modified_s: float
    size: int


def join_findings(release: Release, settings: Settings, files: Sequence[FileFacts] = ()) -> list[Finding]:
    """All joins of hidden items, and what the files tell."""
    findings = [files_finding(files)] if files else []
    if not any(rows["test"] for rows in release.rows.values() if "test" in rows):
        return [*findings, unmeasured("joins of hidden items", "test", "there are no hidden items")]
    return [
        *findings,
        ids_across_stages(release),
        ids_that_tell(release),
        by_description(release),
        by_public_description(release),
        by_public_options(release),
        by_public_videos(release),
        *orders(release, settings.seed),
        *same_letters(release, settings),
        *by_names_of_s3(release),
        *by_cues_of_s3(release, settings),
    ]


def ids_across_stages(release: Release) -> Finding:
    """Hidden ids that are the same in two stages but for the stage's name."""
    stems = {
        stage: [
            re.sub(r"^s[123]-|/s[123](/\d+)?$", "", row["item_id"]) for row in release.rows[stage]["test"]
        ]
        for stage in ("s1", "s2", "s3")
    }
    others = {
        "s1": {*stems["s2"], *stems["s3"]},
        "s2": {*stems["s1"], *stems["s3"]},
        "s3": {*stems["s1"], *stems["s2"]},
    }
    return _share(
        "by id, to another stage",
        [stem in others[stage] for stage in stems for stem in stems[stage]],
        "serious",
    )


def ids_that_tell(release: Release) -> Finding:
    """Hidden ids that hold a concept_id, or are no long random string: a number follows an order, a word tells."""
    ids = [row["item_id"] for stage in ("s1", "s2", "s3") for row in release.rows[stage]["test"]]
    told = [bool(_CONCEPT_ID.search(item_id)) or not re.search("[0-9a-f]{12}", item_id) for item_id in ids]
    return _share(
        "by id, to the concept", told, "serious", "ids that hold a concept_id or are no long random string"
    )


def by_description(release: Release) -> Finding:
    """Hidden S2 items that join to their S1 item: by design, as they share the description."""
    hidden = release.items["s2", "test"]
    pairs = cooccurrence.joined_items(release.items["s1", "test"], hidden)
    joined = {item.item_id for _, item in pairs}
    note = "by design; gives what the ties of names and moments give"
    return _share(
        "S2 to S1, by description or s1_item_id", [item.item_id in joined for item in hidden], "note", note
    )


def by_public_description(release: Release) -> Finding:
    """Hidden items with the description of a public one, whose answer is out."""
    public = {fold(item.description) for item in release.items["s1", "train"]}
    told = [fold(item.description) in public for item in release.items["s1", "test"]]
    return _share("to a public row, by description", told, "serious", "gives the key")


def by_public_options(release: Release) -> Finding:
    """Hidden items that show an option of public items: their structures join, and public keys are struck out."""
    told = []
    for stage in ("s1", "s2"):
        public = {token(item, at) for item in release.items[stage, "train"] for at in range(N_OPTIONS)}
        told += [
            any(token(item, at) in public for at in range(N_OPTIONS)) for item in release.items[stage, "test"]
        ]
    return _share(
        "to a public row, by an option", told, "warning", "gives what is struck out by the public split"
    )


def by_public_videos(release: Release) -> Finding:
    """Hidden items with a video of public ones."""
    public = {option.video_id for item in release.items["s2", "train"] for option in item.options}
    public |= {pair.video_id for pair in release.pairs["train"]}
    told = [any(option.video_id in public for option in item.options) for item in release.items["s2", "test"]]
    told += [pair.video_id in public for pair in release.pairs["test"]]
    return _share("to a public row, by a video", told, "warning", "gives what is known of the public concept")


def by_names_of_s3(release: Release) -> list[Finding]:
    """Hidden S1 items that S3 answers: through the ids, by design when S1 is closed, or through the names alone."""
    s3, s2 = release.pairs["test"], release.items["s2", "test"]
    if not s3:
        return []
    linked = {item.item_id for item in s2} & {pair.s2_item_id for pair in s3}
    told = _share(
        "S3 to S2, by s2_item_id",
        [pair.s2_item_id in linked for pair in s3],
        "note",
        "gives the S1 key; S3 opens when S1 and S2 are closed",
    )
    names = defaultdict(list)
    for item in release.items["s1", "test"]:
        for name in item.options:
            names[item.category, plain(name)].append(item)
    single = [len(names[pair.category, plain(pair.concept_name)]) == 1 for pair in s3]
    return [told, _share("S3 to S1, by a name that one item alone shows", single, "note", "gives the S1 key")]


def by_cues_of_s3(release: Release, settings: Settings) -> list[Finding]:
    """How often the hidden S1 item of an S3 pair is found by text: it shows the name, and is most like the cue."""
    from cmb_harness.construction.similarity import light_vectors

    check, where = "S3 to S1, by name and cue", "s3 test"
    pairs, items = release.pairs["test"], release.items["s1", "test"]
    if not pairs or not items:
        return []
    if not all(pair.concept_id for pair in pairs) or not all(item.concept_id for item in items):
        return [unmeasured(check, where, NO_KEYS)]
    vectors = light_vectors([*(item.description for item in items), *(pair.cue for pair in pairs)])
    alike = (vectors[: len(items)] @ vectors[len(items) :].T).toarray()
    scores, chances = [], []
    for column, pair in enumerate(pairs):
        wanted = Name(pair.category, plain(pair.concept_name))
        shown = [
            at for at, item in enumerate(items) if any(token(item, i) == wanted for i in range(N_OPTIONS))
        ]
        if shown:
            guess = ties(alike[shown, column])
            scores.append(
                sum(guess[i] for i, at in enumerate(shown) if items[at].concept_id == pair.concept_id)
            )
            chances.append(1 / len(shown))
        else:
            scores.append(np.nan)
            chances.append(np.nan)
    chance = float(np.nanmean(chances)) if not np.isnan(chances).all() else 0.0
    note = {check: "of the items that show the name, the description most like the cue; gives the S1 key"}
    clusters = [pair.cluster for pair in pairs]
    return score_findings({check: scores}, clusters, where, settings, chance=chance, evidence=note)


def files_finding(files: Sequence[FileFacts]) -> Finding:
    """Files of a release that could tell items apart: by being one an item, or by when they were written.

    A build has one Parquet file a config and split, its card and its reader, all of one time.
    """
    parquet = [file for file in files if file.name.endswith(".parquet")]
    other = [file for file in files if not file.name.endswith((".parquet", ".md", ".py"))]
    count = Counter(file.name.rpartition("/")[0] for file in parquet)
    many = sorted(config for config, number in count.items() if number > 2)
    times = {round(file.modified_s) for file in parquet}
    notes = []
    if many:
        notes.append(f"more than one Parquet file a split: {', '.join(many)}")
    if other:
        told = [what for what, values in _told_by(other).items() if len(values) > 1]
        notes.append(
            f"{len(other)} files that no build wrote"
            + (f", of different {' and '.join(told)}" if told else "")
        )
    if len(times) > 1:
        notes.append(f"{len(parquet)} Parquet files of {len(times)} times, none of a single item")
    severity = "warning" if many or other else "note" if notes else "ok"
    figure = len(many) + len(other) + (len(times) > 1)
    return Finding(
        "file names, times and sizes", "release", severity, figure, None, 0, "; ".join(notes), "plain"
    )


def _told_by(files: Sequence[FileFacts]) -> dict[str, set[int]]:
    return {"times": {round(file.modified_s) for file in files}, "sizes": {file.size for file in files}}


def _share(check: str, told: Sequence[bool], severity: str, note: str = "") -> Finding:
    """The share of hidden items that are joined."""
    if not told:
        return unmeasured(check, "test", "there are no such hidden items")
    figure = float(np.mean(told))
    return Finding(
        check,
        "test",
        severity if any(told) else "ok",
        figure,
        None,
        0.0,
        note if any(told) else "",
        n=len(told),
    )
