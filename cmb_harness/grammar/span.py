"""The rules of a span, in the order of the grammar in `cmb_harness.parsing`."""

import re

from cmb_harness.grammar import words_answer as answer_words
from cmb_harness.grammar import words_time as time_words
from cmb_harness.grammar import words_unit as unit_words
from cmb_harness.grammar.marker import ANNOUNCING, COPULA, MARKERS_KEPT, Marker, markers_in, sentence_end
from cmb_harness.grammar.refusal import is_failure, is_unsure, refuses
from cmb_harness.grammar.structure import outside_regions
from cmb_harness.grammar.text import fold
from cmb_harness.grammar.timeline import AROUND, START, Span, Timeline, slot_end
from cmb_harness.grammar.words import one_of, skip

Answer = tuple[tuple[float, float] | None, str]
Region = tuple[int, str]

_CONCLUDING = re.compile(one_of(time_words.CONCLUDING))
_ALSO = re.compile(rf"[\s\"')\]}}>.]{{0,3}}(?:[,;/&+]|{one_of(answer_words.AND_OR)})")
_ALSO_MORE = re.compile(rf"[\s\"'(\[,]+|{one_of(answer_words.AND_OR, answer_words.ALSO)}|again(?![a-z])")
_NUMBER_LIST = re.compile(r"[\[(]\s?\d{1,6}(?:\.\d{1,6})?(?:\s?,\s?\d{1,6}(?:\.\d{1,6})?){2,20}\s?[\])]")

# Dates, times of day with them, and tolerances.
_NO_TIME = re.compile(
    r"(?<!\d)\d{4}-\d{2}-\d{2}(?:[t ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?z?)?)?|(?<![\d/])\d{1,2}/\d{1,2}/\d{2,4}(?!\d)"
    r"|(?:±|\+/-|\+-) ?\d{1,9}(?:[.,]\d{1,9})?"
)
_ISO_DURATION = re.compile(r"(?<![a-z])pt(?=\d)")
_TENS = {word: 10 * number for number, word in enumerate(unit_words.TENS["en"].split("|"), 1) if word}
_ONES = {word: number for number, word in enumerate(unit_words.BELOW_TWENTY["en"].split("|"))}
_ONE = "|".join(sorted(_ONES, key=len, reverse=True))
_SPELT = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{_ONE}))?|{_ONE})"
_SPELT_TIME = re.compile(
    rf"(?<![a-z])({_SPELT})(?=(?: (?:to|and|until|through|or) {_SPELT})?"
    r"[ -](?:seconds?|secs?|minutes?|mins?|hours?)(?![a-z]))"
)


def decide_span(text: str, duration_s: float | None) -> Answer:
    """The span of a reply that `cmb_harness.grammar.structure` has laid bare, and its status."""
    prose, regions = outside_regions(text)
    timeline = Timeline(_numbers_as_digits(fold(prose)), duration_s)
    answer = _last_final(timeline, regions, duration_s) or _standing(timeline) or _concluded(timeline)
    if answer:
        return answer
    if timeline.spans:
        return _of_spans(timeline.spans)
    return None, _status_without_span(timeline, regions)


def _status_without_span(timeline: Timeline, regions: list[Region]) -> str:
    said = [timeline.plain, *(fold(content) for _, content in regions[-3:])]
    if refuses(said):
        return "refusal"
    if is_failure(timeline.plain):
        return "none"
    told = {time.value_s for time in timeline.told()}
    if len(told) > 1 or _NUMBER_LIST.search(timeline.plain):
        return "ambiguous"
    if told:
        return "invalid"
    return "refusal" if is_unsure(said) else "none"


def _last_final(timeline: Timeline, regions: list[Region], duration_s: float | None) -> Answer | None:
    """The last explicit final answer: a structure, or what an announcement announces."""
    finals: list[tuple[int, str | Marker]] = [*regions[-MARKERS_KEPT:]]
    finals += [(marker.start, marker) for marker in markers_in(timeline.plain)]
    for _, final in sorted(finals, key=lambda final: -final[0]):
        answer = _announced(timeline, final) if isinstance(final, Marker) else decide_span(final, duration_s)
        if answer and answer[1] not in ("none", "refusal"):
            return answer
    return None


def _announced(timeline: Timeline, marker: Marker) -> Answer | None:
    plain = timeline.plain
    reach = slot_end(plain, marker.end)
    following = [span for span in timeline.spans if span.start >= marker.end][:2]
    if following and following[0].start <= reach + 1:
        return _of_spans(following if _goes_on(timeline, following) else following[:1])
    if marker.kind == "verb":
        return None
    end = sentence_end(plain, marker.end)
    inside = [span for span in timeline.spans if marker.end <= span.start < end]
    if inside:
        answer = _of_spans(inside)
        return answer if answer[1] == "ok" else None
    announced = ANNOUNCING.search(plain, marker.end, reach) or COPULA.search(plain, marker.end, reach)
    told = [time for time in timeline.singles if marker.end <= time.start <= reach + 1]
    return (None, "invalid") if told and announced and not following else None


def _goes_on(timeline: Timeline, spans: list[Span]) -> bool:
    """Whether a second span is part of the same statement ("3-5 or 40-50")."""
    if len(spans) < 2:
        return False
    gap = timeline.plain[spans[0].end : spans[1].start][:80]
    also = _ALSO.match(gap)
    return also is not None and skip(gap, also.end(), _ALSO_MORE, AROUND, START, most=8) == len(gap)


def _standing(timeline: Timeline) -> Answer | None:
    """The one span that has its line to itself."""
    alone = [span for span in timeline.spans if timeline.stands_alone(span)]
    answer = _of_spans(alone) if alone else None
    return answer if answer and answer[1] != "ambiguous" else None


def _concluded(timeline: Timeline) -> Answer | None:
    """The one span of the sentences that conclude."""
    places = [found.end() for found in _CONCLUDING.finditer(timeline.plain)][-MARKERS_KEPT:]
    reaches = [(place, sentence_end(timeline.plain, place)) for place in places]
    spans = [span for span in timeline.spans if any(start <= span.start < end for start, end in reaches)]
    answer = _of_spans(spans) if spans else None
    return answer if answer and answer[1] == "ok" else None


def _of_spans(spans: list[Span]) -> Answer:
    """One span, however often and however finely it is said; two are ambiguous; percentages and frames are invalid."""
    kept: list[tuple[float, float]] = []
    for span in sorted(spans, key=lambda span: span.coarse):
        slack = 1.0 if span.coarse else 1e-6
        if span.bounds and not any(_is_close(span.bounds, other, slack) for other in kept):
            kept.append(span.bounds)
    if len(kept) == 1:
        return kept[0], "ok"
    return None, "ambiguous" if kept else "invalid"


def _is_close(one: tuple[float, float], other: tuple[float, float], slack: float) -> bool:
    return abs(one[0] - other[0]) < slack and abs(one[1] - other[1]) < slack


def _numbers_as_digits(plain: str) -> str:
    """ "twelve seconds" → "12 seconds", "PT12S" → "12S"; number words of no time unit stay, dates go."""

    def digits(found: re.Match[str]) -> str:
        return str(sum(_TENS.get(word, _ONES.get(word, 0)) for word in re.split("[ -]", found[1])))

    return _SPELT_TIME.sub(digits, _NO_TIME.sub(" ", _ISO_DURATION.sub("", plain)))
