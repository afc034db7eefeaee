"""Where a text names a time: clocks, numbers with units, bare numbers; and which numbers are no times."""

import math
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from cmb_harness.grammar import words_time as time_words
from cmb_harness.grammar import words_unit as unit_words
from cmb_harness.grammar.words import Table, one_of, words

UNITS_S = {"ms": 0.001, "second": 1.0, "minute": 60.0, "hour": 3600.0}
# Units of numbers that are no seconds, though someone gives them for a time.
NO_SECONDS = frozenset(("percent", "frame"))
_UNIT_TABLES = {
    "ms": unit_words.MILLISECONDS,
    "second": unit_words.SECONDS,
    "minute": unit_words.MINUTES,
    "hour": unit_words.HOURS,
    "percent": unit_words.PERCENT,
    "frame": unit_words.FRAMES,
}
_UNIT_OF = {word: unit for unit, table in _UNIT_TABLES.items() for word in words(table)}
# Numbers at each end of a text that are looked at; more than these together is a loop, not an answer.
_TIMES_KEPT = 150
# More digits than these are no time of any video; float() would take them.
_LONGEST = 12


def _long_words(*tables: Table) -> Table:
    """The phrases that may stand before a number: "detik 12", but not "s 12"."""
    kept = (phrase for table in tables for phrase in words(table) if len(phrase) > 2 or not phrase.isascii())
    return {"all": "|".join(kept)}


_ORDINAL = one_of(time_words.ORDINAL_PREFIX)
_UNIT = one_of(*_UNIT_TABLES.values(), glued=True)
_LEADING_WORDS = _long_words(*(_UNIT_TABLES[unit] for unit in ("second", "minute", "hour", "frame")))
# Runs up to the place where its number begins.
_LEADING_UNIT = re.compile(rf"(?P<unit>{one_of(_LEADING_WORDS)})(?: ?{_ORDINAL})?[ :=.-]{{0,2}}")
_NUMBER = (
    r"\d{1,3}(?:\.\d{3})++,\d++"  # 1.234,5
    r"|\d{1,3}(?:,\d{3})++(?:\.\d++)?(?![,:]?\d)"  # 1,234.5
    r"|\d++,\d++(?![.,:]?\d)"  # 12,5
    r"|\d++(?:\.\d++)?(?:e[+-]?\d{1,4}(?![0-9a-z]))?|\.\d++"
)
_DIGITS = re.compile(r"(?:(?<![\d.])\.)?\d++|(?<![a-z])(?:nan|infinity|inf)(?![a-z])|∞")
_TIME = re.compile(
    r"(?P<timecode>\d{1,3}(?::\d{1,2}){3}(?![\d:]))"
    r"|(?P<clock>\d{1,4}:\d{1,2}(?::\d{1,2})?(?:[.,]\d{1,6}|:\d{3})?(?![\d:]))"
    rf"(?: ?{one_of(unit_words.SECONDS, unit_words.MINUTES, glued=True)})?"
    r"|(?P<prime>\d{1,3})' ?(?P<primes>\d{1,2}(?:\.\d{1,6})?)(?:''|\"|')?"
    rf"|(?P<number>{_NUMBER})(?:(?:st|nd|rd|th)(?= {_UNIT}))?"
    rf"(?:(?P<unit>(?: ?-? ?){_UNIT}(?!/))|(?P<inches>\"(?=[\s\w–—,;.)-]|$)))?"
    r"|(?P<bad>[a-z∞]+)"
)
# The smaller unit of "1 min 5 sec" and "menit 1 detik 5".
_JOINED = rf"[ ,]{{0,2}}(?:{one_of(time_words.AND)} )?"
_AMOUNT = r"(?P<number>\d{1,2}(?:[.,]\d{1,6})?)(?![\d.,:]?\d)"
_COMPOUND = re.compile(rf"{_JOINED}{_AMOUNT}(?P<unit> ?{_UNIT})?")
_COMPOUND_LEAD = re.compile(rf"{_JOINED}(?P<unit>{one_of(_LEADING_WORDS)}) ?{_AMOUNT}")

