"""``klein-bench report`` as people and programs call it."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

from kcb_core import hookimpl
from kcb_core.codec import encode, parse
from kcb_core.documents import DOCUMENTS
from kcb_core.errors import MachineError
from kcb_core.roles import TicketDraft
from kcb_core.schemas import schema_of
from kcb_core.testing.values import small_check, small_trial
from kcb_core.trial import TOOL_HALLUCINATION, Channel, TrialReport, write_trial
from kcb_score.report_command import SUBCOMMANDS

Run = Callable[..., Any]
HINT = small_check("hint", "agent", TOOL_HALLUCINATION, channel=Channel.SUGGESTIONS)
TOOL = small_check("status", "tool", reason="<script>alert(1)</script>")
ODD = "a\u2028b\u2029c\u0085d\u000be\u001cf"


def fill(folder: Path, *reports: TrialReport) -> Path:
    """A folder with these reports, named by their place."""
    for number, report in enumerate(reports):
        write_trial(report, folder / f"{number:03d}.json")
    return folder


def fits(kind: str, text: str) -> Any:
    """The document in some text, which fits its published schema."""
    document = json.loads(text)
    published = next(one for one in DOCUMENTS if one.kind == kind)
    jsonschema.validate(document, schema_of(published))
    return document


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below a folder: its content and when it was written."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def trials(tmp_path: Path) -> Path:
    """Four models, of which three miss a hint; one fault of the tool; one replay."""
    return fill(
        tmp_path / "trials",
        *(small_trial(model=m, checks=(HINT, small_check())) for m in "abc"),
        small_trial(model="d", checks=(small_check("hint"), TOOL)),
        small_trial(level=1, model="", checks=(small_check("hint"),), steps=()),
    )


def test_group_lists_its_commands_and_refuses_others(klein_bench: Run) -> None:
    """Help imports none of them, since some need libraries that may not be there."""
    done = klein_bench("report", "--help")
    assert done.status == 0
    assert all(command.name in done.out for command in SUBCOMMANDS)
    done = klein_bench("report", "agregate")
    assert (done.status, done.out) == (2, "")
    assert "did you mean 'report aggregate'?" in done.err
    assert klein_bench("report").status == 2
    code = (
        "import sys; from kcb_core.cli import run; run(['report', '--help']); "
        "assert not [name for name in sys.modules if name.startswith('kcb_score.trials.route_')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=60)


def test_reports_of_two_tools_aggregate_without_mapping(klein_bench: Run, tmp_path: Path) -> None:
    """One tool's files hold fields that this version does not know."""
    fill(tmp_path / "one", *(small_trial(repetition=n, tool="one") for n in range(3)))
    document: Any = parse(encode(small_trial(tool="two", checks=(TOOL,))))
    document["mood"] = {"depth": ["x"]}
    document["checks"][0]["confidence"] = 0.5
    (tmp_path / "two.json").write_bytes(encode(document))
    done = klein_bench("report", "aggregate", tmp_path / "one", tmp_path / "two.json", "--json")
    assert done.status == 0
    found = fits("trial-summary", done.out)
    assert [(g["tool"], g["trials"], g["tool_faults"]) for g in found["groups"]] == [
        *(("one", 3, 0), ("two", 1, 1)),
    ]
    assert found["always_green"] == ["one"]


def test_table_has_a_row_a_group_and_the_claims_below(klein_bench: Run, trials: Path) -> None:
    """Nobody sees the numbers without what they show."""
    done = klein_bench("report", "aggregate", trials)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith("tool\tdrill\tmodel\ttrials\toutcomes\ttool faults")
    assert "toytool\tbroken-config\tnot level 2 but 1\t1\tpassed 1\t0\t\t" in lines
    code = "ERR_TOOL_EXECUTION_HALLUCINATION"
    assert f"toytool\tbroken-config\ta\t1\tfailed 1\t0\t{code} 1\t" in lines
    assert [line[:7] for line in lines[-2:]] == ["Level 1", "Level 2"]


def test_every_row_is_one_line_whatever_stands_in_it(klein_bench: Run, tmp_path: Path) -> None:
    """A name with line separators cannot pass for a row of its own, nor style a terminal."""
    odd = f"{ODD}\n\x1b[31mx"
    fill(tmp_path, small_trial(tool=odd, drill=odd, model=odd, checks=(HINT, TOOL)))
    for words in (("aggregate",), ("stale",), ("route", "-o", tmp_path / "out")):
        done = klein_bench("report", *words, tmp_path / "000.json")
        assert len(done.out.split("\n")) == len(done.out.splitlines()) + 1
        assert "\x1b" not in done.out + done.err
    shown = json.loads(klein_bench("report", "aggregate", tmp_path / "000.json", "--json").out)
    assert shown["groups"][0]["tool"] == odd


