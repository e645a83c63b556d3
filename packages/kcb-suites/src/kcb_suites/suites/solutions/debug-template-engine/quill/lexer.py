"""Cuts the source of a template into text, expressions and tags."""

import re
from dataclasses import dataclass

from quill.errors import TemplateSyntaxError

OPENING = re.compile(r"\{([{%#])(-?)")
CLOSING = {"{": "}}", "%": "%}", "#": "#}"}
KINDS = {"{": "expression", "%": "tag", "#": "comment"}
END_OF_RAW = re.compile(r"\{%(-?)\s*endraw\s*(-?)%\}")


@dataclass(frozen=True)
class Piece:
    """``kind`` is text, expression or tag; ``line`` is where it starts."""

    kind: str
    text: str
    line: int


class Lexer:
    """One pass over a source."""

    def __init__(self, source, template):
        self.source = source
        self.template = template
        self.position = 0
        self.pieces = []

    def line_at(self, position):
        return self.source.count("\n", 0, position) + 1

    def fail(self, message, position):
        raise TemplateSyntaxError(message, self.template, self.line_at(position))

    def run(self):
        while self.position < len(self.source):
            opening = OPENING.search(self.source, self.position)
            if opening is None:
                self.add_text(self.position, len(self.source))
                break
            self.add_text(self.position, opening.start(), strip_end=bool(opening[2]))
            self.add_marked(opening)
        return [piece for piece in self.pieces if piece.kind != "text" or piece.text]

    def add_text(self, start, end, strip_end=False):
        text = self.source[start:end]
        self.pieces.append(Piece("text", text.rstrip() if strip_end else text, self.line_at(start)))
        self.position = end

    def add_marked(self, opening):
        """An expression, a tag or a comment, and what belongs to its end."""
        mark = opening[1]
        start = opening.end()
        end = self.find_end(start, mark, opening.start())
        inner = self.source[start:end]
        self.position = end + 2
        if strip := inner.endswith("-"):
            inner = inner[:-1]
        kind = KINDS[mark]
        if kind == "tag" and inner.strip() == "raw":
            self.skip_space(strip, kind)
            self.add_raw(opening.start())
            return
        if kind != "comment":
            self.pieces.append(Piece(kind, inner.strip(), self.line_at(opening.start())))
        self.skip_space(strip, kind)

    def skip_space(self, strip, kind):
        """All white space after ``-``; otherwise one line break after a tag or a comment."""
        if strip:
            self.position += len(self.source[self.position :]) - len(
                self.source[self.position :].lstrip()
            )
        elif kind != "expression" and self.source.startswith("\n", self.position):
            self.position += 1

    def add_raw(self, opened):
        end = END_OF_RAW.search(self.source, self.position)
        if end is None:
            self.fail("raw is not closed", opened)
        self.add_text(self.position, end.start(), strip_end=bool(end[1]))
        self.position = end.end()
        self.skip_space(bool(end[2]), "tag")

    def find_end(self, start, mark, opened):
        """Where the closing mark starts; marks inside of quoted text do not count."""
        closing = CLOSING[mark]
        position = start
        quote = None
        while position < len(self.source):
            letter = self.source[position]
            if quote:
                if letter == "\\":
                    position += 1
                elif letter == quote:
                    quote = None
            elif mark != "#" and letter in "'\"":
                quote = letter
            elif self.source.startswith(closing, position):
                return position
            position += 1
        return self.fail(f"{KINDS[mark]} is not closed", opened)


def scan(source, template):
    """The pieces of ``source``, in order; comments are left out."""
    return Lexer(source, template).run()
