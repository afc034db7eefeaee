"""The error of this room: bad input to a construction step."""

from cmb_harness.faults import InputError


class ConstructionError(InputError, ValueError):
    """Concepts, a similarity matrix, groups or a split from which no benchmark can be built.

    A ``ValueError`` for callers in Python, an ``InputError`` for the command line; ``faults`` lists every fault.
    """
