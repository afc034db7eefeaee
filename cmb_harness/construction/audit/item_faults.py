"""Faults of options, videos and times, and cells of the region that stay empty."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from cmb_dataset import WITHHELD
from cmb_harness.construction.audit.findings import Finding, count_finding, unmeasured
from cmb_harness.construction.audit.release import Concepts, Item, PairItem, Release, Rows, token
from cmb_harness.construction.audit.words import fold, holds_name
from cmb_harness.records import Moment

# A moment or span of less is a slip of the hand, and so is one of nearly the whole video.
SHORT_S = 0.5
WHOLE_SHARE = 0.9
# Containers give a length that is off by a frame or two.
LENGTH_SLACK_S = 0.1


def item_fault_findings(
    release: Release, groups: Sequence[Sequence[str]], cells: Iterable[tuple[str, str]]
) -> list[Finding]:
    """All faults of options, videos, times and cells.

    Args:
        groups: ambiguity groups of concept_ids.
        cells: (country, category) of the region.
    """
    s1, s2, pairs = release.all_items("s1"), release.all_items("s2"), release.all_pairs()
    return [
        overlapping_names(s1),
        overlapping_moments(s2),
        broken_groups(s1, groups, release.concepts),
        moments_of_one_video(s2),
        videos_of_both_stages(s2, pairs),
        videos_of_two_concepts(pairs),
        moments_outside(s2, release.lengths),
        spans_outside(pairs),
        short_times(s2, pairs),
        spans_of_the_whole(pairs),
        empty_cells(release, cells),
        not_withheld(release.rows, release.phase),
    ]


def overlapping_names(items: Iterable[Item]) -> Finding:
    """Items with two options of one name, or one name within the other: not mutually exclusive."""
    found = [
        item.place
        for item in items
        if any(
            fold(a) == fold(b) or holds_name(a, b) or holds_name(b, a)
            for a, b in combinations(item.options, 2)
        )
    ]
    return count_finding(
        "options that are not mutually exclusive", "s1", found, "serious", "one name within another"
    )


def overlapping_moments(items: Iterable[Item]) -> Finding:
    """Items with two moments of one video that share time."""
    found = [
        item.place
        for item in items
        if any(
            a.video_id == b.video_id and a.start_s < b.end_s and b.start_s < a.end_s
            for a, b in combinations(item.options, 2)
        )
    ]
    return count_finding(
        "options that are not mutually exclusive", "s2", found, "serious", "moments that overlap"
    )


def broken_groups(items: Sequence[Item], groups: Sequence[Sequence[str]], concepts: Concepts) -> Finding:
    """Items with two options of one ambiguity group. A name that concepts share stands for each of them."""
    check = "ambiguity groups broken"
    number = {concept_id: at for at, group in enumerate(groups) for concept_id in group}
    if not number:
        return unmeasured(check, "s1", "the region has no ambiguity groups")
    found = []
    for item in items:
        of_option = [
            {
                number[one.concept_id]
                for one in concepts.named(item.category, name)
                if one.concept_id in number
            }
            for name in item.options
        ]
        if any(a & b for a, b in combinations(of_option, 2)):
            found.append(item.place)
    return count_finding(check, "s1", found, "serious", "two options of one group")


def moments_of_one_video(items: Sequence[Item]) -> Finding:
    """Different moments that lie in one video A: two concepts, one video."""
    by_video: dict[str, set[object]] = defaultdict(set)
    hidden: dict[str, bool] = {}
    for item in items:
        for at in range(len(item.options)):
            moment = token(item, at)
            by_video[moment[0]].add(moment)
            hidden[moment[0]] = hidden.get(moment[0], False) or item.hidden
    found = [
        "" if hidden[video] else video for video, moments in sorted(by_video.items()) if len(moments) > 1
    ]
    return count_finding("a video A of two concepts", "s2", found, "warning", "")


def videos_of_both_stages(items: Sequence[Item], pairs: Sequence[PairItem]) -> Finding:
    """Videos that are an option of S2 and a video B of S3."""
    as_a, as_b = _hidden_by_video(items, pairs)
    found = ["" if as_a[video] or as_b[video] else video for video in sorted(as_a.keys() & as_b.keys())]
    return count_finding("a video used as A and as B", "s2 s3", found, "serious", "")


def videos_of_two_concepts(pairs: Iterable[PairItem]) -> Finding:
    """Videos B of two concepts, told apart by id or else by name."""
    concepts: dict[str, set[str]] = defaultdict(set)
    hidden: Counter[str] = Counter()
    for pair in pairs:
        concepts[pair.video_id].add(
            pair.concept_id or pair.s2_item_id or f"{pair.category}/{pair.concept_name}"
        )
        hidden[pair.video_id] += pair.hidden
    found = ["" if hidden[video] else video for video, names in sorted(concepts.items()) if len(names) > 1]
    return count_finding("a video B of two concepts", "s3", found, "warning", "")


def moments_outside(items: Iterable[Item], lengths: Mapping[str, float]) -> Finding:
    """Moments that end after their video.

    Args:
        lengths: video id → seconds; moments of other videos are passed over.
    """
    check = "a moment outside its video"
    public: dict[Moment, bool] = {}
    for item in items:
        for option in item.options:
            public[option] = public.get(option, True) and not item.hidden
    known = [option for option in public if option.video_id in lengths]
    if not known:
        return unmeasured(check, "s2", "no video was measured (--cache)")
    found = [
        option.video_id if public[option] else ""
        for option in known
        if option.end_s > lengths[option.video_id] + LENGTH_SLACK_S
    ]
    return count_finding(check, "s2", found, "serious", f"of {len(known)} moments of measured videos")


def spans_outside(pairs: Iterable[PairItem]) -> Finding:
    """Spans that end after their video."""
    found = [pair.place for pair in pairs if pair.span and pair.duration_s and pair.span[1] > pair.duration_s]
    return count_finding("a span outside its video", "s3", found, "serious", "")


def short_times(items: Iterable[Item], pairs: Iterable[PairItem]) -> Finding:
    """Moments and spans that are reversed or shorter than half a second."""
    found = [
        item.place
        for item in items
        if any(option.end_s - option.start_s < SHORT_S for option in item.options)
    ]
    found += [pair.place for pair in pairs if pair.span and pair.span[1] - pair.span[0] < SHORT_S]
    return count_finding("absurdly short times", "s2 s3", found, "warning", f"under {SHORT_S:g} s")


def spans_of_the_whole(pairs: Iterable[PairItem]) -> Finding:
    """Spans that are nearly all of their video, so that there is nothing to find."""
    found = [
        pair.place
        for pair in pairs
        if pair.span and pair.duration_s and pair.span[1] - pair.span[0] >= WHOLE_SHARE * pair.duration_s
    ]
    return count_finding(
        "a span of nearly the whole video", "s3", found, "note", f"{WHOLE_SHARE:.0%} or more"
    )


def empty_cells(release: Release, cells: Iterable[tuple[str, str]]) -> Finding:
    """Countries × categories without an item, public ones and those whose keys are known taken together."""
    items = release.all_items("s1")
    there = {(item.country, item.category) for item in items if item.country}
    found = [f"{country}/{category}" for country, category in cells if (country, category) not in there]
    n_unknown = sum(item.country is None for item in items)
    note = f"of {n_unknown} hidden items the country is not known" if n_unknown else ""
    return count_finding("cells without a concept", "s1", found, "note", note)


def not_withheld(rows: Rows, phase: str | None) -> Finding:
    """Columns of hidden rows that should be empty and are not."""
    check = "columns that should be withheld"
    if phase == "concluded":
        return unmeasured(check, "test", "the phase is concluded: everything is out")
    found = [
        f"{stage}.{column}"
        for stage in ("s1", "s2", "s3")
        for column in WITHHELD[stage]
        if any(row.get(column) is not None for row in rows[stage]["test"])
    ]
    if phase != "localization" and rows["s3"]["test"]:
        found.append("s3 (it states the names that S1 asks for)")
    return count_finding(check, "test", found, "serious", "")


def _hidden_by_video(
    items: Iterable[Item], pairs: Iterable[PairItem]
) -> tuple[Mapping[str, bool], Mapping[str, bool]]:
    """Video → whether a hidden item shows it; the videos of S2, and those of S3."""
    as_a: dict[str, bool] = {}
    as_b: dict[str, bool] = {}
    for item in items:
        for option in item.options:
            as_a[option.video_id] = as_a.get(option.video_id, False) or item.hidden
    for pair in pairs:
        as_b[pair.video_id] = as_b.get(pair.video_id, False) or pair.hidden
    return as_a, as_b
