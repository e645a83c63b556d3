"""The executor and the verifier of an experiment, and what they are opened with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from kcb_core.catalog import Catalog
from kcb_core.execution import CheckingPart, Executor, Setup, Verifier
from kcb_core.tasksets import TaskSet
from kcb_experiments.engine.preflight import check_version
from kcb_experiments.frozen import Experiment


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What runs subjects and what judges them, each with its setup."""

    executor: Executor
    running: Setup
    """What the executor is opened with."""
    verifier: Verifier
    judging: Setup
    """What the verifier is opened with."""

    def check(self) -> None:
        """See whether both take their setups, as far as they can say; neither is opened.

        Raises:
            DeclarationError: a setting is wrong, or the tasks are of another kind than it takes.
            DataError: a setting is unknown, or of a wrong type.
        """
        for part, setup in ((self.executor, self.running), (self.verifier, self.judging)):
            if isinstance(part, CheckingPart):
                part.check_setup(setup)

    def following(self, tell: Callable[[str], None], stopped: Callable[[], bool]) -> Parts:
        """The same for a run, which is told of what takes long and can be stopped."""
        return replace(
            self,
            running=replace(self.running, tell=tell, stopped=stopped),
            judging=replace(self.judging, tell=tell, stopped=stopped),
        )


def found_parts(catalog: Catalog, experiment: Experiment, tasks: TaskSet) -> Parts:
    """The parts that an experiment names.

    Raises:
        DeclarationError: nobody brings one, or the executor is of another version.
    """
    executors, verifiers = catalog.executors(), catalog.verifiers()
    executor = catalog.find("executor", experiment.executor.name, executors, lambda v: v.name)
    verifier = catalog.find("verifier", experiment.verifier.name, verifiers, lambda v: v.name)
    check_version(experiment, executor)
    broken = {failure.plugin.name for failure in catalog.failures}
    judging = Setup(
        tasks=tasks,
        settings=experiment.verifier.settings,
        agents=catalog.agents(),
        plugins={p.distribution: p.version for p in catalog.plugins if p.name not in broken},
        third_party=catalog.third_party is not False,
        at_once=experiment.load.cells,
    )
    chosen = experiment.executor
    running = replace(judging, settings=chosen.settings, egress_proxy=chosen.egress_proxy)
    return Parts(executor=executor, running=running, verifier=verifier, judging=judging)
