"""The block that a tool keeps inside a file: where it is, and whether it is still the tool's."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kcb_core.codec import digest
from kcb_suites.drills.drill_checks import BlockCheck


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A managed block and its surroundings."""

    inside: str
    """The lines between its first and its last."""
    around: tuple[str, str]
    """All before the first, and all behind the last."""
    seal: str
    """What the first line says of the lines between; empty if nothing."""

    @property
    def intact(self) -> bool:
        """Whether the lines between are those that were sealed."""
        return bool(self.seal) and digest(self.inside.encode()).startswith(self.seal)


def find_block(check: BlockCheck, data: bytes | None) -> Block | None:
    """The one block in a file; None if there is none, more than one, or no file."""
    if data is None:
        return None
    lines = data.decode("utf-8", "backslashreplace").splitlines(keepends=True)
    begins = [n for n, line in enumerate(lines) if re.fullmatch(check.begin, line.rstrip("\r\n"))]
    ends = [n for n, line in enumerate(lines) if re.fullmatch(check.end, line.rstrip("\r\n"))]
    if len(begins) != 1 or len(ends) != 1 or begins[0] > ends[0]:
        return None
    begin, end = begins[0], ends[0]
    first = re.fullmatch(check.begin, lines[begin].rstrip("\r\n"))
    assert first is not None
    return Block(
        inside="".join(lines[begin + 1 : end]),
        around=("".join(lines[:begin]), "".join(lines[end + 1 :])),
        seal=first.groupdict().get("seal") or "",
    )
