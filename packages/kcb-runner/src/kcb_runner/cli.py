"""``klein-bench evaluate``: judge projects and store their reports."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import click
from rich.progress import Progress, TaskID

from kcb_core import console
from kcb_core.catalog import Catalog, open_source
from kcb_core.commands.options import FILE, dataset_option, json_option
from kcb_core.commands.show import headline
from kcb_core.dataset import Dataset, open_dataset
from kcb_core.errors import DeclarationError, ExitStatus, KcbError
from kcb_core.ids import TaskId
from kcb_core.quiet import Manners, judging
from kcb_core.report import Outcome, TaskReport, dataset_stamp
from kcb_core.resources import usable_cpus
from kcb_core.roles import Launcher
from kcb_core.run_record import read_making
from kcb_core.validation import read_validation
from kcb_runner.cancel import cancel_on_signals
from kcb_runner.judging import Bench
from kcb_runner.launch.interpreter import kill_everything
from kcb_runner.orders import Order, carry_out, orders_in, split_finished
from kcb_runner.pace import STARTUP_SHARE, settle_jobs
from kcb_runner.players import LocalPlayer, LocalRunner, Player, RunnerWish, open_player
from kcb_runner.pool import Done, work_off
from kcb_runner.report import Circumstances
from kcb_runner.slot.plan import LEVELS

_GRAVEST = (
    ExitStatus.INTERRUPTED,
    ExitStatus.MACHINERY,
    ExitStatus.INVALID,
    ExitStatus.FAILED,
    ExitStatus.DONE,
)


@click.command()
@click.argument("task_id", required=False)
@click.option("--solution", type=FILE, metavar="DIR", help="The project to judge by TASK_ID.")
@click.option(
    "--all",
    "all_",
    type=FILE,
    metavar="DIR",
    help="A folder of projects, each named "
    "by its task id; their reports go into the folder --output.",
)
@click.option(
    "-o",
    "--output",
    type=FILE,
    required=True,
    metavar="PATH",
    help="The report file; with --all, the folder of reports.",
)
@dataset_option
@click.option("--jobs", type=click.IntRange(1, 256), help="Tasks at once. Default: one a CPU.")
@click.option(
    "--launch",
    "launcher",
    default="interpreter",
    show_default=True,
    metavar="NAME",
    help="How a candidate is started.",
)
@click.option(
    "--confine",
    "level",
    metavar="LEVEL",
    type=click.Choice(LEVELS),
    help="Confine candidates at this level: none, basic or full. Default: as far as this machine "
    "allows.",
)
@click.option(
    "--require-confinement",
    is_flag=False,
    flag_value="full",
    metavar="[LEVEL]",
    type=click.Choice(LEVELS),
    help="Refuse to run with less than basic or full confinement.",
)
@click.option(
    "--runner",
    "runner",
    default="local",
    show_default=True,
    metavar="NAME",
    help="What plays the tasks: this machine, or with 'remote' a Dask cluster.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="With --runner remote: the scheduler of a running cluster, or the JSON file that it "
    "writes. Default: a cluster on this machine, made for this run.",
)
@click.option(
    "--public-only",
    is_flag=True,
    help="Play only the prompt's two examples, as a smoke test; such a report is not scored.",
)
@click.option("--subject", default="", metavar="NAME", help="Who wrote the projects.")
@click.option(
    "--repetition",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Which of several projects of one subject for the same task.",
)
@click.option(
    "--record",
    type=FILE,
    metavar="FILE",
    help="How the project was made: a run record "
    "in TOML or JSON. With --all, of the projects of which 'generate' kept no record itself.",
)
@click.option(
    "--keep", type=FILE, metavar="DIR", help="Store each project here under its source hash."
)
@click.option(
    "--validated",
    type=FILE,
    metavar="FILE",
    help="A summary of 'validate' on this host, whose digest goes into the report.",
)
@click.option("--no-answers", is_flag=True, help="Keep requests and responses out of the report.")
@json_option
@click.pass_obj
def evaluate(catalog: Catalog, /, **options: Any) -> int:
    """Judge a project by TASK_ID, or with --all a whole folder of projects.

    Exit status 0 if every project resolved its task, 1 if one did not, 2 for a wrong invocation,
    3 if this machine failed, 130 if it was interrupted; finished reports stay on disk.

    Where the machine allows it, a project is confined at level 'full': it sees its interpreter
    and its own folders, and no network. With less you are told so. At level 'none' this is NO
    SANDBOX: a project can read your files, reach the network, and use up memory and disk; judge
    what you do not trust as an unprivileged user on a machine that you can afford to lose.
    'klein-bench doctor' says what this machine lacks.
    """
    wish = Wish(**options)
    orders, dataset = wish.orders(catalog)
    with ExitStack() as run, cancel_on_signals(kill_everything) as cancel:
        launcher = wish.chosen_launcher(catalog)
        run.callback(launcher.close)
        about = wish.circumstances(catalog, dataset, Bench(launcher=launcher, cancel=cancel))
        todo, kept = split_finished(orders, about, dataset)
        manners = Manners(tell=cache(console.note), given_up=lambda: cancel.thrown)
        if todo and wish.runner == LocalRunner.name:
            with judging(manners):
                about = _calibrated(about, dataset.task(todo[0].task_id).timeout_seconds)
        tally = Tally(orders=orders, as_json=wish.as_json)
        tally.keep(kept)
        with ExitStack() as stack:
            bar = stack.enter_context(console.progress())
            shown = bar.add_task("judging", total=len(todo), detail="")
            player = stack.enter_context(wish.open_player(catalog, about, len(todo)))
            results = work_off(
                todo,
                lambda order: wish.carry_out(order, dataset, about, player, manners),
                jobs=player.at_once,
                cancel=cancel,
            )
            for done in results:
                tally.add(done)
                _advance(bar, shown, tally)
        interrupted = cancel.thrown
    return tally.conclude(interrupted)


def _calibrated(about: Circumstances, limit_s: float) -> Circumstances:
    """The circumstances with what the probe project cost, and with no more jobs than that allows.

    Raises:
        MachineError: nothing can be judged here.
    """
    found = settle_jobs(about.bench, about.jobs, limit_s)
    if found.jobs < found.asked_jobs:
        console.note(
            f"jobs lowered from {found.asked_jobs} to {found.jobs}: start-up alone would take more "
            f"than {STARTUP_SHARE:.0%} of a session's {limit_s:g} s"
        )
    return replace(about, jobs=found.jobs, calibration=found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the caller asked for, as it came from the command line."""

    task_id: str | None
    solution: Path | None
    all_: Path | None
    output: Path
    dataset_path: Path | None
    jobs: int | None
    launcher: str
    level: str | None
    require_confinement: str | None
    runner: str
    scheduler: str | None
    public_only: bool
    subject: str
    repetition: int
    record: Path | None
    keep: Path | None
    validated: Path | None
    no_answers: bool
    as_json: bool

    def orders(self, catalog: Catalog) -> tuple[list[Order], Dataset]:
        """What is to be judged.

        Raises:
            DeclarationError: the options do not go together, or name nothing.
        """
        if self.all_:
            if self.task_id or self.solution:
                raise DeclarationError("--all goes with neither TASK_ID nor --solution")
            if self.output.is_file():
                raise DeclarationError(f"{self.output}: is a file; with --all name a folder")
            dataset = self._dataset_of_folder(catalog, self.all_)
            if self.record:
                read_making(self.record)
            return orders_in(self.all_, self.output, dataset, self.record), dataset
        if not (self.task_id and self.solution):
            raise DeclarationError("TASK_ID and --solution DIR are needed, or --all DIR")
        if self.output.is_dir():
            raise DeclarationError(f"{self.output}: is a folder; name the report file")
        dataset = self._dataset(catalog, TaskId.parse(self.task_id).dataset)
        dataset.task(self.task_id)
        if self.record:
            read_making(self.record)
        order = Order(
            task_id=self.task_id, project=self.solution, output=self.output, record=self.record
        )
        return [order], dataset

    def chosen_launcher(self, catalog: Catalog) -> Launcher:
        """How candidates are started.

        Raises:
            DeclarationError: there is no such launcher, or it has no such level.
        """
        found = catalog.find("launcher", self.launcher, catalog.launchers(), lambda v: v.name)
        return found.at_level(self.level) if self.level else found

    def circumstances(self, catalog: Catalog, dataset: Dataset, bench: Bench) -> Circumstances:
        """What the reports say beside the judgements.

        Raises:
            DeclarationError: candidates are confined less than is required.
        """
        if self.runner == LocalRunner.name:  # others answer for the machines that they play on
            self._check_confinement(bench.launcher)
        orders = 1 if self.solution else 1_000_000
        broken = {failure.plugin.name for failure in catalog.failures}
        return Circumstances(
            dataset=dataset_stamp(dataset),
            bench=replace(bench, keep_answers=not self.no_answers),
            jobs=min(self.jobs or usable_cpus(), orders),
            subject=self.subject,
            repetition=self.repetition,
            public_only=self.public_only,
            plugins={p.distribution: p.version for p in catalog.plugins if p.name not in broken},
            validation_receipt=self._receipt(dataset),
        )

    def open_player(
        self, catalog: Catalog, about: Circumstances, orders: int
    ) -> AbstractContextManager[Player]:
        """What judges the projects of this run; nothing is opened for none."""
        runner = catalog.find("runner", self.runner, catalog.runners(), lambda v: v.name)
        if not orders:
            return nullcontext(LocalPlayer(about))
        wish = RunnerWish(
            jobs=self.jobs, scheduler=self.scheduler, confinement=self.require_confinement
        )
        return open_player(runner, about, wish)

    def carry_out(
        self, order: Order, dataset: Dataset, about: Circumstances, player: Player, manners: Manners
    ) -> TaskReport:
        """Judge one project and store its report, while no model on this machine writes.

        Whoever plays on other machines has no need to wait for what happens on this one.
        """
        here = self.runner == LocalRunner.name
        with judging(manners) if here else nullcontext():
            return carry_out(order, dataset, about, player, self.keep)

    def _dataset(self, catalog: Catalog, name: str) -> Dataset:
        if self.dataset_path:
            return open_dataset(self.dataset_path)
        return open_dataset(open_source(catalog, name).folder)

    def _dataset_of_folder(self, catalog: Catalog, folder: Path) -> Dataset:
        """The dataset that the first project of a folder names."""
        if not folder.is_dir():
            raise DeclarationError(f"{folder}: is no folder")
        first = min((p.name for p in folder.iterdir() if not p.name.startswith(".")), default="kcb")
        return self._dataset(catalog, TaskId.parse(first).dataset if first != "kcb" else "kcb")

    def _check_confinement(self, launcher: Launcher) -> None:
        wanted = self.require_confinement
        found = launcher.confinement()
        less = f"launcher {launcher.name!r} confines at level {found.level!r} here"
        why = f" ({found.reason})" if found.reason else ""
        if wanted and LEVELS.index(found.level) < LEVELS.index(wanted):
            raise DeclarationError(f"{less}, and --require-confinement asks for {wanted!r}{why}")
        if found.level != LEVELS[-1] and not self.level:
            console.note(f"{less}, not {LEVELS[-1]!r}{why}; 'klein-bench doctor' says what to do")
        elif found.reason:
            console.warn(f"launcher {launcher.name!r} holds less than it should here{why}")

    def _receipt(self, dataset: Dataset) -> str:
        if not self.validated:
            return ""
        summary = read_validation(self.validated)
        if summary.dataset.manifest_sha256 != dataset.manifest.sha256:
            raise DeclarationError(f"{self.validated}: validates another dataset manifest")
        if {tier.subset for tier in summary.tiers} != set(dataset.manifest.totals):
            raise DeclarationError(f"{self.validated}: validates only some of the tiers")
        if not summary.passed:
            raise DeclarationError(f"{self.validated}: the validation failed; mend this host first")
        return summary.receipt


