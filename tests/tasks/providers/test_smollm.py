"""The forward pass and the reader of its weights, on a toy model that is made here."""

import struct

import numpy as np
import pytest

from tasks.providers.gguf_file import GgufFile
from tasks.providers.smollm import SmolLM2, pack

VOCABULARY, WIDTH, INNER, HEADS, KV_HEADS, BLOCKS = 96, 64, 96, 4, 2, 2
HEAD_SIZE = WIDTH // HEADS
META = {
    "general.architecture": "llama",
    "llama.context_length": 128,
    "llama.block_count": BLOCKS,
    "llama.attention.head_count": HEADS,
    "llama.attention.head_count_kv": KV_HEADS,
    "llama.attention.layer_norm_rms_epsilon": 1e-5,
    "llama.rope.dimension_count": HEAD_SIZE,
    "llama.rope.freq_base": 100.0,
    "tokens": ["a", "é", "日"],
}
F32, Q4_1, Q8_0 = 0, 3, 8


def text(value):
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def value(thing):
    if isinstance(thing, str):
        return struct.pack("<I", 8) + text(thing)
    if isinstance(thing, float):
        return struct.pack("<If", 6, thing)
    if isinstance(thing, list):
        return struct.pack("<IIQ", 9, 8, len(thing)) + b"".join(map(text, thing))
    return struct.pack("<II", 4, thing)


