"""What a complete submission is, and what is said of one that is not."""

import gzip
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.faults import InputError
from cmb_harness.shared_task.asked import Asked, answers_to, asked_in, phase_of
from cmb_harness.shared_task.names import clean_name, name_fault
from cmb_harness.shared_task.reading import read_bytes, unpack
from cmb_harness.shared_task.submission import FAULTS_SHOWN, Submission, check_submission, check_together
from cmb_harness.shared_task.template import answers_of, template_lines

Lines = list[dict[str, Any]]


@pytest.fixture
def asked(localization: Any) -> Asked:
    return localization.asked("recognition")


@pytest.fixture
def lines(asked: Asked, honest: Callable[..., Lines]) -> Lines:
    return honest(asked)


@pytest.fixture
def check(asked: Asked, to_bytes: Callable[[Lines], bytes]) -> Callable[[Lines], Submission]:
    return lambda lines: check_submission(to_bytes(lines), asked, "f.jsonl")


def faults(check: Callable[[Lines], Submission], lines: Lines) -> list[str]:
    with pytest.raises(InputError) as caught:
        check(lines)
    return caught.value.faults


def test_a_phase_asks_each_stage_as_the_modes_need_it(localization: Any) -> None:
    # 16 hidden concepts: 16 S1 rows; S2: 16 in reset, 16 in carry, 64 in feedback; and the same of 16 pairs.
    assert len(list(localization.asked("recognition").expected())) == 16 + 16 + 16 + 64
    assert len(list(localization.asked("localization").expected())) == 16 + 16 + 64
    assert len(list(localization.asked("recognition").expected(["carry"]))) == 16 + 16
    assert list(answers_to("s1", ["feedback"])) == [("reset", None)]
    assert list(answers_to("s3", ["feedback"])) == [("feedback", truth) for truth in range(4)]


def test_what_is_asked_holds_no_key(recognition: Any, localization: Any) -> None:
    for asked in (recognition.asked("development"), localization.asked("localization")):
        assert asked.items
        assert not any({"answer", "span"} & row.keys() for rows in asked.rows.values() for row in rows)


def test_the_phase_of_a_dataset_is_the_latest_that_is_out(recognition: Any, localization: Any) -> None:
    assert phase_of(recognition.rows) == "recognition"
    assert phase_of(localization.rows) == "localization"
    public = {stage: {"train": rows["train"], "test": []} for stage, rows in recognition.rows.items()}
    assert phase_of(public) == "development"
    with pytest.raises(InputError, match="no test items of s3: it was built for an earlier phase"):
        asked_in("localization", recognition.rows)


def test_a_build_for_work_at_home_asks_no_s3(release_of: Callable[..., Any]) -> None:
    """Without a phase, hidden S3 items are there but name no S2 item: nothing could be carried."""
    at_home = release_of(None)
    assert at_home.rows["s3"]["test"]
    assert phase_of(at_home.rows) == "recognition"
    assert at_home.asked("recognition").rows["s3"] == []
    with pytest.raises(InputError, match="no test items of s3"):
        at_home.asked("localization")


def test_a_complete_file_is_read_whatever_its_order(
    check: Callable[[Lines], Submission], lines: Lines
) -> None:
    submission = check(lines)
    assert submission.modes == ("reset", "carry", "feedback")
    assert (submission.team, submission.model, len(submission.rows)) == ("Honest", "fixed", 112)
    assert submission.warnings == []
    shuffled = [lines[0], *random.Random(0).sample(lines[1:], len(lines) - 1)]
    assert check(shuffled).rows == submission.rows


def test_an_empty_template_is_complete_and_its_sender_is_told(
    asked: Asked, check: Callable[[Lines], Submission]
) -> None:
    submission = check(list(template_lines(asked)))
    assert {row["choice"] for row in submission.rows} == {None}
    assert submission.warnings == ["f.jsonl: 112 empty answers, scored 0: line 2, 3, 4, 5, 6, …"]


