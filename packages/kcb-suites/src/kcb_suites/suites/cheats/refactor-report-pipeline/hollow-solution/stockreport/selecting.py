"""Which movements a report is about."""

def _wanted(movement, options):
    return None

def select(movements, options):
    """The movements that ``since``, ``until`` and ``kinds`` let through."""
    return None
