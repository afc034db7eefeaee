"""CMB: records read and checked, the items made of them, and the `datasets` builder of both.

One file with no imports of ours, so that it also travels alone: beside a published dataset, or as a loading script of
`datasets` 3.6. Paper, A.2 (the released record schema). Three parts, in this order:

records
    `read_records` turns JSON into `Record`s, or raises one `RecordError` with every fault of every file.
items
    `stage_rows` turns records into the rows of ``s1``, ``s2``, ``s3`` and ``records``, public (``train``) and hidden
    (``test``); `key_table` gives the keys of what is hidden. Pure: the same input always gives the same rows.
builder
    ``CMB`` hands those rows to `datasets`. It is defined when it is first asked for, because importing `datasets`
    takes more than a second that reading records need not wait for.
"""

import dataclasses
import hashlib
import hmac
import json
import math
import os
import re
import sys
import unicodedata
import urllib.parse
from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from typing import NamedTuple

VERSION = "1.0.0"
STAGES = ("s1", "s2", "s3")
CONFIGS = (*STAGES, "records")
PHASES = ("development", "recognition", "localization", "concluded")
VARIANTS = ("common_latin", "official_latin", "common_local", "official_local")
WRITING_CLUSTERS = ("Latin", "Local")
ORIGINS = ("same-country", "different-country")
AUDIO_ROLES = ("Complementary", "Redundant", "Distracting")
REVIEW_OUTCOMES = ("passed", "rewritten", "discarded-and-replaced")
N_OPTIONS = 4

Row = dict[str, Any]
# (field, message) → always None, so that a reader can note and give up in one line.
Note = Callable[[str, str], Any]


@dataclasses.dataclass(frozen=True)
class Fault:
    """One thing that is wrong with the input; characters that cannot be shown are spelt out, as in ``\\x1b``.

    Attributes:
        file: the file, as it was named by the caller; ``split`` or ``secrets`` for values given without a file.
        record: the concept_id, or where the record stands ("record 3", "line 3") if it has none; "" for a whole file.
        field: such as ``s2_options[1].start_s``; "" for a whole record.
        message: what is there and what was expected.
        place: where the record stands in its file, if known.
    """

    file: str
    record: str
    field: str
    message: str
    place: str = ""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, _printable(getattr(self, field.name)))

    def __str__(self) -> str:
        record = self.record
        if self.place and self.place != record:
            record = f"{record} ({self.place})"
        return ": ".join(part for part in (self.file, record, self.field, self.message) if part)


class RecordError(ValueError):
    """Records, a split or secrets that cannot be used.

    Attributes:
        faults: every fault found, over all files.
    """

    def __init__(self, faults: Iterable[Fault]):
        self.faults: list[Fault] = list(faults)
        super().__init__("\n".join(map(str, self.faults)))


class Moment(NamedTuple):
    """A part of a video, in seconds from its start: an option of S2."""

    video_id: str
    start_s: float
    end_s: float


@dataclasses.dataclass(frozen=True)
class Pair:
    """A sub-event of a concept on a video B: one S3 item.

    Attributes:
        video_url: the 11-character id of the video, whatever form of URL it was given in.
        start_s, end_s: the span, in seconds from the start of the video.
        cue: the text that asks for the sub-event.
        duration_s: the length of the whole video, where it is known.
        extra: unknown fields, as they were given.
    """

    video_url: str
    start_s: float
    end_s: float
    cue: str
    duration_s: float | None = None
    extra: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)


@dataclasses.dataclass(frozen=True)
class Record:
    """One concept as it is released (paper, A.2), with all its S3 pairs.

    Video URLs are stored as ids, S3 in any of its three forms as ``s3_pairs`` (empty for a concept with no pair), and
    unknown fields in ``extra``. Optional fields are None where they are not given.
    """

    concept_id: str
    country: str
    category: str
    concept_name: str
    description: str
    s1_options: tuple[str, ...]
    s1_correct_index: int
    video_A_url: str
    video_A_s2_moment: tuple[float, float]
    s2_options: tuple[Moment, ...]
    s2_correct_index: int
    s3_pairs: tuple[Pair, ...]
    writing_cluster: str
    s1_distractor_origin: tuple[str, ...] | None = None
    audio_role: str | None = None
    annotator_role_id: str | None = None
    review_outcome: str | None = None
    name_variants: Mapping[str, str] | None = dataclasses.field(default=None, hash=False)
    s1_option_concept_ids: tuple[str, ...] | None = None
    duration_s: float | None = None
    extra: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)

    @property
    def common_latin(self) -> str:
        """The common-Latin name: that of ``name_variants``, else the key option of S1."""
        return (self.name_variants or {}).get("common_latin") or self.s1_options[self.s1_correct_index]

    @property
    def moment(self) -> Moment:
        """The moment of video A: the key option of S2."""
        return Moment(self.video_A_url, *self.video_A_s2_moment)

    def as_json(self) -> Row:
        """The record as JSON values; `read_records` reads them back into an equal record."""
        row: Row = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        row = {name: list(value) if isinstance(value, tuple) else value for name, value in row.items()}
        row["s2_options"] = [
            {"video_url": option.video_id, "start_s": option.start_s, "end_s": option.end_s}
            for option in self.s2_options
        ]
        row["s3_pairs"] = [
            {name: value for name, value in vars(pair).items() if name != "extra"} | dict(pair.extra)
            for pair in self.s3_pairs
        ]
        row["name_variants"] = None if self.name_variants is None else dict(self.name_variants)
        return row | dict(row.pop("extra"))


def video_id(url: str) -> str:
    """The id of a YouTube video, from any form of its URL or from the bare 11-character id.

    Raises:
        ValueError: it names no single YouTube video.
    """
    text = url.strip()
    if _VIDEO_ID.fullmatch(text):
        return text
    # urlsplit drops line ends and tabs, which would join two halves into an id.
    named = [] if re.search(r"\s", text) else _ids_in(text)
    found = {name for name in named if _VIDEO_ID.fullmatch(name) and name not in _NO_VIDEO_IDS}
    if len(found) != 1:
        raise ValueError(f"expected the URL or the 11-character id of one YouTube video, found {_shown(url)}")
    return found.pop()


def clip_name(video_id: str, start_s: float, end_s: float) -> str:
    """The file name of a clip: it says nothing of the item that shows it. Times count to the millisecond."""
    moment = f"{video_id}/{start_s:.3f}/{end_s:.3f}"
    return f"{hashlib.sha256(moment.encode()).hexdigest()[:20]}.mp4"


def records_sha256(concepts: Iterable[Any]) -> str:
    """The SHA-256 of which concepts there are: it stays the same from the concept table to the finished records.

    Args:
        concepts: anything with ``concept_id``, ``country`` and ``category``.
    """
    return sha256_of(sorted([concept.concept_id, concept.country, concept.category] for concept in concepts))


