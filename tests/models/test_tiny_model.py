"""A real vision-language model, tiny and with random weights, behind the chat interface in this very process.

Its answers are noise; that each question reaches it as text and pictures, and that a run of noise ends well, is not.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.models import load_model
from cmb_harness.models.interface import Question
from cmb_harness.questions import Plan
from cmb_harness.run import run

torch = pytest.importorskip("torch", reason="torch is not installed: no model can be served in process")
transformers = pytest.importorskip(
    "transformers", reason="transformers is not installed: there is no model to serve"
)
pytest.importorskip("openai", reason="the extra openai is not installed")

# Tokens are bytes; one more stands for a piece of a picture.
PICTURE_TOKEN, PIECES = 256, 16


class TinyModel:
    """LLaVA's architecture with 32 hidden units: pictures of 224 × 224 in 16 pieces, text byte by byte."""

    def __init__(self) -> None:
        torch.manual_seed(0)
        small = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
        vision = transformers.CLIPVisionConfig(**small, image_size=224, patch_size=56, projection_dim=32)
        text = transformers.LlamaConfig(**small, vocab_size=PICTURE_TOKEN + 1, max_position_embeddings=16384)
        config = transformers.LlavaConfig(
            vision_config=vision,
            text_config=text,
            image_token_id=PICTURE_TOKEN,
            vision_feature_select_strategy="default",
            image_seq_length=PIECES,
        )
        self.model = transformers.LlavaForConditionalGeneration(config).eval()
        self.pictures_seen = 0

    def answer(self, tokens: list[int], pictures: list[Any]) -> str:
        """Twelve greedy tokens, as text."""
        inputs = {
            "input_ids": torch.tensor([tokens]),
            "attention_mask": torch.ones(1, len(tokens), dtype=torch.long),
        }
        if pictures:
            inputs["pixel_values"] = torch.stack(pictures)
            self.pictures_seen += len(pictures)
        with torch.no_grad():
            out = self.model.generate(
                **inputs, max_new_tokens=12, do_sample=False, pad_token_id=0, eos_token_id=-1
            )
        return bytes(token for token in out[0, len(tokens) :].tolist() if token < 256).decode(
            "utf-8", "replace"
        )


@pytest.fixture(scope="module")
def tiny() -> TinyModel:
    return TinyModel()


@pytest.fixture
def server(serve: Any, tools: Any, tiny: TinyModel) -> Any:
    def answer(request: Any) -> Any:
        content = request.json["messages"][-1]["content"]
        tokens: list[int] = []
        pictures: list[Any] = []
        for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if part["type"] == "text":
                tokens += part["text"].encode()
                continue
            (frame,) = tools.frames_in(tools.data_of(part["image_url"]["url"])[1])
            pictures.append(torch.tensor(frame).permute(2, 0, 1).float() / 255)
            tokens += [PICTURE_TOKEN] * PIECES
        return tools.Reply(tools.chat(tiny.answer(tokens, pictures)))

    return serve(answer)


def test_it_sees_every_frame(
    server: Any, tiny: TinyModel, cache: Path, questions: dict[str, Question]
) -> None:
    model = load_model("openai:tiny", cache=cache, changes={"base_url": f"{server.url}/v1", "timeout_s": 120})
    before = tiny.pictures_seen
    answers = {stage: model.answer(question).text for stage, question in questions.items()}
    # Four clips of two seconds and a video of six, at one frame a second.
    assert tiny.pictures_seen - before == 4 * 2 + 6
    assert all(isinstance(answer, str) for answer in answers.values())


def test_its_pictures_change_its_answer(server: Any, cache: Path, questions: dict[str, Question]) -> None:
    changes = {"base_url": f"{server.url}/v1", "timeout_s": 120}
    seeing = load_model("openai:tiny", cache=cache, changes=changes)
    blind = load_model("openai:tiny", cache=cache, probe="text-only", changes=changes)
    assert seeing.answer(questions["s2"]).text != blind.answer(questions["s2"]).text


def test_a_run_of_noise_ends_well(server: Any, tmp_path: Path) -> None:
    names = ["Songkran", "Thingyan", "Pchum Ben", "Tet"]
    common = {"category": "Dance", "description": "Water washes."}
    rows = {
        "s1": [{"item_id": "a/s1", "options": names, "answer": 1, **common}],
        "s2": [{"item_id": "a/s2", "s1_item_id": "a/s1", "options": [], "answer": 2, **common}],
        "s3": [
            {
                "item_id": "a/s3/1",
                "s2_item_id": "a/s2",
                "concept_name": "Thingyan",
                "cue": "water",
                "duration_s": 6.0,
            }
        ],
    }
    changes = {"base_url": f"{server.url}/v1", "timeout_s": 120}
    model = load_model("openai:tiny", probe="text-only", changes=changes)
    outcome = run(rows, model, Plan(mode="carry"), tmp_path)
    assert (outcome.answered, outcome.open) == (3, {})
    lines = (tmp_path / "predictions.jsonl").read_text("utf-8").splitlines()
    assert len([json.loads(line) for line in lines]) == 3
