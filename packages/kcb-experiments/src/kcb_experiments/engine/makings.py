"""How a project was made: what its maker left on record, and above it what the experiment knows.

An agent says by which bounds of its own it worked, and knows neither those of the spec nor its
prices. A report is read by people who compare arms, so it has what was in force.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from kcb_core.run_record import Cost, Making, RunRecord, StatedUsage, Usage, read_making
from kcb_experiments.attempts import Attempt
from kcb_experiments.engine.metering import priced
from kcb_experiments.records import AttemptEnd, Generated
from kcb_experiments.spec import Bounds, Price, Subject

_UNITS = {"seconds": "s", "tokens": "tokens", "dollars": "dollars"}
"""What a budget is made of. How many turns an agent takes is a part of the agent."""


def making_of(subject: Subject, attempt: Attempt, path: Path | None) -> Making:
    """How the project of an attempt was made.

    Args:
        subject: with its bounds at the task.
        attempt: whose subject has had its turn.
        path: the file in which its maker says how, if there is one.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it is malformed.
    """
    said = read_making(path) if path else Making(record=RunRecord())
    known: dict[str, Any] = {"budget": budget_in_force(subject.bounds, said.bounds)}
    seen: AttemptEnd | Generated | None = attempt.end or attempt.generated
    if seen is not None:
        if isinstance(seen.usage, StatedUsage):
            known |= _cost(seen.usage, subject, whole=not attempt.unsettled)
            known |= _unless(said.record, "usage", _as_stated(seen.usage))
        known |= _unless(said.record, "wall_s", seen.duration_s)
    return msgspec.structs.replace(said, record=msgspec.structs.replace(said.record, **known))


def budget_in_force(bounds: Bounds, own: Mapping[str, float]) -> str:
    """The bounds by which an attempt was cut off: of each kind the tighter one.

    Args:
        bounds: the spec's, or the task's where that says none.
        own: those that the agent kept to by itself, by name.
    """
    given = {"seconds": bounds.limit_s, "tokens": bounds.tokens, "dollars": bounds.dollars}
    told = []
    for name, unit in _UNITS.items():
        values = [value for value in (given[name], own.get(name)) if isinstance(value, float | int)]
        if values:
            told.append(f"{min(values):.12g} {unit}")
    return ", ".join(told)


def _cost(usage: StatedUsage, subject: Subject, *, whole: bool) -> dict[str, Cost]:
    """What it cost by the price in the spec; what the agent says of it stands where that has none.

    Args:
        usage: the tokens that are known.
        subject: may have a price.
        whole: whether these are all of them.
    """
    price = subject.price
    if not isinstance(price, Price):
        return {}
    dollars, at_least = priced(usage, price)
    lower = True if at_least or not whole else msgspec.UNSET
    return {"cost": Cost(dollars=round(dollars, 9), lower_bound=lower, prices=_prices(price))}


def _prices(price: Price) -> str:
    """The prices in a few words, with where they stand."""
    names = [name for name in price.__struct_fields__ if name != "source"]
    known = {name: getattr(price, name) for name in names}
    each = [
        f"{name.replace('_', ' ')} {value:g}"
        for name, value in known.items()
        if value is not msgspec.UNSET
    ]
    source = f" ({price.source})" if price.source else ""
    return f"dollars a million tokens: {', '.join(each)}{source}"


def _as_stated(usage: StatedUsage) -> Usage:
    """The same as a run record has it."""
    return Usage(**{name: getattr(usage, name) for name in Usage.__struct_fields__})


def _unless(record: RunRecord, name: str, value: object) -> dict[str, object]:
    """A field that its maker left open, such as one that was cut off before it could say it."""
    return {name: value} if getattr(record, name) is msgspec.UNSET else {}
