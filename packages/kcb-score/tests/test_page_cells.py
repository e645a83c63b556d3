"""A page for every cell: transcript, judgement and run record of one project, and links to it."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
import pytest

from kcb_core.codec import encode
from kcb_core.page import FileLink, Preformatted
from kcb_core.provenance import Revision
from kcb_core.report import SourceStamp, TaskReport, write_report
from kcb_core.run_record import RECORDS
from kcb_core.transcript import Action, End, Head, Message, Outcome, Recorded, Reply, Request
from kcb_core.transcript_file import TRANSCRIPT_NAME, TranscriptWriter

pytest.importorskip("vl_convert", reason="needs kcb-score[pages]")
pytest.importorskip("jinja2", reason="needs kcb-score[pages]")

MOST_BYTES = 3_000_000

HOSTILE = "</pre><script>document.title='taken'</script><img src=x>\u2028\x1b[2J\u202e"

RECORD = {
    "model_name": "small-4b",
    "sampling": {"temperature": 0.2},
    "usage": {"input_tokens": 1200, "output_tokens": 34},
    "cost": {"dollars": 0.5, "lower_bound": True},
    "wall_s": 61.5,
    "stop_reason": "done",
}


class Tags(HTMLParser):
    """Every tag of a page, every address in it, and its text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.said = ""
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.said += data


def write_transcript(path: Path, name: str, *events: Recorded, stdout: bytes = b"") -> None:
    """A transcript of one turn, with other events in it."""
    head = Head(
        kind="transcript",
        format=1,
        name=name,
        agent="action-loop",
        agent_version="1",
        generator=Revision(distribution="kcb-agents", version="0.1.0"),
        started="2026-01-01T00:00:00+00:00",
    )
    with TranscriptWriter(path, head) as writer:
        writer.record(Message(role="user", text="task " + HOSTILE))
        writer.record(Request(turn=1, messages=((1, 1),), sha256="1" * 64))
        writer.record(Reply(turn=1, content=HOSTILE, reasoning="let me think"))
        writer.record(Action(turn=1, tool="Bash", arguments="ls", executed=True))
        writer.record(Outcome(turn=1, ending="exited", status=0, stdout=writer.stream(stdout)))
        for event in events:
            writer.record(event)
        writer.record(End(stop_reason="done"))


def attempt(bench: Any, folder: Path, *events: Recorded, **more: Any) -> TaskReport:
    """The report of an attempt as experiments leave it, with its transcript beside it."""
    subject = more.pop("subject", "one/../<b>")
    stdout = more.pop("stdout", b"ok")
    report: TaskReport = bench.report(
        bench.tasks("easy")[0], "failed", subject=subject, run_record=RECORD, **more
    )
    name = f"{report.task_id}/r{report.repetition}/{subject}"
    folder.mkdir(parents=True)
    write_transcript(folder / TRANSCRIPT_NAME, name, *events, stdout=stdout)
    write_report(report, folder / "report.json")
    return report


def cells_of(page: Path) -> list[Path]:
    """The pages that the sheets of a page link to; each must be there."""
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text())
    assert data is not None
    projects = json.loads(data[1])["projects"].values()
    paths = [page.parent / unquote(one["page"][0]) for many in projects for one in many]
    assert all(path.is_file() for path in paths)
    return paths


def test_a_cell_has_a_page_that_the_main_page_leads_to(
    bench: Any, klein_bench: Any, tmp_path: Path
) -> None:
    """Turn by turn, with the run record; hostile text stays text, links lead somewhere."""
    stdout = b"x" * 40_000 + "\u00e9".encode()
    attempt(bench, tmp_path / "runs" / "1", stdout=stdout, missing_fields=("seed",))
    page = tmp_path / "page.html"
    done = klein_bench(
        "report", "html", tmp_path / "runs", "-o", page, "--cells", tmp_path / "cells"
    )
    assert done.status == 0, done.err
    (cell,) = cells_of(page)
    assert cell.parent.parent == tmp_path / "cells"
    found = Tags(cell)
    assert found.tags.count("script") == 2
    assert "img" not in found.tags
    html = cell.read_text()
    assert "default-src &#39;none&#39;; script-src" in html
    assert "document.title=&#39;taken&#39;" in html
    assert "\\u202e" in html
    for said in ("Turn 1", "let me think", "thought", "small-4b", "temperature 0.2", "1,200"):
        assert said in found.said
    for said in ("at least", "cache read", "not stated", "Not known: seed", "more characters"):
        assert said in found.said
    files = [link for link in found.links if not link.startswith("#")]
    assert len(files) == 3
    there = [(cell.parent / unquote(link.partition("#")[0])).resolve() for link in files]
    assert [path.is_file() for path in there] == [True] * 3
    assert there[-1].read_bytes() == stdout
    assert there[0] == page


