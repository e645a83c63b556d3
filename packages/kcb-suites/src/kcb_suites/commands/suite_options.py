"""Options that the subcommands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def suite_option(command: F) -> F:
    """``--suite DIR|NAME``: which suites are meant."""
    return click.option(
        "--suite",
        "where",
        default="",
        metavar="DIR|NAME",
        help="A tree's folder, a manifest's file, or the name of an installed suite. "
        "Default: all suites that come with the program.",
    )(command)
