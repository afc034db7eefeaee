"""Faults of the user's input, told as the person who made them needs to hear them."""

from collections.abc import Iterable


class InputError(Exception):
    """Input that cannot be used. The command line prints every fault and exits with 1.

    Attributes:
        faults: one line a fault, each naming the file, the line or record, the field, and what was expected.
    """

    def __init__(self, faults: str | Iterable[str]):
        self.faults: list[str] = [faults] if isinstance(faults, str) else list(faults)
        super().__init__("\n".join(self.faults))
