"""Reading and writing of ranges, by hand."""

from spans.intervals import IntervalSet

DIGITS = frozenset("0123456789")


def _number(text):
    return int(text) if text and set(text) <= DIGITS else None


def _range(part):
    """First and last number of a part, or None."""
    first, dash, last = (word.strip() for word in part.partition("-"))
    low = _number(first)
    high = _number(last) if dash else low
    return None if low is None or high is None or low > high else (low, high)


def parse_ranges(text):
    """The set that is written."""
    ranges = {part: _range(part) for part in map(str.strip, text.split(",")) if part}
    for part, found in ranges.items():
        if found is None:
            raise ValueError(f"bad range: {part}")
    return IntervalSet([(low, high + 1) for low, high in ranges.values()])


def format_ranges(numbers):
    """The set as it is written."""
    parts = []
    for start, end in numbers:
        if start < 0:
            raise ValueError("negative numbers cannot be written")
        parts.append(f"{start}-{end - 1}" if end > start + 1 else f"{start}")
    return ", ".join(parts)
