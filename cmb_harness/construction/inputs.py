"""What the construction commands read: records or a concept table, a split, a sample, a source of similarities."""

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from cmb_harness.construction.concepts import Concept
from cmb_harness.construction.faults import ConstructionError
from cmb_harness.construction.similarity import Similarity, light_similarity, read_matrix
from cmb_harness.construction.units import Placed
from cmb_harness.faults import InputError
from cmb_harness.files import read_json
from cmb_harness.records import records_sha256


def holds_records(path: str | os.PathLike[str]) -> bool:
    """Whether a file or folder holds records, and not a concept table."""
    path = Path(path)
    if path.is_dir() or path.suffix.lower() in (".jsonl", ".ndjson"):
        return True
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{") and b'"s1_options"' in content


def read_train(path: str | os.PathLike[str] | None, concepts: Sequence[Placed]) -> frozenset[str] | None:
    """The public concepts of a split file; None without one.

    Raises:
        InputError: it is no split, or was made for other concepts.
    """
    if path is None:
        return None
    split = read_json(path)
    train = split.get("train") if isinstance(split, Mapping) else None
    if not isinstance(train, list) or not all(isinstance(name, str) for name in train):
        raise InputError(f"{path}: train: expected a list of concept_ids")
    if split.get("records_sha256") != records_sha256(concepts):
        raise InputError(f"{path}: records_sha256: the split was made for other concepts")
    known = {concept.concept_id for concept in concepts}
    faults = [f"{path}: train: {name} is not in the table" for name in train if name not in known]
    if faults:
        raise InputError(faults)
    return frozenset(train)


def read_sample(
    path: str | os.PathLike[str], concepts: Sequence[Placed], needs: Collection[str]
) -> dict[str, Any]:
    """A sample file; every concept of the table must be in it, with the fields of ``needs``.

    Raises:
        InputError: it is no sample, or one of other concepts.
    """
    sample = read_json(path)
    if not isinstance(sample, dict):
        raise InputError(f"{path}: expected an object, concept_id → distractors and block")
    faults = []
    for name in sorted({concept.concept_id for concept in concepts}):
        entry = sample.get(name)
        if not isinstance(entry, Mapping):
            faults.append(f"{path}: {name}: missing")
        else:
            faults += [f"{path}: {name}: {field}: missing" for field in sorted(set(needs) - set(entry))]
    if faults:
        raise InputError(faults)
    return sample


def load_similarity(
    source: str, concepts: Sequence[Concept], *, model: str | None = None, cache: str | None = None
) -> Similarity:
    """Similarities by the name of their source.

    Args:
        source: ``light``, ``sbert``, or a matrix file.
        model, cache: for ``sbert``: the folder of the weights (else an installed package), and where to keep vectors.
    """
    if source not in ("light", "sbert"):
        return read_matrix(source, [concept.concept_id for concept in concepts])
    faults = [
        f"{concept.concept_id}: description: missing" for concept in concepts if not concept.description
    ]
    if faults:
        raise ConstructionError(faults)
    texts = [concept.description for concept in concepts]
    if source == "light":
        return light_similarity(texts)
    from cmb_harness.construction.sentence_bert import sentence_bert_similarity

    return sentence_bert_similarity(texts, model=model, cache=cache)
