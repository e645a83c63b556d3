"""Which files are meant."""

import os
from pathlib import Path

import pytest

from kcb_core.errors import DeclarationError
from kcb_score.files import find_files, split_list

ODD = "a\u2028b\u2029c\u0085d\u000be\u001cf.json"
"""A name with every character at which a careless reader splits a line."""


def touch(*paths: Path) -> None:
    """Empty files, with the folders above them."""
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_a_list_is_split_at_line_feeds_only() -> None:
    """U+2028 and its like are part of a path, not the end of it."""
    data = f"{ODD}\n\nsecond.json\r\nthird.json".encode()
    assert split_list(data) == (Path(ODD), Path("second.json\r"), Path("third.json"))


def test_a_list_may_hold_names_that_are_no_utf8() -> None:
    """File names are bytes, and a list of them is too."""
    assert os.fsencode(split_list(b"caf\xe9.json\n")[0]) == b"caf\xe9.json"


def test_a_list_with_a_zero_byte_is_refused() -> None:
    """A list made with ``find -print0`` gets an explanation instead of a traceback."""
    with pytest.raises(DeclarationError, match="one path a line"):
        split_list(b"a.json\0b.json\0")


def test_folders_are_searched_all_the_way_down_and_sorted(tmp_path: Path) -> None:
    """Reports lie in folders by tier as often as in one."""
    names = ("b.json", "a/c.json", "a/a/z.json", ODD)
    touch(*(tmp_path / name for name in names), tmp_path / "notes.txt", tmp_path / ".b.json.x1")
    found = find_files([tmp_path])
    assert [file.path for file in found] == sorted(str(tmp_path / name) for name in names)
    assert all(file.in_folder for file in found)


def test_the_order_of_arguments_makes_no_difference(tmp_path: Path) -> None:
    """What is refused, and how, must not depend on how a shell expands a glob."""
    touch(tmp_path / "a.json", tmp_path / "d" / "b.json")
    arguments = [tmp_path / "a.json", tmp_path / "d"]
    assert find_files(arguments) == find_files(arguments[::-1])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A typing mistake costs one line, not a traceback."""
    with pytest.raises(DeclarationError, match=r"gone\.json: No such file"):
        find_files([tmp_path / "gone.json"])


def test_an_unreadable_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skipping it silently would turn its reports into missing ones."""

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(DeclarationError, match=f"{tmp_path}: Permission denied"):
        find_files([tmp_path])


def test_one_path_twice_is_the_same_file_given_twice(tmp_path: Path) -> None:
    """Overlapping globs."""
    path = tmp_path / "a.json"
    touch(path)
    for arguments in ([path, path], [path, tmp_path], [tmp_path, tmp_path]):
        with pytest.raises(DeclarationError, match="the same file is given twice") as caught:
            find_files(arguments)
        assert str(path) in str(caught.value)


@pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
def test_a_link_is_the_same_file_given_twice(tmp_path: Path, link: str) -> None:
    """Another name of a file is no second sample."""
    path, other = tmp_path / "a.json", tmp_path / "b.json"
    touch(path)
    getattr(other, link)(path)
    messages = set()
    for arguments in ([path, other], [other, path], [tmp_path]):
        with pytest.raises(DeclarationError, match="are the same file, given twice") as caught:
            find_files(arguments)
        messages.add(str(caught.value))
    assert len(messages) == 1
    assert str(path) in messages.pop()


def test_links_to_folders_inside_a_folder_are_not_followed(tmp_path: Path) -> None:
    """A link to the folder itself would never end."""
    touch(tmp_path / "a.json")
    (tmp_path / "again").symlink_to(tmp_path)
    assert len(find_files([tmp_path])) == 1
