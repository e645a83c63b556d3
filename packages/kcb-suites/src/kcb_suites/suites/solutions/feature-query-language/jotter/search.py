"""Finds notes."""

from jotter.query import parse


def search(notes, text):
    """The notes that the query ``text`` matches, best first. Raises QuerySyntaxError."""
    query = parse(text)
    found = [note for note in notes if query.matches(note)]
    return sorted(found, key=lambda note: (-query.score(note), note.id))
