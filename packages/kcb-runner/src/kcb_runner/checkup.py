"""What ``doctor`` asks of the runner."""

from __future__ import annotations

from kcb_core.health import Health, Verdict
from kcb_runner.cancel import Cancel
from kcb_runner.evaluate import Bench, examine_machine
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.scratch import roomy_folder


def probe_check() -> Health:
    """Play the built-in probe projects."""
    cancel = Cancel()
    try:
        found = examine_machine(Bench(launcher=InterpreterLauncher(), cancel=cancel))
    finally:
        cancel.close()
    if found.fault:
        return Health(verdict=Verdict.BROKEN, summary=found.fault, remedy="see the message")
    return Health(
        verdict=Verdict.OK,
        summary=f"a project that works is resolved, a broken one is not; "
        f"{found.session_s * 1000:.0f} ms a session",
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
