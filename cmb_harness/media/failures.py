"""Why a video could not be had: a stable word for each reason, told from exceptions and from messages.

YouTube says most reasons in English sentences alone, which change now and then; ``REASONS`` is the table to extend.
"""

import errno
import re
from collections.abc import Iterator
from dataclasses import dataclass

# State → what it means. The words are part of the manifest's format: add, never rename.
STATES = {
    "ok": "fetched, decoded to its end, and as long as its record says",
    "removed": "deleted, or its account closed",
    "private": "its owner keeps it private",
    "geo_blocked": "not shown in this country",
    "age_restricted": "shown to adults who are signed in",
    "login_required": "shown to members, buyers or signed-in users",
    "not_yet_available": "a premiere or a live stream that has not ended",
    "rate_limited": "the server refuses further requests for now",
    "forbidden": "the server refuses this request (403)",
    "network": "the connection failed, or the server did (5xx)",
    "corrupt": "what came is no video, or cannot be decoded",
    "too_short": "the picture ends earlier than the file, its record or its moments say",
    "changed": "another picture or length than before: replaced or shifted; kept aside, never used",
    "no_format": "offered in no form that can be fetched (DRM, storyboards alone)",
    "failed": "anything else; the message tells",
}

# What another try may mend, in the same run; all but `ok` are tried again by the next run.
TRANSIENT = frozenset({"rate_limited", "forbidden", "network"})

# Searched in order, ignoring case; the first that is found names the state.
REASONS = (
    (r"not a bot|captcha|try again later|rate-?limited|too many requests|\b429\b", "rate_limited"),
    (r"has been removed|terminated|closed their youtube account", "removed"),
    (r"private video|video is private|\bis private\b", "private"),
    (
        r"members?[- ]only|join this channel|available to .{0,40}members|requires payment|\brent\b|purchase",
        "login_required",
    ),
    (r"confirm your age|age[- ]restricted|inappropriate for some users|\bage[- ]gate", "age_restricted"),
    (
        r"in your (country|region|location)|from your location|geo.?(restrict|block)"
        r"|blocked it in your",
        "geo_blocked",
    ),
    (
        r"premieres in|premiere will begin|live event (will begin|has ended)|live stream recording is not|"
        r"offline\b|is live\b|will begin in",
        "not_yet_available",
    ),
    (r"log ?in|sign in|logged[- ]in|registered users|authentication", "login_required"),
    (
        r"removed|terminated|no longer available|has been deleted|does ?n[o']t exist|video unavailable|"
        r"(video|content) is(n[o']t| not) available|is unavailable|copyright|closed their account|\b(404|410)\b|"
        r"not found|\bgone\b",
        "removed",
    ),
    (r"\b403\b|forbidden", "forbidden"),
    (r"\bdrm\b|requested format is not available|no video formats|only images are available", "no_format"),
    (
        r"timed? ?out|connection|unreachable|name resolution|getaddrinfo|network|incompleteread|incomplete read|"
        r"bytes read|remote end closed|\bssl\b|certificate|http error 5\d\d|internal server error|bad gateway|"
        r"service unavailable|gave up|content too short|downloaded .* bytes, expected",
        "network",
    ),
    (r"unsupported url|did not get any data|unable to extract|not a valid url", "corrupt"),
)

STATUSES = {
    401: "login_required",
    403: "forbidden",
    404: "removed",
    410: "removed",
    429: "rate_limited",
    451: "geo_blocked",
}


@dataclass(frozen=True)
class Failure:
    """One failed try.

    Attributes:
        state: a key of ``STATES``.
        message: what was said, one line.
        retry_after_s: seconds that the server asks to wait, if it does.
        unreachable: the server was not reached at all.
    """

    state: str
    message: str
    retry_after_s: float | None = None
    unreachable: bool = False


def state_of_message(message: str) -> str:
    """The state that a message tells of; ``failed`` if the table knows no word of it."""
    # Apostrophes come typographic and plain.
    text = message.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return next((state for pattern, state in REASONS if re.search(pattern, text, re.IGNORECASE)), "failed")


def failure_of(error: BaseException) -> Failure:
    """What an exception of yt-dlp (or of the code around it) means.

    The causes are looked through, the innermost HTTP status deciding before any words do.
    """
    causes = list(_causes(error))
    message = _one_line(str(error))
    for cause in causes:
        status = getattr(cause, "status", None)
        if isinstance(status, int):
            return Failure(_state_of_status(status, message), _short(message), _retry_after(cause))
    if any(type(cause).__name__ == "GeoRestrictedError" for cause in causes):
        return Failure("geo_blocked", _short(message))
    state = state_of_message(message)
    if state in ("failed", "removed") and any(_is_transport(cause) for cause in causes):
        state = "network"
    return Failure(
        state, _short(message), unreachable=state == "network" and _is_unreachable(message, causes)
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        cause = waiting.pop(0)
        if cause is None or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        # yt-dlp keeps what it caught in exc_info (its own triple) and in cause.
        carried = getattr(cause, "exc_info", None)
        waiting += [carried[1] if isinstance(carried, tuple) and len(carried) > 1 else None]
        waiting += [getattr(cause, "cause", None), cause.__cause__, cause.__context__]


def _state_of_status(status: int, message: str) -> str:
    if status in STATUSES:
        said = state_of_message(message)
        # A 403 page may say more than its number.
        return (
            said
            if STATUSES[status] == "forbidden" and said in ("geo_blocked", "private")
            else STATUSES[status]
        )
    return "network" if status >= 500 or status in (408, 425) else "failed"


def _retry_after(error: BaseException) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(float(headers.get("Retry-After") or ""), 0.0)
    except ValueError:
        # A date, or nothing: the own waiting times will do.
        return None


def _is_transport(cause: BaseException) -> bool:
    names = {kind.__name__ for kind in type(cause).__mro__}
    return bool(
        names & {"TransportError", "ContentTooShortError", "ConnectionError", "TimeoutError", "timeout"}
    )


def _is_unreachable(message: str, causes: list[BaseException]) -> bool:
    numbers = {getattr(cause, "errno", None) for cause in causes}
    if numbers & {errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH}:
        return True
    return bool(
        re.search(
            r"refused|name resolution|getaddrinfo|unreachable|failed to resolve", message, re.IGNORECASE
        )
    )


def _one_line(text: str) -> str:
    # yt-dlp colours its words for terminals.
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return re.sub(r"\s+", " ", plain).removeprefix("ERROR: ").strip()[:500]


def _short(message: str) -> str:
    # What yt-dlp says of a cause repeats the cause.
    return re.sub(r" ?\(caused by .*", "", message)
