"""Cuts the source of a template into text, expressions and tags."""
import re
from dataclasses import dataclass
from quill.errors import TemplateSyntaxError
OPENING = re.compile('\\{([{%#])(-?)')
CLOSING = {'{': '}}', '%': '%}', '#': '#}'}
KINDS = {'{': 'expression', '%': 'tag', '#': 'comment'}
END_OF_RAW = re.compile('\\{%(-?)\\s*endraw\\s*(-?)%\\}')

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
        return None

    def fail(self, message, position):
        return None

    def run(self):
        return None

    def add_text(self, start, end, strip_end=False):
        return None

    def add_marked(self, opening):
        """An expression, a tag or a comment, and what belongs to its end."""
        return None

    def skip_space(self, strip, kind):
        """All white space after ``-``; otherwise one line break after a tag or a comment."""
        return None

    def add_raw(self, opened):
        return None

    def find_end(self, start, mark, opened):
        """Where the closing mark starts; marks inside of quoted text do not count."""
        return None

def scan(source, template):
    """The pieces of ``source``, in order; comments are left out."""
    return ''
