"""Records as the harness reads them, and the region that they are checked against.

The reader itself is `cmb_dataset.read_records`: it also has to work where this package is not installed.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import cmb_dataset
from cmb_dataset import Fault, Moment, Pair, Record, option_sources, records_sha256, video_id
from cmb_harness.faults import InputError
from cmb_harness.files import read_json

__all__ = [
    "Country",
    "Fault",
    "Moment",
    "Pair",
    "Record",
    "RecordError",
    "Region",
    "option_sources",
    "read_records",
    "read_region",
    "records_sha256",
    "video_id",
]


class RecordError(cmb_dataset.RecordError, InputError):  # type: ignore[misc]
    """Faults of records, as `cmb_dataset.RecordError`; the command line prints them like those of any other input."""

    def __init__(self, faults: Iterable[Fault]):
        cmb_dataset.RecordError.__init__(self, faults)


@dataclass(frozen=True)
class Country:
    """A country of a region; every text of its concepts counts to its writing cluster."""

    code: str
    name: str
    writing_cluster: str


@dataclass(frozen=True)
class Region:
    """All that one CMB takes for granted about its region; the paper's is Southeast Asia (sections 3 and A.1).

    Attributes:
        countries, categories: in the order of every table.
        ambiguity_groups: concept_ids that no question may hold two of.
        cap: the largest share of a category's questions that one concept may be a distractor of.
        seeds: by job.
        role_cuts: points of mIoU from which a role counts, one a reading of the same data (section 4.4, D.4).
        duration_edges_s: the inner edges of the video length buckets.
    """

    name: str
    countries: tuple[Country, ...]
    categories: tuple[str, ...]
    ambiguity_groups: tuple[tuple[str, ...], ...]
    cap: float
    seeds: Mapping[str, int]
    role_cuts: tuple[float, ...]
    duration_edges_s: tuple[float, ...]

    @property
    def writing_clusters(self) -> dict[str, str]:
        """Country code → writing cluster."""
        return {country.code: country.writing_cluster for country in self.countries}


def read_records(path: str | os.PathLike[str], region: Any = None) -> list[Record]:
    """The records of a JSON list, JSON Lines, or a folder of them; see `cmb_dataset.read_records`.

    Args:
        region: a `Region`, a region file, or None to check neither countries nor categories.

    Raises:
        RecordError: with every fault of every file, as ``faults``.
        InputError: the region cannot be read.
    """
    if isinstance(region, (str, os.PathLike)):
        region = read_region(region)
    try:
        return cmb_dataset.read_records(path, region)
    except cmb_dataset.RecordError as error:
        raise RecordError(error.faults) from None


def read_region(path: str | os.PathLike[str] | None = None) -> Region:
    """The region of a file; None is ours, Southeast Asia.

    Raises:
        InputError: with every fault of the file.
    """
    source = (
        Path(str(files("cmb_harness"))) / "regions" / "southeast_asia.json" if path is None else Path(path)
    )
    value = read_json(source)
    if not isinstance(value, dict):
        raise InputError(f"{source}: expected an object, a region")
    faults = [f"{source}: {name}: missing" for name in _FIELDS if name not in value]
    for name, (expected, fits) in _FIELDS.items():
        if name in value and not fits(value[name]):
            faults.append(f"{source}: {name}: expected {expected}")
    if faults:
        raise InputError(faults)
    return Region(
        name=value["name"],
        countries=tuple(
            Country(**{name: country[name] for name in _COUNTRY}) for country in value["countries"]
        ),
        categories=tuple(value["categories"]),
        ambiguity_groups=tuple(tuple(group) for group in value["ambiguity_groups"]),
        cap=float(value["cap"]),
        seeds=dict(value["seeds"]),
        role_cuts=tuple(value["role_cuts"]),
        duration_edges_s=tuple(value["duration_edges_s"]),
    )


_COUNTRY = ("code", "name", "writing_cluster")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e9


def _is_list_of(fits: Callable[[Any], bool], value: Any) -> bool:
    return isinstance(value, list) and all(map(fits, value))


def _are_countries(value: Any) -> bool:
    def is_country(country: Any) -> bool:
        return isinstance(country, dict) and all(_is_text(country.get(name)) for name in _COUNTRY)

    return _is_list_of(is_country, value) and 0 < len({country["code"] for country in value}) == len(value)


def _are_categories(value: Any) -> bool:
    return _is_list_of(_is_text, value) and 0 < len(set(value)) == len(value)


def _are_rising(value: Any) -> bool:
    return _is_list_of(_is_number, value) and sorted(set(value)) == value


_FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "name": ("a text", _is_text),
    "countries": ("a list of different countries, each with code, name and writing_cluster", _are_countries),
    "categories": ("a list of different names", _are_categories),
    "ambiguity_groups": (
        "a list of lists of concept_ids",
        lambda value: _is_list_of(lambda group: _is_list_of(_is_text, group), value),
    ),
    "cap": ("a number above 0 and up to 1", lambda value: _is_number(value) and 0 < value <= 1),
    "seeds": (
        "an object of whole numbers",
        lambda value: (
            isinstance(value, dict) and all(type(seed) is int and seed >= 0 for seed in value.values())
        ),
    ),
    "role_cuts": ("a list of rising numbers", _are_rising),
    "duration_edges_s": ("a list of rising seconds", _are_rising),
}
