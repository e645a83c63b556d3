"""``klein-bench drill list``: what there is to run."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import json_option
from kcb_suites.drills.battery import Battery
from kcb_suites.drills.drill import Drill
from kcb_suites.drills.drill_options import battery_argument, chosen_batteries

_COLUMNS = ("battery", "drill", "tool", "level", "channels", "checks", "source")


@click.command("list")
@battery_argument
@json_option
@click.pass_obj
def list_drills(catalog: Catalog, where: str | None, as_json: bool) -> None:
    """List the drills of a BATTERY, by name or folder, or of all that are shipped."""
    found = [(b, drill) for b in chosen_batteries(catalog, where) for drill in b.drills]
    if as_json:
        console.emit_json([_facts(battery, drill) for battery, drill in found])
        return
    rows = [tuple(_shown(value) for value in _facts(*one).values()) for one in found]
    console.table(_COLUMNS, rows, right="level")


def _facts(battery: Battery, drill: Drill) -> dict[str, Any]:
    source = drill.failure_source
    return {
        "battery": battery.name,
        "drill": drill.drill,
        "tool": drill.tool,
        "level": drill.level,
        "channels": sorted({str(check.channel) for check in drill.checks}),
        "checks": [check.check for check in drill.checks],
        "source": "stress test" if source is msgspec.UNSET else source,
    }


def _shown(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)
