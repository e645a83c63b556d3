"""How a project was made: what must be known to compare it with another.

Everything is optional, since much is unknown to whoever runs a model; what is missing is listed,
never guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec

from kcb_core.codec import Json, convert, parse_by_name
from kcb_core.errors import DataError
from kcb_core.storage import read_bounded

RUN_RECORD_KIND = "run-record"
RUN_RECORD_FORMAT = 1

RECORDS = ".generation"
"""Beside projects, the folder in which ``generate`` keeps how each was made: ``TASK.json``."""

_QUALIFIERS = ("includes_reasoning", "lower_bound", "unpriced", "prices", "toolchain_sha256")
"""Fields that qualify another one, so that they are not missing where they are left out."""

_Count = Annotated[int, msgspec.Meta(ge=0)]
_Amount = Annotated[float, msgspec.Meta(ge=0)]


class _Part(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A part of a run record; a field that nobody named stays unset."""


class Sampling(_Part, frozen=True, kw_only=True):
    """Sampling settings."""

    temperature: float | msgspec.UnsetType = msgspec.UNSET
    top_p: float | msgspec.UnsetType = msgspec.UNSET
    top_k: int | msgspec.UnsetType = msgspec.UNSET
    min_p: float | msgspec.UnsetType = msgspec.UNSET
    repeat_penalty: float | msgspec.UnsetType = msgspec.UNSET
    max_tokens: int | msgspec.UnsetType = msgspec.UNSET


class Usage(_Part, frozen=True, kw_only=True):
    """Tokens in five disjoint classes, each only where the provider stated it."""

    input_tokens: _Count | msgspec.UnsetType = msgspec.UNSET
    """Prompt tokens, without those read from or written to a cache."""
    output_tokens: _Count | msgspec.UnsetType = msgspec.UNSET
    """Completion tokens, without reasoning unless ``includes_reasoning``."""
    cache_read_tokens: _Count | msgspec.UnsetType = msgspec.UNSET
    cache_write_tokens: _Count | msgspec.UnsetType = msgspec.UNSET
    reasoning_tokens: _Count | msgspec.UnsetType = msgspec.UNSET
    includes_reasoning: bool | msgspec.UnsetType = msgspec.UNSET
    """That ``output_tokens`` holds reasoning which the provider did not state apart."""


class StatedUsage(Usage, frozen=True, kw_only=True, forbid_unknown_fields=False):
    """The same in a document that programs exchange, where a reader skips what it does not know."""


class Cost(_Part, frozen=True, kw_only=True):
    """What a generation cost, as far as its parts have a known price."""

    dollars: _Amount
    """US dollars of all that has a price."""
    lower_bound: bool | msgspec.UnsetType = msgspec.UNSET
    """That a part of it has no known price, so that it cost at least so much."""
    unpriced: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """What has no known price, such as ``cache_write_tokens`` or the id of a model."""
    prices: str | msgspec.UnsetType = msgspec.UNSET
    """By which prices, and where these stand."""

    def __post_init__(self) -> None:
        if self.unpriced and self.lower_bound is not True:
            raise ValueError("with something 'unpriced', 'dollars' are a 'lower_bound'")


