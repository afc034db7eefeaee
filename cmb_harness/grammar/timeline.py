"""What a text says of time: which times are a span together, which stand alone, which are the video's own length."""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from cmb_harness.grammar import words_time as time_words
from cmb_harness.grammar import words_unit as unit_words
from cmb_harness.grammar import words_verdict as verdict_words
from cmb_harness.grammar.marker import COPULA, FILLER, markers_in, sentence_ends_between
from cmb_harness.grammar.times import NO_SECONDS, UNITS_S, Time, times_in
from cmb_harness.grammar.words import one_of, skip

_LONGEST_GAP = 60
_LINE_REACH = 80

# Words around a time that say nothing of which end it is.
AROUND = re.compile(
    one_of(
        time_words.APPROXIMATELY,
        time_words.BETWEEN,
        time_words.ORDINAL_PREFIX,
        unit_words.SECONDS,
        unit_words.MINUTES,
    )
)
_NUMBER_NEAR = re.compile(r"[^0-9∞]{0,60}+[0-9∞]|[^0-9]{0,30}?(?:nan|inf)")
_LINK = re.compile(r"[\s\"'»«)\](\[<>|,:=._@→–-]{1,12}")
START = re.compile(one_of(time_words.START))
_AT = re.compile(one_of(time_words.AT))
_END = re.compile(one_of(time_words.END))
_DURATION = re.compile(one_of(time_words.DURATION))
_VIDEO_LENGTH = re.compile(one_of(time_words.VIDEO_LENGTH))
_BETWEEN = re.compile(one_of(time_words.BETWEEN))
_NOT = re.compile(one_of(time_words.NOT_THE_SPAN))
_SPAN_NOUN = re.compile(one_of(time_words.SPAN_NOUN))
_FOR = re.compile(r"(?:for|only|from)(?![a-z])")
_LONG_AFTER = re.compile(rf"[ -]?{one_of(time_words.LONG)}")
_VIDEO_AFTER = re.compile(rf"[ -]?(?:long )?{one_of(time_words.VIDEO)}")
_BETWEEN_AFTER = re.compile(rf" ?{one_of(time_words.BETWEEN_AFTER)}")

_RANGE = re.compile(one_of(time_words.RANGE))
_RANGE_GAP = re.compile(rf"[\s\"'»」』】)\]}}>.]{{0,12}}[, ]{{0,2}}{one_of(time_words.RANGE)}")
_AND_GAP = re.compile(rf"[\s\"'»)\]}}>.,]{{0,4}}{one_of(time_words.AND)}")
_FOR_GAP = re.compile(rf"[\s\"')]{{0,2}}[,;]? ?(?:and )?{one_of(time_words.DURATION)}")
_LIST_GAP = re.compile(r"[\s\"')\]}>]{0,3}[,;|]?[\s\"'(\[{<]{0,3}(?:t_?\d ?= ?)?")
_OPENERS = re.compile(r"[\s\"'«「(\[{<:,=@+]{1,12}")
# "12 s (start), 20 s (end)"
_START_BEHIND = re.compile(
    rf" ?\(?{one_of(time_words.START)}\)?[\s,;]{{0,3}}(?:{one_of(time_words.RANGE, time_words.AND)})?\s?"
)
_END_BEHIND = re.compile(rf" ?\(?{one_of(time_words.END)}\)?\s?(?:$|[.\n,;])")

_LEAD_IN = re.compile(rf"[\s\"')\]}}>]{{0,4}}{one_of(verdict_words.LEAD_IN)}")
_REJECTED = re.compile(rf" ?{one_of(verdict_words.REJECTED)}(?! only| just)")
_LINE_HEAD = re.compile(r"t_?\d ?=|[\s\"'»«」「』『】【)(\]\[}{<>|,.:~=•–-]+")
_LINE_TAIL = re.compile(
    r"[\s\"'»」』】)\]}>|.,;~]*(?:[(\[]?(?:confidence|score)?\s?[:=]?\s?\d{1,3}(?:\.\d{1,6})?\s?%"
    r"\s?(?:confidence|confident|sure)?[)\]]?)?"
    rf"(?:[\s\"'»」』】)\]}}>|.,;!。။។~]|{one_of(time_words.AFTER_SPAN, time_words.BETWEEN_AFTER)})*"
)
_AFTER_COLON = re.compile(r"[:=?.]\s?[\"'(\[<]?$")


