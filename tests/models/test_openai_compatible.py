"""The real ``openai`` client against a server on loopback that looks at each request and misbehaves on demand."""

import email.utils
import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.faults import InputError
from cmb_harness.models import load_model
from cmb_harness.models.interface import Answer, Model, Question, TransportError
from cmb_harness.models.setup import presets

pytest.importorskip("openai", reason="the extra openai is not installed")


@pytest.fixture
def model_at(serve: Any, cache: Path) -> Callable[..., tuple[Model, Any]]:
    """``model_at(answer, **settings)``: a model and the server that it asks."""

    def make(
        answer: Callable[[Any], Any], name: str = "openai:some-model", **settings: Any
    ) -> tuple[Model, Any]:
        server = serve(answer)
        probe = settings.pop("probe", None)
        changes = {"base_url": f"{server.url}/v1", "key_variable": None, "timeout_s": 60, **settings}
        return load_model(name, cache=cache, probe=probe, changes=changes), server

    return make


def ask(model_at: Any, tools: Any, question: Question, **settings: Any) -> tuple[Answer, list[Any], Any]:
    """The answer, the content of the one message, and the request."""
    model, server = model_at(lambda request: tools.Reply(tools.chat("B")), **settings)
    answer = model.answer(question)
    (request,) = server.requests
    return answer, request.json["messages"][-1]["content"], request


def test_s1_is_text_alone(model_at: Any, tools: Any, questions: dict[str, Question]) -> None:
    answer, content, request = ask(
        model_at, tools, questions["s1"], temperature=0, max_tokens=64, effort="low"
    )
    assert content == questions["s1"].prompt
    assert request.path == "/v1/chat/completions"
    assert {name: value for name, value in request.json.items() if name != "messages"} == {
        "model": "some-model",
        "temperature": 0,
        "max_completion_tokens": 64,
        "reasoning_effort": "low",
    }
    assert answer.text == "B"
    assert answer.usage == {"input_tokens": 120, "output_tokens": 5, "thinking_tokens": 3}
    assert answer.details == {"model": "served-model-2026", "finish_reason": "stop"}
    assert not answer.refused


def test_what_is_not_set_is_not_sent(model_at: Any, tools: Any, questions: dict[str, Question]) -> None:
    _, _, request = ask(model_at, tools, questions["s1"])
    assert set(request.json) == {"model", "messages"}


@pytest.mark.parametrize("image", ["jpeg", "png"])
def test_s2_shows_four_moments_with_the_frames_of_their_times(
    model_at: Any, tools: Any, questions: dict[str, Question], image: str
) -> None:
    _, content, _ = ask(model_at, tools, questions["s2"], image=image)
    texts = [part["text"] for part in content if part["type"] == "text"]
    assert texts == [
        text for letter in "ABCD" for text in (f"Moment {letter}:", "Frame at 0.00 s:", "Frame at 1.00 s:")
    ] + [questions["s2"].prompt]
    # Each label is followed by its picture: clip B begins with frame 1000, ten frames a second.
    shown = []
    for label, part in itertools.pairwise(content):
        if part["type"] == "image_url":
            kind, data = tools.data_of(part["image_url"]["url"])
            assert kind == f"image/{image}"
            shown.append((label["text"], tools.number_in(data)))
    assert shown == [
        (f"Frame at {second}.00 s:", 1000 * clip + 10 * second) for clip in range(4) for second in range(2)
    ]


def test_s3_shows_the_frames_of_video_b(model_at: Any, tools: Any, questions: dict[str, Question]) -> None:
    _, content, _ = ask(model_at, tools, questions["s3"])
    assert content[0] == {"type": "text", "text": "The video:"}
    pictures = [tools.data_of(part["image_url"]["url"])[1] for part in content if part["type"] == "image_url"]
    assert [tools.number_in(data) for data in pictures] == [0, 10, 20, 30, 40, 50]
    assert content[-1]["text"] == questions["s3"].prompt


