"""draft"""

from collections.abc import Sequence

from cmb_harness.parsing_choice import decide_choice
from cmb_harness.parsing_option import options_of
from cmb_harness.parsing_reasoning import drop_reasoning
from cmb_harness.parsing_structure import lay_bare
from cmb_harness.parsing_text import normal_text


def parse_choice(text: str, options: Sequence[str] | int) -> tuple[int | None, str]:
    page = _page(text, spans=False)
    if not page.text:
        return None, "none"
    asked = options if isinstance(options, int) else tuple(options)
    return decide_choice(options_of(asked), page.text, page.emphasised)


def _page(text, *, spans):
    return lay_bare(
        drop_reasoning(normal_text(text or "").replace("&lt;", "<").replace("&gt;", ">")), spans=spans
    )


def parse_span(text, duration_s=None):
    from cmb_harness.parsing_span import decide_span

    page = _page(text, spans=True)
    if not page.text:
        return None, "none"
    return decide_span(page.text, duration_s)
