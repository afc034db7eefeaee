"""The rules of a choice, in the order of ``parsing``'s grammar: final answer, standing answer, conclusion, refusal, mention."""

import re
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from cmb_harness import parsing_words_answer as answer_words
from cmb_harness import parsing_words_verdict as verdict_words
from cmb_harness.parsing_words import one_of, words
from cmb_harness.parsing_option import Chain, Mention, Options, chain_at, mention_at, mentions_in
from cmb_harness.parsing_structure import outside_regions
from cmb_harness.parsing_text import Reading, fold, normal_text, read

# Markers from the end of a text that are looked at, and lines from each end: more of them is a loop, not an answer.
_MARKERS_KEPT = 60
_LINES_KEPT = 100
_LONG_LINE = 160

_NOISE = r"""[ "'«»‹›「」『』【】《》(){}\[\]<>|,.;~#\-–—_]"""
_ANNOUNCES = r"[:=→⇒\n】]|->|=>"
_FINAL = re.compile(
    rf"(?<!to )(?P<final>{one_of(answer_words.FINAL)})|(?P<colon>{one_of(answer_words.FINAL_BEFORE_COLON)})(?=[ \"')\]]{{0,3}}[:=])"
    rf"|(?P<choosing>{one_of(answer_words.CHOOSING)})"
    # "Q: … A: C"
    r"|(?:^|\n|(?<=[?.!] ))(?P<qa>a: ?(?=[\"'(\[]?[a-z][\s.)\]\"']*(?:$|\n)))"
)
# Signs judge what follows them at the start of a line only; elsewhere they judge what stands before them.
_SIGNS = set(words({"choosing": answer_words.CHOOSING["sign"], "rejecting": verdict_words.REJECTING["sign"]}))
_CONCLUDING = re.compile(one_of(answer_words.CONCLUDING))
_COPULA = re.compile(one_of(answer_words.COPULA))
_COPULA_BEFORE = re.compile(rf"{one_of(answer_words.COPULA)}(?: (?:a|an|the))? ?$")
_LINK = re.compile(
    rf"(?P<announces>{_ANNOUNCES}| [-–—] |{one_of(answer_words.COPULA)})|(?P<noise>{_NOISE})"
    rf"|(?P<fill>an?(?= [a-z])|{one_of(answer_words.FILLER, answer_words.LABEL, answer_words.NUMBER_LEAD)})"
)
_PREFIX = re.compile(
    rf"(?:[\s\"'«»「」『』【】(){{}}\[\]<>|~#•–—]|-(?!\d)|(?<=[a-z])-|{one_of(answer_words.ARTICLE, answer_words.LABEL, answer_words.NUMBER_LEAD)}){{0,9}}+"
)
_STANDS_ALONE = re.compile(r"[\s\"'»」』】)\]}>*]*(?:$|[\n.,;!?။។。【])")
_LEADS_ON = re.compile(
    rf"[ \"'»」』】)\]}}>|]{{0,4}}(?:$|[\n.:;=–—)。।၊]|-(?![a-z0-9])| ?\(| ?,? ?{one_of(answer_words.BECAUSE)}|(?P<comma> ?,))"
)
_TAIL = re.compile(
    r"[\s\"'»」』】)\]}>.,;:!?|။។。~-]*(?:[(\[]?(?:confidence|score|probability|p)?\s?[:=]?\s?(?:about |around |~)?\d{1,3}(?:\.\d{1,6})?\s?%?"
    r"\s?(?:confidence|confident|sure|certain)?[)\]]?|\([^()\n]{1,60}\))?[\s\"'»」』】)\]}>.,;!?။។。|-]*"
    r"(?:です|でした|입니다|이다|ครับ|ค่ะ|คะ|po|ပါ|ဖြစ်ပါတယ်|ဖြစ်ပါသည်|ဖြစ်သည်)?[\s\"'.!။。]*"
)

