"""Secrets are taken out of text, bytes and values."""

import base64
from urllib.parse import quote

import pytest

from kcb_core.scrubber import MARK, NOTHING_SECRET, Scrubber

KEY = 'sk-live/9"f+a\\b==\u00e9'


@pytest.mark.parametrize(
    "spelling",
    [
        KEY,
        quote(KEY, safe=""),
        base64.b64encode(KEY.encode()).decode(),
        KEY.replace("\\", "\\\\").replace('"', '\\"'),
    ],
)
def test_a_secret_is_found_however_it_is_spelled(spelling: str) -> None:
    """A header, a URL or a JSON body that is printed by a program spells a key in its own way."""
    scrubber = Scrubber([KEY])
    assert scrubber.text(f"a {spelling} b") == f"a {MARK} b"
    assert scrubber.data(f"\n{spelling}".encode()) == f"\n{MARK}".encode()


def test_values_are_scrubbed_in_names_too() -> None:
    """A model may hand a key back as the name of an argument."""
    assert Scrubber([KEY]).json({KEY: [1, {"a": (KEY, None)}]}) == {MARK: [1, {"a": [MARK, None]}]}


def test_the_longer_of_two_secrets_goes_first() -> None:
    """Else the rest of the longer one would be left over."""
    assert Scrubber(["abcdefgh", "abcdefghijkl"]).text("abcdefghijkl") == MARK


def test_dummies_are_no_secrets() -> None:
    """A key such as ``ollama`` would make holes in every text about that program."""
    assert Scrubber(["ollama", ""]).text("ollama") == "ollama"
    assert NOTHING_SECRET.data(b"\xff") == b"\xff"


def test_it_does_not_show_what_it_holds() -> None:
    """It stands in frames that a traceback prints."""
    assert KEY not in repr(Scrubber([KEY]))
