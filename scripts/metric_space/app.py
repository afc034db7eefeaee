"""The page of the metric's Space: predictions and references go in, scores with intervals come out."""

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
NAMES = {
    "s1_accuracy": "S1 accuracy",
    "s2_accuracy": "S2 accuracy",
    "s3_miou": "S3 mIoU",
    "s3_iou@0.3": "S3 IoU@0.3",
    "s3_iou@0.5": "S3 IoU@0.5",
    "s3_iou@0.7": "S3 IoU@0.7",
    "c_s2": "c-S2",
    "c_miou": "c-mIoU",
    "joint": "Joint",
}
HELP = """\
# Cultural Moment Benchmark

Scores the answers of one model in one mode. Two files of JSON Lines, one object a line:

- **predictions**: `{"item_id", "mode", "choice": 0-3 | null}` or
  `{"item_id", "mode", "span": [start_s, end_s] | null}`;
- **references**: `{"item_id", "concept_id", "stage", "country", "category", "writing_cluster", "answer", "span"}`.

S1 is asked once: its rows are `reset`, and count in every mode. Intervals: cluster bootstrap over concepts, 95%.
"""


def score_files(predictions: str, references: str, mode: str) -> tuple[list[list[Any]], str]:
    """(rows of score, value, interval in percent; the signature) of two files of JSON Lines.

    Raises:
        ValueError: a file or a row cannot be used; the message says which.
    """
    import evaluate

    known = read_lines(references)
    stages = {row.get("item_id"): row.get("stage") for row in known}
    chosen = [row for row in read_lines(predictions) if counts(row, stages, mode)]
    metric = evaluate.load(str(HERE / "cmb_metric.py"))
    answers = [
        {name: row.get(name) for name in ("item_id", "choice", "span") if name in row} for row in chosen
    ]
    result = metric.compute(predictions=answers, references=known, mode=mode)
    rows = []
    for name, title in NAMES.items():
        value, interval = result[name], result["ci"].get(name)
        rows.append([title, "undefined" if value is None else f"{100 * value:.1f}", shown(interval)])
    counted = [
        f"{kind}: " + ", ".join(f"{stage} {count}" for stage, count in result[f"n_{kind}"].items())
        for kind in ("missing", "invalid")
    ]
    return rows, "\n".join([result["signature"], *counted])


def counts(row: dict[str, Any], stages: dict[Any, Any], mode: str) -> bool:
    """Whether a prediction row is of the mode, in the full setting and the common Latin names."""
    usual = (row.get("setting", "full"), row.get("variant", "common_latin"), row.get("truth"))
    wanted = "reset" if stages.get(row.get("item_id")) == "s1" else mode
    return usual == ("full", "common_latin", None) and row.get("mode", wanted) == wanted


def read_lines(path: str) -> list[dict[str, Any]]:
    """The objects of a file of JSON Lines, without its header."""
    rows = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8-sig").splitlines(), 1):
        try:
            row = json.loads(line) if line.strip() else {"header": None}
        except ValueError as error:
            raise ValueError(f"line {number}: not JSON: {error}") from None
        if not isinstance(row, dict):
            raise ValueError(f"line {number}: expected an object")
        if "header" not in row:
            rows.append(row)
    return rows


def shown(interval: list[float] | None) -> str:
    """An interval in percent."""
    if not interval or None in interval:
        return ""
    return f"{100 * interval[0]:.1f} - {100 * interval[1]:.1f}"


def page() -> Any:
    """The page."""
    import gradio

    def run(predictions: str | None, references: str | None, mode: str) -> tuple[Any, str]:
        if not predictions or not references:
            raise gradio.Error("Give it both files.")
        try:
            return score_files(predictions, references, mode)
        except (ValueError, TypeError, KeyError) as error:
            raise gradio.Error(str(error)) from None

    with gradio.Blocks(title="Cultural Moment Benchmark") as blocks:
        gradio.Markdown(HELP)
        with gradio.Row():
            predictions = gradio.File(label="Predictions", file_types=[".jsonl"], type="filepath")
            references = gradio.File(label="References", file_types=[".jsonl"], type="filepath")
            mode = gradio.Dropdown(["reset", "carry", "feedback"], value="reset", label="Mode")
        button = gradio.Button("Score")
        table = gradio.Dataframe(headers=["Score", "Value (%)", "95% interval"], interactive=False)
        signature = gradio.Textbox(label="Signature")
        button.click(run, [predictions, references, mode], [table, signature])
    return blocks


if __name__ == "__main__":
    page().launch()
