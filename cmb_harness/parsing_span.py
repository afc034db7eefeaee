"""The rules of a span, in the order of ``parsing``'s grammar: final answer, standing line, conclusion, the only span."""

import math
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from cmb_harness import parsing_words_answer as answer_words
from cmb_harness import parsing_words_time as time_words
from cmb_harness import parsing_words_unit as unit_words
from cmb_harness import parsing_words_verdict as verdict_words
from cmb_harness.parsing_words import one_of
from cmb_harness.parsing_structure import outside_regions
from cmb_harness.parsing_text import fold
from cmb_harness.parsing_time import UNITS_S, Time, times_in

Answer = tuple[tuple[float, float] | None, str]

_MARKERS_KEPT = 60
_FILL = one_of(
    time_words.APPROXIMATELY,
    time_words.BETWEEN,
    time_words.ORDINAL_PREFIX,
    unit_words.SECONDS,
    unit_words.MINUTES,
)
_TO_TIME = rf"(?:[\s\"'»«)\](\[<>|,:=._@–-]|{_FILL}){{0,12}}+"
# Each of these runs up to the place where its time begins.
_START = re.compile(rf"{one_of(time_words.START)}{_TO_TIME}")
_END = re.compile(rf"{one_of(time_words.END)}{_TO_TIME}")
_DURATION = re.compile(rf"{one_of(time_words.DURATION)}{_TO_TIME}")
_VIDEO_LENGTH = re.compile(rf"{one_of(time_words.VIDEO_LENGTH)}(?:[ :=(]|{_FILL}|(?:for|only)\b){{0,6}}+")
_BETWEEN = re.compile(rf"{one_of(time_words.BETWEEN)}(?:[\s\"'«(\[<]|{_FILL}){{0,8}}+")
_NOT = re.compile(
    rf"{one_of(time_words.NOT_THE_SPAN)}(?:[\s\"'(\[]|{one_of(time_words.START)}|{_FILL}){{0,8}}+"
)
_SPAN_NOUN = re.compile(
    rf"{one_of(time_words.SPAN_NOUN)}(?:[\s\"':=(\[]|{one_of(answer_words.COPULA)}|{_FILL}){{1,8}}+"
)
_AT = re.compile(rf"{one_of(time_words.APPROXIMATELY)}[\s\"'(:=]{{0,3}}")
_LONG_AFTER = re.compile(rf"[ -]?{one_of(time_words.LONG)}")
_VIDEO_AFTER = re.compile(r"[ -]?(?:long )?(?:videos?|clips?|footage|recording|วิดีโอ|视频|動画|영상)(?![a-z])")

_RANGE_GAP = re.compile(
    rf"[\s\"'»」』】)\]}}>.]{{0,4}}[, ]{{0,2}}{one_of(time_words.RANGE)}(?:[\s\"'«「(\[{{<:,=@+]|{one_of(time_words.RANGE)}|{_FILL}){{0,10}}"
)
_AND_GAP = re.compile(rf"[\s\"'»)\]}}>.,]{{0,4}}{one_of(time_words.AND)}(?:[\s\"'«(\[{{<:=]|{_FILL}){{0,8}}")
_LIST_GAP = re.compile(r"[\s\"')\]}>]{0,3}[,;|]?[\s\"'(\[{<]{0,3}(?:t_?\d ?= ?)?")
_FOR_GAP = re.compile(
    rf"[\s\"')]{{0,2}}[,;]? ?(?:and )?{one_of(time_words.DURATION)}(?:[\s\"':=(]|{_FILL}){{0,6}}"
)
# "12 s (start), 20 s (end)"
_START_BEHIND = re.compile(
    rf" ?\(?{one_of(time_words.START)}\)?[\s,;]{{0,3}}(?:{one_of(time_words.RANGE, time_words.AND)})?\s?"
)
_END_BEHIND = re.compile(rf" ?\(?{one_of(time_words.END)}\)?\s?(?:$|[.\n,;])")
_LABEL_GAP = re.compile(
    rf"(?:[\s\"'»)\](\[<>|,;:=._/{{}}–-]|and\b|{one_of(time_words.END, time_words.START, time_words.DURATION)}|{_FILL}){{0,12}}"
)
_BETWEEN_AFTER = re.compile(rf" ?{one_of(time_words.BETWEEN_AFTER)}")
_ALSO_GAP = re.compile(
    rf"[\s\"')\]}}>.]{{0,3}}(?:[,;/&+]|{one_of(answer_words.AND_OR)})(?:[\s\"'(\[,]|{one_of(answer_words.AND_OR, answer_words.ALSO)}|again\b|{_FILL}|{one_of(time_words.START)}){{0,8}}"
)

