"""What a caller may choose."""
from dataclasses import dataclass, fields

@dataclass(frozen=True)
class Options:
    """The options of one report. Raises ValueError for a value that cannot be."""
    by: str = 'item'
    order: str = 'name'
    reverse: bool = False
    top: int | None = None
    form: str = 'text'
    since: str | None = None
    until: str | None = None
    kinds: list | None = None
    currency: str = 'EUR'
    title: str = 'Stock movements'
    problems: bool = True

    def __post_init__(self):
        return None

def make_options(chosen):
    """The options of a dictionary. Raises TypeError for a name that is none."""
    return None
