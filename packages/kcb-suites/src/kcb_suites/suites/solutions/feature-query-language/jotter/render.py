"""Lines for people."""

from collections import Counter


def note_line(note):
    """One note on one line."""
    day = note.date.isoformat() if note.date else "-" * 10
    tags = f" [{', '.join(note.tags)}]" if note.tags else ""
    return f"{note.id}  {day}  {note.title}{tags}"


def tag_lines(notes):
    """Each tag with how many notes have it, the most used first."""
    counts = Counter(tag for note in notes for tag in note.tags)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [f"{count:4d}  {tag}" for tag, count in ordered]


def error_lines(text, error):
    """What is wrong with a query, the query, and a caret below the place."""
    shown = "".join(" " if char.isspace() else char for char in text)
    return [f"jotter: {error}", f"  {shown}", "  " + " " * error.position + "^"]
