"""``klein-bench compare`` as people and programs call it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kcb_core.codec import decode, encode
from kcb_core.provenance import Revision
from kcb_core.selection import freeze_selection, write_selection
from kcb_score.compare.baseline import BaselineRun, read_baseline
from kcb_score.compare.comparison import Comparison

Run = Callable[..., Any]
CAUSES = "A difference between two subjects may come from familiarity with Python"


@pytest.fixture
def dataset(bench: Any, tmp_path: Path) -> Path:
    """The dataset that all reports here are of."""
    return bench.write_manifest(tmp_path / "kcb", bench.whole)


@pytest.fixture
def folder(bench: Any, tmp_path: Path) -> Callable[..., Path]:
    """Makes a folder with one subject's reports of the easy tier, the first tasks resolved."""

    def make(name: str, resolved: int, *, of: int = 65, subject: str = "", **fields: Any) -> Path:
        path = tmp_path / name
        outcomes = bench.outcomes("easy", range(1, resolved + 1), of)
        path.mkdir()
        for number, one in enumerate(bench.run_of(subject or name, outcomes, **fields), start=1):
            (path / f"{number}.json").write_bytes(encode(one))
        return path

    return make


@pytest.fixture
def compare(klein_bench: Run, dataset: Path) -> Run:
    """Compares by the easy tier of the installed dataset."""

    def run(*words: object, selection: str = "easy") -> Any:
        chosen = ("--selection", selection) if selection else ()
        return klein_bench("compare", *words, *chosen, datasets=(dataset,))

    return run


def test_two_subjects_as_a_table(compare: Run, folder: Callable[..., Path]) -> None:
    """What a new user reads: rates, difference, interval, and whether that is noise."""
    done = compare(folder("small", 20), folder("large", 40))
    assert (done.status, done.err) == (0, "")
    assert "small\t1\t20\t45\t0\t0\t65" in done.out
    assert "\nlarge against small\ntier\tpairs\tsmall\tlarge\tdifference" in done.out
    (row,) = [line for line in done.out.splitlines() if line.startswith("easy\t65")]
    assert row.split("\t")[2:5] == ["30.8 %", "61.5 %", "+30.8"]
    assert row.split("\t")[6:9] == ["20", "0", "< 0.001"]
    assert "kcb-easy-021-family-21\twrong_response\tresolved" in done.out
    assert "large resolves 30.8 points more than small (95 % interval +17.5 to +40.4)" in done.out
    assert "more than noise" in done.out
    assert CAUSES in done.out


def test_a_small_difference_may_be_noise(compare: Run, folder: Callable[..., Path]) -> None:
    """And the reader is told what could have been seen at all."""
    done = compare(folder("small", 20), folder("large", 22))
    assert "this may be noise; a difference of " in done.out
    assert "is found in four of five studies" in done.out


def test_the_document(compare: Run, folder: Callable[..., Path]) -> None:
    """``--json`` and ``--format json`` are one, stable, and hold no null."""
    words = (folder("small", 20), folder("large", 40))
    done = compare(*words, "--json")
    assert done.out == compare(*words, "--format", "json").out
    document = json.loads(done.out)
    assert (document["kind"], document["format"]) == ("comparison", 1)
    assert document["arms"][0]["name"] == "small"
    (pair,) = document["pairs"]
    assert pair["overall"]["difference"] == pytest.approx(20 / 65)
    assert len(pair["discordant"]) == 20
    assert "null" not in done.out
    assert encode(decode(done.out.encode(), Comparison, source="out"))


def test_one_folder_with_several_subjects(
    compare: Run, folder: Callable[..., Path], bench: Any, tmp_path: Path
) -> None:
    """Each is an arm; ``--subject`` chooses and orders them; three are adjusted."""
    runs = folder("a", 20).parent / "runs"
    for name, resolved in (("a", 20), ("b", 30), ("c", 40)):
        outcomes = bench.outcomes("easy", range(1, resolved + 1))
        bench.write(runs, *bench.run_of(name, outcomes))
    done = compare(runs)
    assert [line for line in done.out.splitlines() if " against " in line] == [
        *("b against a", "c against a", "c against b"),
    ]
    assert "p, Holm" in done.out
    chosen = compare(runs, "--subject", "c", "--subject", "a")
    assert "\na against c\n" in chosen.out
    unknown = compare(runs, "--subject", "d")
    assert (unknown.status, unknown.out) == (2, "")
    assert "unknown subject 'd'; known: a, b, c" in unknown.err


