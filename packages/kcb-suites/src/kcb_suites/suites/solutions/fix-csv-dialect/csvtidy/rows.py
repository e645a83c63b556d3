"""Rows: their length, those without content, and those that were there before."""

from csvtidy.cells import clean


def fit(records, width):
    """``(rows, problems)``: rows of ``width`` clean cells, and what is wrong with the others."""
    rows, problems = [], []
    for record in records:
        cells = [clean(cell) for cell in record.cells]
        if any(cells[width:]):
            problems.append(f"line {record.line}: {len(cells)} cells where the header has {width}")
            continue
        cells = cells[:width] + [""] * (width - len(cells))
        if any(cells):
            rows.append(cells)
    return rows, problems


def unique(rows):
    """The rows without those that are equal to an earlier one."""
    seen = set()
    kept = []
    for row in rows:
        key = tuple(row)
        if key not in seen:
            seen.add(key)
            kept.append(row)
    return kept