def test_routing_writes_drafts_and_a_record(klein_bench: Run, trials: Path, tmp_path: Path) -> None:
    """One ticket for the fault of the tool, one piece of work for the hint that three miss."""
    out = tmp_path / "out"
    done = klein_bench("report", "route", trials, "-o", out, "--json")
    assert (done.status, done.err) == (0, "")
    found = fits("routing", done.out)
    assert json.loads((out / "routing.json").read_text()) == found
    (ticket,) = found["tickets"]
    assert ticket["reports"] == [str(trials / "003.json")]
    assert Path(ticket["place"]) == out / "tickets" / f"{ticket['name']}.md"
    assert "(../../trials/003.json)" in Path(ticket["place"]).read_text()
    (work,) = found["agent_faults"]
    assert (work["models"], work["routed"]) == (["a", "b", "c"], True)
    assert Path(work["place"]).parent == out / "channel-work"
    assert sorted(tree(out)) == sorted(
        str(Path(path).relative_to(out))
        for path in (ticket["place"], work["place"], out / "routing.json")
    )


def test_routing_again_changes_nothing(klein_bench: Run, trials: Path, tmp_path: Path) -> None:
    """It can run every night; also with the drafts inside of the folder of reports."""
    out = trials / "routed"
    assert klein_bench("report", "route", trials, "-o", out).status == 0
    first = {name: data for name, (data, _) in tree(out).items()}
    drafts = {n: when for n, (_, when) in tree(out).items() if n.endswith(".md")}
    done = klein_bench("report", "route", trials, "-o", out)
    assert done.status == 0
    assert {name: data for name, (data, _) in tree(out).items()} == first
    assert {n: when for n, (_, when) in tree(out).items() if n.endswith(".md")} == drafts
    files = sorted(trials.glob("*.json"))
    random.Random(7).shuffle(files)
    assert klein_bench("report", "route", *files, "-o", out).status == 0
    assert {name: data for name, (data, _) in tree(out).items()} == first


def test_two_of_four_configured_models_are_recorded_alone(klein_bench: Run, tmp_path: Path) -> None:
    """No draft, and the record says by which rule."""
    trials = fill(tmp_path / "t", *(small_trial(model=m, checks=(HINT,)) for m in "ab"))
    listed = tmp_path / "models.txt"
    listed.write_text("\ufeff# of this cycle\na\nb\n\nc\n", encoding="utf-8")
    words = ("report", "route", trials, "-o", tmp_path / "out", "--models", listed, "--model", "d")
    found = json.loads(klein_bench(*words, "--json").out)
    assert found["configured"] == ["a", "b", "c", "d"]
    (recorded,) = found["agent_faults"]
    assert (recorded["routed"], "place" in recorded) == (False, False)
    assert recorded["rule"] == "2 models of 4 configured, below the threshold"
    assert sorted(tree(tmp_path / "out")) == ["routing.json"]
    line = klein_bench(*words).out.splitlines()[-1]
    assert line == f"recorded: {TOOL_HALLUCINATION} in suggestions, {recorded['rule']}"
    both = klein_bench("report", "route", trials, "-o", tmp_path / "o2", "--json")
    assert json.loads(both.out)["agent_faults"][0]["routed"] is True


def test_model_that_is_not_configured_is_named(klein_bench: Run, trials: Path, tmp_path: Path):
    """An id that was mistyped would change the threshold without a word."""
    done = klein_bench("report", "route", trials, "-o", tmp_path / "o", "--model", "a")
    assert done.status == 0
    assert [f"model '{m}' is in the reports and not configured" in done.err for m in "abcd"] == [
        *(False, True, True, True),
    ]


@pytest.mark.parametrize("data", [b"", b"# none\n\n", b"\xff\n"])
def test_list_of_models_that_is_none_is_refused(
    klein_bench: Run, trials: Path, tmp_path: Path, data: bytes
) -> None:
    """Before anything is written."""
    (tmp_path / "models.txt").write_bytes(data)
    words = ("report", "route", trials, "-o", tmp_path / "out", "--models", tmp_path / "models.txt")
    done = klein_bench(*words)
    assert (done.status, done.out) == (2, "")
    assert "models.txt: " in done.err
    assert not (tmp_path / "out").exists()


def test_sink_of_a_plug_in_gets_tickets_and_nothing_else(
    klein_bench: Run, trials: Path, tmp_path: Path
) -> None:
    """Work on channels never goes to a tool's tracker."""
    got: list[TicketDraft] = []

    class Tracker:
        name = "tracker"

        def put(self, draft: TicketDraft, folder: Path) -> str:
            got.append(draft)
            return f"https://tracker.test/{draft.name}"

    plugin = SimpleNamespace(kcb_register_ticket_sinks=hookimpl(lambda: [Tracker()]))
    words = ("report", "route", trials, "-o", tmp_path / "out", "--sink", "tracker", "--json")
    done = klein_bench(*words, plugins=(("tracker", plugin),))
    found = json.loads(done.out)
    assert [draft.tool for draft in got] == ["toytool"]
    assert found["tickets"][0]["place"] == f"https://tracker.test/{got[0].name}"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        *("channel-work", "routing.json"),
    ]
    done = klein_bench("report", "route", trials, "-o", tmp_path / "x", "--sink", "trakcer",
                       plugins=(("tracker", plugin),))  # fmt: skip
    assert (done.status, "did you mean 'tracker'?" in done.err) == (2, True)