_REJECTED_AFTER = re.compile(
    rf"[\s\"')\]}}>]{{0,4}}(?:{one_of(verdict_words.LEAD_IN)} ?){{1,3}}{one_of(verdict_words.REJECTED)}(?! only| just)"
)
_FINAL = re.compile(
    rf"(?<!to )(?P<final>{one_of(answer_words.FINAL)})|(?P<colon>{one_of(answer_words.FINAL_BEFORE_COLON)})(?=[ \"')\]]{{0,3}}[:=])"
    rf"|(?P<choosing>{one_of(answer_words.CHOOSING)})"
)
_CONCLUDING = re.compile(one_of(time_words.CONCLUDING))
_SLOT = re.compile(
    rf"(?:[:=→\n]|->|=>| [-–—] |{one_of(answer_words.COPULA)}|[\s\"'»«()\[\]{{}}<>|,.~]|{_FILL}"
    rf"|{one_of(time_words.START, answer_words.FILLER, answer_words.LABEL)}){{0,20}}+"
)
_UNSURE = re.compile(one_of(verdict_words.UNSURE))
_FAILED = re.compile(one_of(verdict_words.FAILED))
_ANNOUNCES = re.compile(rf"[:=→\n]|->|=>| [-–—] |{one_of(answer_words.COPULA)}")
_NUMBER_LIST = re.compile(r"[\[(]\s?\d{1,6}(?:\.\d{1,6})?(?:\s?,\s?\d{1,6}(?:\.\d{1,6})?){2,20}\s?[\])]")
_REFUSING = re.compile(one_of(verdict_words.REFUSING))
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[\n。！？။។]")
_LEADING = re.compile(r"[\s:=\"'»)\]}>.-]*")
_LINE_HEAD = re.compile(
    rf"(?:t_?\d ?=|[\s\"'»«」「』『】【)(\]\[}}{{<>|,.:~=•–-]|{_FILL}|{one_of(time_words.START, time_words.BETWEEN)}){{0,12}}"
)
_LINE_TAIL = re.compile(
    r"[\s\"'»」』】)\]}>|.,;~]*(?:[(\[]?(?:confidence|score)?\s?[:=]?\s?\d{1,3}(?:\.\d{1,6})?\s?%\s?(?:confidence|confident|sure)?[)\]]?)?"
    rf"(?:[\s\"'»」』】)\]}}>|.,;!。។။~]|{one_of(time_words.AFTER_SPAN, time_words.BETWEEN_AFTER)})*"
)
# Dates, times of day with them, and tolerances.
_NO_TIME = re.compile(
    r"(?<!\d)\d{4}-\d{2}-\d{2}(?:[t ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?z?)?)?|(?<![\d/])\d{1,2}/\d{1,2}/\d{2,4}(?!\d)"
    r"|(?:±|\+/-|\+-) ?\d{1,9}(?:[.,]\d{1,9})?"
)
_TENS = {word: 10 * number for number, word in enumerate(unit_words.TENS_IN_WORDS, 2)}
_ONES = {word: number for number, word in enumerate(unit_words.NUMBERS_IN_WORDS)}
_SPELT = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_ONES)}))?|{'|'.join(sorted(_ONES, key=len, reverse=True))})"
_SPELT_TIME = re.compile(
    rf"(?<![a-z])({_SPELT})(?=(?: (?:to|and|until|through|or) {_SPELT})?[ -](?:seconds?|secs?|minutes?|mins?|hours?)(?![a-z]))"
)


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
    """What a folded text says of time: its spans, and the times that belong to none."""

    def __init__(self, plain: str, duration_s: float | None):
        self.plain = plain
        self._starts = _places(_START, plain)
        self._ends = _places(_END, plain)
        self._durations = _places(_DURATION, plain)
        self._betweens = _places(_BETWEEN, plain)
        self._rejected = _places(_NOT, plain)
        self._announced = _places(_SPAN_NOUN, plain)
        lengths = _places(_VIDEO_LENGTH, plain)
        times = times_in(plain, duration_s)
        self._lengths = [
            i for i, time in enumerate(times) if _stands(time, lengths) or _VIDEO_AFTER.match(plain, time.end)
        ]
        self.singles: list[Time] = []
        self.spans = [span for span in self._pairs(times) if not self._is_rejected(span)]

    def _pairs(self, times: list[Time]) -> Iterator[Span]:
        """Times that follow each other in a range or a list; then starts with the ends or durations after or before them."""
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
        if _stands(time, self._starts) and not ("start" in waiting and _stands(time, self._ends)):
            return "start"
        return "end" if _stands(time, self._ends) else ""

    def _lasting(self, start: Time, length: Time) -> Span:
        return self._span(start, length._replace(value_s=_plus(start.value_s, length.value_s)))

    def _same_sentence(self, first: Time, second: Time) -> bool:
        return not _SENTENCE_END.search(self.plain, first.end, second.start)

    def _related(self, first: Time, second: Time) -> Span | None:
        """The span of two times that follow each other: a range, a pair of a list, or a start and how long."""
        gap = self.plain[first.end : second.start]
        if len(gap) > 60:
            return None
        if _FOR_GAP.fullmatch(gap) and not _RANGE_GAP.fullmatch(gap):
            return self._span(
                first, second._replace(value_s=_plus(first.value_s, second.value_s)), tight=True
            )
        if _START_BEHIND.fullmatch(gap) and _END_BEHIND.match(self.plain, second.end):
            return self._span(first, second, tight=True)
        ranged = _RANGE_GAP.fullmatch(gap) or (_AND_GAP.fullmatch(gap) and self._is_between(first, second))
        listed = (_LIST_GAP.fullmatch(gap) or _AND_GAP.fullmatch(gap)) and (
            _stands(first, self._announced) or self._by_themselves(first, second)
        )
        return self._span(*_same_unit(first, second), tight=True) if ranged or listed else None

    def _is_between(self, first: Time, second: Time) -> bool:
        return _stands(first, self._betweens) or bool(_BETWEEN_AFTER.match(self.plain, second.end))

    def _by_themselves(self, first: Time, second: Time) -> bool:
        """Whether two times fill a bracket, or a line or what follows its colon."""
        around = self.plain[first.start - 1 : first.start] + self.plain[second.end : second.end + 1]
        if around in ("[]", "()", "{}", "<>"):
            return True
        return self._ends_line(second.end) and (
            self._begins_line(first.start) or self._after_marker(first.start)
        )

    def _two_in_one(self, time: Time) -> Span | None:
        """ "12,20" by itself: two numbers, since one is no span."""
        if not time.pair:
            return None
        around = self.plain[time.start - 1 : time.start] + self.plain[time.end : time.end + 1]
        if around in ("[]", "()") or (
            self._ends_line(time.end) and (self._begins_line(time.start) or self._after_marker(time.start))
        ):
            return Span(time.start, time.end, time.pair, True, True)
        return None

    def _span(self, first: Time, second: Time, *, tight: bool = False) -> Span:
        values = first.value_s, second.value_s
        known = [value for value in values if value is not None and math.isfinite(value)]
        bounds = (known[0], known[1]) if len(known) == 2 else None
        begin, end = min(first.start, second.start), max(first.end, second.end)
        coarse = bounds is not None and all(value == int(value) for value in bounds)
        between = self.plain[min(first.end, second.end) : max(first.start, second.start)]
        return Span(begin, end, bounds, coarse, tight or bool(_LABEL_GAP.fullmatch(between[:200])))

    def _is_rejected(self, span: Span) -> bool:
        return span.start in self._rejected or bool(_REJECTED_AFTER.match(self.plain, span.end))

    def _begins_line(self, place: int) -> bool:
        head = self.plain[max(self.plain.rfind("\n", 0, place) + 1, place - 80) : place]
        return bool(_LINE_HEAD.fullmatch(head))

    def _after_marker(self, place: int) -> bool:
        head = self.plain[max(0, place - 60) : place]
        return bool(re.search(r"[:=?.]\s?[\"'(\[<]?$", head)) or any(
            _SLOT.fullmatch(head[marker.end() :]) for marker in _FINAL.finditer(head)
        )

    def _ends_line(self, place: int) -> bool:
        end = self.plain.find("\n", place)
        tail = self.plain[place : min(place + 80, end if end >= 0 else len(self.plain))]
        return bool(_LINE_TAIL.fullmatch(tail))

    def stands_alone(self, span: Span) -> bool:
        """Whether its line, or its lines, hold nothing else."""
        return span.tight and self._begins_line(span.start) and self._ends_line(span.end)

    def time_stands_alone(self, time: Time) -> bool:
        """Whether its line holds nothing else."""
        return self._begins_line(time.start) and self._ends_line(time.end)

    @cached_property
    def told(self) -> list[Time]:
        """The single times that someone gives as a time, and not a number in passing."""
        placed = self._starts | self._ends | self._durations | _places(_AT, self.plain)
        return [
            time
            for time in self.singles
            if (time.value_s is not None and time.sure)
            or _stands(time, placed)
            or self.time_stands_alone(time)
        ]


