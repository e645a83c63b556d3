"""Movements to groups."""
import datetime
from dataclasses import dataclass, field

@dataclass
class Group:
    """The sums of some movements; ``value`` is in cents."""
    name: str
    incoming: int = 0
    outgoing: int = 0
    lost: int = 0
    value: int = 0
    counted: int | None = None
    counted_on: datetime.date = datetime.date.min
    notes: list = field(default_factory=list)

    @property
    def balance(self):
        """What should be there."""
        return None

    def add(self, movement):
        """Count one movement in."""
        return None

    def _count(self, movement):
        return None

def _name(movement, by):
    return None

def group(movements, options):
    """All groups of the movements, in the order in which a report shows them."""
    return None
