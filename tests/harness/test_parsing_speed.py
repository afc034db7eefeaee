"""Time grows with the length of a text, whatever it holds."""

import importlib.util
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from cmb_harness.parsing import parse_choice, parse_span

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts" / "benchmark_parsing.py"
spec = importlib.util.spec_from_file_location("benchmark_parsing", SCRIPT)
assert spec is not None
assert spec.loader is not None
benchmark = importlib.util.module_from_spec(spec)
spec.loader.exec_module(benchmark)

SHORT, LONG = 25_000, 100_000
# A loaded machine may be three times slower; a quadratic step would cost a hundred times more.
LIMIT_S = 0.3


def seconds(call: Callable[[], object]) -> float:
    begun = time.process_time()
    call()
    return time.process_time() - begun


@pytest.mark.parametrize("kind", benchmark.REPEATED)
def test_a_quarter_of_100_kb_is_read_at_once(kind: str) -> None:
    text = benchmark.adversarial_texts(SHORT)[kind]
    assert seconds(lambda: parse_choice(text, benchmark.OPTIONS)) < LIMIT_S
    assert seconds(lambda: parse_span(text, 120.0)) < LIMIT_S


@pytest.mark.thorough
def test_100_kb_of_anything_are_read_at_once() -> None:
    slowest = benchmark.timings(benchmark.adversarial_texts(LONG))[0]
    assert slowest.milliseconds < 1000 * LIMIT_S, slowest


@pytest.mark.thorough
@pytest.mark.parametrize(
    "kind", ["digits", "accents", "tags that open", "less than", "prose", "Khmer", "objects"]
)
def test_ten_times_the_text_takes_about_ten_times_the_time(kind: str) -> None:
    one, ten = (benchmark.adversarial_texts(size)[kind] for size in (LONG, 10 * LONG))
    for call in (partial(parse_choice, options=4), parse_span):
        short = min(seconds(partial(call, one)) for _ in range(3))
        long = min(seconds(partial(call, ten)) for _ in range(3))
        assert long < 30 * max(short, 0.005), (short, long)