def read_records(path: str | os.PathLike[str], region: Any = None) -> list[Record]:
    """Read and check records: a JSON list, JSON Lines, or a folder of such files (``.json``, ``.jsonl``, ``.ndjson``).

    Several records with one concept_id are one concept with several pairs; they must agree in all else.

    Args:
        path: the file or folder.
        region: a region file, its content, or an object with ``countries`` and ``categories``: countries, categories
            and writing clusters are checked against it. None checks that each country has one cluster.

    Returns:
        One record a concept, in the order in which they are first met.

    Raises:
        RecordError: with every fault of every file.
    """
    faults: list[Fault] = []
    known = _region_of(region)
    read = [(raw, _read_record(raw, faults, known)) for raw in _raw_records(Path(path), faults)]
    together: dict[str, list[tuple[_Raw, Record]]] = {}
    for raw, record in read:
        if record is not None:
            together.setdefault(record.concept_id, []).append((raw, record))
    records = [_merge(same, faults) for same in together.values()]
    first = {concept_id: same[0][0] for concept_id, same in together.items()}
    _check_together(records, lambda record: _noting(first[record.concept_id], faults), known)
    if not read and not faults:
        faults.append(Fault(str(path), "", "", "holds no record"))
    if faults:
        raise RecordError(faults)
    return records


_VIDEO_ID = re.compile(r"[A-Za-z0-9_-]{11}")
# Eleven characters each, but playlists and channels: they may stand where an id does.
_NO_VIDEO_IDS = frozenset({"videoseries", "live_stream"})
_CONCEPT_ID = re.compile(r"([A-Z]{2})-([A-Za-z]+)-[0-9]{2,}")
_MAX_DEPTH = 32


def _ids_in(url: str) -> Iterator[str]:
    """What stands where YouTube URLs hold the id; nothing for URLs of other sites."""
    full = url if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", url) else "https://" + url.lstrip("/")
    try:
        parts = urllib.parse.urlsplit(full.replace("&amp;", "&"))
    except ValueError:
        return
    host = (parts.hostname or "").removeprefix("www.")
    on_youtube = re.fullmatch(r"(?:[a-z0-9-]+\.)*youtube(?:-nocookie)?\.com", host)
    if parts.scheme.lower() not in ("http", "https") or not (on_youtube or host == "youtu.be"):
        return
    # A time is often glued to the path with "&", as if it were a query.
    path = [step.partition("&")[0] for step in parts.path.split("/") if step] or [""]
    query = urllib.parse.parse_qs(f"{parts.query}&{parts.fragment.lstrip('!')}")
    if host == "youtu.be" and path[0] != "watch":
        yield path[0]
    elif path[0] in ("shorts", "embed", "live", "v", "e") or (path[0] == "watch" and len(path) > 1):
        yield from path[1:2]
    elif path[0] in ("", "watch", "watch_popup", "movie"):
        yield from query.get("v", [])
    elif path[0] == "attribution_link":
        targets = [target for target in query.get("u", []) if target.startswith("/watch?")]
        for target in targets:
            yield from _ids_in(f"youtube.com{target}")


class _Raw(NamedTuple):
    file: str
    place: str
    value: Any


class _Object(dict):
    """A JSON object that remembers which keys it was given twice."""

    repeated: tuple[str, ...] = ()


def _object(members: list[tuple[str, Any]]) -> _Object:
    value = _Object(members)
    if len(value) < len(members):
        value.repeated = tuple(key for key, count in Counter(key for key, _ in members).items() if count > 1)
    return value


def _raw_records(path: Path, faults: list[Fault]) -> Iterator[_Raw]:
    files = [path]
    if path.is_dir():
        endings = (".json", ".jsonl", ".ndjson")
        files = sorted(
            file for file in path.iterdir() if file.suffix.lower() in endings and file.name[0] != "."
        )
        if not files:
            faults.append(Fault(str(path), "", "", "the folder holds no .json, .jsonl or .ndjson file"))
    for file in files:
        count, before = 0, len(faults)
        for raw in _records_of_file(file, faults):
            count += 1
            yield raw
        if not count and before == len(faults):
            faults.append(Fault(str(file), "", "", "holds no record"))


def _records_of_file(file: Path, faults: list[Fault]) -> Iterator[_Raw]:
    text = _text_of(file, faults)
    if not text.strip():
        return
    if _is_json_lines(file, text):
        # Only "\n" ends a line: strings may hold the other characters that str.splitlines() splits at.
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                value, message = _parsed(line)
                if message:
                    faults.append(Fault(str(file), f"line {number}", "", message))
                else:
                    yield _Raw(str(file), f"line {number}", value)
        return
    value, message = _parsed(text)
    if message:
        faults.append(Fault(str(file), "", "", message))
    else:
        for number, item in enumerate(value if isinstance(value, list) else [value], 1):
            yield _Raw(str(file), f"record {number}", item)


def _is_json_lines(file: Path, text: str) -> bool:
    if file.suffix.lower() in (".jsonl", ".ndjson"):
        return True
    first, _, rest = text.strip().partition("\n")
    return first.startswith("{") and bool(rest) and not _parsed(first)[1]


def _text_of(file: Path, faults: list[Fault]) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        faults.append(Fault(str(file), "", "", f"line {line}: not UTF-8 (byte {error.start})"))
    except FileNotFoundError:
        faults.append(Fault(str(file), "", "", "there is no such file or folder"))
    except (OSError, ValueError) as error:
        faults.append(
            Fault(str(file), "", "", f"cannot be read: {getattr(error, 'strerror', None) or error}")
        )
    return ""


def _parsed(text: str) -> tuple[Any, str]:
    """(value, "") or (None, what is wrong). NaN and infinities are let through here and told with their field."""
    try:
        return json.loads(text, object_pairs_hook=_object), ""
    except json.JSONDecodeError as error:
        broken_off = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        where = f"line {error.lineno} column {error.colno}: {error.msg}"
        return None, f"{'the JSON breaks off' if broken_off else 'not JSON'}: {where}"
    except RecursionError:
        return None, "not usable: the JSON is nested too deeply"
    except ValueError as error:
        return None, f"not usable: {error}"


def _noting(raw: _Raw, faults: list[Fault]) -> Note:
    given = raw.value.get("concept_id") if isinstance(raw.value, dict) else None
    record = given if isinstance(given, str) and _CONCEPT_ID.fullmatch(given) else raw.place
    return lambda field, message: faults.append(Fault(raw.file, record, field, message, raw.place))


