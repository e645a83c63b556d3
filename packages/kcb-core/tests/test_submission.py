"""The files that were handed in, and the digest that names them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_core.submission import Submission, SubmittedFile, tree_sha256

FILES = st.dictionaries(
    st.text(max_size=6).filter(lambda text: text.isprintable()),
    st.tuples(st.binary(max_size=8), st.booleans()),
    max_size=4,
)


def tree(files: dict[str, tuple[bytes, bool]]) -> list[tuple[str, bytes, bool]]:
    """Files as the digest takes them."""
    return [(path, data, executable) for path, (data, executable) in files.items()]


@given(FILES, st.randoms())
def test_digest_does_not_depend_on_the_order_of_files(
    files: dict[str, tuple[bytes, bool]], rng: random.Random
) -> None:
    """Folders are listed in another order on every file system."""
    listed = tree(files)
    rng.shuffle(listed)
    assert tree_sha256(listed) == tree_sha256(tree(files))


@given(FILES, FILES)
def test_other_trees_have_another_digest(
    left: dict[str, tuple[bytes, bool]], right: dict[str, tuple[bytes, bool]]
) -> None:
    """Path, content and the executable bit all count."""
    assert (tree_sha256(tree(left)) == tree_sha256(tree(right))) == (left == right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([("ab", b"c")], [("a", b"bc")]),
        ([("a", b"b"), ("c", b"d")], [("a", b"b-1:c-1:d")]),
        ([("a/b", b"")], [("a", b""), ("b", b"")]),
        ([("a", b"1")], [("a", b"1\n")]),
        ([("a", b"")], []),
    ],
)
def test_content_cannot_pass_for_another_file(
    left: list[tuple[str, bytes]], right: list[tuple[str, bytes]]
) -> None:
    """Every part goes in with its length, so no file can be written that looks like two."""
    first = tree_sha256((path, data, False) for path, data in left)
    second = tree_sha256((path, data, False) for path, data in right)
    assert first != second


def test_digest_never_changes() -> None:
    """Reports of years ago name their projects by it."""
    assert tree_sha256([]) == ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    files = [("main.py", b"print()\n", False), ("tools/é", b"", True)]
    assert tree_sha256(files) == (
        "f36b8338d47595f8f5c1eec57ce14e7510d866b77546b41cb218298c38dbd53e"
    )


def test_names_that_are_no_utf8_have_a_digest() -> None:
    """A file system may hold any bytes; a name from it comes with surrogates in their place."""
    odd = b"\xff.py".decode("utf-8", "surrogateescape")
    assert tree_sha256([(odd, b"", False)]) != tree_sha256([("?.py", b"", False)])


def test_source_hash_is_of_paths_and_bytes_alone() -> None:
    """The executable bit is lost by many ways to hand in a project, and changes nothing."""
    plain = Submission(files=(SubmittedFile("main.py", b"x"), SubmittedFile("run", b"y")))
    marked = Submission(files=(SubmittedFile("main.py", b"x"), SubmittedFile("run", b"y", True)))
    assert plain.sha256 == marked.sha256
    assert plain.sha256 == tree_sha256([("run", b"y", False), ("main.py", b"x", False)])


def test_submission_knows_its_size_and_files() -> None:
    """The limits are checked by these."""
    submission = Submission(files=(SubmittedFile("main.py", b"123"), SubmittedFile("a/b", b"45")))
    assert submission.size == 5
    assert submission.has("main.py")
    assert not submission.has("b")
    assert Submission(files=()).size == 0


def test_content_is_not_shown() -> None:
    """A project of 20 MB must not end up in a message."""
    assert "secret" not in repr(SubmittedFile("main.py", b"secret"))
