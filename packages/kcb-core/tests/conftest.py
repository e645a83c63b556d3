"""What the tests of kcb-core share: a dataset on disk, a command line, a catalog of given parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from kcb_core import cli, plugin
from kcb_core.catalog import Catalog, load_catalog
from kcb_core.dataset import Dataset
from kcb_core.roles import DatasetSource
from kcb_core.testing.values import plugin_giving, small_task, write_dataset

settings.register_profile("patient", deadline=None, max_examples=50)
settings.load_profile("patient")


@dataclass(frozen=True)
class Outcomes:
    """What one command line came to."""

    status: int
    out: str
    err: str


@pytest.fixture
def toy_dataset(tmp_path: Path) -> Dataset:
    """A dataset of three tasks in two tiers."""
    return write_dataset(
        tmp_path / "toy",
        small_task("toy-easy-001-amounts"),
        small_task("toy-easy-002-more-amounts", title="More [amounts]"),
        small_task("toy-max-001-amounts"),
    )


@pytest.fixture
def klein_bench(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Outcomes]:
    """Runs a command line in this process, with the core commands and the given plug-ins only."""

    def run(*words: str | Path, plugins: Iterable[tuple[str, object]] = ()) -> Outcomes:
        def given(*, third_party: bool = True) -> Catalog:
            return load_catalog([("core", plugin), *(plugins if third_party else ())])

        monkeypatch.setattr(cli, "load_catalog", given)
        capsys.readouterr()
        status = cli.run([str(word) for word in words])
        captured = capsys.readouterr()
        return Outcomes(int(status), captured.out, captured.err)

    return run


@pytest.fixture
def toy_plugin(toy_dataset: Dataset) -> tuple[str, object]:
    """A plug-in that brings the toy dataset."""
    return "toy", plugin_giving(
        dataset_sources=[DatasetSource(name="toy", folder=toy_dataset.folder)]
    )
