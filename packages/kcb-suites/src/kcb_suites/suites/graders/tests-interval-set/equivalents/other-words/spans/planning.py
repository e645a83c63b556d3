"""Planning, the slow way."""


def first_free(busy, length, start, end):
    """Where the first free stretch of ``length`` numbers starts, or None."""
    if not length >= 1:
        raise ValueError("length must be 1 or more")
    fitting = [low for low, high in busy.complement(start, end).intervals if high - low >= length]
    return min(fitting, default=None)


def busiest(sets):
    """The number that is in the most sets, and in how many; None if all are empty."""
    sets = list(sets)
    starts = sorted({start for numbers in sets for start, _ in numbers})
    counts = [(sum(start in numbers for numbers in sets), -start) for start in starts]
    if not counts:
        return None
    count, negated = max(counts)
    return -negated, count
