"""What is free, and what is in demand."""


def first_free(busy, length, start, end):
    """Where the first free stretch of ``length`` numbers starts, or None."""
    if length < 1:
        raise ValueError("length must be 1 or more")
    for free_start, free_end in busy.complement(start, end):
        if free_end - free_start >= length:
            return free_start
    return None


def busiest(sets):
    """The number that is in the most sets, and in how many; None if all are empty."""
    changes = {}
    for numbers in sets:
        for start, end in numbers:
            changes[start] = changes.get(start, 0) + 1
            changes[end] = changes.get(end, 0) - 1
    best, count = (0, 0), 0
    for number, change in sorted(changes.items()):
        count += change
        if count > 0 and (best is None or count > best[1]):
            best = (number, count)
    return best
