"""What kcb-experiments brings: commands, datasets as tasks, executors, verifiers, and a schema."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.execution import Executor, Verifier
from kcb_core.roles import Agent, Command
from kcb_core.schemas import Published
from kcb_core.tasksets import TaskSource


@hookimpl
def kcb_register_task_sources() -> Iterable[TaskSource]:
    """Datasets: programs that are written from nothing."""
    from kcb_experiments.task_sets import Datasets  # noqa: PLC0415 - as below

    return (Datasets(),)


@hookimpl
def kcb_register_agents() -> Iterable[Agent]:
    """The name of Harbor's own agents."""
    from kcb_experiments.harbor.harbor_agent import HarborAgent  # noqa: PLC0415 - as below

    return (HarborAgent(),)


@hookimpl
def kcb_register_executors() -> Iterable[Executor]:
    """A process or a container for each subject, a worker of a cluster, or a trial of Harbor."""
    # Every command loads every plug-in, and few of them run anything.
    from kcb_experiments.engine.container_executor import ContainerExecutor  # noqa: PLC0415
    from kcb_experiments.engine.process_executor import ProcessExecutor  # noqa: PLC0415
    from kcb_experiments.harbor.harbor_executor import HarborExecutor  # noqa: PLC0415
    from kcb_experiments.remote.remote_executor import RemoteExecutor  # noqa: PLC0415

    return (ProcessExecutor(), ContainerExecutor(), RemoteExecutor(), HarborExecutor())


@hookimpl
def kcb_register_verifiers() -> Iterable[Verifier]:
    """The runner of tasks, and what it found in a trial of Harbor."""
    from kcb_experiments.engine.runner_verifier import RunnerVerifier  # noqa: PLC0415
    from kcb_experiments.harbor.harbor_verifier import HarborVerifier  # noqa: PLC0415

    return (RunnerVerifier(), HarborVerifier())


@hookimpl
def kcb_register_documents() -> Iterable[Published]:
    """The spec, so that an editor can check one that is being written."""
    from kcb_experiments.spec import SPEC_FORMAT, SPEC_KIND, Spec  # noqa: PLC0415 - as above

    return (Published(kind=SPEC_KIND, type=Spec, version=SPEC_FORMAT, stamped=False),)


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """The group of commands around an experiment, and the one that does all of it at once."""
    return (
        Command(
            name="experiment",
            summary="Compare agents: plan, run, follow, pair.",
            target="kcb_experiments.experiment_command:experiment",
        ),
        Command(
            name="run",
            summary="Let an agent write projects, judge, score, and leave a page.",
            target="kcb_experiments.commands.quick_command:run",
        ),
    )
