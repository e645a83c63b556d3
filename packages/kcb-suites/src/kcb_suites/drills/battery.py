"""A battery: the drills about one tool, their fixtures, their distractors, and the tool itself.

::

    BATTERY/
        battery.json             name, title, and how the tool is put on the PATH
        tool/                    the tool, if the battery brings it
        fixtures/NAME/           task material
        distractors/registry.json
        drills/DRILL.toml        one file a drill
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from kcb_core.codec import convert, parse_by_name
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.storage import read_bounded
from kcb_suites.drills.distractors import Distractor, Registry, read_registry
from kcb_suites.drills.drill import Drill, read_drill
from kcb_suites.drills.drill_checks import refuse_path, unknown_code

SHIPPED = Path(__file__).parent.parent / "batteries"
"""Where the batteries lie that this distribution brings."""

_DECLARATION = "battery.json"
_SUFFIXES = (".toml", ".json")

_Slug = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
_Words = Annotated[str, msgspec.Meta(min_length=1)]


class Tool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tool, and how it comes to be on the PATH; it is never built inside a trial."""

    name: _Slug
    """What it is called on the PATH, and in reports."""
    version: tuple[_Words, ...]
    """Words that make it print its version and end with status 0."""
    program: str = ""
    """A Python program of the standard library alone, below ``tool`` of the battery."""
    distribution: str = ""
    """Or an installed distribution whose console script is the tool."""

    def __post_init__(self) -> None:
        if bool(self.program) == bool(self.distribution):
            raise ValueError("a tool is a 'program' or of a 'distribution': exactly one of both")
        if self.program:
            refuse_path(self.program)


class Declaration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``battery.json`` says."""

    battery: _Slug
    """Its name, which its folder has too."""
    title: _Words
    tool: Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Battery:
    """A battery that was read, every drill of it sound."""

    folder: Path
    declaration: Declaration
    drills: tuple[Drill, ...]
    """By name."""
    registry: Registry

    @property
    def name(self) -> str:
        """Its name."""
        return self.declaration.battery

    @property
    def tool(self) -> Tool:
        """The tool that it is about."""
        return self.declaration.tool

    def material(self, drill: Drill) -> dict[str, Path]:
        """The files of task material of a drill, by their paths below the agent's folder."""
        if not drill.fixture.files:
            return {}
        root = self.folder / "fixtures" / drill.fixture.files
        files = sorted(path for path in root.rglob("*") if path.is_file())
        return {path.relative_to(root).as_posix(): path for path in files}

    def distractors(self, drill: Drill) -> tuple[Distractor, ...]:
        """The distractors of a drill, from the registry."""
        return tuple(map(self.registry.find, drill.fixture.distractors))


def find_batteries(where: str | None) -> tuple[Path, ...]:
    """The folders of the batteries that are meant: one by name or path, or all that are shipped.

    Raises:
        DeclarationError: there is none of this name, and no such folder.
    """
    shipped = {path.parent.name: path.parent for path in sorted(SHIPPED.glob(f"*/{_DECLARATION}"))}
    if where is None:
        return tuple(shipped.values())
    if where in shipped:
        return (shipped[where],)
    if (Path(where) / _DECLARATION).is_file():
        return (Path(where),)
    raise UnknownNameError("battery", where, shipped)


def read_battery(folder: Path, codes: Container[str]) -> Battery:
    """A battery, with every rule that holds between its parts.

    Args:
        folder: where it lies.
        codes: the codes of agents' faults that are known, as the catalog gives them.

    Raises:
        DeclarationError: a file cannot be read, or the parts do not fit together.
        DataError: a file is malformed; file and field are named.
    """
    source = str(folder / _DECLARATION)
    value = parse_by_name(read_bounded(folder / _DECLARATION), source=source)
    declaration = convert(value, Declaration, source=source)
    if declaration.battery != folder.resolve().name:
        raise DataError(f"{source}: field 'battery': its folder is called {folder.resolve().name}")
    paths = sorted(p for p in (folder / "drills").glob("*") if p.suffix in _SUFFIXES)
    if not paths:
        raise DeclarationError(f"{folder / 'drills'}: there is no drill, such as NAME.toml")
    battery = Battery(
        folder=folder,
        declaration=declaration,
        drills=tuple(read_drill(path) for path in paths),
        registry=read_registry(folder / "distractors"),
    )
    for path, drill in zip(paths, battery.drills, strict=True):
        for fault in _misfits(battery, drill, path, codes):
            raise DataError(f"{path}: {fault}")
    return battery


def _misfits(battery: Battery, drill: Drill, path: Path, codes: Container[str]) -> Iterator[str]:
    """What in a drill does not fit its battery."""
    if drill.drill != path.stem:
        yield f"field 'drill': its file is called {path.name}"
    if drill.tool != battery.tool.name:
        yield f"field 'tool': the battery is about {battery.tool.name!r}"
    for check in drill.checks:
        if unknown_code(check, codes):
            yield f"check {check.check!r}: field 'fault': no plug-in brings {check.fault}"
    if drill.fixture.files and not battery.material(drill):
        yield f"field 'fixture.files': there is no file in fixtures/{drill.fixture.files}"
    try:
        distractors = battery.distractors(drill)
    except UnknownNameError as error:
        yield f"field 'fixture.distractors': {error}"
        return
    task = {*battery.material(drill), *(one.path for one in drill.fixture.contrived)}
    for one in distractors:
        if one.path in task:
            yield f"distractor {one.name!r}: {one.path} is task material"
