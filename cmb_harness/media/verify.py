"""Whether a file is the video that a release means: decodable to its end, long enough, and the same as before."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cmb_harness.media.fingerprint import difference, read_fingerprint
from cmb_harness.media.items import WantedVideo
from cmb_harness.media.probe import Probe, probe
from cmb_harness.media.video import MediaError

# Headers are exact up to a frame of sound; sites and annotators round to whole seconds.
HEADER_SLACK_S = 1.0
SAID_SLACK_S = 2.0


@dataclass(frozen=True)
class Verdict:
    """What became of looking into a file: a state of the manifest, why, and what was seen (None if nothing was)."""

    state: str
    message: str
    probe: Probe | None


def verify(
    path: Path,
    wanted: WantedVideo,
    *,
    said_s: float | None = None,
    known: Mapping[str, Any] | None = None,
    threads: int = 0,
) -> Verdict:
    """Decode a video and hold it against all that is known of it.

    Args:
        path: the file.
        wanted: what the release says.
        said_s: the length that the site said, in seconds.
        known: the manifest row of the same video, accepted earlier or elsewhere.
        threads: threads of the decoder, 0 for one a core.

    Returns:
        ``ok``, ``corrupt``, ``too_short`` or ``changed``.
    """
    print_before = _known_fingerprint(known)
    try:
        seen = probe(path, threads=threads)
    except MediaError as error:
        # Rows of the manifest name no folder of this machine.
        return Verdict("corrupt", str(error).replace(str(path), path.name), None)
    if seen.hole:
        return Verdict("corrupt", f"{path.name}: holds nothing from {seen.hole[0]} to {seen.hole[1]} s", seen)
    short = _too_short(seen, wanted, said_s)
    if short:
        return Verdict("too_short", short, seen)
    changed = _changed(seen, wanted, known)
    if not changed and print_before:
        changed = difference(print_before, seen.track)
    return Verdict("changed", changed, seen) if changed else Verdict("ok", "", seen)


def _too_short(seen: Probe, wanted: WantedVideo, said_s: float | None) -> str | None:
    lasts = f"decodes to {seen.duration_s:.3f} s"
    if seen.promised_s is not None and seen.reached_s < seen.promised_s - HEADER_SLACK_S:
        return f"{lasts}, its header promises {seen.promised_s:.3f} s: cut off"
    if seen.duration_s < wanted.needed_s - HEADER_SLACK_S:
        return f"{lasts}, a moment or span reaches to {wanted.needed_s:.3f} s"
    for name, length_s in (("its record says", wanted.expected_s), ("the site says", said_s)):
        if length_s is not None and seen.duration_s < length_s - SAID_SLACK_S:
            return f"{lasts}, {name} {length_s:.3f} s"
    return None


def _changed(seen: Probe, wanted: WantedVideo, known: Mapping[str, Any] | None) -> str | None:
    lasts = f"decodes to {seen.duration_s:.3f} s"
    if wanted.expected_s is not None and seen.duration_s > wanted.expected_s + SAID_SLACK_S:
        return f"{lasts}, its record says {wanted.expected_s:.3f} s"
    before_s = (known or {}).get("duration_s")
    if before_s is not None and abs(seen.duration_s - before_s) > HEADER_SLACK_S:
        return f"{lasts}, {before_s:.3f} s were known"
    return None


def _known_fingerprint(known: Mapping[str, Any] | None):
    try:
        return read_fingerprint(known["fingerprint"]) if known and known.get("fingerprint") else None
    except ValueError:
        # Of a later version of this program; lengths are compared all the same.
        return None
