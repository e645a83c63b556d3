"""What a training loop pays for its rewards: hours per million rollouts, hangs included.

For one task of each tier the session limit is calibrated to the reference. Then four kinds of
rollouts are judged in training mode, as many at once as there are CPUs: the reference, a program
that answers wrongly, one that crashes at its start, and one that hangs. The last columns are the
mix that ``--mix`` states. A slot hour is an hour of one of the places in the pool, whatever it
waits for: what a machine is rented by. A CPU hour is what was computed in it.
Run it with ``python benchmarks/rollouts.py``.
"""

from __future__ import annotations

import argparse
import operator
import resource
import sys
import time
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import open_dataset
from kcb_core.task import Task
from kcb_references.catalogue import solution
from kcb_runner import Pool, Project, Reward, Terms, Training, calibrate

TASKS = (
    "kcb-easy-001-word-frequency",
    "kcb-intermediate-016-rational-matrix",
    "kcb-hard-041-expression-evaluator",
    "kcb-max-049-cache-simulator",
)

ANSWERS_WRONGLY = 'import sys\nfor line in sys.stdin:\n    print("{}", flush=True)\n'
CRASHES = "raise SystemExit(3)\n"
HANGS = "import time\ntime.sleep(3600)\n"

#: Shares of rollouts that resolve, answer wrongly, crash and hang.
MIX = (0.30, 0.58, 0.10, 0.02)


def cpu_s() -> float:
    """CPU seconds of this process and of all that it has waited for."""
    spent = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in spent)


def hours(task: Task, project: Project, training: Training, rollouts: int) -> tuple[float, float]:
    """Slot hours and CPU hours per million rollouts of one project, measured on a few."""
    started, computed = time.perf_counter(), cpu_s()
    with Pool(terms=Terms(training=training, keep_answers=False)) as pool:
        items = ((task, project) for _ in range(rollouts * pool.jobs))
        rewards = [Reward.of(report) for report in pool.map(items)]
        slots = (time.perf_counter() - started) * pool.jobs
    if not all(reward.valid for reward in rewards):
        raise SystemExit(f"{task.task_id}: this machine failed at a rollout; nothing was measured")
    return tuple(spent / len(rewards) / 3600 * 1e6 for spent in (slots, cpu_s() - computed))


def row(task: Task, reference: Project, rollouts: int, mix: Sequence[float]) -> list[str]:
    """One line of the table."""
    limit = calibrate(task, reference)
    training = Training(session_s=limit)
    kinds: list[Project] = [
        reference,
        {"main.py": ANSWERS_WRONGLY},
        {"main.py": CRASHES},
        {"main.py": HANGS},
    ]
    slots, cpus = zip(*(hours(task, kind, training, rollouts) for kind in kinds), strict=True)
    means = [sum(map(operator.mul, mix, costs)) for costs in (slots, cpus)]
    sessions = sum(len(scenario.sessions) for scenario in task.acceptance_tests)
    return [task.task_id, str(sessions), f"{limit:.2f}", *(f"{h:,.0f}" for h in [*slots, *means])]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rollouts", type=int, default=4, help="of each kind, for each CPU")
    parser.add_argument("--mix", type=float, nargs=4, default=MIX, metavar="SHARE")
    options = parser.parse_args()
    if abs(sum(options.mix) - 1) > 1e-9:
        parser.error("the shares of --mix must add up to 1")
    catalog = load_catalog()
    dataset = open_dataset(open_source(catalog, "kcb").folder)
    shares = " / ".join(f"{share:.0%}" for share in options.mix)
    table = Table(title=f"slot hours per million rollouts; the mix is {shares}")
    names = (
        "task",
        "sessions",
        "limit, s",
        "resolves",
        "wrong",
        "crashes",
        "hangs",
        "mix",
        "mix, CPU",
    )
    for name in names:
        table.add_column(name, justify="left" if name == "task" else "right")
    for task_id in TASKS:
        task = dataset.task(task_id)
        table.add_row(*row(task, solution(catalog, task), options.rollouts, options.mix))
    Console(width=110).print(table)


if __name__ == "__main__":
    sys.exit(main())
