"""Names that strangers give themselves and that others will read in logs, tables, pages and spreadsheets."""

import unicodedata
from typing import Any

from cmb_harness.json_objects import shown

NAME_CHARACTERS = 64
PUNCTUATION = frozenset(" -_.,:()’+#")


def name_fault(name: Any) -> str | None:
    """What is wrong with the name of a team or a model, or None.

    A name is 1 to 64 letters, marks and digits of any script, and ``- _ . , : ( ) ’ + #`` and spaces within; it
    begins with a letter or a digit. So it is no path, no HTML tag, no formula of a spreadsheet, and steers no terminal.
    """
    if not isinstance(name, str):
        return f"{shown(name)}: expected a string"
    if not 1 <= len(name) <= NAME_CHARACTERS:
        return f"{shown(name)}: {len(name)} characters: expected 1 to {NAME_CHARACTERS}"
    wrong = next((character for character in name if not _is_allowed(character)), None)
    if wrong is not None:
        return (
            f"{shown(name)}: {shown(wrong)}: expected letters, digits, spaces and - _ . , : ( ) ’ + # alone"
        )
    if unicodedata.category(name[0])[0] not in "LN" or name[-1] == " " or ".." in name or "  " in name:
        return f"{shown(name)}: expected a letter or digit first, no space last, and no two dots or spaces together"
    return None


def clean_name(name: str | None) -> str | None:
    """A name without fault in composed form (NFC), so that one name has one spelling; None stays None."""
    return None if name is None else unicodedata.normalize("NFC", name)


def _is_allowed(character: str) -> bool:
    return character in PUNCTUATION or unicodedata.category(character)[0] in "LMN"