def decide_span(text: str, duration_s: float | None) -> Answer:
    """The span of a reply that ``parsing_structure`` has laid bare, and its status."""
    prose, regions = outside_regions(text)
    plain = _digits_for_words(fold(prose))
    timeline = Timeline(plain, duration_s)
    answer = _final(timeline, regions, duration_s) or _standing(timeline) or _concluded(timeline)
    if answer:
        return answer
    if timeline.spans:
        return _of_spans(timeline.spans)
    said = [plain, *(fold(content) for _, content in regions[-3:])]
    if any(map(_REFUSING.search, said)):
        return None, "refusal"
    if _FAILED.search(plain):
        return None, "none"
    told = {time.value_s for time in timeline.told}
    if len(told) > 1 or _NUMBER_LIST.search(plain):
        return None, "ambiguous"
    if told:
        return None, "invalid"
    return None, "refusal" if any(map(_UNSURE.search, said)) else "none"


def _final(timeline: Timeline, regions: list[tuple[int, str]], duration_s: float | None) -> Answer | None:
    """The last explicit final answer: a structure, or what an announcement announces."""
    finals: list[tuple[int, str | re.Match[str]]] = [*regions[-_MARKERS_KEPT:]]
    finals += [(found.start(), found) for found in list(_FINAL.finditer(timeline.plain))[-_MARKERS_KEPT:]]
    for _, final in sorted(finals, key=lambda final: -final[0]):
        if isinstance(final, str):
            answer: Answer | None = decide_span(final, duration_s)
            if answer and answer[1] in ("none", "refusal"):
                answer = None
        else:
            answer = _announced(timeline, final)
        if answer:
            return answer
    return None


