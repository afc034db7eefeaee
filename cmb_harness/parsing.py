"""Model text → choice or span, and how sure one can be of it. Pure functions of text; they never guess.

Status: ``ok``; ``ambiguous`` (two answers, neither called final); ``refusal`` (the model says that it gives none);
``invalid`` (an explicit answer that cannot be used: a letter out of range, 0, a percentage, frame numbers, a single
time, NaN, "none of the above"); ``none`` (nothing was answered). Only ``ok`` comes with an answer.

The grammar, in the order in which its rules are tried; the first that finds something decides.

1. *Text* (`grammar.text`). One spelling a character: NFC, ASCII digits for those of any script, full-width and circled
   letters undressed, zero-width characters gone. Matching is done on a folded copy (lower case, Latin letters without
   marks). Why: "Ｃ", "៣" and "le hoi den long" are answers, and NFD or a zero-width space are accidents of typing.
2. *Reasoning* (`grammar.reasoning`). What stands in think tags is dropped; a block that does not end leaves nothing
   after it; a closing tag alone takes what is before it; of channels the final one is kept. Why: a model weighs options
   there that it does not choose, and a block cut off by the token limit never came to an answer.
3. *Structures* (`grammar.structure`, `json_values`). Answer keys of JSON, ``\\boxed{}``, answer tags and box tokens
   are final answers; remarks beside an answer key are dropped. Why: the model fills in a form, and means it.
4. *Final answer*. What an announcement announces ("Answer:", "the correct one is", "I choose", "no, actually"), what is
   called right ("C is correct", "C ✅") and the structures: the last of them counts, also when it is unusable. An
   announcement by a noun needs a copula, a colon, a line break or nothing after the option. Why: models correct
   themselves, and "the answer A" is often an answer that is being discussed.
5. *Standing answer*. A line that holds an option, or a span, and nothing else; an option that leads the text and is set
   apart ("C: because …"). If two differ, the next rules are tried, and the answer is ambiguous when they find nothing.
6. *Loose answer*. The only option that the sentence of an announcement names; the only one in bold; what is concluded
   or preferred ("so C", "C fits better") if no other one is.
7. *Refusal*. Only now: a refusal with an answer is an answer. Of spans, any span counts before it.
8. *Mention*. The only option, or span, that the text names. An option that the text rejects ("not A", "A is wrong",
   "C rather than A") is no candidate, in any rule; a repeated list of the options names none. Two left are ambiguous.

Letters: an article, a pronoun, or the A of a name that is no option is no letter; before a verb, punctuation or an
option's name it is one, and so is a text that is one letter. Numbers count from 1, in JSON too; a number before a noun
counts that noun. Names match without case, marks, hyphens, apostrophes and what they have in parentheses; the longer
name wins; two names that fold to one are told apart by their spelling; letter and name that disagree are ambiguous; a
one-word name in lower case is an ordinary word unless it is announced.

Times: the last part of a clock is seconds; a unit said once counts for both ends; a unit, a colon or a fraction makes a
time, and a bare whole number only where nothing else is counted by it (a noun, a label, a year, a score). "12,5" is a
decimal, "12,20" by itself are two numbers. Two times are a span by a range word, by start and end labels, by a start
and a duration, or as a list of two by themselves. The length of the video is no time of the event. Spans are given as
they are, reversed, negative or too long. ``duration_s`` decides three things that the text leaves open: whether
"12,500" is a thousand or a decimal, whether "2010" is a year, and what second "to the end" is.

A long reply is read at its ends and around its announcements. The words of each language are lines of the modules
``grammar.words_*``.
"""

from collections.abc import Sequence

from cmb_harness.grammar.choice import decide_choice
from cmb_harness.grammar.option import options_of
from cmb_harness.grammar.reasoning import drop_reasoning
from cmb_harness.grammar.span import decide_span
from cmb_harness.grammar.structure import Page, lay_bare
from cmb_harness.grammar.text import normal_text

STATUSES = ("ok", "ambiguous", "refusal", "invalid", "none")


def parse_choice(text: str | None, options: Sequence[str] | int) -> tuple[int | None, str]:
    """The option that ``text`` answers.

    Args:
        text: what the model said; None is an empty text.
        options: the options as the model saw them, or their number where they have no names.

    Returns:
        ``(index from 0, "ok")``, or ``(None, status)``.

    Raises:
        TypeError: ``text`` is no string.
    """
    page = _page(text, spans=False)
    if not page.text:
        return None, "none"
    asked = options_of(options if isinstance(options, int) else tuple(options))
    return decide_choice(asked, page.text, page.emphasised)


def parse_span(text: str | None, duration_s: float | None = None) -> tuple[tuple[float, float] | None, str]:
    """The span that ``text`` answers.

    Args:
        text: what the model said; None is an empty text.
        duration_s: the length of the video, if it is known. It decides what the text leaves open; nothing is clipped.

    Returns:
        ``((start_s, end_s), "ok")`` in seconds as given, reversed ones too; or ``(None, status)``.

    Raises:
        TypeError: ``text`` is no string.
    """
    page = _page(text, spans=True)
    return decide_span(page.text, duration_s) if page.text else (None, "none")


def _page(text: str | None, *, spans: bool) -> Page:
    if not isinstance(text, str | None):
        raise TypeError(f"text: a string was expected, not {type(text).__name__}")
    # Where the text went through HTML, its tags are escaped.
    whole = normal_text(text or "").replace("&lt;", "<").replace("&gt;", ">")
    return lay_bare(drop_reasoning(whole), spans=spans)