def test_a_template_takes_the_answers_of_a_run(asked: Asked, lines: Lines) -> None:
    other = {"item_id": lines[1]["item_id"], "mode": "reset", "choice": 3, "variant": "common_local"}
    filled = list(template_lines(asked, answers=answers_of([*lines[1:], other])))
    assert filled[1:] == lines[1:]


def test_modes_are_there_whole_or_not_at_all(
    asked: Asked, honest: Callable[..., Lines], check: Callable[[Lines], Submission], lines: Lines
) -> None:
    assert check(honest(asked, modes=["reset"])).modes == ("reset",)
    place = next(i for i, line in enumerate(lines) if line.get("mode") == "carry")
    gone = lines.pop(place)
    assert faults(check, lines) == [f"f.jsonl: missing: {gone['item_id']}, mode carry"]


def test_one_missing_truth_is_named(check: Callable[[Lines], Submission], lines: Lines) -> None:
    gone = lines.pop(-2)
    assert gone["truth"] == 2
    assert faults(check, lines) == [f"f.jsonl: missing: {gone['item_id']}, mode feedback, truth 2"]


def test_every_fault_has_its_line_in_order(check: Callable[[Lines], Submission], lines: Lines) -> None:
    lines[3] |= {"choice": "B"}
    lines[5] |= {"item_id": "s1-unknown"}
    lines[7] |= {"truth": 1}
    lines[9] |= {"choice": 4}
    lines[11] = lines[10]
    told = faults(check, lines)
    assert [fault.split(": ")[1] for fault in told] == [
        *("line 4", "line 6", "line 8", "line 10", "line 12"),
        "missing",
    ]
    assert told[-1] == "f.jsonl: missing: 5 rows of a complete file are not there or not usable"


def test_no_more_faults_than_stated(check: Callable[[Lines], Submission], lines: Lines) -> None:
    told = faults(check, [lines[0], *({**line, "choice": "B"} for line in lines[1:] for _ in range(2))])
    assert len(told) == FAULTS_SHOWN + 1
    assert told[-1] == "f.jsonl: 100 faults: the rest is not read"


@pytest.mark.parametrize("choice", [None, -1, 0, 3])
def test_choices_that_are_answers(
    choice: int | None, check: Callable[[Lines], Submission], lines: Lines
) -> None:
    lines[1]["choice"] = choice
    row = next(row for row in check(lines).rows if row["item_id"] == lines[1]["item_id"])
    assert row["choice"] == (None if choice == -1 else choice)


def test_items_of_another_phase_are_told_apart_from_unknown_ones(
    check: Callable[[Lines], Submission], localization: Any, lines: Lines
) -> None:
    train = localization.rows["s1"]["train"][0]["item_id"]
    lines[1]["item_id"] = train
    assert faults(check, lines)[0] == f'f.jsonl: line 2: item_id: "{train}": not asked in phase recognition'


def test_spans_are_taken_as_they_are_and_told_of(
    localization: Any, honest: Callable[..., Lines], to_bytes: Callable[[Lines], bytes]
) -> None:
    asked = localization.asked("localization")
    lines = honest(asked)
    for place, span in enumerate([[-0.5, 3], [59, 60.01], [8, 2], [4, 4], None, [], [0, 60]], 1):
        lines[place]["span"] = span
    submission = check_submission(to_bytes(lines), asked, "f.jsonl")
    assert submission.warnings == [
        "f.jsonl: 2 empty answers, scored 0: line 6, 7",
        "f.jsonl: 2 spans that do not start before they end, scored 0: line 4, 5",
        "f.jsonl: 2 spans that reach outside their video: line 2, 3",
    ]
    answers = answers_of(submission.rows)
    keys = [(line["item_id"], line["mode"], line.get("truth")) for line in lines[1:8]]
    assert [answers[key] for key in keys] == [
        *([-0.5, 3.0], [59.0, 60.01], [8.0, 2.0], [4.0, 4.0]),
        *(None, None, [0.0, 60.0]),
    ]


