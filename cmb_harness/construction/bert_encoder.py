"""A BERT sentence encoder in numpy: the same vectors as sentence-transformers gives, without its gigabytes of torch.

It knows what the usual small models are: BERT with absolute positions and exact GELU, mean pooling over the tokens
(such as all-MiniLM-L6-v2). Other models need sentence-transformers.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cmb_harness.construction.faults import ConstructionError

BATCH = 64
_FILES = ("config.json", "modules.json", "1_Pooling/config.json", "tokenizer.json", "model.safetensors")


def encode(texts: Sequence[str], folder: Path) -> np.ndarray:
    """(N, D) float32 vectors, not normalized.

    Args:
        folder: a model as sentence-transformers saves it.

    Raises:
        ConstructionError: a file is missing or broken, or the model is of another kind.
        ImportError: tokenizers or safetensors is not installed.
    """
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    missing = [name for name in _FILES if not (folder / name).is_file()]
    if missing:
        raise ConstructionError([f"{folder}: {name}: missing" for name in missing])
    try:
        config, pooling = (json.loads((folder / name).read_text("utf-8")) for name in (_FILES[0], _FILES[2]))
        modules = json.loads((folder / "modules.json").read_text("utf-8"))
        weights = load_file(folder / "model.safetensors")
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # each of the three libraries raises kinds of its own
        raise ConstructionError(f"{folder}: not usable as a Sentence-BERT model: {error}") from None
    _check_kind(folder, config, pooling, modules)
    tokenizer.no_padding()
    tokenizer.enable_truncation(_longest(folder, config))
    weights = {name.removeprefix("bert."): value.astype(np.float32) for name, value in weights.items()}
    ids = [tokenizer.encode(text).ids for text in texts]
    return np.concatenate([_vectors(ids[i : i + BATCH], config, weights) for i in range(0, len(ids), BATCH)])


def _check_kind(folder: Path, config: Mapping[str, Any], pooling: Mapping[str, Any], modules: Any) -> None:
    kinds = [str(module.get("type", "")).rpartition(".")[2] for module in modules]
    expected = {
        "config.json: model_type": (config.get("model_type"), "bert"),
        "config.json: hidden_act": (config.get("hidden_act"), "gelu"),
        "config.json: position_embedding_type": (
            config.get("position_embedding_type", "absolute"),
            "absolute",
        ),
        "1_Pooling/config.json: pooling_mode_mean_tokens": (pooling.get("pooling_mode_mean_tokens"), True),
        "modules.json": (kinds[:2], ["Transformer", "Pooling"]),
        "modules.json: further modules": (set(kinds[2:]) <= {"Normalize"}, True),
    }
    wrong = [f"{folder}: {name}: {found!r}" for name, (found, wanted) in expected.items() if found != wanted]
    if wrong:
        raise ConstructionError([*wrong, f"{folder}: this model needs sentence-transformers"])


def _longest(folder: Path, config: Mapping[str, Any]) -> int:
    """The most tokens that the model was made for."""
    limits = folder / "sentence_bert_config.json"
    own = json.loads(limits.read_text("utf-8")).get("max_seq_length") if limits.is_file() else None
    return min(own or config["max_position_embeddings"], config["max_position_embeddings"])


def _vectors(
    ids: Sequence[Sequence[int]], config: Mapping[str, Any], weights: Mapping[str, np.ndarray]
) -> np.ndarray:
    """(N, D) the mean of the last layer over the tokens of each text; the texts are laid end to end, not padded."""
    epsilon = config["layer_norm_eps"]
    ends = np.cumsum([len(text) for text in ids])
    texts = [slice(end - len(text), end) for text, end in zip(ids, ends, strict=True)]
    state = weights["embeddings.word_embeddings.weight"][np.concatenate(ids)]
    place = np.concatenate([np.arange(len(text)) for text in ids])
    state = state + weights["embeddings.position_embeddings.weight"][place]
    state = state + weights["embeddings.token_type_embeddings.weight"][0]
    state = _normalized(state, weights, "embeddings.LayerNorm", epsilon)
    for number in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{number}."
        attended = _attention(state, texts, weights, f"{layer}attention.self.", config["num_attention_heads"])
        attended = _dense(attended, weights, f"{layer}attention.output.dense")
        state = _normalized(state + attended, weights, f"{layer}attention.output.LayerNorm", epsilon)
        inner = _gelu(_dense(state, weights, f"{layer}intermediate.dense"))
        inner = _dense(inner, weights, f"{layer}output.dense")
        state = _normalized(state + inner, weights, f"{layer}output.LayerNorm", epsilon)
    return np.stack([state[text].mean(axis=0) for text in texts])


def _attention(
    state: np.ndarray, texts: Sequence[slice], weights: Mapping[str, np.ndarray], part: str, heads: int
) -> np.ndarray:
    """(T, D) multi-head self-attention of every token over the tokens of its own text."""
    tokens, size = state.shape
    query, key, value = (
        _dense(state, weights, part + name).reshape(tokens, heads, size // heads).transpose(1, 0, 2)
        for name in ("query", "key", "value")
    )
    attended = np.empty((heads, tokens, size // heads), dtype=state.dtype)
    for text in texts:
        scores = query[:, text] @ key[:, text].transpose(0, 2, 1) / np.sqrt(np.float32(size // heads))
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        attended[:, text] = shares / shares.sum(axis=-1, keepdims=True) @ value[:, text]
    return attended.transpose(1, 0, 2).reshape(tokens, size)


def _dense(state: np.ndarray, weights: Mapping[str, np.ndarray], part: str) -> np.ndarray:
    return state @ weights[f"{part}.weight"].T + weights[f"{part}.bias"]


def _normalized(
    state: np.ndarray, weights: Mapping[str, np.ndarray], part: str, epsilon: float
) -> np.ndarray:
    centred = state - state.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + epsilon)
    return centred / spread * weights[f"{part}.weight"] + weights[f"{part}.bias"]


def _gelu(values: np.ndarray) -> np.ndarray:
    from scipy.special import erf

    return values * (1 + erf(values / np.sqrt(np.float32(2)))) / 2
