"""The runner ``remote``, as the catalog knows it; what it needs is imported when it is opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kcb_core.errors import DeclarationError
from kcb_core.report import TaskReport
from kcb_core.submission import Submission
from kcb_core.task import Task
from kcb_runner.evaluator import Terms, open_bench, stamp_of
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.players import Player, RunnerWish
from kcb_runner.report import Circumstances


class RemoteRunner:
    """Plays on a Dask cluster: one that is running, or one made on this machine for the run."""

    name = "remote"

    def evaluate(self, task: Task, submission: Submission) -> TaskReport:
        """Judge one project on a cluster made for it alone.

        For many, use :meth:`open` once. In a script, call it below ``if __name__ == "__main__"``,
        since the workers are started by ``spawn``.
        """
        with open_bench(InterpreterLauncher, Terms()) as bench:
            about = Circumstances(dataset=stamp_of(task, None), bench=bench)
            with self.open(about, RunnerWish(jobs=1)) as player:
                return player.play(task, submission, None)

    @contextmanager
    def open(self, about: Circumstances, wish: RunnerWish) -> Iterator[Player]:
        """Connect to a cluster, or make one.

        Args:
            about: what the reports say; the launcher of its bench is asked for by name on every
                worker, and its switch stops the run there too.
            wish: address, tasks at once for each worker, and least confinement.

        Raises:
            DeclarationError: the extra is not installed, or a worker runs other software.
            MachineError: there is no scheduler, no worker, or none that confines enough.
        """
        try:
            from kcb_runner.remote.fleet import open_fleet  # noqa: PLC0415 - an extra
        except ModuleNotFoundError as error:
            raise DeclarationError(
                f"the runner 'remote' needs {error.name}: pip install 'kcb-runner[remote]'"
            ) from None
        with open_fleet(about, wish) as fleet:
            yield fleet