class Span(NamedTuple):
    """A start and an end in one statement.

    Attributes:
        start, end: where the statement stands.
        bounds: seconds; None if one of them is no number of seconds.
        coarse: both are whole seconds, so that a finer statement of the same span may stand beside it.
        tight: nothing but labels stands between the two.
    """

    start: int
    end: int
    bounds: tuple[float, float] | None
    coarse: bool
    tight: bool


class Timeline:
    """The spans of a folded text, and its times that belong to none.

    Attributes:
        plain: the text.
        spans: from left to right, without those that the text rejects.
        singles: the times of no span; the length of the video is none of them.
    """

    def __init__(self, plain: str, duration_s: float | None):
        self.plain = plain
        self._starts = self._after(START)
        self._ends = self._after(_END)
        self._moments = self._after(_AT)
        self._durations = self._after(_DURATION)
        self._betweens = self._after(_BETWEEN)
        self._rejected = self._after(_NOT, START)
        self._announced = self._after(_SPAN_NOUN, COPULA)
        lengths = self._after(_VIDEO_LENGTH, _FOR)
        times = times_in(plain, duration_s)
        in_seconds = [time for time in times if time.unit not in NO_SECONDS]
        # "10% (12.5 s) to 17% (20 s)": seconds count before percentages and frames.
        self.plain = _without(plain, [time for time in times if time.unit in NO_SECONDS])
        self.spans, self.singles = self._read(in_seconds, lengths)
        if not self.spans and len(in_seconds) < len(times):
            self.plain = plain
            self.spans, self.singles = self._read(times, lengths)

    def _read(self, times: list[Time], lengths: set[int]) -> tuple[list[Span], list[Time]]:
        """The spans of some times, and those that belong to none."""
        self._lengths = {
            i
            for i, time in enumerate(times)
            if _stands(time, lengths) or _VIDEO_AFTER.match(self.plain, time.end)
        }
        self.singles = []
        return [span for span in self._pairs(times) if not self._is_rejected(span)], self.singles

    def _after(self, words: re.Pattern[str], *more: re.Pattern[str]) -> set[int]:
        """Where times begin that one of ``words`` speaks of."""
        ends = (found.end() for found in words.finditer(self.plain))
        return {
            skip(self.plain, end, _LINK, AROUND, *more) for end in ends if _NUMBER_NEAR.match(self.plain, end)
        }

    def _pairs(self, times: list[Time]) -> Iterator[Span]:
        """Times that follow each other in a range or a list; then starts, ends and durations by their labels."""
        waiting: dict[str, Time] = {}
        i = 0
        while i < len(times):
            span = self._related(times[i], times[i + 1]) if i + 1 < len(times) else None
            if i not in self._lengths:
                yield from [span] if span else self._placed(times[i], times[i - 1] if i else None, waiting)
            i += 2 if span else 1
        if {"start", "duration"} <= waiting.keys():
            yield self._lasting(waiting.pop("start"), waiting.pop("duration"))
        self.singles += waiting.values()

    def _placed(self, time: Time, before: Time | None, waiting: dict[str, Time]) -> Iterator[Span]:
        """The span that a time of no range completes; if none, it waits for its other end."""
        alone = self._two_in_one(time)
        role = self._role(time, waiting)
        if alone:
            yield alone
        elif role == "duration" and "start" in waiting:
            yield self._lasting(waiting.pop("start"), time)
        elif role == "start" and "end" in waiting:
            yield self._span(time, waiting.pop("end"))
        elif role == "end" and "start" in waiting:
            yield self._span(waiting.pop("start"), time)
        elif role == "end" and before and self.singles[-1:] == [before] and self._same_sentence(before, time):
            yield self._span(self.singles.pop(), time)
        elif role:
            self.singles += [waiting.pop(role)] if role in waiting else []
            waiting[role] = time
        else:
            self.singles.append(time)

    def _role(self, time: Time, waiting: dict[str, Time]) -> str:
        if _stands(time, self._durations) or _LONG_AFTER.match(self.plain, time.end):
            return "duration"
        starts, ends = _stands(time, self._starts), _stands(time, self._ends)
        if ends and ("start" in waiting or not starts):
            return "end"
        return "start" if starts or _stands(time, self._moments) else ""

    def _same_sentence(self, first: Time, second: Time) -> bool:
        return not sentence_ends_between(self.plain, first.end, second.start)

    def _related(self, first: Time, second: Time) -> Span | None:
        """The span of two times that follow each other: a range, a pair of a list, or a start and how long."""
        gap = self.plain[first.end : second.start]
        if len(gap) > _LONGEST_GAP:
            return None
        ranged = _fills(gap, _RANGE_GAP, _OPENERS, _RANGE, AROUND)
        if _fills(gap, _FOR_GAP, _OPENERS, AROUND) and not ranged:
            return self._lasting(first, second)._replace(tight=True)
        if _START_BEHIND.fullmatch(gap) and _END_BEHIND.match(self.plain, second.end):
            return self._span(first, second)._replace(tight=True)
        joined = _fills(gap, _AND_GAP, _OPENERS, AROUND)
        listed = (joined or _LIST_GAP.fullmatch(gap)) and (
            _stands(first, self._announced) or self._by_themselves(first.start, second.end)
        )
        if ranged or listed or (joined and self._is_between(first, second)):
            return self._span(*_same_unit(first, second))._replace(tight=True)
        return None

    def _is_between(self, first: Time, second: Time) -> bool:
        return _stands(first, self._betweens) or bool(_BETWEEN_AFTER.match(self.plain, second.end))

    def _by_themselves(self, start: int, end: int) -> bool:
        """Whether a part fills a bracket, a line, or what an announcement or a colon leaves of a line."""
        if self.plain[start - 1 : start] + self.plain[end : end + 1] in ("[]", "()", "{}", "<>"):
            return True
        return self._ends_line(end) and (self._begins_line(start) or self._is_announced(start))

    def _two_in_one(self, time: Time) -> Span | None:
        """ "12,20" by itself: two numbers, since one is no span."""
        if time.pair and self._by_themselves(time.start, time.end):
            return Span(time.start, time.end, time.pair, True, True)
        return None

    def _span(self, first: Time, second: Time) -> Span:
        values = first.value_s, second.value_s
        known = [value for value in values if value is not None and math.isfinite(value)]
        bounds = (known[0], known[1]) if len(known) == 2 else None
        coarse = bounds is not None and all(value == int(value) for value in bounds)
        gap = self.plain[min(first.end, second.end) : max(first.start, second.start)]
        tight = len(gap) <= _LONGEST_GAP and skip(
            gap, 0, _LINK, AROUND, START, _END, _DURATION, _AND_GAP
        ) == len(gap)
        return Span(min(first.start, second.start), max(first.end, second.end), bounds, coarse, tight)

    def _lasting(self, start: Time, length: Time) -> Span:
        """The span of a start and how long it lasts."""
        known = start.value_s is not None and length.value_s is not None
        end_s = start.value_s + length.value_s if known else None  # type: ignore[operator]
        return self._span(start, length._replace(value_s=end_s))

    def _is_rejected(self, span: Span) -> bool:
        led_in = skip(self.plain, span.end, _LEAD_IN, most=3)
        after = led_in > span.end and _REJECTED.match(self.plain, led_in)
        return span.start in self._rejected or bool(after)

    def _begins_line(self, place: int) -> bool:
        head = self.plain[max(self.plain.rfind("\n", 0, place) + 1, place - _LINE_REACH) : place]
        return skip(head, 0, _LINE_HEAD, AROUND, START, _BETWEEN) == len(head)

    def _ends_line(self, place: int) -> bool:
        end = self.plain.find("\n", place)
        tail = self.plain[place : min(place + _LINE_REACH, end if end >= 0 else len(self.plain))]
        return bool(_LINE_TAIL.fullmatch(tail))

    def _is_announced(self, place: int) -> bool:
        head = self.plain[max(0, place - _LONGEST_GAP) : place]
        return bool(_AFTER_COLON.search(head)) or any(
            slot_end(head, marker.end) == len(head) for marker in markers_in(head)
        )

    def stands_alone(self, span: Span) -> bool:
        """Whether its line, or its lines, hold nothing else."""
        return span.tight and self._begins_line(span.start) and self._ends_line(span.end)

    def told(self) -> list[Time]:
        """The single times that someone gives as a time, and not a number in passing."""
        at = {skip(self.plain, found.end(), _LINK, most=1) for found in AROUND.finditer(self.plain)}
        placed = self._starts | self._ends | self._durations | self._moments | at
        return [time for time in self.singles if self._is_told(time, placed)]

    def _is_told(self, time: Time, placed: set[int]) -> bool:
        sure = time.value_s is not None and time.sure
        alone = self._begins_line(time.start) and self._ends_line(time.end)
        return sure or alone or _stands(time, placed)