_REJECTING = re.compile(one_of(verdict_words.REJECTING))
_REJECTING_LINK = re.compile(
    rf"(?:[ \"'«「【(\[]|{one_of(answer_words.FILLER, answer_words.LABEL, answer_words.NUMBER_LEAD)}|{one_of(answer_words.COPULA)}){{0,8}}+"
)
_REJECTED_HEADING = re.compile(
    rf"(?:^|(?<=[.\n;] )|(?<=\n)){one_of(verdict_words.REJECTED_HEADING)}: ?[\"'(\[]?"
)
_LESS = re.compile(
    r"\b(?:less|worse|weaker|fewer|lower|nothing|none|neither|no one|no option|nobody)\b[^.\n]*$"
)
_SIGN_OR_WORD = rf"[\s\"'»」』】)\]}}>]{{0,4}}(?:(?:, ?)?(?:{one_of(verdict_words.LEAD_IN)}) ?){{0,4}}"
_REJECTED = re.compile(rf"{_SIGN_OR_WORD}(?P<said>{one_of(verdict_words.REJECTED)})")
_REJECTED_AFTER_DASH = re.compile(
    rf"[\s\"'»」』】)\]}}>]{{0,4}}[:=–—(→-]+ ?(?:{one_of(verdict_words.LEAD_IN)} ){{0,3}}(?P<said>{one_of(verdict_words.REJECTED)})"
)
_STILL_POSITIVE = re.compile(rf" (?:{one_of(verdict_words.STILL_POSITIVE)}|of )")
_ALL_REJECTED = re.compile(
    r"[\s\"')]*(?:(?:are|were|all|both|do not|don't|cannot|can't|can not|đều|ล้วน|都|son|sont|sind)\b|都)"
)
_AFFIRMED = re.compile(
    rf"[\s\"'»」』】)\]}}>]{{0,4}}(?:(?:(?:, ?)?(?:{one_of(verdict_words.LEAD_IN)}) ?){{1,4}}|[:=–—(→-]+ ?(?:{one_of(verdict_words.LEAD_IN)} )?|(?= ?[^a-z ]))"
    rf"(?:{one_of(verdict_words.AFFIRMED)})(?! (?:in|after|before|side|hand|away|about|to)\b)"
)
_AFFIRMED_PLAINLY = re.compile(rf" {one_of(verdict_words.AFFIRMED_PLAINLY)}")
_FAVOURED = re.compile(rf"{_SIGN_OR_WORD}{one_of(verdict_words.FAVOURED)}")
_SUPPOSED = re.compile(r"\b(?:if|whether|unless|suppose|say|jika|kalau|kung|nếu|neu|หาก|ถ้า)[^.\n,]{0,30}$")
_QUESTION = re.compile(r"[^.!\n]{0,40}\?")
_NONE_OF_THEM = re.compile(one_of(verdict_words.NONE_OF_THEM))
_NONE_GOES_ON = re.compile(r" (?:other|but|except|besides)\b")
_ALL_OF_THEM = re.compile(one_of(verdict_words.ALL_OF_THEM))
_REFUSING = re.compile(one_of(verdict_words.REFUSING))
_UNSURE = re.compile(one_of(verdict_words.UNSURE))
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[\n。！？။។]")

_ITEM = re.compile(
    rf"(?:^|\n)(?:[ >|•*–—-]|\[[ xX]?\]|[✅❌✓✗✔☐☑])*+(?:{one_of(answer_words.LABEL)} ?)?[(\[]?(?P<line>[a-z]|\d{{1,2}})"
    r"(?: ?[).:\]|=–—,✅❌✓✗✔☑-]| (?=[❌✅✓✗✔☑]))"
    r"|(?<=[ ,;|])(?P<open>[(\[]?)(?P<inline>[a-z]|\d{1,2})(?P<close>[).:\]])(?= |\w)"
)
_OPTION_RANGE = re.compile(
    r"(?<![a-z0-9])a ?(?:-|–|—|to|through|thru|sampai|hingga|đến|den|ถึง) ?([a-z])(?![a-z0-9])"
)


class Verdict(NamedTuple):
    """The options that a statement calls the answer; none of them: it names one that does not exist."""

    choices: frozenset[int]

    @property
    def result(self) -> tuple[int | None, str]:
        """The index, if there is one, and the status."""
        if len(self.choices) == 1:
            return next(iter(self.choices)), "ok"
        return None, "ambiguous" if self.choices else "invalid"


