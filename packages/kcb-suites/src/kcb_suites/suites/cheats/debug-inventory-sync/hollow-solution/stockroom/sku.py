"""Article numbers, however they are written."""


def normal(text):
    """The one form of an article number; empty if there is none."""
    return "".join(text.split()).replace("-", "").upper()
