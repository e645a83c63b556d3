"""What the tests of kcb-score share: datasets, reports of them, and the command line."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import msgspec
import pytest
from hypothesis import settings

import kcb_core.plugin
import kcb_score.plugin
from kcb_core import cli, hookimpl
from kcb_core.catalog import load_catalog
from kcb_core.codec import digest, encode
from kcb_core.dataset import DataFile, Manifest
from kcb_core.ids import TaskId
from kcb_core.limits import LIMITS
from kcb_core.page import PageData, SourcedReport
from kcb_core.provenance import Revision
from kcb_core.report import (
    Confinement,
    DatasetStamp,
    Failure,
    FailureKind,
    Host,
    Outcome,
    ScenarioOutcome,
    ScenarioReport,
    TaskReport,
    Void,
    VoidCause,
    write_report,
)
from kcb_core.roles import DatasetSource
from kcb_core.score import Sample
from kcb_score.attempts import PassAtK
from kcb_score.collect import collect
from kcb_score.denominator import settle
from kcb_score.reading import Reader
from kcb_score.resolve import ResolveAtOne
from kcb_score.shelf import Filed
from kcb_score.summary import summarise

# Other work may run at the same time, so no example is judged by its time.
settings.register_profile("patient", deadline=None, max_examples=50)
settings.load_profile("patient")

TIERS = ("easy", "intermediate", "hard", "max")


class Bench:
    """Builds datasets, and reports of their tasks."""

    def __init__(self) -> None:
        self.whole = self.manifest(65, TIERS)
        """A dataset of the size of the shipped one."""
        self.small = self.manifest(3, ("easy", "max"))
        """A dataset that can be worked out in the head."""

    def manifest(self, families: int, tiers: tuple[str, ...], version: str = "0.1.0") -> Manifest:
        """A dataset without its data files, which a score does not need."""
        return Manifest(
            dataset="kcb",
            version=version,
            seed=1729,
            protocol_version="1.0",
            packages={"kcb-tasks": "0.1.0"},
            files=tuple(
                DataFile(
                    path=f"{tier}.jsonl",
                    subset=tier,
                    sha256=digest(tier.encode()),
                    size=1,
                    scenarios=families,
                    assertions=10 * families,
                    tasks=tuple(f"kcb-{tier}-{n:03d}-family-{n}" for n in range(1, families + 1)),
                )
                for tier in tiers
            ),
        )

    def tasks(self, tier: str, manifest: Manifest | None = None) -> tuple[str, ...]:
        """Ids of the tasks of one tier."""
        files = (manifest or self.whole).files
        return next(file.tasks for file in files if file.subset == tier)

    def report(
        self, task_id: str, outcome: str = "resolved", *, of: Manifest | None = None, **changes: Any
    ) -> TaskReport:
        """A report of one task; ``changes`` are fields of it."""
        manifest = of or self.whole
        told = Outcome(outcome)
        passed = {Outcome.RESOLVED: 10, Outcome.FAILED: 7, Outcome.VOID: 0}[told]
        failure = Failure(kind=FailureKind.WRONG_RESPONSE, reason="response 8 differs")
        scenario = ScenarioReport(
            name="golden",
            outcome=ScenarioOutcome.FAILED if told is Outcome.FAILED else ScenarioOutcome.PASSED,
            passed=passed,
            total=10,
        )
        report = TaskReport(
            kind="task-report",
            report_version=1,
            task_id=task_id,
            subset=TaskId.parse(task_id).tier,
            family=TaskId.parse(task_id).slug,
            dataset=DatasetStamp(
                name=manifest.dataset,
                version=manifest.version,
                manifest_sha256=manifest.sha256,
                totals=manifest.totals,
            ),
            protocol_version="1.0",
            evaluator=Revision(distribution="kcb-runner", version="0.1.0"),
            outcome=told,
            failure=failure if told is Outcome.FAILED else None,
            void=Void(cause=VoidCause.MACHINE, reason="no space") if told is Outcome.VOID else None,
            passed=passed,
            total=10,
            scenarios=() if told is Outcome.VOID else (scenario,),
            repetition=0,
            launcher="interpreter",
            confinement=Confinement(level="full"),
            limits=LIMITS,
            host=Host(
                system="Linux",
                machine="x86_64",
                cpus=2,
                memory_bytes=1 << 33,
                python="3.11.7",
                python_implementation="CPython",
            ),
            jobs=1,
            wall_s=0.5,
        )
        return msgspec.structs.replace(report, **changes)

    def filed(self, *reports: TaskReport) -> list[Filed]:
        """Reports as if each were a file, named by its place."""
        reader = Reader()
        return [reader.file(one, f"{n:03d}.json") for n, one in enumerate(reports)]

    def sample(self, task_id: str, outcome: str = "resolved", **changes: Any) -> Sample:
        """What a report of one task comes to; ``changes`` are fields of the report."""
        return Reader().file(self.report(task_id, outcome, **changes), "sample.json").sample

    def score(self, *reports: TaskReport, **settled: Any) -> Any:
        """What reports come to by the built-in scorers; ``settled`` goes to ``settle``."""
        collection = collect(self.filed(*reports))
        return summarise(collection, settle(collection, **settled), [ResolveAtOne(), PassAtK()])

    def page_data(self, *reports: TaskReport) -> PageData:
        """What a page of these reports is about."""
        ordered = sorted(reports, key=lambda r: (r.subject, r.repetition, r.task_id))
        return PageData(
            score=self.score(*reports, manifest=self.whole),
            reports=tuple(SourcedReport(source=f"{r.task_id}.json", report=r) for r in ordered),
        )

    def write(self, folder: Path, *reports: TaskReport) -> list[Path]:
        """Reports as files in a folder, named by task, subject and repetition."""
        paths = []
        for one in reports:
            path = folder / f"{one.task_id}{one.subject}-{one.repetition}.json"
            write_report(one, path)
            paths.append(path)
        return paths

    def write_manifest(self, folder: Path, manifest: Manifest) -> Path:
        """A dataset's folder, with nothing but its manifest."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "manifest.json").write_bytes(encode(manifest))
        return folder

    def run_of(
        self, subject: str, outcomes: dict[str, str], *, repetition: int = 0, **changes: Any
    ) -> list[TaskReport]:
        """Reports of one subject: tasks of the whole dataset by their outcome."""
        return [
            self.report(task, outcome, subject=subject, repetition=repetition, **changes)
            for task, outcome in outcomes.items()
        ]

    def outcomes(self, tier: str, resolved: range, of: int = 65) -> dict[str, str]:
        """The outcome of each of the first tasks of a tier, by numbers of the resolved ones."""
        return {
            task: "resolved" if number in resolved else "failed"
            for number, task in enumerate(self.tasks(tier)[:of], start=1)
        }

    def sixty_four(self) -> list[TaskReport]:
        """The easy tier, 64 reports, 32 resolved, the last task missing."""
        tasks = self.tasks("easy")[:64]
        return [
            self.report(task, "resolved" if n % 2 else "failed") for n, task in enumerate(tasks)
        ]


