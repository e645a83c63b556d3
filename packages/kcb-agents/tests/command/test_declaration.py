"""What a declaration may say, and what it is filled in with."""

import json
from typing import Any

import pytest

from kcb_agents.command.declaration import Declaration, filler, read_declaration
from kcb_core.errors import DataError, DeclarationError

LEAST: dict[str, Any] = {"format": 1, "name": "a", "argv": ["a"]}


def declared(**more: Any) -> Declaration:
    """A declaration that was read."""
    return read_declaration(json.dumps(LEAST | more).encode(), "a.json")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"bindings": {"A": "B"}}, "A is bound to 'B', which field 'credentials' does not declare"),
        ({"credentials": ["A"], "bindings": {"A": "B"}}, "does not declare"),
        ({"credentials": ["A"], "environment": {"A": "x"}}, "A is a credential, and has no value"),
        (
            {"credentials": ["A"], "bindings": {"B": "A"}, "environment": {"B": "x"}},
            "B is a credential, and has no value",
        ),
        ({"environment": {"OPENAI_API_KEY": "sk-x"}}, "is the name of a secret"),
        ({"environment": {"my_password": ""}}, "is the name of a secret"),
        ({"environment": {"ANTHROPIC_AUTH_TOKEN": "x"}}, "is the name of a secret"),
        ({"environment": {"A B": "x"}}, "'A B' is no name of a variable"),
        ({"argv": []}, "'argv' must name a program"),
        ({"argv": [""]}, "'argv' must name a program"),
        ({"argv": ["a", "{promt}"]}, "placeholder '{promt}' is not known; known: prompt"),
        ({"show": ["{folder}"]}, "placeholder '{folder}' is not known"),
        ({"files": {"a": "{folder}"}}, "placeholder '{folder}' is not known"),
        ({"files": {"../a": ""}}, "field 'files': '../a' is no plain name of a file"),
        ({"files": {"a/b": ""}}, "field 'files': 'a/b' is no plain name of a file"),
        ({"effort": "high"}, "field 'effort': no word says '{effort}'"),
        ({"effort": 'a"b', "argv": ["a", "{effort}"]}, "field 'effort' must be letters"),
        ({"effort": "a" * 33, "argv": ["a", "{effort}"]}, "field 'effort' must be letters"),
        ({"name": "../a"}, "'name' must be"),
        ({"format": 2}, "'format': 2 is not known"),
        ({"result": "protocol-v2"}, "result"),
        ({"enviroment": {}}, "did you mean 'environment'"),
    ],
)
def test_a_wrong_declaration_is_refused_when_it_is_read(more: dict[str, Any], said: str) -> None:
    """One line names the file and the field, and nothing is started."""
    with pytest.raises(DataError) as caught:
        declared(**more)
    assert said in str(caught.value)
    assert str(caught.value).startswith("a.json")
    assert "sk-x" not in str(caught.value)


def test_names_that_only_look_like_secrets_are_none() -> None:
    """A bound on tokens is a setting like any other."""
    assert declared(environment={"MAX_TOKENS": "1", "TOKENIZER": "x", "KEYBOARD": "y"})


def test_an_unbound_credential_keeps_its_name() -> None:
    """And one credential can be held by several variables."""
    found = declared(credentials=["ONE", "TWO"], bindings={"A": "ONE", "B": "ONE"})
    assert sorted(found.holders) == ["A", "B", "TWO"]
    filled = found.filled(filler({}), "t")
    assert filled.environment == {"A": "t", "B": "t", "TWO": "t"}


def test_what_is_filled_in_is_not_looked_through_again() -> None:
    """A task may speak of braces, and other braces stay what they are."""
    fill = filler({"prompt": "{model} ${x} {prompt}", "model": "m"})
    assert fill('{"a": {prompt}} {model} {} {A} { b }') == (
        '{"a": {model} ${x} {prompt}} m {} {A} { b }'
    )
    with pytest.raises(DeclarationError, match="needs the option toolchain="):
        fill("{toolchain}/bin")


def test_a_file_is_toml_by_its_name() -> None:
    """With a byte-order mark or without."""
    text = '\ufeffformat = 1\nname = "a"\nargv = ["a"]\n'
    assert read_declaration(text.encode(), "x.toml") == declared()


@pytest.mark.parametrize("where", [{"argv": ["a", "{effort}"]}, {"files": {"a": "{effort}"}}])
def test_an_effort_is_told_by_a_word_or_a_file(where: dict[str, Any]) -> None:
    """An effort that stands nowhere would be asked of nobody, and a record would still name it."""
    assert declared(effort="high", **where).effort == "high"
