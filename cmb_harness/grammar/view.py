"""What a text says of the options: which it names, which it rejects, which it calls right or better."""

import re
from functools import cached_property

from cmb_harness.grammar import words_verdict as verdict_words
from cmb_harness.grammar.marker import COPULA, FILLER, SIGNS, begins_line
from cmb_harness.grammar.mention import Chain, chain_at, mention_at, mentions_in
from cmb_harness.grammar.option import Options
from cmb_harness.grammar.text import Reading
from cmb_harness.grammar.words import one_of, skip

_REJECTING = re.compile(one_of(verdict_words.REJECTING))
_REJECTED_HEADING = re.compile(
    rf"(?:^|(?<=[.\n;] )|(?<=\n)){one_of(verdict_words.REJECTED_HEADING)}: ?[\"'(\[]?"
)
_OPENING = re.compile(r"[ \"'«「【(\[]{1,12}")
# "less likely than C", "none except C" reject nothing.
_LESS = re.compile(
    r"\b(?:less|worse|weaker|fewer|lower|nothing|none|neither|no one|no option|nobody)\b[^.\n]*$"
)

_CLOSING = re.compile(r"[\s\"'»」』】)\]}>]{0,4}")
_DASH = re.compile(r"[:=–—(→-]{1,4} ?")
_LEAD_IN = re.compile(rf"(?:, ?)?{one_of(verdict_words.LEAD_IN)} ?")
_REJECTED = re.compile(
    rf"{one_of(verdict_words.REJECTED)}|(?:does not|doesn't|do not|don't)(?= ?(?:$|[.,;!\n]))"
)
_STILL_POSITIVE = re.compile(rf" (?:{one_of(verdict_words.STILL_POSITIVE)}|of )")
_ALL_REJECTED = re.compile(
    r"[\s\"')]*(?:(?:are|were|all|both|do not|don't|cannot|can't|can not|deu|son|sont|sind)\b|ล้วน|都)"
)
_AFFIRMED = re.compile(rf"{one_of(verdict_words.AFFIRMED)}(?! (?:in|after|before|side|hand|away|about|to)\b)")
# "A) no B) yes"
_ITEM_AFFIRMED = re.compile(r"[).\]:] ?(?:yes|correct|true|right)(?= ?(?:$|[\n.,;]|[(\[]?[a-z0-9][).\]:]))")
_AFFIRMED_PLAINLY = re.compile(rf" {one_of(verdict_words.AFFIRMED_PLAINLY)}")
_LATIN_NEXT = re.compile(r" ?[a-z]")
_FAVOURED = re.compile(one_of(verdict_words.FAVOURED))
_SUPPOSED = re.compile(r"\b(?:if|whether|unless|suppose|say|jika|kalau|kung|neu|หาก|ถ้า)[^.\n,]{0,30}$")
_QUESTION = re.compile(r"[^.!\n]{0,40}\?")


class View:
    """A text beside the options.

    Attributes:
        options: what can be answered.
        reading: the text.
        shown, plain: its two copies.
    """

    def __init__(self, options: Options, reading: Reading):
        self.options = options
        self.reading = reading
        self.shown, self.plain = reading
        self._accepted: dict[tuple[int, int], frozenset[int] | None] = {}

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

    @cached_property
    def _rejected_places(self) -> set[int]:
        """Where an option would begin that a word before it rejects ("not A")."""
        places = {found.end() for found in _REJECTED_HEADING.finditer(self.plain)}
        for found in _REJECTING.finditer(self.plain):
            placed = found[0] not in SIGNS or begins_line(self.plain, found.start())
            if placed and not _LESS.search(self.plain, max(0, found.start() - 60), found.start()):
                places.add(skip(self.plain, found.end(), _OPENING, FILLER, COPULA, most=8))
        return places

    def _rejected(self, chain: Chain) -> list[bool]:
        out = [bool({mention.start, mention.core} & self._rejected_places) for mention in chain.mentions]
        for i, link in enumerate(chain.links):
            # "not A, B or D" rejects all three, "not A, C" the first.
            out[i + 1] |= out[i] and (link != "comma" or "and" in chain.links[i:])
        if self._rejected_after(chain.end):
            # "A, B and D are wrong" rejects all three, "C. A is wrong" the last.
            every = "and" in chain.links or bool(_ALL_REJECTED.match(self.plain, chain.end))
            for i in reversed(range(len(out))):
                out[i] = True
                if i and not (chain.links[i - 1] == "join" or every):
                    break
        return out

    def _rejected_after(self, end: int) -> bool:
        closing = skip(self.plain, end, _CLOSING, most=1)
        found = _REJECTED.match(self.plain, skip(self.plain, closing, _LEAD_IN, most=4))
        dash = _DASH.match(self.plain, closing)
        if not found and dash:
            found = _REJECTED.match(self.plain, skip(self.plain, dash.end(), _LEAD_IN, most=3))
        if not found or _STILL_POSITIVE.match(self.plain, found.end()):
            return False
        # "C not A": the word belongs to what follows it.
        return not mention_at(self.options, self.reading, skip(self.plain, found.end(), _OPENING, most=1))

    def is_affirmed(self, chain: Chain) -> bool:
        """Whether the text calls the statement right ("C is correct"), and neither asks nor supposes it."""
        told = (pattern.match(self.plain, chain.end) for pattern in (_AFFIRMED_PLAINLY, _ITEM_AFFIRMED))
        found = self._affirmation(chain.end) or next(filter(None, told), None)
        if not found or _QUESTION.match(self.plain, found.end()):
            return False
        start = chain.mentions[0].start
        return not _SUPPOSED.search(self.plain, max(0, start - 50), start)

    def _affirmation(self, end: int) -> re.Match[str] | None:
        closing = skip(self.plain, end, _CLOSING, most=1)
        led_in = skip(self.plain, closing, _LEAD_IN, most=4)
        dash = _DASH.match(self.plain, closing)
        if led_in > closing:
            return _AFFIRMED.match(self.plain, led_in)
        if dash:
            return _AFFIRMED.match(self.plain, skip(self.plain, dash.end(), _LEAD_IN, most=1))
        # "Cが正解", "C ✅"; in Latin script "C correct" may be anything.
        return None if _LATIN_NEXT.match(self.plain, closing) else _AFFIRMED.match(self.plain, closing)

    def is_favoured(self, chain: Chain) -> bool:
        """Whether the text prefers the statement ("C fits better")."""
        closing = skip(self.plain, chain.end, _CLOSING, most=1)
        return bool(_FAVOURED.match(self.plain, skip(self.plain, closing, _LEAD_IN, most=4)))
