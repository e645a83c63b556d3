"""What ``doctor`` asks of the runner."""

from __future__ import annotations

from kcb_core.errors import MachineError
from kcb_core.health import Health, Verdict
from kcb_core.resources import usable_cpus
from kcb_runner.calibrate import calibrate
from kcb_runner.cancel import Cancel
from kcb_runner.evaluate import Bench, examine_machine
from kcb_runner.launch.box import roomy_folder
from kcb_runner.launch.interpreter import InterpreterLauncher


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
    found = calibrate(bench, usable_cpus(), bench.limits.session_s)
    return (
        f"{found.alone_s * 1000:.0f} ms a session alone, {found.crowded_s * 1000:.0f} ms with "
        f"{found.jobs} at once (factor {found.factor:g})"
    )


def tmpfs_check() -> Health:
    """See whether projects are copied to memory."""
    if roomy_folder() is None:
        return Health(
            verdict=Verdict.WARNING,
            summary="projects are copied to disk, which is slower",
            remedy="make /dev/shm a writable tmpfs with 512 MiB free",
        )
    return Health(verdict=Verdict.OK, summary="projects are copied to memory")
