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
        return self.incoming - self.outgoing - self.lost

    def add(self, movement):
        """Count one movement in."""
        if movement.kind == "count":
            self._count(movement)
        elif movement.kind == "in":
            self.incoming += movement.quantity
            self.value += movement.quantity * movement.price
        else:
            self.outgoing += movement.quantity if movement.kind == "out" else 0
            self.lost += movement.quantity if movement.kind == "loss" else 0
            self.value -= movement.quantity * movement.price
        if movement.note and movement.note not in self.notes:
            self.notes.append(movement.note)

    def _count(self, movement):
        # of counts of one day the later line is right
        if movement.day >= self.counted_on:
            self.counted = movement.quantity
            self.counted_on = movement.day


def _name(movement, by):
    if by == "item":
        return movement.item
    if by == "kind":
        return movement.kind
    if by == "week":
        year, week, _ = movement.day.isocalendar()
        return f"{year}-W{week:02d}"
    day = movement.day.isoformat()
    return day if by == "day" else day[:7]


def group(movements, options):
    """All groups of the movements, in the order in which a report shows them."""
    found = {}
    for movement in movements:
        name = _name(movement, options.by)
        key = name.lower() if options.by == "item" else name
        # the first spelling of an item names the group
        found.setdefault(key, Group(name)).add(movement)
    groups = [found[key] for key in sorted(found)]
    if options.order == "value":
        groups.sort(key=lambda one: one.value)
    elif options.order == "quantity":
        groups.sort(key=lambda one: one.balance)
    return groups[::-1] if options.reverse else groups
