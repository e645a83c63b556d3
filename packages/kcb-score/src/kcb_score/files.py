"""Finds the files that were meant: from arguments, folders and lists, each file once.

What is in them is not looked at here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from kcb_core.errors import DeclarationError


class Found(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A file that may hold a report. Small, since there may be a quarter of a million."""

    path: str
    in_folder: bool = False
    """Whether only its folder was named, so that it may be something else."""


def split_list(data: bytes) -> tuple[Path, ...]:
    """The paths in a list, one a line; a line ends at byte 0x0A and nowhere else.

    Empty lines are skipped. Relative paths start at the current folder, as on the command line.

    Raises:
        DeclarationError: a line holds a zero byte, which no path does.
    """
    if b"\0" in data:
        raise DeclarationError("the list of reports holds a zero byte; write one path a line")
    return tuple(Path(os.fsdecode(line)) for line in data.split(b"\n") if line)


def find_files(arguments: Iterable[Path]) -> tuple[Found, ...]:
    """Every file that is named, and every ``*.json`` in and below a folder that is named.

    A folder without one is refused: it is more likely a wrong name than a run without reports.
    Sorted by path, so that nothing later depends on the order of arguments. Links to folders
    inside a folder are not followed.

    Raises:
        DeclarationError: there is no such file, a folder cannot be read or has no such file, or a
            file is named twice.
    """
    found = sorted(
        (file for argument in arguments for file in _expand(argument)),
        key=lambda file: (file.path, file.in_folder),
    )
    seen: set[int] = set()
    for file in found:
        identity = _identity(file.path)
        if identity in seen:
            raise DeclarationError(_same_file(_first(found, identity), file.path))
        seen.add(identity)
    return tuple(found)


def _expand(argument: Path) -> Iterator[Found]:
    if not argument.is_dir():
        yield Found(path=str(argument))
        return
    empty = True
    for folder, _, names in os.walk(str(argument), onerror=_refuse_folder):
        for name in names:
            if name.endswith(".json"):
                yield Found(path=os.path.join(folder, name), in_folder=True)
                empty = False
    if empty:
        raise DeclarationError(
            f"{argument}: no *.json file in or below this folder, so no report; projects are no "
            "reports until 'klein-bench evaluate' has judged them"
        )


def _refuse_folder(error: OSError) -> None:
    raise DeclarationError(f"{error.filename}: {error.strerror}")


def _identity(path: str) -> int:
    """What two names of one file have in common, links of both kinds included."""
    try:
        status = os.stat(path)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise DeclarationError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    return status.st_dev << 64 | status.st_ino


def _first(found: Iterable[Found], identity: int) -> str:
    return next(file.path for file in found if _identity(file.path) == identity)


def _same_file(first: str, second: str) -> str:
    if first == second:
        return f"{first}: the same file is given twice"
    return f"{first} and {second} are the same file, given twice; name it once"
