"""A release put on a Hub and taken from it again, by the real clients, against a Hub on loopback."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from hub import Hub

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPT = REPOSITORY / "scripts" / "release_to_hub.py"


@pytest.fixture
def online(tmp_path, run_block):
    """(hub, a function that runs a bash or Python block in the workspace's copy with this Hub for a Hub)."""
    with Hub() as hub:
        here = f"HF_ENDPOINT={hub.endpoint} HF_TOKEN=hf_x HF_HUB_OFFLINE=0 HF_DATASETS_OFFLINE=0"
        here += f" HF_HOME={tmp_path / 'hub-home'} HF_HUB_DISABLE_PROGRESS_BARS=1"

        def run(program: str, cwd: Path, check: bool = True) -> subprocess.CompletedProcess:
            done = run_block("bash", f"{here} {program}", cwd)
            assert not check or done.returncode == 0, done.stderr
            return done

        yield hub, run


def release(kind: str, *arguments: str) -> str:
    return f"python {SCRIPT} {kind} {' '.join(arguments)}"


def test_a_dataset_goes_to_the_hub_and_loads_from_it(workspace, online):
    hub, run = online
    looked = run(release("dataset", "cmb", "org/cmb"), workspace)
    assert "Nothing was sent" in looked.stdout
    assert hub.requests == []
    sent = run(release("dataset", "cmb", "org/cmb", "--tag", "1.0.0", "--send"), workspace)
    assert 'load_dataset("org/cmb", "s2", revision="1.0.0")' in sent.stdout
    there = hub.repositories["datasets/org/cmb"]
    local = {
        path.relative_to(workspace / "cmb").as_posix(): path.read_bytes()
        for path in (workspace / "cmb").rglob("*")
        if path.is_file()
    }
    assert there.commits[there.tags["1.0.0"]] == local
    assert there.messages[0].startswith("Dataset 1.0.0, phase recognition, content ")

    code = (
        "from datasets import load_dataset\n"
        "for stage in ('s1', 's2', 's3', 'records'):\n"
        "    near = load_dataset('cmb', stage)\n"
        "    far = load_dataset('org/cmb', stage, revision='1.0.0')\n"
        "    assert list(near) == list(far)\n"
        "    for split in near:\n"
        "        assert near[split].to_list() == far[split].to_list()\n"
        "        assert near[split].features == far[split].features\n"
        "        print(stage, split, len(far[split]))\n"
    )
    loaded = run(f'python -c "{code}"', workspace)
    assert loaded.stdout.split("\n")[:3] == ["s1 train 32", "s1 test 32", "s2 train 32"]
    # No code of the repository is run, or so much as asked for.
    assert not any("cmb_dataset.py" in request for request in hub.requests if "resolve" in request)

    # Commands take the name in place of a folder.
    run("cmb score runs/signal-reader --dataset org/cmb --mode reset --json far.json", workspace)
    run("cmb score runs/signal-reader --dataset cmb --mode reset --json near.json", workspace)
    assert json.loads((workspace / "far.json").read_text()) == json.loads(
        (workspace / "near.json").read_text()
    )
    said = run("cmb fetch org/cmb --cache new --estimate", workspace).stdout
    assert said == run("cmb fetch cmb --cache new --estimate", workspace).stdout


def test_a_new_build_takes_the_place_of_the_old_one_and_a_tag_is_for_good(workspace, online):
    hub, run = online
    run(release("dataset", "cmb", "org/cmb", "--tag", "a", "--send"), workspace)
    run("cmb build example/records.json --out open", workspace)
    refused = run(release("dataset", "open", "org/cmb", "--tag", "a", "--send"), workspace, check=False)
    assert refused.returncode == 1
    assert "org/cmb: has a tag a already" in refused.stderr
    run(release("dataset", "open", "org/cmb", "--tag", "b", "--send"), workspace)
    there = hub.repositories["datasets/org/cmb"]
    assert "s2/test-00000-of-00001.parquet" in there.commits[there.tags["a"]]
    assert "s2/test-00000-of-00001.parquet" not in there.commits[there.tags["b"]]
    assert there.messages[-1].startswith("Dataset 1.0.0, all rows public, content ")


def test_what_must_not_be_published_is_refused(workspace, online):
    hub, run = online
    keys = "--split example/split.json --secrets example/secrets.json"
    run(f"cmb build example/records.json {keys} --out home", workspace)
    shutil.copy(workspace / "example/secrets.json", workspace / "cmb/secrets.json")
    for arguments, words in [
        (("dataset", "home", "org/x"), "home: was built without --phase"),
        (("dataset", "cmb", "org/x"), "cmb: secrets.json: is not of the build; take it out"),
        (("dataset", "absent", "org/x"), "absent: there is no such folder"),
        (("dataset", "example", "org/x"), "README.md"),
        (
            ("dataset", "cmb", "org/cmb_dataset"),
            "datasets would take its cmb_dataset.py for a loading script",
        ),
        (("dataset", "cmb", "cmb"), "cmb: expected ORG/NAME"),
        (("metric", "org/metric"), "evaluate looks for metric.py in it; expected ORG/cmb_metric"),
        (("metric", "org/cmb_metric", "--tag", "1.0.0"), "expected v1.0.0"),
    ]:
        done = run(
            release(arguments[0], *(f"'{part}'" for part in arguments[1:]), "--send"), workspace, check=False
        )
        assert done.returncode == 1
        assert words in done.stderr
        assert "Traceback" not in done.stderr
    assert hub.repositories == {}


def test_a_hub_that_is_not_there_is_told_in_a_line(workspace, run_block):
    command = (
        f"HF_ENDPOINT=http://127.0.0.1:9 HF_HUB_OFFLINE=0 {release('dataset', 'cmb', 'org/cmb', '--send')}"
    )
    done = run_block("bash", command, workspace)
    assert done.returncode == 1
    assert done.stderr.startswith("release_to_hub: org/cmb: ")
    assert "Traceback" not in done.stderr


PAGE = """
import json, sys
sys.path.insert(0, "space")
import app
rows, note = app.score_files("runs/signal-reader/predictions.jsonl", "references.jsonl", "reset")
print(json.dumps([rows, note]))
"""


def test_the_metric_loads_from_a_space_and_its_page_scores_as_the_command_does(workspace, online):
    hub, run = online
    sent = run(release("metric", "org/cmb_metric", "--tag", "v1.0.0", "--send"), workspace)
    assert 'evaluate.load("org/cmb_metric", revision="v1.0.0")' in sent.stdout
    there = hub.repositories["spaces/org/cmb_metric"]
    files = there.commits[there.head]
    assert {"app.py", "requirements.txt", "README.md", "cmb_metric.py", "scores.py"} <= set(files)

    (workspace / "space").mkdir()
    for name, content in files.items():
        (workspace / "space" / name).write_bytes(content)
    run("cmb score runs/signal-reader --dataset cmb --mode reset --json score.json", workspace)
    expected = json.loads((workspace / "score.json").read_text())
    code = (
        "import json, cmb_metric, evaluate\n"
        "from datasets import load_dataset\n"
        "rows = [row for s in ('s1', 's2', 's3') for row in cmb_metric.references(load_dataset('cmb', s))]\n"
        "open('references.jsonl', 'w').writelines(json.dumps(row) + chr(10) for row in rows)\n"
        "lines = map(json.loads, open('runs/signal-reader/predictions.jsonl'))\n"
        "picked = [{k: r[k] for k in ('item_id', 'choice', 'span') if k in r} for r in lines if 'item_id' in r]\n"
        "ids = {row['item_id'] for row in rows}\n"
        "picked = [row for row in picked if row['item_id'] in ids]\n"
        "metric = evaluate.load('org/cmb_metric', revision='v1.0.0')\n"
        "print(json.dumps(metric.compute(predictions=picked, references=rows)['ci']))\n"
    )
    (workspace / "far.py").write_text(code)
    far = json.loads(run("python far.py", workspace).stdout.splitlines()[-1])
    assert far == expected["ci"]

    (workspace / "page.py").write_text(PAGE)
    rows, note = json.loads(run("python page.py", workspace).stdout.splitlines()[-1])
    shown = {row[0]: row[1:] for row in rows}
    assert shown["S2 accuracy"] == ["100.0", "100.0 - 100.0"]
    low, high = expected["ci"]["s1_accuracy"]
    assert shown["S1 accuracy"] == [
        f"{100 * expected['s1_accuracy']:.1f}",
        f"{100 * low:.1f} - {100 * high:.1f}",
    ]
    assert "resamples" in note
