"""How large the page on two subjects over the whole dataset is, and how soon it is open.

A real Chromium opens it, and in alternation an empty page of as many bytes. It says itself how long
each took, from the start of loading to the end, ``loadEventEnd - startTime``, and how much of that
its main thread computed, which other work on the machine does not lengthen. A third of the tasks of
each subject failed, and the page holds the evidence of each. Run it with ``nox -s bench_page``.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.table import Table
from scoring import copies, models, write

from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import open_dataset

SUBJECTS = ("example-7b", "example-14b")
MEGABYTE = 1_000_000
OPENED_MS = """() => {
    const timing = performance.getEntriesByType("navigation")[0];
    return timing.loadEventEnd - timing.startTime;
}"""


METRICS = "Performance.getMetrics"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What it took to open a page."""

    seconds: float
    computed_s: float
    """CPU time of the main thread of its tab."""


def write_reports(folder: Path) -> int:
    """Reports of every task by two subjects, who fail at different ones; gives their number."""
    manifest = open_dataset(open_source(load_catalog(), "kcb").folder).manifest
    tasks = sum(manifest.totals.values())
    texts = list(copies(manifest, models(folder), len(SUBJECTS) * tasks))
    for place, subject in enumerate(SUBJECTS):
        run = folder / subject
        run.mkdir()
        own = texts[place * tasks : (place + 1) * tasks]
        named = (_of(text, subject) for text in own)
        write(run, named, tasks)
    return len(texts)


def _of(text: bytes, subject: str) -> bytes:
    """The same report as the first and only one of a subject."""
    text = text.replace(b'"repetition": 1', b'"repetition": 0')
    return text.replace(SUBJECTS[0].encode(), subject.encode())


def write_page(folder: Path) -> Path:
    """The page on these reports.

    Raises:
        CalledProcessError: the command failed; what it said is printed.
    """
    page = folder / "page.html"
    places = (str(folder / subject) for subject in SUBJECTS)
    words = ("klein-bench", "report", "html", *places, f"--output={page}")
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return page


def write_empty(folder: Path, size: int) -> Path:
    """A page of as many bytes with nothing to see: all of it is a comment."""
    start, end = b"<!doctype html><meta charset=utf-8><title>empty</title><!--", b"-->"
    page = folder / "empty.html"
    page.write_bytes(start + b"." * (size - len(start) - len(end)) + end)
    return page


def open_once(browser: Any, page: Path) -> Opened:
    """Open a page in a tab and a profile of its own."""
    context = browser.new_context(viewport={"width": 1360, "height": 900})
    tab = context.new_page()
    profiler = context.new_cdp_session(tab)
    profiler.send("Performance.enable", {"timeDomain": "threadTicks"})
    tab.goto(page.as_uri())
    milliseconds = float(tab.evaluate(OPENED_MS))
    metrics = {one["name"]: one["value"] for one in profiler.send(METRICS)["metrics"]}
    context.close()
    return Opened(seconds=milliseconds / 1000, computed_s=metrics["ThreadTime"])


def measure(pages: tuple[Path, ...], rounds: int) -> list[Opened]:
    """The medians of each page; all are opened in each round, and the first one is not counted."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        sys.exit("neither chromium nor google-chrome is on the path")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        taken = [[open_once(browser, page) for page in pages] for _ in range(rounds + 1)]
        browser.close()
    return [_median(times) for times in zip(*taken[1:], strict=True)]


def _median(times: tuple[Opened, ...]) -> Opened:
    return Opened(
        seconds=statistics.median(one.seconds for one in times),
        computed_s=statistics.median(one.computed_s for one in times),
    )


def main() -> None:
    """Make the page, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kcb-page-") as place:
        folder = Path(place)
        reports = write_reports(folder)
        page = write_page(folder)
        size = page.stat().st_size
        empty, full = measure((write_empty(folder, size), page), options.rounds)
    what = f"page on {reports} reports, {size / MEGABYTE:.2f} MB"
    table = Table(title=f"{what}, median of {options.rounds}")
    for column in ("what", "open after s", "of empty", "computed s"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for name, one in (("empty page of as many bytes", empty), ("page", full)):
        ratio = one.seconds / empty.seconds
        table.add_row(name, f"{one.seconds:.3f}", f"{ratio:.1f}", f"{one.computed_s:.3f}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