def test_twelve_uniform_frames_are_the_centres_of_twelve_parts(
    model_at: Any, tools: Any, questions: dict[str, Question]
) -> None:
    _, content, _ = ask(model_at, tools, questions["s3"], count=12)
    times = [part["text"] for part in content[1:-1] if part["type"] == "text"]
    # Six seconds in twelve parts: centres at 0.25, 0.75, …; the frame on screen then is the 2nd, the 7th, …
    assert times == [f"Frame at {0.25 + 0.5 * part:.2f} s:" for part in range(12)]
    pictures = [tools.data_of(part["image_url"]["url"])[1] for part in content if part["type"] == "image_url"]
    assert [tools.number_in(data) for data in pictures] == [2, 7, 12, 17, 22, 27, 32, 37, 42, 47, 52, 57]


def test_a_video_url_is_a_whole_video_with_sound(
    model_at: Any, tools: Any, questions: dict[str, Question], tmp_path: Path
) -> None:
    import av

    _, content, _ = ask(model_at, tools, questions["s3"], media="video")
    assert [part["type"] for part in content] == ["text", "video_url", "text"]
    kind, data = tools.data_of(content[1]["video_url"]["url"])
    assert kind == "video/mp4"
    frames = tools.frames_in(data)
    assert frames[0].shape == (224, 224, 3)
    from cmb_harness.media.signature import read_time_code

    assert [read_time_code(frame) for frame in frames] == list(range(60))
    (tmp_path / "sent.mp4").write_bytes(data)
    with av.open(str(tmp_path / "sent.mp4")) as container:
        assert [stream.type for stream in container.streams] == ["video", "audio"]
        # AAC adds a block of 1024 samples or two at the ends.
        assert float(
            container.streams.audio[0].duration * container.streams.audio[0].time_base
        ) == pytest.approx(6, abs=0.15)


@pytest.mark.parametrize("stage", ["s1", "s2", "s3"])
@pytest.mark.parametrize("sent", ["frames", "video"])
def test_no_request_tells_the_item_or_a_file(
    model_at: Any, tools: Any, questions: dict[str, Question], stage: str, sent: str, cache: Path
) -> None:
    question = questions[stage]
    _, _, request = ask(model_at, tools, question, media=sent)
    everything = request.body.decode() + repr(request.headers) + request.path
    files = [*question.clips, *([question.video] if question.video else [])]
    for secret in (tools.ITEM_ID, tools.VIDEO_ID, str(cache), "clips/", *(path.stem for path in files)):
        assert secret not in everything


def test_a_systems_text_and_extra_fields_are_sent(
    model_at: Any, tools: Any, questions: dict[str, Question]
) -> None:
    extra = {"chat_template_kwargs": {"enable_thinking": False}, "top_k": 1}
    _, _, request = ask(model_at, tools, questions["s1"], system="Think first.", extra=extra)
    assert request.json["messages"][0] == {"role": "system", "content": "Think first."}
    assert request.json["chat_template_kwargs"] == {"enable_thinking": False}
    assert request.json["top_k"] == 1


