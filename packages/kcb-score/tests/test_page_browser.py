"""The page in a real Chromium: what a person does with it, by mouse, by keyboard, and by ear."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest

from kcb_core.page import SourcedReport
from kcb_core.provenance import Revision
from kcb_core.report import Evidence, Exchange, Play, TaskReport
from kcb_core.transcript import Action, Head, Message, Outcome, Reply
from kcb_core.transcript_file import TRANSCRIPT_NAME, TranscriptWriter

pytestmark = pytest.mark.browser

HOSTILE = (
    "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
    "</script><script>document.title='taken'</script>\u2028\x1b[31mred\u202ereversed"
)

WIDE, NARROW = {"width": 1360, "height": 900}, {"width": 390, "height": 844}

SLOWEST_OPENING_S = 4.0
"""A page is read in well under a second on a machine of its own; this one shares."""


@pytest.fixture(scope="module")
def artifacts() -> Path | None:
    """Where screenshots are kept, if ``KCB_ARTIFACTS`` names a folder."""
    folder = os.environ.get("KCB_ARTIFACTS")
    return Path(folder) if folder else None


@pytest.fixture(scope="module")
def chromium(lacking: Callable[[str, object], NoReturn]) -> Iterator[Any]:
    """A running Chromium of this machine; what drives it downloads none."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        lacking("browser", "neither chromium nor google-chrome is on the path")
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not everywhere
    except ModuleNotFoundError as error:
        lacking("browser", error)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def hostile(bench: Any, task: str, subject: str) -> TaskReport:
    """A report of a project that answers with markup, and says more of it on standard error."""
    report: TaskReport = bench.report(task, "failed", subject=subject)
    evidence = Evidence(
        session=0,
        request_index=2,
        request='{"id":3,"op":"sum"}',
        expected='{"id":3,"ok":true,"result":{"sum":7}}',
        received=HOSTILE,
        difference=HOSTILE,
        before=(Exchange(request='{"id":1}', response=HOSTILE),) * 10,
    )
    failed = msgspec.structs.replace(
        report.scenarios[0],
        tags=("core",),
        evidence=evidence,
        plays=(Play(wall_s=0.5, stderr_tail=HOSTILE, stderr_bytes=400),),
    )
    return msgspec.structs.replace(report, scenarios=(failed,), notes=(HOSTILE,))


def right_but_for_one(bench: Any, task: str, subject: str) -> TaskReport:
    """A report of a project whose one response is wrong in one member."""
    report: TaskReport = bench.report(task, "failed", subject=subject)
    evidence = Evidence(
        session=0,
        request_index=7,
        request='{"id":8}',
        expected=json.dumps({"id": 8, "ok": True, "result": {"total": 7, "rows": list(range(40))}}),
        received=json.dumps({"id": 8, "ok": True, "result": {"total": 8, "rows": list(range(40))}}),
        difference="$.result.total: expected 7, received 8",
    )
    failed = msgspec.structs.replace(report.scenarios[0], tags=("paging",), evidence=evidence)
    return msgspec.structs.replace(report, scenarios=(failed,))