class View:
    """A text beside the options, with what it names and rejects."""

    def __init__(self, options: Options, reading: Reading):
        self.options = options
        self.shown, self.plain = self.reading = reading
        self._accepted: dict[tuple[int, int], frozenset[int] | None] = {}

    @cached_property
    def rejected_places(self) -> set[int]:
        """Where an option would begin that a word before it rejects ("not A")."""
        places = set()
        for found in _REJECTING.finditer(self.plain):
            placed = found[0] not in _SIGNS or _begins_line(self.plain, found.start())
            if placed and not _LESS.search(self.plain, max(0, found.start() - 60), found.start()):
                link = _REJECTING_LINK.match(self.plain, found.end())
                places.add(link.end() if link else found.end())
        places |= {found.end() for found in _REJECTED_HEADING.finditer(self.plain)}
        return places

    @cached_property
    def chains(self) -> list[Chain]:
        """What the text names, each statement of several options together."""
        chains: list[Chain] = []
        for mention in mentions_in(self.options, self.reading):
            if not chains or mention.core >= chains[-1].end:
                chains.append(chain_at(self.options, self.reading, mention))
        return chains

    def accepted(self, chain: Chain) -> frozenset[int] | None:
        """The options of a statement that the text does not reject; None if it rejects all of them."""
        place = chain.mentions[0].core, chain.end
        if place not in self._accepted:
            rejected = self._rejected(chain)
            left = [mention.choices for mention, out in zip(chain.mentions, rejected, strict=True) if not out]
            self._accepted[place] = frozenset().union(*left) if left else None
        return self._accepted[place]

    def _rejected(self, chain: Chain) -> list[bool]:
        out = [bool({mention.start, mention.core} & self.rejected_places) for mention in chain.mentions]
        listed = "and" in chain.links
        for i, link in enumerate(chain.links):
            # "not A, B or D" rejects all three, "not A, C" the first.
            out[i + 1] |= out[i] and (link != "comma" or "and" in chain.links[i:])
        if self._rejected_after(chain.end):
            every = listed or bool(_ALL_REJECTED.match(self.plain, chain.end))
            for i in reversed(range(len(out))):
                out[i] = True
                if i and not (chain.links[i - 1] == "join" or every):
                    break
        return out

    def _rejected_after(self, end: int) -> bool:
        found = _REJECTED.match(self.plain, end) or _REJECTED_AFTER_DASH.match(self.plain, end)
        if not found or _STILL_POSITIVE.match(self.plain, found.end()):
            return False
        # "C, not A": the word belongs to what follows it.
        link = re.compile(r"[ \"'(\[]*").match(self.plain, found.end())
        return not mention_at(self.options, self.reading, link.end() if link else found.end())


def decide(options: Options, text: str, emphasised: tuple[str, ...] = ()) -> tuple[int | None, str]:
    """The choice of a reply that ``parsing_structure`` has laid bare, and its status."""
    prose, regions = outside_regions(text)
    view = View(options, _without_range(options, read(prose)))
    rest, listed = without_lists(view)
    standing = _standing(rest)
    single = standing if standing and len(standing.choices) < 2 else None
    verdict = (
        _last_final(view, regions)
        or single
        or _loose_final(view)
        or _emphasised(rest, emphasised)
        or _conclusion(rest)
        or standing
    )
    if verdict:
        return verdict.result
    said = [view.plain, *(fold(content) for _, content in regions[-3:])]
    if any(map(_REFUSING.search, said)):
        return None, "refusal"
    answer = _mentioned(rest, listed)
    return (None, "refusal") if answer[1] == "none" and any(map(_UNSURE.search, said)) else answer


# --- final answers -------------------------------------------------------------------------------------------------


