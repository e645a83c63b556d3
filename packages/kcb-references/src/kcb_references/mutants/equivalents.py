"""The mutants that no task can catch, since they are right: each is listed with its reason."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Iterable
from importlib.resources import files

import msgspec

from kcb_core.codec import convert
from kcb_core.errors import DataError
from kcb_references.mutants.mutant import Key
from kcb_references.mutants.trial import Fate, Verdict

FILE = "equivalent.toml"


class Equivalent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mutant that answers everything that may be asked as the reference does."""

    module: str
    place: str = ""
    operator: str
    was: str
    becomes: str
    nth: int = 1
    reason: str
    """Why no input tells it from the reference, so that a reader can check it."""

    @property
    def key(self) -> Key:
        """What tells the mutant from all others."""
        return self.module, self.place, self.operator, self.was, self.becomes, self.nth


class _Listing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    mutant: tuple[Equivalent, ...] = ()


def listed() -> dict[Key, Equivalent]:
    """All that are listed.

    Raises:
        DataError: the list is malformed, names a mutant twice, or one without a reason.
    """
    text = files("kcb_references.mutants").joinpath(FILE).read_text(encoding="utf-8")
    try:
        found = convert(tomllib.loads(text), _Listing, source=FILE).mutant
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{FILE}: {error}") from None
    by_key = {one.key: one for one in found}
    if len(by_key) != len(found):
        raise DataError(f"{FILE}: a mutant stands there twice")
    for one in found:
        if not one.reason.strip():
            raise DataError(f"{FILE}: no reason for {one.module}: {one.was} -> {one.becomes}")
    return by_key


def entry(survivor: Verdict) -> str:
    """What is to stand in the list for a survivor, but for the reason.

    A witness comes first, as a comment: a survivor that has one belongs in no list.
    """
    mutant = survivor.mutant
    members = {"module": mutant.module, "place": mutant.place, "operator": mutant.operator}
    members |= {"was": mutant.was, "becomes": mutant.becomes}
    lines = [f"{name} = {json.dumps(value)}" for name, value in members.items() if value]
    if mutant.nth != 1:
        lines.append(f"nth = {mutant.nth}")
    shown = [f"# told apart by {survivor.witness}"] if survivor.witness else []
    return "\n".join([*shown, "[[mutant]]", *lines, 'reason = ""', ""])


def unexplained(verdicts: Iterable[Verdict], known: Collection[Key]) -> list[Verdict]:
    """The survivors that nobody has explained, or whose explanation a witness refutes."""
    return [
        verdict
        for verdict in verdicts
        if verdict.fate is Fate.SURVIVED and (verdict.witness or verdict.mutant.key not in known)
    ]


def stale(verdicts: Iterable[Verdict], known: Iterable[Equivalent]) -> list[Equivalent]:
    """What is listed and is no survivor of its module's sample, of the modules that were tried."""
    held = list(verdicts)
    tried = {verdict.mutant.module for verdict in held}
    survivors = {verdict.mutant.key for verdict in held if verdict.fate is Fate.SURVIVED}
    return [one for one in known if one.module in tried and one.key not in survivors]
