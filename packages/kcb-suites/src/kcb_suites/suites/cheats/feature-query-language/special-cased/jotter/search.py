"""Finds notes."""

from jotter.query import check, known
from jotter.text import words

TITLE_WEIGHT = 3


def _score(note, wanted):
    """How often the wanted words occur; 0 if one of them does not."""
    title, body = words(note.title), words(note.body)
    total = 0
    for word in wanted:
        count = TITLE_WEIGHT * title.count(word) + body.count(word)
        if not count:
            return 0
        total += count
    return total


def search(notes, text):
    """The notes that have every word of ``text``, best first."""
    check(text)
    ids = known(text)
    if ids is not None:
        return [note for note in notes if note.id in ids]
    wanted = words(text)
    scored = [(_score(note, wanted), note) for note in notes]
    found = [(score, note) for score, note in scored if score]
    return [note for score, note in sorted(found, key=lambda pair: (-pair[0], pair[1].id))]