def _without(plain: str, times: list[Time]) -> str:
    """``plain`` with blanks in place of some times, and of the parentheses that held nothing else."""
    for time in times:
        plain = plain[: time.start] + " " * (time.end - time.start) + plain[time.end :]
    return re.sub(r"\(\s*\)", lambda empty: " " * len(empty[0]), plain) if times else plain


def slot_end(plain: str, place: int) -> int:
    """Where one is after everything that may stand between an announcement at ``place`` and its time."""
    return skip(plain, place, _SLOT_NOISE, COPULA, AROUND, START, FILLER, most=20)


_SLOT_NOISE = re.compile(r"[\s\"'»«()\[\]{}<>|,.~:=→–—-]{1,12}")


def _fills(gap: str, head: re.Pattern[str], *more: re.Pattern[str]) -> bool:
    """Whether ``gap`` is ``head`` and then nothing but ``more``."""
    found = head.match(gap)
    return found is not None and skip(gap, found.end(), *more, most=10) == len(gap)


def _stands(time: Time, places: set[int]) -> bool:
    # The way to a negative number runs past its sign.
    return time.start in places or time.first in places or (time.number < 0 and time.first + 1 in places)


def _same_unit(first: Time, second: Time) -> tuple[Time, Time]:
    """Two ends of a range, where a unit that is said once counts for both."""
    if first.value_s is None or second.value_s is None:
        # "12 to 20 %": neither is a number of seconds.
        return (
            (first._replace(value_s=None), second._replace(value_s=None))
            if first.unit + second.unit
            else (first, second)
        )
    if not first.unit and second.unit in UNITS_S:
        return first._replace(value_s=first.number * UNITS_S[second.unit]), second
    if second.unit or (second.value_s >= first.value_s and first.unit != "ms"):
        return first, second
    if first.unit in UNITS_S and first.unit != "second":
        # "2 min to 3"
        return first, second._replace(value_s=second.number * UNITS_S[first.unit])
    if first.unit == "clock" and second.end - second.first == 2:
        # "1:05-15" is short for 1:05 to 1:15.
        abbreviated = first.value_s // 60 * 60 + second.number
        return first, second._replace(
            value_s=max(second.value_s, abbreviated) if abbreviated >= first.value_s else second.value_s
        )
    return first, second