def _last_final(view: View, regions: list[tuple[int, str]]) -> Verdict | None:
    """The last explicit final answer: a structure, an announced option, or an option called right."""
    finals: list[tuple[int, str | re.Match[str] | Chain]] = [*regions[-_MARKERS_KEPT:]]
    finals += [(found.start(), found) for found in list(_FINAL.finditer(view.plain))[-_MARKERS_KEPT:]]
    finals += [(chain.mentions[0].start, chain) for chain in view.chains if _is_affirmed(view, chain)]
    for _, final in sorted(finals, key=lambda final: -final[0]):
        if isinstance(final, Chain):
            choices = view.accepted(final)
            verdict = None if choices is None else Verdict(choices)
        elif isinstance(final, str):
            verdict = _of_region(view.options, final)
        else:
            verdict = _announced(view, final)
        if verdict:
            return verdict
    return None


def _of_region(options: Options, content: str) -> Verdict | None:
    index, status = decide(options, content)
    if status == "ambiguous":
        return Verdict(frozenset(range(2)))
    if status == "invalid":
        return Verdict(frozenset())
    return None if index is None else Verdict(frozenset({index}))


def _announced(view: View, marker: re.Match[str]) -> Verdict | None:
    if marker[0] in _SIGNS and not _begins_line(view.plain, marker.start()):
        return None
    verdict = _slot(view, marker.end(), needs_announcing=bool(marker["final"]))
    if verdict or not marker["final"]:
        return verdict
    # "The option that matches best is C"
    end = _sentence_end(view.plain, marker.end())
    for copula in islice(_COPULA.finditer(view.plain, marker.end(), end), 4):
        verdict = _slot(view, copula.end())
        if verdict:
            return verdict
    return None


def _slot(view: View, place: int, *, needs_announcing: bool = False) -> Verdict | None:
    """What is answered at ``place``, past fillers; an announcement of a noun needs a copula, a colon or nothing after."""
    announced = not needs_announcing
    for _ in range(16):
        mention = mention_at(view.options, view.reading, place)
        if mention:
            chain = chain_at(view.options, view.reading, mention)
            if not announced and not _STANDS_ALONE.match(view.plain, chain.end):
                return None
            choices = view.accepted(chain)
            return None if choices is None else Verdict(choices)
        none = _NONE_OF_THEM.match(view.plain, place) if announced else None
        if none and not _NONE_GOES_ON.match(view.plain, none.end()):
            return Verdict(frozenset())
        link = _LINK.match(view.plain, place)
        if not link:
            return None
        announced |= bool(link["announces"])
        place = link.end()
    return None


def _is_affirmed(view: View, chain: Chain) -> bool:
    found = _AFFIRMED.match(view.plain, chain.end) or _AFFIRMED_PLAINLY.match(view.plain, chain.end)
    if not found or _QUESTION.match(view.plain, found.end()):
        return False
    start = chain.mentions[0].start
    return not _SUPPOSED.search(view.plain, max(0, start - 50), start)


def _loose_final(view: View) -> Verdict | None:
    """The only option that the sentence of the last announcement names ("Answer: the rite of Pchum Ben")."""
    for marker in reversed(list(_FINAL.finditer(view.plain))[-20:]):
        link = _LINK.match(view.plain, marker.end())
        while link and not link["announces"]:
            link = _LINK.match(view.plain, link.end())
        if not link:
            continue
        end = _sentence_end(view.plain, link.end())
        named = [
            view.accepted(chain) for chain in view.chains if marker.end() <= chain.mentions[0].core < end
        ]
        choices = frozenset().union(*filter(None, named))
        if len(choices) == 1:
            return Verdict(choices)
    return None


# --- answers that stand by themselves ------------------------------------------------------------------------------


def _standing(view: View) -> Verdict | None:
    """Lines that hold an option and nothing else, or an option that leads the text and is set apart from it."""
    lines = list(re.finditer(r"[^\n]+", view.plain))
    kept = lines if len(lines) <= 2 * _LINES_KEPT else lines[:_LINES_KEPT] + lines[-_LINES_KEPT:]
    alone = [choices for line in kept if (choices := _alone(view, line.start(), line.end())) is not None]
    lead = _lead(view)
    if not alone:
        return Verdict(lead) if lead is not None else _last_sentence(view)
    last_alone = lines and _alone(view, lines[-1].start(), lines[-1].end()) is not None
    if lead is not None and not last_alone:
        alone.append(lead)
    return Verdict(frozenset().union(*alone))


