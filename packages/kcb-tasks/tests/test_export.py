"""``klein-bench export``: which files come out, and what stops it before any does."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from published import built, stored

from kcb_core import hookimpl
from kcb_core.catalog import Catalog, load_catalog
from kcb_core.dataset import open_dataset
from kcb_core.errors import DataError, DeclarationError
from kcb_core.roles import DatasetSource
from kcb_tasks.export import export

FILES = [
    "README.md",
    "klein_code_bench/data/easy.jsonl",
    "klein_code_bench/data/hard.jsonl",
    "klein_code_bench/data/intermediate.jsonl",
    "klein_code_bench/data/manifest.json",
    "klein_code_bench/data/max.jsonl",
]


def _catalog(folder: Path) -> Catalog:
    @hookimpl
    def kcb_register_dataset_sources() -> list[object]:
        return [DatasetSource(name="kcb", folder=folder)]

    return load_catalog(
        [("tasks", SimpleNamespace(kcb_register_dataset_sources=kcb_register_dataset_sources))]
    )


def _run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(export, words, obj=_catalog(folder), catch_exceptions=False)


def test_the_layout_is_the_hubs(tmp_path: Path) -> None:
    """Card at the top, data below, and the folder of data is a dataset for every command."""
    stored(tmp_path / "source")
    output = tmp_path / "out"
    result = _run(tmp_path / "source", "--format", "hf", "--output", str(output), "--no-parquet")
    found = sorted(str(p.relative_to(output)) for p in output.rglob("*") if p.is_file())
    assert found == FILES
    assert sorted(result.output.splitlines()) == [str(output / name) for name in FILES]
    data = output / "klein_code_bench" / "data"
    assert open_dataset(data).manifest == built().manifest
    for name, content in built().files.items():
        assert (data / name).read_bytes() == content


def test_another_dataset_can_be_named(tmp_path: Path) -> None:
    """A dataset of another seed, or of a stranger, is published the same way."""
    stored(tmp_path / "toy", "toy")
    words = ("--dataset", str(tmp_path / "toy"), "-o", str(tmp_path / "out"), "--no-parquet")
    _run(tmp_path / "nowhere", *words)
    assert "`toy`: 4 tasks" in (tmp_path / "out" / "README.md").read_text()


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    """Nothing that lies there is overwritten or mixed in."""
    output = tmp_path / "out"
    output.mkdir()
    (output / "mine").touch()
    with pytest.raises(DeclarationError, match="is not empty; name a new or an empty folder"):
        _run(tmp_path, "-o", str(output), "--no-parquet")
    with pytest.raises(DeclarationError, match="is no folder"):
        _run(tmp_path, "-o", str(output / "mine"), "--no-parquet")
    assert [path.name for path in output.iterdir()] == ["mine"]


def test_without_pyarrow_one_line_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is an extra; nothing is written before it is known to be there."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    stored(tmp_path / "source")
    message = r"pip install 'kcb-tasks\[export\]', or add --no-parquet"
    with pytest.raises(DeclarationError, match=message) as refused:
        _run(tmp_path / "source", "-o", str(tmp_path / "out"))
    assert refused.value.exit_status == 2
    assert not (tmp_path / "out").exists()


def test_damaged_data_are_not_published(tmp_path: Path) -> None:
    """The digest of every file is compared before anything is written."""
    stored(tmp_path / "source")
    with (tmp_path / "source" / "max.jsonl").open("ab") as file:
        file.write(b"\n")
    with pytest.raises(DataError, match=r"max\.jsonl: sha256 is"):
        _run(tmp_path / "source", "-o", str(tmp_path / "out"), "--no-parquet")
    assert not (tmp_path / "out").exists()
