"""``klein-bench score`` as people and programs call it."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from rich.console import Console

from kcb_core import hookimpl
from kcb_core.codec import decode, encode
from kcb_core.score import Measure, Samples, Score
from kcb_core.selection import freeze_selection, write_selection

Run = Callable[..., Any]
EASY = tuple(f"kcb-easy-{n:03d}-family-{n}" for n in (1, 2, 3))
ODD = "a\u2028b\u2029c\u0085d\u000be\u001cf"


@pytest.fixture
def reports(bench: Any, tmp_path: Path) -> Path:
    """A folder with 64 reports of the 65 tasks of a tier."""
    folder = tmp_path / "reports"
    bench.write(folder, *bench.sixty_four())
    return folder


def easy(done: Any) -> dict[str, Any]:
    """The tally of the easy tier in JSON output."""
    return json.loads(done.out)["subjects"][0]["repetitions"][0]["tiers"][0]


def test_sixty_four_of_sixty_five_as_json(
    bench: Any, klein_bench: Run, reports: Path, tmp_path: Path
) -> None:
    """A missing project counts as failed: 32/65, 32/64 of the submitted, its id, incomplete."""
    installed = bench.write_manifest(tmp_path / "kcb", bench.whole)
    done = klein_bench("score", reports, "--json", datasets=(installed,))
    assert done.status == 0
    document = json.loads(done.out)
    assert (document["kind"], document["format"]) == ("score", 1)
    assert document["incomplete"] is True
    found = easy(done)
    assert (found["resolved"], found["total"], found["submitted"]) == (32, 65, 64)
    assert found["measures"]["resolve@1"]["value"] == 32 / 65
    assert found["measures"]["resolve@1 of submitted"]["value"] == 0.5
    assert found["missing_tasks"] == ["kcb-easy-065-family-65"]
    assert found["incomplete"] is True
    assert "warning: incomplete" in done.err
    assert encode(decode(done.out.encode(), Score, source="out"))


def test_sixty_four_of_sixty_five_as_a_table(
    bench: Any, klein_bench: Run, reports: Path, tmp_path: Path
) -> None:
    """The same for people: plain text with tabs where there is no terminal."""
    folder = bench.write_manifest(tmp_path / "elsewhere", bench.whole)
    done = klein_bench("score", reports, "--dataset", folder)
    assert done.status == 0
    assert "easy\t32/65\t49.2 %\t37.5–61.1 %\t50.0 %\t64\t0\t1\tincomplete" in done.out
    assert "all\t32/260\t12.3 %" in done.out
    assert "dataset kcb 0.1.0: easy 65, intermediate 65, hard 65, max 65 tasks" in done.out
    assert f"manifest {bench.whole.sha256}, protocol 1.0" in done.out
    assert "evaluator kcb-runner 0.1.0" in done.out
    assert "64 reports; CPython 3.11; launcher interpreter; confinement full" in done.out
    assert "missing: kcb-easy-065-family-65" in done.err
    assert "\x1b" not in done.out + done.err


def test_without_the_dataset_the_number_of_missing_is_told(
    bench: Any, klein_bench: Run, reports: Path
) -> None:
    """kcb-core and kcb-score alone are enough for a score."""
    done = klein_bench("score", reports)
    assert done.status == 0
    assert "easy: missing: 1\n" in done.err


def test_a_public_only_report_is_refused(bench: Any, klein_bench: Run, reports: Path) -> None:
    """The prompt's two examples are no test of a project."""
    (path,) = bench.write(reports, bench.report(bench.tasks("easy")[64], public_only=True))
    done = klein_bench("score", reports)
    assert (done.status, done.out) == (2, "")
    assert f"{path}: field 'public_only'" in done.err


def test_a_foreign_manifest_is_refused(bench: Any, klein_bench: Run, reports: Path) -> None:
    """Both digests are named."""
    other = bench.manifest(65, ("easy",), version="0.2.0")
    bench.write(reports, bench.report(bench.tasks("easy")[64], of=other))
    done = klein_bench("score", reports)
    assert (done.status, done.out) == (2, "")
    assert bench.whole.sha256 in done.err
    assert other.sha256 in done.err


