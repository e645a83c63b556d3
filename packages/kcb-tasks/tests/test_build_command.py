"""``klein-bench build``: what is written, what is only compared, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from kcb_core import hookimpl
from kcb_core.catalog import Catalog, load_catalog
from kcb_core.dataset import open_dataset
from kcb_core.errors import DeclarationError, UnknownNameError
from kcb_core.roles import DatasetSource
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks import plugin
from kcb_tasks.build import SHIPPED_SEED
from kcb_tasks.cli import build
from kcb_tasks.tiers.easy import EASY

FILES = ("easy.jsonl", "manifest.json")


def _catalog(folder: Path) -> Catalog:
    """A plug-in with the toy family, one tier, and its dataset in a folder."""

    @hookimpl
    def kcb_register_families() -> list[object]:
        return [AMOUNTS]

    @hookimpl
    def kcb_register_tiers() -> list[object]:
        return [EASY]

    @hookimpl
    def kcb_register_dataset_sources() -> list[object]:
        return [DatasetSource(name="toy", folder=folder)]

    toy = SimpleNamespace(
        kcb_register_families=kcb_register_families,
        kcb_register_tiers=kcb_register_tiers,
        kcb_register_dataset_sources=kcb_register_dataset_sources,
    )
    return load_catalog([("toy", toy)])


def _run(folder: Path, *words: str) -> Result:
    result = CliRunner().invoke(build, ["--families", "toy", *words], obj=_catalog(folder))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_plugins_dataset_is_built_into_its_own_folder(tmp_path: Path) -> None:
    """A stranger who works in a clone needs to name no folder."""
    result = _run(tmp_path)
    assert result.exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(FILES)
    dataset = open_dataset(tmp_path)
    assert dataset.manifest.dataset == "toy"
    assert dataset.manifest.seed == SHIPPED_SEED
    assert set(dataset.manifest.packages) == {"kcb-core", "kcb-tasks"}
    (file,) = dataset.manifest.files
    row = f"easy.jsonl\t1\t{file.scenarios}\t{file.assertions}\t{file.size}\t{file.sha256}"
    assert row in result.output.splitlines()


def test_another_seed_and_folder(tmp_path: Path) -> None:
    """A private dataset leaves the one of the clone alone."""
    result = _run(tmp_path / "own", "--seed", "7", "--output", str(tmp_path / "private"), "--json")
    assert json.loads(result.output)["seed"] == 7
    assert open_dataset(tmp_path / "private").manifest.seed == 7
    assert not (tmp_path / "own").exists()


def test_a_stated_version_stays(tmp_path: Path) -> None:
    """Built again, a dataset keeps the version that its author gave it."""
    _run(tmp_path)
    assert open_dataset(tmp_path).manifest.version == "0.1.0"
    _run(tmp_path, "--dataset-version", "2.5")
    _run(tmp_path)
    assert open_dataset(tmp_path).manifest.version == "2.5"


def test_check_writes_nothing_and_tells_what_differs(tmp_path: Path) -> None:
    """Continuous integration shows by it that data and source belong together."""
    assert _run(tmp_path, "--check").exit_code == 1
    assert not [*tmp_path.iterdir()]
    _run(tmp_path)
    assert _run(tmp_path, "--check").exit_code == 0
    data = tmp_path / "easy.jsonl"
    data.write_bytes(data.read_bytes().replace(b"Amounts", b"Amount$"))
    before = data.read_bytes()
    failed = _run(tmp_path, "--check")
    assert failed.exit_code == 1
    assert f"{data}: differs from what the source gives" in failed.stderr
    assert "manifest.json" not in failed.stderr
    assert data.read_bytes() == before
    _run(tmp_path)
    assert _run(tmp_path, "--check").exit_code == 0


def test_files_that_are_right_are_not_written_again(tmp_path: Path) -> None:
    """Building twice touches nothing, so that tools that watch files see no change."""
    _run(tmp_path)
    before = {name: (tmp_path / name).stat().st_mtime_ns for name in FILES}
    _run(tmp_path)
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in FILES} == before


def test_an_installed_dataset_is_not_overwritten(tmp_path: Path) -> None:
    """What an installer put there is the installer's."""
    folder = tmp_path / "site-packages" / "hello" / "data"
    with pytest.raises(DeclarationError, match="name a folder with --output"):
        _run(folder)
    assert _run(folder, "--output", str(tmp_path / "out")).exit_code == 0


def test_an_unknown_dataset_is_named(tmp_path: Path) -> None:
    """The nearest name helps."""
    with pytest.raises(UnknownNameError, match="unknown dataset 'tay'; did you mean 'toy'"):
        CliRunner().invoke(
            build, ["--families", "tay"], obj=_catalog(tmp_path), catch_exceptions=False
        )


def test_the_plugin_brings_families_tiers_data_and_the_command() -> None:
    """Built-in parts come through the door that strangers use."""
    catalog = load_catalog([("tasks", plugin)])
    assert [tier.name for tier in catalog.tiers()] == ["easy", "intermediate", "hard", "max"]
    assert {family.dataset for family in catalog.families()} == {"kcb"}
    (source,) = catalog.dataset_sources()
    assert source.folder == Path(plugin.__file__).parent / "data"
    names = [command.name for command in catalog.commands()]
    assert names == ["build", "catalogue", "export", "new-family"]
    assert not catalog.failures


@pytest.mark.families
def test_the_shipped_dataset_is_what_the_source_gives() -> None:
    """A change of a family, a tier or a script that is not built in is found here."""
    result = CliRunner().invoke(build, ["--check"], obj=load_catalog([("tasks", plugin)]))
    assert result.exit_code == 0, result.stderr


def test_a_vocabulary_file_gives_a_dialect(tmp_path: Path) -> None:
    """The words of the file stand in data and manifest; a wrong word is exit 2 and names it."""
    words = tmp_path / "words.toml"
    words.write_text('protocol.op = "do"\nfamilies.amounts.fields.unit = "noun"\n')
    result = _run(tmp_path / "own", "--vocabulary", str(words))
    assert result.exit_code == 0
    dataset = open_dataset(tmp_path / "own")
    assert dataset.vocabulary.protocol == {"op": "do"}
    task = next(dataset.tasks())
    assert task.public_tests[0].sessions[0].requests[0]["do"] == "evaluate"
    assert "| `noun` | required |" in task.prompt
    assert _run(tmp_path / "own", "--check").exit_code == 1
    assert _run(tmp_path / "own", "--check", "--vocabulary", str(words)).exit_code == 0
    words.write_text('protocol.opp = "do"\n')
    with pytest.raises(UnknownNameError, match="did you mean 'op'"):
        _run(tmp_path / "own", "--vocabulary", str(words))
