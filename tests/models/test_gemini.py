"""The real ``google-genai`` client against a server that takes uploads, looks at requests and misbehaves on demand."""

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.faults import InputError
from cmb_harness.media.signature import read_time_code
from cmb_harness.models import gemini, load_model
from cmb_harness.models.interface import Model, Question, TransportError

pytest.importorskip("google.genai", reason="the extra gemini is not installed")

# The client's versions differ in the version of the interface that they speak.
VERSION = re.compile(r"/v1[a-z]*/")


def said(text: str, **more: Any) -> dict[str, Any]:
    """A response as the vendor's reference shows it."""
    candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP", "index": 0}
    usage = {
        "promptTokenCount": 300,
        "candidatesTokenCount": 4,
        "thoughtsTokenCount": 9,
        "totalTokenCount": 313,
    }
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-served", **more}


class Vendor:
    """The vendor's side: files that are processed for a while, and answers by a function."""

    def __init__(self, tools: Any, answer: Callable[[Any], Any]):
        self.tools, self.answer = tools, answer
        self.files: dict[str, bytes] = {}
        self.asked: list[Any] = []
        self.deleted: list[str] = []
        self.state = "ACTIVE"
        self.looks = 0
        self.url = ""

    def __call__(self, request: Any) -> Any:
        path = VERSION.sub("/", request.path.partition("?")[0])
        if path == "/upload/files":
            return self.tools.Reply(
                {}, headers={"x-goog-upload-url": f"{self.url}/put/{len(self.files) + 1}"}
            )
        if path.startswith("/put/"):
            self.files[name := f"files/{path.removeprefix('/put/')}"] = request.body
            return self.tools.Reply(
                {"file": self.described(name, self.state)}, headers={"x-goog-upload-status": "final"}
            )
        if request.method == "DELETE":
            self.deleted.append(path.removeprefix("/"))
            return self.tools.Reply({})
        if request.method == "GET":
            self.looks += 1
            return self.tools.Reply(self.described(path.removeprefix("/"), "ACTIVE"))
        self.asked.append(request)
        return self.answer(request)

    def described(self, name: str, state: str) -> dict[str, Any]:
        return {"name": name, "uri": f"{self.url}/v1beta/{name}", "mimeType": "video/mp4", "state": state}


@pytest.fixture
def model_at(
    serve: Any, tools: Any, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[Model, Vendor, Any]]:
    """``model_at(answer, **settings)``: a model, the vendor, and the vendor's server."""
    monkeypatch.setenv("GEMINI_API_KEY", "gemini-secret-1")
    monkeypatch.setattr(gemini, "LOOK_EVERY_S", 0.01)

    def make(answer: Callable[[Any], Any] | None = None, **settings: Any) -> tuple[Model, Vendor, Any]:
        vendor = Vendor(tools, answer or (lambda request: tools.Reply(said("B"))))
        server = serve(vendor)
        vendor.url = server.url
        name, probe = settings.pop("name", "gemini:some-model"), settings.pop("probe", None)
        changes = {"base_url": server.url, "timeout_s": 60, **settings}
        return load_model(name, cache=cache, probe=probe, changes=changes), vendor, server

    return make


def body_of(request: Any) -> Any:
    """The body with its names in one form: the interface takes both, and the client's versions mix them."""

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                re.sub("_([a-z])", lambda m: m[1].upper(), name): renamed(each)
                for name, each in value.items()
            }
        return [renamed(each) for each in value] if isinstance(value, list) else value

    return renamed(request.json)


def parts_of(request: Any) -> list[dict[str, Any]]:
    (content,) = body_of(request)["contents"]
    return content["parts"]  # type: ignore[no-any-return]


def test_s1_is_text_alone(model_at: Any, questions: dict[str, Question]) -> None:
    model, vendor, _ = model_at(temperature=0, max_tokens=64, thinking_tokens=32, system="Be brief.")
    answer = model.answer(questions["s1"])
    (request,) = vendor.asked
    assert VERSION.sub("/", request.path) == "/models/some-model:generateContent"
    assert request.headers["x-goog-api-key"] == "gemini-secret-1"
    assert parts_of(request) == [{"text": questions["s1"].prompt}]
    assert body_of(request)["generationConfig"] == {
        "temperature": 0,
        "maxOutputTokens": 64,
        "thinkingConfig": {"thinkingBudget": 32},
    }
    assert body_of(request)["systemInstruction"]["parts"] == [{"text": "Be brief."}]
    assert (answer.text, answer.refused) == ("B", False)
    assert answer.usage == {"input_tokens": 300, "output_tokens": 4, "thinking_tokens": 9}
    assert answer.details == {"model": "gemini-served", "finish_reason": "STOP"}