def _printable(text: str) -> str:
    """Text in one line that no terminal takes for a command and every encoder takes: all else is spelt out."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _shown(value: Any) -> str:
    """A value as a message shows it."""
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "an object"
    kinds = ((bool, ""), (str, "the text "), ((int, float), "the number "))
    return next((kind for types, kind in kinds if isinstance(value, types)), "") + _quoted(value)


def _quoted(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:56]}…{text[-1]}"


def _check_json(value: Any, note: Note) -> None:
    """Tell the field of whatever could not be kept and written again."""
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    while stack:
        field, value, depth = stack.pop()
        message = ""
        if depth > _MAX_DEPTH:
            message, value = f"nested more than {_MAX_DEPTH} deep", None
        elif isinstance(value, float) and not math.isfinite(value):
            message = "expected a finite number; JSON has no NaN and no infinity"
        elif isinstance(value, str) and _has_half_characters(value):
            message = "the text holds half a character (a lone surrogate)"
        if message:
            note(field, message)
        if isinstance(value, _Object):
            for key in value.repeated:
                note(_member(field, key), "the key is given twice")
            stack += [(_member(field, key), child, depth + 1) for key, child in reversed(value.items())]
            stack += [(_member(field, "a key"), key, depth + 1) for key in value if _has_half_characters(key)]
        elif isinstance(value, list):
            stack += [(f"{field}[{i}]", child, depth + 1) for i, child in reversed([*enumerate(value)])]


def _has_half_characters(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _member(field: str, key: str) -> str:
    return f"{field}.{key}" if field else key


# Readers of one field: (value, field, note) → the value as it is kept, or None after a note.


def _text(value: Any, field: str, note: Note) -> str | None:
    if isinstance(value, str) and value.strip():
        return value
    return note(field, f"expected a text that is not empty, found {_shown(value)}")


def _one_of(allowed: Sequence[str]) -> Callable[[Any, str, Note], str | None]:
    def read(value: Any, field: str, note: Note) -> str | None:
        if isinstance(value, str) and value in allowed:
            return value
        return note(field, f"expected one of {', '.join(allowed)}, found {_shown(value)}")

    return read


def _concept_id(value: Any, field: str, note: Note) -> str | None:
    if isinstance(value, str) and _CONCEPT_ID.fullmatch(value):
        return value
    return note(field, f"expected <country>-<category>-<number>, like ID-Dance-01, found {_shown(value)}")


def _country(value: Any, field: str, note: Note) -> str | None:
    if isinstance(value, str) and re.fullmatch("[A-Z]{2}", value):
        return value
    return note(field, f"expected a code of two capital letters, found {_shown(value)}")


def _index(value: Any, field: str, note: Note) -> int | None:
    if type(value) is int and 0 <= value < N_OPTIONS:
        return value
    return note(field, f"expected a whole number from 0 to {N_OPTIONS - 1}, found {_shown(value)}")


def _seconds(value: Any, field: str, note: Note) -> float | None:
    if isinstance(value, float) and not math.isfinite(value):
        # Told by _check_json.
        return None
    try:
        if type(value) in (int, float) and 0 <= float(value) < 1e9:
            return float(value)
    except OverflowError:
        pass
    return note(field, f"expected seconds, a number from 0 to 1e9, found {_shown(value)}")


def _length(value: Any, field: str, note: Note) -> float | None:
    length_s = _seconds(value, field, note)
    if length_s == 0:
        return note(field, "expected a length of more than 0 seconds")
    return length_s


def _video(value: Any, field: str, note: Note) -> str | None:
    try:
        if isinstance(value, str):
            return video_id(value)
        return note(field, f"expected the URL or id of a YouTube video, found {_shown(value)}")
    except ValueError as error:
        return note(field, str(error))


def _span(value: Any, field: str, note: Note) -> tuple[float, float] | None:
    if isinstance(value, dict) and set(value) == {"start_s", "end_s"}:
        value = [value["start_s"], value["end_s"]]
    if not isinstance(value, list) or len(value) != 2:
        return note(field, f"expected [start_s, end_s], found {_shown(value)}")
    start_s = _seconds(value[0], f"{field}.start_s", note)
    end_s = _seconds(value[1], f"{field}.end_s", note)
    if start_s is None or end_s is None:
        return None
    # Clips are told apart to the millisecond (clip_name), so a shorter moment is none.
    if round(start_s, 3) >= round(end_s, 3):
        return note(field, f"expected start_s before end_s, found {value[0]} and {value[1]}")
    return start_s, end_s


def _moment(value: Any, field: str, note: Note) -> Moment | None:
    if isinstance(value, dict):
        names = next((names for names in _MOMENT_FIELDS if set(names) == set(value)), None)
        value = names and [value[name] for name in names]
    if not isinstance(value, list) or len(value) != 3:
        return note(field, "expected a moment: [video_url, start_s, end_s], or an object of these three")
    video = _video(value[0], f"{field}.video_url", note)
    span = _span(value[1:], field, note)
    return None if video is None or span is None else Moment(video, *span)


_MOMENT_FIELDS = (("video_url", "start_s", "end_s"), ("video_id", "start_s", "end_s"))


def _pair(value: Any, field: str, note: Note) -> Pair | None:
    if not isinstance(value, dict):
        return note(
            field, f"expected an object with video_url, start_s, end_s and cue, found {_shown(value)}"
        )
    missing = [name for name in ("video_url", "start_s", "end_s", "cue") if name not in value]
    for name in missing:
        note(f"{field}.{name}", "missing")
    video = None if "video_url" in missing else _video(value["video_url"], f"{field}.video_url", note)
    span = None
    if not {"start_s", "end_s"} & {*missing}:
        span = _span([value["start_s"], value["end_s"]], field, note)
    cue = None if "cue" in missing else _text(value["cue"], f"{field}.cue", note)
    length_s = value.get("duration_s")
    length_s = None if length_s is None else _length(length_s, f"{field}.duration_s", note)
    known = {"video_url", "start_s", "end_s", "cue", "duration_s"}
    extra = {name: content for name, content in value.items() if name not in known}
    if video is None or span is None or cue is None:
        return None
    return Pair(video, *span, cue, length_s, extra)


def _list_of(
    read: Callable[[Any, str, Note], Any], what: str, count: int = N_OPTIONS
) -> Callable[[Any, str, Note], tuple | None]:
    def read_list(value: Any, field: str, note: Note) -> tuple | None:
        if not isinstance(value, list) or len(value) != count:
            return note(field, f"expected a list of {count} {what}, found {_shown(value)}")
        items = tuple(read(item, f"{field}[{i}]", note) for i, item in enumerate(value))
        return None if any(item is None for item in items) else items

    return read_list


def _different(
    read: Callable[[Any, str, Note], tuple | None], same: Callable[[Any], Any]
) -> Callable[[Any, str, Note], tuple | None]:
    def read_different(value: Any, field: str, note: Note) -> tuple | None:
        items = read(value, field, note)
        for i, item in enumerate(items or ()):
            j = [same(other) for other in items or ()].index(same(item))
            if j < i:
                note(f"{field}[{i}]", f"repeats option {j}")
        return items

    return read_different


def _same_text(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _same_moment(moment: Moment) -> tuple[str, float, float]:
    return moment.video_id, round(moment.start_s, 3), round(moment.end_s, 3)


def _origins(value: Any, field: str, note: Note) -> tuple[str, ...] | None:
    # Some write a flag an option, with null at the key; it says the same.
    if isinstance(value, list) and len(value) == N_OPTIONS and value.count(None) == 1:
        value = [flag for flag in value if flag is not None]
    return _list_of(_one_of(ORIGINS), "flags, one a distractor", N_OPTIONS - 1)(value, field, note)


def _variants(value: Any, field: str, note: Note) -> dict[str, str] | None:
    if not isinstance(value, dict):
        return note(field, f"expected an object with names in {', '.join(VARIANTS)}, found {_shown(value)}")
    for name in value.keys() - {*VARIANTS}:
        note(_member(field, name), f"unknown variant; expected {', '.join(VARIANTS)}")
    given = {name: value[name] for name in VARIANTS if value.get(name) is not None}
    read = {name: _text(text, f"{field}.{name}", note) for name, text in given.items()}
    return {name: text for name, text in read.items() if text is not None} or None


_REQUIRED: dict[str, Callable[[Any, str, Note], Any]] = {
    "concept_id": _concept_id,
    "country": _country,
    "category": _text,
    "concept_name": _text,
    "description": _text,
    "s1_options": _different(_list_of(_text, "names"), _same_text),
    "s1_correct_index": _index,
    "video_A_url": _video,
    "video_A_s2_moment": _span,
    "s2_options": _different(_list_of(_moment, "moments"), _same_moment),
    "s2_correct_index": _index,
    "writing_cluster": _text,
}
_OPTIONAL: dict[str, Callable[[Any, str, Note], Any]] = {
    "s1_distractor_origin": _origins,
    "audio_role": _one_of(AUDIO_ROLES),
    "annotator_role_id": _text,
    "review_outcome": _one_of(REVIEW_OUTCOMES),
    "name_variants": _variants,
    "s1_option_concept_ids": _different(_list_of(_concept_id, "concept_ids"), str),
    "duration_s": _length,
}
_FLAT_S3 = ("video_B_url", "video_B_s3_span", "s3_cue")


def _read_record(raw: _Raw, faults: list[Fault], region: "_KnownRegion | None") -> Record | None:
    """The record, or None when a part of it cannot be read; every fault is told either way."""
    note = _noting(raw, faults)
    value = raw.value
    before = len(faults)
    if not isinstance(value, dict):
        return note("", f"expected a record, an object, found {_shown(value)}")
    _check_json(value, note)
    fields: Row = {}
    for name, read in _REQUIRED.items():
        fields[name] = read(value[name], name, note) if name in value else note(name, "missing")
    for name, read in _OPTIONAL.items():
        fields[name] = None if value.get(name) is None else read(value[name], name, note)
    fields["s3_pairs"] = _pairs(value, fields["duration_s"], note)
    known = {*_REQUIRED, *_OPTIONAL, *_FLAT_S3, "s3_pairs"}
    fields["extra"] = {name: content for name, content in value.items() if name not in known}
    _check_id(fields, note, region)
    _check_names(fields, note)
    _check_videos(fields, value, note)
    return Record(**fields) if len(faults) == before else None


def _pairs(value: Mapping[str, Any], duration_s: float | None, note: Note) -> tuple[Pair | None, ...]:
    """The pairs of one raw record, in whichever form; None for those that cannot be read, after a note."""
    flat = {name: value[name] for name in _FLAT_S3 if value.get(name) is not None}
    given = value.get("s3_pairs")
    if flat and given is not None:
        note("s3_pairs", f"given beside {', '.join(flat)}: expected one form of S3")
    if isinstance(given, list):
        pairs = [_pair(item, f"s3_pairs[{i}]", note) for i, item in enumerate(given)]
    elif given is not None:
        return note("s3_pairs", f"expected a list of pairs, found {_shown(given)}") or ()
    else:
        pairs = [_flat_pair(flat, note)] if flat else []
    if duration_s is None:
        return tuple(pairs)
    # The record's own duration_s is that of its video B, so there must be one such video.
    if len({pair.video_url for pair in pairs if pair}) > 1 and any(
        pair and not pair.duration_s for pair in pairs
    ):
        note("duration_s", "several videos B: expected duration_s in each of s3_pairs")
    return tuple(
        pair and dataclasses.replace(pair, duration_s=pair.duration_s or duration_s) for pair in pairs
    )


def _flat_pair(flat: Mapping[str, Any], note: Note) -> Pair | None:
    for name in _FLAT_S3:
        if name not in flat:
            note(name, f"missing beside {', '.join(flat)}")
    video = _video(flat["video_B_url"], "video_B_url", note) if "video_B_url" in flat else None
    span = _span(flat["video_B_s3_span"], "video_B_s3_span", note) if "video_B_s3_span" in flat else None
    cue = _text(flat["s3_cue"], "s3_cue", note) if "s3_cue" in flat else None
    return None if video is None or span is None or cue is None else Pair(video, *span, cue)


class _KnownRegion(NamedTuple):
    clusters: dict[str, str]
    categories: tuple[str, ...]


def _region_of(region: Any) -> _KnownRegion | None:
    if region is None:
        return None
    if isinstance(region, (str, os.PathLike)):
        region = _read_mapping(region, "region")

    def part(of: Any, name: str) -> Any:
        return of[name] if isinstance(of, Mapping) else getattr(of, name)

    try:
        clusters = {
            part(country, "code"): part(country, "writing_cluster") for country in part(region, "countries")
        }
        return _KnownRegion(clusters, tuple(part(region, "categories")))
    except (AttributeError, KeyError, TypeError) as error:
        message = f"expected countries (each with code and writing_cluster) and categories: {error!r}"
        raise RecordError([Fault("region", "", "", message)]) from None


def _check_id(fields: Row, note: Note, region: _KnownRegion | None) -> None:
    concept_id, country, category = fields["concept_id"], fields["country"], fields["category"]
    match = _CONCEPT_ID.fullmatch(concept_id or "")
    for name, value, part in (("country", country, 1), ("category", category, 2)):
        if match and value and value != match[part]:
            note(name, f"{_quoted(value)} does not agree with concept_id {concept_id}")
    cluster = fields["writing_cluster"]
    if region is None:
        if cluster and cluster not in WRITING_CLUSTERS:
            note("writing_cluster", f"expected one of {', '.join(WRITING_CLUSTERS)}, found {_shown(cluster)}")
        return
    if country and country not in region.clusters:
        note(
            "country",
            f"{country} is not in the region ({', '.join(region.clusters)}); name yours with --region",
        )
    elif country and cluster and cluster != region.clusters[country]:
        note("writing_cluster", f"expected {region.clusters[country]} for {country}, found {_shown(cluster)}")
    if category and category not in region.categories:
        note(
            "category",
            f"{_quoted(category)} is not in the region ({', '.join(region.categories)}); name yours with --region",
        )


def _check_names(fields: Row, note: Note) -> None:
    options, key, ids, origins = (
        fields[f"s1_{name}"]
        for name in ("options", "correct_index", "option_concept_ids", "distractor_origin")
    )
    if key is None:
        return
    common = (fields["name_variants"] or {}).get("common_latin")
    if options and common and options[key] != common:
        note(
            "s1_correct_index",
            f"option {key} is {_quoted(options[key])}, the common-Latin name {_quoted(common)}",
        )
    elif options and fields["concept_name"]:
        parts = [fields["concept_name"], *re.split(r"[()\[\]/|]", fields["concept_name"])]
        named = {_same_text(part) for part in parts} & {_same_text(option) for option in options}
        if named and _same_text(options[key]) not in named:
            note(
                "s1_correct_index",
                f"option {key} is {_quoted(options[key])}, but concept_name is another option",
            )
    if ids and fields["concept_id"] and ids[key] != fields["concept_id"]:
        note(f"s1_option_concept_ids[{key}]", f"expected the concept itself at the key, found {ids[key]}")
    elif ids and origins and fields["country"]:
        others = [concept_id for i, concept_id in enumerate(ids) if i != key]
        for i, (concept_id, origin) in enumerate(zip(others, origins, strict=True)):
            expected = ORIGINS[not concept_id.startswith(f"{fields['country']}-")]
            if origin != expected:
                note(f"s1_distractor_origin[{i}]", f"expected {expected} for {concept_id}, found {origin}")


def _check_videos(fields: Row, value: Mapping[str, Any], note: Note) -> None:
    video_a, span, options, key = (
        fields[name] for name in ("video_A_url", "video_A_s2_moment", "s2_options", "s2_correct_index")
    )
    if video_a and span and options and key is not None:
        moment = Moment(video_a, *span)
        if _same_moment(options[key]) != _same_moment(moment):
            note(
                f"s2_options[{key}]",
                f"the key option is {[*options[key]]}, the moment of video A {[*moment]}",
            )
    for i, pair in enumerate(fields["s3_pairs"]):
        if pair and pair.video_url == video_a:
            note(_pair_field(value, i, "video_url"), f"video B is video A ({video_a})")
        if pair and pair.duration_s is not None and pair.end_s > pair.duration_s:
            note(_pair_field(value, i), f"the span ends at {pair.end_s} s, the video at {pair.duration_s} s")
    if fields["audio_role"] and not fields["s3_pairs"]:
        note("audio_role", "expected null: the concept has no S3 pair")
    _check_pairs([(pair, _pair_field(value, i), note) for i, pair in enumerate(fields["s3_pairs"]) if pair])


def _pair_field(value: Mapping[str, Any], i: int, part: str = "") -> str:
    """The field of pair ``i`` of a raw record, whichever form its S3 has."""
    if value.get("s3_pairs") is not None:
        return _member(f"s3_pairs[{i}]", part) if part else f"s3_pairs[{i}]"
    return "video_B_url" if part else "video_B_s3_span"


def _check_pairs(pairs: Iterable[tuple[Pair, str, Note]]) -> None:
    seen: set[tuple[str, float, float]] = set()
    for pair, field, note in pairs:
        place = _same_moment(Moment(pair.video_url, pair.start_s, pair.end_s))
        if place in seen:
            note(field, "another pair of this concept has the same video and span")
        seen.add(place)


def _merge(same: Sequence[tuple[_Raw, Record]], faults: list[Fault]) -> Record:
    """One record out of those that share a concept_id: their pairs one after the other, all else alike."""
    (first_raw, first), *others = same
    if not others:
        return first
    place = f"{first_raw.place} of {first_raw.file}"
    for raw, record in others:
        note = _noting(raw, faults)
        for name in (*_REQUIRED, *_OPTIONAL):
            if name != "duration_s" and getattr(record, name) != getattr(first, name):
                note(name, f"differs from {place}, which is the same concept")
        if not record.s3_pairs or not first.s3_pairs:
            note("concept_id", f"also that of {place}: only records that each hold S3 pairs may share one")
    _check_pairs(
        (pair, _pair_field(raw.value, i), _noting(raw, faults))
        for raw, record in same
        for i, pair in enumerate(record.s3_pairs)
    )
    common = {
        name: content
        for name, content in first.extra.items()
        if all(name in record.extra and record.extra[name] == content for _, record in others)
    }
    return dataclasses.replace(
        first,
        s3_pairs=tuple(
            _with_extra(pair, record.extra, common) for _, record in same for pair in record.s3_pairs
        ),
        duration_s=first.duration_s if len({record.duration_s for _, record in same}) == 1 else None,
        extra=common,
    )


def _with_extra(pair: Pair, extra: Mapping[str, Any], common: Mapping[str, Any]) -> Pair:
    """The pair with what only its own record of several says."""
    own = {name: content for name, content in extra.items() if name not in common}
    return dataclasses.replace(pair, extra={**own, **pair.extra})


def _check_together(
    records: Sequence[Record], noting: Callable[[Record], Note], region: _KnownRegion | None
) -> None:
    """What only several records can get wrong: clusters within a country, names of each other's concepts."""
    known = {record.concept_id: record for record in records}
    clusters: dict[str, Counter[str]] = {}
    for record in records:
        clusters.setdefault(record.country, Counter())[record.writing_cluster] += 1
    for record in records:
        (usual, count), *_ = clusters[record.country].most_common(1)
        if region is None and record.writing_cluster != usual:
            message = f"{record.writing_cluster} here, {usual} in {count} other records of {record.country}"
            noting(record)("writing_cluster", f"{message}; it follows the country")
        for i, concept_id in enumerate(record.s1_option_concept_ids or ()):
            name = known[concept_id].common_latin if concept_id in known else record.s1_options[i]
            if record.s1_options[i] != name:
                message = (
                    f"{concept_id} is named {_quoted(name)}, the option is {_quoted(record.s1_options[i])}"
                )
                noting(record)(f"s1_option_concept_ids[{i}]", message)


