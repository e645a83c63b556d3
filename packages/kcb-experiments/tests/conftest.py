"""What the tests of experiments share: a folder in the hands of its one writer, a small experiment,
and the command line."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from msgspec.structs import replace

import kcb_core
import kcb_core.plugin
import kcb_experiments.plugin
import kcb_runner
import kcb_score.plugin
from kcb_core import cli
from kcb_core.catalog import load_catalog
from kcb_core.report import DatasetStamp
from kcb_core.roles import DatasetSource, Generated, Generation
from kcb_core.testing.values import plugin_giving, small_task, write_dataset
from kcb_experiments.attempts import Attempt, Attempts, fold
from kcb_experiments.frozen import EXPERIMENT_FORMAT, EXPERIMENT_KIND, Arm, Experiment
from kcb_experiments.lock import hold_writer_lock
from kcb_experiments.log import LOG_NAME, Log, open_log, read_log
from kcb_experiments.records import Holder, Load, Opened, Record
from kcb_experiments.spec import Bounds, Caps, Executor, Price, Subject, Verifier

# Other work may run at the same time, so no example is judged by its time.
settings.register_profile("patient", deadline=None, max_examples=100)
settings.load_profile("patient")

Opening = Callable[[], AbstractContextManager[Log]]
HOLDER = Holder(host="h", pid=1)


@dataclass(frozen=True, slots=True)
class Done:
    """What a command came to."""

    status: int
    out: str
    err: str


class ToyAgent:
    """An agent that nobody asks anything in these tests."""

    name = "toy-agent"
    version = "7"
    asks_model = True

    def generate(self, generation: Generation) -> Generated:
        """Write nothing."""
        return Generated(stop_reason="no_project", files=0)


@pytest.fixture
def told() -> list[str]:
    """Lines that a person was told."""
    return []


@pytest.fixture
def opening(tmp_path: Path, told: list[str]) -> Opening:
    """Opens the log of one folder, each time as a new writer would."""

    @contextmanager
    def opened() -> Iterator[Log]:
        run: dict[str, Any] = {"experiment_sha256": "e" * 64, "load": Load(arms=1, groups=1)}
        with (
            hold_writer_lock(tmp_path, told.append) as lock,
            open_log(tmp_path, lock, tell=told.append, **run) as log,
        ):
            yield log

    return opened


@pytest.fixture
def experiment() -> Experiment:
    """Three tasks of three families, two arms, two repetitions."""
    priced = Price(input=1.0, output=2.0)
    bounds = Bounds(seconds=60, tokens=1000)
    subjects = [Subject(name=name, agent="toy-agent", bounds=bounds, price=priced) for name in "ab"]
    return Experiment(
        kind=EXPERIMENT_KIND,
        format=EXPERIMENT_FORMAT,
        name="small",
        dataset=DatasetStamp(name="toy", version="1", manifest_sha256="0" * 64, totals={"easy": 3}),
        tasks=tuple(f"toy-easy-{n:03d}-{slug}" for n, slug in enumerate(("x", "y", "z"), start=1)),
        repetitions=2,
        groups=2,
        arms=tuple(Arm(subject=subject, agent_version="7") for subject in subjects),
        budget=Caps(dollars=1.0),
        executor=Executor(),
        verifier=Verifier(),
    )


@pytest.fixture
def folded() -> Callable[..., Attempts]:
    """What records come to, given as terms: each a list of what one writer wrote."""

    def made(*terms: Sequence[Record]) -> Attempts:
        attempts = fold(())
        for term, records in enumerate(terms, start=1):
            load = Load(arms=2, groups=2)
            attempts.add(Opened(term=term, experiment_sha256="e", holder=HOLDER, load=load))
            for record in records:
                attempts.add(replace(record, term=record.term or term))
        return attempts

    return made


@pytest.fixture
def toy_dataset(tmp_path: Path) -> Path:
    """A dataset of three families."""
    tasks = [small_task(f"toy-easy-{n:03d}-{slug}") for n, slug in ((1, "x"), (2, "y"), (3, "z"))]
    return write_dataset(tmp_path / "toy", *tasks).folder


@pytest.fixture
def klein_bench(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], toy_dataset: Path
) -> Callable[..., Done]:
    """Runs the command line with the plug-ins of core, score and experiments, and toy ones."""

    def run(*words: object) -> Done:
        toys = plugin_giving(
            agents=[ToyAgent()], dataset_sources=[DatasetSource(name="toy", folder=toy_dataset)]
        )
        plugins = {
            "core": kcb_core.plugin,
            "score": kcb_score.plugin,
            "experiments": kcb_experiments.plugin,
            "toys": toys,
        }
        given = list(plugins.items())
        monkeypatch.setattr(cli, "load_catalog", lambda **_: load_catalog(given))
        capsys.readouterr()
        status = cli.run([str(word) for word in words])
        return Done(status, *capsys.readouterr())

    return run


def _write_wheel(
    folder: Path, name: str, *needs: str, at: str = "", code: Path | None = None
) -> None:
    """A wheel with these metadata, and the modules of a package if it has any."""
    at = at or version("kcb-core")
    stem = f"{name.replace('-', '_')}-{at}"
    lines = ["Metadata-Version: 2.4", f"Name: {name}", f"Version: {at}"]
    lines += [f"Requires-Dist: {need}" for need in needs]
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{stem}.dist-info/METADATA", "\n".join(lines) + "\n")
        for path in sorted(code.rglob("*")) if code else []:
            if path.is_file() and path.suffix != ".pyc":
                archive.write(path, path.relative_to(code.parent) if code else path)


@pytest.fixture
def write_wheel() -> Callable[..., None]:
    """Writes a wheel into a folder."""
    return _write_wheel


@pytest.fixture
def wheels(tmp_path: Path, write_wheel: Callable[..., None]) -> Path:
    """Wheels of what is installed here, without what other distributions bring."""
    folder = tmp_path / "wheels"
    for package in (kcb_core, kcb_runner):
        name = package.__name__.replace("_", "-")
        write_wheel(folder, name, code=Path(str(package.__file__)).parent)
    return folder


GOOD = """\
### main.py
```python
import json, sys

for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "ok": True}), flush=True)
```
"""


@dataclass(slots=True)
class Lab:
    """A tiny dataset, a provider, and ``klein-bench`` in processes of its own."""

    folder: Path
    provider: Any
    """A scripted one of kcb-agents."""
    good: str = GOOD
    """An answer that is right."""

    @property
    def out(self) -> Path:
        """The folder of the experiment."""
        return self.folder / "out"

    def spec(
        self,
        arms: str = "a",
        *,
        tasks: int = 1,
        groups: int = 1,
        budget: str = "",
        more: str = "",
        settings: str = "",
        seconds: float = 60.0,
        executor: str = "check_endpoints = false",
        top: str = "",
    ) -> None:
        """Write the dataset, and a spec with one arm for each letter."""
        names = [f"toy-easy-{number:03}-t" for number in range(1, tasks + 1)]
        write_dataset(self.folder / "data", *map(small_task, names))
        given = f'base_url = "{self.provider.url}", model = "m", queue = false, max_retries = 0'
        subjects = "".join(
            f'[[subjects]]\nname = "{arm}"\nagent = "one-shot"\n{more}\n'
            f"settings = {{ {given}{settings} }}\n"
            f"bounds = {{ tokens = 20_000, seconds = {seconds} }}\n"
            for arm in arms
        )
        text = f'name = "lab"\ngroups = {groups}\n[benchmark]\ndataset = "toy"\nsubset = "easy"\n'
        text += f"[budget]\n{budget}\n[executor]\n{top}\nsettings = {{ {executor} }}\n{subjects}"
        (self.folder / "spec.toml").write_text(text)

    def start(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        """``experiment run`` in a process of its own."""
        program = str(Path(sys.executable).with_name("klein-bench"))
        fixed = [program, "experiment", "run", str(self.folder / "spec.toml")]
        at = ["--out", str(self.out), "--dataset", str(self.folder / "data")]
        own = {"XDG_RUNTIME_DIR": str(self.folder / "run"), **environment}
        return subprocess.Popen(
            [*fixed, *at, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | own,
        )

    def run(self, *words: str, status: int = 0, **environment: str) -> str:
        """Run to the end, check the exit status, and give what was said."""
        process = self.start(*words, **environment)
        out, err = process.communicate(timeout=120)
        assert process.returncode == status, out + err
        return out + err

    def attempts(self) -> list[Attempt]:
        """All attempts so far, in the order in which they started."""
        return list(read_log(self.out).attempts)

    def logged(self) -> list[Attempt]:
        """The same beside a live run, which may not have begun."""
        return self.attempts() if (self.out / LOG_NAME).exists() else []

    def statuses(self) -> list[str]:
        """Status of each attempt, with the cause of a void one."""
        return [f"{a.status} {a.cause or ''}".strip() for a in self.attempts()]

    def workers(self) -> list[int]:
        """Processes that work for this experiment."""
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if str(self.out).encode() in (place / "environ").read_bytes():
                    found.append(int(place.name))
        return found


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """A provider that answers everything rightly, and nothing in the folder yet."""
    from kcb_agents.testing.provider import Provider  # noqa: PLC0415 - a sibling
    from kcb_agents.testing.scripted_answer import Said  # noqa: PLC0415

    (tmp_path / "run").mkdir()
    with Provider(usual=Said(content=GOOD)).serving() as provider:
        yield Lab(tmp_path, provider)
