"""Which delimiter a file has."""

from itertools import islice

from csvtidy.errors import CsvError
from csvtidy.options import DELIMITERS
from csvtidy.reader import read_records

SAMPLE = 20


def guess_delimiter(text):
    """The delimiter of ``text``: see docs/FORMAT.md, section 3."""
    widths = {}
    for candidate in DELIMITERS.values():
        try:
            sample = list(islice(read_records(text, candidate), SAMPLE))
        except CsvError:
            continue
        widths[candidate] = [len(record.cells) for record in sample]
    fitting = {
        candidate: found[0]
        for candidate, found in widths.items()
        if found and found[0] > 1 and len(set(found)) == 1
    }
    if fitting:
        return max(fitting, key=fitting.get)
    totals = {candidate: sum(found) - len(found) for candidate, found in widths.items()}
    return max(totals, key=totals.get, default=",")