def test_zero_reports_are_status_2(klein_bench: Run, tmp_path: Path) -> None:
    """Nothing given, an empty folder, an empty list, other documents."""
    empty = tmp_path / "empty"
    empty.mkdir()
    (tmp_path / "list").write_text("\n")
    for words in ([], [empty], ["--from", tmp_path / "list"]):
        done = klein_bench("score", *words)
        assert (done.status, done.out) == (2, "")
        assert "no report" in done.err
    (empty / "other.json").write_text('{"kind": "selection"}')
    done = klein_bench("score", empty)
    assert done.status == 2
    assert f"1 file is no report and skipped: {empty / 'other.json'} (selection)" in done.err


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_a_number_that_is_not_finite_stops_everything(
    bench: Any, klein_bench: Run, tmp_path: Path, number: str
) -> None:
    """Status 2, file and field, nothing scored and no partial table."""
    paths = bench.write(tmp_path, *(bench.report(task) for task in EASY))
    text = paths[1].read_text()
    paths[1].write_text(text.replace('"wall_s": 0.5', f'"wall_s": {number}'))
    for words in (paths, [tmp_path], [*paths, "--json"]):
        done = klein_bench("score", *words)
        assert (done.status, done.out) == (2, "")
        assert f"{paths[1]}: field 'wall_s'" in done.err


def test_two_reports_of_one_task_are_refused_in_any_order(
    bench: Any, klein_bench: Run, tmp_path: Path
) -> None:
    """To choose between two would be best-of-n."""
    (first,) = bench.write(tmp_path / "a", bench.report(EASY[0]))
    (second,) = bench.write(tmp_path / "b", bench.report(EASY[0], "failed"))
    runs = [klein_bench("score", *order) for order in ([first, second], [second, first])]
    assert [done.status for done in runs] == [2, 2]
    assert runs[0].err == runs[1].err
    assert f"{first} and {second} both report {EASY[0]}" in runs[0].err


def test_the_same_file_twice_is_refused(bench: Any, klein_bench: Run, tmp_path: Path) -> None:
    """By an overlapping glob, and by a symlink."""
    (path,) = bench.write(tmp_path, bench.report(EASY[0]))
    link = tmp_path / "link.json"
    done = klein_bench("score", path, tmp_path)
    assert done.status == 2
    assert "the same file is given twice" in done.err
    link.symlink_to(path)
    for words in ([path, link], [link, path], [tmp_path]):
        done = klein_bench("score", *words)
        assert done.status == 2
        assert "are the same file, given twice" in done.err


def test_repetitions_are_shown_apart(bench: Any, klein_bench: Run, tmp_path: Path) -> None:
    """Accepted, and each is a row of its own."""
    bench.write(
        tmp_path,
        bench.report(EASY[0], "failed", of=bench.small),
        bench.report(EASY[0], of=bench.small, repetition=1),
    )
    done = klein_bench("score", tmp_path)
    assert done.status == 0
    assert "easy\t0\t0/3\t0.0 %" in done.out
    assert "easy\t1\t1/3\t33.3 %" in done.out


def test_a_void_report_gives_way_and_it_is_said(
    bench: Any, klein_bench: Run, tmp_path: Path
) -> None:
    """A void says nothing of a project, so it does not stand against a report that does."""
    bench.write(tmp_path / "first", bench.report(EASY[0], "void", of=bench.small))
    bench.write(tmp_path / "again", bench.report(EASY[0], of=bench.small))
    done = klein_bench("score", tmp_path)
    assert done.status == 0
    assert f"{EASY[0]}, no subject named, repetition 0: 1 void and one resolved report" in done.err
    assert "easy\t1/3\t33.3 %\t6.1–79.2 %\t100.0 %\t1\t0\t2" in done.out


def test_void_is_a_pair_in_the_table(bench: Any, klein_bench: Run, tmp_path: Path) -> None:
    """Never one number."""
    bench.write(tmp_path, *(bench.report(t, "void", of=bench.small) for t in EASY))
    done = klein_bench("score", tmp_path)
    assert "easy\t0–3/3\t0.0–100.0 %\t0.0–100.0 %\t0.0–100.0 %" in done.out
    found = easy(klein_bench("score", tmp_path, "--json"))["measures"]["resolve@1"]
    assert (found["at_least"], found["at_most"], found["reason"]) == (0.0, 1.0, "3 void")
    assert (found["interval"]["low"], found["interval"]["high"]) == (0.0, 1.0)


