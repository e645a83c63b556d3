"""What a caller may choose."""

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Options:
    """The options of one report. Raises ValueError for a value that cannot be."""

    by: str = "item"
    order: str = "name"
    reverse: bool = False
    top: int | None = None
    form: str = "text"
    since: str | None = None
    until: str | None = None
    kinds: list | None = None
    currency: str = "EUR"
    title: str = "Stock movements"
    problems: bool = True

    def __post_init__(self):
        if self.by not in ("item", "day", "week", "month", "kind"):
            raise ValueError(f"cannot group by {self.by!r}")
        if self.order not in ("name", "value", "quantity"):
            raise ValueError(f"cannot order by {self.order!r}")
        if self.form not in ("text", "csv", "markdown"):
            raise ValueError(f"unknown form {self.form!r}")
        if self.top is not None and self.top < 1:
            raise ValueError("top must be at least 1")


def make_options(chosen):
    """The options of a dictionary. Raises TypeError for a name that is none."""
    known = {field.name for field in fields(Options)}
    for name in chosen:
        if name not in known:
            raise TypeError(f"unknown option {name!r}")
    return Options(**chosen)
