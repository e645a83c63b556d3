"""``klein-bench suite check``: the proof of every task of a suite."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import click
import msgspec

from kcb_core import console
from kcb_core.commands.options import json_option
from kcb_core.errors import ExitStatus, UnknownNameError
from kcb_core.resources import usable_cpus
from kcb_runner.cancel import cancel_on_signals
from kcb_runner.launch.interpreter import kill_everything
from kcb_runner.pool import Done, work_off
from kcb_runner.slot.plan import LEVELS
from kcb_suites.commands.suite_options import suite_option
from kcb_suites.grading import Desk
from kcb_suites.manifest import SuiteTask
from kcb_suites.proof import SOLUTION, Finding, Trial, attempt, faults_of, trials_of
from kcb_suites.runtimes import missing
from kcb_suites.tree import Suite, find_suites


class Proof(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What is known of one task and its grader."""

    suite: str
    task: str
    unmet: tuple[str, ...] = ()
    """Runtimes that this machine lacks: then nothing was tried."""
    problems: tuple[str, ...] = ()
    """What is wrong, one line each; nothing was tried if it is wrong at first sight."""
    findings: list[Finding] = []
    """What came of the trials, in one order whatever order they came in."""

    @property
    def verdict(self) -> str:
        """``proved``, ``FAILED``, or ``unmet`` if it was not tried."""
        return "FAILED" if self.problems else "unmet" if self.unmet else "proved"


@click.command()
@suite_option
@click.option("--task", "tasks", multiple=True, metavar="ID", help="Only this task; repeatable.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Gradings at once. Default: one a CPU.")
@click.option("--confine", type=click.Choice(LEVELS), default=LEVELS[-1], show_default=True,
              help="How far graders are confined.")  # fmt: skip
@click.option("--least-checks", type=click.IntRange(0), default=0, metavar="N",
              help="Checks that a grader must make of a solution. Default: 0.")  # fmt: skip
@click.option("--allow-unmet", is_flag=True, help="Exit 0 though a runtime is missing here.")
@click.option("-v", "--verbose", is_flag=True, help="Show what graders say.")
@json_option
def check(
    where: str,
    tasks: tuple[str, ...],
    jobs: int | None,
    confine: str,
    least_checks: int,
    allow_unmet: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Prove tasks: the untouched fixture fails, the solution passes, and every cheat fails.

    Fixtures must have their digests, graders must keep their contract and leave the workspace as it
    is, and graders of tests must hold enough mutants. Exit status 1 if anything is not so, and 3
    if a runtime is missing, since nothing is then known of the tasks that need it.
    """
    board = Board(least_checks=least_checks)
    trials = board.open(_chosen(find_suites(where), tasks))
    with cancel_on_signals(kill_everything) as cancel, console.progress() as bar:
        shown = bar.add_task("grading", total=len(trials), detail="")
        desk = Desk(confine=confine, cancel=cancel)
        for done in work_off(
            trials, lambda trial: attempt(trial, desk), jobs=jobs or usable_cpus(), cancel=cancel
        ):
            board.add(done)
            bar.update(shown, advance=1, detail=f"{board.failed} failed")
        if cancel.thrown:
            console.fail("interrupted; nothing is proved")
            return ExitStatus.INTERRUPTED
    board.show(verbose=verbose, as_json=as_json)
    return board.status(allow_unmet)


def _chosen(suites: Sequence[Suite], names: Sequence[str]) -> list[tuple[Suite, SuiteTask]]:
    every = [(suite, task) for suite in suites for task in suite.tasks]
    known = [task.id for _, task in every]
    for name in names:
        if name not in known:
            raise UnknownNameError("task", name, known)
    return [(suite, task) for suite, task in every if not names or task.id in names]


@dataclass(slots=True)
class Board:
    """The proofs of all tasks, as far as they have come."""

    least_checks: int
    """Checks that a grader has to make of a solution."""
    proofs: dict[tuple[str, str], Proof] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        """Tasks with problems."""
        return sum(bool(proof.problems) for proof in self.proofs.values())

    def open(self, chosen: Sequence[tuple[Suite, SuiteTask]]) -> list[Trial]:
        """Begin the proof of each task; the trials that there are to be."""
        trials: list[Trial] = []
        for suite, task in chosen:
            proof = Proof(
                suite=suite.manifest.id,
                task=task.id,
                unmet=missing(task.runtimes),
                problems=faults_of(suite, task),
            )
            self.proofs[proof.suite, proof.task] = proof
            if not (proof.unmet or proof.problems):
                trials += trials_of(suite, task)
        return sorted(trials, key=_is_short)

    def add(self, done: Done[Trial, Finding]) -> None:
        """Note what came of a trial."""
        proof = self.proofs[done.item.suite.manifest.id, done.item.task.id]
        if done.error is not None:
            raise done.error
        if done.result is not None:
            insort(proof.findings, done.result, key=lambda found: found.rank)
            proof.problems = tuple(self._problems(proof.findings))

    def _problems(self, findings: Sequence[Finding]) -> Iterator[str]:
        for found in findings:
            if found.problem:
                yield found.problem
            elif found.trial == SOLUTION and found.checks < self.least_checks:
                made = f"its grader makes {found.checks} checks"
                yield f"{found.trial}: {made}, and at least {self.least_checks} are asked for"

    def show(self, *, verbose: bool, as_json: bool) -> None:
        """Say what came of all of them."""
        if as_json:
            console.emit_json(list(self.proofs.values()))
            return
        if verbose:
            for proof in self.proofs.values():
                _show_findings(proof)
        rows = [
            (proof.task, proof.verdict, str(len(proof.findings)), f"{_seconds(proof):.1f}")
            for proof in self.proofs.values()
        ]
        console.table(("task", "verdict", "gradings", "seconds"), rows, right="gradings,seconds")
        for proof in self.proofs.values():
            for problem in proof.problems:
                console.say(f"{proof.task}: {problem}")
            for runtime in proof.unmet:
                console.say(f"{proof.task}: needs {runtime}, which is not here")
        console.say(self._headline())

    def status(self, allow_unmet: bool) -> int:
        """The exit status that this means."""
        if self.failed:
            return ExitStatus.FAILED
        unmet = any(proof.unmet for proof in self.proofs.values())
        return ExitStatus.MACHINERY if unmet and not allow_unmet else ExitStatus.DONE

    def _headline(self) -> str:
        verdicts = [proof.verdict for proof in self.proofs.values()]
        gradings = sum(len(proof.findings) for proof in self.proofs.values())
        counts = ", ".join(f"{verdicts.count(v)} {v}" for v in ("proved", "FAILED", "unmet"))
        return f"{len(verdicts)} tasks, {gradings} gradings: {counts}"


def _is_short(trial: Trial) -> bool:
    """Whether it may come late: graders of tests take long, and nobody is to wait for the last."""
    return "tests" not in trial.task.tags


def _seconds(proof: Proof) -> float:
    return sum(found.wall_s for found in proof.findings)


def _show_findings(proof: Proof) -> None:
    for found in proof.findings:
        console.say(f"{proof.task}: {found.trial}: {found.found}, {found.wall_s:.1f} s")
        for line in (*found.reasons, *found.stderr.splitlines()):
            console.say(f"    {line}")