def test_sink_that_fails_is_a_fault_of_the_machine(
    klein_bench: Run, trials: Path, tmp_path: Path
) -> None:
    """It says nothing about any tool or model, and can be done again."""

    class Down:
        name = "down"

        def put(self, draft: TicketDraft, folder: Path) -> str:
            raise MachineError("the tracker does not answer")

    plugin = SimpleNamespace(kcb_register_ticket_sinks=hookimpl(lambda: [Down()]))
    words = ("report", "route", trials, "-o", tmp_path / "out", "--sink", "down")
    done = klein_bench(*words, plugins=(("down", plugin),))
    assert (done.status, done.out) == (3, "")
    assert "the tracker does not answer" in done.err


def test_bad_file_leaves_nothing_half_written(
    klein_bench: Run, trials: Path, tmp_path: Path
) -> None:
    """Every report is read before the first draft is written."""
    (trials / "zzz.json").write_bytes(b'{"kind": "trial-report", "report_version": 9}')
    for words in (("aggregate",), ("stale",), ("route", "-o", tmp_path / "out")):
        done = klein_bench("report", *words, trials)
        assert (done.status, done.out) == (2, "")
        assert done.err.count("\n") == 1
        assert "zzz.json: field 'report_version': 9 is not known" in done.err
    assert not (tmp_path / "out").exists()


DECLARATION = """
drill = "broken-config"
tool = "toytool"

[[decisions]]
check = "exit-status"
date = 2026-01-31
decision = "kept"
why = "It failed before the fix of issue 12."
"""


def test_undecided_check_fails_the_gate_once_the_cycle_begins(
    klein_bench: Run, tmp_path: Path
) -> None:
    """Until that day it is listed and the exit status is 0."""
    trials = fill(tmp_path / "t", small_trial())
    done = klein_bench("report", "stale", trials)
    assert (done.status, done.err) == (1, "")
    assert "toytool\tbroken-config\texit-status\t1\t0\tnone" in done.out.splitlines()
    assert "no evidence of the quality of its tool" in done.out
    assert klein_bench("report", "stale", trials, "--cycle", "9999-01-01").status == 0
    assert klein_bench("report", "stale", trials, "--cycle", "2026-01-01").status == 1


def test_recorded_decision_opens_the_gate(klein_bench: Run, tmp_path: Path) -> None:
    """Who decided what, when and why is shown beside the check."""
    trials = fill(tmp_path / "t", small_trial())
    (tmp_path / "drill.toml").write_text(DECLARATION)
    words = ("report", "stale", trials, "--declarations", tmp_path / "drill.toml")
    done = klein_bench(*words, "--cycle", "2026-02-01")
    assert (done.status, done.err) == (0, "")
    assert "kept, 2026-01-31: It failed before the fix of issue 12." in done.out
    found = fits("stale-checks", klein_bench(*words, "--json").out)
    assert found["checks"][0]["decision"]["decision"] == "kept"
    assert (found["undecided"], found["always_green"]) == (0, ["toytool"])
    assert klein_bench(*words, "--cycle", "2026-01-30").status == 1


def test_decision_on_no_check_is_a_warning(klein_bench: Run, tmp_path: Path) -> None:
    """It was meant for something."""
    (tmp_path / "drill.toml").write_text(DECLARATION.replace("exit-status", "exit-state"))
    trials = fill(tmp_path / "t", small_trial())
    done = klein_bench("report", "stale", trials, "--declarations", tmp_path / "drill.toml")
    assert done.status == 1
    assert "a decision on check 'exit-state'" in done.err


def test_day_that_is_none_is_refused(klein_bench: Run, trials: Path) -> None:
    """The form is named."""
    done = klein_bench("report", "stale", trials, "--cycle", "next week")
    assert (done.status, done.out) == (2, "")
    assert "write it as 2026-03-31" in done.err


@pytest.mark.parametrize("words", [("aggregate",), ("stale",), ("route", "-o", "out")])
def test_nothing_to_read_is_refused(klein_bench: Run, words: tuple[str, ...]) -> None:
    """No file named, no result."""
    done = klein_bench("report", *words)
    assert (done.status, done.out) == (2, "")
    assert "no trial report found" in done.err


def test_mutated_reports_end_in_one_line_or_a_result(klein_bench: Run, tmp_path: Path) -> None:
    """Cut, spliced and flipped bytes: never a traceback, never status 3."""
    seed = encode(small_trial(checks=(HINT, TOOL)))
    rng = random.Random(1729)
    path = tmp_path / "r.json"
    for _ in range(300):
        data = bytearray(seed)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(data) + 1)
            cut = slice(place, place + rng.randint(0, 3))
            data[cut] = rng.choice([b"", b'"', b"null", b"{", b"]", b"9e999", b"\xff", b",", b"-"])
        path.write_bytes(data)
        done = klein_bench("report", "aggregate", path)
        assert done.status in (0, 2), data
        assert done.status == 0 or (done.out == "" and done.err.count("\n") == 1), data
