"""A release as the audit looks at it: items and pairs of both splits, known keys, names and their countries."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cmb_harness.records import Moment

Row = Mapping[str, Any]
Rows = Mapping[str, Mapping[str, Sequence[Row]]]
SPLITS = ("train", "test")
N_OPTIONS = 4


@dataclass(frozen=True)
class Item:
    """One question of S1 or S2.

    Attributes:
        options: four names (S1), or four moments (S2), times to the millisecond.
        key: the place of the right option, None where it is not known.
        concept_id, country: None where they are not known.
        names: further forms of each option's name, by place; empty where there are none.
        s1_item_id: of an S2 item, the S1 item with the same description.
        hidden: it must not be told apart in anything that the audit prints.
    """

    item_id: str
    category: str
    description: str
    options: tuple[Any, ...]
    key: int | None
    concept_id: str | None
    country: str | None
    hidden: bool
    names: tuple[tuple[str, ...], ...] = ()
    s1_item_id: str | None = None

    @property
    def place(self) -> str:
        """How the audit names it; nothing for what is hidden."""
        return "" if self.hidden else self.item_id

    @property
    def cluster(self) -> str:
        """The unit of the bootstrap: the concept, of which an item of S1 or S2 is the only one."""
        return self.concept_id or self.item_id


@dataclass(frozen=True)
class PairItem:
    """One question of S3; ``span`` is None where it is not known."""

    item_id: str
    category: str
    concept_name: str
    cue: str
    video_id: str
    duration_s: float | None
    span: tuple[float, float] | None
    concept_id: str | None
    country: str | None
    hidden: bool
    s2_item_id: str | None = None

    @property
    def place(self) -> str:
        """How the audit names it; nothing for what is hidden."""
        return "" if self.hidden else self.item_id

    @property
    def cluster(self) -> str:
        """The unit of the bootstrap."""
        return self.concept_id or self.s2_item_id or self.item_id


@dataclass(frozen=True)
class Named:
    """A concept and its common-Latin name."""

    concept_id: str
    country: str
    category: str
    name: str


class Concepts:
    """Which concepts bear a name: from public rows, from the secrets, and from a published inventory."""

    def __init__(self, concepts: Iterable[Named], public: Iterable[str] = ()):
        by_id = {concept.concept_id: concept for concept in concepts}
        self._public = frozenset(public)
        self._by_name: dict[tuple[str, str], list[Named]] = defaultdict(list)
        for concept in by_id.values():
            self._by_name[concept.category, plain(concept.name)].append(concept)

    def named(self, category: str, name: str) -> list[Named]:
        """The concepts of a category that bear a name; none where it is not known."""
        return self._by_name.get((category, plain(name)), [])

    def countries(self, category: str, name: str) -> frozenset[str]:
        """The countries that a name may belong to."""
        return frozenset(concept.country for concept in self.named(category, name))

    def copies(self, category: str, name: str, split: str) -> int:
        """How many concepts of a split may bear a name: those known to be public are in ``train``."""
        on_side = [
            (concept.concept_id in self._public) == (split == "train")
            for concept in self.named(category, name)
        ]
        return max(1, sum(on_side))


@dataclass(frozen=True)
class Release:
    """What the checks look at.

    Attributes:
        items: (stage, split) → items of ``s1`` and ``s2``, in the order of the release.
        pairs: split → items of ``s3``.
        concepts: names and their concepts.
        rows: the rows as they are, for checks of the columns.
        phase: the phase that the release is of.
        lengths: video id → seconds, where a video was measured.
    """

    items: Mapping[tuple[str, str], Sequence[Item]]
    pairs: Mapping[str, Sequence[PairItem]]
    concepts: Concepts
    rows: Rows = field(repr=False)
    phase: str | None = "recognition"
    lengths: Mapping[str, float] = field(default_factory=dict, repr=False)

    def all_items(self, stage: str) -> list[Item]:
        """The items of both splits."""
        return [item for split in SPLITS for item in self.items[stage, split]]

    def all_pairs(self) -> list[PairItem]:
        """The pairs of both splits."""
        return [pair for split in SPLITS for pair in self.pairs[split]]


def release_of(
    rows: Rows,
    *,
    references: Iterable[Row] = (),
    inventory: Iterable[Named] = (),
    phase: str | None = "recognition",
    lengths: Mapping[str, float] | None = None,
) -> Release:
    """A release from its rows.

    Args:
        rows: stage → split → rows as the dataset has them; what is withheld is None.
        references: the key table of hidden items, from the secrets file; without it their keys stay unknown.
        inventory: concepts whose names and countries are public knowledge.
        phase: of the dataset; None for one with all hidden items, for work at home.
        lengths: of videos, in seconds, by id; they fill in for a ``duration_s`` that is not given.
    """
    lengths = lengths or {}
    keys = {row["item_id"]: row for row in references}
    hides = phase != "concluded"
    items = {
        (stage, split): [_item(row, keys, hides and split == "test") for row in rows[stage][split]]
        for stage in ("s1", "s2")
        for split in SPLITS
    }
    pairs = {
        split: [_pair(row, keys, hides and split == "test", lengths) for row in rows["s3"][split]]
        for split in SPLITS
    }
    keyed = [
        item for split in SPLITS for item in items["s1", split] if item.key is not None and item.concept_id
    ]
    seen = [
        Named(str(item.concept_id), str(item.country), item.category, item.options[item.key or 0])
        for item in keyed
    ]
    public = [str(item.concept_id) for item in items["s1", "train"] if item.concept_id]
    return Release(items, pairs, Concepts([*inventory, *seen], public), rows, phase, lengths)


class Name(NamedTuple):
    """A name within its category."""

    category: str
    name: str


def plain(name: str) -> str:
    """A name as an option shows it, one Unicode form, outer blanks off."""
    return unicodedata.normalize("NFC", name).strip()


def token(item: Item, place: int) -> Name | Moment:
    """What an option is recognised by over the items: the name within its category, or the moment."""
    option = item.options[place]
    return Name(item.category, plain(option)) if isinstance(option, str) else option


def _item(row: Row, keys: Mapping[str, Row], hidden: bool) -> Item:
    reference = keys.get(row["item_id"], row)
    key = reference.get("answer")
    is_names = all(isinstance(option, str) for option in row["options"])
    options = row["options"] if is_names else [_moment(option) for option in row["options"]]
    forms = (
        [value for name, value in row.items() if name.startswith("options_") and value] if is_names else []
    )
    return Item(
        item_id=row["item_id"],
        category=row["category"],
        description=row["description"],
        options=tuple(options),
        key=None if key is None else int(key),
        concept_id=reference.get("concept_id"),
        country=reference.get("country"),
        hidden=hidden,
        names=tuple(tuple(form[at] for form in forms if form[at]) for at in range(len(options)))
        if forms
        else (),
        s1_item_id=row.get("s1_item_id"),
    )


def _moment(option: Row) -> Moment:
    return Moment(option["video_id"], round(option["start_s"], 3), round(option["end_s"], 3))


def _pair(row: Row, keys: Mapping[str, Row], hidden: bool, lengths: Mapping[str, float]) -> PairItem:
    reference = keys.get(row["item_id"], row)
    span = reference.get("span")
    return PairItem(
        item_id=row["item_id"],
        category=row["category"],
        concept_name=row["concept_name"],
        cue=row["cue"],
        video_id=row["video_id"],
        duration_s=row.get("duration_s") or lengths.get(row["video_id"]),
        span=(float(span[0]), float(span[1])) if span else None,
        concept_id=reference.get("concept_id"),
        country=reference.get("country"),
        hidden=hidden,
        s2_item_id=row.get("s2_item_id"),
    )
