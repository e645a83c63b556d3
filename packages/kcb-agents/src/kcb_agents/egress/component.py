"""The pinned program that the proxy is made of, in an environment of its own."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from kcb_core.errors import DeclarationError

PROGRAM = "mitmproxy"
VERSION = "12.2.3"
PIN = f"{PROGRAM}=={VERSION}"
"""What a spec says to have it; no other version is known to keep what is promised."""

VARIABLE = "KCB_EGRESS_PROXY"
"""Names the folder of its environment, a virtual one of Python 3.12 or later."""

_ASK_S = 30.0
_ASKED = "import importlib.metadata, sys; sys.stdout.write(importlib.metadata.version('mitmproxy'))"
_INSIDE = ("addon.py",)
_NEIGHBOURS = ("warden.py", "judge.py", "spelling.py", "reach.py", "audit_log.py")
_PACKAGE = "kcb_agents.egress"


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """An environment in which the pinned version was found."""

    folder: Path

    @property
    def command(self) -> tuple[str, ...]:
        """The words that start it; nothing of the caller's environment has a part in it."""
        return str(self.folder / "bin" / "python"), "-I", str(self.folder / "bin" / "mitmdump")


def refuse_other_pin(asked: str) -> None:
    """Make sure that what is asked for is the pinned version.

    Raises:
        DeclarationError: it is another program, another version, or none.
    """
    if asked == PIN:
        return
    if re.fullmatch(rf"{PROGRAM}\s*", asked):
        raise DeclarationError(f"the proxy {asked!r} is not pinned: say {PIN!r}")
    raise DeclarationError(f"the proxy {asked[:80]!r} is not known: say {PIN!r}")


def find_component() -> Component:
    """The environment that the variable names, with the pinned version in it.

    Raises:
        DeclarationError: the variable is not set, or another version is there.
    """
    named = os.environ.get(VARIABLE, "").strip()
    if not named:
        raise DeclarationError(
            f"the variable {VARIABLE} is not set: it names a virtual environment of Python 3.12 or "
            f"later with {PIN}"
        )
    found = Component(folder=Path(named).absolute())
    python, isolated, program = found.command
    try:
        if not Path(program).is_file():
            raise FileNotFoundError(program)
        asked = subprocess.run(
            (python, isolated, "-c", _ASKED), capture_output=True, timeout=_ASK_S, check=False,
            stdin=subprocess.DEVNULL, text=True,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DeclarationError(f"{VARIABLE}: {named}: there is no {PROGRAM}: {error}") from None
    if asked.stdout.strip() != VERSION:
        there = asked.stdout.strip() or "none"
        raise DeclarationError(
            f"{VARIABLE}: {named}: {PROGRAM} is {there}, and {VERSION} is asked for"
        )
    return found


def lay_out(folder: Path) -> Path:
    """Copy what runs inside the proxy into a folder, and nothing else; the path of the addon.

    Modules name each other by their full names here, and are neighbours there.
    """
    package = files(_PACKAGE)
    sources = [package.joinpath("inside", name) for name in _INSIDE]
    sources += [package.joinpath(name) for name in _NEIGHBOURS]
    for source in sources:
        text = source.read_text(encoding="utf-8").replace(f"{_PACKAGE}.", "")
        (folder / source.name).write_text(text, encoding="utf-8")
    return folder / _INSIDE[0]


def blocklist_text() -> str:
    """The reviewed blocklist, as it stands in its file."""
    return files(_PACKAGE).joinpath("blocklist.toml").read_text(encoding="utf-8")