@pytest.mark.parametrize("name", [name for name, setup in presets().items() if setup.adapter == "openai"])
def test_every_preset_can_be_asked(
    model_at: Any, tools: Any, questions: dict[str, Question], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, content, request = ask(model_at, tools, questions["s3"], name=name)
    pictures = sum(part["type"] == "image_url" for part in content)
    # The paper (4.1): one frame a second, and twelve uniform ones for InternVL.
    assert pictures == (12 if name.startswith("internvl") else 6)
    assert request.json["model"] == presets()[name].model


def test_text_only_sends_no_media(model_at: Any, tools: Any, questions: dict[str, Question]) -> None:
    for stage in ("s2", "s3"):
        _, content, _ = ask(model_at, tools, questions[stage], probe="text-only")
        assert content == questions[stage].prompt


def test_single_frame_sends_the_middle_one(model_at: Any, tools: Any, questions: dict[str, Question]) -> None:
    _, content, _ = ask(model_at, tools, questions["s3"], probe="single-frame")
    assert content[1]["text"] == "Frame at 3.00 s:"
    assert tools.number_in(tools.data_of(content[2]["image_url"]["url"])[1]) == 30
    assert len(content) == 4


def test_shuffled_frames_are_the_same_frames_under_the_times_in_order(
    model_at: Any, tools: Any, questions: dict[str, Question]
) -> None:
    _, content, _ = ask(model_at, tools, questions["s3"], probe="shuffled-frames")
    times = [part["text"] for part in content[1:-1] if part["type"] == "text"]
    assert times == [f"Frame at {second}.00 s:" for second in range(6)]
    numbers = [
        tools.number_in(tools.data_of(part["image_url"]["url"])[1])
        for part in content
        if part["type"] == "image_url"
    ]
    assert sorted(numbers) == [0, 10, 20, 30, 40, 50]
    assert numbers != sorted(numbers)


def test_audio_only_sends_the_sound_of_the_options(
    model_at: Any, tools: Any, questions: dict[str, Question]
) -> None:
    import base64
    import io
    import wave

    import numpy as np

    _, content, _ = ask(model_at, tools, questions["s2"], probe="audio-only")
    assert [part["type"] for part in content] == ["text", "input_audio"] * 4 + ["text"]
    assert content[1]["input_audio"]["format"] == "wav"
    with wave.open(io.BytesIO(base64.b64decode(content[1]["input_audio"]["data"]))) as sound:
        assert (sound.getnchannels(), sound.getframerate()) == (1, 16000)
        samples = np.frombuffer(sound.readframes(sound.getnframes()), dtype=np.int16)
    assert len(samples) / 16000 == pytest.approx(2, abs=0.15)
    # The tone: 0.1 radians a sample, 16000 samples a second.
    loudest = np.argmax(np.abs(np.fft.rfft(samples[4000:20000])))
    assert loudest == pytest.approx(0.1 / (2 * np.pi) * 16000, abs=2)


def test_a_probe_is_told_by_the_name_and_the_settings(model_at: Any, tools: Any) -> None:
    model, _ = model_at(lambda request: tools.Reply(tools.chat("B")), probe="text-only")
    assert model.name == "some-model+text-only"
    assert model.settings["probe"] == "text-only"
    assert model.needs_media == frozenset()


def test_a_refusal_is_an_answer(model_at: Any, tools: Any, questions: dict[str, Question]) -> None:
    refused = tools.chat(None, message={"refusal": "I can't help with that."})
    model, server = model_at(lambda request: tools.Reply(refused))
    answer = model.answer(questions["s1"])
    assert (answer.text, answer.refused, len(server.requests)) == ("I can't help with that.", True, 1)


def test_an_answer_that_the_filter_cut_is_a_refusal(
    model_at: Any, tools: Any, questions: dict[str, Question]
) -> None:
    cut = tools.chat("")
    cut["choices"][0]["finish_reason"] = "content_filter"
    model, _ = model_at(lambda request: tools.Reply(cut))
    assert model.answer(questions["s1"]).refused


def test_a_prompt_that_the_filter_rejects_is_a_refusal(
    model_at: Any, tools: Any, questions: dict[str, Question]
) -> None:
    error = {"error": {"message": "The prompt was filtered.", "code": "content_filter", "type": None}}
    model, server = model_at(lambda request: tools.Reply(error, status=400))
    answer = model.answer(questions["s1"])
    assert (answer.text, answer.refused, len(server.requests)) == ("", True, 1)
    assert answer.details["error"] == "The prompt was filtered."


def test_an_answer_cut_short_is_an_answer(model_at: Any, tools: Any, questions: dict[str, Question]) -> None:
    short = tools.chat(None, message={"reasoning_content": "Let me think about"})
    short["choices"][0]["finish_reason"] = "length"
    model, _ = model_at(lambda request: tools.Reply(short))
    answer = model.answer(questions["s1"])
    assert (answer.text, answer.refused) == ("", False)
    assert answer.details == {
        "model": "served-model-2026",
        "finish_reason": "length",
        "reasoning": "Let me think about",
    }


@pytest.mark.parametrize(
    ("reply", "message", "wait_s"),
    [
        ({"status": 429, "headers": {"retry-after": "7"}}, "429: ", 7.0),
        ({"status": 429, "headers": {"retry-after": "soon"}}, "429: ", None),
        ({"status": 429, "headers": {"retry-after": "-3"}}, "429: ", 0.0),
        ({"status": 429, "headers": {"retry-after": "inf"}}, "429: ", None),
        ({"status": 429}, "429: ", None),
        ({"status": 500, "body": "<html>oh</html>"}, "500: ", None),
        ({"status": 503, "headers": {"retry-after": "1.5"}}, "503: ", 1.5),
        ({"status": 408}, "408: ", None),
        ({"cut": True}, "connection: ", None),
        ({"body": "{not json"}, "unreadable response: ", None),
        ({"body": "[]"}, "unreadable response: ", None),
        ({"body": "{}"}, "unreadable response: ", None),
        ({"body": '{"choices": []}'}, "unreadable response: ", None),
        ({"body": '{"choices": null}'}, "unreadable response: ", None),
        (
            {"body": "<html>hello</html>", "headers": {"content-type": "text/html"}},
            "unreadable response: ",
            None,
        ),
        ({"wait_s": 20}, "timeout: none within 0.5 s", None),
    ],
    ids=lambda value: str(value)[:40],
)
def test_no_answer_is_a_transport_error_and_is_worth_another_try(
    model_at: Any,
    tools: Any,
    questions: dict[str, Question],
    reply: dict[str, Any],
    message: str,
    wait_s: float | None,
) -> None:
    timeout_s = 0.5 if "wait_s" in reply else 60
    model, server = model_at(
        lambda request: tools.Reply(**{"body": tools.chat("B"), **reply}), timeout_s=timeout_s
    )
    with pytest.raises(TransportError) as caught:
        model.answer(questions["s1"])
    assert str(caught.value).startswith(message)
    assert caught.value.retry_after_s == wait_s
    assert not caught.value.final
    # The client's own retries are off: the runner counts and spaces them.
    assert len(server.requests) == 1


def test_retry_after_may_be_a_date(model_at: Any, tools: Any, questions: dict[str, Question]) -> None:
    date = email.utils.formatdate(time.time() + 60, usegmt=True)
    model, _ = model_at(lambda request: tools.Reply(status=429, headers={"retry-after": date}))
    with pytest.raises(TransportError) as caught:
        model.answer(questions["s1"])
    assert caught.value.retry_after_s == pytest.approx(60, abs=3)


def test_a_server_that_is_not_there_is_a_transport_error(questions: dict[str, Question], cache: Path) -> None:
    changes = {"base_url": "http://127.0.0.1:9/v1"}
    model = load_model("openai:some-model", cache=cache, changes=changes)
    with pytest.raises(TransportError, match=r"^connection: "):
        model.answer(questions["s1"])


def test_a_request_that_is_too_long_is_not_worth_another_try(
    model_at: Any, tools: Any, questions: dict[str, Question]
) -> None:
    error = {"error": {"message": "maximum context length is 8192 tokens", "code": "context_length_exceeded"}}
    model, _ = model_at(lambda request: tools.Reply(error, status=400))
    with pytest.raises(TransportError, match=r"^400: maximum context length") as caught:
        model.answer(questions["s1"])
    assert caught.value.final


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_no_question_would_get_past_stops_the_run(
    model_at: Any, tools: Any, questions: dict[str, Question], status: int
) -> None:
    error = {"error": {"message": "No such model,\x1b[31m or no such key", "code": None}}
    model, _ = model_at(lambda request: tools.Reply(error, status=status))
    with pytest.raises(
        InputError, match=f"the server refuses every question: {status}: No such model"
    ) as caught:
        model.answer(questions["s1"])
    assert "\x1b" not in str(caught.value)


def test_an_empty_account_stops_the_run(model_at: Any, tools: Any, questions: dict[str, Question]) -> None:
    error = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
    model, _ = model_at(lambda request: tools.Reply(error, status=429))
    with pytest.raises(InputError, match="You exceeded your quota"):
        model.answer(questions["s1"])


def test_a_key_comes_from_the_environment_and_stays_out_of_the_settings(
    model_at: Any, tools: Any, questions: dict[str, Question], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-secret-1")
    _, _, request = ask(model_at, tools, questions["s1"], key_variable="SOME_KEY")
    assert request.headers["authorization"] == "Bearer sk-secret-1"
    model, _ = model_at(lambda request: tools.Reply(tools.chat("B")), key_variable="SOME_KEY")
    assert "sk-secret-1" not in repr(model.settings)


def test_a_missing_key_is_told(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for name in ("gpt-5.4", "openai:gpt-5.4"):
        with pytest.raises(InputError, match="environment variable OPENAI_API_KEY is not set"):
            load_model(name, cache=cache)
