"""Movements to groups."""


def group(movements, options):
    """Each movement is a group."""
    return sorted(movements, key=lambda movement: movement.item.lower())