@dataclass(frozen=True)
class Done:
    """How a command line ended."""

    status: int
    out: str
    err: str


@pytest.fixture(scope="session")
def lacking() -> Callable[[str, object], NoReturn]:
    """Called with what this machine lacks and why: skips, or fails where it was promised.

    ``KCB_REQUIRE=browser`` promises a browser, so that a skip is no silent success.
    """

    def lacking(what: str, reason: object) -> NoReturn:
        promised = os.environ.get("KCB_REQUIRE", "").split(",")
        (pytest.fail if what in promised else pytest.skip)(f"no {what} here: {reason}")

    return lacking


@pytest.fixture(scope="session")
def bench() -> Bench:
    """Builds datasets and reports."""
    return Bench()


@pytest.fixture
def klein_bench(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Done]:
    """Runs the command line with the plug-ins of kcb-core and kcb-score, and given others.

    ``datasets`` are folders that count as installed, ``plugins`` further plug-in objects by name.
    """

    def run(
        *words: object, datasets: tuple[Path, ...] = (), plugins: tuple[tuple[str, Any], ...] = ()
    ) -> Done:
        @hookimpl
        def kcb_register_dataset_sources() -> list[DatasetSource]:
            return [DatasetSource(name=folder.name, folder=folder) for folder in datasets]

        sources = SimpleNamespace(kcb_register_dataset_sources=kcb_register_dataset_sources)
        given = [
            ("core", kcb_core.plugin),
            ("score", kcb_score.plugin),
            ("sources", sources),
            *plugins,
        ]
        monkeypatch.setattr(cli, "load_catalog", lambda **_: load_catalog(given))
        capsys.readouterr()
        status = cli.run([str(word) for word in words])
        return Done(status, *capsys.readouterr())

    return run
