"""The audit of a release: its faults, what guessers and attacks score on it, what joins, what changed."""

from cmb_harness.construction.audit.checks import audit
from cmb_harness.construction.audit.findings import Finding, Settings
from cmb_harness.construction.audit.joins import FileFacts
from cmb_harness.construction.audit.reading import card_text
from cmb_harness.construction.audit.release import Named, Release, release_of

__all__ = ["FileFacts", "Finding", "Named", "Release", "Settings", "audit", "card_text", "release_of"]
