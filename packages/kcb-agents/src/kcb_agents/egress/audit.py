"""The record of a proxy as the host reads it in the end: whole, or the attempt says nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from kcb_agents.egress.audit_log import BEGUN, ENDED, TRUNCATED
from kcb_core.codec import digest, parse
from kcb_core.errors import KcbError, MachineError
from kcb_core.storage import read_bounded


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """What a record comes to."""

    sha256: str
    """Digest of the file."""
    passed: int
    """Requests and tunnels that were let through."""
    refused: int
    """What was not."""
    truncated: bool
    """Whether there was more than fits; from then on nothing was let through."""


def read_audit(path: Path, nonce: str, most_bytes: int) -> Audit:
    """What a record comes to.

    Args:
        path: where the proxy wrote it.
        nonce: what the proxy was started with.
        most_bytes: the greatest size that it may have.

    Raises:
        MachineError: it is missing, not of this proxy, or not whole: nothing can then be said of
            what the subject did.
    """
    try:
        data = read_bounded(path, most_bytes)
        events = [_event(line, path) for line in data.splitlines()]
    except KcbError as error:
        raise MachineError(f"the egress record is missing or damaged: {error}") from None
    first, last = (events[0], events[-1]) if events else ({}, {})
    if (first.get("event"), first.get("nonce")) != (BEGUN, nonce):
        raise MachineError(f"the egress record is not of this proxy: {path}")
    whole = last.get("event") in (ENDED, TRUNCATED) and last.get("lines") == len(events) - 1
    if not whole or not data.endswith(b"\n"):
        raise MachineError(f"the egress record has no end, so that its proxy died: {path}")
    verdicts = [event.get("verdict") for event in events]
    return Audit(
        sha256=digest(data),
        passed=verdicts.count("passed"),
        refused=verdicts.count("refused"),
        truncated=last["event"] == TRUNCATED,
    )


def _event(line: bytes, path: Path) -> dict[str, Any]:
    found = parse(line, source=str(path))
    if not isinstance(found, dict):
        raise MachineError(f"{path}: a line is no object")
    return found
