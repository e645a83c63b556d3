"""What a release fixes: with the same version, nothing that a score hangs on may change."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from published import FAMILY, built

from kcb_core import hookimpl
from kcb_core.catalog import load_catalog
from kcb_core.codec import encode
from kcb_core.dataset import Manifest
from kcb_core.errors import DataError, DeclarationError
from kcb_tasks import cli
from kcb_tasks.build import SHIPPED_SEED
from kcb_tasks.release import RELEASED, read_released, release_faults
from kcb_tasks.tiers.easy import EASY

OLD = built().manifest


def _changed(**fields: Any) -> Manifest:
    return msgspec.structs.replace(OLD, **fields)


def _with_file(index: int, **fields: Any) -> Manifest:
    files = list(OLD.files)
    files[index] = msgspec.structs.replace(files[index], **fields)
    return _changed(files=tuple(files))


@pytest.mark.parametrize(
    ("new", "what"),
    [
        (_with_file(1, sha256="0" * 64), "intermediate.jsonl: a record has changed"),
        (_with_file(0, tasks=(), sha256=""), "kcb-easy-007-amounts is gone"),
        (_with_file(3, tasks=(*OLD.files[3].tasks, "x"), sha256=""), "x is new"),
        (_changed(files=OLD.files[:3]), "the tier max is gone"),
        (_with_file(2, subset="harder"), "the tier hard is gone"),
        (_changed(seed=6), "'seed' of the manifest has changed"),
        (_changed(protocol_version="2"), "'protocol_version' of the manifest has changed"),
        (_changed(order=()), "'order' of the manifest has changed"),
        (_changed(held_out=("amounts",)), "'held_out' of the manifest has changed"),
    ],
)
def test_a_change_needs_a_new_version(new: Manifest, what: str) -> None:
    """Scores of one version are compared with each other, so it must be one thing."""
    faults = list(release_faults(new, OLD))
    assert faults[0].startswith(f"{what}; kcb 1.2.3 is released, so raise the version")
    newer = msgspec.structs.replace(new, version="1.2.10")
    assert list(release_faults(newer, OLD)) == []
    older = msgspec.structs.replace(new, version="1.2.2")
    assert len(list(release_faults(older, OLD))) == len(faults) + 1


def test_a_new_tier_is_a_change() -> None:
    """It adds to the denominator of all tasks together."""
    faults = list(release_faults(OLD, _changed(files=OLD.files[:3])))
    assert [fault.partition(";")[0] for fault in faults] == ["the tier max is new"]


def test_the_same_data_keep_their_version() -> None:
    """A release of a package alone changes nothing that is judged."""
    assert list(release_faults(OLD, OLD)) == []
    assert list(release_faults(_changed(packages={"kcb-tasks": "10.0.0"}), OLD)) == []


@pytest.mark.parametrize("version", ["1.2.2", "1.2", "1.2.3rc1", "0.9.9"])
def test_a_version_does_not_go_back(version: str) -> None:
    """Numbers are compared as numbers, and what is no number comes before them."""
    faults = list(release_faults(_changed(version=version), OLD))
    assert faults == [f"version {version} does not come after 1.2.3, which is released"]


def test_a_released_manifest_is_read_without_its_files(tmp_path: Path) -> None:
    """Only the manifest is kept."""
    path = tmp_path / "manifest.json"
    path.write_bytes(encode(OLD))
    assert read_released(path) == OLD
    path.write_bytes(b'{"kind":"other"}')
    with pytest.raises(DataError, match="field 'kind'"):
        read_released(path)


def _build(*words: str) -> int:
    """The exit status of ``klein-bench build``."""

    @hookimpl
    def kcb_register_families() -> list[object]:
        return [FAMILY]

    @hookimpl
    def kcb_register_tiers() -> list[object]:
        return [EASY]

    plugin = SimpleNamespace(
        kcb_register_families=kcb_register_families, kcb_register_tiers=kcb_register_tiers
    )
    catalog = load_catalog([("tasks", plugin)])
    return int(cli.build.main(args=list(words), obj=catalog, standalone_mode=False) or 0)


def test_build_checks_against_a_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the first release it says that there is none; afterwards the version must move."""
    released = tmp_path / "released.json"
    monkeypatch.setattr(cli, "RELEASED", released)
    data = str(tmp_path / "data")
    _build("--output", data)
    assert _build("--output", data, "--check") == 0
    assert "no release of kcb yet" in capsys.readouterr().err
    manifest = (tmp_path / "data" / "manifest.json").read_bytes()
    released.write_bytes(manifest)
    assert _build("--output", data, "--check") == 0
    assert capsys.readouterr().err == ""
    released.write_bytes(manifest.replace(b'"sha256": "', b'"sha256": "0'))
    assert _build("--output", data, "--check") == 1
    said = capsys.readouterr().err
    assert "easy.jsonl: a record has changed; kcb 0.1.0 is released" in said
    _build("--output", data, "--dataset-version", "0.2.0")
    assert _build("--output", data, "--dataset-version", "0.2.0", "--check") == 0


def test_another_seed_is_held_against_a_release_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A private dataset has no release."""
    words = ("--output", str(tmp_path), "--seed", str(SHIPPED_SEED + 1))
    _build(*words)
    assert _build(*words, "--check") == 0
    assert capsys.readouterr().err == ""
    own = str(tmp_path / "manifest.json")
    assert _build(*words, "--check", "--released", own) == 0
    with pytest.raises(DeclarationError, match="nothing"):
        _build(*words, "--check", "--released", str(tmp_path / "nothing"))


def test_a_release_is_something_to_check_against() -> None:
    """Nobody should believe that a build was checked."""
    with pytest.raises(DeclarationError, match="add --check"):
        _build("--released", "x")


def test_the_shipped_release_can_be_read_if_there_is_one() -> None:
    """A broken file would stop every later check."""
    assert not RELEASED.exists() or read_released(RELEASED).dataset == "kcb"
