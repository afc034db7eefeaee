"""What is wrong with a region that can be read: groups that cannot be meant, and settings that are missing."""

import re
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from cmb_harness.construction.units import Placed
from cmb_harness.records import Region

SEEDS = ("split", "s1", "s2", "bootstrap")
CLUSTERS = ("Latin", "Local")
_CODE = re.compile("[A-Z]{2}")
_CATEGORY = re.compile("[A-Za-z]+")
_ID = re.compile("([A-Z]{2})-([A-Za-z]+)-[0-9]{2,}")


def inventory_path() -> Path:
    """The table of the paper's 306 concepts (Table 5), numbered as our ids count them."""
    return Path(str(files("cmb_harness"))) / "regions" / "southeast_asia_inventory.csv"


def region_faults(region: Region, concepts: Sequence[Placed] | None = None) -> list[str]:
    """What keeps a region from being used, one line a fault.

    Args:
        concepts: a table that must hold every concept of an ambiguity group; None to check their form alone.
    """
    faults = [
        f"countries: {country.code!r}: expected two capital letters, which concept_ids begin with"
        for country in region.countries
        if not _CODE.fullmatch(country.code)
    ]
    faults += [
        f"countries: {country.code}: writing_cluster {country.writing_cluster!r}: expected {' or '.join(CLUSTERS)}"
        for country in region.countries
        if country.writing_cluster not in CLUSTERS
    ]
    faults += [
        f"categories: {name!r}: expected letters A-Z alone, as concept_ids hold it"
        for name in region.categories
        if not _CATEGORY.fullmatch(name)
    ]
    if len(region.countries) < 2:
        faults.append("countries: distractors need at least two")
    faults += [f"seeds: {name}: missing" for name in SEEDS if name not in region.seeds]
    return faults + _group_faults(region, None if concepts is None else {c.concept_id for c in concepts})


def _group_faults(region: Region, known: set[str] | None) -> list[str]:
    faults = []
    for number, group in enumerate(region.ambiguity_groups):
        place = f"ambiguity_groups[{number}]"
        if len(set(group)) < 2:
            faults.append(f"{place}: expected at least two different concepts")
        faults += [f"{place}: {name} stands twice" for name, n in Counter(group).items() if n > 1]
        for name in dict.fromkeys(group):
            message = _id_fault(name, region)
            if not message and known is not None and name not in known:
                message = "no concept of the table has this id"
            if message:
                faults.append(f"{place}: {name}: {message}")
        categories = {name.split("-")[1] for name in group if _ID.fullmatch(name)}
        if len(categories) > 1:
            faults.append(
                f"{place}: of several categories, {', '.join(sorted(categories))}: never in one question"
            )
    return faults


def _id_fault(name: str, region: Region) -> str:
    match = _ID.fullmatch(name)
    if not match:
        return "expected a concept_id, <country>-<category>-<number>"
    if match[1] not in region.writing_clusters:
        return f"country {match[1]} is not in the region"
    if match[2] not in region.categories:
        return f"category {match[2]} is not in the region"
    return ""
