"""Lines for people."""
from collections import Counter

def note_line(note):
    """One note on one line."""
    return None

def tag_lines(notes):
    """Each tag with how many notes have it, the most used first."""
    return None

def error_lines(text, error):
    """What is wrong with a query, the query, and a caret below the place."""
    return None