def _alone(view: View, start: int, end: int) -> frozenset[int] | None:
    """The options of ``start`` to ``end`` if nothing else stands there."""
    if end - start > _LONG_LINE:
        return None
    prefix = _PREFIX.match(view.plain, start, end)
    place = prefix.end() if prefix else start
    mention = mention_at(view.options, view.reading, start) or mention_at(view.options, view.reading, place)
    if not mention or mention.end > end:
        mention = _first_ordinal(view, start, end)
    if not mention:
        return None
    chain = chain_at(view.options, view.reading, mention)
    if chain.end > end and chain.mentions[0].end <= end and "\n" in view.plain[start : chain.end]:
        return view.accepted(chain)
    tail = _TAIL.match(view.plain, chain.end)
    return view.accepted(chain) if tail and (tail.end() >= end) else None


def _first_ordinal(view: View, start: int, end: int) -> Mention | None:
    part = View(view.options, view.reading.part(start, end))
    prefix = _PREFIX.match(part.plain)
    for mention in mentions_in(view.options, part.reading)[:1]:
        if prefix and mention.start <= max(prefix.end(), 4):
            return Mention(*(place + start for place in mention[:3]), *mention[3:])
    return None


def _lead(view: View) -> frozenset[int] | None:
    prefix = _PREFIX.match(view.plain)
    place = prefix.end() if prefix else 0
    mention = mention_at(view.options, view.reading, place)
    if not mention:
        return None
    chain = chain_at(view.options, view.reading, mention)
    leads = _LEADS_ON.match(view.plain, chain.end)
    if _enumerates(view, mention):
        return None
    if not leads or (mention.by_name and leads["comma"]):
        return None
    choices = view.accepted(chain)
    return choices if choices is not None and len(choices) < 2 else None


def _enumerates(view: View, mention: Mention) -> bool:
    """Whether the mark that leads the text is the first of several: "a) … b) …", "A: 0.1, B: 0.2"."""
    mark = view.shown[mention.core : mention.end]
    if not re.fullmatch(r"[A-Ya-y]|\d", mark):
        return False
    following = re.escape(chr(ord(mark) + 1))
    return bool(re.search(rf"(?<![0-9a-zA-Z]){following}(?:[.)]|[\"']? ?:)", view.shown[mention.end :]))


def _last_sentence(view: View) -> Verdict | None:
    starts = [
        found.end() for found in _SENTENCE_END.finditer(view.plain, max(0, len(view.plain) - _LONG_LINE))
    ]
    for start in reversed(starts[-2:]):
        if view.plain[start:].strip(" .!?\n\"')"):
            choices = _alone(view, start, len(view.plain))
            return None if choices is None else Verdict(choices)
    return None


def _emphasised(view: View, emphasised: tuple[str, ...]) -> Verdict | None:
    """The only option that is set in bold by itself, if the text does not reject it."""
    parts = [View(view.options, read(normal_text(part))) for part in emphasised]
    bold = frozenset().union(*(filter(None, (_alone(part, 0, len(part.plain)) for part in parts))))
    kept = frozenset().union(*filter(None, (view.accepted(chain) for chain in view.chains)))
    return Verdict(bold) if len(bold) == 1 and bold <= kept else None


# --- conclusions and mentions --------------------------------------------------------------------------------------


def _conclusion(view: View) -> Verdict | None:
    """The one option that the text concludes or prefers; of two conclusions neither is final."""
    verdicts = [_slot(view, found.end()) for found in list(_CONCLUDING.finditer(view.plain))[-_MARKERS_KEPT:]]
    chosen = [verdict.choices for verdict in verdicts if verdict]
    chosen += [
        view.accepted(chain) or frozenset() for chain in view.chains if _FAVOURED.match(view.plain, chain.end)
    ]
    choices = frozenset().union(*chosen)
    return Verdict(choices) if len(choices) == 1 else None


def _mentioned(view: View, listed: bool) -> tuple[int | None, str]:
    every = frozenset(range(view.options.count))
    named = []
    for chain in view.chains:
        choices = view.accepted(chain) if _counts_as_mention(view, chain) else None
        if choices is not None and choices == every and len(every) > 2:
            listed = True
        elif choices is not None:
            named.append(choices)
    choices = frozenset().union(*named)
    if choices:
        return Verdict(choices).result
    if named or (_NONE_OF_THEM.search(view.plain) and not listed):
        return None, "invalid"
    return None, "ambiguous" if listed or _ALL_OF_THEM.search(view.plain) else "none"


