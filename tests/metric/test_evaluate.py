"""The `evaluate` face, loaded as users load it: by folder from anywhere, by name beside the folder."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from definitions import fixed_data

import cmb_metric

PREDICTIONS, REFERENCES = fixed_data(12)
REPOSITORY = Path(cmb_metric.path()).parent


@pytest.fixture(scope="module")
def metric():
    import evaluate

    return evaluate.load(cmb_metric.path())


def test_the_same_as_the_plain_function(metric) -> None:
    settings = {"mode": "carry", "n_resamples": 30, "seed": 3, "confidence_level": 0.9}
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES, **settings) == cmb_metric.score(
        PREDICTIONS, REFERENCES, **settings
    )


def test_rows_may_come_in_portions(metric) -> None:
    metric.add_batch(predictions=PREDICTIONS[:5], references=REFERENCES)
    for row in PREDICTIONS[5:]:
        metric.add(prediction=row)
    assert metric.compute(n_resamples=10) == cmb_metric.score(PREDICTIONS, REFERENCES, n_resamples=10)


@pytest.mark.parametrize("choice", ["2", 2.7, True, "B"])
def test_a_choice_is_checked_before_evaluate_casts_it(metric, choice: object) -> None:
    rows = [{"item_id": REFERENCES[0]["item_id"], "choice": choice}]
    with pytest.raises(ValueError, match="choice: expected an integer 0-3 or None"):
        metric.compute(predictions=rows, references=REFERENCES)
    with pytest.raises(ValueError, match="choice: expected an integer 0-3 or None"):
        metric.add_batch(predictions=rows, references=REFERENCES)
    with pytest.raises(ValueError, match="choice: expected an integer 0-3 or None"):
        metric.add(prediction=rows[0])
    # What was refused has left nothing behind.
    assert (
        metric.compute(predictions=PREDICTIONS, references=REFERENCES, n_resamples=2)["n"]["concepts"] == 12
    )


def test_hidden_rows_missing_answers_and_huge_numbers_survive_the_casts(metric) -> None:
    s1, s3 = (next(row["item_id"] for row in REFERENCES if row["stage"] == stage) for stage in ("s1", "s3"))
    hidden = {"item_id": "s3-0f", "stage": "s3", "concept_id": None, "span": None}
    rows = [
        {"item_id": "s3-0f", "span": None},
        {"item_id": s1, "choice": 10**30},
        {"item_id": s3, "span": [0, 10**400]},
    ]
    theirs = metric.compute(predictions=rows, references=[hidden, *REFERENCES], n_resamples=5)
    assert theirs == cmb_metric.score(rows, [hidden, *REFERENCES], n_resamples=5)
    assert theirs["n_invalid"] == {"s1": 1, "s2": 0, "s3": 1}
    assert theirs["n_set_aside"] == 1


def test_no_predictions_are_all_missing(metric) -> None:
    result = metric.compute(predictions=[], references=REFERENCES, n_resamples=2)
    assert sum(result["n_missing"].values()) == len(REFERENCES)


def test_faults_are_told_in_our_words(metric) -> None:
    with pytest.raises(ValueError, match="both predictions and references"):
        metric.compute(predictions=PREDICTIONS)
    with pytest.raises(ValueError, match="not in the references: 'nothing/s1'"):
        metric.compute(predictions=[{"item_id": "nothing/s1", "choice": 1}], references=REFERENCES)
    with pytest.raises(ValueError, match="mode: 'free'"):
        metric.compute(predictions=PREDICTIONS, references=REFERENCES, mode="free")


def test_there_is_one_configuration() -> None:
    import evaluate

    with pytest.raises(ValueError, match="config_name: 'carry'"):
        evaluate.load(cmb_metric.path(), "carry")


@pytest.mark.parametrize("by_name", [True, False])
def test_loads_in_a_process_that_does_not_have_the_package(by_name: bool, tmp_path: Path) -> None:
    """By name beside the folder; by path from an empty directory. ``-I -S``-like: our folder is not on the path."""
    where, what = (REPOSITORY, "cmb_metric") if by_name else (tmp_path, cmb_metric.path())
    code = (
        "import sys, evaluate, json\n"
        "sys.path[:] = [p for p in sys.path if p not in ('', sys.argv[2])]\n"
        "metric = evaluate.load(sys.argv[1])\n"
        "rows = [{'item_id': 'c/s1', 'stage': 's1', 'concept_id': 'c', 'answer': 2}]\n"
        "print(metric.compute(predictions=[{'item_id': 'c/s1', 'choice': 2}], references=rows)['s1_accuracy'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, what, str(REPOSITORY)],
        cwd=where,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "1.0"


def test_every_sibling_that_a_sibling_needs_is_named_by_the_module() -> None:
    """`evaluate` copies what cmb_metric.py names, one import a line, and nothing else."""
    folder = Path(cmb_metric.path())
    named = {"cmb_metric"}
    for line in (folder / "cmb_metric.py").read_text().splitlines():
        if line.startswith("from ."):
            named.add(line.split()[1].removeprefix("."))
    needed, queue = set(), ["cmb_metric"]
    while queue:
        module = queue.pop()
        needed.add(module)
        for line in (folder / f"{module}.py").read_text().splitlines():
            if line.startswith("from .") and (name := line.split()[1].removeprefix(".")) not in needed:
                queue.append(name)
    assert needed == named


def test_the_package_needs_numpy_alone() -> None:
    code = "import sys, cmb_metric; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    outside = set(done.stdout.split()) - set(sys.stdlib_module_names)
    installed = {name for name in outside if not name.startswith("_") and importlib.util.find_spec(name)}
    assert installed <= {"numpy", "cmb_metric"}


@pytest.mark.parametrize("answer", ["2", 2.7, True])
def test_batches_of_keys_are_checked_before_they_are_cast(metric, answer: object) -> None:
    keys = [{**REFERENCES[0], "answer": answer}]
    with pytest.raises(ValueError, match="answer: expected an integer 0-3"):
        metric.add_batch(predictions=[], references=keys)
    with pytest.raises(ValueError, match="row 0: expected an object"):
        metric.add_batch(predictions=[5], references=REFERENCES)
