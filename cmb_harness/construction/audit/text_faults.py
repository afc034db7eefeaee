"""Faults of the texts: what gives a name away, and what asks the same thing twice."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from cmb_harness.construction.audit.findings import Finding, count_finding, shown
from cmb_harness.construction.audit.release import Item, PairItem, Release
from cmb_harness.construction.audit.words import content_words, fold, holds_country, holds_name, word_overlap

# Shared words over all words of two descriptions from which they are told as near-duplicates.
NEAR_DUPLICATE = 0.6


def text_fault_findings(release: Release, countries: Mapping[str, str]) -> list[Finding]:
    """All faults of texts.

    Args:
        countries: code → name of the region's countries.
    """
    s1, pairs = release.all_items("s1"), release.all_pairs()
    return [
        names_in_descriptions(s1),
        name_words_in_descriptions(s1),
        countries_in_descriptions(s1, countries),
        names_in_cues(pairs),
        countries_in_cues(pairs, countries),
        *near_duplicates(release),
        repeated_cues(pairs),
    ]


def names_in_descriptions(items: Iterable[Item]) -> Finding:
    """Descriptions that hold the name of an option: the key's gives it away, another's misleads."""
    found = [
        item.place
        for item in items
        if any(
            holds_name(item.description, name) for at in range(len(item.options)) for name in _forms(item, at)
        )
    ]
    return count_finding("an option's name in the description", "s1", found, "serious", "")


def name_words_in_descriptions(items: Iterable[Item]) -> Finding:
    """Descriptions that hold a word of one option's name and none of the others'."""
    found = []
    for item in items:
        text = content_words(item.description)
        of_option = [content_words(name) & text for name in item.options]
        often = Counter(word for one in of_option for word in one)
        told = [at for at, one in enumerate(of_option) if any(often[word] == 1 for word in one)]
        whole = any(holds_name(item.description, name) for name in item.options)
        if len(told) == 1 and not whole and item.key in (None, told[0]):
            found.append(item.place)
    note = "a word of one option's name alone (of the key's, where it is known)"
    return count_finding("a word of the name in the description", "s1", found, "warning", note)


def countries_in_descriptions(items: Iterable[Item], countries: Mapping[str, str]) -> Finding:
    """Descriptions that name their country; where it is not known, any of the region."""
    found = [item.place for item in items if _tells_country(item.description, item.country, countries)]
    return count_finding("a country in the description", "s1", found, "warning", "its own, where it is known")


def names_in_cues(pairs: Iterable[PairItem]) -> Finding:
    """Cues that hold the concept's name. S3 states it anyway, so that this costs words alone."""
    found = [pair.place for pair in pairs if holds_name(pair.cue, pair.concept_name)]
    return count_finding("the name in the cue", "s3", found, "note", "S3 states the name")


def countries_in_cues(pairs: Iterable[PairItem], countries: Mapping[str, str]) -> Finding:
    """Cues that name the country."""
    found = [pair.place for pair in pairs if _tells_country(pair.cue, pair.country, countries)]
    return count_finding("a country in the cue", "s3", found, "note", "")


def near_duplicates(release: Release) -> list[Finding]:
    """Pairs of descriptions of different concepts that are the same, or nearly: within a side and across the split."""
    items = release.all_items("s1")
    if len(items) < 2:
        return []
    alike = np.triu(word_overlap([item.description for item in items]), 1)
    same = [fold(item.description) for item in items]
    rows, columns = np.nonzero(alike >= NEAR_DUPLICATE)
    within: list[tuple[int, int]] = []
    across: list[tuple[int, int]] = []
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        kind = across if items[i].hidden != items[j].hidden else within
        kind.append((i, j))
    return [
        _duplicates("near-duplicate descriptions", within, items, same),
        _duplicates("near-duplicate descriptions across the split", across, items, same),
    ]


def repeated_cues(pairs: Iterable[PairItem]) -> Finding:
    """One cue twice on one video: the span that it asks for is not the only one."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for pair in pairs:
        places[pair.video_id, fold(pair.cue).strip()].append(pair.place)
    found = [name for same in places.values() if len(same) > 1 for name in same]
    return count_finding("a cue repeated on one video", "s3", found, "serious", "")


def _duplicates(
    check: str, found: Sequence[tuple[int, int]], items: Sequence[Item], same: Sequence[str]
) -> Finding:
    identical = any(same[i] == same[j] for i, j in found)
    severity = "ok" if not found else "serious" if identical or "across" in check else "warning"
    names = [
        f"{items[i].place} and {items[j].place}" if items[i].place and items[j].place else ""
        for i, j in found
    ]
    return Finding(check, "s1", severity, len(found), None, 0, shown(names), "plain")


def _forms(item: Item, place: int) -> list[str]:
    return [item.options[place], *(item.names[place] if item.names else ())]


def _tells_country(text: str, country: str | None, countries: Mapping[str, str]) -> bool:
    asked = countries.values() if country is None else [countries[country]] if country in countries else []
    return any(holds_country(text, name) for name in asked)