def test_folders_of_one_name_are_told_apart(compare: Run, folder: Callable[..., Path]) -> None:
    """The same subject in two weeks, or reports that name nobody."""
    old, new = folder("old", 20, subject="m"), folder("new", 40, subject="m")
    done = compare(old, new)
    assert f"m ({new}) against m ({old})" in done.out
    files = [*sorted(old.iterdir()), *sorted(new.iterdir())]
    refused = compare(*files)
    assert refused.status == 2
    assert "both report kcb-easy-001-family-1" in refused.err
    assert "is given twice" in compare(old, old).err


def test_a_partial_run_needs_leave(compare: Run, folder: Callable[..., Path]) -> None:
    """And is marked on every table; the whole dataset is meant unless a selection says else."""
    whole, partial = folder("whole", 20), folder("partial", 20, of=60)
    done = compare(whole, partial)
    assert (done.status, done.out) == (2, "")
    assert "partial: 5 of 65 projects are missing" in done.err
    allowed = compare(whole, partial, "--allow", "partial")
    assert allowed.status == 0
    assert "\npartial against whole [partial]\n" in allowed.out
    assert "projects of each arm [partial]" in allowed.out
    assert "warning: partial: missing projects count as not resolved" in allowed.err
    other = folder("other", 20)
    assert "whole: 195 of 260 projects are missing" in compare(whole, other, selection="").err


def test_differing_budgets_need_leave(compare: Run, folder: Callable[..., Path]) -> None:
    """More time or tokens is another question than a better model."""
    short = folder("short", 20, run_record={"budget": "10 min"})
    long = folder("long", 40, run_record={"budget": "60 min"})
    done = compare(short, long)
    assert (done.status, done.out) == (2, "")
    assert "differing budgets: '10 min', '60 min'" in done.err
    allowed = compare(short, long, "--allow", "budget")
    assert "\nlong against short [budget]\n" in allowed.out


def test_differing_manifests_are_refused(
    compare: Run, folder: Callable[..., Path], bench: Any, tmp_path: Path
) -> None:
    """Both files and digests are named."""
    other = bench.manifest(65, ("easy",), version="0.2.0")
    reports = [bench.report(task, of=other, subject="new") for task in bench.tasks("easy", other)]
    bench.write(tmp_path / "new", *reports)
    done = compare(folder("old", 20), tmp_path / "new")
    assert (done.status, done.out) == (2, "")
    for digest in (bench.whole.sha256, other.sha256):
        assert digest in done.err


def test_void_reports_are_unpaired_and_told(
    compare: Run, folder: Callable[..., Path], bench: Any
) -> None:
    """The loss stands in the table of arms and as a warning."""
    first, second = folder("a", 20), folder("b", 40)
    (first / "1.json").unlink()
    bench.write(first, bench.report("kcb-easy-001-family-1", "void", subject="a"))
    done = compare(first, second)
    assert "a\t1\t19\t45\t0\t1\t65" in done.out
    assert "easy\t64/65\t" in done.out
    assert "warning: a: 1 void, and a task of which nothing is known is not paired" in done.err


def test_several_repetitions(compare: Run, folder: Callable[..., Path], bench: Any) -> None:
    """Averaged by task, and no McNemar."""
    first, second = folder("a", 20), folder("b", 40)
    again = bench.run_of("a", bench.outcomes("easy", range(1, 31)), repetition=1)
    bench.write(first, *again)
    done = compare(first, second)
    assert "a\t2\t50\t80\t0\t0\t130" in done.out
    assert "50 % resolved, else wrong_response\tresolved" in done.out
    assert "McNemar's test takes one project a task" in done.err


def test_a_project_that_was_corrected_by_hand_has_failed(
    compare: Run, folder: Callable[..., Path]
) -> None:
    """It cannot enter, here as in a score."""
    done = compare(folder("a", 20, run_record={"hand_corrected": True}), folder("b", 20))
    assert "a\t1\t0\t65\t0\t0\t65\t20" in done.out
    assert "kcb-easy-001-family-1\tcorrected by hand\tresolved" in done.out
    assert "warning: a: 20 corrected by hand, which count as failed" in done.err