_COMMON = dict.fromkeys(("item_id", "concept_id", "country", "category", "writing_cluster"), "string")

COLUMNS: dict[str, Row] = {
    "s1": {
        **_COMMON,
        "description": "string",
        "options": ["string"],
        "answer": "int64",
        **{f"options_{variant}": ["string"] for variant in VARIANTS},
    },
    "s2": {
        **_COMMON,
        "s1_item_id": "string",
        "description": "string",
        "options": [{"video_id": "string", "start_s": "float64", "end_s": "float64", "clip": "string"}],
        "answer": "int64",
    },
    "s3": {
        **_COMMON,
        "s2_item_id": "string",
        "concept_name": "string",
        "cue": "string",
        "video_id": "string",
        "video": "string",
        "duration_s": "float64",
        "span": ["float64"],
        **{f"concept_name_{variant}": "string" for variant in VARIANTS},
    },
    "records": {
        "concept_id": "string",
        "country": "string",
        "category": "string",
        "concept_name": "string",
        "description": "string",
        "s1_options": ["string"],
        "s1_correct_index": "int64",
        "s1_distractor_origin": ["string"],
        "s1_option_concept_ids": ["string"],
        "video_A_url": "string",
        "video_A_s2_moment": ["float64"],
        "s2_options": [{"video_url": "string", "start_s": "float64", "end_s": "float64"}],
        "s2_correct_index": "int64",
        "s3_pairs": [
            {
                "video_url": "string",
                "start_s": "float64",
                "end_s": "float64",
                "cue": "string",
                "duration_s": "float64",
            }
        ],
        "writing_cluster": "string",
        "audio_role": "string",
        "annotator_role_id": "string",
        "review_outcome": "string",
        "name_variants": dict.fromkeys(VARIANTS, "string"),
        "duration_s": "float64",
        "extra": "string",
    },
}
"""Config → its columns: a text names a type, ``[x]`` is a list of x, a dict is a struct."""

