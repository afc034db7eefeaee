"""Gemini: videos are uploaded with their sound, and sampled by the server at our fps. Needs the extra ``gemini``."""

import contextlib
import re
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.models.interface import Answer, Blob, File, Part, Question, Text, TransportError
from cmb_harness.models.parts import Viewer
from cmb_harness.models.servers import FATAL, PASSING, key_of, one_line, retry_after
from cmb_harness.models.setup import Setup

# Why an answer ends when the vendor withholds it.
WITHHELD = frozenset(
    {
        "SAFETY",
        "PROHIBITED_CONTENT",
        "BLOCKLIST",
        "SPII",
        "RECITATION",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
    }
)

# The server keeps a file for 48 hours.
FILE_LIFE_S = 40 * 3600
LOOK_EVERY_S = 1.0


class Gemini:
    """One model of the Gemini interface.

    Args:
        name: what predictions call it.
        setup: how it is reached and asked.
        viewer: makes the parts.

    Raises:
        InputError: the client is not installed, the key's variable is not set, or ``extra`` holds an unknown field.
    """

    def __init__(self, name: str, setup: Setup, viewer: Viewer):
        try:
            from google import genai
        except ImportError:
            raise InputError(
                "the Gemini client is not installed: pip install 'cmb-benchmark[gemini]'"
            ) from None
        self.name = name
        self.parallel = setup.parallel
        self.settings: Mapping[str, Any] = setup.settings
        self.needs_media = viewer.look.stages_with_media
        self.setup = setup
        self._viewer = viewer
        self._config = generation_config(setup)
        options = genai.types.HttpOptions(base_url=setup.base_url, timeout=round(setup.timeout_s * 1000))
        # A key in the environment must not win over the setup's, nor another vendor service over this one.
        self._client = genai.Client(api_key=key_of(setup), http_options=options, vertexai=False)
        self._uploads = Uploads(self._client)

    def shown(self, question: Question) -> Sequence[Part]:
        """The parts of the request, the system's text first."""
        system = [Text(self.setup.system)] if self.setup.system else []
        return [*system, *self._viewer.parts(question)]

    def answer(self, question: Question) -> Answer:
        """One request, after the uploads that it needs.

        Raises:
            TransportError: no answer came.
            OpenItem: the media cannot be read.
            InputError: the server accepts no question of ours.
        """
        from google.genai import errors

        parts = self._viewer.parts(question)
        try:
            contents = [self._content(part) for part in parts]
            response = self._client.models.generate_content(
                model=self.setup.model, contents=contents, config=self._config
            )
        except errors.APIError as error:
            raise unanswered(error) from None
        except http_errors() as error:
            kind = "timeout" if "timeout" in type(error).__name__.lower() else "connection"
            raise TransportError(f"{kind}: {error or type(error).__name__}") from None
        except (ValueError, KeyError) as error:
            raise TransportError(f"unreadable response: {one_line(error)}") from None
        return answer_of(response)

    def close(self) -> None:
        """Remove what was uploaded."""
        self._uploads.remove()

    def _content(self, part: Part) -> Any:
        from google.genai import types

        if isinstance(part, Text):
            return types.Part(text=part.text)
        if isinstance(part, Blob):
            return types.Part(inline_data=types.Blob(data=part.data, mime_type=part.mime))
        return types.Part(
            file_data=types.FileData(file_uri=self._uploads.uri(part), mime_type=part.mime),
            video_metadata=types.VideoMetadata(fps=self.setup.fps),
        )


