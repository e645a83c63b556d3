"""The vocabulary: what the names on the wire are called, and which names are refused."""

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_core.codec import encode
from kcb_core.dataset import Dataset, open_dataset
from kcb_core.errors import DataError, DeclarationError
from kcb_core.vocabulary import (
    ENVELOPE,
    ERRORS,
    MAX_NAME,
    OPERATIONS,
    PARAMETERS,
    PROTOCOL,
    RESULTS,
    SHIPPED,
    FamilyNames,
    Vocabulary,
    on_the_wire,
    permutation,
    read_vocabulary,
)

_WORDS = st.sampled_from(["a", "b", "c", "d", "e", "f", "g", "h"])
_RENAMINGS = st.dictionaries(_WORDS, _WORDS).filter(
    lambda names: len(set(names.values())) == len(names)
)


def test_no_word_of_the_protocol_stands_for_two_kinds_of_thing() -> None:
    """Members, operations and codes share one scope, so that a prompt can be read word by word."""
    members = {*ENVELOPE, *PARAMETERS, *RESULTS}
    counted = Counter((*members, *OPERATIONS, *ERRORS))
    assert set(counted.values()) == {1}
    assert set(counted) == set(PROTOCOL)


def test_the_shipped_vocabulary_renames_nothing() -> None:
    """What a file lists under its own name is not renamed either."""
    assert SHIPPED.canonical
    same = FamilyNames(fields={"a": "a"}, errors={"b": "b"})
    assert Vocabulary(protocol={"put": "put"}, families={"x": same}).canonical
    assert not Vocabulary(protocol={"put": "get", "get": "put"}).canonical
    assert not Vocabulary(families={"x": FamilyNames(errors={"a": "b"})}).canonical
    assert SHIPPED.of_family("x") == FamilyNames()


@pytest.mark.parametrize(
    ("protocol", "message"),
    [
        ({"putt": "store"}, "unknown name in the vocabulary of the protocol 'putt'; did you mean"),
        ({"put": "get"}, "'put' and 'get' are both called 'get'"),
        ({"put": "do", "get": "do"}, "'put' and 'get' are both called 'do'"),
        ({"put": "not_found"}, "'put' and 'not_found' are both called 'not_found'"),
        ({"put": ""}, "'put' cannot be called ''"),
        ({"put": "a b"}, "'put' cannot be called 'a b'"),
        ({"put": "1st"}, "'put' cannot be called '1st'"),
        ({"put": "`"}, "'put' cannot be called '`'"),
        ({"put": "ä"}, "'put' cannot be called 'ä'"),
        ({"put": "store\n"}, "'put' cannot be called 'store\\n'"),
        ({"put": "p" * (MAX_NAME + 1)}, "a name has 1 to 24 ASCII letters, digits or _"),
    ],
)
def test_a_wrong_name_is_refused_by_name(protocol: dict[str, str], message: str) -> None:
    """The message is one line and names what is wrong, so that the file can be mended."""
    with pytest.raises(DeclarationError) as caught:
        Vocabulary(protocol=protocol)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("scope", ["fields", "errors"])
@pytest.mark.parametrize("names", [{"a": "x", "b": "x"}, {"a": ""}])
def test_wrong_names_of_a_family_are_refused(scope: str, names: dict[str, str]) -> None:
    """As far as can be told without the family; the rest is told when tasks are built."""
    with pytest.raises(DeclarationError, match=f"vocabulary of the {scope} of some-family: 'a'"):
        Vocabulary(families={"some-family": FamilyNames(**{scope: names})})


def test_names_may_change_places() -> None:
    """Only what all names are called in the end must differ."""
    names = on_the_wire("s", ("a", "b", "c", "d"), {"a": "b", "b": "a", "c": "new"})
    assert names == {"a": "b", "b": "a", "c": "new", "d": "d"}


@given(_RENAMINGS)
def test_a_permutation_is_one_to_one_on_all_words(names: dict[str, str]) -> None:
    """Otherwise two objects that differ could become the same, or a word become a name."""
    traded = permutation(names)
    words = "abcdefghij"
    assert sorted(traded.get(word, word) for word in words) == sorted(words)
    assert {name: traded.get(name, name) for name in names} == names
    assert set(traded) <= {*names, *names.values()}


def test_a_free_word_changes_places_with_the_name_that_is_given_up() -> None:
    """So the old name is as unknown in the dialect as the new one was before."""
    assert permutation({"put": "store"}) == {"put": "store", "store": "put"}
    assert permutation({"a": "b", "b": "c"}) == {"a": "b", "b": "c", "c": "a"}
    assert permutation({"a": "a"}) == {}


def test_a_vocabulary_is_read_from_toml_or_json(tmp_path: Path) -> None:
    """People write the one, programs the other; the manifest of a dataset holds the latter."""
    named = Vocabulary(
        protocol={"put": "store"},
        families={"word-frequency": FamilyNames(fields={"text": "body"}, errors={"no_words": "x"})},
    )
    (tmp_path / "v.json").write_bytes(encode(named))
    (tmp_path / "v.toml").write_text(
        'protocol.put = "store"\n[families.word-frequency]\n'
        'fields.text = "body"\nerrors.no_words = "x"\n'
    )
    assert read_vocabulary(tmp_path / "v.json") == named
    assert read_vocabulary(tmp_path / "v.toml") == named


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("protocoll.put = 'x'", "unknown field 'protocoll'; did you mean 'protocol'?"),
        ("families.a.field.text = 'x'", "unknown field 'field'; did you mean 'fields'?"),
        ("protocol.put = 1", "field 'protocol[...]': Expected 'str', got 'int'"),
        ("protocol", "v.toml: "),
    ],
)
def test_a_malformed_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """The message names the file and the place."""
    (tmp_path / "v.toml").write_text(text)
    with pytest.raises(DataError) as caught:
        read_vocabulary(tmp_path / "v.toml")
    assert message in str(caught.value)


def test_a_manifest_says_what_names_are_called(toy_dataset: Dataset) -> None:
    """Whoever validates or answers a dataset needs nothing else; without it nothing is stored."""
    path = toy_dataset.folder / "manifest.json"
    assert toy_dataset.vocabulary is SHIPPED
    assert "vocabulary" not in json.loads(path.read_bytes())
    named = Vocabulary(protocol={"put": "store"})
    changed = msgspec.structs.replace(toy_dataset.manifest, vocabulary=named)
    path.write_bytes(encode(changed))
    read = open_dataset(toy_dataset.folder)
    assert read.vocabulary == named
    assert read.manifest.sha256 != toy_dataset.manifest.sha256