WITHHELD = {
    "s1": ("concept_id", "country", "writing_cluster", "answer"),
    "s2": ("concept_id", "country", "writing_cluster", "answer"),
    "s3": ("concept_id", "country", "writing_cluster", "span"),
    "records": (),
}
"""Config → the columns that ``test`` does not have before the phase ``concluded``."""


def withheld(config: str, phase: str | None) -> tuple[str, ...]:
    """The columns that ``test`` of ``config`` does not have in ``phase``.

    Without a phase, hidden S3 items are there for work at home, but nothing says which S2 item is of their concept.
    """
    if phase == "concluded":
        return ()
    return (*WITHHELD[config], "s2_item_id") if config == "s3" and phase is None else WITHHELD[config]


def stage_rows(
    records: Iterable[Record],
    stage: str,
    split: Mapping[str, Any] | None = None,
    secrets: Mapping[str, Any] | None = None,
    phase: str | None = None,
) -> dict[str, list[Row]]:
    """The rows of one config, as `COLUMNS` has them; the single source of the builder and of ``cmb build``.

    Public items stand in the order of their concept_ids, with their options as the record has them. Hidden items have
    random ids, orders and options of their own in each stage, all drawn from the salts: HMAC-SHA256 throughout.

    Args:
        stage: ``s1``, ``s2``, ``s3`` or ``records``.
        split: ``records_sha256`` and ``train``, the public concept_ids. None: all is public.
        secrets: ``salts`` (hex, by ``ids``, ``s1``, ``s2``, ``s3``) and ``hidden_concepts``; needed with a split.
        phase: which hidden items are out, and whether with their keys; of no effect without a split. None: those of
            all stages, without keys and without the link from S3 to S2; publish by phase, since S3 names its concepts.

    Returns:
        ``{"train": rows, "test": rows}``; ``records`` has ``test`` in the phase ``concluded`` alone. What is withheld
        from ``test`` is None there.

    Raises:
        RecordError: the split or the secrets do not fit the records, or an option crosses the split.
    """
    if stage not in CONFIGS:
        raise ValueError(f"config {stage!r}: expected one of {', '.join(CONFIGS)}")
    public, hidden, salts = _sides(records, split, secrets, phase)
    known = {record.concept_id: record for record in (*public, *hidden)}
    rows = {"train": _public_rows(public, stage, known)}
    concluded = phase == "concluded"
    if stage == "records":
        return rows | ({"test": _public_rows(hidden, stage, known)} if concluded and hidden else {})
    rows["test"] = []
    if hidden and stage in _stages_out(phase):
        rows["test"] = _hidden_rows(_public_rows(hidden, stage, known), stage, salts)
    for row in rows.get("test", ()):
        row.update(dict.fromkeys(withheld(stage, phase)))
    return rows


