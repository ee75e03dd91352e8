"""Where verified bytes are kept: by hash, written only after the last child has ended."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from contracts.checks import Artifact
from contracts.errors import NotFound, StoreDamaged
from data.files import create, make_directory


class Kept(NamedTuple):
    """A file that passed, with its bytes."""

    artifact: Artifact
    data: bytes


def delegation_folder(home: Path, delegation_id: str) -> Path:
    """Return where everything of one delegation lies."""
    return home / "delegations" / delegation_id


def keep(folder: Path, kept: Mapping[str, Kept]) -> None:
    """Bring the bytes to `<folder>/accepted/<sha256>`."""
    make_directory(folder / "accepted")
    for artifact, data in kept.values():
        create(folder / "accepted" / artifact.content_sha256, data, folder)


def read_artifact(home: Path, delegation_id: str, artifact: Artifact) -> bytes:
    """Return the verified bytes of an artifact: never what its path holds by now.

    Raises:
        NotFound: they are not kept.
        StoreDamaged: what is kept does not have the artifact's hash.
    """
    place = delegation_folder(home, delegation_id) / "accepted" / artifact.content_sha256
    try:
        data = place.read_bytes()
    except FileNotFoundError:
        raise NotFound(f"{artifact.path} of delegation {delegation_id} is not kept.") from None
    if hashlib.sha256(data).hexdigest() != artifact.content_sha256:
        raise StoreDamaged(
            f"{place} was changed after it was verified; do not use it. Delegate the work again."
        )
    return data