def test_lists_are_read_from_a_file_and_from_standard_input(
    bench: Any, klein_bench: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path in a list ends at a line feed and nowhere else."""
    folder = tmp_path / ODD
    paths = bench.write(folder, *(bench.report(task, of=bench.small) for task in EASY))
    data = b"".join(os.fsencode(path) + b"\n" for path in paths)
    (tmp_path / "list").write_bytes(data)
    from_file = klein_bench("score", "--from", tmp_path / "list", "--json")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    from_input = klein_bench("score", "--from", "-", "--json")
    assert (from_file.status, from_input.status) == (0, 0)
    assert from_file.out == from_input.out == klein_bench("score", folder, "--json").out


def test_an_endless_list_is_refused(klein_bench: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input may be anything."""
    monkeypatch.setattr("kcb_score.cli.MAX_DOCUMENT_BYTES", 8)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"123456789")))
    done = klein_bench("score", "--from", "-")
    assert done.status == 2
    assert "standard input: more than 8 bytes" in done.err


def test_odd_strings_in_a_report_are_scored_and_printed_harmlessly(
    bench: Any, klein_bench: Run, tmp_path: Path
) -> None:
    """One report is one report, and its subject cannot break a table."""
    subject = ODD + "\x1b[31m\neasy\t3"
    bench.write(tmp_path, bench.report(EASY[0], subject=subject, of=bench.small))
    done = klein_bench("score", tmp_path)
    assert done.status == 0
    assert "\u2028" not in done.out
    assert "\x1b" not in done.out
    assert "\neasy\t3\n" not in done.out
    assert "subject a\\u2028b" in done.out
    document = json.loads(klein_bench("score", tmp_path, "--json").out)
    assert document["subjects"][0]["subject"] == subject


def test_a_selection_is_the_denominator(bench: Any, klein_bench: Run, tmp_path: Path) -> None:
    """Its tasks are all that counts, and its missing tasks are named without any dataset."""
    bench.write(tmp_path / "r", *(bench.report(task, of=bench.small) for task in EASY[:2]))
    chosen = tmp_path / "chosen.json"
    selection = freeze_selection(bench.small, [EASY[0], EASY[2]])
    write_selection(selection, chosen)
    done = klein_bench("score", tmp_path / "r", "--selection", chosen)
    assert done.status == 0
    assert "easy\t1/2\t50.0 %" in done.out
    assert f"selection of 2 tasks, sha256 {selection.sha256}" in done.out
    assert f"not selected and so not counted: {EASY[1]}" in done.err
    assert f"missing: {EASY[2]}" in done.err


def test_a_selection_that_is_nowhere_is_refused_with_what_there_is(
    bench: Any, klein_bench: Run, tmp_path: Path
) -> None:
    """A slip in the name of a set is not the lack of a file."""
    bench.write(tmp_path / "r", bench.report(EASY[0], of=bench.small))
    done = klein_bench("score", tmp_path / "r", "--selection", "eazy")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: unknown selection 'eazy'")


def test_a_selection_that_no_report_is_of_is_refused(
    bench: Any, klein_bench: Run, tmp_path: Path
) -> None:
    """Zero reports are status 2, whatever made them so."""
    bench.write(tmp_path / "r", bench.report(EASY[0], of=bench.small))
    write_selection(freeze_selection(bench.small, EASY[2:]), tmp_path / "chosen.json")
    done = klein_bench("score", tmp_path / "r", "--selection", tmp_path / "chosen.json")
    assert (done.status, done.out) == (2, "")
    assert "none of the 1 reports" in done.err


def test_excluded_tasks_are_named_with_their_reasons(
    bench: Any, klein_bench: Run, tmp_path: Path
) -> None:
    """They stay in the denominator."""
    bench.write(tmp_path, *(bench.report(task, of=bench.small) for task in EASY[:2]))
    words = ("--exclude", f"{EASY[1]}=its prompt was wrong", "--exclude", f"{EASY[2]}=too slow")
    done = klein_bench("score", tmp_path, *words)
    assert done.status == 0
    assert f"excluded {EASY[1]}, which counts as not resolved: its prompt was wrong" in done.out
    assert "easy\t1/3\t33.3 %\t6.1–79.2 %\t50.0 %\t2\t0\t0\t2\tincomplete" in done.out
    assert klein_bench("score", tmp_path, "--exclude", "nonsense").status == 2


def test_mixed_sets_are_flagged(bench: Any, klein_bench: Run, tmp_path: Path) -> None:
    """Such reports are not comparable."""
    bench.write(
        tmp_path,
        bench.report(EASY[0], of=bench.small),
        bench.report(EASY[1], of=bench.small, launcher="forkserver"),
    )
    done = klein_bench("score", tmp_path)
    assert done.status == 0
    assert "the reports mix several of launcher: forkserver (1), interpreter (1)" in done.err


