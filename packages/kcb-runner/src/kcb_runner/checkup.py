"""What ``doctor`` asks of the runner."""

from __future__ import annotations

from kcb_core.errors import KcbError, MachineError
from kcb_core.health import Health, Verdict
from kcb_core.resources import usable_cpus
from kcb_runner.cancel import Cancel
from kcb_runner.judging import Bench, examine_machine
from kcb_runner.launch.box import roomy_folder
from kcb_runner.launch.container import ContainerLauncher
from kcb_runner.launch.engine import find_engine
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.launch.leftovers import left_behind
from kcb_runner.launch.remedy import remedy
from kcb_runner.pace import settle_jobs


def probe_check() -> Health:
    """Play the built-in probe projects."""
    cancel = Cancel()
    try:
        with InterpreterLauncher() as launcher:
            bench = Bench(launcher=launcher, cancel=cancel)
            fault = examine_machine(bench).fault
            speed = "" if fault else _speed(bench)
    except MachineError as error:
        fault = str(error)
    finally:
        cancel.close()
    if fault:
        return Health(verdict=Verdict.BROKEN, summary=fault, remedy="see the message")
    return Health(
        verdict=Verdict.OK,
        summary=f"a project that works is resolved, a broken one is not; {speed}",
    )


def _speed(bench: Bench) -> str:
    found = settle_jobs(bench, usable_cpus(), bench.limits.session_s)
    return (
        f"{found.alone_s * 1000:.0f} ms a session alone, {found.crowded_s * 1000:.0f} ms with "
        f"{found.jobs} at once (factor {found.factor:g})"
    )


def confinement_check() -> Health:
    """See how far candidates are confined, and why it is not more."""
    with InterpreterLauncher() as launcher:
        found = launcher.confinement()
    summary = f"level {found.level}: {', '.join(found.mechanisms)}"
    if found.level == "full":
        return Health(verdict=Verdict.OK, summary=summary)
    why = f" ({found.reason})" if found.reason else ""
    return Health(verdict=Verdict.WARNING, summary=f"{summary}{why}", remedy=remedy(found))


def left_check() -> Health:
    """See whether killed evaluators left anything."""
    count = len(list(left_behind()))
    if count:
        return Health(
            verdict=Verdict.WARNING,
            summary=f"{count} folders of evaluators that were killed",
            remedy="klein-bench clean",
        )
    return Health(verdict=Verdict.OK, summary="nothing of killed evaluators is left")


def container_check() -> Health:
    """Start a container, where there is an engine."""
    try:
        engine = find_engine()
    except KcbError as error:
        return Health(verdict=Verdict.OK, summary=f"none, and only one launcher needs one: {error}")
    try:
        with ContainerLauncher() as launcher:
            found = launcher.confinement()
    except KcbError as error:
        return Health(verdict=Verdict.WARNING, summary=str(error), remedy="klein-bench image build")
    summary = f"{engine.name} starts containers with Python {found.python}"
    if found.reason:
        return Health(
            verdict=Verdict.WARNING,
            summary=f"{summary}; {found.reason}",
            remedy="use an engine that has control groups of its own, as root or by systemd",
        )
    return Health(verdict=Verdict.OK, summary=summary)


def tmpfs_check() -> Health:
    """See whether projects are copied to memory."""
    if roomy_folder() is None:
        return Health(
            verdict=Verdict.WARNING,
            summary="projects are copied to disk, which is slower",
            remedy="make /dev/shm a writable tmpfs with 512 MiB free",
        )
    return Health(verdict=Verdict.OK, summary="projects are copied to memory")