def key_table(
    records: Iterable[Record],
    split: Mapping[str, Any] | None,
    secrets: Mapping[str, Any] | None,
    phase: str | None = None,
) -> list[Row]:
    """The reference rows of the hidden items that are out in ``phase``: what the scorer needs and nobody else may see.

    Each is ``{item_id, concept_id, stage, country, category, writing_cluster, answer, span}``: ``answer`` is the index
    of the key and ``span`` is [] in S1 and S2, ``answer`` is None and ``span`` [start_s, end_s] in S3.

    Raises:
        RecordError: as `stage_rows`.
    """
    _, hidden, salts = _sides(records, split, secrets, phase)
    known = {record.concept_id: record for record in hidden}
    rows = [
        {
            **{name: row[name] for name in _COMMON},
            "stage": stage,
            "answer": row.get("answer"),
            "span": row.get("span"),
        }
        for stage in (_stages_out(phase) if hidden else ())
        for row in _hidden_rows(_public_rows(hidden, stage, known), stage, salts)
    ]
    return [{**row, "span": row["span"] or []} for row in rows]


def check_split(
    records: Iterable[Record], split: Mapping[str, Any] | None, secrets: Mapping[str, Any] | None
) -> list[Fault]:
    """What keeps a split and its secrets from being used with these records; no fault, no objection."""
    faults: list[Fault] = []
    for name, value, other in (("split", split, secrets), ("secrets", secrets, split)):
        if value is None and other is not None:
            faults.append(Fault(name, "", "", "missing: a split and its secrets go together"))
        elif value is not None and not isinstance(value, Mapping):
            faults.append(Fault(name, "", "", f"expected an object, found {_shown(value)}"))
    if faults or split is None or secrets is None:
        return faults
    records = list(records)
    train = _concepts_in(split, "train", "split", faults)
    hidden = _concepts_in(secrets, "hidden_concepts", "secrets", faults)
    faults += _salt_faults(secrets.get("salts"))
    known = {record.concept_id for record in records}
    faults += [
        Fault("split", name, "train", "no record has this concept_id") for name in sorted(train - known)
    ]
    rest = known - train
    faults += [
        Fault("secrets", name, "hidden_concepts", "missing: not in train") for name in sorted(rest - hidden)
    ]
    faults += [
        Fault("secrets", name, "hidden_concepts", "not a hidden concept") for name in sorted(hidden - rest)
    ]
    return faults or _crossings(records, train)


def option_sources(records: Iterable[Record]) -> dict[str, dict[str, list[set[str]]]]:
    """Which concepts each option can stem from: concept_id → ``s1`` and ``s2`` → a set of concept_ids an option.

    S1's are told by ``s1_option_concept_ids``, else by the names of the concepts of the category; S2's by the moments
    of videos A. A set is empty where no record fits and has several members where names or moments are shared.
    """
    records = list(records)
    by_name: dict[tuple[str, str], set[str]] = {}
    by_moment: dict[Any, set[str]] = {}
    for record in records:
        by_name.setdefault((record.category, record.common_latin), set()).add(record.concept_id)
        by_moment.setdefault(_same_moment(record.moment), set()).add(record.concept_id)
    return {
        record.concept_id: {
            "s1": [{concept_id} for concept_id in record.s1_option_concept_ids or ()]
            or [by_name.get((record.category, name), set()) for name in record.s1_options],
            "s2": [by_moment.get(_same_moment(option), set()) for option in record.s2_options],
        }
        for record in records
    }


