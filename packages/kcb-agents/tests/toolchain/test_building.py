"""A tiny toolchain of Python: built from wheels on disk, moved, run, and built again."""

import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kcb_agents.toolchain import building, toolchain_cli
from kcb_agents.toolchain.building import Built, build, settle
from kcb_agents.toolchain.checksums import LIST, read_list
from kcb_agents.toolchain.out_folder import require_replaceable
from kcb_agents.toolchain.recipe import Recipe, find_recipe, toolchain_names
from kcb_agents.toolchain.verification import verify
from kcb_core.errors import DataError, DeclarationError, MachineError

NAME = "mini-swe-agent"

pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"),
    reason="lockfiles are for linux/amd64",
)


@pytest.fixture(scope="module")
def built(recipe: Recipe, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Built]:
    """A toolchain that no test changes."""
    out = tmp_path_factory.mktemp("built") / "mini"
    return out, build(recipe, out)


@pytest.fixture
def mine(built: tuple[Path, Built], tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    shutil.copytree(built[0], tmp_path / "mine")
    return tmp_path / "mine"


def run(toolchain: Path, folder: Path, command: str = "mini") -> list[str]:
    """The files that a command of it uses, and its prefix."""
    words = (str(toolchain / "bin" / command),)
    subprocess.run(words, cwd=folder, env={}, timeout=60, check=True)
    return (folder / "main.py").read_text().removeprefix("# ").rstrip().split("\n# ")


@pytest.mark.parametrize("command", ["mini", "nested"])
def test_it_runs_wherever_it_lies_and_uses_no_file_of_where_it_was_made(
    mine: Path, tmp_path: Path, command: str
) -> None:
    """Neither the interpreter that it was copied from nor a library beside that."""
    moved = tmp_path / "else where"
    mine.rename(moved)
    used = run(moved, tmp_path, command)
    outside = [path for path in used if not Path(path).is_relative_to(moved)]
    assert used[-1] == str(moved)
    assert not [path for path in outside if "python" in path], outside
    system = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/etc/")
    assert [path for path in outside if not path.startswith(system)] == []


def test_it_holds_what_is_locked_and_nothing_that_says_where_it_was_made(
    built: tuple[Path, Built],
) -> None:
    """Only regular files, and commands of the program alone."""
    out, _ = built
    listed, _ = read_list(out)
    assert {path for path in listed if path.startswith("bin/")} == {
        *("bin/python", "bin/mini", "bin/nested")
    }
    assert not [path for path in out.rglob("*") if path.is_symlink()]
    assert not [path for path in listed if path.endswith((".pyc", "/RECORD", "/INSTALLER"))]
    assert {"tiny.py", "needed.py"} <= {Path(path).name for path in listed}
    for path in out.rglob("site-packages/**/*"):
        assert not path.is_file() or str(out.parent).encode() not in path.read_bytes()


def test_a_build_takes_the_place_of_an_earlier_one_and_has_its_fingerprint(
    recipe: Recipe, built: tuple[Path, Built], mine: Path
) -> None:
    """All of it: what was spoilt is mended, and nothing is left beside it."""
    (mine / "bin/mini").write_text("spoilt")
    before = mine.stat().st_ino
    assert build(recipe, mine) == built[1]
    assert read_list(mine)[1] == built[1].fingerprint
    assert (mine / "bin/mini").read_text().startswith("#!/bin/sh\n")
    assert mine.stat().st_ino != before
    assert [path.name for path in mine.parent.iterdir()] == [mine.name]


def test_a_build_that_fails_leaves_all_as_it_was(recipe: Recipe, mine: Path) -> None:
    """A wheel that is not the one that was reviewed, for instance."""
    other = re.sub(rb"sha256:\w+", b"sha256:" + b"0" * 64, recipe.requirements)
    wrong = msgspec.structs.replace(recipe, requirements=other)
    before = read_list(mine)
    with pytest.raises(MachineError, match=r"(?i)hash"):
        build(wrong, mine)
    assert read_list(mine) == before
    assert [path.name for path in mine.parent.iterdir()] == [mine.name]


def test_a_lockfile_names_a_digest_of_every_file(recipe: Recipe, tmp_path: Path) -> None:
    """What is only named by its version could be anything."""
    loose = msgspec.structs.replace(recipe, requirements=b"tiny==1.0\n")
    with pytest.raises(MachineError, match=r"(?i)hash"):
        build(loose, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_interpreter_of_another_version_is_refused(recipe: Recipe, tmp_path: Path) -> None:
    """The lockfile holds wheels for one."""
    with pytest.raises(
        DeclarationError, match=r"the lockfile is for CPython 3\.2; .* --python PATH"
    ):
        build(msgspec.structs.replace(recipe, python="3.2"), tmp_path / "out")


def test_an_interpreter_that_is_not_there_is_the_callers_mistake(
    recipe: Recipe, tmp_path: Path
) -> None:
    """And none of this machine's."""
    with pytest.raises(DeclarationError, match="/nowhere/python: is no program"):
        build(recipe, tmp_path / "out", python="/nowhere/python")


def test_another_platform_is_refused(
    recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a line, before anything is touched."""
    monkeypatch.setattr(building.platform, "machine", lambda: "aarch64")
    with pytest.raises(DeclarationError, match=r"linux/amd64 .* and this is linux/aarch64"):
        build(recipe, tmp_path / "out")


def _file(out: Path) -> None:
    out.write_text("mine")


def _link(out: Path) -> None:
    (out.parent / "real").mkdir()
    out.symlink_to(out.parent / "real")


def _stranger(out: Path) -> None:
    out.mkdir()
    (out / "thesis.tex").write_text("mine")


def _marked(out: Path) -> None:
    """A folder of somebody's that has nothing but the mark."""
    _stranger(out)
    (out / "toolchain.json").write_text(
        '{"kind": "toolchain", "format": 1, "name": "mini-swe-agent", "platform": "linux/amd64",'
        ' "recipe_sha256": ""}'
    )


@pytest.mark.parametrize("make", [_file, _link, _stranger, _marked])
def test_a_folder_of_somebody_is_never_replaced(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    """It is refused before anything is built, and left as it is."""
    out = tmp_path / "out"
    make(out)
    before = sorted(path.name for path in tmp_path.rglob("*"))
    with pytest.raises(DeclarationError, match="out"):
        require_replaceable(out, NAME)
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


def test_a_build_with_a_file_of_somebody_is_not_replaced(mine: Path) -> None:
    """Whoever put it there may want it."""
    (mine / "lib" / "notes.txt").write_text("mine")
    with pytest.raises(DeclarationError, match=r"left as it is: .*lib/notes\.txt: is not listed"):
        require_replaceable(mine, NAME)


def test_a_build_of_another_toolchain_is_not_replaced(mine: Path) -> None:
    """It was a slip of the name."""
    with pytest.raises(DeclarationError, match="it is a toolchain of 'mini-swe-agent'"):
        require_replaceable(mine, "aider")


def test_links_within_a_tree_become_files_and_others_are_refused(tmp_path: Path) -> None:
    """A mounted tree must not lead out of itself."""
    tree = tmp_path / "tree"
    (tree / "bin").mkdir(parents=True)
    (tree / "bin/real").write_text("1")
    (tree / "bin/link").symlink_to("real")
    (tree / "empty/__pycache__").mkdir(parents=True)
    settle(tree)
    assert not (tree / "bin/link").is_symlink()
    assert (tree / "bin/link").read_text() == "1"
    assert sorted(path.name for path in tree.rglob("*")) == ["bin", "link", "real"]
    for target in ("/etc/passwd", "../../x", "nowhere", ".", "../bin"):
        (tree / "bin/stray").symlink_to(target)
        with pytest.raises(DataError, match="bin/stray: is a link to"):
            settle(tree)
        (tree / "bin/stray").unlink()


def test_the_command_builds_pins_and_verifies(
    recipe: Recipe,
    built: tuple[Path, Built],
    tmp_path: Path,
    pinned: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    bench: Any,
) -> None:
    """Without a pin it fails closed, and the pin is of this very build."""
    monkeypatch.setattr(toolchain_cli, "find_recipe", lambda name: recipe)
    refused = bench.call(["agents", "toolchain", "verify", NAME, str(built[0])])
    assert refused.status == 2
    assert f"build {NAME} --out {built[0]} --write" in refused.err
    out = str(tmp_path / "out")
    done = bench.call(["agents", "toolchain", "build", NAME, "--out", out, "--write", "--json"])
    told = msgspec.json.decode(done.out)
    assert (done.status, told["pinned"]) == (0, True)
    good = bench.call(["agents", "toolchain", "verify", NAME, out, "--closed", "--json"])
    assert msgspec.json.decode(good.out)["fingerprint"] == told["fingerprint"]
    (tmp_path / "out" / "bin" / "more").write_text("")
    assert bench.call(["agents", "toolchain", "verify", NAME, out]).status == 0
    assert bench.call(["agents", "toolchain", "verify", NAME, out, "--closed"]).status == 2


@pytest.mark.parametrize(("pin", "said"), [("", "is not pinned"), ("0" * 64, "is pinned as 000")])
def test_a_build_that_is_not_the_pinned_one_is_told(
    recipe: Recipe,
    built: tuple[Path, Built],
    pinned: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    bench: Any,
    pin: str,
    said: str,
) -> None:
    """It is there to be looked at, and will be refused."""
    monkeypatch.setattr(toolchain_cli, "find_recipe", lambda name: recipe)
    monkeypatch.setattr(toolchain_cli, "build", lambda recipe, out, python: built[1])
    if pin:
        pinned(pin)
    done = bench.call(["agents", "toolchain", "build", NAME, "--out", "anywhere"])
    assert (done.status, done.out.splitlines()[-1]) == (0, built[1].fingerprint)
    assert said in done.err


def generate(bench: Any, toolchain: Path, *options: str) -> Any:
    """Ask the preset for one task, from this toolchain."""
    words = [f"program={NAME}", f"toolchain={toolchain}", *options]
    given = [word for each in words for word in ("--agent-option", each)]
    usual = ("--agent", "command", "--api", "openai", "--no-preflight")
    return bench.generate(*usual, *given, tasks=["toy-easy-001-echo"])


def test_a_preset_runs_from_it_confined_and_the_run_record_names_it(
    built: tuple[Path, Built], pinned: Callable[[str], None], bench: Any
) -> None:
    """Read-only, and by the copied interpreter."""
    out, made = built
    pinned(made.fingerprint)
    done = generate(bench, out, "verify=closed")
    assert done.status == 0, done.err
    record = bench.record()
    assert record["run_record"]["toolchain_sha256"] == made.fingerprint
    assert record["notes"] == ["the program asked no model"]
    used = bench.files()["main.py"]
    assert used.rstrip().endswith(f"# {out}")
    assert f"{out}/bin/python" in used
    assert verify(NAME, out, closed=True) == made.fingerprint


def test_a_spoilt_toolchain_is_not_started(
    mine: Path, built: tuple[Path, Built], pinned: Callable[[str], None], bench: Any
) -> None:
    """Nothing is asked, and nothing is said of the model."""
    pinned(built[1].fingerprint)
    (mine / "bin/mini").write_text("#!/bin/sh\ntouch main.py\n")
    done = generate(bench, mine)
    assert (done.status, len(done.err.strip().splitlines())) == (2, 1)
    assert "bin/mini: differs" in done.err
    assert not bench.record_path().exists()


def test_a_preset_without_a_built_toolchain_says_so(
    mine: Path, pinned: Callable[[str], None], bench: Any
) -> None:
    """A folder that somebody has installed it in is no toolchain that was pinned."""
    (mine / LIST).unlink()
    refused = generate(bench, mine, "verify=manifest")
    assert refused.status == 2
    assert "is pinned" in refused.err
    assert generate(bench, mine).status == 0
    record = bench.record()
    assert "toolchain_sha256" not in record["run_record"]
    assert "the program ran from no toolchain that is pinned" in record["notes"]


def test_only_what_has_a_toolchain_can_be_verified(bench: Any) -> None:
    """An own program has no lockfile here."""
    words = ["--agent", "command", "--no-preflight", "--agent-option", "verify=manifest"]
    for more, said in (("toolchain=/tmp", "unknown toolchain ''"), ("turns=1", "toolchain=...")):
        given = ["--agent-option", "argv=x", "--agent-option", more]
        done = bench.generate(*words, *given, tasks=["toy-easy-001-echo"])
        assert done.status == 2
        assert said in done.err


@pytest.mark.parametrize("name", toolchain_names())
def test_every_toolchain_has_its_lockfiles(name: str) -> None:
    """With a digest for each file, and no word of where files come from."""
    recipe = find_recipe(name)
    texts = [recipe.requirements, recipe.package, recipe.package_lock]
    assert b"://" not in b"".join(texts)
    lines = recipe.requirements.decode().splitlines()
    assert lines
    assert all("==" in line and line.count(" --hash=sha256:") == 1 for line in lines)
    if recipe.package_lock:
        packages = msgspec.json.decode(recipe.package_lock)["packages"]
        found = {path: entry for path, entry in packages.items() if path}
        assert all("integrity" in each for each in found.values())