@pytest.fixture(scope="module")
def page_file(bench: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of two subjects over 260 tasks, some failed, one hostile, one missing."""
    pytest.importorskip("vl_convert", reason="needs kcb-score[pages]")
    from kcb_score.page.assembly import ask, page  # noqa: PLC0415
    from kcb_score.page.sections import own_sections  # noqa: PLC0415

    tasks = [task for file in bench.whole.files for task in file.tasks]
    reports = []
    for place, subject in enumerate(("alpha", "beta")):
        for number, task in enumerate(tasks[place:]):
            if number == 1:
                reports.append(hostile(bench, task, subject))
            elif (number + 2 * place) % 3:
                reports.append(right_but_for_one(bench, task, subject))
            else:
                reports.append(bench.report(task, subject=subject))
    data = bench.page_data(*reports)
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_bytes(page(ask(own_sections(), data), data))
    return path


@pytest.fixture(scope="module")
def cell_file(bench: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page on one project, hostile in its report, its run record and its transcript."""
    pytest.importorskip("vl_convert", reason="needs kcb-score[pages]")
    from kcb_score.page.cells.finding import Transcripts  # noqa: PLC0415
    from kcb_score.page.cells.writing import place_of, write_cells  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("cell")
    report = msgspec.structs.replace(
        hostile(bench, "kcb-easy-002-family-2", "alpha"),
        run_record={"model_name": HOSTILE, "usage": {"input_tokens": 3}},
        missing_fields=("seed",),
    )
    head = Head(
        kind="transcript",
        format=1,
        name=f"{report.task_id}/r0/alpha",
        agent=HOSTILE,
        agent_version="1",
        generator=Revision(distribution="kcb-agents", version="0.1.0"),
        started="2026-01-01T00:00:00+00:00",
    )
    with TranscriptWriter(folder / TRANSCRIPT_NAME, head) as writer:
        for turn in range(1, 30):
            writer.record(Message(turn=turn, role="user", text=HOSTILE))
            writer.record(Reply(turn=turn, content=HOSTILE * 40, reasoning=HOSTILE))
            stdout = writer.stream(HOSTILE.encode() * turn)
            writer.record(Action(turn=turn, tool=HOSTILE, arguments=HOSTILE, executed=True))
            writer.record(Outcome(turn=turn, ending=HOSTILE, stdout=stdout))
    sourced = SourcedReport(source=str(folder / "report.json"), report=report)
    main = folder / "page.html"
    write_cells([sourced], folder, main, Transcripts(()), advanced=lambda: None)
    return place_of(report, folder)


def soon(locator: Any) -> Any:
    """What is asked of ``locator``, which may become true a moment later: pages act in events."""
    from playwright.sync_api import expect  # noqa: PLC0415 - not everywhere

    return expect(locator, "the page did not come to this within 10 s")


class Visit:
    """A page that is open, and all that it asked for or complained of."""

    def __init__(self, tab: Any) -> None:
        self.tab = tab
        self.complaints: list[str] = []
        self.requests: list[str] = []
        tab.on("console", lambda message: self.complaints.append(message.text))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        tab.on("request", lambda request: self.requests.append(request.url))

    def visible(self) -> list[str]:
        """Ids of the tasks that the table shows, in its order."""
        found: list[str] = self.tab.eval_on_selector_all(
            "#tasks tbody tr", "rows => rows.filter(row => !row.hidden).map(row => row.id)"
        )
        return found


@pytest.fixture
def visit(chromium: Any, page_file: Path) -> Iterator[Visit]:
    """The page, opened wide and light; in the end nothing was complained of or fetched."""
    yield from visiting(chromium, page_file)


@pytest.fixture
def cell(chromium: Any, cell_file: Path) -> Iterator[Visit]:
    """The same of the page on one project."""
    yield from visiting(chromium, cell_file)


def visiting(chromium: Any, page_file: Path) -> Iterator[Visit]:
    """A page that is open, and is held to have done no harm once it is left."""
    context = chromium.new_context(viewport=WIDE, color_scheme="light")
    context.set_default_timeout(10_000)
    open_page = Visit(context.new_page())
    open_page.tab.goto(page_file.as_uri())
    yield open_page
    assert open_page.complaints == []
    assert [url for url in open_page.requests if url.split("#")[0] != page_file.as_uri()] == []
    assert "taken" not in open_page.tab.title()
    context.close()


def test_it_opens_quickly(visit: Visit) -> None:
    """Measured by the browser itself, from the start to the end of loading."""
    timing = visit.tab.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    assert 0 < timing / 1000 < SLOWEST_OPENING_S


def test_a_heading_sorts_both_ways_and_back(visit: Visit) -> None:
    """By the keyboard as by the mouse, and said to those who do not see the arrow."""
    before = visit.visible()
    heading = visit.tab.locator("#tasks").get_by_role("columnheader", name="alpha")
    heading.get_by_role("button").click()
    soon(heading).to_have_attribute("aria-sort", "ascending")
    assert visit.visible() != before
    heading.get_by_role("button").press("Enter")
    soon(heading).to_have_attribute("aria-sort", "descending")
    assert "resolved" in visit.tab.locator("#tasks tbody tr").first.inner_text()
    heading.get_by_role("button").press("Space")
    soon(heading).to_have_attribute("aria-sort", "none")
    assert visit.visible() == before


def test_filters_work_together_and_say_how_many_are_left(visit: Visit) -> None:
    """Words, tier, outcome, and where the subjects differ."""
    tab = visit.tab
    tab.get_by_role("combobox", name="Tier").select_option("hard")
    assert len(visit.visible()) == 65
    tab.get_by_role("searchbox").fill("family-1")
    assert all("-hard-" in task and "family-1" in task for task in visit.visible())
    tab.get_by_role("searchbox").fill("")
    tab.get_by_label("only where subjects differ").check()
    few = len(visit.visible())
    assert 0 < few < 65
    soon(tab.locator("#count")).to_have_text(f"{few} of 260 tasks")
    tab.get_by_role("combobox", name="Outcome").select_option("missing")
    assert visit.visible() == []


def test_a_task_opens_beside_the_table_and_shows_the_difference(visit: Visit) -> None:
    """The wrong member, both values, what was sent, and where the page can be linked to."""
    tab = visit.tab
    task = visit.visible()[2]
    tab.locator(f"[id='{task}'] a").click()
    sheet = tab.get_by_role("dialog")
    soon(sheet.get_by_role("heading", name=task)).to_be_visible()
    tab.wait_for_url(f"**#{task}")
    alpha = sheet.locator("article").first
    soon(alpha.locator(".diff .first")).to_contain_text('"total": 7')
    soon(alpha.locator(".diff .received")).to_contain_text('"total": 8')
    tab.get_by_role("button", name="Next").click()
    soon(sheet.get_by_role("heading", name=visit.visible()[3])).to_be_visible()
    tab.keyboard.press("ArrowLeft")
    soon(sheet.get_by_role("heading", name=task)).to_be_visible()
    tab.keyboard.press("Escape")
    soon(sheet).not_to_be_visible()
    tab.wait_for_url(lambda url: "#" not in url)
    soon(tab.locator(f"[id='{task}'] a")).to_be_focused()


def test_a_link_to_a_task_opens_it(visit: Visit, page_file: Path) -> None:
    """What a colleague sends leads to the same place."""
    visit.tab.goto(f"{page_file.as_uri()}#kcb-max-065-family-65")
    soon(visit.tab.get_by_role("heading", name="kcb-max-065-family-65")).to_be_visible()


def test_a_square_of_the_map_leads_to_its_task(visit: Visit) -> None:
    """From the picture to the evidence in one click."""
    visit.tab.locator("#figure-families-by-tier svg a").first.click()
    soon(visit.tab.get_by_role("dialog")).to_be_visible()


def test_markup_in_a_response_is_seen_and_does_nothing(visit: Visit) -> None:
    """A project that answers with a script proves it, in every place where its text stands."""
    tab = visit.tab
    task = "kcb-easy-002-family-2"
    tab.locator(f"[id='{task}'] a").click()
    article = tab.get_by_role("dialog").locator("article").first
    article.locator("summary").click()
    text = article.inner_text()
    assert text.count("<script>document.title='taken'</script>") >= 12
    assert "\\x1b[31mred\\u202ereversed" in text
    assert tab.locator("script").count() == 2
    assert tab.locator("dialog img").count() == 0


def test_an_injected_script_does_not_run(chromium: Any, page_file: Path) -> None:
    """Should any text ever become markup, the page's policy still stops it."""
    context = chromium.new_context()
    broken = Visit(context.new_page())
    broken.tab.goto(page_file.as_uri())
    broken.tab.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "document.title = 'taken'";
            document.body.append(script);
            document.body.insertAdjacentHTML("beforeend", "<b onclick='document.title=1'>x</b>");
            document.body.lastChild.click();
        }"""
    )
    assert broken.tab.title() == "alpha and beta – Klein-Code-Bench"
    assert len(broken.complaints) == 2
    assert all("Content Security Policy" in complaint for complaint in broken.complaints)
    context.close()


def test_the_keyboard_alone_reaches_everything(visit: Visit) -> None:
    """Skip link, sections, theme, filters, headings, tasks: in this order, and each visible."""
    tab = visit.tab
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "skip"
    seen: list[str] = []
    for _ in range(60):
        tab.keyboard.press("Tab")
        seen.append(
            tab.evaluate(
                "(e => e.id || e.name || e.dataset.column || e.getAttribute('href') || e.tagName)"
                "(document.activeElement)"
            )
        )
    wanted = [
        "#section-0",
        "theme",
        "text",
        "tier",
        "state",
        "differ",
        "0",
        "#kcb-easy-001-family-1",
    ]
    places = [seen.index(name) for name in wanted]
    assert places == sorted(places)
    tab.keyboard.press("Enter")
    soon(tab.get_by_role("dialog")).to_be_visible()
    tab.keyboard.press("Escape")


def test_the_theme_follows_the_system_until_somebody_chooses(visit: Visit) -> None:
    """A choice is kept for the next visit."""
    tab = visit.tab
    background = "getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(background)
    tab.emulate_media(color_scheme="dark")
    dark = tab.evaluate(background)
    assert dark != light
    button = tab.get_by_role("button", name="Theme")
    button.click()
    assert (button.inner_text(), tab.evaluate(background)) == ("Theme: light", light)
    button.click()
    tab.emulate_media(color_scheme="light")
    assert (button.inner_text(), tab.evaluate(background)) == ("Theme: dark", dark)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_nothing_is_found_by_an_accessibility_engine(
    visit: Visit, scheme: str, size: dict[str, int], artifacts: Path | None
) -> None:
    """axe-core with all its rules, on the page and on an open task; a screenshot of each."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    tab = visit.tab
    tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    tab.set_viewport_size(size)
    for name in ("page", "task"):
        if name == "task":
            tab.locator("[id='kcb-easy-003-family-3'] a").click()
        if artifacts is not None:
            path = artifacts / f"{name}-{scheme}-{size['width']}.png"
            tab.screenshot(path=path, full_page=name == "page")
        found = axe.run(tab).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["target"]) for rule in found] == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_markup_in_a_transcript_is_seen_and_does_nothing(cell: Visit) -> None:
    """Turn by turn; a long text opens, and the judgement stands as in the sheet of a task."""
    tab = cell.tab
    soon(tab.get_by_role("heading", name="Turn 29")).to_be_visible()
    folded = tab.locator("details.text").first
    folded.locator("summary").click()
    soon(folded.locator("pre")).to_be_visible()
    assert "<script>document.title='taken'</script>" in folded.inner_text()
    assert "\\x1b[31mred\\u202ereversed" in folded.inner_text()
    soon(tab.locator("#project .diff .expected").first).to_be_visible()
    assert tab.locator("script").count() == 2
    assert tab.locator("img").count() == 0
    assert tab.locator("a[href^='javascript']").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_nothing_is_found_on_the_page_of_a_project(
    cell: Visit, scheme: str, size: dict[str, int], artifacts: Path | None
) -> None:
    """axe-core with all its rules, on the page of a project; a screenshot of each."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    tab = cell.tab
    tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    tab.set_viewport_size(size)
    tab.locator("details.text summary").first.click()
    if artifacts is not None:
        path = artifacts / f"cell-{scheme}-{size['width']}.png"
        tab.screenshot(path=path, clip={"x": 0, "y": 0, "width": size["width"], "height": 3000},
                       full_page=True)  # fmt: skip
    found = axe.run(tab).response["violations"]
    assert [(rule["id"], rule["nodes"][0]["target"]) for rule in found] == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_it_prints_without_its_controls(visit: Visit) -> None:
    """On paper there is nothing to press."""
    visit.tab.emulate_media(media="print")
    soon(visit.tab.get_by_role("button", name="Theme")).not_to_be_visible()
    soon(visit.tab.locator("#filters")).to_be_hidden()
