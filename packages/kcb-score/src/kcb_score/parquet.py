"""Samples as a Parquet file, for people's own notebooks: one row for each report.

Void reports that another report stands for are left out.

Needs pyarrow, which the extra ``kcb-score[parquet]`` brings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from kcb_core.errors import DeclarationError
from kcb_core.run_record import Usage
from kcb_core.score import Sample
from kcb_core.storage import write_whole

Column = tuple[str, Callable[[Sample], Any]]
"""The type of a column, by its name in pyarrow, and what stands in it."""

_TOKENS = ("input", "output", "cache_read", "cache_write", "reasoning")


def _tokens(name: str) -> Callable[[Sample], int | None]:
    def of(sample: Sample) -> int | None:
        stated = getattr(sample.usage or Usage(), f"{name}_tokens")
        return None if stated is msgspec.UNSET else stated

    return of


COLUMNS: dict[str, Column] = {
    "task_id": ("string", lambda one: one.task_id),
    "tier": ("string", lambda one: one.tier),
    "family": ("string", lambda one: one.family),
    "category": ("string", lambda one: one.category),
    "subject": ("string", lambda one: one.subject),
    "repetition": ("int64", lambda one: one.repetition),
    "outcome": ("string", lambda one: one.outcome.value),
    "failure": ("string", lambda one: one.failure or None),
    "void_cause": ("string", lambda one: one.void.cause.value if one.void else None),
    "hand_corrected": ("bool_", lambda one: one.hand_corrected),
    "resolved": ("bool_", lambda one: one.resolved),
    "passed": ("int64", lambda one: one.passed),
    "total": ("int64", lambda one: one.total),
    "tags": ("strings", lambda one: one.tags),
    "unclean_tags": ("strings", lambda one: one.unclean),
    "first_failing_tags": ("strings", lambda one: one.first_failing),
    "wall_s": ("float64", lambda one: one.wall_s),
    "generation_s": ("float64", lambda one: one.generation_s),
    "dollars": ("float64", lambda one: one.dollars),
    "dollars_at_least": ("bool_", lambda one: one.dollars_at_least),
    **{f"{name}_tokens": ("int64", _tokens(name)) for name in _TOKENS},
}
"""What stands in a row, in this order. An empty cell is not known, or does not apply."""

_TOGETHER = 32_768
"""Rows that are made at once: a quarter of a million as Python values are large."""


def require_pyarrow() -> tuple[Any, Any]:
    """The modules ``pyarrow`` and ``pyarrow.parquet``.

    Raises:
        DeclarationError: pyarrow is not installed.
    """
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise DeclarationError(
            "--parquet needs pyarrow: pip install 'kcb-score[parquet]'"
        ) from None


def write_parquet(samples: Sequence[Sample], path: Path) -> None:
    """Store samples, whole or not at all.

    Raises:
        DeclarationError: pyarrow is not installed, or a number does not fit into 64 bits.
        MachineError: the file cannot be written.
    """
    arrow, parquet = require_pyarrow()
    types = {name for name, _ in COLUMNS.values()} - {"strings"}
    made = {name: getattr(arrow, name)() for name in types}
    made["strings"] = arrow.list_(arrow.string())
    schema = arrow.schema([(name, made[type_]) for name, (type_, _) in COLUMNS.items()])
    sink = arrow.BufferOutputStream()
    with parquet.ParquetWriter(sink, schema, compression="zstd") as writer:
        for start in range(0, len(samples), _TOGETHER):
            rows = list(samples[start : start + _TOGETHER])
            try:
                columns = [
                    arrow.array((value(one) for one in rows), type=type_, size=len(rows))
                    for (_, value), type_ in zip(COLUMNS.values(), schema.types, strict=True)
                ]
            except (OverflowError, UnicodeEncodeError, arrow.ArrowInvalid) as error:
                raise DeclarationError(
                    f"--parquet: a report cannot be stored as a row: {error}"
                ) from None
            writer.write_table(arrow.table(columns, schema=schema))
    write_whole(path, sink.getvalue().to_pybytes())
