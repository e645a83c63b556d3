"""Which movements a report is about."""


def _wanted(movement, options):
    # since and until are days, and both belong to the time
    day = movement.day.isoformat()
    return (
        (not options.since or day >= options.since)
        and (not options.until or day <= options.until)
        and (not options.kinds or movement.kind in options.kinds)
    )


def select(movements, options):
    """The movements that ``since``, ``until`` and ``kinds`` let through."""
    return [movement for movement in movements if _wanted(movement, options)]
