"""The values of templates: undefined ones, safe text, and how values become text."""


class Undefined:
    """What a missing name, key or attribute gives: false, equal to none, and printed as nothing."""

    def __init__(self, name):
        self.name = name

    def __bool__(self):
        return False

    def __eq__(self, other):
        return other is None or isinstance(other, Undefined)

    __hash__ = None


class Safe(str):
    """Text that is not escaped any more."""


def is_missing(value):
    """True for none and for what is undefined."""
    return value is None or isinstance(value, Undefined)


def text_of(value):
    """The text of a value as an expression prints it."""
    if is_missing(value):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list | tuple):
        return ", ".join(text_of(item) for item in value)
    return value if isinstance(value, Safe) else str(value)


def escape(text):
    """HTML special characters as entities."""
    for letter, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(letter, entity)
    return Safe(text)
