"""Manifests: what a suite's tree holds, as people write it; four kinds, decoded strictly.

A manifest names things of its tree. Whether they are there is for ``kcb_suites.tree`` to see.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from math import isfinite
from pathlib import Path
from typing import Literal

import msgspec

from kcb_core.codec import convert, parse_document
from kcb_core.errors import DataError, UnknownNameError
from kcb_core.storage import read_bounded
from kcb_suites.wording import require_id, require_path, require_text

SCHEMA_VERSION = 1

_DIGEST = re.compile(r"[0-9a-f]{64}")
_TAG = re.compile(r"[a-z0-9]+(?:[+.-][a-z0-9]+)*")
_REQUIREMENT = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*/\S(?:.*\S)?")
_TEST = re.compile(r"[A-Za-z0-9_./-]+\.py::[A-Za-z_]\w*")
_POWER = re.compile(r"power|outage|unplug|blackout", re.IGNORECASE)
_DETERMINISTIC = re.compile(r"\bdeterminis", re.IGNORECASE)


class _Part(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A part of a manifest; a name that is not known is refused."""


class Runtime(StrEnum):
    """What a task's programs are run by."""

    PYTHON = "python"
    """Python 3.10 or newer."""
    NODE = "node"
    """Node.js 20 or newer."""
    BASH = "bash"
    """Bash 5 or newer, and coreutils."""


class Budget(_Part, frozen=True, kw_only=True):
    """The most that one attempt at a task may take."""

    turns: int
    """Turns of the agent."""
    dollars: float
    """US dollars."""
    seconds: float
    """Working time of the agent."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if not (isfinite(value) and value > 0):
                raise ValueError(f"field {name!r} must be greater than 0")


BUDGETS = {
    "normal": Budget(turns=60, dollars=2.0, seconds=1800.0),
    "long": Budget(turns=150, dollars=5.0, seconds=3600.0),
}
"""Budgets that have a name."""


class Fixture(_Part, frozen=True, kw_only=True):
    """What an agent starts from."""

    path: str
    """Its folder, from the root of the tree."""
    tree_sha256: str
    """Digest of its files; see ``kcb_suites.fixture.tree_sha256``."""

    def __post_init__(self) -> None:
        require_path("path", self.path)
        if not _DIGEST.fullmatch(self.tree_sha256):
            raise ValueError("field 'tree_sha256' must be 64 hexadecimal digits in small letters")


class SuiteTask(_Part, frozen=True, kw_only=True):
    """One task: what is asked, what is there at the start, and what judges the end."""

    id: str
    title: str
    prompt: str
    """What the agent is asked, word for word."""
    fixture: Fixture
    grader: str
    """Folder of the grader, from the root of the tree."""
    runtimes: tuple[Runtime, ...]
    """What its programs need; where one is missing, the task cannot be run, and has not failed."""
    tags: tuple[str, ...] = ()
    budget: Literal["normal", "long"] | Budget = "normal"

    @property
    def bounds(self) -> Budget:
        """Its budget in figures."""
        return BUDGETS[self.budget] if isinstance(self.budget, str) else self.budget

    def __post_init__(self) -> None:
        require_id("id", self.id)
        require_path("grader", self.grader)
        require_text("title", self.title)
        require_text("prompt", self.prompt)
        if not self.runtimes:
            raise ValueError("field 'runtimes' names none")
        for tag in self.tags:
            if not _TAG.fullmatch(tag):
                raise ValueError(f"field 'tags': {tag[:40]!r} must be small letters and digits")
        _each_once("runtimes", self.runtimes)
        _each_once("tags", self.tags)


class ScriptedTask(SuiteTask, frozen=True, kw_only=True):
    """A task whose model is played by a script, so that every run goes the same way."""

    script: str
    """File with a script for the agent ``replay``, from the root of the tree."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require_path("script", self.script)


class _Head(_Part, frozen=True, kw_only=True):
    """What every manifest starts with."""

    schema_version: Literal[1]
    id: str
    """Also the name of its file."""
    title: str
    description: str = ""

    def __post_init__(self) -> None:
        require_id("id", self.id)
        require_text("title", self.title)


