"""Reads and checks `kiln.json`."""

import json
from dataclasses import dataclass
from pathlib import Path

from kiln.errors import ProjectError
from kiln.graph import check_circles

FILE = "kiln.json"


@dataclass(frozen=True)
class Target:
    """One target. ``env`` holds the project's variables as well."""

    name: str
    steps: tuple
    inputs: tuple = ()
    outputs: tuple = ()
    needs: tuple = ()
    env: tuple = ()


@dataclass(frozen=True)
class Project:
    """A folder, and its targets by name, in the order of the file."""

    folder: Path
    targets: dict


def _wrong(reason):
    return ProjectError(f"{FILE}: {reason}")


def _target(name, data, common):
    if not data.get("steps"):
        raise _wrong(f"target {name!r} has no steps")
    return Target(
        name,
        tuple(data["steps"]),
        tuple(data.get("inputs", ())),
        tuple(data.get("outputs", ())),
        tuple(data.get("needs", ())),
        tuple(sorted({*common, *data.get("env", ())})),
    )


def _check(targets):
    makers = {}
    for target in targets.values():
        for need in target.needs:
            if need not in targets:
                raise _wrong(f"target {target.name!r} needs unknown {need!r}")
        for output in target.outputs:
            other = makers.setdefault(output, target.name)
            if other != target.name:
                raise _wrong(f"output {output!r} of {target.name!r} is made by {other!r} too")
    circle = check_circles(targets)
    if circle:
        raise _wrong("needs go round: " + " -> ".join(circle))


def load_project(folder):
    """The project in ``folder``. Raises ProjectError."""
    path = Path(folder) / FILE
    if not path.is_file():
        raise ProjectError(f"no {FILE}")
    try:
        data = json.loads(path.read_text("utf-8"))
    except ValueError:
        raise _wrong("not JSON") from None
    if not data.get("targets"):
        raise _wrong("no targets")
    common = data.get("env", ())
    targets = {name: _target(name, entry, common) for name, entry in data["targets"].items()}
    _check(targets)
    return Project(Path(folder), targets)
