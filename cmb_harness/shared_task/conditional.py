"""Conditional files: Feedback without a server and without releasing a label.

In Feedback the prompt of a stage holds the model's own answer to the stage before and that stage's truth (paper, 4.1).
A team that does not know the truth answers the item once for each option that it may be, in four rows with ``truth``
0-3 (an index into the options of the stage before, as the dataset orders them); the scorer takes the row whose
``truth`` is the key. Every prompt must be the one that a direct Feedback run would have given for that truth:

- S1: one row, mode ``reset``. Its answer is the own S1 answer of every mode.
- S2, row ``truth=t``: the prompt holds the own S1 answer, and as truth the name ``options[t]`` of the S1 item. The
  own S1 answer does not depend on ``t``.
- S3, row ``truth=u``: the prompt holds the own S2 answer, and as truth the letter ``u`` of the S2 item's options. In a
  direct run the own S2 answer was given under the *true* name, so it is that of the S2 row whose ``truth`` is the key
  of S1. S3 states ``concept_name``, always the common-Latin string, and that string is the key option of S1: the row
  is the one with ``truth = s1_options.index(concept_name)`` (`truth_of_naming`). It does not depend on ``u``.
  With context ``all`` the S3 prompt holds S1 too: the own S1 answer, and ``concept_name`` as its truth.

So S3 needs the recognition file's Feedback rows and no key, and the four S3 rows of one item share everything but the
letter. Carry holds own answers alone: one row an item, in which S3 takes the one Carry row of S2.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]


def truth_of_naming(s1_options: Sequence[str], concept_name: str) -> int:
    """The key of an S1 item that its concept's name tells: the index of ``concept_name`` in its common-Latin options.

    Raises:
        ValueError: it is not there exactly once.
    """
    if list(s1_options).count(concept_name) != 1:
        raise ValueError(f"{concept_name!r}: expected exactly once among the options {list(s1_options)}")
    return list(s1_options).index(concept_name)


def real_rows(
    rows: Iterable[Row], mode: str, before: Mapping[str, str], answer_of: Mapping[str, int]
) -> list[Row]:
    """The rows that are scored in ``mode``: S1's, and of S2 and S3 those of the mode under the real truth.

    Args:
        rows: the rows of checked files.
        before: item_id → the item of the stage before (S2 → S1, S3 → S2); S1 items are not in it.
        answer_of: item_id → key, of S1 and S2 items.
    """
    return [
        row
        for row in rows
        if row["item_id"] not in before
        or (row["mode"] == mode and (mode != "feedback" or row["truth"] == answer_of[before[row["item_id"]]]))
    ]
