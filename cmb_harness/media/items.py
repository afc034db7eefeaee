"""What a release needs of media: its S2 and S3 items, the videos and moments in them, and which items are complete."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cmb_harness.media.clips import Moment, moments_of

# Hidden rows say no country.
HIDDEN = "hidden"


@dataclass(frozen=True)
class Item:
    """An S2 or S3 item and its media.

    Attributes:
        item_id, stage, country, category: as in its row; ``country`` is "hidden" where the row has none.
        moments: S2: the four moments. Empty for S3.
        videos: the ids of all its videos.
        ends_s: id → the latest second that the item asks of it.
        duration_s: S3: the length of video B by its record, where it is known.
    """

    item_id: str
    stage: str
    country: str
    category: str
    moments: tuple[Moment, ...]
    videos: tuple[str, ...]
    ends_s: Mapping[str, float]
    duration_s: float | None = None


@dataclass(frozen=True)
class WantedVideo:
    """A video that items ask for.

    Attributes:
        video_id: 11 characters.
        needed_s: seconds of it that moments and public spans reach to.
        expected_s: its length by the records, where they say it.
    """

    video_id: str
    needed_s: float = 0.0
    expected_s: float | None = None


def items_of(rows: Mapping[str, Iterable[Mapping[str, Any]]]) -> list[Item]:
    """The items of ``{"s2": rows, "s3": rows}`` of a built dataset."""
    return [*map(_s2_item, rows.get("s2", ())), *map(_s3_item, rows.get("s3", ()))]


def _s2_item(row: Mapping[str, Any]) -> Item:
    moments = moments_of([row])
    ends: dict[str, float] = {}
    for video_id, _, end_s in moments:
        ends[video_id] = max(end_s, ends.get(video_id, 0.0))
    return Item(
        row["item_id"], "s2", row.get("country") or HIDDEN, row["category"], tuple(moments), tuple(ends), ends
    )


def _s3_item(row: Mapping[str, Any]) -> Item:
    span, video_id = row.get("span"), row["video_id"]
    ends = {video_id: float(span[1]) if span else 0.0}
    country = row.get("country") or HIDDEN
    return Item(row["item_id"], "s3", country, row["category"], (), (video_id,), ends, row.get("duration_s"))


def wanted_videos(items: Iterable[Item]) -> list[WantedVideo]:
    """Each video that the items ask for, once, in order of first mention."""
    needed: dict[str, float] = {}
    expected: dict[str, float | None] = {}
    for item in items:
        for video_id, end_s in item.ends_s.items():
            needed[video_id] = max(end_s, needed.get(video_id, 0.0))
            expected[video_id] = expected.get(video_id) or item.duration_s
    return [WantedVideo(video_id, needed[video_id], expected[video_id]) for video_id in needed]


@dataclass(frozen=True)
class Estimate:
    """What fetching would take, before anything is asked for.

    Attributes:
        videos: how many there are; ``present`` of them are in the cache already.
        known_hours: length of the absent videos whose records say it (``known`` of them).
        least_hours: seconds that the moments of the other absent videos reach to, in hours: a lower bound.
        bytes: of the absent videos, at the bit rate assumed.
    """

    videos: int
    present: int
    known: int
    known_hours: float
    least_hours: float
    bytes: float


# Bits a second of the picture and sound that YouTube gives at a height, roughly; they vary threefold with the content.
BITS_PER_S = ((240, 0.35e6), (360, 0.6e6), (480, 1.0e6), (720, 2.0e6), (1080, 4.0e6))


def bits_per_second(height: int) -> float:
    """The bit rate assumed for a video of that height."""
    return next((rate for limit, rate in BITS_PER_S if height <= limit), 12e6)


def estimate(videos: Iterable[WantedVideo], present: Collection[str], max_height: int) -> Estimate:
    """What fetching the videos that are not present would take."""
    videos = list(videos)
    absent = [video for video in videos if video.video_id not in present]
    known = [video.expected_s for video in absent if video.expected_s is not None]
    least_s = sum(video.needed_s for video in absent if video.expected_s is None)
    rate = bits_per_second(max_height) / 8
    return Estimate(
        videos=len(videos),
        present=len(videos) - len(absent),
        known=len(known),
        known_hours=sum(known) / 3600,
        least_hours=least_s / 3600,
        bytes=(sum(known) + least_s) * rate,
    )


def completeness(items: Iterable[Item], has_video: Callable[[str], bool], has_clip: Callable[[Moment], bool]):
    """How many items have all their media: {(stage, "country" | "category", code): (complete, all)}.

    An S2 item is complete with its four clips, an S3 item with its video.
    """
    complete: Counter[tuple[str, str, str]] = Counter()
    total: Counter[tuple[str, str, str]] = Counter()
    for item in items:
        whole = all(map(has_clip, item.moments)) if item.stage == "s2" else all(map(has_video, item.videos))
        for key in ((item.stage, "country", item.country), (item.stage, "category", item.category)):
            total[key] += 1
            complete[key] += whole
    return {key: (complete[key], total[key]) for key in sorted(total)}
