"""SmolLM2-135M in numpy: how likely a text is after another, with no compiler and no torch.

The architecture is Llama's (Touvron et al. 2023, arXiv 2302.13971; Allal et al. 2025, arXiv
2502.02737 for SmolLM2): RMSNorm before each sublayer, rotary positions, grouped-query attention,
SwiGLU, one matrix for embedding and output. GGUF keeps the two halves of a rotary pair side by
side. Against llama.cpp on the same file the log-probability of a token differs by up to 0.2 nats,
because llama.cpp rounds activations to 8 bits and this does not.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.providers.gguf_file import Floats, GgufFile

Tokens = Sequence[int]
Check = Callable[[], None]
Turns = NDArray[np.complex64]

_QUERY_ROWS = 256
"""Queries that attend at once: bounds the score matrix at heads × 256 × tokens."""
_LOGIT_ROWS = 128
"""Rows of logits at once: 128 × 49,152 floats are 25 MB."""


class Layer(NamedTuple):
    """Weights of one block; matrices are (outputs, inputs)."""

    attention_norm: Floats
    qkv: Floats
    attention_out: Floats
    ffn_norm: Floats
    gate_up: Floats
    down: Floats


class Packed(NamedTuple):
    """Every ending after every prefix, as one tree of tokens that a single pass can score.

    What two texts share from their start is one path: a prefix is computed once, however many
    endings follow it. A token sees its own path only, so no ending knows of another.
    """

    tokens: NDArray[np.intp]
    visible: NDArray[np.bool_]
    """Row i marks the tokens that token i sees: its path, itself included. None is later."""
    source: NDArray[np.intp]
    """Index of the token after which `target` is predicted."""
    target: NDArray[np.intp]
    pair: NDArray[np.intp]
    """Prefix index × endings + ending index, for which the target counts."""
    shape: tuple[int, int]
    """Prefixes, endings."""


def pack(prefixes: Sequence[Tokens], endings: Sequence[Tokens]) -> Packed:
    """Lay every ending after every prefix.

    Raises:
        ValueError: for an empty prefix, after which nothing is predicted.
    """
    if not all(map(len, prefixes)):
        raise ValueError("a prefix holds no token")
    children: dict[tuple[int, int], int] = {}

    def walk(node: int, tokens: Tokens) -> list[int]:
        path = [node]
        for token in tokens:
            path.append(children.setdefault((path[-1], token), len(children)))
        return path

    shape = len(prefixes), len(endings)
    ends = [walk(-1, prefix)[-1] for prefix in prefixes]
    aims = []
    for pair, (p, e) in enumerate(np.ndindex(shape)):
        sources = walk(ends[p], endings[e])[:-1]
        aims += [(s, t, pair) for s, t in zip(sources, endings[e], strict=True)]
    parents, tokens = np.array(list(children), np.intp).T
    source, target, pairs = np.array(aims, np.intp).reshape(-1, 3).T
    return Packed(tokens, _paths(parents), source, target, pairs, shape)


def _paths(parents: NDArray[np.intp]) -> NDArray[np.bool_]:
    visible = np.eye(len(parents), dtype=np.bool_)
    for node, parent in enumerate(parents):
        if parent >= 0:
            visible[node] |= visible[parent]
    return visible


class SmolLM2:
    """The weights, dequantised once to 0.54 GB of float32, and one thing to do with them."""

    def __init__(self, file: GgufFile) -> None:
        """Read the weights.

        Raises:
            ValueError: for a file that holds no Llama model with the expected tensors.
        """
        meta = file.metadata
        if meta.get("general.architecture") != "llama":
            raise ValueError("the weights are not of the Llama architecture")
        self.context_length = int(meta["llama.context_length"])
        self._heads = int(meta["llama.attention.head_count"])
        self._kv_heads = int(meta["llama.attention.head_count_kv"])
        self._epsilon = np.float32(meta["llama.attention.layer_norm_rms_epsilon"])
        size = int(meta["llama.rope.dimension_count"])
        self._head_size = size
        self._frequency = float(meta["llama.rope.freq_base"]) ** -(np.arange(0, size, 2) / size)
        self._embedding = file.tensor("token_embd.weight")
        self._output_norm = file.tensor("output_norm.weight")
        self._layers = [_layer(file, i) for i in range(int(meta["llama.block_count"]))]

    def log_likelihood(self, packed: Packed, check: Check = lambda: None) -> NDArray[np.float64]:
        """Return log p(ending | prefix) in nats, shape (prefixes, endings).

        `check` is called before each layer; what it raises ends the pass.
        """
        after = self._hidden(packed, check)[packed.source]
        sums = np.zeros(np.prod(packed.shape))
        for start in range(0, len(after), _LOGIT_ROWS):
            check()
            rows = slice(start, start + _LOGIT_ROWS)
            logs = _log_softmax(after[rows] @ self._embedding.T)
            np.add.at(sums, packed.pair[rows], logs[np.arange(len(logs)), packed.target[rows]])
        return sums.reshape(packed.shape)

    def _hidden(self, packed: Packed, check: Check) -> Floats:
        position = packed.visible.sum(axis=1) - 1
        turns = np.exp(1j * position[:, None, None] * self._frequency).astype(np.complex64)
        x = self._embedding[packed.tokens]
        for layer in self._layers:
            check()
            x = x + self._attend(self._norm(x, layer.attention_norm), layer, turns, packed.visible)
            gate, up = np.split(self._norm(x, layer.ffn_norm) @ layer.gate_up.T, 2, axis=1)
            x = x + (_silu(gate) * up) @ layer.down.T
        return self._norm(x, self._output_norm)

    def _attend(self, x: Floats, layer: Layer, turns: Turns, visible: NDArray[np.bool_]) -> Floats:
        count, size, groups = len(x), self._head_size, self._kv_heads
        heads = (x @ layer.qkv.T).reshape(count, -1, size)
        q, k, v = np.split(heads, [self._heads, self._heads + groups], axis=1)
        # A group is one key head and the query heads that it serves.
        q = (_rotate(q, turns) / size**0.5).reshape(count, groups, -1, size).transpose(1, 2, 0, 3)
        k = _rotate(k, turns).transpose(1, 2, 0)[:, None]
        v = v.transpose(1, 0, 2)[:, None]
        mixed = np.empty(q.shape, np.float32)
        starts = [*range(0, count, _QUERY_ROWS), count]
        for start, end in pairwise(starts):
            scores = q[:, :, start:end] @ k[..., :end]
            np.copyto(scores, -np.inf, where=~visible[start:end, :end])
            mixed[:, :, start:end] = _softmax(scores) @ v[..., :end, :]
        out: Floats = mixed.transpose(2, 0, 1, 3).reshape(count, -1) @ layer.attention_out.T
        return out

    def _norm(self, x: Floats, weight: Floats) -> Floats:
        normed: Floats = x / np.sqrt(np.mean(x * x, axis=1, keepdims=True) + self._epsilon) * weight
        return normed


def _layer(file: GgufFile, index: int) -> Layer:
    def read(*names: str) -> Floats:
        return np.concatenate([file.tensor(f"blk.{index}.{name}.weight") for name in names])

    return Layer(
        attention_norm=read("attn_norm"),
        qkv=read("attn_q", "attn_k", "attn_v"),
        attention_out=read("attn_output"),
        ffn_norm=read("ffn_norm"),
        gate_up=read("ffn_gate", "ffn_up"),
        down=read("ffn_down"),
    )


def _rotate(x: Floats, turns: Turns) -> Floats:
    """Turn each pair of neighbours in the last axis of (tokens, heads, size) by its angle."""
    turned: Floats = (np.ascontiguousarray(x).view(np.complex64) * turns).view(np.float32)
    return turned


def _silu(x: Floats) -> Floats:
    slid: Floats = x * (0.5 + 0.5 * np.tanh(0.5 * x))
    return slid


def _softmax(scores: Floats) -> Floats:
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def _log_softmax(logits: Floats) -> Floats:
    logits -= logits.max(axis=-1, keepdims=True)
    logs: Floats = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    return logs