_BETWEEN_BEFORE = re.compile(rf"{one_of(time_words.BETWEEN)} ?$")
_NO_TIME_BEFORE = re.compile(rf"{one_of(time_words.NO_TIME_BEFORE)}(?: ?(?:#|no\.|number))?[ -]?(?:#|\()?$")
_SCORE_BEFORE = re.compile(
    rf"{one_of(time_words.SCORE_BEFORE)}[\s:=\"'(|>]{{0,4}}(?:is|of|at|là|adalah)? ?(?:about |around |~)?$"
)
_COMPOUND_WORD_BEFORE = re.compile(r"(?:^|[^a-z0-9])([a-z]+)[-_]$")
_LETTER_BEFORE = re.compile(r"[a-z_]$")
_MAY_FOLLOW = re.compile(
    " ?"
    + one_of(
        time_words.AFTER_TIME,
        time_words.AFTER_TIME_JOINED,
        time_words.RANGE,
        time_words.AND,
        time_words.BETWEEN_AFTER,
        time_words.END,
        time_words.DURATION,
        time_words.LONG,
        time_words.APPROXIMATELY,
    )
)
_NEXT = re.compile(r"(?: ?[^\W\d_]| ?[\u0e00-\u0e7f\u1780-\u17ff\u1000-\u109f])")
_NUMBERING = re.compile(r"(?:^|\n)[ \t]*[-•(]?[ \t]*$")
_NUMBERING_AFTER = re.compile(r"[.)]\s+[^\W\d]")
_FROM_BEGINNING = re.compile(
    rf"{one_of(time_words.SINCE)} ?(?P<edge>{one_of(time_words.VIDEO_BEGINS)})"
    rf"(?= ?[,–—-]| ?{one_of(time_words.RANGE, time_words.AND)})"
)
_TO_END = re.compile(
    rf"(?:\d|{_UNIT}) ?,? ?{one_of(time_words.RANGE)} ?(?P<edge>{one_of(time_words.VIDEO_ENDS)})"
    r"(?= ?[.,;\n)\]\"']| ?$)"
)
_OTHER_UNIT = re.compile(rf" ?{one_of(time_words.OTHER_UNIT, glued=True)}")
_CURRENCIES = tuple("$€£¥₫฿៛₱")
_FROM_NUMBER = re.compile(r"(?<=\d)\s?(?:[-–—~]|to|and|or)\s?$")
_TO_NUMBER = re.compile(r"\s?(?:[-–—~]|to|and|or)\s?(?=\d)")
_LEADS_TO_TIME = one_of(time_words.START, time_words.RANGE, time_words.BETWEEN, time_words.APPROXIMATELY)
_NEGATIVE_AFTER = re.compile(rf"(?:^|[(\[{{,;:=<>\"'|\n] ?|{_LEADS_TO_TIME} )$")


class Time(NamedTuple):
    """One time, or one number that someone gives for a time.

    Attributes:
        start, end: where it stands, its unit and sign included.
        first: where its number begins.
        value_s: seconds; None for what is no number of seconds (a percentage, a frame, NaN).
        unit: ``clock``, one of ``UNITS_S``, or "" for a bare number.
        number: the number as it stands, for a unit that only the other end of a range gives.
        sure: it cannot be a count: it has a unit, a clock's colon or a fraction.
        pair: "12,20" read as two numbers, should it stand alone.
    """

    start: int
    first: int
    end: int
    value_s: float | None
    unit: str = ""
    number: float = 0.0
    sure: bool = True
    pair: tuple[float, float] | None = None


def times_in(plain: str, duration_s: float | None) -> list[Time]:
    """The times of a folded text, from left to right. Counts, years, labels, scores and numbering are left out."""
    times = sorted([*_times(plain, duration_s), *_edges(plain, duration_s)], key=lambda time: time.first)
    begun = {place for time in times for place in (time.start, time.first)}
    ended = {time.end for time in times}
    return [
        time
        for time in times
        if time.unit or time.value_s is None or not _counts_range(plain, time, begun, ended)
    ]


