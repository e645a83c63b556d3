"""The command line ``klein-bench``, where plug-ins hang their commands.

This module parses, dispatches, and turns errors into one line and an exit status; what a command
does lives with its owner.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from importlib import metadata
from typing import Any, cast

import click
from rich_click import RichContext, RichGroup

from kcb_core import console
from kcb_core.catalog import Catalog, Failure, load_catalog
from kcb_core.errors import DeclarationError, ExitStatus, KcbError, UnknownNameError
from kcb_core.roles import Command

_OLDEST_PYTHON = (3, 11)
_SYSTEMS = ("Linux", "Darwin")
_DEBUG = "--debug"
_NO_PLUGINS = "--no-plugins"


class _Commands(RichGroup):
    """The group of all commands; a command's module is imported only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [command.name for command in _catalog(ctx).commands()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """What help shows of a command: its one line, without importing it."""
        for command in _catalog(ctx).commands():
            if command.name == cmd_name:
                return click.Command(command.name, help=command.summary)
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called, imported now."""
        catalog = _catalog(ctx)
        if args and not args[0].startswith("-"):
            known = catalog.commands()
            command = catalog.find("command", args[0], known, lambda found: found.name)
            return command.name, load_command(command), args[1:]
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: RichContext, formatter: Any) -> None:  # type: ignore[override]
        super().format_help(ctx, formatter)
        _warn_of_failures(_catalog(ctx))


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(metadata.version("kcb-core"), prog_name="klein-bench")
@click.option(_DEBUG, is_flag=True, help="Show the traceback of an error.")
@click.option(_NO_PLUGINS, is_flag=True, help="Import no plug-in but the built-in ones.")
@click.pass_context
def klein_bench(ctx: click.Context, debug: bool, no_plugins: bool) -> None:
    """Can a model build a working program from nothing but a specification?

    \b
    klein-bench list                   the tasks
    klein-bench prepare TASK -o DIR    a prompt and an empty folder
    klein-bench evaluate TASK ...      judge the program
    klein-bench score REPORT...        the result
    """
    if ctx.invoked_subcommand not in (None, "plugins"):
        catalog = _catalog(ctx)
        _warn_of_failures(catalog)
        ctx.call_on_close(partial(_warn_of_failures, catalog, catalog.failures))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``klein-bench`` and exit with the status that its outcome means."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    console.prepare_streams()
    sys.exit(run(words))


def run(words: Sequence[str]) -> int:
    """Run one command line and give its exit status; nothing that happens is raised.

    Args:
        words: the arguments, without the program's own name.
    """
    leading = _leading_options(words)
    debug = _DEBUG in leading
    try:
        _check_platform()
        catalog = load_catalog(third_party=_NO_PLUGINS not in leading)
        status = klein_bench.main(
            args=list(words) or ["--help"],
            prog_name="klein-bench",
            standalone_mode=False,
            obj=catalog,
        )
        sys.stdout.flush()  # a reader that has gone is noticed here, not when the interpreter ends
        return _status_of(status) if words else ExitStatus.INVALID
    except click.ClickException as error:
        error.show()
        return ExitStatus.INVALID
    except (KeyboardInterrupt, click.Abort):
        console.fail("interrupted")
        return ExitStatus.INTERRUPTED
    except KcbError as error:
        console.fail(_one_line(error))
        if debug:
            console.note(traceback.format_exc())
        return error.exit_status
    except BrokenPipeError:
        return _pipe_closed()
    except SystemExit as stop:
        return _stopped(stop)
    except Exception as error:  # noqa: BLE001 - the last net: a fault of this program is status 3
        console.fail(f"unexpected {type(error).__name__}: {_one_line(error)}; {_DEBUG} shows where")
        if debug:
            console.note(traceback.format_exc())
        return ExitStatus.MACHINERY


def _leading_options(words: Sequence[str]) -> list[str]:
    """The options that stand before the command, and so are the group's own."""
    leading = []
    for word in words:
        if not word.startswith("-"):
            break
        leading.append(word)
    return leading


def _catalog(ctx: click.Context) -> Catalog:
    return cast(Catalog, ctx.find_root().obj)


def load_command(command: Command) -> click.Command:
    """The click command that a command names, its module imported now.

    Raises:
        DeclarationError: there is none, or its module cannot be imported.
    """
    module, _, attribute = command.target.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
        if not isinstance(found, click.Command):
            raise TypeError(f"{found!r} is no click command")
    except Exception as error:
        raise DeclarationError(
            f"command {command.name!r} cannot be loaded from {command.target}: "
            f"{type(error).__name__}: {error}"
        ) from error
    return found


class Subcommands(click.Group):
    """A command of which each subcommand is a :class:`Command`, imported only when it is called."""

    def __init__(self, *args: Any, subcommands: Sequence[Command], **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self._by_name = {command.name: command for command in subcommands}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._by_name)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """What help shows of a command, without importing it."""
        command = self._by_name.get(cmd_name)
        return click.Command(command.name, help=command.summary) if command else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called, imported now.

        Raises:
            UnknownNameError: there is none of this name.
        """
        if args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        if args[0] not in self._by_name:
            known = [f"{self.name} {name}" for name in self._by_name]
            raise UnknownNameError("command", f"{self.name} {args[0]}", known)
        return args[0], load_command(self._by_name[args[0]]), args[1:]


def _warn_of_failures(catalog: Catalog, known: Sequence[Failure] = ()) -> None:
    for failure in catalog.failures:
        if failure not in known:
            console.warn(f"{failure}; run 'klein-bench plugins'")


def _check_platform() -> None:
    if sys.version_info < _OLDEST_PYTHON or platform.system() not in _SYSTEMS:
        raise DeclarationError(
            f"Python {platform.python_version()} on {platform.system()} is not supported; "
            "Python 3.11 or newer on Linux or macOS is"
        )


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _status_of(result: object) -> int:
    """The exit status that a command asks for by what it returns; only a number says anything."""
    return result if isinstance(result, int) and not isinstance(result, bool) else ExitStatus.DONE


def _stopped(stop: SystemExit) -> int:
    """The exit status of a command that left by itself, as click and rich do on a closed pipe."""
    if isinstance(stop.__context__, BrokenPipeError):
        return _pipe_closed()
    if isinstance(stop.code, str):
        console.fail(stop.code)
        return ExitStatus.MACHINERY
    return _status_of(stop.code)


def _pipe_closed() -> int:
    """The reader of our output has gone: stop quietly, and let what is still written go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):  # standard output may be no file at all
        os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return ExitStatus.DONE
