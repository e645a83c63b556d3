"""Sets of whole numbers that are made of long stretches."""

from spans._free import busiest, first_free
from spans._ranges import format_ranges, parse_ranges
from spans._sets import IntervalSet

__all__ = ["IntervalSet", "busiest", "first_free", "format_ranges", "parse_ranges"]
