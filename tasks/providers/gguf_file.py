"""The part of the GGUF format that the small local model needs: metadata and three tensor types.

Layout and block formats after the GGUF specification, version 3 (ggml project). The public `gguf`
package makes an array object of every vocabulary entry: 5.3 CPU-seconds and 845 MB for the weights
that are read here in 0.5, and a one-question process would pay that each time.
"""

import mmap
import struct
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_MAGIC = b"GGUF"
_VERSION = 3
_STRING, _ARRAY = 8, 9
_SCALARS = dict(zip((0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12), "BbHhIif?Qqd", strict=True))
_F32, _Q4_1, _Q8_0 = 0, 3, 8
_BLOCK = 32
"""Weights that share one scale in the quantised types."""
_RECORDS = {
    _F32: np.dtype(("<f4", (_BLOCK,))),
    _Q4_1: np.dtype([("scale", "<f2"), ("least", "<f2"), ("codes", "u1", _BLOCK // 2)]),
    _Q8_0: np.dtype([("scale", "<f2"), ("codes", "i1", _BLOCK)]),
}


class TensorInfo(NamedTuple):
    """Where a tensor lies, and how it is packed."""

    shape: tuple[int, ...]
    """Rows first, as numpy counts: (outputs, inputs) for a matrix."""
    kind: int
    offset: int
    """In bytes, from the start of the tensor data."""


class GgufFile:
    """Metadata at once, tensors on demand from the mapped file."""

    def __init__(self, path: Path) -> None:
        """Map `path` and read its header.

        Raises:
            ValueError: for a file that is no GGUF of version 3, or that ends inside its header.
            OSError: for a file that cannot be read.
        """
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._at = 0
        try:
            self._read_header()
        except (struct.error, KeyError) as error:
            raise ValueError(f"the GGUF header of {path.name} is damaged") from error

    def _read_header(self) -> None:
        magic, version = self._take("4s"), self._take("I")
        if (magic, version) != (_MAGIC, _VERSION):
            raise ValueError(f"not a GGUF file of version {_VERSION}")
        tensors, pairs = self._take("Q"), self._take("Q")
        self.metadata = {self._string(): self._value(self._take("I")) for _ in range(pairs)}
        self.tensors = dict(self._tensor_info() for _ in range(tensors))
        align = self.metadata.get("general.alignment", _BLOCK)
        self._data = -(-self._at // align) * align

    def _take(self, form: str) -> Any:
        (value,) = struct.unpack_from(f"<{form}", self._map, self._at)
        self._at += struct.calcsize(f"<{form}")
        return value

    def _string(self) -> str:
        size = self._take("Q")
        raw: bytes = self._take(f"{size}s")
        return raw.decode("utf-8", "replace")

    def _value(self, kind: int) -> Any:
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            inner, count = self._take("I"), self._take("Q")
            return [self._value(inner) for _ in range(count)]
        return self._take(_SCALARS[kind])

    def _tensor_info(self) -> tuple[str, TensorInfo]:
        name, dimensions = self._string(), self._take("I")
        shape = tuple(self._take("Q") for _ in range(dimensions))[::-1]
        return name, TensorInfo(shape, self._take("I"), self._take("Q"))

    def tensor(self, name: str) -> Floats:
        """Return a tensor as float32, rows first.

        Raises:
            ValueError: for a tensor that is not there, is cut off, or is packed in another way
                than F32, Q4_1 or Q8_0.
        """
        info = self.tensors.get(name)
        if info is None or info.kind not in _RECORDS:
            raise ValueError(f"the weights hold no tensor {name!r} that can be read")
        blocks = np.frombuffer(
            self._map, _RECORDS[info.kind], prod(info.shape) // _BLOCK, self._data + info.offset
        )
        return _dequantise(blocks, info.kind).reshape(info.shape)


def _dequantise(blocks: NDArray[Any], kind: int) -> Floats:
    if kind == _F32:
        return blocks.astype(np.float32)
    scale = blocks["scale"].astype(np.float32)
    if kind == _Q8_0:
        return blocks["codes"] * scale[:, None]
    # Q4_1: the low halves of the bytes are the block's first half, the high ones its second.
    out = np.empty((len(blocks), 2, _BLOCK // 2), np.float32)
    out[:, 0] = blocks["codes"] & 0x0F
    out[:, 1] = blocks["codes"] >> 4
    out *= scale[:, None, None]
    out += blocks["least"].astype(np.float32)[:, None, None]
    return out