def test_long_texts_are_folded_and_short_ones_not(
    bench: Any, klein_bench: Any, tmp_path: Path
) -> None:
    """A reader sees the thread first; what is cut is counted."""
    attempt(bench, tmp_path / "runs" / "1", stdout=b"long " * 3_000)
    page = tmp_path / "page.html"
    given = ("report", "html", tmp_path / "runs", "-o", page, "--cells", tmp_path / "cells")
    assert klein_bench(*given).status == 0
    (cell,) = cells_of(page)
    html = cell.read_text()
    (folded,) = re.findall(r"<details class=\"text\"><summary>([^<]*)</summary>", html)
    assert folded == "stdout, 15000 bytes, 15,000 characters"
    assert "… 7000 more characters" in html
    with pytest.raises(ValueError, match="needs a caption"):
        Preformatted(text="x", folded=True)


def test_a_page_stays_within_its_bound(bench: Any, klein_bench: Any, tmp_path: Path) -> None:
    """Thousands of turns whose every character is escaped: ends are kept, the middle is counted."""
    turns = [Reply(turn=n, content="&" * 7_000) for n in range(2, 3_000)]
    attempt(bench, tmp_path / "runs" / "1", *turns)
    page = tmp_path / "page.html"
    given = ("report", "html", tmp_path / "runs", "-o", page, "--cells", tmp_path / "cells")
    assert klein_bench(*given).status == 0
    (cell,) = cells_of(page)
    assert 100_000 < cell.stat().st_size <= MOST_BYTES
    said = Tags(cell).said
    assert "Turn 2" in said
    assert "Turn 2999" in said
    assert "records are left out here" in said


def test_transcripts_of_generate_are_found_by_the_project_itself(
    bench: Any, klein_bench: Any, tmp_path: Path
) -> None:
    """A project that was changed since is another one, and has no transcript."""
    made, changed = bench.tasks("easy")[:2]
    records = tmp_path / "projects" / RECORDS
    for task in (made, changed):
        write_transcript(records / "transcripts" / task / "1.jsonl", task)
        document = {
            "kind": "generation",
            "project": {"sha256": "a" * 64},
            "run_record": {},
            "transcript": {"file": f"transcripts/{task}/1.jsonl"},
        }
        (records / f"{task}.json").write_bytes(encode(document))
    stamps = {made: "a" * 64, changed: "b" * 64}
    for task, sha256 in stamps.items():
        stamp = SourceStamp(sha256=sha256, files=1, size=1)
        bench.write(tmp_path / "reports", bench.report(task, subject="s", source=stamp))
    given = ("report", "html", tmp_path / "reports", "-o", tmp_path / "page.html")
    wanted = ("--cells", tmp_path / "cells", "--projects", tmp_path / "projects")
    assert "--projects goes with --cells" in klein_bench(*given, *wanted[2:]).err
    assert "holds no folder" in klein_bench(*given, *wanted[:3], tmp_path).err
    done = klein_bench(*given, *wanted)
    assert done.status == 0, done.err
    cells = {path.stem: Tags(path).said for path in cells_of(tmp_path / "page.html")}
    assert "let me think" in cells[made]
    assert "No transcript of this very project" in cells[changed]


def test_a_record_that_leads_elsewhere_is_refused(
    bench: Any, klein_bench: Any, tmp_path: Path
) -> None:
    """A folder of a stranger makes the page read no other file of its reader's."""
    records = tmp_path / "projects" / RECORDS
    records.mkdir(parents=True)
    document = {
        "project": {"sha256": "a" * 64},
        "run_record": {},
        "transcript": {"file": "../../secret.jsonl"},
    }
    (records / "t.json").write_bytes(encode(document))
    bench.write(tmp_path / "reports", bench.report(bench.tasks("easy")[0]))
    given = ("report", "html", tmp_path / "reports", "--cells", tmp_path / "cells")
    done = klein_bench(*given, "--projects", tmp_path / "projects")
    assert (done.status, "leads elsewhere" in done.err) == (2, True)


def test_a_broken_transcript_is_said_on_the_page(
    bench: Any, klein_bench: Any, tmp_path: Path
) -> None:
    """The judgement is shown all the same; and one of another cell is not taken for this one's."""
    report = attempt(bench, tmp_path / "runs" / "1")
    (tmp_path / "runs" / "1" / TRANSCRIPT_NAME).write_bytes(b'{"kind": "other"}\n')
    attempt(bench, tmp_path / "runs" / "2", subject="b")
    other = msgspec.structs.replace(report, subject="c", repetition=1)
    write_report(other, tmp_path / "runs" / "2" / "report.json")
    page = tmp_path / "page.html"
    given = ("report", "html", tmp_path / "runs", "-o", page, "--cells", tmp_path / "cells")
    done = klein_bench(*given)
    assert done.status == 0, done.err
    said = {path.stem: Tags(path).said for path in cells_of(page)}
    assert "The transcript cannot be read" in said[report.task_id]
    assert "No transcript of this very project" in said[f"{report.task_id}-r1"]


def test_a_link_is_a_path_and_nothing_else() -> None:
    """Whatever would be a scheme or another host is quoted or refused."""
    assert FileLink(text="x", path="javascript:alert(1)").href == "javascript%3Aalert%281%29"
    assert FileLink(text="x", path="../a b?#.html", fragment="k").href == "../a%20b%3F%23.html#k"
    for path in ("", "/etc", "//host/x"):
        with pytest.raises(ValueError, match="no path from"):
            FileLink(text="x", path=path)
