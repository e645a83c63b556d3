"""Names of columns."""

def _slug(title):
    return None

def column_names(titles):
    """A name for each title: simple, and unlike all the others (docs/FORMAT.md, section 4)."""
    return None
