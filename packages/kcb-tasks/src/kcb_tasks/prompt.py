"""The prompt: all that a model is told, and the only interface between a task and its solution.

The words of the protocol lie in the folder ``prompts``, one file for each block; the contract is
spelled out from the family's declaration.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib import resources
from string import Template

from kcb_core.codec import ascii_line, compact
from kcb_core.family import Family
from kcb_core.limits import LIMITS, Limits
from kcb_core.shape import Field
from kcb_core.task import Scenario, line_of
from kcb_tasks.language import Language

FIELDS_OF_INPUT = "Fields of `input`, in this order:\n"
"""The one sentence of a contract that speaks of a member of the request."""

# Binary units first: a limit is given in the unit in which it is a whole number.
_UNITS = (
    *(("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)),
    *(("GB", 10**9), ("MB", 10**6), ("kB", 10**3)),
)


def build_prompt(
    family: Family, language: Language, blocks: Iterable[str], examples: Iterable[Scenario]
) -> str:
    """The prompt of a task.

    Args:
        family: whose contract it gives.
        language: what programs are written in.
        blocks: names of the protocol's blocks after the *Program* block, in order.
        examples: the scenarios that are shown, of one request each.
    """
    parts = (
        f"# {family.title}\n",
        program_block(language),
        *(_read(name) for name in blocks),
        contract(family),
        _examples(examples),
    )
    return "\n".join(parts)


def program_block(language: Language, limits: Limits = LIMITS) -> str:
    """The first block: how the program is started, and within which limits.

    Args:
        language: what the program is written in.
        limits: the numbers that the block states.
    """
    return Template(_read(language.program)).substitute(
        session_s=f"{limits.session_s:g}",
        stdout_bytes=_size(limits.stdout_bytes),
        memory_bytes=_size(limits.memory_bytes),
        processes=limits.processes,
        open_files=limits.open_files,
        file_bytes=_size(limits.file_bytes),
        written_bytes=_size(limits.written_bytes),
        submission_files=f"{limits.submission_files:,}",
        submission_bytes=_size(limits.submission_bytes),
        line_bytes=_size(limits.line_bytes),
    )


def contract(family: Family) -> str:
    """The family's own part: what is computed, from which fields, with which errors."""
    parts = [
        f"## Contract\n{family.summary.strip()}\n",
        FIELDS_OF_INPUT,
        _table(family.fields),
        f"### Result\n{family.result.strip()}\n",
        f"### Errors\n{_errors(family)}",
    ]
    if family.rules.strip():
        parts.append(f"### Rules\n{family.rules.strip()}\n")
    return "\n".join(parts)


def _table(fields: Sequence[Field]) -> str:
    rows = [("field", "presence", "value"), ("---", "---", "---"), *map(_row, fields)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(member: Field) -> tuple[str, str, str]:
    presence = "required" if member.required else "optional"
    if member.has_default:
        presence += f", default {_code(ascii_line(member.default))}"
    value = member.shape.describe()
    if member.note:
        value = f"{value}. {member.note}"
    return _cell(_code(member.name)), _cell(presence), _cell(value)


def _cell(text: str) -> str:
    """Text that stays inside one cell of a Markdown table."""
    return re.sub(r"\s*\n\s*", " ", text).replace("|", "\\|")


def _errors(family: Family) -> str:
    if not family.errors:
        return "None of its own.\n"
    listed = (f"{n}. `{e.code}`: {e.when}\n" for n, e in enumerate(family.errors, start=1))
    return f"{family.precedence}\n\n{''.join(listed)}"


def _examples(examples: Iterable[Scenario]) -> str:
    shown = "\n".join(
        _fenced(f"{line_of(request)}\n{compact(expected)}\n")
        for example in examples
        for session in example.sessions
        for request, expected in zip(session.requests, session.expected, strict=True)
    )
    return f"## Examples\nEach is a request and its answer.\n\n{shown}"


def _fenced(text: str) -> str:
    fence = "`" * max(3, 1 + _longest_run(text))
    return f"{fence}text\n{text}{fence}\n"


def _code(text: str) -> str:
    """Text as inline code, whatever it holds."""
    ticks = "`" * (1 + _longest_run(text))
    return f"{ticks} {text} {ticks}" if len(ticks) > 1 else f"`{text}`"


def _longest_run(text: str) -> int:
    """The most backticks that stand side by side."""
    return max(map(len, re.findall("`+", text)), default=0)


def _size(count: int) -> str:
    for unit, factor in _UNITS:
        if count % factor == 0:
            return f"{count // factor} {unit}"
    return f"{count} bytes"


def _read(name: str) -> str:
    return (resources.files("kcb_tasks") / "prompts" / name).read_text(encoding="utf-8")
