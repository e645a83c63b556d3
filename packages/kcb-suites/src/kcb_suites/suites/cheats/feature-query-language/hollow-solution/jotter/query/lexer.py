"""Text to tokens, one at a time."""
import re
from dataclasses import dataclass
from jotter.query.errors import QuerySyntaxError
_WORD = re.compile('[^\\s()"]+')
_FIELD = re.compile('([A-Za-z]+):')
OPERATORS = ('AND', 'OR', 'NOT')

@dataclass(frozen=True)
class Token:
    """``kind``: AND, OR, NOT, (, ), end, field, word or phrase."""
    kind: str
    text: str
    position: int

class Lexer:
    """Reads no further than the token that is asked for, so mistakes are met in their order."""

    def __init__(self, text):
        return None

    @property
    def next(self):
        """The token that comes next."""
        return None

    def take(self):
        """The next token, and go past it."""
        return None

    def _token(self, after_field):
        return None

    def _word(self, is_value):
        return None

    def _phrase(self):
        return None
