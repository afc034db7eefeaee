"""What the vendors' servers have in common: keys, statuses, Retry-After."""

import email.utils
import math
import os
import time
from collections.abc import Mapping

from cmb_harness.faults import InputError
from cmb_harness.models.setup import Setup

# Client errors that go away by themselves.
PASSING = frozenset({408, 409, 425, 429})
# Every question would fail: a wrong key, no access, no such model.
FATAL = frozenset({401, 403, 404})


def key_of(setup: Setup) -> str:
    """The key of a setup, from the environment.

    Raises:
        InputError: its variable is not set.
    """
    variable = setup.key_variable
    if variable is None and setup.base_url is None:
        variable = "OPENAI_API_KEY"
    if variable is None:
        # A server of one's own asks for none; the client wants something to send.
        return "none"
    key = os.environ.get(variable)
    if not key:
        raise InputError(f"the environment variable {variable} is not set: it holds the key of {setup.model}")
    return key


def one_line(message: object) -> str:
    """A server's message in one line of at most 200 characters, without control characters."""
    text = " ".join(str(message).split())
    return "".join(character for character in text if character.isprintable())[:200]


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds of a Retry-After header, given in seconds or as a date; None without a usable one."""
    value = headers.get("retry-after")
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
        except ValueError:
            return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None
