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

@dataclass(frozen=True)
class Result:
    """The tidied text, what was wrong, and what was found."""
    text: str
    problems: list = field(default_factory=list)
    summary: dict = field(default_factory=dict)

def tidy(text, options=None):
    """Tidy the text of one file. Raises CsvError if it cannot be read."""
    return None

def _summary(delimiter, rows, left_out, duplicates):
    return None