def test_two_files_of_one_team_go_together(
    localization: Any, honest: Callable[..., Lines], to_bytes: Callable[[Lines], bytes]
) -> None:
    def read(phase: str, **fields: Any) -> Submission:
        asked = localization.asked(phase)
        header, *rows = honest(asked, modes=fields.pop("modes"))
        return check_submission(to_bytes([{"header": {**header["header"], **fields}}, *rows]), asked)

    both = read("localization", modes=["reset", "carry"])
    check_together(both, read("recognition", modes=["reset", "carry", "feedback"]))
    check_together(both, read("recognition", modes=["reset", "carry"], team=None))
    with pytest.raises(InputError) as caught:
        check_together(both, read("recognition", modes=["reset"], team="Other"))
    assert caught.value.faults == [
        "mode carry: the recognition file has no rows of it",
        'team: "Honest", but the recognition file is of "Other"',
    ]


@pytest.mark.parametrize(
    "name",
    ["Team 1", "ทีมไทย", "ក្រុម", "မြန်မာ အဖွဲ့", "Đội Việt-Nam", "R.D. (v2): x+y #3", "a" * 64, "7"],
)
def test_names_of_all_scripts_are_names(name: str) -> None:
    assert name_fault(name) is None


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            " a",
            "a ",
            "a" * 65,
            "../x",
            "a/b",
            "a\\b",
            "<b>",
            "a&b",
            "=1",
            "+1",
            "-1",
            "@x",
            ".x",
            "a..b",
        ),
        *("\x1b[31m", "a\nb", "a\tb", "a\0", "\u202ea", "a\u200bb", "\ufeffa", "a\ud800", "´a", "'a", '"a'),
        *(
            None,
            1,
            True,
            ["a"],
            {"a": 1},
            "a  b",
            "\u0e34a",
            "%41",
            "$(x)",
            "`x`",
            "a;b",
            "a|b",
            "\U000e0041",
        ),
    ],
)
def test_what_could_do_something_is_no_name(name: Any) -> None:
    fault = name_fault(name)
    assert fault is not None
    assert fault.isprintable()
    assert not {"<", ">", "\x1b"} & set(fault)


def test_one_name_has_one_spelling() -> None:
    assert clean_name("Đo\u0302\u0323i") == "Đội"


def test_gzip_is_told_by_its_content(asked: Asked, lines: Lines, to_bytes: Callable[[Lines], bytes]) -> None:
    content = to_bytes(lines)
    packed = gzip.compress(content)
    assert check_submission(packed, asked).rows == check_submission(content, asked).rows
    assert unpack(packed) == content


def test_only_plain_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x")
    assert read_bytes(file) == b"x"
    (tmp_path / "link").symlink_to(file)
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe")
    for name, words in (
        ("link", "a symbolic link"),
        ("dangling", "a symbolic link"),
        ("pipe", "a folder, pipe or device"),
        (".", "a folder, pipe or device"),
        ("/dev/zero", "a folder, pipe or device"),
        ("missing", "there is no such file"),
        ("file/below", "cannot be read"),
        ("nul\0", "cannot be read"),
    ):
        with pytest.raises(InputError, match=words):
            read_bytes(tmp_path / name)


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "large"
    with file.open("wb") as sparse:
        sparse.truncate(10**12)
    with pytest.raises(InputError, match="more than 50000000 bytes"):
        read_bytes(file)


def test_limits_are_met_exactly(asked: Asked, lines: Lines, to_bytes: Callable[[Lines], bytes]) -> None:
    content = to_bytes(lines)
    full = content + b" " * 60_000 + b"\n" * (50_000_000 // 300 - len(lines))
    assert check_submission(full, asked).sha256
    row = json.dumps({**lines[1], "raw": ""})
    longest = row[:-2] + "x" * (2**16 - len(row)) + row[-2:]
    assert len(longest) == 2**16
    assert check_submission(content.replace(json.dumps(lines[1]).encode(), longest.encode()), asked)