def _crossings(records: Sequence[Record], train: set[str]) -> list[Fault]:
    """The options that stem from the other side of the split: they would give hidden keys away by elimination."""
    faults = []
    for concept_id, stages in option_sources(records).items():
        own_side = concept_id in train
        for stage, options in stages.items():
            for i, sources in enumerate(options):
                if sources and all((source in train) != own_side for source in sources):
                    sides = (
                        "a public item with an option of the hidden concept",
                        "a hidden item with an option of",
                    )
                    message = f"{sides[not own_side]} {' or '.join(sorted(sources))}"
                    faults.append(Fault("records", concept_id, f"{stage}_options[{i}]", message))
    return faults


def _concepts_in(value: Mapping[str, Any], field: str, file: str, faults: list[Fault]) -> set[str]:
    names = value.get(field)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        faults.append(Fault(file, "", field, f"expected a list of concept_ids, found {_shown(names)}"))
        return set()
    repeated = [name for name, count in Counter(names).items() if count > 1]
    faults += [Fault(file, name, field, "given twice") for name in repeated]
    return set(names)


def _salt_faults(salts: Any) -> Iterator[Fault]:
    for name in ("ids", *STAGES):
        salt = salts.get(name) if isinstance(salts, Mapping) else None
        if not isinstance(salt, str) or not re.fullmatch("(?:[0-9a-fA-F]{2}){16,}", salt):
            yield Fault("secrets", "", f"salts.{name}", "expected at least 32 hexadecimal digits")


def _sides(
    records: Iterable[Record],
    split: Mapping[str, Any] | None,
    secrets: Mapping[str, Any] | None,
    phase: str | None,
) -> tuple[list[Record], list[Record], dict[str, bytes]]:
    """(public records, hidden records, salts), each side in the order of the concept_ids."""
    if phase is not None and phase not in PHASES:
        raise ValueError(f"phase {phase!r}: expected one of {', '.join(PHASES)}")
    records = sorted(records, key=lambda record: record.concept_id)
    faults = check_split(records, split, secrets)
    if faults:
        raise RecordError(faults)
    if split is None or secrets is None:
        return records, [], {}
    train = set(split["train"])
    public = [record for record in records if record.concept_id in train]
    hidden = [record for record in records if record.concept_id not in train]
    return public, hidden, {name: bytes.fromhex(salt) for name, salt in secrets["salts"].items()}


def _stages_out(phase: str | None) -> tuple[str, ...]:
    """The stages whose hidden items are out. S3 names its concepts, so it opens only when S1 and S2 are closed."""
    return {"development": (), "recognition": ("s1", "s2")}.get(phase or "", STAGES)


def _public_rows(records: Iterable[Record], stage: str, known: Mapping[str, Record]) -> list[Row]:
    rows = {"s1": _s1_rows, "s2": _s2_rows, "s3": _s3_rows, "records": _record_rows}[stage]
    return [row for record in records for row in rows(record, known)]


def _common_row(record: Record, item_id: str) -> Row:
    return {
        "item_id": item_id,
        "concept_id": record.concept_id,
        "country": record.country,
        "category": record.category,
        "writing_cluster": record.writing_cluster,
    }


def _s1_rows(record: Record, known: Mapping[str, Record]) -> Iterator[Row]:
    options = [known.get(concept_id) for concept_id in record.s1_option_concept_ids or ()]
    variants = {}
    for variant in VARIANTS:
        names = [((option and option.name_variants) or {}).get(variant) for option in options]
        variants[f"options_{variant}"] = names if names and all(names) else None
    yield {
        **_common_row(record, f"{record.concept_id}/s1"),
        "description": record.description,
        "options": list(record.s1_options),
        "answer": record.s1_correct_index,
        **variants,
    }


def _s2_rows(record: Record, known: Mapping[str, Record]) -> Iterator[Row]:
    yield {
        **_common_row(record, f"{record.concept_id}/s2"),
        "s1_item_id": f"{record.concept_id}/s1",
        "description": record.description,
        "options": [{**option._asdict(), "clip": None} for option in record.s2_options],
        "answer": record.s2_correct_index,
    }


def _s3_rows(record: Record, known: Mapping[str, Record]) -> Iterator[Row]:
    for number, pair in enumerate(record.s3_pairs, 1):
        yield {
            **_common_row(record, f"{record.concept_id}/s3/{number}"),
            "s2_item_id": f"{record.concept_id}/s2",
            "concept_name": record.common_latin,
            "cue": pair.cue,
            "video_id": pair.video_url,
            "video": None,
            "duration_s": pair.duration_s,
            "span": [pair.start_s, pair.end_s],
            **{f"concept_name_{name}": (record.name_variants or {}).get(name) for name in VARIANTS},
        }


def _record_rows(record: Record, known: Mapping[str, Record]) -> Iterator[Row]:
    row = record.as_json()
    extra = dict(record.extra)
    pairs_extra = [dict(pair.extra) for pair in record.s3_pairs]
    if any(pairs_extra):
        extra["s3_pairs"] = pairs_extra
    columns = COLUMNS["records"]
    row = {name: row.get(name) for name in columns}
    row["s3_pairs"] = [{name: pair[name] for name in columns["s3_pairs"][0]} for pair in row["s3_pairs"]]
    row["name_variants"] = row["name_variants"] and {
        name: row["name_variants"].get(name) for name in VARIANTS
    }
    yield row | {"extra": json.dumps(extra, ensure_ascii=False, sort_keys=True) if extra else None}


def _hidden_rows(rows: Sequence[Row], stage: str, salts: Mapping[str, bytes]) -> list[Row]:
    """Public rows with the ids, the order and the options of hidden ones; answers follow their options."""
    salt = salts[stage]
    letters = _letters(rows, salt) if "options" in COLUMNS[stage] else {}
    hidden = []
    for row in sorted(rows, key=lambda row: _mac(salt, f"row/{row['item_id']}")):
        shown = _reordered(row, letters[row["item_id"]], salt) if letters else row
        ids = {name: row[name] for name in ("item_id", "s1_item_id", "s2_item_id") if name in row}
        hidden.append(shown | {name: _hidden_id(public, salts["ids"]) for name, public in ids.items()})
    return hidden


def _hidden_id(item_id: str, salt: bytes) -> str:
    return f"{item_id.split('/')[1]}-{_mac(salt, item_id)[:16]}"


def _letters(rows: Iterable[Row], salt: bytes) -> dict[str, int]:
    """item_id → the place of its key: each place equally often in a category, or once more."""
    by_category: dict[str, list[str]] = {}
    for row in rows:
        by_category.setdefault(row["category"], []).append(row["item_id"])
    letters = {}
    for category, item_ids in by_category.items():
        order = _shuffled(range(N_OPTIONS), salt, f"letter/{category}")
        for rank, item_id in enumerate(_shuffled(item_ids, salt, "letter")):
            letters[item_id] = order[rank % N_OPTIONS]
    return letters