def test_s3_uploads_the_video_with_its_sound_and_sets_the_fps(
    model_at: Any, tools: Any, questions: dict[str, Question], tmp_path: Path
) -> None:
    import av

    model, vendor, _ = model_at(name="gemini-3.1-pro")
    model.answer(questions["s3"])
    label, video, prompt = parts_of(vendor.asked[0])
    assert (label, prompt) == ({"text": "The video:"}, {"text": questions["s3"].prompt})
    assert video == {
        "fileData": {"fileUri": f"{vendor.url}/v1beta/files/1", "mimeType": "video/mp4"},
        "videoMetadata": {"fps": 1.0},
    }
    assert body_of(vendor.asked[0])["generationConfig"] == {"mediaResolution": "MEDIA_RESOLUTION_LOW"}
    sent = vendor.files["files/1"]
    frames = tools.frames_in(sent)
    assert frames[0].shape == (224, 224, 3)
    assert [read_time_code(frame) for frame in frames] == list(range(60))
    (tmp_path / "sent.mp4").write_bytes(sent)
    with av.open(str(tmp_path / "sent.mp4")) as container:
        assert [stream.type for stream in container.streams] == ["video", "audio"]


def test_s2_uploads_four_clips_under_their_letters(
    model_at: Any, tools: Any, questions: dict[str, Question]
) -> None:
    model, vendor, _ = model_at()
    model.answer(questions["s2"])
    parts = parts_of(vendor.asked[0])
    assert [part.get("text") for part in parts] == [
        *(text for letter in "ABCD" for text in (f"Moment {letter}:", None)),
        questions["s2"].prompt,
    ]
    names = [part["fileData"]["fileUri"].rsplit("/", 1)[1] for part in parts if "fileData" in part]
    firsts = [read_time_code(tools.frames_in(vendor.files[f"files/{name}"])[0]) for name in names]
    assert firsts == [0, 1000, 2000, 3000]


def test_a_file_is_uploaded_once_and_removed_in_the_end(
    model_at: Any, questions: dict[str, Question]
) -> None:
    model, vendor, _ = model_at()
    for _ in range(3):
        model.answer(questions["s2"])
        model.answer(questions["s3"])
    assert len(vendor.files) == 5
    model.close()
    assert sorted(vendor.deleted) == sorted(vendor.files)


def test_a_file_is_used_when_the_server_is_done_with_it(
    model_at: Any, questions: dict[str, Question]
) -> None:
    model, vendor, _ = model_at()
    vendor.state = "PROCESSING"
    model.answer(questions["s3"])
    assert (vendor.looks, len(vendor.asked)) == (1, 1)


def test_a_file_that_the_server_cannot_use_leaves_the_item_open(
    model_at: Any, questions: dict[str, Question]
) -> None:
    model, vendor, _ = model_at()
    vendor.state = "FAILED"
    with pytest.raises(TransportError, match="could not process a video"):
        model.answer(questions["s3"])
    assert vendor.asked == []


@pytest.mark.parametrize("stage", ["s2", "s3"])
def test_no_request_tells_the_item_or_a_file(
    model_at: Any, tools: Any, questions: dict[str, Question], stage: str, cache: Path
) -> None:
    question = questions[stage]
    model, _, server = model_at()
    model.answer(question)
    files = [*question.clips, *([question.video] if question.video else [])]
    for request in server.requests:
        everything = request.body.decode("latin-1") + repr(request.headers) + request.path
        for secret in (tools.ITEM_ID, tools.VIDEO_ID, str(cache), *(path.stem for path in files)):
            assert secret not in everything


def test_frames_can_be_sent_in_place_of_videos(
    model_at: Any, tools: Any, questions: dict[str, Question]
) -> None:
    model, vendor, _ = model_at(media="frames")
    model.answer(questions["s3"])
    data = [
        base64.urlsafe_b64decode(part["inlineData"]["data"])
        for part in parts_of(vendor.asked[0])
        if "inlineData" in part
    ]
    assert [tools.number_in(picture) for picture in data] == [0, 10, 20, 30, 40, 50]


def test_probes_of_frames_send_frames(model_at: Any, tools: Any, questions: dict[str, Question]) -> None:
    model, vendor, _ = model_at(probe="single-frame")
    model.answer(questions["s3"])
    assert vendor.files == {}
    assert parts_of(vendor.asked[0])[1] == {"text": "Frame at 3.00 s:"}


