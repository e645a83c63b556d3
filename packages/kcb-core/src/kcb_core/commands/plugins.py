"""``klein-bench plugins``: what is installed, and what of it is broken."""

from __future__ import annotations

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import json_option


@click.command()
@json_option
@click.pass_context
def plugins(ctx: click.Context, as_json: bool) -> None:
    """List plug-ins with their distributions and versions; a broken one with its reason."""
    catalog: Catalog = ctx.find_root().obj
    ask_everything(catalog)
    broken = {failure.plugin.name: failure for failure in catalog.failures}
    rows = [
        {
            "name": plugin.name,
            "distribution": plugin.distribution,
            "version": plugin.version,
            "status": "broken" if plugin.name in broken else "ok",
            **({"reason": broken[plugin.name].reason} if plugin.name in broken else {}),
        }
        for plugin in catalog.plugins
    ]
    if as_json:
        console.emit_json(rows)
    else:
        columns = ("name", "distribution", "version", "status", "reason")
        console.table(columns, [[row.get(column, "") for column in columns] for row in rows])
    if ctx.find_root().params["debug"]:
        for failure in catalog.failures:
            console.note(failure.trace)


def ask_everything(catalog: Catalog) -> None:
    """Call every hook once, so that a plug-in that fails only when it is asked shows up too."""
    for bring in (
        catalog.families,
        catalog.tiers,
        catalog.dataset_sources,
        catalog.references,
        catalog.launchers,
        catalog.runners,
        catalog.agents,
        catalog.task_sources,
        catalog.executors,
        catalog.verifiers,
        catalog.scorers,
        catalog.fault_codes,
        catalog.ticket_sinks,
        catalog.documents,
        catalog.report_sections,
        catalog.health_checks,
        catalog.commands,
    ):
        bring()
