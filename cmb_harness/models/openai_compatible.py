"""Any server of the OpenAI chat interface: OpenAI's own, vLLM, SGLang, llama.cpp. Needs the extra ``openai``."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.models.interface import Answer, Blob, File, Part, Question, Text, TransportError
from cmb_harness.models.parts import Viewer
from cmb_harness.models.servers import FATAL, PASSING, key_of, one_line, retry_after
from cmb_harness.models.setup import Setup

# Error codes by which a vendor's filter withholds an answer.
FILTERED = frozenset({"content_filter", "content_policy_violation", "invalid_prompt", "safety"})


class OpenAICompatible:
    """One model of one server.

    Args:
        name: what predictions call it.
        setup: how it is reached and asked.
        viewer: makes the parts.

    Raises:
        InputError: the client is not installed, or the key's variable is not set.
    """

    def __init__(self, name: str, setup: Setup, viewer: Viewer):
        try:
            from openai import OpenAI
        except ImportError:
            raise InputError(
                "the OpenAI client is not installed: pip install 'cmb-benchmark[openai]'"
            ) from None
        self.name = name
        self.parallel = setup.parallel
        self.settings: Mapping[str, Any] = setup.settings
        self.needs_media = viewer.look.stages_with_media
        self.setup = setup
        self._viewer = viewer
        # Retries are the runner's: it counts them, spaces them and keeps all workers from a server that asks for peace.
        self._client = OpenAI(
            api_key=key_of(setup), base_url=setup.base_url, timeout=setup.timeout_s, max_retries=0
        )

    def shown(self, question: Question) -> Sequence[Part]:
        """The parts of the request, the system's text first."""
        system = [Text(self.setup.system)] if self.setup.system else []
        return [*system, *self._viewer.parts(question)]

    def answer(self, question: Question) -> Answer:
        """One request.

        Raises:
            TransportError: no answer came.
            OpenItem: the media cannot be read.
            InputError: the server accepts no question of ours.
        """
        import openai

        request = self._request(question)
        try:
            return answer_of(self._client.chat.completions.create(**request))
        except openai.APITimeoutError:
            raise TransportError(f"timeout: none within {self.setup.timeout_s:g} s") from None
        except openai.APIStatusError as error:
            return withheld(error)
        except openai.APIConnectionError as error:
            raise TransportError(f"connection: {error.__cause__ or error}") from None
        except (openai.APIError, ValueError) as error:
            raise TransportError(f"unreadable response: {error}") from None

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _request(self, question: Question) -> dict[str, Any]:
        setup = self.setup
        system = [{"role": "system", "content": setup.system}] if setup.system else []
        content = [content_of(part) for part in self._viewer.parts(question)]
        # A question of text alone is sent as text: that is the form which every server knows.
        asked = content[0]["text"] if len(content) == 1 else content
        chosen = {
            "temperature": setup.temperature,
            "max_completion_tokens": setup.max_tokens,
            "reasoning_effort": setup.effort,
            "extra_body": dict(setup.extra) or None,
        }
        return {
            "model": setup.model,
            "messages": [*system, {"role": "user", "content": asked}],
            **{name: value for name, value in chosen.items() if value is not None},
        }


def content_of(part: Part) -> dict[str, Any]:
    """One part as the chat interface has it; media travel as data URLs, so without a name."""
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    if isinstance(part, File):
        part = Blob(part.path.read_bytes(), part.mime)
    data = base64.b64encode(part.data).decode("ascii")
    if part.mime.startswith("audio/"):
        return {
            "type": "input_audio",
            "input_audio": {"data": data, "format": part.mime.removeprefix("audio/")},
        }
    kind = "video_url" if part.mime.startswith("video/") else "image_url"
    return {"type": kind, kind: {"url": f"data:{part.mime};base64,{data}"}}


def answer_of(response: Any) -> Answer:
    """What a response of the server says.

    Raises:
        TransportError: it is no chat completion.
    """
    try:
        choice = response.choices[0]
        message = choice.message
        text, refusal = message.content, getattr(message, "refusal", None)
    except (AttributeError, IndexError, TypeError):
        raise TransportError("unreadable response: no chat completion") from None
    more = getattr(message, "model_extra", None) or {}
    reasoning = more.get("reasoning_content") or more.get("reasoning")
    details = {"model": response.model, "finish_reason": choice.finish_reason, "reasoning": reasoning}
    return Answer(
        text if isinstance(text, str) else refusal or "",
        usage_of(response.usage),
        refused=choice.finish_reason == "content_filter" or (not text and bool(refusal)),
        details={name: value for name, value in details.items() if value},
    )


def usage_of(usage: Any) -> dict[str, int]:
    """Token counts of a response; what the server does not count is left out."""
    completion = getattr(usage, "completion_tokens_details", None)
    counts = {
        "input_tokens": getattr(usage, "prompt_tokens", None),
        "output_tokens": getattr(usage, "completion_tokens", None),
        "thinking_tokens": getattr(completion, "reasoning_tokens", None),
    }
    return {name: count for name, count in counts.items() if isinstance(count, int)}


def withheld(error: Any) -> Answer:
    """What an error status means: a filter's refusal is an answer, all else is none.

    Raises:
        TransportError: no answer came.
        InputError: every question would fail.
    """
    body = error.body if isinstance(error.body, dict) else {}
    status, code, message = (
        error.status_code,
        str(error.code or ""),
        one_line(body.get("message") or error.message),
    )
    if status == 400 and code in FILTERED:
        return Answer("", refused=True, details={"error": message})
    if status in FATAL or code == "insufficient_quota":
        raise InputError(f"the server refuses every question: {status}: {message}")
    if status in PASSING or status >= 500:
        raise TransportError(f"{status}: {message}", retry_after_s=retry_after(error.response.headers))
    raise TransportError(f"{status}: {message}", final=True)