def test_differing_pythons_are_refused(bench: Any, klein_bench: Run, tmp_path: Path) -> None:
    """A language version is part of what was measured."""
    report = bench.report(EASY[1], of=bench.small)
    host = msgspec.structs.replace(report.host, python="3.12.0")
    bench.write(
        tmp_path,
        bench.report(EASY[0], of=bench.small),
        msgspec.structs.replace(report, host=host),
    )
    done = klein_bench("score", tmp_path)
    assert done.status == 2
    assert "CPython 3.12" in done.err


def test_a_foreign_dataset_option_is_refused(
    bench: Any, klein_bench: Run, reports: Path, tmp_path: Path
) -> None:
    """What is given on purpose must fit; what is installed need not."""
    small = bench.write_manifest(tmp_path / "small", bench.small)
    done = klein_bench("score", reports, "--dataset", small)
    assert done.status == 2
    assert bench.small.sha256 in done.err
    assert klein_bench("score", reports, datasets=(small,)).status == 0


def test_a_broken_installed_dataset_is_named_and_not_needed(
    klein_bench: Run, reports: Path, tmp_path: Path
) -> None:
    """A score does not depend on it, and says that it might have been the one."""
    (tmp_path / "broken").mkdir()
    done = klein_bench("score", reports, datasets=(tmp_path / "broken",))
    assert done.status == 0
    assert "installed dataset 'broken' cannot be read" in done.err


def test_a_strangers_scorer_gets_a_column(bench: Any, klein_bench: Run, tmp_path: Path) -> None:
    """It enters by the same hook as resolve@1."""

    class Wall:
        name = "wall"

        def score(self, samples: Samples) -> Mapping[str, Measure]:
            return {"wall time": Measure(value=sum(r.wall_s for r in samples.samples), unit="s")}

    @hookimpl
    def kcb_register_scorers() -> list[Wall]:
        return [Wall()]

    bench.write(tmp_path, bench.report(EASY[0], of=bench.small))
    plugin = ("wall", SimpleNamespace(kcb_register_scorers=kcb_register_scorers))
    done = klein_bench("score", tmp_path, plugins=(plugin,))
    assert done.status == 0
    assert (
        "tier\tresolved\tresolve@1\t95 % interval\tresolve@1 of submitted\twall time\t" in done.out
    )
    assert "easy\t1/3\t33.3 %\t6.1–79.2 %\t100.0 %\t0.5 s\t" in done.out


@pytest.mark.parametrize(("width", "framed"), [("200", True), ("80", False)])
def test_a_terminal_gets_drawn_tables(
    bench: Any,
    klein_bench: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    width: str,
    framed: bool,
) -> None:
    """Frames and bars where there is room; the numbers are whole also where there is not."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", width)
    monkeypatch.setattr("kcb_core.console._console", lambda stream: Console(file=stream))
    bench.write(tmp_path, *(bench.report(task, of=bench.small, subject="[m]") for task in EASY))
    done = klein_bench("score", tmp_path)
    assert done.status == 0
    assert ("┃" in done.out) is framed
    assert ("█" * 10 + "·" * 10 in done.out) is framed
    for text in ("subject [m]", "incomplete", "100.0 %", "50.0 %"):
        assert text in done.out


def test_help_says_what_is_refused(klein_bench: Run) -> None:
    """The rule that surprises most stands where people look first."""
    done = klein_bench("score", "--help")
    assert done.status == 0
    assert "same task, subject and repetition are refused" in " ".join(done.out.split())


def command(*words: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """The command line as a process of its own."""
    program = "from kcb_core.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, "score", *map(str, words)],
        capture_output=True,
        check=False,
        timeout=60,
        **options,
    )


def test_as_a_process_it_prints_pure_json(bench: Any, reports: Path) -> None:
    """What a shell script sees: a document on standard output, warnings elsewhere."""
    listed = b"".join(os.fsencode(path) + b"\n" for path in sorted(reports.iterdir()))
    done = command("--from", "-", "--json", input=listed)
    assert done.returncode == 0, done.stderr
    assert decode(done.stdout, Score, source="stdout").reports == 64
    assert b"incomplete" in done.stderr


def test_as_a_process_it_survives_any_locale(bench: Any, tmp_path: Path) -> None:
    """Bars, dashes and subjects in any script go where only ASCII does."""
    bench.write(tmp_path, bench.report(EASY[0], of=bench.small, subject="模型"))
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = command(tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert b"\\u6a21" in done.stdout
