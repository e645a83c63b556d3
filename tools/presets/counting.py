"""Tokens of a program's work: as the provider stated them to the proxy, and as the program says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_THOUSANDS = {"": 1, "k": 1_000, "M": 1_000_000}


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """Tokens, all classes together; of prompts and answers apart where they are told so."""

    sent: int = 0
    received: int = 0
    together: int = 0
    """What is told of both in one number."""

    def __add__(self, other: Count) -> Count:
        """Both counts."""
        return Count(
            sent=self.sent + other.sent,
            received=self.received + other.received,
            together=self.together + other.together,
        )

    def __str__(self) -> str:
        """The numbers that there are."""
        if self.together:
            return f"{self.together:,} together"
        return f"{self.sent:,} in, {self.received:,} out"


def proxy_count(record: Mapping[str, Any]) -> Count:
    """What the provider stated to the proxy, by the record of a generation."""
    usage = record.get("usage", {})
    prompts = ("input_tokens", "cache_read_tokens", "cache_write_tokens")
    answers = ("output_tokens", "reasoning_tokens")
    sent, received = (sum(usage.get(n, 0) for n in names) for names in (prompts, answers))
    return Count(sent=sent, received=received)


def own_count(name: str, said: Iterable[str]) -> Count | None:
    """What a program prints of its use itself; None for one that prints nothing.

    Args:
        name: its preset.
        said: what it wrote to its terminal, for each task.

    Raises:
        ValueError: it printed no count at some task, though it is one that does.
    """
    if name not in _PRINTED:
        return None
    pattern, read = _PRINTED[name]
    counts: list[Count] = []
    for text in said:
        found = pattern.findall(text)
        if not found:
            raise ValueError(f"{name} printed no count of tokens")
        counts += map(read, found)
    return sum(counts, Count())


def _aider(found: tuple[str, ...]) -> Count:
    sent, sent_unit, received, received_unit = found
    return Count(
        sent=round(float(sent) * _THOUSANDS[sent_unit]),
        received=round(float(received) * _THOUSANDS[received_unit]),
    )


def _codex(found: str) -> Count:
    return Count(together=int(found.replace(",", "")))


_PRINTED: dict[str, tuple[re.Pattern[str], Callable[[Any], Count]]] = {
    "aider": (
        re.compile(r"^Tokens: ([\d.]+)([kM]?) sent, ([\d.]+)([kM]?) received\.", re.MULTILINE),
        _aider,
    ),
    "codex": (re.compile(r"^tokens used\n([\d,]+)$", re.MULTILINE), _codex),
}
