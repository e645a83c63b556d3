"""Tokens of a program's work: as the provider stated them to the proxy, and as the program says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
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
    if name not in _READERS:
        return None
    counts: list[Count] = []
    for text in said:
        found = list(_READERS[name](text))
        if not found:
            raise ValueError(f"{name} printed no count of tokens")
        counts += found
    return sum(counts, Count())


def _aider(text: str) -> Iterator[Count]:
    """Rounded, one line for each answer."""
    line = re.compile(r"^Tokens: ([\d.]+)([kM]?) sent, ([\d.]+)([kM]?) received\.", re.MULTILINE)
    for sent, sent_unit, received, received_unit in line.findall(text):
        yield Count(
            sent=round(float(sent) * _THOUSANDS[sent_unit]),
            received=round(float(received) * _THOUSANDS[received_unit]),
        )


def _codex(text: str) -> Iterator[Count]:
    """One number at the end."""
    for found in re.findall(r"^tokens used\n([\d,]+)$", text, re.MULTILINE):
        yield Count(together=int(found.replace(",", "")))


def _result(text: str) -> Iterator[Count]:
    """The result of claude-code, and of qwen-code, which says it as the last of a list."""
    for said in _documents(text):
        last = said[-1] if isinstance(said, list) else said
        if last.get("type") == "result":
            usage = last["usage"]
            prompts = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
            # What qwen-code calls input holds what came from a cache.
            names = prompts[:1] if isinstance(said, list) else prompts
            yield Count(sent=sum(usage[n] for n in names), received=usage["output_tokens"])


def _opencode(text: str) -> Iterator[Count]:
    """One line for each answer, in disjoint classes."""
    for said in _documents(text):
        if said.get("type") == "step_finish":
            tokens = said["part"]["tokens"]
            sent = tokens["input"] + sum(tokens["cache"].values())
            yield Count(sent=sent, received=tokens["output"] + tokens["reasoning"])


def _documents(text: str) -> Iterator[Any]:
    """The lines that are JSON."""
    for line in text.splitlines():
        if line.startswith(("{", "[{")):
            yield json.loads(line)


_READERS: dict[str, Callable[[str], Iterator[Count]]] = {
    "aider": _aider,
    "claude-code": _result,
    "codex": _codex,
    "opencode": _opencode,
    "qwen-code": _result,
}