class Uploads:
    """Files at the server, each uploaded once in a run. Safe to use from several threads."""

    def __init__(self, client: Any):
        self._client = client
        self._files: dict[Path, tuple[Any, float]] = {}
        self._locks: dict[Path, threading.Lock] = {}
        self._guard = threading.Lock()

    def uri(self, file: File) -> str:
        """Where the server has the file, ready for use.

        Raises:
            TransportError: the server could not take it in.
        """
        with self._guard:
            lock = self._locks.setdefault(file.path, threading.Lock())
        with lock:
            kept = self._files.get(file.path)
            if kept is None or time.monotonic() - kept[1] > FILE_LIFE_S:
                kept = (self._upload(file), time.monotonic())
                self._files[file.path] = kept
            return str(kept[0].uri)

    def remove(self) -> None:
        """Remove all of them from the server; one that stays behind ends by itself after two days."""
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(self._remove, [uploaded.name for uploaded, _ in self._files.values()]))
        self._files.clear()

    def _remove(self, name: str) -> None:
        from google.genai import errors

        with contextlib.suppress(errors.APIError, *http_errors()):
            self._client.files.delete(name=name)

    def _upload(self, file: File) -> Any:
        from google.genai import types

        # Given a path, the client tells the server the file's name, which is an id; an open file has none.
        with file.path.open("rb") as handle:
            uploaded = self._client.files.upload(
                file=handle, config=types.UploadFileConfig(mime_type=file.mime)
            )
        while uploaded.state is not None and uploaded.state.name == "PROCESSING":
            time.sleep(LOOK_EVERY_S)
            uploaded = self._client.files.get(name=uploaded.name)
        if uploaded.state is not None and uploaded.state.name == "FAILED":
            raise TransportError("upload: the server could not process a video")
        return uploaded


def generation_config(setup: Setup) -> Any:
    """What goes with each request beside its parts.

    Raises:
        InputError: ``extra`` holds a field that the client does not know.
    """
    from google.genai import types

    thinking = {"thinking_level": setup.effort, "thinking_budget": setup.thinking_tokens}
    thinking = {name: value for name, value in thinking.items() if value is not None}
    fields: dict[str, Any] = {
        "system_instruction": setup.system,
        "temperature": setup.temperature,
        "max_output_tokens": setup.max_tokens,
        "thinking_config": thinking or None,
    }
    try:
        return types.GenerateContentConfig(
            **{name: value for name, value in fields.items() if value is not None}, **setup.extra
        )
    except (ValueError, TypeError) as error:
        raise InputError(f"{setup.model}: extra: {one_line(error)}") from None


def answer_of(response: Any) -> Answer:
    """What a response of the server says.

    Raises:
        TransportError: it holds no candidate and no reason for that.
    """
    feedback = response.prompt_feedback
    if feedback is not None and feedback.block_reason is not None:
        reason = getattr(feedback.block_reason, "name", str(feedback.block_reason))
        return Answer("", usage_of(response.usage_metadata), refused=True, details={"finish_reason": reason})
    if not response.candidates:
        raise TransportError("unreadable response: no candidate")
    candidate = response.candidates[0]
    parts = (candidate.content.parts if candidate.content else None) or []
    reason = getattr(candidate.finish_reason, "name", None)
    details = {
        "model": response.model_version,
        "finish_reason": reason,
        "reasoning": "".join(part.text for part in parts if part.text and part.thought),
    }
    return Answer(
        "".join(part.text for part in parts if part.text and not part.thought),
        usage_of(response.usage_metadata),
        refused=reason in WITHHELD,
        details={name: value for name, value in details.items() if value},
    )


def usage_of(usage: Any) -> dict[str, int]:
    """Token counts of a response; what the server does not count is left out."""
    counts = {
        "input_tokens": getattr(usage, "prompt_token_count", None),
        "output_tokens": getattr(usage, "candidates_token_count", None),
        "thinking_tokens": getattr(usage, "thoughts_token_count", None),
    }
    return {name: count for name, count in counts.items() if isinstance(count, int)}


def unanswered(error: Any) -> Exception:
    """What an error status means: `TransportError`, or `InputError` where every question would fail."""
    status, message = error.code, one_line(error.message or error)
    if status in FATAL or "API_KEY_INVALID" in str(error.details):
        return InputError(f"the server refuses every question: {status}: {message}")
    if status in PASSING or status >= 500:
        headers = getattr(error.response, "headers", None) or {}
        return TransportError(
            f"{status}: {message}", retry_after_s=retry_after(headers) or retry_delay(error.details)
        )
    return TransportError(f"{status}: {message}", final=True)


def retry_delay(details: Any) -> float | None:
    """The seconds of a ``retryDelay`` in an error's details, where this vendor tells them."""
    found = re.search(r"'retryDelay': '([0-9.]+)s'", str(details))
    return float(found.group(1)) if found else None


def http_errors() -> tuple[type[BaseException], ...]:
    """The errors of the HTTP library below the client, which has used two."""
    import importlib

    found = []
    for name in ("httpx", "httpx2"):
        try:
            found.append(importlib.import_module(name).HTTPError)
        except ImportError:
            continue
    return tuple(found)
