"""What has to be there before the first cell starts. All that is missing is named together."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from kcb_core.errors import DeclarationError, KcbError
from kcb_core.execution import Executor, OpenExecutor, OpenVerifier
from kcb_core.tasksets import TaskSet
from kcb_experiments.engine.attempt import casting_of
from kcb_experiments.frozen import Experiment

DISK_FLOOR = 256 << 20
"""Bytes that must be free where the experiment is kept."""


def check_version(experiment: Experiment, executor: Executor) -> None:
    """Make sure that the executor is the one that the experiment was frozen with.

    Raises:
        DeclarationError: it is another.
    """
    wanted = experiment.executor.version
    if wanted and executor.version != wanted:
        raise DeclarationError(
            f"executor {executor.name!r} is of version {executor.version} here, and the spec asks "
            f"for {wanted}"
        )


def preflight(
    experiment: Experiment,
    folder: Path,
    tasks: TaskSet,
    task_ids: Sequence[str],
    executor: OpenExecutor,
    verifier: OpenVerifier,
) -> tuple[str, ...]:
    """Try out everything that the cells will need; nothing of a trial is started.

    Args:
        experiment: what is to be run.
        folder: where it is kept.
        tasks: the set that they are of.
        task_ids: the tasks whose cells are to run.
        executor: runs subjects.
        verifier: judges projects.

    Returns:
        Warnings, one line each.

    Raises:
        DeclarationError: something is missing; everything that is gets a line of its own.
        MachineError: this machine cannot judge at all.
    """
    faults = [*_full_disk(folder), *tasks.unmet(task_ids)]
    warnings: list[str] = []
    prompts = (tasks.brief(task_id).prompt for task_id in task_ids)
    longest = max(prompts, key=len, default="")
    faults += _cramped(experiment, longest)
    castings = [casting_of(subject) for subject in experiment.subjects]
    for check in (partial(executor.preflight, castings, longest), verifier.preflight):
        try:
            warnings += check()
        except DeclarationError as error:
            faults.append(str(error))
        except KcbError:
            if not faults:
                raise
    if faults:
        raise DeclarationError("nothing was started: " + "; ".join(faults))
    return tuple(warnings)


def _cramped(experiment: Experiment, prompt: str) -> Iterator[str]:
    size = len(prompt.encode("utf-8", "surrogatepass"))
    for subject in experiment.subjects:
        allowed = subject.allowance
        if "model" in subject.settings and allowed is not None and allowed <= size:
            yield (
                f"subject {subject.name!r}: its bounds allow {allowed} tokens, and the {size} "
                "bytes of the longest prompt may be as many; raise 'bounds'"
            )


def _full_disk(folder: Path) -> Iterator[str]:
    free = shutil.disk_usage(folder).free
    if free < DISK_FLOOR:
        yield f"{folder}: {free >> 20} MiB are free, and {DISK_FLOOR >> 20} MiB are needed"
