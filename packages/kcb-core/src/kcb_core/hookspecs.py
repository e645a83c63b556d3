"""Every hook, in the order of the flow.

A plug-in is a module named by an entry point of the group ``kcb``; it implements the hooks it
needs with ``kcb_core.hookimpl``. Built-in parts come through the same door. Every hook has one
shape: ``kcb_register_<noun>s()`` takes nothing and gives what the plug-in brings. What an
implementation raises makes its plug-in a broken one: it is named, and an error only for a command
that needs it.
"""

from __future__ import annotations

from collections.abc import Iterable

import pluggy

from kcb_core.execution import Executor, Verifier
from kcb_core.family import Family
from kcb_core.health import HealthCheck
from kcb_core.roles import (
    Agent,
    Command,
    DatasetSource,
    Launcher,
    Reference,
    ReportSection,
    Runner,
    Scorer,
    TicketSink,
)
from kcb_core.schemas import Published
from kcb_core.tasksets import TaskSource
from kcb_core.tier import Tier
from kcb_core.trial import FaultCode

PROJECT = "kcb"
"""Name of the plug-in project and of the entry-point group."""

hookspec = pluggy.HookspecMarker(PROJECT)


@hookspec
def kcb_register_families() -> Iterable[Family]:
    """Families that the plug-in brings; every tier builds a task around each.

    Asked by ``build`` and ``validate``. Example::

        @hookimpl
        def kcb_register_families():
            return [FAMILY]
    """
    return ()


@hookspec
def kcb_register_tiers() -> Iterable[Tier]:
    """Tiers that the plug-in brings; each is laid over every family.

    Asked by ``build``. Example::

        @hookimpl
        def kcb_register_tiers():
            return [EASY, INTERMEDIATE]
    """
    return ()


@hookspec
def kcb_register_dataset_sources() -> Iterable[DatasetSource]:
    """Built datasets that the plug-in's distribution holds.

    Asked by every command that is given a task id. Example::

        @hookimpl
        def kcb_register_dataset_sources():
            return [DatasetSource(name="hello", folder=Path(__file__).parent / "data")]
    """
    return ()


@hookspec
def kcb_register_references() -> Iterable[Reference]:
    """Known-good answers, one domain module for each family.

    Asked by ``reference`` and ``validate``. Example::

        @hookimpl
        def kcb_register_references():
            return [Reference(family="hello/greeting", domain=Path(__file__).with_name("a.py"))]
    """
    return ()


@hookspec
def kcb_register_launchers() -> Iterable[Launcher]:
    """Ways to start a candidate's process.

    Asked by every command that plays sessions, for the name given with ``--launch``. Example::

        @hookimpl
        def kcb_register_launchers():
            return [InterpreterLauncher()]
    """
    return ()


@hookspec
def kcb_register_runners() -> Iterable[Runner]:
    """Ways to play tasks.

    Asked by every command that evaluates, for the name given with ``--runner``. Example::

        @hookimpl
        def kcb_register_runners():
            return [LocalRunner()]
    """
    return ()


@hookspec
def kcb_register_agents() -> Iterable[Agent]:
    """What writes projects.

    Asked by ``generate`` for the name given with ``--agent``. Example::

        @hookimpl
        def kcb_register_agents():
            return [OneShot()]
    """
    return ()


@hookspec
def kcb_register_task_sources() -> Iterable[TaskSource]:
    """Where the tasks of experiments come from: one source for each kind of sets of tasks.

    Asked by ``run`` and ``experiment``, for the set that a spec names. Example::

        @hookimpl
        def kcb_register_task_sources():
            return [Suites()]
    """
    return ()


@hookspec
def kcb_register_executors() -> Iterable[Executor]:
    """What runs the subject of a cell.

    Asked by ``experiment run`` for the name that a spec gives. Example::

        @hookimpl
        def kcb_register_executors():
            return [ProcessExecutor()]
    """
    return ()


@hookspec
def kcb_register_verifiers() -> Iterable[Verifier]:
    """What turns the files that a subject left into a score.

    Asked by ``experiment run`` and ``experiment regrade`` for the name that a spec gives. Example::

        @hookimpl
        def kcb_register_verifiers():
            return [RunnerVerifier()]
    """
    return ()


@hookspec
def kcb_register_scorers() -> Iterable[Scorer]:
    """What turns reports into numbers.

    Asked by ``score``, which shows every number of every scorer for each subject, repetition and
    tier. Two scorers must not give numbers of one name. Example::

        @hookimpl
        def kcb_register_scorers():
            return [ResolveAtOne()]
    """
    return ()


@hookspec
def kcb_register_fault_codes() -> Iterable[FaultCode]:
    """Codes that class agents' faults.

    Asked by every command that reads trial reports: a report with a code that nobody brings is
    refused, and so are two plug-ins that bring the same one. Example::

        @hookimpl
        def kcb_register_fault_codes():
            return [FaultCode(code="ERR_HINT_IGNORED", summary="A hint was not followed.")]
    """
    return ()


@hookspec
def kcb_register_ticket_sinks() -> Iterable[TicketSink]:
    """Where drafts of tickets go.

    Asked by ``report route`` for the name given with ``--sink``. Example::

        @hookimpl
        def kcb_register_ticket_sinks():
            return [TrackerSink()]
    """
    return ()


@hookspec
def kcb_register_report_sections() -> Iterable[ReportSection]:
    """Parts of the page that ``report html`` writes.

    Asked by ``report html``; the page's own parts come through it too. A section gives text,
    tables and chart specifications, never HTML. Example::

        @hookimpl
        def kcb_register_report_sections():
            return [Energy()]
    """
    return ()


@hookspec
def kcb_register_documents() -> Iterable[Published]:
    """Kinds of stored documents whose JSON Schema is published.

    Asked by ``schema``. Two plug-ins must not bring one kind. Example::

        @hookimpl
        def kcb_register_documents():
            return [Published(kind="energy", type=Energy, version=1)]
    """
    return ()


@hookspec
def kcb_register_health_checks() -> Iterable[HealthCheck]:
    """Questions about this machine.

    Asked by ``doctor``. Example::

        @hookimpl
        def kcb_register_health_checks():
            return [HealthCheck(name="hello.disk", check=free_space)]
    """
    return ()


@hookspec
def kcb_register_commands() -> Iterable[Command]:
    """Commands of ``klein-bench``.

    Asked at every start, so the implementation must be cheap. Example::

        @hookimpl
        def kcb_register_commands():
            return [Command(name="greet", summary="Say hello.", target="kcb_hello.cli:greet")]
    """
    return ()
