"""What the pages claim: speed and safety name what shows them, levels are those that are measured.

These are checks of words, so they find what a page forgets to name and not whether it is true:
that is shown by the commands that it names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from command_lines import commands, fault
from kcb_core.limits import LIMITS
from kcb_core.report import TaskReport
from kcb_core.task import PROTOCOL_VERSION
from sessions import session_names
from snippets import blocks

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
CONFINEMENT = DOCS / "explanation/confinement.md"
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "packages/*/README.md")
    for path in ROOT.glob(pattern)
    if path.name != "catalogue.md"  # generated, and about tasks
)
SESSIONS = session_names(ROOT / "noxfile.py")
COMMANDS = dict(commands())
LEVELS = ("none", "basic", "full")

#: Words of somebody who says how fast something is, or what it costs.
SPEED = re.compile(
    r"\btimes as (?:fast|quick)|\b(?:faster|quicker|slower) than|\b(?:and|much) (?:quicker|faster)"
    r"|\bhalf (?:of )?the (?:CPU )?time|\bno faster|\d ?(?:µs|ms)\b|\bcosts? about|\bslot hours"
    r"|\btakes [\w ]* and about \d+ MB|\bcosts accordingly",
)

#: Words of somebody who says what a program is kept from.
SAFETY = re.compile(
    r"\blevels? `(?:basic|full)`|\bat `(?:basic|full)`|\bkept from (?:your|the rest)|\bsandbox\b"
)

#: A link to a page that says how each level was measured, or its title on an index of packages.
MEASURED = re.compile(r"\]\([^)]*(?:confinement|fairness|SECURITY)\.md[^)]*\)|\*Confinement\*")


def prose(text: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.DOTALL | re.MULTILINE)


def chapters(text: str) -> Iterator[str]:
    """The parts of a page under its headings of the second level, with what stands before them."""
    yield from re.split(r"^(?=## )", prose(text), flags=re.MULTILINE)


def evidence(text: str) -> list[str]:
    """What a reader could run to see a claim for themselves, of all that a text names."""
    spans = re.findall(r"`((?:nox -s|python|pytest|klein-bench) [^`]+)`", text)
    return [span for span in spans if not evidence_fault(span)]


def evidence_fault(span: str) -> str:
    """Why something that looks like a command cannot be run here, or nothing."""
    program, *words = span.split()
    if program == "nox":
        return "" if words[1] in SESSIONS else "there is no such session"
    if program == "klein-bench":
        return fault(words, COMMANDS)
    if words[:1] == ["-m"]:
        return "" if find_spec(words[1]) else "there is no such module"
    if words[0].startswith("-") or (not words[0].endswith(".py") and program == "python"):
        return ""  # options of Python, and not a program of ours
    if "/" not in words[0]:
        return ""  # a file of the reader's
    return "" if (ROOT / words[0]).exists() else "there is no such file"


def speed_faults(text: str) -> list[str]:
    """Claims of speed in a chapter that names nothing to run."""
    return [
        found[0]
        for chapter in chapters(text)
        if (found := SPEED.search(chapter)) and not evidence(chapter)
    ]


def level_faults(text: str) -> list[str]:
    """Levels that are none, and what is said of one on a page that leads to no measurement."""
    named = re.findall(r"\blevels? `([a-z]+)`", prose(text))
    wrong = [f"there is no level {name}" for name in named if name not in LEVELS]
    unmeasured = SAFETY.search(prose(text)) and not MEASURED.search(text)
    if unmeasured:
        wrong.append("says what a level keeps, and not where that is measured")
    return wrong


def verdict_rows(text: str) -> list[str]:
    """Rows of tables with a verdict for each level, as they stand."""
    head = r"^\|[^\n|]*\| none \| basic \| full \|\n\| ---.*\n"
    tables = re.findall(rf"{head}((?:\|.*\n)+)", text, re.MULTILINE)
    return [row for table in tables for row in table.splitlines()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_as_evidence_is_there(page: Path) -> None:
    """A command that is gone shows nothing."""
    spans = re.findall(r"`((?:nox -s|python|pytest|klein-bench) [^`]+)`", prose(page.read_text()))
    found = {span: why for span in spans if (why := evidence_fault(span))}
    assert found == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_claim_of_speed_names_what_shows_it(page: Path) -> None:
    """A number that nobody can measure again is an advertisement."""
    assert speed_faults(page.read_text("utf-8")) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_cites_no_level_that_it_does_not_measure(page: Path) -> None:
    """It is one of the three, and the page leads to the table that says what it keeps."""
    assert page == CONFINEMENT or level_faults(page.read_text("utf-8")) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_verdict_on_a_level_is_the_one_that_was_measured(page: Path) -> None:
    """No page says more, or other, than the table that a test holds against real programs."""
    measured = set(verdict_rows(CONFINEMENT.read_text("utf-8")))
    assert len(measured) > 50
    assert [row for row in verdict_rows(page.read_text("utf-8")) if row not in measured] == []


def test_what_security_says_of_levels_is_a_table_of_verdicts() -> None:
    """So that the check above has something to hold it against."""
    assert len(verdict_rows((ROOT / "SECURITY.md").read_text("utf-8"))) > 5


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_trial_that_a_page_shows_is_of_the_level_that_it_measures(page: Path) -> None:
    """Levels 0 and 1 have no model in them, so no page may show one as evidence on a model."""
    for block in blocks(page.read_text("utf-8"), ROOT):
        if block.language == "json" and (document := json.loads(block.text)).get("kind") == (
            "trial-report"
        ):
            assert ("model" in document) == (document["level"] == 2)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_on_levels_of_drills_says_what_they_show(page: Path) -> None:
    """A battery that always passes at level 0 or 1 is no evidence of quality."""
    text = prose(page.read_text("utf-8"))
    if re.search(r"\blevels? [012]\b", text):
        assert "what it shows" in text or "drills.md" in text or "a report of it shows" in text


def test_the_protocol_has_the_limits_of_the_code() -> None:
    """A reader plans by the page; a program is killed by the code."""
    text = (DOCS / "EVALUATION.md").read_text("utf-8")
    rows = re.findall(r"^\| [^|]+ \| `(\w+)` \| ([\d,]+) \|$", text, re.MULTILINE)
    said = {name: float(value.replace(",", "")) for name, value in rows}
    assert said == {name: float(value) for name, value in msgspec.structs.asdict(LIMITS).items()}
    assert f"\nVersion {PROTOCOL_VERSION}.\n" in text


def test_the_page_on_task_reports_names_every_field() -> None:
    """A field that the page leaves out is one that nobody reads."""
    text = (DOCS / "reference/task-report.md").read_text("utf-8")
    named = {
        name
        for row in re.findall(r"^\| (`[^|]+) \|", text, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert named == set(TaskReport.__struct_fields__)


def test_contributing_names_every_session_that_runs_by_default() -> None:
    """Somebody who breaks a check should find out there what it shows."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    ci = (ROOT / ".github/workflows/check.yml").read_text("utf-8")
    in_ci = {name for name in SESSIONS if re.search(rf"^ +- .*\b{name}\b", ci, re.MULTILINE)}
    assert len(in_ci) > 10
    assert {name for name in in_ci if f"`{name}`" not in text} == set()


def test_each_fault_of_a_claim_is_found() -> None:
    """The checks themselves work."""
    assert speed_faults("It is ten times as fast.") != []
    assert speed_faults("## A\nTwo times as fast.\n## B\n`nox -s bench` shows it.") != []
    assert speed_faults("Ten times as fast: `nox -s bench` shows it.") == []
    assert speed_faults("Ten times as fast: `nox -s benches` shows it.") != []
    assert speed_faults("Ten times as fast: `python benchmarks/none.py` shows it.") != []
    assert level_faults("At level `complete` nothing happens.") != []
    assert level_faults("At level `full` nothing happens.") != []
    assert level_faults("At level `full` nothing happens: [table](confinement.md).") == []
    assert evidence_fault("klein-bench evaluate --quickly") != ""
    table = "| x | none | basic | full |\n| --- | --- | --- | --- |\n| fly | no | no | yes |\n"
    assert verdict_rows(table) == ["| fly | no | no | yes |"]
