"""What kcb-core itself brings."""

import importlib
from importlib import metadata

import click
import pytest

from kcb_core import plugin
from kcb_core.catalog import load_catalog
from kcb_core.roles import Command

COMMANDS = tuple(plugin.kcb_register_commands())


def test_core_comes_through_the_same_door() -> None:
    """What a stranger may do is what the house does, or the door is not good enough."""
    entries = metadata.entry_points(group="kcb")
    assert [entry.value for entry in entries if entry.name == "core"] == ["kcb_core.plugin"]
    assert load_catalog([("core", plugin)]).failures == ()


def test_core_brings_the_commands_that_need_no_other_package() -> None:
    """Their names are part of the command line."""
    assert [command.name for command in COMMANDS] == [
        *("list", "show", "prepare", "plugins", "schema", "doctor"),
    ]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_commands_are_where_they_say(command: Command) -> None:
    """They are imported only when they are called, so nothing else would notice."""
    module, _, attribute = command.target.partition(":")
    found = getattr(importlib.import_module(module), attribute)
    assert isinstance(found, click.Command)
    assert found.help
    assert command.summary.endswith(".")


def test_core_brings_the_codes_that_the_contract_speaks_of() -> None:
    """They enter by the hook that a stranger's do, so a stranger cannot give them another sense."""
    codes = load_catalog([("core", plugin)]).fault_codes()
    assert [one.code for one in codes] == [
        *("ERR_ACTION_FORMAT_VIOLATION", "ERR_TOOL_EXECUTION_HALLUCINATION"),
    ]
    assert all(one.summary.endswith(".") for one in codes)
