"""The checkpoint of what a subject has used: raw facts, signed, replaced in one step.

A subject may be able to write where the checkpoint lies, so nothing is believed that the host's
key does not vouch for. What follows from the facts is worked out in ``bill``.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from kcb_agents.swap import put_in_place
from kcb_core.codec import canonical, convert, parse
from kcb_core.errors import DataError
from kcb_core.run_record import Usage

CHECKPOINT_KIND = "provider-usage"
CHECKPOINT_FORMAT = 1

MAX_CHECKPOINT_BYTES = 64 << 10
"""Largest checkpoint that is read."""

_SEAL = "hmac"
_MODE = 0o644


class ModelUsage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was used of one model."""

    model: str
    """The model's id, verbatim."""
    usage: Usage
    """Tokens of all requests, as far as the provider stated them."""
    largest_prompt_tokens: int = 0
    """The largest prompt of one request, cached tokens among it: some prices depend on it."""


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """What a subject has used so far; only facts, nothing that follows from them."""

    kind: str = CHECKPOINT_KIND
    """Always ``provider-usage``."""
    format: int = CHECKPOINT_FORMAT
    profile: str
    """The subject's profile."""
    settled: bool = False
    """That the subject was ended and every request came to its end: there is nothing to come."""
    requests: int = 0
    """Requests that were let through."""
    in_flight: int = 0
    """Requests among them that have not come to their end."""
    admitted: int = 0
    """Requests that the provider took on, or may have: it will bill them whatever comes."""
    usage_bearing: int = 0
    """Requests for which the provider stated the usage of the whole answer."""
    models: tuple[ModelUsage, ...] = ()
    """What was used of each model, in the order of their first use."""


def checkpoint_path(folder: Path, profile: str) -> Path:
    """Where the checkpoint of a profile lies."""
    return folder / f"{profile}.provider-usage.json"


def write_checkpoint(checkpoint: Checkpoint, path: Path, key: bytes) -> None:
    """Replace the checkpoint in one step, mode 0644.

    It is not forced to the disk: it has to outlive this process, not this machine, and three times
    in every request nobody could wait for a disk.

    Args:
        checkpoint: the facts.
        path: where it is to stand; the folder is there.
        key: the host's key, which no subject ever gets.

    Raises:
        OSError: it cannot be written; what stood there before still does.
    """
    facts = msgspec.to_builtins(checkpoint)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    # A leftover, or a link that somebody laid there, is never written through.
    with suppress(FileNotFoundError):
        temporary.unlink()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(temporary, flags, _MODE)
    with os.fdopen(handle, "wb") as file:
        os.fchmod(handle, _MODE)
        file.write(canonical({**facts, _SEAL: _seal(facts, key)}) + b"\n")
    put_in_place(temporary, path)


def recover_checkpoint(path: Path, key: bytes) -> Checkpoint | None:
    """The latest checkpoint at a path, or None if there is none that the host has written.

    No link is followed, only a regular file is read, and at most 64 KiB of it. What is not sealed
    with the key is as if it were not there, since a subject may have put it there.
    """
    data = _read(path)
    try:
        facts = parse(data)
        seal = facts.pop(_SEAL, None) if isinstance(facts, dict) else None
        if not isinstance(seal, str) or not hmac.compare_digest(
            seal.encode("utf-8", "replace"), _seal(facts, key).encode()
        ):
            return None
        checkpoint = convert(facts, Checkpoint, source=str(path))
    except DataError:
        return None
    known = checkpoint.kind == CHECKPOINT_KIND and checkpoint.format == CHECKPOINT_FORMAT
    return checkpoint if known else None


def _seal(facts: dict[str, Any], key: bytes) -> str:
    return hmac.new(key, canonical(facts), hashlib.sha256).hexdigest()


def _read(path: Path) -> bytes:
    """The content of a regular file within the bound; nothing if it is anything else."""
    try:
        with open(path, "rb", opener=_open_itself) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return b""
            data = file.read(MAX_CHECKPOINT_BYTES + 1)
    except OSError:
        return b""
    return data if len(data) <= MAX_CHECKPOINT_BYTES else b""


def _open_itself(path: str, flags: int) -> int:
    """Opens no target of a link, and waits for nobody at a FIFO."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
