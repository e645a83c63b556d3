"""A pool for many small evaluations: its threads and its launcher live as long as it is open."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType

from kcb_core.errors import DeclarationError
from kcb_core.report import TaskReport
from kcb_core.resources import usable_cpus
from kcb_core.task import Task
from kcb_runner.evaluator import MakeLauncher, Terms, open_bench, report_on
from kcb_runner.intake import Project
from kcb_runner.judging import Bench
from kcb_runner.launch.interpreter import InterpreterLauncher

AHEAD = 2
"""Evaluations that are begun or finished before they are asked for, for each job."""


class Pool:
    """Judges many projects, as many at once as asked for; use it as a context manager.

    Any thread may use it. Leaving it closes everything: at the end of the block what was submitted
    is finished first, after an exception it is stopped. A process that was forked has no part in it
    and is refused; make pools after forking.
    """

    def __init__(
        self,
        *,
        jobs: int | None = None,
        terms: Terms = Terms(),  # noqa: B008 - it is frozen
        launcher: MakeLauncher = InterpreterLauncher,
    ) -> None:
        """Make a pool; nothing is started before its block is entered.

        Args:
            jobs: projects judged at once; one a CPU if not given.
            terms: how they are judged.
            launcher: makes what starts candidates; it is closed with the pool.
        """
        if jobs is not None and jobs < 1:
            raise DeclarationError(f"a pool needs at least one job, not {jobs}")
        self.jobs = jobs or usable_cpus()
        self.terms = replace(terms, jobs=self.jobs)
        self._launcher = launcher
        self._owner = 0
        self._stack = ExitStack()
        self._bench: Bench | None = None
        self._threads: ThreadPoolExecutor | None = None

    def __enter__(self) -> Pool:
        if self._owner:
            raise DeclarationError("a pool is entered once; make a new one")
        self._bench = self._stack.enter_context(open_bench(self._launcher, self.terms))
        self._threads = ThreadPoolExecutor(self.jobs, thread_name_prefix="kcb-pool")
        self._owner = os.getpid()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._owner != os.getpid():  # a fork left the block: all of it belongs to the parent
            return
        threads, self._threads = self._threads, None
        if kind is not None:
            self._throw()
        try:
            if threads:
                threads.shutdown(wait=True, cancel_futures=kind is not None)
        except BaseException:  # such as Ctrl-C while the last evaluations end
            self._throw()
            raise
        finally:
            self._stack.close()

    def submit(self, task: Task, project: Project) -> Future[TaskReport]:
        """Judge one project some time soon.

        The future's error is ``kcb_runner.Cancelled`` if the pool was stopped meanwhile.

        Raises:
            DeclarationError: the pool is closed, was stopped, or belongs to another process.
        """
        bench, threads = self._open()
        return threads.submit(report_on, task, project, bench, self.terms)

    def evaluate(self, task: Task, project: Project) -> TaskReport:
        """Judge one project and wait for its report; errors as in :meth:`submit`."""
        return self.submit(task, project).result()

    def map(self, items: Iterable[tuple[Task, Project]]) -> Iterator[TaskReport]:
        """The reports of many projects, in their order.

        Items are pulled as they are needed, a few ahead, so that neither they nor the reports pile
        up. Leaving the loop early lets those few finish and drops their reports.

        Args:
            items: tasks with projects; pulled in the thread that asks for reports.

        Raises:
            DeclarationError: a folder cannot be read; otherwise as in :meth:`submit`.
        """
        self._open()
        return self._stream(iter(items))

    def cancel(self) -> None:
        """Stop: what is being judged ends at once, nothing new is begun."""
        self._open()
        self._throw()

    def _stream(self, source: Iterator[tuple[Task, Project]]) -> Iterator[TaskReport]:
        window: deque[Future[TaskReport]] = deque()
        try:
            for task, project in source:
                window.append(self.submit(task, project))
                if len(window) >= AHEAD * self.jobs:
                    yield window.popleft().result()
            while window:
                yield window.popleft().result()
        finally:
            for future in window:
                future.cancel()

    def _throw(self) -> None:
        if self._bench:
            self._bench.cancel.throw()

    def _open(self) -> tuple[Bench, ThreadPoolExecutor]:
        """What the pool works with.

        Raises:
            DeclarationError: there is nothing to work with, or not for this process.
        """
        if self._owner and self._owner != os.getpid():
            raise DeclarationError(
                f"this pool belongs to process {self._owner} and was forked into {os.getpid()}; "
                "make a pool after forking"
            )
        if self._bench is None or self._threads is None:
            raise DeclarationError("this pool is not open; use it in a 'with' block")
        if self._bench.cancel.thrown:
            raise DeclarationError("this pool was stopped; make a new one")
        return self._bench, self._threads