def _edges(plain: str, duration_s: float | None) -> Iterator[Time]:
    """ "From the beginning", and "to the end" where the length of the video is known."""
    for found in islice(_FROM_BEGINNING.finditer(plain), _TIMES_KEPT):
        yield Time(found.start("edge"), found.start("edge"), found.end(), 0.0, "clock")
    for found in islice(_TO_END.finditer(plain), _TIMES_KEPT) if duration_s is not None else ():
        yield Time(found.start("edge"), found.start("edge"), found.end(), duration_s, "clock")


def _counts_range(plain: str, time: Time, begun: set[int], ended: set[int]) -> bool:
    """Whether the other end of a range with ``time`` is no time: "12-13 April", "5 to 6 dancers", "pages 12-20"."""
    after = _TO_NUMBER.match(plain, time.end)
    before = _FROM_NUMBER.search(plain, max(0, time.first - 6), time.first)
    return bool(after and after.end() not in begun) or bool(before and before.start() not in ended)


def _times(plain: str, duration_s: float | None) -> Iterator[Time]:
    leads = {found.end(): found for found in _LEADING_UNIT.finditer(plain)}
    every = list(_DIGITS.finditer(plain))
    done = 0
    for digits in every if len(every) <= 2 * _TIMES_KEPT else every[:_TIMES_KEPT] + every[-_TIMES_KEPT:]:
        if digits.start() < done:
            continue
        found = _TIME.match(plain, digits.start())
        time = _time(plain, found, leads.get(digits.start()), duration_s) if found else None
        if time and (time.unit or time.value_s is None or _can_be_time(plain, time, duration_s)):
            done = time.end
            yield time
        elif found:
            done = found.end()


def _time(
    plain: str, found: re.Match[str], lead: re.Match[str] | None, duration_s: float | None
) -> Time | None:
    first, end = found.span()
    start = lead.start() if lead else first
    if found["bad"] or found["timecode"]:
        return Time(start, first, end, None)
    if found["clock"]:
        return Time(start, first, end, _clock(found["clock"]), "clock")
    if found["prime"]:
        return Time(start, first, end, 60 * float(found["prime"]) + float(found["primes"]), "clock")
    before = plain[max(0, first - 24) : first]
    if not lead and (_attached(before) or (before[-1:] == "t" and re.match(" ?[=:]", plain[end : end + 2]))):
        return None
    unit, end = _unit(plain, found, lead)
    if unit in NO_SECONDS:
        return Time(start, first, end, None, unit)
    value, pair = _number(found["number"], duration_s)
    if value is None:
        return Time(start, first, end, None)
    if not lead and before.endswith("-") and _NEGATIVE_AFTER.search(plain, max(0, first - 41), first - 1):
        start, first, value = start - 1, first - 1, -value
    if not unit:
        sure = "." in found["number"] or math.isinf(value) or value < 0
        return Time(start, first, end, value, "", value, sure, pair)
    time = Time(start, first, end, value * UNITS_S[unit], unit, value)
    return _compound(plain, time, leading=lead is not None)


def _unit(plain: str, found: re.Match[str], lead: re.Match[str] | None) -> tuple[str, int]:
    """The unit of a number, after it or before it, and where the two end."""
    after = found["unit"]
    if lead and after and re.match(r" ?\d", plain[found.end() : found.end() + 2]):
        # "menit 1 detik 5": the unit after the number belongs to the next one.
        return _UNIT_OF[lead["unit"]], found.end("number")
    if after:
        return _UNIT_OF[after.strip(" -")], found.end()
    if found["inches"]:
        return "second", found.end()
    return (_UNIT_OF[lead["unit"]] if lead else ""), found.end()


def _clock(text: str) -> float:
    head, *rest = text.replace(",", ".").split(":")
    if rest and len(rest[-1]) == 3 and rest[-1].isdigit():
        rest[-2:] = [f"{rest[-2]}.{rest[-1]}"]
    value = float(head)
    for part in rest:
        value = 60 * value + float(part)
    return value