def test_without_the_dataset_tasks_are_counted_by_number(
    klein_bench: Run, folder: Callable[..., Path]
) -> None:
    """kcb-core and kcb-score alone compare too; 195 tasks nobody has a report of."""
    done = klein_bench("compare", folder("a", 20), folder("b", 40), "--allow", "partial")
    assert done.status == 0
    assert "a\t1\t20\t45\t195\t0\t260" in done.out
    assert "all\t260\t7.7 %\t15.4 %\t+7.7" in done.out


def test_a_frozen_selection(
    compare: Run, folder: Callable[..., Path], bench: Any, tmp_path: Path
) -> None:
    """The tasks that were meant before there were projects."""
    chosen = freeze_selection(bench.whole, bench.tasks("easy")[:30])
    write_selection(chosen, tmp_path / "chosen.json")
    done = compare(folder("a", 20), folder("b", 40), selection=str(tmp_path / "chosen.json"))
    assert "easy\t30\t66.7 %\t100.0 %" in done.out
    assert f"selection of 30 tasks, sha256 {chosen.sha256}" in done.out
    assert "70 reports of tasks that are not selected are not counted" in done.err


@pytest.mark.parametrize(
    ("resolved", "status", "answer"),
    [(45, 0, "not worse"), (38, 4, "cannot tell"), (20, 1, "worse")],
)
def test_a_gate_answers_by_its_exit_status(
    compare: Run, folder: Callable[..., Path], resolved: int, status: int, answer: str
) -> None:
    """0, 1 and a status of its own, each with the reason on a line."""
    words = (folder("old", 40), folder("new", resolved), "--gate", "--margin", "0.05")
    done = compare(*words)
    assert done.status == status
    (line,) = [one for one in done.out.splitlines() if one.startswith(f"{answer}: ")]
    assert "the difference lies between " in line
    assert compare(*words, "--cannot-tell", "pass").status == (0 if status == 4 else status)
    gate = json.loads(compare(*words, "--json").out)["gate"]
    assert (gate["answer"], gate["margin"]) == (answer, 0.05)


def test_a_gate_as_markdown(compare: Run, folder: Callable[..., Path]) -> None:
    """For a pull request: the answer as heading, tables, and the lost tasks folded away."""
    words = (folder("old", 40), folder("new", 20), "--gate", "--margin", "0.05")
    done = compare(*words, "--format", "markdown")
    lines = done.out.splitlines()
    assert lines[0].startswith("### worse: the difference lies between ")
    assert "| easy | 65 | 61.5 % | 30.8 % | -30.8 |" in done.out
    assert "<details><summary>20 tasks on which they differ</summary>" in lines
    assert "| kcb-easy-021-family-21 | resolved | wrong_response |" in lines
    assert lines[-2].startswith("- protocol 1.0")


def test_tables_for_papers_and_spreadsheets(compare: Run, folder: Callable[..., Path]) -> None:
    """The same cells as in text; a name that looks like a formula is none."""
    words = (folder("old", 40), folder("new", 20, subject="=cmd"))
    table = compare(*words, "--format", "csv").out.splitlines()
    assert "tier,pairs,old,'=cmd,difference,95 % interval,won,lost,p,could see" in table
    assert any(line.startswith("easy,65,61.5 %,30.8 %,-30.8,'-") for line in table)
    paper = compare(*words, "--format", "latex").out
    assert r"\begin{tabular}{lrrrrrrrrr}" in paper
    assert r"easy & 65 & 61.5 \% & 30.8 \% & -30.8 & " in paper
    assert "% =cmd resolves 30.8 points fewer than old" in paper


def test_hostile_names_stay_inert(compare: Run, folder: Callable[..., Path]) -> None:
    """A subject is named by whoever made the reports: no markup, mention, link or control code."""
    evil = "</details><script>x</script>|@team [a](b) `c` _d_\n# e\x1b[31m"
    words = (folder("old", 40), folder("new", 20, subject=evil))
    done = compare(*words, "--format", "markdown")
    for forbidden in ("<script", "</details><", "|@", "@t", "[a]", "`", " _d_", "\n# e", "\x1b"):
        assert forbidden not in done.out
    text = compare(*words)
    assert "\x1b" not in text.out + text.err
    assert "\n# e" not in text.out