def test_thoughts_are_no_part_of_the_answer(
    model_at: Any, tools: Any, questions: dict[str, Question]
) -> None:
    response = said("B")
    response["candidates"][0]["content"]["parts"].insert(0, {"text": "It could be A.", "thought": True})
    model, _, _ = model_at(lambda request: tools.Reply(response))
    answer = model.answer(questions["s1"])
    assert (answer.text, answer.details["reasoning"]) == ("B", "It could be A.")


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, "PROHIBITED_CONTENT"),
        ({"candidates": [{"finishReason": "SAFETY", "index": 0}]}, "SAFETY"),
        ({"candidates": [{"finishReason": "RECITATION", "content": {"role": "model"}}]}, "RECITATION"),
    ],
)
def test_what_the_vendor_withholds_is_a_refusal(
    model_at: Any, tools: Any, questions: dict[str, Question], response: dict[str, Any], reason: str
) -> None:
    model, vendor, _ = model_at(lambda request: tools.Reply(response))
    answer = model.answer(questions["s1"])
    assert (answer.text, answer.refused, answer.details["finish_reason"]) == ("", True, reason)
    assert len(vendor.asked) == 1


def error(status: int, message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"code": status, "message": message, "status": "SOME_STATUS", **more}}


RETRY_INFO = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "27.5s"}]


@pytest.mark.parametrize(
    ("reply", "message", "wait_s"),
    [
        (
            {"status": 429, "body": error(429, "slow down"), "headers": {"retry-after": "7"}},
            "429: slow down",
            7.0,
        ),
        ({"status": 429, "body": error(429, "slow down", details=RETRY_INFO)}, "429: slow down", 27.5),
        ({"status": 429, "body": error(429, "slow down")}, "429: slow down", None),
        ({"status": 500, "body": "<html>oh</html>"}, "500: ", None),
        ({"status": 503, "body": error(503, "overloaded")}, "503: overloaded", None),
        ({"cut": True}, "connection: ", None),
        ({"body": "{not json"}, "unreadable response: ", None),
        ({"body": "{}"}, "unreadable response: ", None),
        ({"wait_s": 20}, "timeout: ", None),
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
    model, vendor, _ = model_at(
        lambda request: tools.Reply(**{"body": said("B"), **reply}), timeout_s=timeout_s
    )
    with pytest.raises(TransportError) as caught:
        model.answer(questions["s1"])
    assert str(caught.value).startswith(message)
    assert (caught.value.retry_after_s, caught.value.final) == (wait_s, False)
    assert len(vendor.asked) == 1


def test_a_bad_request_is_not_worth_another_try(
    model_at: Any, tools: Any, questions: dict[str, Question]
) -> None:
    model, _, _ = model_at(lambda request: tools.Reply(error(400, "too many tokens"), status=400))
    with pytest.raises(TransportError, match=r"^400: too many tokens") as caught:
        model.answer(questions["s1"])
    assert caught.value.final


@pytest.mark.parametrize(
    ("status", "details"),
    [(403, []), (404, []), (400, [{"reason": "API_KEY_INVALID", "domain": "googleapis.com"}])],
)
def test_what_no_question_would_get_past_stops_the_run(
    model_at: Any, tools: Any, questions: dict[str, Question], status: int, details: list[Any]
) -> None:
    model, _, _ = model_at(lambda request: tools.Reply(error(status, "no", details=details), status=status))
    with pytest.raises(InputError, match="the server refuses every question"):
        model.answer(questions["s1"])


def test_a_failed_upload_is_a_transport_error(
    serve: Any, tools: Any, questions: dict[str, Question], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "gemini-secret-1")
    server = serve(lambda request: tools.Reply(error(503, "overloaded"), status=503))
    model = load_model("gemini:some-model", cache=cache, changes={"base_url": server.url})
    with pytest.raises(TransportError, match=r"^503: overloaded"):
        model.answer(questions["s3"])


def test_an_unknown_field_of_extra_is_told(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "gemini-secret-1")
    with pytest.raises(InputError, match=r"some-model: extra: .*mediaRevolution"):
        load_model("gemini:some-model", cache=cache, changes={"extra": {"mediaRevolution": "LOW"}})


def test_a_missing_key_is_told(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    with pytest.raises(InputError, match="GEMINI_API_KEY is not set"):
        load_model("gemini-3.1-pro", cache=cache)
