"""Which delimiter a file has."""
from itertools import islice
from csvtidy.errors import CsvError
from csvtidy.options import DELIMITERS
from csvtidy.reader import read_records
SAMPLE = 20

def guess_delimiter(text):
    """The delimiter of ``text``: see docs/FORMAT.md, section 3."""
    return None
