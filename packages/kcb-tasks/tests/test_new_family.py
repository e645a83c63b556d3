"""``klein-bench new-family``: a package that is complete in form and owes everything else."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from kcb_core import hookimpl
from kcb_core.catalog import load_catalog
from kcb_core.errors import DeclarationError
from kcb_core.roles import DatasetSource
from kcb_tasks.new_family import new_family, scaffold

OWED = {
    "test_contract_has_words_for_everything": "category is empty",
    "test_contract_names_what_it_means": "what the field 'unwritten' means",
    "test_cases_written_by_hand_agree_with_the_rules": "its result, worked out by hand",
    "test_drawn_inputs_vary": "more than half of the first 24 inputs repeat",
    "test_every_error_is_reached": "answers ['unwritten']",
    "test_there_are_boundaries_and_malformed_inputs": "there is no boundary case",
    "test_examples_show_a_result_and_an_error": "the second example is no error",
    "test_malformed_inputs_are_errors_of_a_field": "an input with an invalid field",
    "test_domain_agrees_on_cases_written_by_hand": 'received "UNWRITTEN: the answer"',
    "test_domain_agrees_on_drawn_inputs": 'received "UNWRITTEN: the answer"',
    "test_domain_agrees_on_malformed_inputs": 'received "UNWRITTEN: the answer"',
}
"""What a family owes: the test that fails without it, and a part of what it then says."""


def _run(*words: str | Path) -> None:
    @hookimpl
    def kcb_register_dataset_sources() -> list[object]:
        return [DatasetSource(name="taken", folder=Path("nowhere"))]

    plugin = SimpleNamespace(kcb_register_dataset_sources=kcb_register_dataset_sources)
    catalog = load_catalog([("toy", plugin)])
    new_family.main(args=list(map(str, words)), obj=catalog, standalone_mode=False)


def test_the_package_has_the_names_that_it_was_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is left of the template, and every file is what its name says."""
    folder = tmp_path / "package"
    _run("coin-change", "--dataset", "coins", "--output", folder)
    said = capsys.readouterr()
    written = sorted(path for path in folder.rglob("*") if path.is_file())
    assert sorted(said.out.splitlines()) == [str(path) for path in written]
    assert "README.md says what to write" in said.err
    for path in written:
        assert re.findall(r"\$\w+|\$\{", path.read_text()) == []
        if path.suffix == ".py":
            ast.parse(path.read_text())
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    assert project["name"] == "kcb-coin-change"
    assert project["entry-points"]["kcb"] == {"coin-change": "kcb_coin_change.family"}
    assert re.fullmatch(r"kcb-core>=\d+\.\d+,<\d+\.\d+", project["dependencies"][0])
    family = (folder / "src" / "kcb_coin_change" / "family.py").read_text()
    assert 'slug="coin-change",\n    title="Coin change",' in family
    assert 'dataset="coins"' in family


def test_folder_and_dataset_have_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One word is enough to begin."""
    monkeypatch.chdir(tmp_path)
    _run("coin-change")
    family = tmp_path / "kcb-coin-change" / "src" / "kcb_coin_change" / "family.py"
    assert 'dataset="coinchange"' in family.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Coin"], "'Coin' is no name for a family; one is like coin-change"),
        (["coin_change"], "is no name for a family"),
        (["coin--change"], "is no name for a family"),
        (["../coin"], "is no name for a family"),
        (["c" * 51], "at most 50 characters"),
        (["core"], "kcb-core is a package of the house; choose another name"),
        (["coin", "--dataset", "kcb"], "is the shipped dataset; name another with --dataset"),
        (["coin", "--dataset", "Coins"], "'Coins' is no name for a dataset"),
        (["3d-boxes"], "'3dboxes' is no name for a dataset.*name one with --dataset"),
        (["coin", "--dataset", "taken"], "'taken' is that of an installed plug-in"),
    ],
)
def test_a_bad_name_is_refused(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says what is wrong, before a file is written."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DeclarationError, match=message) as refused:
        _run(*words)
    assert refused.value.exit_status == 2
    assert "\n" not in str(refused.value)
    assert not [*tmp_path.iterdir()]


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    """A family that somebody has begun is not overwritten."""
    (tmp_path / "family.py").touch()
    with pytest.raises(DeclarationError, match="is not empty"):
        _run("coin", "--output", tmp_path)


def test_one_test_fails_for_each_thing_that_is_owed(tmp_path: Path) -> None:
    """An author works the list off, and is done when it is empty."""
    for name, data in scaffold("coin-change", "coins").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    argv = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-vv", str(tmp_path)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, cwd=tmp_path)
    failed = dict(re.findall(r"^FAILED \S+::(\w+) - (.*)$", done.stdout, re.MULTILINE))
    assert failed.keys() == OWED.keys(), done.stdout
    for name, part in OWED.items():
        assert part in failed[name]
    readme = (tmp_path / "README.md").read_text()
    assert [name for name in OWED if f"| `{name}` |" not in readme] == []
