"""Ranges as people write them, with both ends included."""

import re

from spans.intervals import IntervalSet

RANGE = re.compile(r"([0-9]+)(?:\s*-\s*([0-9]+))?")


def parse_ranges(text):
    """The set that ``1-3, 7`` stands for."""
    pairs = []
    for part in text.split(","):
        part = part.strip()
        match = RANGE.fullmatch(part)
        if match is None:
            raise ValueError(f"bad range: {part}")
        first = int(match[1])
        last = int(match[2]) if match[2] else first
        if last < first:
            raise ValueError(f"bad range: {part}")
        pairs.append((first, last + 1))
    return IntervalSet(pairs)


def format_ranges(numbers):
    """The opposite of ``parse_ranges``."""
    if numbers and numbers.bounds[0] < 0:
        raise ValueError("negative numbers cannot be written")
    return ", ".join(
        str(start) if end - start == 1 else f"{start}-{end - 1}" for start, end in numbers
    )
