"""``python -m kcb_references.mutants.command``: mutants of references, and what catches them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import load_catalog
from kcb_core.commands.options import dataset_option, datasets
from kcb_core.errors import DeclarationError, ExitStatus, KcbError, UnknownNameError
from kcb_core.ids import SHIPPED_DATASET
from kcb_core.resources import usable_cpus
from kcb_references.mutants.equivalents import FILE, entry, listed, stale, unexplained
from kcb_references.mutants.score import Results, show
from kcb_references.mutants.subject import Subject, subjects
from kcb_references.mutants.trial import Fate, Verdict, judged, rehearse_all
from kcb_runner.cancel import Cancel, cancel_on_signals
from kcb_runner.judging import Bench
from kcb_runner.launch.interpreter import InterpreterLauncher, kill_everything
from kcb_runner.pool import work_off


@click.command()
@click.option(
    "--only", metavar="NAME", multiple=True, help="Only this family, or this tier's shell."
)
@click.option("--every", is_flag=True, help="Print each mutant and what caught it.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Modules at once. Default: one a CPU.")
@dataset_option
def mutants(only: Sequence[str], every: bool, jobs: int | None, dataset_path: Path | None) -> int:
    """Make the references wrong, and see to it that the tests catch every mutant.

    Exit status 1 if one survives that is not listed as equivalent, or for which an input is found
    that shows it to be wrong; or if one is listed that does not survive any more.
    """
    chosen = _chosen(only, dataset_path)
    workers = jobs or usable_cpus()
    known = listed()
    with cancel_on_signals(kill_everything) as cancel:
        results = _rehearse(chosen, workers)
        _judge_survivors(chosen, results, workers, cancel)
    verdicts = [verdict for subject in chosen for verdict in results[subject.name]]
    if every:
        for verdict in verdicts:
            console.say(f"{verdict.fate}\t{verdict.mutant}\t{verdict.reason}")
    show(chosen, results, set(known))
    new, old = unexplained(verdicts, known), stale(verdicts, known.values())
    for survivor in new:
        console.say(entry(survivor))
    for one in old:
        console.say(f"no survivor of the sample: {one.module}: {one.was} -> {one.becomes}")
    console.say(f"{len(new)} survivors that {FILE} does not list, {len(old)} listed in vain")
    return ExitStatus.FAILED if new or old else ExitStatus.DONE


def _chosen(only: Sequence[str], dataset_path: Path | None) -> list[Subject]:
    catalog = load_catalog()
    held = [
        dataset
        for dataset in datasets(catalog, dataset_path)
        if dataset_path or dataset.manifest.dataset == SHIPPED_DATASET
    ]
    if not held:
        raise DeclarationError("no dataset is installed; name one with --dataset")
    known = {subject.name: subject for subject in subjects(catalog, held[0])}
    for name in only:
        if name not in known:
            raise UnknownNameError("family or tier", name, known)
    return [subject for name, subject in known.items() if not only or name in only]


def _rehearse(chosen: Iterable[Subject], workers: int) -> Results:
    """Rehearse the mutants of every subject, in processes that have no threads and so may fork."""
    results: Results = {}
    with (
        ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool,
        console.progress() as bar,
    ):
        waiting = {pool.submit(rehearse_all, subject): subject.name for subject in chosen}
        shown = bar.add_task("rehearsing", total=len(waiting), detail="")
        try:
            for done in as_completed(waiting):
                results[waiting[done]] = done.result()
                bar.update(shown, advance=1, detail=waiting[done])
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return results


def _judge_survivors(
    chosen: Iterable[Subject], results: Results, workers: int, cancel: Cancel
) -> None:
    """Judge whatever no rehearsal caught, and put the verdicts in their places."""
    launcher = InterpreterLauncher()
    bench = Bench(launcher=launcher, cancel=cancel, keep_answers=False)
    items = [
        (subject, place)
        for subject in chosen
        for place, verdict in enumerate(results[subject.name])
        if verdict.fate is Fate.SURVIVED
    ]

    def work(item: tuple[Subject, int]) -> Verdict:
        subject, place = item
        return judged(results[subject.name][place], subject, bench)

    with closing(launcher), console.progress() as bar:
        shown = bar.add_task("judging", total=len(items), detail="")
        for done in work_off(items, work, jobs=workers, cancel=cancel):
            if done.error is not None:
                raise done.error
            if done.result is not None:
                subject, place = done.item
                results[subject.name][place] = done.result
            bar.update(shown, advance=1)


def main() -> None:
    """Run the command and exit with its status."""
    console.prepare_streams()
    try:
        status = mutants.main(standalone_mode=False)
    except KcbError as error:
        console.fail(str(error))
        status = error.exit_status
    except click.ClickException as error:
        error.show()
        status = ExitStatus.INVALID
    sys.exit(status)


if __name__ == "__main__":
    main()
