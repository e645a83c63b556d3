"""What the commands over batteries have in common: the choice of drills, and of confinement."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from kcb_core.catalog import Catalog
from kcb_core.errors import UnknownNameError
from kcb_runner.slot.plan import LEVELS
from kcb_suites.drills.battery import Battery, find_batteries, read_battery
from kcb_suites.drills.drill import Drill

F = TypeVar("F", bound=Callable[..., Any])


def battery_argument(command: F) -> F:
    """``[BATTERY]``: one by name or folder; default all that are shipped."""
    return click.argument("where", required=False, metavar="[BATTERY]")(command)


def drill_option(command: F) -> F:
    """``--drill NAME``, any number of times."""
    return click.option(
        "--drill",
        "names",
        multiple=True,
        metavar="NAME",
        help="Only this drill; again for more. Default: all.",
    )(command)


def confine_option(command: F) -> F:
    """``--confine LEVEL``: full unless the caller says otherwise, and never less than said."""
    return click.option(
        "--confine",
        "level",
        type=click.Choice(LEVELS),
        default="full",
        show_default=True,
        metavar="LEVEL",
        help="How far commands are confined: full, basic or none. Where this machine cannot, "
        "nothing is run.",
    )(command)


def chosen_batteries(catalog: Catalog, where: str | None) -> tuple[Battery, ...]:
    """The batteries that are meant, read and sound.

    Raises:
        DeclarationError: there is none of this name, or its parts do not fit together.
        DataError: a declaration is malformed; file and field are named.
    """
    codes = frozenset(code.code for code in catalog.fault_codes())
    return tuple(read_battery(folder, codes) for folder in find_batteries(where))


def chosen_drills(
    batteries: Iterable[Battery], names: tuple[str, ...]
) -> list[tuple[Battery, tuple[Drill, ...]]]:
    """The drills that are named, or all, by battery; batteries without one are left out.

    Raises:
        UnknownNameError: no battery has a drill of a name.
    """
    given = list(batteries)
    known = {drill.drill for battery in given for drill in battery.drills}
    for name in names:
        if name not in known:
            raise UnknownNameError("drill", name, sorted(known))
    chosen = [
        (battery, tuple(d for d in battery.drills if not names or d.drill in names))
        for battery in given
    ]
    return [(battery, drills) for battery, drills in chosen if drills]