def test_a_baseline_is_frozen_and_compared_with(
    compare: Run, folder: Callable[..., Path], tmp_path: Path, bench: Any
) -> None:
    """The reports need not be kept: the file has each task's outcome, digest and conditions."""
    path = tmp_path / "baseline.json"
    old, new = folder("old", 40), folder("new", 20)
    done = compare(old, "--write-baseline", path, selection="")
    assert (done.status, done.out, done.err) == (0, "", f"frozen: {path}\n")
    again = compare(old, "--write-baseline", path, selection="")
    assert again.status == 2
    assert "a frozen baseline is never changed" in again.err
    kept = read_baseline(path)
    assert kept.subject == "old"
    assert kept.runs == (
        BaselineRun(resolved=bench.tasks("easy")[:40], failed=bench.tasks("easy")[40:]),
    )
    gated = compare(new, "--baseline", path, "--gate", "--margin", "0.05")
    assert gated.status == 1
    both = compare(old, new, "--gate", "--margin", "0.05")
    assert gated.out.replace("failed\tresolved", "wrong_response\tresolved") == both.out
    same = compare(old, "--baseline", path)
    assert "old against old (baseline)" in same.out
    assert path.stat().st_size < 5000


def test_a_baseline_of_other_judges_is_refused(
    compare: Run, folder: Callable[..., Path], tmp_path: Path
) -> None:
    """A new evaluator may judge otherwise; the remedy is named."""
    path = tmp_path / "baseline.json"
    compare(folder("old", 40), "--write-baseline", path, selection="")
    newer = folder("new", 40, evaluator=Revision(distribution="kcb-runner", version="0.2.0"))
    done = compare(newer, "--baseline", path)
    assert (done.status, done.out) == (2, "")
    assert f"{path}: field 'evaluator': kcb-runner 0.1.0" in done.err
    assert "make a new baseline" in done.err


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"kind": "baseline"', '"kind": "score"', "field 'kind'"),
        ('"format": 1', '"format": 2', "field 'format': 2 is not known"),
        ('"runs": [', '"rans": [', "runs"),
        ("kcb-easy-002-family-2", "kcb-easy-001-family-1", "stands twice in one repetition"),
        ("kcb-easy-002-family-2", "toy-easy-002-family-2", "not of dataset 'kcb'"),
        ("kcb-easy-002-family-2", "kcb-vast-002-family-2", "more tasks of tier 'vast'"),
        ("kcb-easy-002-family-2", "family", "is no task id"),
        ('"manifest_sha256": "', '"manifest_sha256": "x', "64 hexadecimal"),
        ('"launcher"', '"launcher": NaN, "x"', "NaN is not JSON"),
        ('"interpreter": 65', '"interpreter": "many"', "conditions"),
    ],
)
def test_a_damaged_baseline_is_refused_by_file_and_field(
    compare: Run, folder: Callable[..., Path], tmp_path: Path, old: str, new: str, fault: str
) -> None:
    """A gate that holds against the wrong thing passes everything."""
    path = tmp_path / "baseline.json"
    reports = folder("old", 40)
    compare(reports, "--write-baseline", path, selection="")
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    done = compare(reports, "--baseline", path)
    assert (done.status, done.out) == (2, "")
    assert f"{path}: " in done.err
    assert fault in done.err


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ((), "no report given"),
        (("a",), "only 'a' is here"),
        (("a", "b", "--gate"), "--gate and --margin go together"),
        (("a", "b", "--margin", "0.1"), "--gate and --margin go together"),
        (("a", "b", "--gate", "--margin", "0"), "--margin 0.0 must lie between 0 and 1"),
        (("a", "b", "--gate", "--margin", "nan"), "--margin nan must lie between 0 and 1"),
        (("a", "b", "c", "--gate", "--margin", "0.1"), "--gate takes two subjects, here are 3"),
        (("a", "b", "--write-baseline", "x.json"), "a baseline is of one subject"),
        (("a", "--write-baseline", "x", "--baseline", "y"), "compares nothing"),
        (("a", "--baseline", "gone.json"), "gone.json"),
        (("a", "gone"), "gone"),
        (("empty",), "empty: no *.json file in or below"),
        (("a", "empty"), "empty: no *.json file in or below"),
        (("a", "b", "--allow", "all"), "'all' is not one of 'partial', 'budget'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    compare: Run,
    folder: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    fault: str,
) -> None:
    """Status 2, nothing printed, nothing written."""
    for name in "abc":
        folder(name, 20)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    done = compare(*words)
    assert (done.status, done.out) == (2, "")
    assert fault in done.err
    assert sorted(tmp_path.iterdir()) == before
