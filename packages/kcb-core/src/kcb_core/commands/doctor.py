"""``klein-bench doctor``: what works on this machine, and the remedy for what does not."""

from __future__ import annotations

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import json_option
from kcb_core.commands.plugins import ask_everything
from kcb_core.errors import ExitStatus
from kcb_core.health import Health, HealthCheck, Verdict


@click.command()
@json_option
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Check this machine: exit status 3 if something that is needed is broken."""
    catalog: Catalog = ctx.find_root().obj
    ask_everything(catalog)
    found = [(check.name, _examine(check)) for check in catalog.health_checks()]
    found += [
        (f"plug-in {failure.plugin.name}", Health(
            verdict=Verdict.WARNING,
            summary=str(failure),
            remedy=f"upgrade or uninstall {failure.plugin.distribution}",
        ))
        for failure in catalog.failures
    ]  # fmt: skip
    if as_json:
        console.emit_json(
            [
                {"name": name, "verdict": h.verdict, "summary": h.summary, "remedy": h.remedy}
                for name, h in found
            ]
        )
    else:
        console.table(
            ("check", "verdict", "summary", "remedy"),
            [(name, h.verdict, h.summary, h.remedy) for name, h in found],
        )
    if any(health.verdict is Verdict.BROKEN for _, health in found):
        ctx.exit(ExitStatus.MACHINERY)


def _examine(check: HealthCheck) -> Health:
    try:
        return check.check()
    except Exception as error:  # noqa: BLE001 - a check that fails has found something broken
        return Health(verdict=Verdict.BROKEN, summary=f"{type(error).__name__}: {error}")
