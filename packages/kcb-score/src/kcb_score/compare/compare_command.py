"""``klein-bench compare``: two or more subjects on the same tasks, and a gate for one of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import FILE, dataset_option, json_option
from kcb_core.errors import DeclarationError, ExitStatus
from kcb_score.compare.assembling import Terms, compared, frozen
from kcb_score.compare.baseline import Baseline, read_baseline, write_baseline
from kcb_score.compare.comparison import Answer, Comparison, Mark
from kcb_score.compare.loading import Loaded, load
from kcb_score.compare.rendering import RENDERERS, show
from kcb_score.compare.sheets import warnings
from kcb_score.lookup import manifest_of, selection_of
from kcb_score.text import one_line

_FORMATS = ("text", *RENDERERS, "json")
_STATUS = {
    Answer.NOT_WORSE: ExitStatus.DONE,
    Answer.WORSE: ExitStatus.FAILED,
    Answer.CANNOT_TELL: ExitStatus.CANNOT_TELL,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What was asked for on the command line."""

    paths: tuple[Path, ...]
    subjects: tuple[str, ...]
    allow: tuple[str, ...]
    selection_name: str | None
    baseline_path: Path | None
    write_path: Path | None
    gate: bool
    margin: float | None
    cannot_tell: str
    form: str
    dataset_path: Path | None
    as_json: bool


@click.command()
@click.argument("paths", nargs=-1, type=FILE, metavar="[REPORT|FOLDER]...")
@click.option("--subject", "subjects", multiple=True, metavar="NAME", help="Compare only this "
              "subject with the others so named, in this order.")  # fmt: skip
@click.option("--selection", "selection_name", metavar="FILE|NAME", help="A frozen selection, a "
              "tier, or a named set such as easy@20: compare by its tasks.")  # fmt: skip
@click.option("--allow", multiple=True, type=click.Choice([str(mark) for mark in Mark]),
              help="Compare although projects are missing, or budgets differ.")  # fmt: skip
@click.option("--baseline", "baseline_path", type=FILE, metavar="FILE", help="Compare with a "
              "frozen baseline, which comes first.")  # fmt: skip
@click.option("--write-baseline", "write_path", type=FILE, metavar="FILE", help="Freeze one "
              "subject's results as a baseline; a file that exists is never changed.")  # fmt: skip
@click.option("--gate", is_flag=True, help="Say whether the second is worse than the first, as an "
              "exit status too.")  # fmt: skip
@click.option("--margin", type=float, metavar="SHARE", help="The loss that --gate refuses, "
              "such as 0.05.")  # fmt: skip
@click.option("--cannot-tell", type=click.Choice(["fail", "pass"]), default="fail",
              help="Exit status of --gate if it cannot tell: 4, or 0.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text",
              help="How to print the result.")  # fmt: skip
@dataset_option
@json_option
@click.pass_obj
def compare(catalog: Catalog, /, **options: Any) -> int:
    """Compare two or more subjects on the same tasks.

    Of a folder, every *.json file in and below it is read, and each subject in it is compared
    with each other one. The difference is that of the later subject to the earlier one.
    """
    wish = Wish(**options)
    _check(wish)
    baseline = read_baseline(wish.baseline_path) if wish.baseline_path else None
    loaded = load(wish.paths, wish.subjects)
    if wish.write_path:
        return _write(loaded, wish.write_path)
    comparison = _compare(catalog, wish, loaded, baseline)
    _print(comparison, "json" if wish.as_json else wish.form)
    for line in warnings(comparison):
        console.warn(one_line(line))
    return _status(comparison, wish)


def _check(wish: Wish) -> None:
    """Refuse options that do not go together."""
    if not wish.paths:
        raise DeclarationError("no report given; name report files, or a folder for each subject")
    if wish.gate != (wish.margin is not None):
        raise DeclarationError("--gate and --margin go together: how large a loss is too large?")
    if wish.margin is not None and not 0 < wish.margin < 1:  # nan is not either
        raise DeclarationError(f"--margin {wish.margin} must lie between 0 and 1, as 0.05 does")
    if wish.write_path and (wish.gate or wish.baseline_path):
        raise DeclarationError("--write-baseline compares nothing; leave out --gate and --baseline")


def _write(loaded: Loaded, path: Path) -> int:
    write_baseline(frozen(loaded), path)
    console.note(f"frozen: {path}")
    return ExitStatus.DONE


def _compare(catalog: Catalog, wish: Wish, loaded: Loaded, baseline: Baseline | None) -> Comparison:
    manifest = manifest_of(catalog, wish.dataset_path, loaded.judged.dataset.manifest_sha256)
    terms = Terms(
        manifest=manifest,
        selection=selection_of(wish.selection_name, manifest),
        allowed=frozenset(Mark(one) for one in wish.allow),
        margin=wish.margin,
    )
    return compared(loaded, terms, baseline, source=str(wish.baseline_path or ""))


def _print(comparison: Comparison, form: str) -> None:
    if form == "json":
        console.emit_json(comparison)
    elif form == "text":
        show(comparison)
    else:
        console.write(RENDERERS[form](comparison))


def _status(comparison: Comparison, wish: Wish) -> int:
    if comparison.gate is None:
        return ExitStatus.DONE
    if comparison.gate.answer is Answer.CANNOT_TELL and wish.cannot_tell == "pass":
        return ExitStatus.DONE
    return _STATUS[comparison.gate.answer]
