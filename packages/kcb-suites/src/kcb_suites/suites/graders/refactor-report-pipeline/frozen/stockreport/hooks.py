"""Who wants to know of what."""

_hooks = {}


def on(event, callback):
    """Call ``callback`` whenever ``event`` happens."""
    _hooks.setdefault(event, []).append(callback)


def off():
    """Forget all callbacks."""
    _hooks.clear()


def fire(event, *values):
    """Tell all who want to know of ``event``; what the last of them says."""
    said = None
    for callback in _hooks.get(event, []):
        said = callback(*values)
    return said
