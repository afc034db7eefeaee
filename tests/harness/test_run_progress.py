"""The bar of a run: what it says, and where it is silent."""

import functools
import io

import pytest
import tqdm

from cmb_harness.progress import Progress
from cmb_harness.run import Event


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    screen = io.StringIO()
    # tqdm binds stderr when it is loaded.
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("tqdm.tqdm", functools.partial(tqdm.tqdm, file=screen, mininterval=0))
    return screen


def test_it_tells_the_running_score_errors_and_repeats(shown: io.StringIO) -> None:
    with Progress("some-model") as progress:
        progress.watch(Event("s2", "begin", total=4))
        for score in (1.0, 0.0, None):
            progress.watch(Event("s2", "answered", score=score, retried=2))
        progress.watch(Event("s2", "open", retried=3))
    last = shown.getvalue().split("\r")[-1]
    assert "some-model s2: 100%" in last
    assert "4/4" in last
    # Of the three answered items two have public labels, and one of the two is right.
    assert "accuracy 0.500 of 2, 3 asked again, 1 open" in last


def test_each_stage_begins_anew(shown: io.StringIO) -> None:
    with Progress("some-model") as progress:
        progress.watch(Event("s1", "begin", total=1))
        progress.watch(Event("s1", "answered", score=1.0))
        progress.watch(Event("s3", "begin", total=1))
        progress.watch(Event("s3", "answered", score=0.25))
    assert "mIoU 0.250 of 1" in shown.getvalue().split("\r")[-1]


def test_without_public_labels_it_tells_no_score(shown: io.StringIO) -> None:
    with Progress("some-model") as progress:
        progress.watch(Event("s1", "begin", total=1))
        progress.watch(Event("s1", "answered"))
    assert "accuracy" not in shown.getvalue()


def test_nothing_asked_is_nothing_shown(shown: io.StringIO) -> None:
    with Progress("some-model"):
        pass
    assert shown.getvalue() == ""