class RunRecord(_Part, frozen=True, kw_only=True):
    """How one project was made."""

    model_name: str | msgspec.UnsetType = msgspec.UNSET
    """The model's id, verbatim."""
    model_version: str | msgspec.UnsetType = msgspec.UNSET
    parameters: str | msgspec.UnsetType = msgspec.UNSET
    """Number of parameters, such as ``4B``."""
    quantization: str | msgspec.UnsetType = msgspec.UNSET
    chat_template: str | msgspec.UnsetType = msgspec.UNSET
    context_tokens: _Count | msgspec.UnsetType = msgspec.UNSET
    """Size of the context in force."""
    sampling: Sampling | msgspec.UnsetType = msgspec.UNSET
    seed: int | msgspec.UnsetType = msgspec.UNSET
    tools: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """Names of the tools that the agent could use; empty if none."""
    agent: str | msgspec.UnsetType = msgspec.UNSET
    agent_version: str | msgspec.UnsetType = msgspec.UNSET
    preamble_sha256: str | msgspec.UnsetType = msgspec.UNSET
    """Digest of the fixed text that the agent sends beside the prompt."""
    toolchain_sha256: str | msgspec.UnsetType = msgspec.UNSET
    """Fingerprint of the toolchain that an external agent ran from, if it was held against one."""
    usage: Usage | msgspec.UnsetType = msgspec.UNSET
    cost: Cost | msgspec.UnsetType = msgspec.UNSET
    wall_s: _Amount | msgspec.UnsetType = msgspec.UNSET
    """Wall time of the generation in seconds."""
    host: str | msgspec.UnsetType = msgspec.UNSET
    """The machine that ran the model."""
    budget: str | msgspec.UnsetType = msgspec.UNSET
    """Token, time and tool budget."""
    memory_reset: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the agent's memory was reset before this task."""
    workspace_reset: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the agent's workspace was reset before this task."""
    seen_tasks: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """Tasks or tiers that the agent had seen before; empty if none."""
    retries: _Count | msgspec.UnsetType = msgspec.UNSET
    """How often the generation was begun anew."""
    interventions: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """What a person did to the project or the agent; empty if nothing."""
    hand_corrected: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the project was changed by hand, or after its test failures were seen."""
    stop_reason: str | msgspec.UnsetType = msgspec.UNSET
    """Why the generation ended; it explains and decides nothing."""


class Making(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says of how a project was made."""

    record: RunRecord
    source_sha256: str = ""
    """Source hash of the project as it was made, where the file says it."""
    transcript: str = ""
    """Path of the transcript from the file's folder, where the file says it."""
    bounds: dict[str, float] = {}
    """Bounds that the agent kept to by itself, by name, where the file says them."""


def read_making(path: Path) -> Making:
    """What a TOML or JSON file says of how a project was made.

    It may be a run record by itself, with or without its ``kind`` and ``format``, or a document
    that holds one as ``run_record``, such as a report or the record that ``generate`` keeps.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it is malformed, of a newer format, or has an unknown field; the nearest known
            one is named.
    """
    source = str(path)
    value = parse_by_name(read_bounded(path), source=source)
    if isinstance(value, dict) and "run_record" in value:
        record = convert(value["run_record"], RunRecord, source=f"{source}: run_record")
        return Making(
            record=record,
            source_sha256=_word(value.get("project"), "sha256"),
            transcript=_word(value.get("transcript"), "file"),
            bounds=_numbers(value.get("bounds") or _part(value.get("said"), "bounds")),
        )
    return Making(record=convert(_bare(value, source), RunRecord, source=source))


def _word(stamp: Json, name: str) -> str:
    """A text in a part that a document may have or not."""
    found = _part(stamp, name)
    return found if isinstance(found, str) else ""


def _part(document: Json, name: str) -> Json:
    """A member of what may be an object."""
    return document.get(name) if isinstance(document, dict) else None


def _numbers(members: Json) -> dict[str, float]:
    """The numbers among the members of what may be an object."""
    found = members.items() if isinstance(members, dict) else ()
    return {name: n for name, n in found if isinstance(n, int | float) and type(n) is not bool}


def _bare(value: Json, source: str) -> Json:
    """A run record without the fields that say that it is one, which are checked."""
    if not isinstance(value, dict) or not value.keys() & {"kind", "format"}:
        return value
    kind, found = value.get("kind"), value.get("format")
    if kind != RUN_RECORD_KIND:
        raise DataError(f"{source}: field 'kind': {kind!r} is not {RUN_RECORD_KIND!r}")
    if type(found) is not int or not 1 <= found <= RUN_RECORD_FORMAT:
        raise DataError(
            f"{source}: field 'format': {found!r} is not known, this version reads "
            f"{RUN_RECORD_FORMAT}; upgrade kcb-core"
        )
    return {name: member for name, member in value.items() if name not in ("kind", "format")}


def missing_fields(record: RunRecord) -> tuple[str, ...]:
    """Names of the record's fields that are not known, in their order.

    Of a part that is known the missing fields are named one by one, such as
    ``usage.reasoning_tokens``.
    """
    return tuple(_missing(record))


def _missing(part: _Part, prefix: str = "") -> Iterator[str]:
    for name in part.__struct_fields__:
        value = getattr(part, name)
        if value is msgspec.UNSET and name not in _QUALIFIERS:
            yield prefix + name
        elif isinstance(value, _Part):
            yield from _missing(value, f"{prefix}{name}.")