def _number(text: str, duration_s: float | None) -> tuple[float | None, tuple[float, float] | None]:
    """The value of a number and, if it holds one comma and nothing else, the two numbers it may be."""
    if len(text) > 3 * _LONGEST or len(re.split("[.,e]", text)[0]) > _LONGEST:
        return None, None
    if "." in text and "," in text and text.rindex(",") > text.rindex("."):
        return float(text.replace(".", "").replace(",", ".")), None
    whole, *groups = text.split(",")
    if not groups:
        return float(text), None
    pair = (float(whole), float(groups[0])) if len(groups) == 1 and "." not in text else None
    as_thousands = float("".join([whole, *groups]))
    if not re.fullmatch(r"\d{3}(?:\.\d+)?", groups[-1]) or len(whole) > 3:
        return float(text.replace(",", ".")), pair
    # "12,500": which of the two it is, only the length of the video can tell.
    beyond = duration_s is not None and as_thousands > duration_s
    return (float(text.replace(",", ".")) if beyond and pair else as_thousands), pair


def _compound(plain: str, time: Time, *, leading: bool) -> Time:
    """``time`` with the smaller units that follow: "1 min 5 sec", "menit 1 detik 5", "2 min 5"."""
    between = _BETWEEN_BEFORE.search(plain, max(0, time.start - 20), time.start)
    while True:
        found = _COMPOUND_LEAD.match(plain, time.end) if leading else _COMPOUND.match(plain, time.end)
        if not found:
            return time
        unit = _UNIT_OF.get(found["unit"].strip()) if found["unit"] else _smaller(time.unit)
        amount = float(found["number"].replace(",", "."))
        bare = not found["unit"]
        if unit not in UNITS_S or UNITS_S[unit] >= UNITS_S[time.unit] or (amount >= 60 and unit != "ms"):
            return time
        joined = found[0].strip(" ,")
        if (between and not joined[0].isdigit() and not leading) or (
            bare and not _ends_compound(plain, found, time)
        ):
            return time
        time = time._replace(
            end=found.end(), value_s=(time.value_s or 0.0) + amount * UNITS_S[unit], unit=unit
        )


def _smaller(unit: str) -> str:
    return {"hour": "minute", "minute": "second"}.get(unit, "")


def _ends_compound(plain: str, found: re.Match[str], time: Time) -> bool:
    """Whether a bare number belongs to the unit before it: "2 min 5 to", but not "2 min, 5 dancers"."""
    tight = re.fullmatch(r" ?\d{1,2}", found[0])
    return bool(tight) and (
        not _NEXT.match(plain, found.end()) or bool(_MAY_FOLLOW.match(plain, found.end()))
    )


def _attached(before: str) -> bool:
    """Whether a number is part of a word ("h264", "gpt-4") or of a date or fraction ("2/3")."""
    word = _COMPOUND_WORD_BEFORE.search(before)
    if word:
        return word[1] not in _MAY_HYPHENATE
    return (bool(_LETTER_BEFORE.search(before)) and before[-1:] != "t") or bool(
        re.search(r"\d[/.:]$", before)
    )


_MAY_HYPHENATE = (
    set(words(time_words.ORDINAL_PREFIX))
    | set(words(time_words.RANGE))
    | set(words(time_words.START))
    | set(words(time_words.END))
)


def _can_be_time(plain: str, time: Time, duration_s: float | None) -> bool:
    before = plain[max(0, time.start - 40) : time.start]
    if _OTHER_UNIT.match(plain, time.end) or before.rstrip()[-1:] in _CURRENCIES:
        return False
    if time.sure:
        return not _SCORE_BEFORE.search(before)
    if (
        _NO_TIME_BEFORE.search(before)
        or _SCORE_BEFORE.search(before)
        or plain[time.end : time.end + 1] == "/"
    ):
        return False
    if _NUMBERING.search(before) and _NUMBERING_AFTER.match(plain, time.end):
        return False
    if _NEXT.match(plain, time.end) and not _MAY_FOLLOW.match(plain, time.end):
        return False
    value = time.value_s or 0.0
    year = 1900 <= value <= 2100 and value == int(value) and time.pair is None
    return not year or (duration_s is not None and value <= duration_s)
