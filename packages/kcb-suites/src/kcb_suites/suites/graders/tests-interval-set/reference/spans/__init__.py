"""Sets of whole numbers that are made of long stretches."""

from spans.intervals import IntervalSet
from spans.planning import busiest, first_free
from spans.text import format_ranges, parse_ranges

__all__ = ["IntervalSet", "busiest", "first_free", "format_ranges", "parse_ranges"]
