"""Version resolver: semantic versions chosen by backtracking so that every range is satisfied."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Mapped, Record, Text, label, optional, required

_SUMMARY = """\
Chooses versions of packages by backtracking. `packages` has the versions of each package under its
name: `version` is the version itself, and `deps` has the range that the version demands of each
package that it depends on, under the name of that package. `root` demands ranges too.

**Versions.** A version is `MAJOR.MINOR.PATCH` or `MAJOR.MINOR.PATCH-PRE`. MAJOR, MINOR and PATCH
are numbers. A number is `0`, or 1 to 9 ASCII digits of which the first is not `0`. PRE is one or
more identifiers joined by `.`. An identifier is a number, or one or more of the characters `0` to
`9`, `A` to `Z`, `a` to `z` and `-`, not all of them digits.

Versions are compared by MAJOR, then MINOR, then PATCH, as numbers. If these are equal, a version
with PRE is lower than one without. Of two with PRE the first identifiers that differ decide:
numbers are compared as numbers, others by code point, and a number is lower than any other. If one
PRE has identifiers left where the other ends, and no two differ, the shorter PRE is lower.

**Ranges.** A range is one or more alternatives separated by `||`. An alternative is zero or more
comparators, separated by one or more spaces; spaces may also stand at its ends. A version satisfies
a range if it satisfies at least one of its alternatives. A version without PRE satisfies an
alternative if it satisfies all of its comparators. A version with PRE satisfies it if, besides, at
least one of these comparators is written with a version that has a PRE and the same MAJOR, MINOR
and PATCH.

In these comparators V is a version, and P is a partial one: `*`, `x`, `1`, `1.x`, `1.*`, `1.2`,
`1.2.x` or `1.2.*`, with any numbers in the place of 1 and 2. There are no others.

- `>V`, `>=V`, `<V`, `<=V`: satisfied by versions that are greater than V, and so on.
- `V`, `=V`: by the version V only.
- `~V`: by versions that are at least V and lower than `MAJOR.(MINOR+1).0`.
- `^V`: by versions that are at least V and lower than `(MAJOR+1).0.0`. But if the MAJOR of V is 0,
  lower than `0.(MINOR+1).0`, and if its MINOR is 0 too, lower than `0.0.(PATCH+1)`.
- `P`, `=P`, `~P`: by versions that begin with the numbers of P, so by every version if P is `*` or
  `x`.
- `^P`: the same as `P` if P has no number but 0. Otherwise the same as `^V`, where V is P with 0
  for each missing number: `^1.x` is `^1.0.0`.

**Search.** A package is demanded if `root` or a chosen version demands a range of it. At first no
version is chosen. Then these steps are repeated:

1. Of the demanded packages of which no version is chosen, take the one with the smallest name by
   code point. If there is none, the search ends.
2. Choose the highest version of it that fits. A version fits if it satisfies all ranges that
   `root`, the chosen versions and the version itself demand of its package, and if each chosen
   version satisfies the range that it demands of the package of that version, if any.
3. If no version fits, take back the latest choice and do step 2 again for its package, with the
   versions lower than the one taken back. If there is no choice to take back, the search fails."""

_RESULT = """\
An object with these members:

- `resolved`: an object that has the chosen version, a string, under the name of each package of
  which one is chosen at the end.
- `order`: an array of these names, in the order of the choices that were not taken back.
- `unused`: an array of the names of all other packages, in ascending order by code point."""

_RULES = """\
- The empty range has one alternative without comparators. Like `*`, it is satisfied by every
  version without PRE, and by none with PRE.
- `^1.2.3-a` is satisfied by `1.2.3-b` and `1.9.0`, but not by `1.3.0-a`.
- Partial versions have no PRE. After `>`, `>=`, `<` and `<=` they are not allowed: `>1.2.3-a <2` is
  no range.