class SuiteManifest(_Head, frozen=True, kw_only=True):
    """Tasks for a model that is named when they are run, each with a fixture of its own."""

    kind: Literal["suite"]
    tasks: tuple[SuiteTask, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_tasks(self.tasks)
        _refuse_label(self, self.tasks)
        _each_once("tasks", (task.fixture.path for task in self.tasks), "fixture")


class LiveManifest(_Head, frozen=True, kw_only=True):
    """Tasks for a model that is named when they are run; several may share a fixture."""

    kind: Literal["live"]
    tasks: tuple[SuiteTask, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_tasks(self.tasks)
        _refuse_label(self, self.tasks)


class DeterministicManifest(_Head, frozen=True, kw_only=True):
    """Tasks whose model is a script: no endpoint is asked, and each run goes the same way."""

    kind: Literal["deterministic"]
    tasks: tuple[ScriptedTask, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_tasks(self.tasks)


class Fault(StrEnum):
    """What is done to the program in a case of recovery; the classes are never confused."""

    PROCESS_KILL = "process-kill"
    """A process is killed; what it wrote stays in the kernel's caches."""
    POWER_LOSS = "power-loss"
    """The machine stops: what was not forced to the disk is gone."""
    FULL_DISK = "full-disk"
    """Nothing more can be written."""
    NETWORK = "network"
    """A connection breaks, stalls, or answers with garbage."""
    CORRUPTION = "corruption"
    """Stored bytes are cut off or changed."""
    INTERRUPT = "interrupt"
    """A person stops it from the terminal."""


class RecoveryCase(_Part, frozen=True, kw_only=True):
    """A promise, a fault that it has to withstand, and the test that shows it."""

    requirement: str
    """``CAPABILITY/NAME``, a heading of the page of promises."""
    fault: Fault
    test: str
    """``PATH::NAME``, from the root of the project that makes the promise."""
    description: str = ""

    def __post_init__(self) -> None:
        if not _REQUIREMENT.fullmatch(self.requirement):
            raise ValueError("field 'requirement' must be 'capability/Name of the promise'")
        if not _TEST.fullmatch(self.test):
            raise ValueError("field 'test' must be 'path/of/test_file.py::name_of_the_test'")
        require_path("test", self.test.partition("::")[0])
        said = f"{self.requirement} {self.test} {self.description}"
        if self.fault is Fault.PROCESS_KILL and _POWER.search(said):
            raise ValueError(
                "field 'fault': killing a process is no loss of power, since the kernel keeps what "
                "was written; describe what is killed, or name the fault 'power-loss'"
            )


class RecoveryManifest(_Head, frozen=True, kw_only=True):
    """What a project promises to withstand, and where each promise is tested."""

    kind: Literal["recovery"]
    cases: tuple[RecoveryCase, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.cases:
            raise ValueError("field 'cases' names none")
        _each_once("cases", (f"{c.requirement} {c.fault} {c.test}" for c in self.cases))


TaskManifest = SuiteManifest | LiveManifest | DeterministicManifest
Manifest = TaskManifest | RecoveryManifest

KINDS: dict[str, type[Manifest]] = {
    "suite": SuiteManifest,
    "deterministic": DeterministicManifest,
    "live": LiveManifest,
    "recovery": RecoveryManifest,
}
"""What each kind of manifest is decoded to."""


def read_manifest(path: Path) -> Manifest:
    """The manifest in a file; that what it names exists is not looked at.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it is malformed, or a field is unknown or wrong; file and field are named.
    """
    source = str(path)
    value = parse_document(read_bounded(path), source=source)
    if not isinstance(value, dict):
        raise DataError(f"{source}: must be a JSON object")
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise DataError(f"{source}: field 'kind': {UnknownNameError('kind', str(kind), KINDS)}")
    if value.get("schema_version") != SCHEMA_VERSION:
        raise DataError(
            f"{source}: field 'schema_version': {value.get('schema_version')!r} is not known, this "
            f"version reads {SCHEMA_VERSION}; upgrade kcb-suites"
        )
    manifest: Manifest = convert(value, KINDS[kind], source=source)
    if manifest.id != path.stem:
        raise DataError(
            f"{source}: field 'id': {manifest.id!r} is not the name of the file; call the file "
            f"{manifest.id}.json"
        )
    return manifest


def _require_tasks(tasks: tuple[SuiteTask, ...]) -> None:
    if not tasks:
        raise ValueError("field 'tasks' names none")
    _each_once("tasks", (task.id for task in tasks))


def _refuse_label(manifest: SuiteManifest | LiveManifest, tasks: tuple[SuiteTask, ...]) -> None:
    """A model that answers live never gives the same run twice, so nothing may say that it does."""
    said = [manifest.id, manifest.title, manifest.description]
    for task in tasks:
        said += [task.id, task.title, *task.tags]
    for text in said:
        if _DETERMINISTIC.search(text):
            raise ValueError(
                f"{text[:60]!r} calls a manifest of kind {manifest.kind!r} deterministic, and a "
                "live model is not; take the word out, or give scripts and kind 'deterministic'"
            )


def _each_once(field: str, names: Iterable[str], what: str = "name") -> None:
    twice = [name for name, times in Counter(map(str, names)).items() if times > 1]
    if twice:
        raise ValueError(f"field {field!r} has the {what} {twice[0]!r} twice")
