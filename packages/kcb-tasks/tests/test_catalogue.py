"""``klein-bench catalogue``: the page says what families and data hold, and goes stale loudly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from published import FAMILY, built, stored

from kcb_core import hookimpl
from kcb_core.catalog import load_catalog
from kcb_core.errors import DeclarationError
from kcb_core.family import Family
from kcb_core.roles import DatasetSource
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.catalogue import catalogue


def _run(folder: Path, *words: str, families: Sequence[Family] = (FAMILY, AMOUNTS)) -> Result:
    @hookimpl
    def kcb_register_families() -> list[Family]:
        return list(families)

    @hookimpl
    def kcb_register_dataset_sources() -> list[DatasetSource]:
        return [DatasetSource(name="kcb", folder=folder)]

    plugin = SimpleNamespace(
        kcb_register_families=kcb_register_families,
        kcb_register_dataset_sources=kcb_register_dataset_sources,
    )
    catalog = load_catalog([("tasks", plugin)])
    return CliRunner().invoke(
        catalogue, words, obj=catalog, catch_exceptions=False, standalone_mode=False
    )


def test_the_page_lists_a_family_with_its_inputs_errors_and_counts(tmp_path: Path) -> None:
    """That is what somebody looks for who chooses tasks."""
    stored(tmp_path)
    text = _run(tmp_path).output
    counts = [file.assertions for file in built().manifest.files]
    row = " | ".join(f"{count:,}" for count in counts)
    assert (
        "| 007 | `amounts` | Amounts | straightforward | `amounts`, `unit`, (`cap`) | "
        f"`no_amounts`, `over_cap` | {row} |\n"
    ) in text
    assert f"| total | 4 | {_scenarios()} | {sum(counts):,} |\n" in text
    assert "| [toys](#toys) | 1 | 0 | 0 | 1 |\n" in text
    assert "\n## toys\n" in text
    assert "`kcb-easy-007-amounts`" in text


def _scenarios() -> int:
    return sum(file.scenarios for file in built().manifest.files)


def test_a_family_without_errors_of_its_own_has_none(tmp_path: Path) -> None:
    """An empty cell looks like something that was forgotten."""
    stored(tmp_path)
    text = _run(tmp_path, families=[replace(FAMILY, errors=())]).output
    assert "(`cap`) | none | " in text


def test_the_page_is_written_and_checked(tmp_path: Path) -> None:
    """Continuous integration finds a page that nobody wrote again."""
    stored(tmp_path)
    page = tmp_path / "docs" / "catalogue.md"
    check = ("--output", str(page), "--check")
    assert _run(tmp_path, *check).return_value == 1
    assert not page.exists()
    assert _run(tmp_path, "--output", str(page)).return_value == 0
    assert page.read_text() == _run(tmp_path).output
    assert _run(tmp_path, *check).return_value == 0
    page.write_text(page.read_text().replace("7", "8"))
    before = page.read_bytes()
    stale = _run(tmp_path, *check)
    assert stale.return_value == 1
    assert f"{page}: differs from what families and data give" in stale.stderr
    assert page.read_bytes() == before


def test_a_check_needs_a_page(tmp_path: Path) -> None:
    """There is nothing to compare standard output with."""
    with pytest.raises(DeclarationError, match="--check needs --output"):
        _run(tmp_path, "--check")


def test_families_and_data_must_belong_together(tmp_path: Path) -> None:
    """A row without counts, or counts without a row, would be a page that lies."""
    stored(tmp_path)
    with pytest.raises(DeclarationError, match="no installed plug-in has the family 007 amounts"):
        _run(tmp_path, families=[AMOUNTS])
    other = replace(FAMILY, number=8, slug="more")
    with pytest.raises(DeclarationError, match="lacks the family 008 more; build the dataset"):
        _run(tmp_path, families=[FAMILY, other])