def _announced(timeline: Timeline, marker: re.Match[str]) -> Answer | None:
    slot = _SLOT.match(timeline.plain, marker.end())
    reach = slot.end() if slot else marker.end()
    following = [span for span in timeline.spans if span.start >= marker.end()][:2]
    if following and following[0].start <= reach + 1:
        return _of_spans(following if _goes_on(timeline, following) else following[:1])
    if marker["choosing"]:
        return None
    start = _LEADING.match(timeline.plain, marker.end())
    end = _SENTENCE_END.search(timeline.plain, start.end() if start else marker.end())
    inside = [
        span
        for span in timeline.spans
        if marker.end() <= span.start < (end.start() if end else len(timeline.plain))
    ]
    if inside:
        answer = _of_spans(inside)
        return answer if answer[1] == "ok" else None
    announced = _ANNOUNCES.search(timeline.plain, marker.end(), reach)
    told = [time for time in timeline.singles if marker.end() <= time.start <= reach + 1]
    return (None, "invalid") if told and announced and not following else None


def _goes_on(timeline: Timeline, spans: list[Span]) -> bool:
    return len(spans) == 2 and bool(_ALSO_GAP.fullmatch(timeline.plain[spans[0].end : spans[1].start][:80]))


def _standing(timeline: Timeline) -> Answer | None:
    """The one span that has its line to itself."""
    alone = [span for span in timeline.spans if timeline.stands_alone(span)]
    return _of_spans(alone) if alone and _of_spans(alone)[1] != "ambiguous" else None


