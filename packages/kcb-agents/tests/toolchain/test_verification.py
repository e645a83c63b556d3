"""What of a toolchain is refused, and what is not: it is the list that is walked."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kcb_agents.toolchain.checksums import LIST, read_list, write_list
from kcb_agents.toolchain.verification import verify
from kcb_core.errors import DataError, DeclarationError, KcbError, UnknownNameError

NAME = "mini-swe-agent"


def test_a_tree_that_is_as_it_was_pinned_has_that_fingerprint(tree: Path) -> None:
    """Which is the digest of the list, in a form that ``sha256sum`` checks too."""
    fingerprint = verify(NAME, tree, closed=True)
    listed, found = read_list(tree)
    assert fingerprint == found
    assert list(listed) == ["bin/run", "lib/deep/a.py", "lib/deep/b.py"]
    words = ("sha256sum", "--check", "--strict", "--quiet", LIST)
    assert subprocess.run(words, cwd=tree, timeout=60, check=False).returncode == 0


def _change(tree: Path) -> None:
    (tree / "bin/run").write_text("ruN")


def _remove(tree: Path) -> None:
    (tree / "lib/deep/a.py").unlink()


def _link_file(tree: Path) -> None:
    (tree / "bin/run").rename(tree.parent / "same")
    (tree / "bin/run").symlink_to(tree.parent / "same")


def _link_folder(tree: Path) -> None:
    (tree / "lib/deep").rename(tree.parent / "deep")
    (tree / "lib/deep").symlink_to(tree.parent / "deep")


def _link_list(tree: Path) -> None:
    (tree / LIST).rename(tree.parent / "list")
    (tree / LIST).symlink_to(tree.parent / "list")


def _pipe(tree: Path) -> None:
    (tree / "bin/run").unlink()
    os.mkfifo(tree / "bin/run")


def _folder(tree: Path) -> None:
    (tree / "bin/run").unlink()
    (tree / "bin/run").mkdir()


def _forge(tree: Path) -> None:
    """Another program, and a list that says that this is right."""
    _change(tree)
    write_list(tree)


def _drop_line(tree: Path) -> None:
    """A changed file that the list no longer speaks of."""
    _change(tree)
    lines = (tree / LIST).read_text().splitlines(keepends=True)
    (tree / LIST).write_text("".join(lines[1:]))


def _no_list(tree: Path) -> None:
    (tree / LIST).unlink()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_change, "bin/run: differs"),
        (_remove, "lib/deep/a.py: is missing"),
        (_link_file, "bin/run: is a link"),
        (_link_folder, "lib/deep: is no folder of its own"),
        (_link_list, f"{LIST}: is a link"),
        (_pipe, "bin/run: is no regular file"),
        (_folder, "bin/run: is no regular file"),
        (_forge, "its fingerprint is"),
        (_drop_line, "its fingerprint is"),
        (_no_list, f"{LIST}: is missing"),
    ],
)
@pytest.mark.parametrize("closed", [False, True])
def test_what_was_pinned_and_is_no_more_is_refused(
    tree: Path, spoil: Callable[[Path], None], said: str, closed: bool
) -> None:
    """By name, and whatever the tree says of itself."""
    spoil(tree)
    with pytest.raises(DataError, match=said):
        verify(NAME, tree, closed=closed)


def _add_file(tree: Path) -> None:
    (tree / "lib/deep/c.py").write_text("c")


def _add_link(tree: Path) -> None:
    (tree / "bin/more").symlink_to("run")


def _add_folder(tree: Path) -> None:
    (tree / "lib/empty").mkdir()


@pytest.mark.parametrize(
    ("add", "named"),
    [(_add_file, "lib/deep/c.py"), (_add_link, "bin/more"), (_add_folder, "lib/empty")],
)
def test_what_was_added_is_refused_only_where_the_tree_must_be_closed(
    tree: Path, add: Callable[[Path], None], named: str
) -> None:
    """As documented: without it, only what is listed is looked at."""
    add(tree)
    verify(NAME, tree)
    with pytest.raises(DataError, match=f"{named}: is not listed"):
        verify(NAME, tree, closed=True)


def test_modes_and_times_are_no_part_of_it(tree: Path) -> None:
    """As documented."""
    (tree / "bin/run").chmod(0o755)
    os.utime(tree / "bin/run", (1, 1))
    verify(NAME, tree, closed=True)


def test_nothing_is_taken_on_trust_where_nothing_is_pinned(
    tree: Path, tmp_path: Path, pinned: Callable[[str], None]
) -> None:
    """The message is the command that mends it."""
    (tmp_path / "fingerprints.toml").write_text("")
    command = f"klein-bench agents toolchain build {NAME} --out {tree} --write"
    with pytest.raises(DeclarationError, match=r"no fingerprint of .* is pinned") as caught:
        verify(NAME, tree)
    assert command in str(caught.value)


@pytest.mark.parametrize(
    "lines",
    [
        "{a}  ../outside\n",
        "{a}  /etc/passwd\n",
        "{a}  bin//run\n",
        "{a}  bin/./run\n",
        "{a}  bin/run",
        "{a}  bin/run\n{a}  bin/run\n",
        "{a}  lib/deep/b.py\n{a}  bin/run\n",
        "{a} *bin/run\n",
        "{A}  bin/run\n",
        "\\{a}  bin\\nrun\n",
        f"{{a}}  {LIST}\n",
        "\n",
        "{a}  \udcff\n",
    ],
)
def test_a_list_has_one_spelling(tree: Path, pinned: Callable[[str], None], lines: str) -> None:
    """Even one whose digest is pinned is read strictly: no path leads out of the tree."""
    text = lines.format(a="a" * 64, A="A" * 64)
    (tree / LIST).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(DataError):
        read_list(tree)


def test_a_name_that_cannot_be_listed_is_refused_when_it_is_built(tmp_path: Path) -> None:
    """It could stand for two lines."""
    (tmp_path / "a\nb").write_text("")
    with pytest.raises(DataError, match="cannot be listed"):
        write_list(tmp_path)


@pytest.mark.parametrize("text", ['mini-swe-agent = "1"', "mini-swe-agent = 1", "x"])
def test_a_malformed_pin_is_no_pin(tree: Path, tmp_path: Path, text: str) -> None:
    """It is refused, not passed over."""
    (tmp_path / "fingerprints.toml").write_text(text)
    with pytest.raises(DataError, match=r"fingerprints\.toml"):
        verify(NAME, tree)


@pytest.mark.parametrize(
    ("name", "folder", "error"),
    [("min-swe-agent", ".", UnknownNameError), (NAME, "nowhere", DeclarationError)],
)
def test_a_wrong_name_or_folder_is_the_callers_mistake(
    tmp_path: Path, name: str, folder: str, error: type[KcbError]
) -> None:
    """With the nearest name."""
    with pytest.raises(error):
        verify(name, tmp_path / folder)
