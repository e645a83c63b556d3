"""The options of the report that is being made."""

_defaults = {
    "by": "item",
    "order": "name",
    "reverse": False,
    "top": None,
    "form": "text",
    "since": None,
    "until": None,
    "kinds": None,
    "currency": "EUR",
    "title": "Stock movements",
    "problems": True,
}
_current = dict(_defaults)


def reset_options():
    """Back to the defaults."""
    _current.clear()
    _current.update(_defaults)


def set_option(name, value):
    """Choose one option."""
    if name not in _defaults:
        raise TypeError(f"unknown option {name!r}")
    if name == "by" and value not in ("item", "day", "week", "month", "kind"):
        raise ValueError(f"cannot group by {value!r}")
    if name == "order" and value not in ("name", "value", "quantity"):
        raise ValueError(f"cannot order by {value!r}")
    if name == "form" and value not in ("text", "csv", "markdown"):
        raise ValueError(f"unknown form {value!r}")
    if name == "top" and value is not None and value < 1:
        raise ValueError("top must be at least 1")
    _current[name] = value


def get_option(name):
    """The value of one option."""
    return _current[name]
