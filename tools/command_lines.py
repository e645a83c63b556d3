"""Every command of the installed packages, as a reader of the documentation would call it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from importlib import import_module

import click

from kcb_core.catalog import load_catalog

#: What ends a command in a shell.
ENDS = frozenset({"|", ";", "&&", "||", "&"})

#: What is followed by the name of a file.
REDIRECTIONS = frozenset({">", ">>", "<"})


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command with the words that call it, groups opened up."""
    for command in load_catalog().commands():
        module, _, attribute = command.target.partition(":")
        yield from _opened(command.name, getattr(import_module(module), attribute))


def _opened(words: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield words, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        _, inner, _ = command.resolve_command(context, [name])  # help may show less than there is
        assert inner is not None
        yield from _opened(f"{words} {name}", inner)


def simple_commands(line: str) -> Iterator[list[str]]:
    """The words of each command of a line of a shell, without redirections and comments."""
    lexer = shlex.shlex(
        re.sub(r"<[\w ]+>", "PLACEHOLDER", line), posix=True, punctuation_chars=True
    )
    lexer.whitespace_split = True
    words: list[str] = []
    for word in lexer:
        if word in REDIRECTIONS:
            next(lexer, None)
        elif word not in ENDS:
            words.append(word)
        elif words:
            yield words
            words = []
    if words:
        yield words


def fault(words: list[str], known: Mapping[str, click.Command]) -> str:
    """Why ``klein-bench`` would refuse words as such, whatever files there are; or nothing."""
    inner = [word for word in words if word not in ("--no-plugins", "--debug")]
    if inner and any(name.startswith(f"{' '.join(inner)} ") for name in known):
        return ""  # a group, which says what is in it
    for count in range(min(3, len(inner)), 0, -1):
        command = known.get(" ".join(inner[:count]))
        if command is not None:
            return _parsed(command, inner[count:])
    return "" if inner[:1] in (["--help"], ["--version"], []) else "there is no such command"


def _parsed(command: click.Command, words: list[str]) -> str:
    context = click.Context(command)
    try:
        command.make_parser(context).parse_args([*words])
    except click.UsageError as error:
        return error.format_message()
    return ""