def write_gguf(path, meta, tensors):
    """Write a GGUF file, version 3, from metadata and (name, shape, kind, packed bytes)."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(meta))
    head += b"".join(text(key) + value(thing) for key, thing in meta.items())
    body = b""
    for name, shape, kind, packed in tensors:
        sizes = struct.pack(f"<I{len(shape)}Q", len(shape), *reversed(shape))
        head += text(name) + sizes + struct.pack("<IQ", kind, len(body))
        body += packed + b"\0" * (-len(packed) % 32)
    path.write_bytes(head + b"\0" * (-len(head) % 32) + body)
    return path


def weights(seed=7):
    """Random weights of the toy, by name, rows first."""
    random = np.random.default_rng(seed)
    shapes = {"token_embd": (VOCABULARY, WIDTH), "output_norm": (WIDTH,)}
    for i in range(BLOCKS):
        shapes |= {
            f"blk.{i}.attn_norm": (WIDTH,),
            f"blk.{i}.attn_q": (WIDTH, WIDTH),
            f"blk.{i}.attn_k": (KV_HEADS * HEAD_SIZE, WIDTH),
            f"blk.{i}.attn_v": (KV_HEADS * HEAD_SIZE, WIDTH),
            f"blk.{i}.attn_output": (WIDTH, WIDTH),
            f"blk.{i}.ffn_norm": (WIDTH,),
            f"blk.{i}.ffn_gate": (INNER, WIDTH),
            f"blk.{i}.ffn_up": (INNER, WIDTH),
            f"blk.{i}.ffn_down": (WIDTH, INNER),
        }
    return {
        f"{name}.weight": random.normal(0, 0.3, shape).astype("<f4")
        for name, shape in shapes.items()
    }


@pytest.fixture
def toy(tmp_path):
    tensors = [(name, array.shape, F32, array.tobytes()) for name, array in weights().items()]
    return SmolLM2(GgufFile(write_gguf(tmp_path / "toy.gguf", META, tensors)))


def plain_log_probabilities(tokens):
    """Return log p of each next token by the textbook: one token, one head, one loop at a time."""
    w = {name: array.astype(float) for name, array in weights().items()}
    x = w["token_embd.weight"][list(tokens)]

    def norm(rows, name):
        scale = np.sqrt((rows**2).mean(1, keepdims=True) + 1e-5)
        return rows / scale * w[f"{name}.weight"]

    def turned(vector, position):
        out = vector.copy()
        for i in range(0, HEAD_SIZE, 2):
            angle = position * 100.0 ** -(i / HEAD_SIZE)
            a, b = vector[i], vector[i + 1]
            out[i] = a * np.cos(angle) - b * np.sin(angle)
            out[i + 1] = a * np.sin(angle) + b * np.cos(angle)
        return out

    def head(rows, name, h, position):
        part = w[f"{name}.weight"][h * HEAD_SIZE : (h + 1) * HEAD_SIZE] @ rows[position]
        return part if name.endswith("_v") else turned(part, position)

    for i in range(BLOCKS):
        rows, mixed = norm(x, f"blk.{i}.attn_norm"), np.zeros((len(tokens), WIDTH))
        for h in range(HEADS):
            served = h * KV_HEADS // HEADS
            for t in range(len(tokens)):
                q = head(rows, f"blk.{i}.attn_q", h, t)
                keys = [head(rows, f"blk.{i}.attn_k", served, s) for s in range(t + 1)]
                odds = np.exp([q @ k / np.sqrt(HEAD_SIZE) for k in keys])
                seen = [head(rows, f"blk.{i}.attn_v", served, s) for s in range(t + 1)]
                own = slice(h * HEAD_SIZE, (h + 1) * HEAD_SIZE)
                mixed[t, own] = (odds / odds.sum()) @ np.array(seen)
        x = x + mixed @ w[f"blk.{i}.attn_output.weight"].T
        rows = norm(x, f"blk.{i}.ffn_norm")
        gate = rows @ w[f"blk.{i}.ffn_gate.weight"].T
        up = rows @ w[f"blk.{i}.ffn_up.weight"].T
        x = x + (gate / (1 + np.exp(-gate)) * up) @ w[f"blk.{i}.ffn_down.weight"].T
    logits = norm(x, "output_norm") @ w["token_embd.weight"].T
    return logits - np.log(np.exp(logits).sum(1, keepdims=True))


def plain(prefix, ending):
    logs = plain_log_probabilities([*prefix, *ending])
    return sum(logs[len(prefix) - 1 + i, token] for i, token in enumerate(ending))


PREFIXES = [[1, 2, 3, 4, 5], [1, 2, 9]]
ENDINGS = [[7], [7, 8, 11], [3, 4], [12, 13, 14, 15]]


def test_likelihoods_are_those_of_a_textbook_pass_over_each_text_alone(toy):
    found = toy.log_likelihood(pack(PREFIXES, ENDINGS))
    expected = [[plain(prefix, ending) for ending in ENDINGS] for prefix in PREFIXES]
    np.testing.assert_allclose(found, expected, atol=2e-4)


def test_a_text_longer_than_one_run_of_queries_is_scored_alike(toy, monkeypatch):
    whole = toy.log_likelihood(pack(PREFIXES, ENDINGS))
    monkeypatch.setattr("tasks.providers.smollm._QUERY_ROWS", 3)
    monkeypatch.setattr("tasks.providers.smollm._LOGIT_ROWS", 2)
    np.testing.assert_allclose(toy.log_likelihood(pack(PREFIXES, ENDINGS)), whole, atol=1e-5)


def test_no_ending_changes_the_likelihood_of_another(toy):
    together = toy.log_likelihood(pack(PREFIXES, ENDINGS))
    alone = np.hstack([toy.log_likelihood(pack(PREFIXES, [ending])) for ending in ENDINGS])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_what_texts_share_from_their_start_is_one_path():
    packed = pack(PREFIXES, [[7, 8], [7, 9]])
    shared, own, endings = 2, 3 + 1, 2 * 3
    assert len(packed.tokens) == shared + own + endings
    assert packed.visible.sum(axis=1).max() == len(PREFIXES[0]) + 2
    assert not np.triu(packed.visible, 1).any()


def test_an_ending_of_no_token_is_certain(toy):
    assert toy.log_likelihood(pack([[1]], [[], [2]]))[0, 0] == 0


def test_a_prefix_of_no_token_is_refused():
    with pytest.raises(ValueError, match="no token"):
        pack([[]], [[1]])


def test_what_the_check_raises_ends_the_pass(toy):
    def check():
        raise InterruptedError

    with pytest.raises(InterruptedError):
        toy.log_likelihood(pack(PREFIXES, ENDINGS), check)


def test_metadata_reads_back(tmp_path):
    meta = GgufFile(write_gguf(tmp_path / "meta.gguf", META, [])).metadata
    assert meta["tokens"] == META["tokens"]
    assert meta["llama.context_length"] == 128
    assert meta["llama.rope.freq_base"] == 100.0


def test_quantised_blocks_read_as_the_format_says(tmp_path):
    codes = bytes(range(16))  # low halves 0 … 15, high halves 0
    q4 = struct.pack("<ee", 0.5, -1.0) + codes + struct.pack("<ee", 2.0, 0.0) + b"\xf1" * 16
    q8 = struct.pack("<e", 0.25) + struct.pack("<32b", *range(-16, 16))
    tensors = [("four", (2, 32), Q4_1, q4), ("eight", (32,), Q8_0, q8)]
    file = GgufFile(write_gguf(tmp_path / "q.gguf", {}, tensors))
    four = [[i * 0.5 - 1 for i in range(16)] + [-1.0] * 16, [2.0] * 16 + [30.0] * 16]
    np.testing.assert_array_equal(file.tensor("four"), four)
    np.testing.assert_array_equal(file.tensor("eight"), np.arange(-16, 16) * 0.25)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda raw: b"GGML" + raw[4:], "version 3"),
        (lambda raw: raw[:4] + struct.pack("<I", 2) + raw[8:], "version 3"),
        (lambda raw: raw[:60], "damaged"),
        (lambda raw: raw[:24] + b"\xff" * 8 + raw[32:], "damaged"),
    ],
    ids=["magic", "version", "cut", "size"],
)
def test_a_damaged_file_is_told(tmp_path, damage, says):
    path = write_gguf(tmp_path / "bad.gguf", META, [])
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=says):
        GgufFile(path)


def test_a_tensor_that_is_missing_cut_or_packed_otherwise_is_told(tmp_path):
    tensors = [("odd", (32,), 2, b"\0" * 18), ("cut", (64,), F32, b"\0" * 32)]
    file = GgufFile(write_gguf(tmp_path / "odd.gguf", META, tensors))
    for name in ("none", "odd", "cut"):
        with pytest.raises(ValueError, match=r"tensor|buffer"):
            file.tensor(name)


def test_another_architecture_is_refused(tmp_path):
    file = GgufFile(write_gguf(tmp_path / "x.gguf", {"general.architecture": "gpt2"}, []))
    with pytest.raises(ValueError, match="Llama"):
        SmolLM2(file)
