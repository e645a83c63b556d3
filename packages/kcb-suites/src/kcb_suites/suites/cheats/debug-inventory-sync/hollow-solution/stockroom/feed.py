"""Reading feeds."""

import csv
import re
from dataclasses import dataclass

from stockroom.clock import checked
from stockroom.errors import LineError, StockError
from stockroom.sku import normal

COLUMNS = ("kind", "sku", "name", "quantity", "at", "ref")
SITE = re.compile(r"# site:\s*(\S.*?)\s*")


@dataclass(frozen=True)
class Row:
    kind: str  # count or delivery
    sku: str
    name: str
    quantity: int
    at: str
    ref: str


def read_site(lines):
    match = SITE.fullmatch(lines[0]) if lines else None
    if match is None:
        raise LineError(1, "no site")
    return match[1]


def read_rows(lines):
    """The rows of a feed, whose first line names the site."""
    names = split_fields(lines[1]) if len(lines) > 1 else []
    if not set(COLUMNS) <= set(names):
        raise LineError(2, "no columns")
    for number, line in enumerate(lines[2:], 3):
        if not line.strip():
            continue
        fields = split_fields(line)
        fields += [""] * (len(names) - len(fields))
        try:
            yield read_row(dict(zip(names, fields)))
        except StockError as error:
            raise LineError(number, str(error)) from None


def split_fields(line):
    """The fields of one line of CSV."""
    return [field.strip() for field in next(csv.reader([line], skipinitialspace=True))]


def read_row(fields):
    kind = fields["kind"]
    if kind not in ("count", "delivery"):
        raise StockError(f"bad kind: {kind}")
    sku = normal(fields["sku"])
    if not sku:
        raise StockError("no sku")
    quantity = read_quantity(kind, fields["quantity"])
    at = checked(fields["at"])
    if kind == "delivery" and not fields["ref"]:
        raise StockError("no ref")
    return Row(kind, sku, fields["name"], quantity, at, fields["ref"])


def read_quantity(kind, text):
    """The number; a delivery may be negative but not 0, a count the other way round."""
    pattern = r"\d+" if kind == "count" else r"-?\d+"
    if not re.fullmatch(pattern, text) or (kind == "delivery" and int(text) == 0):
        raise StockError(f"bad quantity: {text}")
    return int(text)
