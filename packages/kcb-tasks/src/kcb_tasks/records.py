"""Records of a dataset as they are stored: their columns, and the verified bytes of each file.

The two test columns stay JSON inside a string here; tasks as values come from ``kcb_core.dataset``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from kcb_core.codec import Json, digest, parse
from kcb_core.dataset import MANIFEST_NAME, MAX_DATASET_BYTES, DataFile, Dataset
from kcb_core.errors import DataError
from kcb_core.storage import read_bounded


class Kind(StrEnum):
    """What all values of a column are."""

    TEXT = "string"
    TEXTS = "list of strings"
    INTEGER = "integer"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Column:
    """One member that every record has."""

    kind: Kind
    """What its values are."""
    words: str
    """What it holds, for people."""


COLUMNS: Mapping[str, Column] = {
    "task_id": Column(Kind.TEXT, "name of the task; it is never given to another"),
    "subset": Column(Kind.TEXT, "its tier"),
    "family": Column(Kind.TEXT, "the domain, which it shares with one task of every other tier"),
    "category": Column(Kind.TEXT, "the area that the domain belongs to"),
    "title": Column(Kind.TEXT, "name for people"),
    "target_model_parameters": Column(
        Kind.TEXT, "size of the models that the tier is designed for; not calibrated"
    ),
    "language": Column(Kind.TEXT, "what the program is written in"),
    "entrypoint": Column(Kind.TEXT, "the file that is started"),
    "start": Column(
        Kind.TEXTS,
        "the start command, word by word; the evaluator fills in `{python}` and `{state_dir}`",
    ),
    "protocol_version": Column(Kind.TEXT, "version of the wire protocol"),
    "prompt": Column(Kind.TEXT, "all that a model is told"),
    "public_tests": Column(Kind.TEXT, "the examples of the prompt, as JSON in a string"),
    "acceptance_tests": Column(
        Kind.TEXT,
        "what decides: scenarios, each with `name`, `tags` and `sessions`, and in each session "
        "the `requests` and the one `expected` response to each; as JSON in a string",
    ),
    "num_scenarios": Column(Kind.INTEGER, "scenarios in `acceptance_tests`"),
    "num_assertions": Column(Kind.INTEGER, "expected responses in them"),
    "timeout_seconds": Column(Kind.NUMBER, "the longest that one session may take"),
    "canary": Column(Kind.TEXT, "marks the record as test data"),
}
"""The columns of a data file, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """One data file of a dataset, to the byte."""

    file: DataFile
    """What the manifest says of it."""
    data: bytes
    """All of it."""
    records: tuple[dict[str, Json], ...]
    """Its lines, decoded."""


def read_stored(dataset: Dataset) -> Iterator[Stored]:
    """The data files of a dataset, lowest tier first.

    Raises:
        DataError: a file differs from its digest, or a record has other columns.
        DeclarationError: a file cannot be read.
    """
    for file in dataset.manifest.files:
        path = dataset.folder / file.path
        data = read_bounded(path, MAX_DATASET_BYTES)
        if digest(data) != file.sha256:
            raise DataError(
                f"{path}: sha256 is {digest(data)}, {MANIFEST_NAME} says {file.sha256}; "
                "restore the file or build the dataset again"
            )
        lines = enumerate(data.split(b"\n")[:-1], start=1)
        records = tuple(_record(line, f"{path}:{number}") for number, line in lines)
        yield Stored(file=file, data=data, records=records)


def _record(line: bytes, source: str) -> dict[str, Json]:
    record: Json = parse(line, source=source)
    if not isinstance(record, dict) or list(record) != list(COLUMNS):
        raise DataError(f"{source}: its members are not {', '.join(COLUMNS)}, in this order")
    return record
