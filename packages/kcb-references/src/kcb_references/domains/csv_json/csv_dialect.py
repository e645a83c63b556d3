# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Parses comma-separated values of several dialects and writes them in one canonical form."""

import re
from collections.abc import Callable
from typing import Any

_DELIMITERS = (",", ";", "|", "\t", ":")
_QUOTES = ('"', "'")
_ESCAPES = ("double", "backslash")
_LINE_END = re.compile(r"\r?\n")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_MUST_BE_QUOTED = re.compile('[,"\r\n]')


class _CsvError(Exception):
    """The text cannot be parsed; the message is the code of the error."""


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Parse a text and write its records again.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    dialect = _Dialect(
        fields.get("delimiter", ","),
        fields.get("quote", '"'),
        fields.get("escape", "double"),
        fields.get("trim", False),
    )
    has_header = fields.get("header", True)
    try:
        records = dialect.parse(fields["text"])
        _check(records, has_header)
    except _CsvError as csv_error:
        return {"error": {"code": str(csv_error)}}
    rows = records[1:] if has_header else records
    return {
        "result": {
            "columns": records[0] if has_header else None,
            "rows": rows,
            "row_count": len(rows),
            "emitted": "".join(map(_emit, records)),
        }
    }


class _Dialect:
    """A way to write records as text."""

    def __init__(self, delimiter: str, quote: str, escape: str, trim: bool) -> None:
        self._delimiter = delimiter
        self._quote = quote
        self._doubles = escape == "double"
        # A tab that is the delimiter never is in an unquoted field, so it need not be left out.
        self._trimmed = " \t" if trim else ""
        # The repetitions never give back what they took, so a match takes linear time, and the
        # second quote of a pair is never taken for the closing one.
        content = f"[^{quote}]++|{quote}{quote}" if self._doubles else rf"[^{quote}\\]++|\\."
        self._quoted = re.compile(f"{quote}((?:{content})*+){quote}", re.DOTALL)
        self._unquoted = re.compile(rf"(?:[^{re.escape(delimiter)}{quote}\r\n]++|\r(?!\n))*+")

    def parse(self, text: str) -> list[list[str]]:
        """Parse a text.

        Args:
            text: The text of all records.

        Returns:
            The fields of each record.

        Raises:
            _CsvError: A quote is wrong.
        """
        records: list[list[str]] = []
        record: list[str] = []
        position = 0
        while position < len(text):
            if not record and (line_end := _LINE_END.match(text, position)):
                # There is a line end where a record would begin: it has no character.
                position = line_end.end()
                continue
            content, position = self._field(text, position)
            record.append(content)
            if text.startswith(self._delimiter, position):
                position += 1
                # With nothing behind it, this delimiter still has a field behind it.
                if position < len(text):
                    continue
                record.append("")
            elif line_end := _LINE_END.match(text, position):
                position = line_end.end()
            elif position < len(text):
                raise _CsvError("stray_quote")
            records.append(record)
            record = []
        return records

    def _field(self, text: str, position: int) -> tuple[str, int]:
        """Read a field.

        Args:
            text: The text of all records.
            position: Where the field begins.

        Returns:
            The content of the field, and the position behind it. An unquoted field ends in front of
            a quote in it.

        Raises:
            _CsvError: The text ends in the field.
        """
        if text.startswith(self._quote, position):
            quoted = self._quoted.match(text, position)
            if quoted is None:
                raise _CsvError("unterminated_quote")
            return self._unescape(quoted[1]), quoted.end()
        unquoted = self._unquoted.match(text, position)
        # The pattern takes the empty text too, so there always is a match.
        content = unquoted[0] if unquoted else ""
        return content.strip(self._trimmed), position + len(content)

    def _unescape(self, content: str) -> str:
        """Give what the content of a quoted field stands for."""
        if self._doubles:
            return content.replace(self._quote * 2, self._quote)
        return _ESCAPED.sub(r"\1", content)


def _check(records: list[list[str]], has_header: bool) -> None:
    """Look at the records as a table.

    Args:
        records: The fields of each record.
        has_header: Whether the first record is a header.

    Raises:
        _CsvError: The table has an error.
    """
    if has_header:
        if not records:
            raise _CsvError("no_header")
        if len(set(records[0])) < len(records[0]):
            raise _CsvError("duplicate_header")
    if any(len(record) != len(records[0]) for record in records):
        raise _CsvError("ragged_row")


def _emit(record: list[str]) -> str:
    """Write a record in the canonical form."""
    if record == [""]:
        # Without quotes it would be an empty line, which is no record.
        return '""\n'
    return ",".join(map(_emit_field, record)) + "\n"


def _emit_field(content: str) -> str:
    """Write a field in the canonical form."""
    if _MUST_BE_QUOTED.search(content) or content.startswith(" ") or content.endswith(" "):
        return '"' + content.replace('"', '""') + '"'
    return content


def _is_boolean(value: Any) -> bool:
    """Tell whether a value is `true` or `false`."""
    return isinstance(value, bool)


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str) and len(value) <= 20000,
    "delimiter": lambda value: value in _DELIMITERS,
    "quote": lambda value: value in _QUOTES,
    "escape": lambda value: value in _ESCAPES,
    "header": _is_boolean,
    "trim": _is_boolean,
}
_REQUIRED = ("text",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
