"""The result frame of the bundled wrapper, as the host reads it: believed if it is sealed."""

from __future__ import annotations

import hmac
from typing import Literal

import msgspec

from kcb_agents.command.wrapper import COMPLETED, NOT_STARTED, seal
from kcb_core.codec import convert, parse
from kcb_core.errors import DataError

MAX_FRAME_BYTES = 4096

Status = Literal["completed", "failed", "not_started"]


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """What the wrapper says of the program."""

    status: Status | msgspec.UnsetType = msgspec.UNSET
    exit: int = 0
    """Exit code of the program."""
    signal: int = 0
    """Number of the signal that ended it; 0 if it exited."""
    reason: str = ""
    """Why it was not started."""

    def completed(self, code: int) -> bool:
        """Whether the program completed.

        Args:
            code: the wrapper's own exit code, which counts only if the frame has no status.
        """
        return code == 0 if self.status is msgspec.UNSET else self.status == COMPLETED

    @property
    def not_started(self) -> bool:
        """Whether there was no such program."""
        return self.status == NOT_STARTED


def read_frame(data: bytes, token: bytes) -> Frame | None:
    """The frame that the wrapper wrote, or None if what came is anything else.

    Args:
        data: all that came on the wrapper's standard error: one line within 4 KiB.
        token: the host's token for this program alone.
    """
    if len(data) > MAX_FRAME_BYTES or data.find(b"\n") != len(data) - 1:
        return None
    try:
        facts = parse(data)
        if not isinstance(facts, dict):
            return None
        shown = facts.pop("hmac", None)
        if not isinstance(shown, str) or not hmac.compare_digest(
            shown.encode("utf-8", "replace"), seal(facts, token).encode()
        ):
            return None
        return convert(facts, Frame, source="result frame")
    except (DataError, ValueError):
        return None
