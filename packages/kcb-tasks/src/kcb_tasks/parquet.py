"""Records as a Parquet file. Needs pyarrow, which the extra ``kcb-tasks[export]`` brings.

The bytes depend on the version of pyarrow, so no manifest pins them; the rows are those of the
JSONL file that the manifest pins.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from kcb_core.codec import Json
from kcb_core.errors import DeclarationError
from kcb_tasks.records import COLUMNS, Kind


def require_pyarrow() -> tuple[Any, Any]:
    """The modules ``pyarrow`` and ``pyarrow.parquet``.

    Raises:
        DeclarationError: pyarrow is not installed.
    """
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise DeclarationError(
            "Parquet files need pyarrow: pip install 'kcb-tasks[export]', or add --no-parquet"
        ) from None


def parquet_bytes(records: Iterable[dict[str, Json]]) -> bytes:
    """Some records as one Parquet file, with the types that the JSONL file has.

    Args:
        records: decoded lines of a data file.

    Raises:
        DeclarationError: pyarrow is not installed.
    """
    arrow, parquet = require_pyarrow()
    types = {
        Kind.TEXT: arrow.string(),
        Kind.TEXTS: arrow.list_(arrow.string()),
        Kind.INTEGER: arrow.int64(),
        Kind.NUMBER: arrow.float64(),
    }
    schema = arrow.schema([(name, types[column.kind]) for name, column in COLUMNS.items()])
    table = arrow.Table.from_pylist(list(records), schema=schema)
    sink = arrow.BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd")
    written: bytes = sink.getvalue().to_pybytes()
    return written