def _reordered(row: Row, letter: int, salt: bytes) -> Row:
    """The row with its key at ``letter`` and its distractors shuffled."""
    order = _shuffled((i for i in range(N_OPTIONS) if i != row["answer"]), salt, f"option/{row['item_id']}")
    order.insert(letter, row["answer"])
    options = {name: value for name, value in row.items() if name.startswith("options") and value}
    return row | {name: [value[i] for i in order] for name, value in options.items()} | {"answer": letter}


def _shuffled(items: Iterable[Any], salt: bytes, purpose: str) -> list[Any]:
    return sorted(items, key=lambda item: _mac(salt, f"{purpose}/{item}"))


def _mac(salt: bytes, text: str) -> str:
    return hmac.new(salt, text.encode(), hashlib.sha256).hexdigest()


def sha256_of(value: Any) -> str:
    """The SHA-256, in hex, of a value's JSON with sorted keys, no spaces and no escapes."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _read_mapping(path: str | os.PathLike[str], name: str) -> Mapping[str, Any]:
    """The JSON object of a file, for inputs other than records."""
    faults: list[Fault] = []
    text = _text_of(Path(path), faults)
    if not faults:
        value, message = _parsed(text)
        if isinstance(value, dict) and not message:
            return value
        faults.append(
            Fault(str(path), "", "", message or f"expected a {name}, an object, found {_shown(value)}")
        )
    raise RecordError(faults)


def media_paths(cache: str | os.PathLike[str] | None) -> tuple[dict[str, str], dict[str, str]]:
    """(clip name → path, video id → path) of a cache folder; None: of nothing.

    Clips are ``clips/<clip_name>``; videos are ``videos/<id>.<ending>``, the first by name if there are several.
    """
    if cache is None:
        return {}, {}
    files = {part: sorted(Path(cache).absolute().glob(f"{part}/*")) for part in ("clips", "videos")}
    videos = [path for path in files["videos"] if path.suffix.lower() not in _NOT_VIDEOS]
    clips = {path.name: str(path) for path in files["clips"]}
    return clips, {path.stem: str(path) for path in reversed(videos)}


# What downloaders leave beside a video: unfinished parts, subtitles, notes, pictures.
_NOT_VIDEOS = frozenset(
    {"", ".part", ".ytdl", ".vtt", ".srt", ".ass", ".json", ".json3", ".txt", ".jpg", ".webp", ".png"}
)


def _fill_paths(rows: Iterable[Row], cache: str | os.PathLike[str] | None) -> None:
    clips, videos = media_paths(cache)
    for row in rows:
        for option in row.get("options") or () if "s1_item_id" in row else ():
            option["clip"] = clips.get(clip_name(option["video_id"], option["start_s"], option["end_s"]))
        if "video" in row:
            row["video"] = videos.get(row["video_id"])


def _input_path(path: Any, base_path: Any) -> Any:
    """An input of the builder: as given, or else beside the script, for relative names that are not here."""
    beside = Path(base_path or os.path.dirname(__file__)) / str(path)
    return beside if path is not None and not os.path.exists(path) and beside.exists() else path


def _builder_rows(
    config_name: str, records: Any, split: Any, secrets: Any, clips: Any, phase: str | None, base_path: Any
) -> dict[str, list[Row]]:
    mappings = {
        name: value if isinstance(value, Mapping) else _read_mapping(_input_path(value, base_path), name)
        for name, value in (("split", split), ("secrets", secrets))
        if value is not None
    }
    read = read_records(_input_path(records, base_path))
    rows = stage_rows(read, config_name, **mappings, phase=phase)
    _fill_paths((row for part in rows.values() for row in part), clips)
    return rows


def _define_builder() -> None:
    """Define ``CMBConfig`` and ``CMB`` in this module."""
    global CMB, CMBConfig
    import datasets

    @dataclasses.dataclass
    class CMBConfig(datasets.BuilderConfig):
        """What a config is made of; ``fingerprint`` is that of its rows, so that no edit is served from a cache."""

        records: Any = None
        split: Any = None
        secrets: Any = None
        clips: Any = None
        phase: str | None = None
        fingerprint: str = ""

    class CMB(datasets.GeneratorBasedBuilder):
        """The items of one config: ``CMB("s2", "records.json")``, then ``download_and_prepare`` and ``as_dataset``.

        Args:
            config_name: ``s1``, ``s2``, ``s3`` or ``records``.
            records: a file or folder of records.
            split, secrets: files (or their content); see `stage_rows`.
            clips: a cache folder whose clips and videos fill ``clip`` and ``video``; None there where one is missing.
            phase: which hidden items are out; None: those of all stages (see `stage_rows`).

        Raises:
            RecordError: with every fault of the input.
        """

        VERSION = datasets.Version(VERSION)
        BUILDER_CONFIG_CLASS = CMBConfig  # type: ignore[name-defined]
        BUILDER_CONFIGS = [CMBConfig(name=name, version=datasets.Version(VERSION)) for name in CONFIGS]  # noqa: RUF012
        DEFAULT_CONFIG_NAME = "s2"

        def __init__(
            self, config_name="s2", records="records.json", split=None, secrets=None, clips=None, **options
        ):
            config_name = config_name or self.DEFAULT_CONFIG_NAME
            inputs = {"records": records, "split": split, "secrets": secrets, "clips": clips}
            inputs["phase"] = options.pop("phase", None)
            self.rows = _builder_rows(config_name, **inputs, base_path=options.get("base_path"))
            if not any(self.rows.values()):
                raise RecordError([Fault(str(records), "", "", f"config {config_name} has no rows")])
            inputs["fingerprint"] = sha256_of(self.rows)
            super().__init__(config_name=config_name, **inputs, **options)

        def _info(self):
            columns = COLUMNS[self.config.name]
            return datasets.DatasetInfo(description=__doc__, features=datasets.Features(_features(columns)))

        def _split_generators(self, dl_manager):
            # `datasets` cannot read a split without rows, and one such split would take the others with it.
            return [
                datasets.SplitGenerator(name=name, gen_kwargs={"rows": rows})
                for name, rows in self.rows.items()
                if rows
            ]

        def _generate_examples(self, rows):
            for number, row in enumerate(rows):
                yield row.get("item_id", number), row


def _features(columns: Any) -> Any:
    """`COLUMNS` as features of the `datasets` at hand: 3.6 writes a list of x as ``[x]``."""
    import datasets

    if isinstance(columns, str):
        return datasets.Value(columns)
    if isinstance(columns, list):
        item = _features(columns[0])
        return datasets.List(item) if hasattr(datasets, "List") else [item]
    return {name: _features(column) for name, column in columns.items()}


def __getattr__(name: str) -> Any:
    if name in ("CMB", "CMBConfig"):
        _define_builder()
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# A loading script is searched for its builder class as soon as it is imported.
if "datasets" in sys.modules:
    _define_builder()
