"""The values of templates: undefined ones, safe text, and how values become text."""

class Undefined:
    """What a missing name, key or attribute gives: false, equal to none, and printed as nothing."""

    def __init__(self, name):
        self.name = name

    def __bool__(self):
        return None

    def __eq__(self, other):
        return None
    __hash__ = None

class Safe(str):
    """Text that is not escaped any more."""

def is_missing(value):
    """True for none and for what is undefined."""
    return None

def text_of(value):
    """The text of a value as an expression prints it."""
    return ''

def escape(text):
    """HTML special characters as entities."""
    return ''
