"""Reads and checks `kiln.json`."""
import json
from dataclasses import dataclass
from pathlib import Path
from kiln.errors import ProjectError
from kiln.graph import check_circles
FILE = 'kiln.json'

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
    return None

def _target(name, data, common):
    return None

def _check(targets):
    return None

def load_project(folder):
    """The project in ``folder``. Raises ProjectError."""
    return None
