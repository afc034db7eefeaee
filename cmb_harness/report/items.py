"""The public items with every model's answers, small enough to stand in the page itself."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cmb_harness.predictions import read_predictions
from cmb_harness.records import Region
from cmb_harness.statistics.scored_records import is_scored_records
from cmb_harness.statistics.scoring import STAGES, ScoredRun, Selection, chosen
from cmb_metric.items import INVALID, OK

if TYPE_CHECKING:
    from cmb_harness.report.contents import Public

# S3 has no right and wrong; for the filter, a pair counts as right from here on (the paper's hit rate, IoU@0.3).
HIT = 0.3
WRONG_FORM = "!"

Row = Mapping[str, Any]


def browser_data(
    public: "Public", own: Mapping[str, ScoredRun], selection: Selection, region: Region
) -> dict[str, Any]:
    """What the item browser shows.

    Args:
        own: model → run in the shown mode; those of scored records are left out.

    Returns:
        ``models``, ``mode``, ``hit``, ``countries`` (code → name), ``categories``, ``texts`` (each description once),
        and ``items``: ``{id, concept, country, category, stage, text (place in texts), options, answer}`` for S1 and
        S2, ``{…, name, cue, video, duration, span}`` for S3; both with ``answers``, one a model: a place, or [start,
        end, IoU]; null where there is none, ``"!"`` where it is invalid.
    """
    own = {model: run for model, run in own.items() if holds_answers(run)}
    answers = {model: _answers(run, public, selection) for model, run in own.items()}
    texts: dict[str, int] = {}
    items = [
        _item(stage, row, texts) | {"answers": [found.get(row["item_id"]) for found in answers.values()]}
        for stage in STAGES
        for row in public.rows[stage]
    ]
    codes = sorted({item["country"] for item in items if item["country"]})
    names = {country.code: country.name for country in region.countries}
    return {
        "models": list(own),
        "mode": selection.mode,
        "hit": HIT,
        "countries": {code: names.get(code, code) for code in codes},
        "categories": sorted({item["category"] for item in items if item["category"]}),
        "texts": list(texts),
        "items": items,
    }


def holds_answers(run: ScoredRun) -> bool:
    """Whether a run was scored from predictions: scored records say what an answer was worth, not what it was."""
    return run.path.is_file() and not is_scored_records(run.path)


def _item(stage: str, row: Row, texts: dict[str, int]) -> dict[str, Any]:
    about = {
        "id": row["item_id"],
        "concept": row["concept_id"],
        "country": row["country"],
        "category": row["category"],
        "stage": stage,
    }
    if stage == "s3":
        span = [round(second, 3) for second in row["span"]]
        return about | {
            "name": row["concept_name"],
            "cue": row["cue"],
            "video": row["video_id"],
            "duration": row["duration_s"],
            "span": span,
        }
    return about | {
        "text": texts.setdefault(row["description"], len(texts)),
        "options": list(row["options"]) if stage == "s1" else [_moment(option) for option in row["options"]],
        "answer": row["answer"],
    }


def _moment(option: Row) -> list[Any]:
    return [option["video_id"], round(option["start_s"], 3), round(option["end_s"], 3)]


def _answers(run: ScoredRun, public: "Public", selection: Selection) -> dict[str, Any]:
    """item_id → the answer, as `browser_data` says."""
    scored = {item.item_id: item for item in run.scored.items}
    stage_of = {row["item_id"]: stage for stage in STAGES for row in public.rows[stage]}
    rows: Sequence[Row] = chosen(read_predictions(run.path).rows, stage_of, selection)
    found: dict[str, Any] = {}
    for row in rows:
        item = scored.get(row["item_id"])
        if item is None:
            continue
        if item.answered == INVALID:
            found[item.item_id] = WRONG_FORM
        elif item.answered == OK:
            found[item.item_id] = _answer(row, item.value) if item.stage == "s3" else row["choice"]
    return found


def _answer(row: Row, iou: float) -> list[float]:
    start_s, end_s = row["span"]
    return [round(float(start_s), 3), round(float(end_s), 3), round(iou, 3)]
