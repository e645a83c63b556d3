"""``report html`` as it is called: what it writes, what it refuses, and how large a page gets."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from kcb_core import hookimpl
from kcb_core.page import Block, Heading, Paragraph, Preformatted
from kcb_core.report import Evidence, Exchange, Play, TaskReport, write_report
from kcb_core.roles import DatasetSource
from kcb_core.selection import freeze_selection, write_selection
from kcb_core.testing.values import plugin_giving

pytest.importorskip("vl_convert", reason="needs kcb-score[pages]")
pytest.importorskip("jinja2", reason="needs kcb-score[pages]")

MOST_BYTES = 3_000_000
"""How large the page of a whole run may be."""

HOSTILE = "</script><script>document.title='taken'</script>\u2028\x1b[2J\u202e" + "<" * 40


def failing(bench: Any, task: str, text: str, **changes: Any) -> TaskReport:
    """A failed report full of one text, where a candidate has its say."""
    report: TaskReport = bench.report(task, "failed", **changes)
    evidence = Evidence(
        session=0,
        request_index=1,
        request='{"id":1}',
        expected=json.dumps({"id": 1, "rows": [{"a": n} for n in range(99)]}),
        received=text,
        difference=text[:400],
        before=(Exchange(request=text, response=text),) * 10,
    )
    scenario = msgspec.structs.replace(
        report.scenarios[0], evidence=evidence, plays=(Play(stderr_tail=text, stderr_bytes=9),)
    )
    scenarios = (scenario, *report.scenarios * 29)
    return msgspec.structs.replace(report, scenarios=scenarios, notes=(text[:200],))


class Text(HTMLParser):
    """Collects what a page would run, apply and load."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.held: dict[str, list[str]] = {"script": [], "style": []}
        self.attributes: list[tuple[str, str | None]] = []
        self.open = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember attributes, and which element the text to come stands in."""
        self.attributes += attrs
        data = ("type", "application/json") in attrs
        self.open = tag if tag in self.held and not data else ""

    def handle_endtag(self, tag: str) -> None:
        """What follows stands in no script."""
        self.open = ""

    def handle_data(self, data: str) -> None:
        """Keep what stands in a script or a style."""
        if self.open:
            self.held[self.open].append(data)


@pytest.fixture
def written(bench: Any, klein_bench: Any, tmp_path: Path) -> str:
    """The page of two subjects, one of which answers with markup."""
    tasks = bench.tasks("easy")
    bench.write(tmp_path / "good", bench.report(tasks[0], subject="good"))
    write_report(failing(bench, tasks[0], HOSTILE, subject="<b>bad</b>"), tmp_path / "bad.json")
    given = (tmp_path / "good", tmp_path / "bad.json")
    done = klein_bench("report", "html", *given, "-o", tmp_path / "page.html")
    assert done.status == 0, done.err
    return (tmp_path / "page.html").read_text()


def test_only_the_pages_own_script_and_style_may_run(written: str) -> None:
    """The policy names both by digest; nothing else is allowed, and nothing is loaded."""
    page = Text(written)
    (script,), (style,) = page.held["script"], page.held["style"]
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', written)
    assert policy is not None
    for text in (script, style):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"&#39;sha256-{digest}&#39;" in policy[1]
    assert policy[1].startswith("default-src &#39;none&#39;;")
    assert "unsafe" not in policy[1]
    assert not [name for name, _ in page.attributes if name == "style" or name.startswith("on")]
    links = [value for name, value in page.attributes if name in ("href", "src")]
    assert links
    assert all((value or "").startswith("#") for value in links)


def test_what_a_candidate_printed_is_never_markup(written: str) -> None:
    """Neither in the page nor in the data that its script reads."""
    assert "taken'</script>" not in written
    assert not {"\u2028", "\x1b", "\u202e"} & set(written)
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', written, re.S)
    assert data is not None
    assert not set("<>&") & set(data[1])
    assert "document.title" in json.dumps(json.loads(data[1]))


def test_a_whole_run_that_failed_everywhere_keeps_below_three_megabytes(
    bench: Any, klein_bench: Any, tmp_path: Path
) -> None:
    """The worst page: 260 failures, each with more evidence than anybody can read."""
    text = json.dumps({"id": 1, "rows": ["\u0416<&" * 60] * 25})
    tasks = [task for file in bench.whole.files for task in file.tasks]
    bench.write(tmp_path / "reports", *(failing(bench, task, text) for task in tasks))
    done = klein_bench("report", "html", tmp_path / "reports", "-o", tmp_path / "page.html")
    assert done.status == 0, done.err
    assert (tmp_path / "page.html").stat().st_size < MOST_BYTES


def test_figures_are_stored_for_papers(bench: Any, klein_bench: Any, tmp_path: Path) -> None:
    """Every chart, as SVG and as PNG, named by what it shows."""
    bench.write(tmp_path / "reports", bench.report(bench.tasks("easy")[0]))
    page, folder = tmp_path / "page.html", tmp_path / "figures"
    done = klein_bench("report", "html", tmp_path / "reports", "-o", page, "--figures", folder)
    assert done.status == 0, done.err
    names = {path.name for path in folder.iterdir()}
    assert {"resolved-by-tier.svg", "resolved-by-tier.png"} <= names
    assert (folder / "resolved-by-tier.svg").read_text().startswith("<svg")


def test_a_section_of_another_package_stands_in_its_place(
    bench: Any, klein_bench: Any, tmp_path: Path
) -> None:
    """By the same hook as the page's own, and as inert as they are."""

    class Energy:
        name = "Energy & heat"
        order = 150

        def render(self, data: Any) -> Iterable[Block]:
            return (Heading(text="Joules"), Paragraph(text="<i>1</i>"), Preformatted(text="a\tb"))

    @hookimpl
    def kcb_register_report_sections() -> list[Energy]:
        return [Energy()]

    plugin = ("energy", SimpleNamespace(kcb_register_report_sections=kcb_register_report_sections))
    bench.write(tmp_path / "reports", bench.report(bench.tasks("easy")[0]))
    page = tmp_path / "page.html"
    done = klein_bench("report", "html", tmp_path / "reports", "-o", page, plugins=(plugin,))
    assert done.status == 0, done.err
    html = page.read_text()
    headings = re.findall(r"<h2 id=[^>]*>([^<]*)</h2>", html)
    assert headings[:3] == ["Result", "Energy &amp; heat", "Families and tiers"]
    assert '<p class="plain">&lt;i&gt;1&lt;/i&gt;</p>' in html


