"""Finds notes."""
from jotter.query import parse

def search(notes, text):
    """The notes that the query ``text`` matches, best first. Raises QuerySyntaxError."""
    return None
