"""Explains queries, and puts them to the notes of the folder `notes`."""

from jotter.query import QuerySyntaxError, explain, parse
from jotter.saved import load_saved
from jotter.search import search
from jotter.store import load_notes

NOTES = load_notes("notes")


def scores(text):
    query = parse(text)
    return {note.id: query.score(note) for note in NOTES if query.matches(note)}


KINDS = {
    "explain": explain,
    "search": lambda text: [note.id for note in search(NOTES, text)],
    "scores": scores,
    "saved": lambda text: load_saved("notes"),
}


def answer(question):
    kind, text = question
    try:
        return KINDS[kind](text)
    except QuerySyntaxError as error:
        right = isinstance(error, ValueError) and str(error) == error.message
        return {"message": error.message, "position": error.position, "form": right}