def test_a_history_shows_what_an_arm_gained_beyond_the_control(
    bench: Any, klein_bench: Any, tmp_path: Path
) -> None:
    """Two weeks of two arms; the rest of the page is of the last week."""
    easy = bench.tasks("easy")
    for day, better in (("2026-03-02", "failed"), ("2026-03-09", "resolved")):
        reports = [
            bench.report(task, outcome, subject=subject, finished=f"{day}T10:00:00Z")
            for task in easy[:20]
            for subject, outcome in (("fixed", "failed"), ("new", better))
        ]
        bench.write(tmp_path / day, *reports)
    page = tmp_path / "page.html"
    given = ("report", "html", tmp_path, "-o", page, "--history")
    assert "--control SUBJECT go together" in klein_bench(*given).err
    assert "unknown arm 'nobody'" in klein_bench(*given, "--control", "nobody").err
    done = klein_bench(*given, "--control", "fixed")
    assert done.status == 0, done.err
    assert "40 reports" in done.out
    html = page.read_text()
    assert "Week by week" in html
    assert all(f">2026-W{week}<" in html for week in (10, 11))
    assert "+100.0" in html
    assert f"{easy[0]}, {easy[1]}" in html


def test_a_report_without_a_time_has_no_week(bench: Any, klein_bench: Any, tmp_path: Path) -> None:
    """A guessed week would put it where it does not belong; the file is named."""
    (path,) = bench.write(tmp_path, bench.report(bench.tasks("easy")[0], subject="fixed"))
    done = klein_bench("report", "html", path, "--history", "--control", "fixed")
    assert done.status == 2
    assert f"{path}: field 'finished'" in done.err


def test_a_wrong_file_leaves_the_old_page_as_it_was(
    bench: Any, klein_bench: Any, tmp_path: Path
) -> None:
    """One line names the file, and nothing is half-written."""
    bench.write(tmp_path / "reports", bench.report(bench.tasks("easy")[0]))
    (tmp_path / "reports" / "broken.json").write_text('{"kind": "task-report"')
    page = tmp_path / "page.html"
    page.write_text("old")
    done = klein_bench("report", "html", tmp_path / "reports", "-o", page)
    assert (done.status, page.read_text()) == (2, "old")
    assert "broken.json" in done.err


def test_nothing_given_is_said(klein_bench: Any, tmp_path: Path) -> None:
    """An empty page would look like a result."""
    assert "no report given" in klein_bench("report", "html").err
    done = klein_bench("report", "html", tmp_path)
    assert done.status == 2
    assert f"{tmp_path}: no *.json file in or below this folder" in done.err


