"""The set itself."""

from bisect import bisect_right


def check_pair(start, end):
    """Raise what a pair deserves that is no interval."""
    for value in (start, end):
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"not a whole number: {value!r}")
    if end < start:
        raise ValueError(f"interval ends before it starts: {start}, {end}")


def merged(pairs):
    """The fewest sorted intervals that hold what ``pairs`` hold."""
    result = []
    for start, end in sorted(pairs):
        if start == end:
            continue
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start, end))
    return tuple(result)


class IntervalSet:
    """A set of whole numbers, kept as half-open intervals; it never changes."""

    __slots__ = ("_intervals", "_starts")

    def __init__(self, pairs=()):
        pairs = [(start, end) for start, end in pairs]
        for start, end in pairs:
            check_pair(start, end)
        self._intervals = merged(pairs)
        self._starts = [start for start, _ in self._intervals]

    # What it holds

    @property
    def intervals(self):
        return self._intervals

    @property
    def size(self):
        return sum(end - start for start, end in self._intervals)

    @property
    def bounds(self):
        if not self._intervals:
            return None
        return self._intervals[0][0], self._intervals[-1][1]

    def __iter__(self):
        return iter(self._intervals)

    def __len__(self):
        return len(self._intervals)

    def __contains__(self, number):
        return self.find(number) is not None

    def __eq__(self, other):
        if not isinstance(other, IntervalSet):
            return NotImplemented
        return self._intervals == other._intervals

    def __hash__(self):
        return hash(self._intervals)

    def __repr__(self):
        return f"IntervalSet({list(self._intervals)!r})"

    def find(self, number):
        """The interval that holds ``number``, or None."""
        index = bisect_right(self._starts, number) - 1
        if index >= 0 and number < self._intervals[index][1]:
            return self._intervals[index]
        return None

    def at(self, position):
        """The number at ``position``; negative positions count from the end."""
        index = position + self.size if position < 0 else position
        if index >= 0:
            for start, end in self._intervals:
                if index < end - start:
                    return start + index
                index -= end - start
        raise IndexError(f"position out of range: {position}")

    def nearest(self, number):
        """The number of the set that is nearest, the smaller one of two."""
        if not self._intervals:
            raise ValueError("the set is empty")
        candidates = [min(max(number, start), end - 1) for start, end in self._intervals]
        return min(candidates, key=lambda candidate: (abs(candidate - number), candidate))

    # Other sets from it

    def __or__(self, other):
        if not isinstance(other, IntervalSet):
            return NotImplemented
        return IntervalSet(self._intervals + other._intervals)

    def __and__(self, other):
        if not isinstance(other, IntervalSet):
            return NotImplemented
        pairs = []
        mine, others = 0, 0
        while mine < len(self) and others < len(other):
            start = max(self._intervals[mine][0], other._intervals[others][0])
            end = min(self._intervals[mine][1], other._intervals[others][1])
            if start < end:
                pairs.append((start, end))
            if self._intervals[mine][1] <= other._intervals[others][1]:
                mine += 1
            else:
                others += 1
        return IntervalSet(pairs)

    def __sub__(self, other):
        if not isinstance(other, IntervalSet):
            return NotImplemented
        return self & other.complement(*self.bounds)

    def __xor__(self, other):
        if not isinstance(other, IntervalSet):
            return NotImplemented
        return (self - other) | (other - self)

    def issubset(self, other):
        """Whether every number is in ``other``."""
        return not self - other

    def isdisjoint(self, other):
        """Whether no number is in ``other``."""
        return not self & other

    def clip(self, lo, hi):
        """The numbers from ``lo`` up to but not including ``hi``."""
        return self & IntervalSet([(lo, hi)])

    def complement(self, lo, hi):
        """The numbers of that range that are not in the set."""
        check_pair(lo, hi)
        pairs = []
        free_from = lo
        for start, end in self._intervals:
            if start >= hi:
                break
            if start > free_from:
                pairs.append((free_from, start))
            free_from = max(free_from, end)
        if free_from < hi:
            pairs.append((free_from, hi))
        return IntervalSet(pairs)

    def gaps(self):
        """The numbers between the intervals."""
        if not self._intervals:
            return self
        return self.complement(*self.bounds)

    def shift(self, offset):
        """Every number plus ``offset``."""
        return IntervalSet((start + offset, end + offset) for start, end in self._intervals)

    def grow(self, margin):
        """Intervals with ``margin`` more numbers at each end, or fewer if it is negative."""
        grown = [(start - margin, end + margin) for start, end in self._intervals]
        return IntervalSet((start, end) for start, end in grown if start < end)

    def chunks(self, size):
        """Intervals of at most ``size`` numbers."""
        if size < 1:
            raise ValueError("chunks need a size of 1 or more")
        return [
            (cut, min(cut + size, end))
            for start, end in self._intervals
            for cut in range(start, end, size)
        ]
