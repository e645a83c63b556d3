"""Text to tokens, one at a time."""

import re
from dataclasses import dataclass

from jotter.query.errors import QuerySyntaxError

_WORD = re.compile(r'[^\s()"]+')
_FIELD = re.compile(r"([A-Za-z]+):")
OPERATORS = ("AND", "OR", "NOT")


@dataclass(frozen=True)
class Token:
    """``kind``: AND, OR, NOT, (, ), end, field, word or phrase."""

    kind: str
    text: str
    position: int


class Lexer:
    """Reads no further than the token that is asked for, so mistakes are met in their order."""

    def __init__(self, text):
        self.text = text
        self.at = 0
        self._next = None
        self._after_field = False

    @property
    def next(self):
        """The token that comes next."""
        if self._next is None:
            self._next = self._token(self._after_field)
        return self._next

    def take(self):
        """The next token, and go past it."""
        token = self.next
        self._next = None
        self._after_field = token.kind == "field"
        return token

    def _token(self, after_field):
        start = self.at
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        if after_field and self.at > start:
            return Token("nothing", "", start)
        start = self.at
        char = self.text[start : start + 1]
        if not char:
            return Token("end", "", start)
        if char in "()":
            self.at += 1
            return Token(char, char, start)
        return self._phrase() if char == '"' else self._word(after_field)

    def _word(self, is_value):
        start = self.at
        match = None if is_value else _FIELD.match(self.text, start)
        if match:
            self.at = match.end()
            return Token("field", match[1], start)
        word = _WORD.match(self.text, start)[0]
        self.at += len(word)
        kind = word if word in OPERATORS and not is_value else "word"
        return Token(kind, word, start)

    def _phrase(self):
        start = self.at
        self.at += 1
        parts = []
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "\\" and self.text[self.at + 1 : self.at + 2] in ('"', "\\"):
                parts.append(self.text[self.at + 1])
                self.at += 2
                continue
            self.at += 1
            if char == '"':
                return Token("phrase", "".join(parts), start)
            parts.append(char)
        raise QuerySyntaxError("phrase is never closed", start)