- If `root` is empty, nothing is chosen."""

_NUMBER = "(?:0|[1-9][0-9]{0,8})"
_IDENTIFIER = f"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION = re.compile(
    rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})(?:-({_IDENTIFIER}(?:\.{_IDENTIFIER})*))?"
)
_PARTIAL = re.compile(rf"[x*]|({_NUMBER})(?:\.(?:[x*]|({_NUMBER})(?:\.[x*])?))?")


@dataclass(frozen=True, slots=True, order=True)
class _Version:
    """A version; the fields are what versions are compared by."""

    core: tuple[int, ...]
    final: bool
    pre: tuple[tuple[bool, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Comparator:
    """A condition on versions, and the numbers for which it lets in versions with PRE."""

    holds: Callable[[_Version], bool]
    opens: tuple[int, ...] | None = None


_Range = list[list[_Comparator]]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    packages, root = fields["packages"], fields["root"]
    entries = [entry for versions in packages.values() for entry in versions]
    versions = {entry["version"]: _parse_version(entry["version"]) for entry in entries}
    if None in versions.values():
        raise DomainError("bad_version")
    texts = [[entry["version"] for entry in listed] for listed in packages.values()]
    if any(len(set(listed)) < len(listed) for listed in texts):
        raise DomainError("duplicate_version")
    demands = [root, *(entry.get("deps", {}) for entry in entries)]
    ranges = {text: _parse_range(text) for each in demands for text in each.values()}
    if not all(name in packages for each in demands for name in each):
        raise DomainError("unknown_package")
    known = {text: version for text, version in versions.items() if version}
    found = _Search(packages, known, ranges).choose({}, list(root.items()))
    if found is None:
        raise DomainError("unresolvable")
    unused = sorted(packages.keys() - found.keys())
    return {"resolved": found, "order": list(found), "unused": unused}


class _Search:
    """The search among the versions of some packages."""

    def __init__(
        self,
        packages: Mapping[str, Any],
        versions: Mapping[str, _Version],
        ranges: Mapping[str, _Range],
    ) -> None:
        self.candidates = {
            name: sorted(listed, key=lambda entry: versions[entry["version"]], reverse=True)
            for name, listed in packages.items()
        }
        self.allowed = {
            text: {name for name, version in versions.items() if _satisfies(version, alternatives)}
            for text, alternatives in ranges.items()
        }

    def choose(
        self, chosen: Mapping[str, str], demands: Sequence[tuple[str, str]]
    ) -> dict[str, str] | None:
        """All choices, those made so far included, or None if no version is left."""
        missing = {name for name, _ in demands} - chosen.keys()
        if not missing:
            return dict(chosen)
        name = min(missing)
        outer = [demand for demand in demands if demand[0] == name]
        for entry in self.candidates[name]:
            now = {**chosen, name: entry["version"]}
            inner = list(entry.get("deps", {}).items())
            if all(now[n] in self.allowed[text] for n, text in (*outer, *inner) if n in now):
                found = self.choose(now, [*demands, *inner])
                if found is not None:
                    return found
        return None


def _satisfies(version: _Version, alternatives: _Range) -> bool:
    return any(
        all(comparator.holds(version) for comparator in comparators)
        and (version.final or any(c.opens == version.core for c in comparators))
        for comparators in alternatives
    )


def _parse_version(text: str) -> _Version | None:
    found = _VERSION.fullmatch(text)
    if not found:
        return None
    *core, pre = found.groups()
    names = pre.split(".") if pre else []
    keys = ((False, int(n), "") if n.isdecimal() else (True, 0, n) for n in names)
    return _Version(tuple(map(int, core)), pre is None, tuple(keys))


def _parse_range(text: str) -> _Range:
    alternatives = [alternative.split(" ") for alternative in text.split("||")]
    return [[_parse_comparator(part) for part in parts if part] for parts in alternatives]


def _parse_comparator(text: str) -> _Comparator:
    operator = next(each for each in _OPERATORS if text.startswith(each))
    operand = text.removeprefix(operator)
    version = _parse_version(operand)
    if version:
        return _Comparator(_OPERATORS[operator](version), None if version.final else version.core)
    partial = _PARTIAL.fullmatch(operand)
    if not partial or operator in (">", ">=", "<", "<="):
        raise DomainError("bad_range")
    given = tuple(int(part) for part in partial.groups() if part)
    if operator == "^" and any(given):
        return _Comparator(_caret(_final(*given)))
    return _Comparator(lambda other: other.core[: len(given)] == given)


def _final(major: int, minor: int = 0, patch: int = 0) -> _Version:
    return _Version((major, minor, patch), True)


def _tilde(version: _Version) -> Callable[[_Version], bool]:
    major, minor, _ = version.core
    return lambda other: version <= other < _final(major, minor + 1)


def _caret(version: _Version) -> Callable[[_Version], bool]:
    major, minor, patch = version.core
    end = _final(0, 0, patch + 1)
    if major:
        end = _final(major + 1)
    elif minor:
        end = _final(0, minor + 1)
    return lambda other: version <= other < end


# Longer operators stand before those that they begin with.
_OPERATORS: Mapping[str, Callable[[_Version], Callable[[_Version], bool]]] = {
    ">=": lambda version: lambda other: other >= version,
    "<=": lambda version: lambda other: other <= version,
    ">": lambda version: lambda other: other > version,
    "<": lambda version: lambda other: other < version,
    "=": lambda version: lambda other: other == version,
    "~": _tilde,
    "^": _caret,
    "": lambda version: lambda other: other == version,
}


def _generate(rng: random.Random) -> dict[str, Json]:
    """Mostly packages that can be resolved, some with a fault."""
    drawn = _draw_packages(rng)
    while rng.random() < 0.93 and not _resolvable(drawn):
        drawn = _draw_packages(rng)
    while rng.random() < 0.2:
        _spoil(rng, drawn["packages"], drawn["root"])
    return drawn


def _draw_packages(rng: random.Random) -> dict[str, Json]:
    names = rng.sample(_NAMES, rng.randint(2, 6))
    listed = {name: rng.sample(_draw_pool(rng), rng.choice([1, 2, 3, 4, 6])) for name in names}
    packages: dict[str, list[Json]] = {}
    for name in names:
        packages[name] = [{"version": version} for version in listed[name]]
        for entry in packages[name]:
            if rng.random() < 0.7:
                entry["deps"] = _draw_demands(rng, listed, rng.choice([0, 1, 1, 2]), 0.7)
    root = _draw_demands(rng, listed, rng.choice([0, 2, 2, 3, 3, 4, 5]), 0.4)
    return {"packages": packages, "root": root}


def _resolvable(drawn: Mapping[str, Json]) -> bool:
    try:
        return bool(_evaluate(drawn))
    except DomainError:
        return False


def _draw_pool(rng: random.Random) -> Sequence[str]:
    return rng.choice([_RELEASES, _RELEASES, _RELEASES + _PRERELEASES, _PRERELEASES])


def _draw_demands(
    rng: random.Random, listed: Mapping[str, Sequence[str]], count: int, tight: float
) -> dict[str, Json]:
    names = rng.sample(list(listed), min(count, len(listed)))
    return {name: _draw_range(rng, listed[name], tight) for name in names}


def _draw_range(rng: random.Random, versions: Sequence[str], tight: float) -> str:
    """A range that at least one of these versions satisfies, mostly."""
    version = rng.choice(versions)
    major, minor, _ = version.partition("-")[0].split(".")
    if rng.random() > tight:
        forms = [
            "",
            "*",
            "x",
            "^*",
            ">=V",
            ">=0.0.0 ",
            "<=V || *",
            f"{major}.x||V",
            "||V",
            "V || x",
        ]
    else:
        forms = [
            *_FORMS,
            f"^{major}",
            f"~{major}.{minor}",
            f"{major}.{minor}.x",
            f"^{major}.{minor}",
        ]
    text = rng.choice(forms).replace("V", version).replace("W", rng.choice(versions))
    return text if len(text) <= 80 else version


def _spoil(rng: random.Random, packages: dict[str, Json], root: dict[str, Json]) -> None:
    """Put a fault into an input."""
    name = rng.choice(sorted(packages))
    entry = rng.choice(packages[name])
    demands = rng.choice([root, entry.setdefault("deps", {})])
    fault = rng.choice(["range", "version", "unknown", "twice", "range"])
    if fault == "version":
        entry["version"] = rng.choice(_BAD_VERSIONS)
    elif fault == "twice":
        packages[name] = [*packages[name][:5], {"version": packages[name][0]["version"]}]
    elif fault == "range":
        demands[name] = rng.choice(_BAD_RANGES)
    else:
        demands["nowhere"] = "*"


_NAMES = ("app", "lib", "B", "z", "é", "e\u0301", "ｚ", "😀", "lib-2", "core")

_RELEASES = (
    *("0.0.1", "0.0.2", "0.1.0", "0.2.0", "0.2.3", "0.2.10", "1.0.0", "1.0.1", "1.2.0", "1.2.9"),
    *("1.2.10", "1.10.0", "2.0.0", "2.0.1", "2.1.0", "3.0.0", "10.0.0", "999999999.0.0"),
)

_PRERELEASES = (
    *("1.2.0-a", "1.2.0-a.1", "1.2.0-a.b", "1.2.0-a.2", "1.2.0-a.10", "1.2.0-B", "1.2.0-0"),
    *("1.2.0-0a", "1.2.0--", "2.0.0-rc.1", "2.0.0-rc", "0.2.3-x.7", "1.2.1-a"),
)

_FORMS = (
    *("V", "=V", "^V", "^V", "~V", "~V", ">=V", "<=V", ">=V <=W", "<V", ">V", "V || ^W"),
    *("<=V ^W", "  >=V  ", ">V||~W", "^0.0", "~1", "=1.2.*", "^0.x", "1.x", "<2.0.0"),
)

_BAD_VERSIONS = (
    *("1.0", "01.0.0", "1.00.0", "1.0.0-", "1.0.0-a..b", "1.0.0-01", "1.0.0+b", "v1.0.0", "1.0.0 "),
    *("1.0.0-é", "1.0.0.0", "1234567890.0.0", "1.0.0-1234567890", "1.x.0", "١.0.0", "-1.0.0"),
)

_BAD_RANGES = (
    *("?", ">1", "<=1.2", ">= 1.0.0", "1 | 2", "|||", "1.x.x", "*.1", "X", "==1.0.0", "~>1.0.0"),
    *("^01", "1.2-a", ">*", "1.0.0,2.0.0", "1.0.0\t", "1.", "1.2.3.4", "^^1", "1.0.0 - 2.0.0"),
)


def _package(*versions: str | tuple[str, Mapping[str, str]]) -> list[Json]:
    """The versions of a package in short: texts, or texts with what they demand."""
    return [
        {"version": each} if isinstance(each, str) else {"version": each[0], "deps": dict(each[1])}
        for each in versions
    ]


def _picks(text: str, versions: str, picked: str | None) -> Case:
    """Of these versions of one package this range picks one, the highest that satisfies it."""
    fields: dict[str, Json] = {"packages": {"a": _package(*versions.split())}, "root": {"a": text}}
    if picked is None:
        return Case(fields, error="unresolvable")
    return Case(fields, {"resolved": {"a": picked}, "order": ["a"], "unused": []})


def _resolved(
    packages: Mapping[str, Json], root: Mapping[str, str], choices: str, unused: Sequence[str] = ()
) -> Case:
    """A case in short; the choices in their order as in `a 1.0.0, b 2.0.0`."""
    pairs = [choice.split(" ") for choice in choices.split(", ")] if choices else []
    resolved = {name: version for name, version in pairs}
    result = {"resolved": resolved, "order": list(resolved), "unused": list(unused)}
    return Case({"packages": dict(packages), "root": dict(root)}, result)


def _fails(packages: Mapping[str, Json], root: Mapping[str, str], error: str) -> Case:
    return Case({"packages": dict(packages), "root": dict(root)}, error=error)


def _bad_version(text: str) -> Case:
    return _fails({"a": _package("1.0.0", text)}, {}, "bad_version")


def _bad_range(text: str) -> Case:
    return _fails({"a": _package("1.0.0")}, {"a": text}, "bad_range")


_TWO = {"a": _package("1.0.0", "2.0.0")}

_BOUNDARIES = (
    # How versions are compared: the highest that satisfies the range is picked.
    _resolved(
        {
            "a": _package("1.0.0-beta.2", "1.0.0-beta.10", "1.0.0-beta", "1.0.1-alpha"),
            "é": _package("1.0.0"),
        },
        {"a": "^1.0.0-beta.1 || 9"},
        "a 1.0.0-beta.10",
        ["é"],
    ),
    _picks("*", "1.9.0 1.10.0 1.9.9", "1.10.0"),
    _picks("*", "10.0.0 9.9.9", "10.0.0"),
    _picks("*", "1.0.9 1.0.10", "1.0.10"),
    _picks(">=1.0.0-0", "1.0.0-z 1.0.0", "1.0.0"),
    _picks(">=1.0.0-0", "1.0.0-a 1.0.0-a.0", "1.0.0-a.0"),
    _picks(">=1.0.0-0", "1.0.0-2 1.0.0-10", "1.0.0-10"),
    _picks(">=1.0.0-0", "1.0.0-a.999999999 1.0.0-a.A", "1.0.0-a.A"),
    _picks(">=1.0.0-0", "1.0.0-a 1.0.0-B", "1.0.0-a"),
    _picks(">=1.0.0-0", "1.0.0-a2 1.0.0-a10", "1.0.0-a2"),
    _picks(">=1.0.0-0", "1.0.0-- 1.0.0-9", "1.0.0--"),
    _picks(">=1.0.0-0", "1.0.0-- 1.0.0-0a", "1.0.0-0a"),
    _picks(">=1.0.0-0", "1.0.0-a.b.c 1.0.0-b", "1.0.0-b"),
    # Comparators with a whole version.
    _picks(">1.0.0", "1.0.0 1.0.1", "1.0.1"),
    _picks(">1.0.0", "1.0.0", None),
    _picks(">=1.0.0", "0.9.9 1.0.0", "1.0.0"),
    _picks(">=1.0.0", "0.9.9", None),
    _picks("<1.0.0", "0.9.9 1.0.0", "0.9.9"),
    _picks("<=1.0.0", "0.9.9 1.0.0 1.0.1", "1.0.0"),
    # Not only the version itself.
    _picks("<=1.0.0", "0.9.8 0.9.9 1.0.1", "0.9.9"),
    _picks(">=1.0.0", "0.9.9 1.0.1 1.0.2", "1.0.2"),
    _picks("<=1.0.0", "1.0.1", None),
    _picks("1.2.3", "1.2.2 1.2.3 1.2.4", "1.2.3"),
    _picks("=1.2.3", "1.2.2 1.2.3 1.2.4", "1.2.3"),
    _picks("~1.2.3", "1.2.3 1.2.9 1.3.0", "1.2.9"),
    _picks("~1.2.3", "1.2.2 1.3.0", None),
    _picks("~0.0.1", "0.0.1 0.0.5 0.1.0", "0.0.5"),
    _picks("^1.2.3", "1.2.3 1.9.0 2.0.0", "1.9.0"),
    _picks("^1.2.3", "1.2.2 2.0.0", None),
    _picks("^1.0.0", "1.0.0 1.1.0 2.0.0", "1.1.0"),
    _picks("^0.2.3", "0.2.3 0.2.9 0.3.0", "0.2.9"),
    _picks("^0.2.3", "0.2.2 0.3.0", None),
    _picks("^0.0.3", "0.0.3 0.0.4 0.1.0", "0.0.3"),
    _picks("^0.0.0", "0.0.0 0.0.1", "0.0.0"),
    # Comparators with a partial one.
    _picks("", "1.0.0 3.0.0", "3.0.0"),
    _picks("x", "0.0.0", "0.0.0"),
    _picks("=*", "1.0.0 3.0.0", "3.0.0"),
    _picks("~*", "1.0.0 3.0.0", "3.0.0"),
    _picks("^x", "1.0.0 3.0.0", "3.0.0"),
    _picks("1", "0.1.0 1.0.0 1.9.9 2.0.0 10.0.0", "1.9.9"),
    _picks("=1.x", "0.9.0 1.9.9 2.0.0", "1.9.9"),
    _picks("1.2", "1.1.9 1.2.9 1.3.0 1.20.0", "1.2.9"),
    _picks("1.2.*", "1.1.9 1.2.0 1.3.0", "1.2.0"),
    _picks("=0.0.x", "0.0.7 0.1.0", "0.0.7"),
    _picks("~1", "0.9.0 1.9.0 2.0.0", "1.9.0"),
    _picks("~1.2.x", "1.1.9 1.2.9 1.3.0", "1.2.9"),
    _picks("^1", "0.9.0 1.0.0 1.9.0 2.0.0", "1.9.0"),
    _picks("^1.2", "1.1.9 1.2.0 1.3.0 2.0.0", "1.3.0"),
    _picks("^1.2.*", "1.1.9 2.0.0", None),
    _picks("^1.0", "1.0.5 1.4.0 2.0.0", "1.4.0"),
    _picks("^0.2", "0.1.9 0.2.0 0.2.5 0.3.0", "0.2.5"),
    _picks("^0.x", "0.0.1 0.9.9 1.0.0", "0.9.9"),
    _picks("^0.0", "0.0.1 0.0.9 0.1.0", "0.0.9"),
    # All comparators of an alternative, or another alternative.
    _picks("  >=1.0.0   <2.0.0  ", "0.9.0 1.0.0 1.9.0 2.0.0", "1.9.0"),
    _picks(">=1.0.0 1.2.x ^1.0.0", "1.1.0 1.2.5 1.3.0", "1.2.5"),
    _picks("1.0.0 2.0.0", "1.0.0 2.0.0", None),
    _picks("1.0.0||3.x", "1.0.0 3.1.0 4.0.0", "3.1.0"),
    _picks("5 || 1 || 6.0.0", "1.0.0 2.0.0", "1.0.0"),
    _picks("1.0.0 ||", "1.0.0 2.0.0", "2.0.0"),
    _picks("|| ||1.0.0", "1.0.0 2.0.0", "2.0.0"),
    # Versions with PRE need a comparator with PRE of the same three numbers.
    _picks("*", "1.0.0-a", None),
    _picks("", "0.1.0 1.0.0-a", "0.1.0"),
    _picks("1.0.0-a", "1.0.0-a 1.0.0-b 1.0.0", "1.0.0-a"),
    _picks("^1.2.3-a", "1.2.3-b 1.3.0-a", "1.2.3-b"),
    _picks("^1.2.3-a", "1.2.3-b 1.9.0 1.9.1-a", "1.9.0"),
    _picks("^1.2.3-a", "1.2.3-A 1.2.3-9 1.2.4-b", None),
    _picks("~1.2.3-a", "1.2.3-b 1.2.4-b 1.3.0-a", "1.2.3-b"),
    _picks("^0.0.3-a", "0.0.3-b 0.0.4-a", "0.0.3-b"),
    _picks(">1.0.0-a", "1.0.0-a 1.0.0-a.0", "1.0.0-a.0"),
    _picks("<2.0.0", "1.0.0 2.0.0-a", "1.0.0"),
    _picks("<2.0.0-b", "1.0.0 1.5.0-a 2.0.0-a", "2.0.0-a"),
    _picks("1.0.0-a || <1.0.0", "1.0.0-b", None),
    _picks("<1.0.0 >=1.0.0-a", "1.0.0-b", "1.0.0-b"),
    _picks("1.x >=1.0.0-a", "1.0.0-b", "1.0.0-b"),
    _picks("^1 >=1.0.0-a", "1.0.0-b", None),
    _picks("^0.0 >=0.0.0-a", "0.0.0-b", "0.0.0-b"),
    _picks("^1.0.0 >=2.0.0-a", "2.0.0-b", "2.0.0-b"),
    _picks("~1 >=2.0.0-a", "2.0.0-b", None),
    _picks("~1.2.3 >=1.3.0-a", "1.3.0-b", "1.3.0-b"),
    # What is demanded, in which order it is chosen, and what is not needed.
    _resolved({}, {}, ""),
    _resolved(
        {"b": [], "é": _package("1.0.0"), "B": [], "😀": [], "ｚ": []},
        {"é": "1"},
        "é 1.0.0",
        ["B", "b", "ｚ", "😀"],
    ),
    _resolved(
        {
            "a": _package("1.0.0"),
            "b": _package(("1.0.0", {"a": "*"})),
            "c": _package(("1.0.0", {"B": "*"})),
            "B": _package("1.0.0"),
        },
        {"c": "", "b": ""},
        "b 1.0.0, a 1.0.0, c 1.0.0, B 1.0.0",
    ),
    _resolved(
        {"😀": _package("1.0.0"), "ｚ": _package(("1.0.0", {"ｚ": "1", "😀": "1"}))},
        {"😀": "1", "ｚ": "1"},
        "ｚ 1.0.0, 😀 1.0.0",
    ),
    # A version is checked against its own demands, also of itself, and a cycle is none.
    _fails({"a": _package(("1.0.0", {"a": "^2"}))}, {"a": ""}, "unresolvable"),
    _resolved(
        {"a": _package("1.0.0", ("2.0.0", {"a": "1"}), ("1.5.0", {"a": "^1.2.0"}))},
        {"a": ""},
        "a 1.5.0",
    ),
    _resolved(
        {"a": _package(("1.0.0", {"b": "1"})), "b": _package(("1.0.0", {"a": "1"}))},
        {"b": "1"},
        "b 1.0.0, a 1.0.0",
    ),
    _fails(
        {"a": _package(("1.0.0", {"b": "1"})), "b": _package(("1.0.0", {"a": "2"}))},
        {"b": "1"},
        "unresolvable",
    ),
    # All ranges count: of root, of each chosen version.
    _resolved(
        {
            "a": _package(("1.0.0", {"c": ">=1.0.0"})),
            "b": _package(("1.0.0", {"c": "<3.0.0"})),
            "c": _package("0.9.0", "1.5.0", "2.0.0", "2.5.0", "3.0.0"),
        },
        {"a": "1", "b": "1", "c": "<2.5.0"},
        "a 1.0.0, b 1.0.0, c 2.0.0",
    ),
    _fails({"a": _package("1.0.0", "2.0.0"), "b": []}, {"a": "", "b": ""}, "unresolvable"),
    # A version that demands too much of a chosen one is passed over.
    _resolved(
        {**_TWO, "b": _package("0.9.0", ("1.0.0", {"a": "1"}))},
        {"a": "", "b": ""},
        "a 2.0.0, b 0.9.0",
    ),
    # Without another one the choice before is taken back, with all that it demands.
    _resolved(
        {**_TWO, "b": _package(("1.0.0", {"a": "1"}))}, {"a": "", "b": ""}, "a 1.0.0, b 1.0.0"
    ),
    _resolved(
        {
            "a": _package("1.0.0", ("2.0.0", {"aa": "", "c": "9"})),
            "aa": _package("1.0.0"),
            "b": _package("1.0.0"),
            "c": _package("1.0.0"),
        },
        {"a": "", "b": "", "c": ""},
        "a 1.0.0, b 1.0.0, c 1.0.0",
        ["aa"],
    ),
    _resolved(
        {
            **_TWO,
            "b": _package("1.0.0", "2.0.0"),
            "c": _package(("1.0.0", {"a": "1", "b": "2"}), ("2.0.0", {"a": "1", "b": "1"})),
        },
        {"a": "", "b": "", "c": ""},
        "a 1.0.0, b 2.0.0, c 1.0.0",
    ),
    _resolved(
        {
            **_TWO,
            "b": _package(("1.0.0", {"a": "1"}), "0.5.0"),
            "c": _package(("1.0.0", {"b": "1"})),
        },
        {"a": "", "b": "", "c": ""},
        "a 1.0.0, b 1.0.0, c 1.0.0",
    ),
    _resolved(
        {"a": _package(("2.0.0", {"b": "1"}), "1.0.0"), "b": []}, {"a": ""}, "a 1.0.0", ["b"]
    ),
    # Malformed versions, used or not.
    *map(_bad_version, ("01.0.0", "1.0", "1", "1.0.0.0", "1.0.00", "1234567890.0.0", "v1.0.0")),
    *map(_bad_version, ("1.0.0-", "1.0.0-a..b", "1.0.0-.a", "1.0.0-a.", "1.0.0-01", "1.0.0-a_b")),
    *map(_bad_version, ("1.0.0+1", "1.0.0-a+1", "1.0.0-1234567890", " 1.0.0", "1.0.0-é", "1.x.0")),
    *map(_bad_version, ("1.0.0\n", "1.0.٣", "-1.0.0", "*")),
    _picks(">=0.0.0-0", "0.0.0-01a 0.0.0-0.0 999999999.0.0-999999999", "0.0.0-01a"),
    # Malformed ranges, used or not.
    *map(_bad_range, ("?", ">1", ">=1.2", "<*", "<=x", ">", ">= 1.0.0", "=", "==1.0.0", "~>1.0.0")),
    *map(_bad_range, ("1.x.x", "*.*", "x.1", "1.x.0", "X", "1.2.X", "1.", "1.2.3.x", "^^1", "^ 1")),
    *map(_bad_range, ("01", "1.02", "1.2-a", "1.x-a", "1.0.0-01", "^1.0.0-", "1.0.0\t", "1,2")),
    *map(_bad_range, ("1.0.0 | 2.0.0", "|||", "1.0.0 |", ">1.2.3-a <2", "1.0.0 - 2.0.0", "v1.0.0")),
    *map(_bad_range, ("1.0.0 || ?", "* !", "1234567890", "1.٣", "latest", "1.0.0\u00a0")),
    # Which error comes first: each is looked for in the whole input.
    _fails({"a": _package("01.0.0", "1.0.0", "1.0.0")}, {"a": "?"}, "bad_version"),
    _fails({"a": _package("1.0.0", "1.0.0"), "b": _package("1")}, {"q": ""}, "bad_version"),
    _fails({"a": _package("1.0.0", "1.0.0")}, {"a": "?"}, "duplicate_version"),
    _fails({"a": _package("1.0.0", "2.0.0", "1.0.0")}, {"q": ""}, "duplicate_version"),
    _resolved({"a": _package("1.0.0"), "b": _package("1.0.0")}, {"b": ""}, "b 1.0.0", ["a"]),
    _fails({"a": _package(("1.0.0", {"q": ">1"}))}, {}, "bad_range"),
    _fails({"a": _package(("1.0.0", {"a": "!"}))}, {"q": "1"}, "bad_range"),
    _fails({"a": _package(("1.0.0", {"q": "1"}))}, {}, "unknown_package"),
    _fails({"a": _package(("1.0.0", {"q": "1"})), "b": []}, {"b": ""}, "unknown_package"),
    _fails({"A": _package("1.0.0")}, {"a": ""}, "unknown_package"),
)

_DEMANDS = Mapped(label(), Text(0, 80), 8)

FAMILY = Family(
    number=61,
    slug="semver-resolver",
    title="Semantic version dependency resolution",
    category="systems-config",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required(
            "packages",
            Mapped(
                label(),
                Array(
                    Record((required("version", Text(1, 60)), optional("deps", _DEMANDS, {}))), 0, 6
                ),
                8,
            ),
            "The versions of each package. Texts that are no versions or no ranges are errors of "
            "the contract, not `invalid_field`.",
        ),
        required("root", _DEMANDS, "The range that is demanded of each package from outside."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("bad_version", "A `version` is not a version as above."),
        ErrorCode("duplicate_version", "One package has the same version twice."),
        ErrorCode("bad_range", "A range, in `root` or in any `deps`, is not a range as above."),
        ErrorCode("unknown_package", "A name in `root` or in any `deps` is none in `packages`."),
        ErrorCode("unresolvable", "The search fails."),
    ),
    precedence=(
        "The first error of this list that applies is the answer. The first four are looked for in "
        "the whole input, also in versions that the search would not come to."
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_resolved(
        {
            "app": _package(("1.0.0", {"lib": "^1.0.0"}), ("2.0.0", {"lib": "^2.0.0"})),
            "lib": _package(
                "1.0.0",
                ("1.4.0", {"util": "~0.2.1"}),
                "2.0.0-rc.1",
                ("2.0.0", {"util": ">=0.3.0"}),
            ),
            "util": _package("0.2.0", "0.2.7", "0.3.0"),
            "zed": _package(("1.0.0", {"util": "<0.3.0"})),
        },
        {"app": "*", "zed": "1.x"},
        "app 1.0.0, lib 1.4.0, util 0.2.7, zed 1.0.0",
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _resolved(
            {
                "web": _package(
                    ("3.0.0-rc.1", {"core": "^1.2"}),
                    ("2.10.0", {"auth": "~0.4.1", "core": "1.x"}),
                    ("2.9.0", {"core": ">=1.0.0-b <1.2.0"}),
                ),
                "auth": _package(("0.4.7", {"core": "<1.1.0-z"}), "0.5.0"),
                "core": _package("1.0.0-a.9", "1.0.0-b.10", "1.1.0-k"),
                "docs": _package("0.1.0"),
            },
            {"web": "^2.1 || 9.9.9"},
            "web 2.9.0, core 1.0.0-b.10",
            ["auth", "docs"],
        ),
        _fails(
            {"web": _package(("1.0.0", {"core": ">=2"})), "core": _package("2.1.0")},
            {"web": "*", "cli": "1"},
            "bad_range",
        ),
    ),
    malformed=(
        {"packages": None, "root": {}},
        {"packages": [], "root": {}},
        {"packages": {"a": {"version": "1.0.0"}}, "root": {}},
        {"packages": {"a": ["1.0.0"]}, "root": {}},
        {"packages": {"a": None}, "root": {}},
        {"packages": {"a": [{}]}, "root": {}},
        {"packages": {"a": [{"deps": {}}]}, "root": {}},
        {"packages": {"a": [{"version": 1}]}, "root": {}},
        {"packages": {"a": [{"version": 1.5}]}, "root": {}},
        {"packages": {"a": [{"version": ""}]}, "root": {}},
        {"packages": {"a": [{"version": "1.0.0-" + "a" * 55}]}, "root": {}},
        {"packages": {"a": [{"version": "x", "deps": None}]}, "root": {}},
        {"packages": {"a": [{"version": "1.0.0", "deps": ["b"]}]}, "root": {}},
        {"packages": {"a": [{"version": "1.0.0", "deps": {"b": 1}}]}, "root": {}},
        {"packages": {"a": [{"version": "1.0.0", "deps": {"b": None}}]}, "root": {}},
        {"packages": {"a": [{"version": "1.0.0", "deps": {"": "*"}}]}, "root": {}},
        {"packages": {"a": [{"version": "1.0.0", "deps": {"b": " " * 81}}]}, "root": {}},
        {"packages": {"": []}, "root": {}},
        {"packages": {"é" * 41: []}, "root": {}},
        {"packages": {"a": [{"version": f"1.0.{n}"} for n in range(7)]}, "root": {}},
        {"packages": {f"p{n}": [] for n in range(9)}, "root": {}},
        {"packages": {}, "root": None},
        {"packages": {}, "root": ["a"]},
        {"packages": {}, "root": {"a": 1}},
        {"packages": {}, "root": {"a": ["1"]}},
        {"packages": {"a": _package("1")}, "root": {"": "1"}},
        {"packages": {}, "root": {f"p{n}": "" for n in range(9)}},
    ),
)
