"""The set itself, as a list of the numbers where something changes."""


def _checked(start, end):
    for value in (start, end):
        if type(value) is bool or not isinstance(value, int):
            raise TypeError("the ends of an interval are whole numbers")
    if start > end:
        raise ValueError(f"interval ends before it starts: {start}, {end}")
    return start, end


class IntervalSet:
    """A set of whole numbers; it never changes."""

    def __init__(self, pairs=()):
        changes = {}
        for start, end in pairs:
            _checked(start, end)
            changes[start] = changes.get(start, 0) + 1
            changes[end] = changes.get(end, 0) - 1
        edges, depth = [], 0
        for number in sorted(changes):
            before, depth = depth, depth + changes[number]
            if (before == 0) != (depth == 0):
                edges.append(number)
        self.__edges = tuple(edges)

    @property
    def intervals(self):
        return tuple(zip(self.__edges[::2], self.__edges[1::2], strict=True))

    @property
    def size(self):
        return sum(self.__edges[1::2]) - sum(self.__edges[::2])

    @property
    def bounds(self):
        return (self.__edges[0], self.__edges[-1]) if self.__edges else None

    def __iter__(self):
        yield from self.intervals

    def __len__(self):
        return len(self.__edges) // 2

    def __bool__(self):
        return len(self.__edges) > 0

    def __contains__(self, number):
        return any(start <= number < end for start, end in self)

    def __eq__(self, other):
        return self.__edges == other.__edges if isinstance(other, IntervalSet) else NotImplemented

    def __hash__(self):
        return hash(("IntervalSet", self.__edges))

    def __repr__(self):
        pairs = ", ".join(f"({start}, {end})" for start, end in self)
        return f"IntervalSet([{pairs}])"

    def find(self, number):
        return next((pair for pair in self if pair[0] <= number < pair[1]), None)

    def at(self, position):
        rest = position
        if position < 0:
            for start, end in reversed(self.intervals):
                rest += end - start
                if rest >= 0:
                    return start + rest
        else:
            for start, end in self:
                if rest < end - start:
                    return start + rest
                rest -= end - start
        raise IndexError(f"position out of range: {position}")

    def nearest(self, number):
        best = None
        for start, end in self:
            candidate = start if number < start else end - 1 if number >= end else number
            if best is None or abs(candidate - number) < abs(best - number):
                best = candidate
        if best is None:
            raise ValueError("the set is empty")
        return best

    def __combined(self, other, holds):
        if not isinstance(other, IntervalSet):
            return NotImplemented
        edges = sorted({*self.__edges, *other.__edges})
        return IntervalSet(
            (start, end)
            for start, end in zip(edges, edges[1:], strict=False)
            if holds(start in self, start in other)
        )

    def __or__(self, other):
        return self.__combined(other, lambda mine, others: mine or others)

    def __and__(self, other):
        return self.__combined(other, lambda mine, others: mine and others)

    def __sub__(self, other):
        return self.__combined(other, lambda mine, others: mine and not others)

    def __xor__(self, other):
        return self.__combined(other, lambda mine, others: mine is not others)

    def issubset(self, other):
        return (self | other) == other

    def isdisjoint(self, other):
        return len(self & other) == 0

    def clip(self, lo, hi):
        _checked(lo, hi)
        cut = ((max(start, lo), min(end, hi)) for start, end in self)
        return IntervalSet((start, end) for start, end in cut if start < end)

    def complement(self, lo, hi):
        return IntervalSet([(lo, hi)]) - self

    def gaps(self):
        return IntervalSet(zip(self.__edges[1:-1:2], self.__edges[2:-1:2], strict=True))

    def shift(self, offset):
        return IntervalSet([(offset + start, offset + end) for start, end in self.intervals])

    def grow(self, margin):
        return IntervalSet(
            (start - margin, end + margin) for start, end in self if end - start + 2 * margin > 0
        )

    def chunks(self, size):
        if not size >= 1:
            raise ValueError("chunks need a size of 1 or more")
        pieces = []
        for start, end in self:
            while end - start > size:
                pieces.append((start, start + size))
                start += size
            pieces.append((start, end))
        return pieces