def test_without_the_extra_the_remedy_is_named(
    klein_bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain installation has the command and says what it needs."""
    monkeypatch.setattr("kcb_score.page.extra.find_spec", lambda name: None)
    done = klein_bench("report", "html", tmp_path)
    assert done.status == 2
    assert "needs jinja2 and vl_convert: pip install 'kcb-score[pages]'" in done.err
    assert "in a clone pip install -e 'packages/kcb-score[pages]'" in done.err


def test_page_score_and_comparison_agree_on_a_selection(
    bench: Any, klein_bench: Any, tmp_path: Path
) -> None:
    """A run of some tasks is measured by these tasks, whichever command is asked."""
    tasks = bench.tasks("easy")[:20]
    chosen = tmp_path / "chosen.json"
    write_selection(freeze_selection(bench.whole, tasks), chosen)
    outcomes = {"a": "rrrrrrrrrrrrrrrrrrrf", "b": "rrrrrrrrrrrrffffffff"}
    for subject, text in outcomes.items():
        told = [{"r": "resolved", "f": "failed"}[one] for one in text]
        reports = [bench.report(t, o, subject=subject) for t, o in zip(tasks, told, strict=True)]
        outside = bench.report(bench.tasks("max")[0], subject=subject)
        bench.write(tmp_path / subject, *reports, outside)
    given = (tmp_path / "a", tmp_path / "b", "--selection", chosen)
    done = klein_bench("report", "html", *given, "-o", tmp_path / "page.html")
    assert done.status == 0, done.err
    text = re.sub(r"<[^>]+>", " ", (tmp_path / "page.html").read_text())
    text = " ".join(text.split())
    scored = json.loads(klein_bench("score", *given, "--json").out)
    compared = json.loads(klein_bench("compare", *given, "--json").out)
    shares = [run["repetitions"][0]["overall"] for run in scored["subjects"]]
    assert [one["measures"]["resolve@1"]["value"] for one in shares] == [0.95, 0.6]
    for one in shares:
        bounds = one["measures"]["resolve@1"]["interval"]
        value = f"{100 * one['measures']['resolve@1']['value']:.1f} %"
        interval = f"{100 * bounds['low']:.1f} – {100 * bounds['high']:.1f}"
        assert f"{value} {interval} {one['resolved']} 20" in text
    whole = compared["pairs"][0]["overall"]
    low, high = (f"{100 * whole['interval'][end]:+.1f}" for end in ("low", "high"))
    assert f"b resolves 35.0 points fewer than a (95 % interval {low} to {high})" in text
    assert "40 reports on dataset kcb 0.1.0" in text
    assert "20 of them selected" in text
    assert "Tasks that are not selected and so not counted: 1." in text
    assert bench.tasks("max")[0] not in text


def test_a_selection_without_a_report_is_refused(
    bench: Any, klein_bench: Any, tmp_path: Path
) -> None:
    """A page of nothing would look like a result."""
    chosen = tmp_path / "chosen.json"
    write_selection(freeze_selection(bench.whole, bench.tasks("easy")[:2]), chosen)
    bench.write(tmp_path / "reports", bench.report(bench.tasks("max")[0]))
    given = (tmp_path / "reports", "--selection", chosen, "-o", tmp_path / "page.html")
    done = klein_bench("report", "html", *given)
    assert (done.status, done.out) == (2, "")
    assert f"none of the 1 reports is of a task in {chosen}" in done.err
    assert not (tmp_path / "page.html").exists()


def test_subjects_stand_in_the_order_of_the_arguments(
    bench: Any, klein_bench: Any, tmp_path: Path
) -> None:
    """Who names the new one first compares with it; within one folder names decide."""
    tasks = bench.tasks("easy")[:20]
    for folder, subjects in (("new", ("zeta",)), ("old", ("beta", "alpha"))):
        for subject in subjects:
            bench.write(tmp_path / folder, *(bench.report(t, subject=subject) for t in tasks))
    page = tmp_path / "page.html"
    for given, names in (
        (("new", "old"), ("zeta", "alpha", "beta")),
        (("old", "new"), ("alpha", "beta", "zeta")),
    ):
        paths = [tmp_path / name for name in given]
        done = klein_bench("report", "html", *paths, "-o", page)
        assert done.status == 0, done.err
        (title,) = re.findall(r"<h1>(.*)</h1>", page.read_text())
        assert title == " and ".join(names)
        assert f">{names[1]} less {names[0]}<" in page.read_text()


def test_another_dataset_than_the_installed_one_is_said(
    bench: Any, klein_bench: Any, tmp_path: Path
) -> None:
    """In one line, on the page as by the score; where the reports' own is given, nothing is."""
    other = bench.manifest(65, ("easy", "intermediate", "hard", "max"), version="0.2.0")
    bench.write(tmp_path / "r", bench.report(bench.tasks("easy")[0], of=other))
    folder = bench.write_manifest(tmp_path / "installed", bench.whole)
    sources = [DatasetSource(name="kcb", folder=folder)]
    toys = (("data", plugin_giving(dataset_sources=sources)),)
    told = f"manifest {other.sha256[:12]}, and the installed one has {bench.whole.sha256[:12]}"
    done = klein_bench("score", tmp_path / "r", plugins=toys)
    assert done.err.count(told) == 1
    page = tmp_path / "page.html"
    done = klein_bench("report", "html", tmp_path / "r", "-o", page, plugins=toys)
    assert done.status == 0, done.err
    assert page.read_text().count(told) == 1
    theirs = bench.write_manifest(tmp_path / "theirs", other)
    done = klein_bench("score", tmp_path / "r", "--dataset", theirs, plugins=toys)
    assert told not in done.err