def _concluded(timeline: Timeline) -> Answer | None:
    """The one span of the sentences that conclude."""
    spans = []
    for marker in list(_CONCLUDING.finditer(timeline.plain))[-_MARKERS_KEPT:]:
        end = _SENTENCE_END.search(timeline.plain, marker.end())
        until = end.start() if end else len(timeline.plain)
        spans += [span for span in timeline.spans if marker.end() <= span.start < until]
    return _of_spans(spans) if spans and _of_spans(spans)[1] == "ok" else None


def _of_spans(spans: list[Span]) -> Answer:
    """One span, however often and however finely it is said; two are ambiguous; percentages and frames are invalid."""
    usable = sorted((span for span in spans if span.bounds), key=lambda span: span.coarse)
    kept: list[tuple[float, float]] = []
    for span in usable:
        assert span.bounds is not None
        slack = 1.0 if span.coarse else 1e-6
        if not any(
            all(abs(a - b) < slack for a, b in zip(span.bounds, other, strict=True)) for other in kept
        ):
            kept.append(span.bounds)
    if len(kept) == 1:
        return kept[0], "ok"
    return None, "ambiguous" if kept else "invalid"


def _same_unit(first: Time, second: Time) -> tuple[Time, Time]:
    """A unit said once counts for both: "1 to 2 minutes", "minute 1 to 2", "12 to 20 %"."""
    if second.value_s is None and second.unit:
        return first._replace(value_s=None), second
    if first.value_s is None and first.unit:
        return first, second._replace(value_s=None)
    if not first.unit and second.unit in UNITS_S and first.value_s is not None:
        return first._replace(value_s=first.number * UNITS_S[second.unit]), second
    later = (second.value_s or 0.0) >= (first.value_s or 0.0)
    if (
        first.unit == "clock"
        and not second.unit
        and not later
        and first.value_s is not None
        and second.end - second.first == 2
    ):
        # "1:05-15" is short for 1:05 to 1:15.
        abbreviated = first.value_s // 60 * 60 + second.number
        return first, second._replace(value_s=abbreviated if abbreviated >= first.value_s else second.value_s)
    if (
        not second.unit
        and first.unit in ("ms", "minute", "hour")
        and second.value_s is not None
        and (not later or first.unit == "ms")
    ):
        return first, second._replace(value_s=second.number * UNITS_S[first.unit])
    return first, second


def _plus(start_s: float | None, length_s: float | None) -> float | None:
    return None if start_s is None or length_s is None else start_s + length_s


def _places(pattern: re.Pattern[str], plain: str) -> set[int]:
    return {found.end() for found in pattern.finditer(plain)}


def _stands(time: Time, places: set[int]) -> bool:
    # The way to a negative number runs past its sign.
    return time.start in places or time.first in places or (time.number < 0 and time.first + 1 in places)


def _digits_for_words(plain: str) -> str:
    """ "twelve seconds" → "12 seconds", "PT12S" → "12S"; number words that count no time unit stay."""

    def digits(found: re.Match[str]) -> str:
        return str(sum(_TENS.get(word, _ONES.get(word, 0)) for word in re.split("[ -]", found[1])))

    return _SPELT_TIME.sub(digits, _NO_TIME.sub(" ", re.sub(r"(?<![a-z])pt(?=\d)", "", plain)))