@dataclass(slots=True, kw_only=True)
class Tally:
    """What has come of the orders so far."""

    orders: Sequence[Order]
    as_json: bool
    finished: dict[str, TaskReport] = field(default_factory=dict)
    faults: list[KcbError] = field(default_factory=list)
    kept: Sequence[TaskReport] = ()

    def keep(self, kept: Sequence[TaskReport]) -> None:
        """Note the reports that are there and still true."""
        self.kept = kept
        if kept:
            console.note(
                f"kept {len(kept)} finished reports: project, dataset, evaluator and limits "
                "are the same"
            )

    def add(self, done: Done[Order, TaskReport]) -> None:
        """Note one order that is done, and say what came of it."""
        if done.error is not None:
            if not isinstance(done.error, KcbError):
                raise done.error
            self.faults.append(done.error)
            console.fail(f"{done.item.task_id}: {done.error}")
        elif done.result is not None:
            self.finished[done.item.task_id] = done.result
            if not self.as_json:
                console.say(f"{done.item.task_id}: {headline(done.result)}")

    def conclude(self, interrupted: bool) -> int:
        """Say what came of all of them, and give the exit status."""
        if interrupted:
            self._say_interrupted()
        if self.as_json:
            console.emit_json(
                [self.finished[o.task_id] for o in self.orders if o.task_id in self.finished]
            )
        elif len(self.orders) > 1:
            console.say(self._summary())
        elif self.finished:
            report = self.finished[self.orders[0].task_id]
            console.say(
                f"assertions {report.passed}/{report.total}; report {self.orders[0].output}"
            )
        return self._status(interrupted)

    def _summary(self) -> str:
        counts = [f"{self._count(outcome)} {outcome}" for outcome in Outcome]
        kept = f", {len(self.kept)} kept" if self.kept else ""
        return f"{len(self.finished)} judged: {', '.join(counts)}{kept}"

    def _count(self, outcome: Outcome) -> int:
        return sum(report.outcome is outcome for report in self.finished.values())

    def _say_interrupted(self) -> None:
        left = len(self.orders) - len(self.kept) - len(self.finished)
        console.fail(f"interrupted with {left} of {len(self.orders)} projects not judged")
        for order in self.orders:
            if order.task_id in self.finished:
                console.note(f"finished: {order.output}")
        words = ["klein-bench", *sys.argv[1:]]
        console.note(f"to go on: {' '.join(words)}")

    def _status(self, interrupted: bool) -> int:
        found = {ExitStatus.DONE}
        found |= {fault.exit_status for fault in self.faults}
        if interrupted:
            found.add(ExitStatus.INTERRUPTED)
        if self._count(Outcome.VOID):
            found.add(ExitStatus.MACHINERY)
        kept_failures = any(report.outcome is Outcome.FAILED for report in self.kept)
        if self._count(Outcome.FAILED) or kept_failures:
            found.add(ExitStatus.FAILED)
        return next(status for status in _GRAVEST if status in found)


def _advance(bar: Progress, shown: TaskID, tally: Tally) -> None:
    failed = len(tally.finished) - tally._count(Outcome.RESOLVED)
    bar.update(shown, advance=1, detail=f"{failed} not resolved")