def _counts_as_mention(view: View, chain: Chain) -> bool:
    """A one-word name in lower case is an ordinary word unless the text says that something is it."""
    if any(mention.strong for mention in chain.mentions):
        return True
    start = chain.mentions[0].start
    return bool(_COPULA_BEFORE.search(view.plain, max(0, start - 30), start))


# --- lists ---------------------------------------------------------------------------------------------------------


def without_lists(view: View) -> tuple[View, bool]:
    """The text without a repetition of the options, and whether there was one."""
    spans = _lettered_list(view) or _named_list(view)
    if not spans:
        return view, False
    return View(view.options, _blanked(view.reading, spans)), True


def _blanked(reading: Reading, spans: list[tuple[int, int]]) -> Reading:
    pieces: list[str] = []
    place = 0
    for start, end in spans:
        pieces.append(reading.shown[place:start].strip("\n"))
        place = end
    return read("\n".join([*pieces, reading.shown[place:].strip("\n")]))


def _lettered_list(view: View) -> list[tuple[int, int]]:
    """Items A, B, C… or 1, 2, 3…: at the starts of lines, or one after the other in a line if they are all there."""
    run: list[re.Match[str]] = []
    for item in islice(_ITEM.finditer(view.plain), 2000):
        number = _item_number(view, item)
        if number == len(run) and _is_item(view, item):
            run.append(item)
        elif number == 0 and len(run) < 2 and _is_item(view, item):
            run = [item]
    if len(run) < 2 or (len(run) < view.options.count and not all(item["line"] for item in run)):
        return []
    last = run[-1]
    line_end = view.plain.find("\n", last.end())
    end = len(view.plain) if line_end < 0 else line_end
    if last["inline"]:
        end = min(end, _sentence_end(view.plain, last.end()))
    return [(run[0].start(), end)]


def _item_number(view: View, item: re.Match[str]) -> int:
    mark = item["line"] or item["inline"]
    return int(mark) - 1 if mark.isdigit() else ord(mark) - 97


def _is_item(view: View, item: re.Match[str]) -> bool:
    if item["line"]:
        return True
    named = view.options.name_at(view.reading, item.end() + (view.plain[item.end() : item.end() + 1] == " "))
    return bool(named) or (
        item["close"] in (")", "]") and (bool(item["open"]) or view.shown[item.start("inline")].isupper())
    )


def _named_list(view: View) -> list[tuple[int, int]]:
    """Lines that begin with the options' names, one a line, all of them or at least three; the first line of each."""
    spans: dict[frozenset[int], tuple[int, int]] = {}
    for line in islice(re.finditer(r"[^\n]+", view.plain), 2000):
        prefix = _PREFIX.match(view.plain, line.start(), line.end())
        mention = view.options.name_at(view.reading, prefix.end() if prefix else line.start())
        if mention and _LEADS_ON.match(view.plain, mention.end):
            spans.setdefault(mention.choices, line.span())
    return list(spans.values()) if len(spans) >= min(3, max(2, view.options.count)) else []


def _without_range(options: Options, reading: Reading) -> Reading:
    """The text without "A to D", which names all options and none."""
    spans = [
        found.span() for found in _OPTION_RANGE.finditer(reading.plain) if ord(found[1]) - 96 == options.count
    ]
    return _blanked(reading, spans) if spans else reading


def _sentence_end(plain: str, place: int) -> int:
    """Where the sentence that goes on at ``place`` ends; a break right there does not end it."""
    start = re.compile(r"[\s:=\"'»」』】)\]}>.-]*").match(plain, place)
    end = _SENTENCE_END.search(plain, start.end() if start else place)
    return min(end.start() if end else len(plain), place + 400)


def _begins_line(plain: str, place: int) -> bool:
    return not plain[max(plain.rfind("\n", 0, place) + 1, place - 20) : place].strip(" -•|>(")
