"""The vocabulary: every name that stands on the wire, and what a dialect calls it.

It holds names and no rule, so that whoever asks and whoever answers may both read it. Everything in
this project speaks of a name by its canonical form, which is the one of the shipped dataset; a
:class:`Vocabulary` says which of them are called otherwise in a dataset.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from kcb_core.codec import convert, parse_by_name
from kcb_core.errors import DeclarationError, UnknownNameError
from kcb_core.storage import read_bounded

ENVELOPE = ("id", "op", "ok", "result", "error", "code", "field", "index")
"""Members of requests and answers that do not depend on the operation."""

OPERATIONS = (
    *("evaluate", "put", "get", "delete", "list", "evaluate_stored"),
    *("batch", "begin", "commit", "rollback", "history"),
)
"""Values of ``op``."""

PARAMETERS = ("input", "key", "value", "prefix", "if_revision", "ops", "token", "after", "limit")
"""Members of requests that operations look at."""

RESULTS = ("revision", "value", "keys", "results", "depth", "entries", "deleted", "next")
"""Members of what operations give; results of a family's contract are its own."""

ERRORS = (
    *("bad_json", "bad_request", "unknown_op", "missing_field", "invalid_field", "not_found"),
    *("conflict", "transaction_limit", "no_transaction", "token_conflict"),
)
"""Values of ``code`` that the protocol itself gives."""

PROTOCOL = tuple(dict.fromkeys((*ENVELOPE, *OPERATIONS, *PARAMETERS, *RESULTS, *ERRORS)))
"""Every name of the protocol, once. No word stands for two things, so they are one scope."""

MAX_NAME = 24
"""Longest name on the wire: what answers hold stays far below the limit of a run."""

_NAME = re.compile(rf"[A-Za-z_][A-Za-z0-9_]{{0,{MAX_NAME - 1}}}")


def on_the_wire(scope: str, known: Iterable[str], renamed: Mapping[str, str]) -> dict[str, str]:
    """What every name of a scope is called.

    Args:
        scope: what it names, for the messages.
        known: the canonical names of the scope.
        renamed: those that are called otherwise, and how.

    Raises:
        DeclarationError: a name is not known, is misspelt, or belongs to two things.
    """
    names = {name: renamed.get(name, name) for name in known}
    owners: dict[str, str] = {}
    for name in renamed:
        if name not in names:
            raise UnknownNameError(f"name in the vocabulary of {scope}", name, names)
    for name, wire in names.items():
        if name in renamed and not _NAME.fullmatch(wire):
            raise DeclarationError(
                f"vocabulary of {scope}: {name!r} cannot be called {wire!r}; a name has 1 to "
                f"{MAX_NAME} ASCII letters, digits or _, and no digit first"
            )
        other = owners.setdefault(wire, name)
        if other != name:
            raise DeclarationError(
                f"vocabulary of {scope}: {other!r} and {name!r} are both called {wire!r}"
            )
    return names


def permutation(names: Mapping[str, str]) -> dict[str, str]:
    """A renaming as a one-to-one map of all names onto themselves; those not in it stay.

    A word that was free and is a name now trades places with the name that is given up. So two
    objects that differ do so in every dialect, and a word that is no name never becomes one.

    Args:
        names: canonical names and what each is called, no two the same.
    """
    traded = dict(names)
    given_up = names.keys() - names.values()
    for name in given_up:
        word = name
        while word in names:
            word = names[word]
        traded[word] = name
    return {name: word for name, word in traded.items() if name != word}


class FamilyNames(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """What a dialect calls the names that one family's contract declares."""

    fields: dict[str, str] = {}
    """Members of ``input`` that are called otherwise: their canonical names, and those instead."""
    errors: dict[str, str] = {}
    """Error codes of the contract that are called otherwise."""


class Vocabulary(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """What a dialect calls the names on the wire; one that is not listed keeps its canonical form.

    Raises:
        DeclarationError: a name is not known, is misspelt, or belongs to two things.
    """

    protocol: dict[str, str] = {}
    """Names of :data:`PROTOCOL` that are called otherwise."""
    families: dict[str, FamilyNames] = {}
    """Names of contracts that are called otherwise, by the slug of the family."""

    def __post_init__(self) -> None:
        on_the_wire("the protocol", PROTOCOL, self.protocol)
        for slug, names in self.families.items():
            on_the_wire(f"the fields of {slug}", names.fields, names.fields)
            on_the_wire(f"the errors of {slug}", names.errors, names.errors)

    @property
    def canonical(self) -> bool:
        """Whether every name is the canonical one."""
        own = (table for f in self.families.values() for table in (f.fields, f.errors))
        return all(name == wire for table in (self.protocol, *own) for name, wire in table.items())

    def of_family(self, slug: str) -> FamilyNames:
        """What the names of one family are called."""
        return self.families.get(slug, FamilyNames())


SHIPPED = Vocabulary()
"""The vocabulary of the shipped dataset: every name is the canonical one."""


def read_vocabulary(path: Path) -> Vocabulary:
    """The vocabulary in a TOML or JSON file.

    Raises:
        DeclarationError: the file cannot be read, or a name in it is refused.
        DataError: it is malformed.
    """
    source = str(path)
    return convert(parse_by_name(read_bounded(path), source=source), Vocabulary, source=source)
