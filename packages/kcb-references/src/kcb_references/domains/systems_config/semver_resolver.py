# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Chooses versions of packages that satisfy all demanded ranges."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_NUMBER = r"(?:0|[1-9][0-9]{0,8})"
# A run of digits alone must be a number; anything else needs a character that is no digit.
_IDENTIFIER = rf"(?:[0-9]*[A-Za-z-][0-9A-Za-z-]*|{_NUMBER})"
_CORE = rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})"
_VERSION = re.compile(rf"{_CORE}(?:-({_IDENTIFIER}(?:\.{_IDENTIFIER})*))?")
_PARTIAL = re.compile(rf"[*x]|({_NUMBER})(?:\.[*x]|\.({_NUMBER})(?:\.[*x])?)?")
_OPERATOR = re.compile(r"[<>]=?|[=~^]?")

_Core = tuple[int, int, int]
# An identifier as a pair that compares as the contract says: numbers come before texts.
_Identifier = tuple[int, int, str]


class _Version(NamedTuple):
    """A version; as tuples versions are in the order of the contract."""

    core: _Core
    # A version without PRE is higher than all with one.
    is_release: bool
    pre: tuple[_Identifier, ...]


_Test = Callable[[_Version], bool]


class _Comparator(NamedTuple):
    """A comparator of a range."""

    test: _Test
    # What versions with PRE it lets an alternative be satisfied by, if any.
    pre_core: _Core | None


_Range = list[list[_Comparator]]


class _BadRangeError(Exception):
    """A text is no range."""


class _Candidate(NamedTuple):
    """A version of a package, and what it demands."""

    package: str
    text: str
    version: _Version
    demands: dict[str, _Range]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Choose a version of each demanded package.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    packages: dict[str, list[dict[str, Any]]] = fields["packages"]
    root: dict[str, str] = fields["root"]
    code = _version_error(packages)
    if code is not None:
        return {"error": {"code": code}}
    try:
        candidates = _candidates(packages)
        demands = _ranges(root)
    except _BadRangeError:
        return {"error": {"code": "bad_range"}}
    if any(name not in packages for name in _demanded_names(packages, root)):
        return {"error": {"code": "unknown_package"}}
    chosen = _Search(sorted(packages), candidates, demands).run()
    if chosen is None:
        return {"error": {"code": "unresolvable"}}
    return {"result": _report(packages, chosen)}


def _report(packages: dict[str, Any], chosen: list[_Candidate]) -> dict[str, Any]:
    """Make the result from the choices in their order."""
    resolved = {candidate.package: candidate.text for candidate in chosen}
    return {
        "resolved": resolved,
        "order": [candidate.package for candidate in chosen],
        "unused": sorted(name for name in packages if name not in resolved),
    }


def _version_error(packages: dict[str, list[dict[str, Any]]]) -> str | None:
    """Give the code of the first error in the versions themselves, or `None`."""
    lists = [[release["version"] for release in releases] for releases in packages.values()]
    if not all(_VERSION.fullmatch(text) for texts in lists for text in texts):
        return "bad_version"
    # Numbers have no leading zeros, so the same version is always the same text.
    if any(len(set(texts)) < len(texts) for texts in lists):
        return "duplicate_version"
    return None


def _demanded_names(
    packages: dict[str, list[dict[str, Any]]], root: dict[str, str]
) -> Iterator[str]:
    """Give all names that are demanded anywhere."""
    yield from root
    for releases in packages.values():
        for release in releases:
            yield from release.get("deps", {})


def _candidates(packages: dict[str, list[dict[str, Any]]]) -> list[_Candidate]:
    """Read all versions and their ranges, or raise `_BadRangeError`."""
    return [
        _Candidate(
            package,
            release["version"],
            _version(release["version"]),
            _ranges(release.get("deps", {})),
        )
        for package, releases in packages.items()
        for release in releases
    ]


# ------------------------------------------------------------------------- the versions and ranges


def _version(text: str) -> _Version:
    """Read a valid version."""
    found = _VERSION.fullmatch(text)
    assert found is not None
    major, minor, patch, pre = found.groups()
    core = (int(major), int(minor), int(patch))
    if pre is None:
        return _Version(core, is_release=True, pre=())
    return _Version(core, is_release=False, pre=tuple(map(_identifier, pre.split("."))))


def _identifier(text: str) -> _Identifier:
    """Read a valid identifier."""
    return (0, int(text), "") if text.isdecimal() else (1, 0, text)


def _ranges(texts: dict[str, str]) -> dict[str, _Range]:
    """Read the range under each name, or raise `_BadRangeError`."""
    return {name: _range(text) for name, text in texts.items()}


def _range(text: str) -> _Range:
    """Read a range, or raise `_BadRangeError`."""
    # Only the space separates, so this is not `str.split` without an argument.
    return [
        [_comparator(part) for part in alternative.split(" ") if part]
        for alternative in text.split("||")
    ]


def _comparator(text: str) -> _Comparator:
    """Read a comparator, or raise `_BadRangeError`."""
    found = _OPERATOR.match(text)
    # The pattern also matches nothing at all, so this cannot happen.
    assert found is not None
    operator, operand = found[0], text[found.end() :]
    if _VERSION.fullmatch(operand):
        version = _version(operand)
        pre_core = None if version.is_release else version.core
        return _Comparator(_version_test(operator, version), pre_core)
    partial = _PARTIAL.fullmatch(operand)
    if partial is None or operator.startswith(("<", ">")):
        raise _BadRangeError
    numbers = tuple(int(number) for number in partial.groups() if number is not None)
    return _Comparator(_partial_test(operator, numbers), None)


def _version_test(operator: str, wanted: _Version) -> _Test:
    """Give the test for a comparator that is written with a version."""
    match operator:
        case ">":
            return lambda version: version > wanted
        case ">=":
            return lambda version: version >= wanted
        case "<":
            return lambda version: version < wanted
        case "<=":
            return lambda version: version <= wanted
        case "~":
            major, minor, _ = wanted.core
            return _between(wanted, (major, minor + 1, 0))
        case "^":
            return _between(wanted, _caret_limit(wanted.core))
    return lambda version: version == wanted


def _partial_test(operator: str, numbers: tuple[int, ...]) -> _Test:
    """Give the test for a comparator that is written with a partial version."""
    if operator == "^" and any(numbers):
        major, minor = (*numbers, 0)[:2]
        return _version_test("^", _Version((major, minor, 0), is_release=True, pre=()))
    return lambda version: version.core[: len(numbers)] == numbers


def _caret_limit(core: _Core) -> _Core:
    """Give the first version without PRE that is too high for `^`."""
    major, minor, patch = core
    if major:
        return (major + 1, 0, 0)
    if minor:
        return (0, minor + 1, 0)
    return (0, 0, patch + 1)


def _between(low: _Version, limit: _Core) -> _Test:
    """Give the test for versions that are at least one version and lower than another."""
    high = _Version(limit, is_release=True, pre=())
    return lambda version: low <= version < high


def _satisfies(version: _Version, wanted: _Range) -> bool:
    """Tell whether a version satisfies a range."""
    return any(
        all(comparator.test(version) for comparator in alternative)
        and (
            version.is_release
            or any(comparator.pre_core == version.core for comparator in alternative)
        )
        for alternative in wanted
    )


def _accepts(demands: dict[str, _Range], candidate: _Candidate) -> bool:
    """Tell whether a candidate satisfies the demand of its package, if there is one."""
    wanted = demands.get(candidate.package)
    return wanted is None or _satisfies(candidate.version, wanted)


def _are_compatible(one: _Candidate, other: _Candidate) -> bool:
    """Tell whether candidates of two packages can be chosen together."""
    return _accepts(one.demands, other) and _accepts(other.demands, one)


# -------------------------------------------------------------------------------------- the search


class _Search:
    """The search for a choice.

    Sets are kept as the bits of integers, so that a step of the search takes next to no time: there
    can be more than a million. Packages are numbered in ascending order of their names, candidates
    by package and, within one, from the highest version to the lowest. The lowest bit of a set is
    then always what the contract takes next.
    """

    def __init__(
        self, names: list[str], candidates: list[_Candidate], root: dict[str, _Range]
    ) -> None:
        # Two stable sorts: the highest version first, then by package.
        ordered = sorted(candidates, key=lambda candidate: candidate.version, reverse=True)
        self._candidates = sorted(ordered, key=lambda candidate: candidate.package)
        number = {name: index for index, name in enumerate(names)}
        self._members = [
            _set(candidate.package == name for candidate in self._candidates) for name in names
        ]
        # What each candidate can be chosen with, and the packages that it demands.
        self._compatible = [
            _set(_are_compatible(candidate, other) for other in self._candidates)
            for candidate in self._candidates
        ]
        self._demands = [
            sum(1 << number[name] for name in candidate.demands) for candidate in self._candidates
        ]
        self._root_demands = sum(1 << number[name] for name in root)
        # A version must satisfy what it demands of its own package, too.
        self._root_allowed = _set(
            _accepts(root, candidate) and _accepts(candidate.demands, candidate)
            for candidate in self._candidates
        )
        self._dead_ends: set[tuple[int, int, int]] = set()

    def run(self) -> list[_Candidate] | None:
        """Give the choices in their order, or `None` if the search fails."""
        every = (1 << len(self._members)) - 1
        found = self._choose(self._root_demands, every, self._root_allowed)
        return None if found is None else [self._candidates[index] for index in found]

    def _choose(self, demanded: int, free: int, allowed: int) -> list[int] | None:
        """Choose candidates for all packages that are still to be chosen.

        Args:
            demanded: The demanded packages.
            free: The packages of which no version is chosen.
            allowed: The candidates of free packages that fit what is chosen already.

        Returns:
            The numbers of the chosen candidates in order, or `None` if there is no choice.
        """
        waiting = demanded & free
        if not waiting:
            return []
        # What comes next depends on these three only, so what failed once would always fail. This
        # only saves time, and so does giving up early in `_is_hopeless`.
        state = (demanded, free, allowed)
        if state in self._dead_ends or self._is_hopeless(waiting, allowed):
            return None
        package = _lowest(waiting)
        rest = free & ~(1 << package)
        fitting = allowed & self._members[package]
        others = allowed & ~self._members[package]
        while fitting:
            index = _lowest(fitting)
            fitting &= fitting - 1
            found = self._choose(
                demanded | self._demands[index], rest, others & self._compatible[index]
            )
            if found is not None:
                return [index, *found]
        self._dead_ends.add(state)
        return None

    def _is_hopeless(self, waiting: int, allowed: int) -> bool:
        """Tell whether a package that must be chosen yet has no version that fits."""
        return any(
            waiting >> package & 1 and not allowed & members
            for package, members in enumerate(self._members)
        )


def _set(belong: Iterable[bool]) -> int:
    """Make a set from what says of each number, in ascending order, whether it belongs to it."""
    return sum(1 << index for index, belongs in enumerate(belong) if belongs)


def _lowest(bits: int) -> int:
    """Give the smallest element of a set that is not empty."""
    return (bits & -bits).bit_length() - 1


# -------------------------------------------------------------------------------------- the fields


def _is_string(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is a string whose length is in a range."""
    return isinstance(value, str) and low <= len(value) <= high


def _is_object(value: Any, allows: Callable[[Any], bool]) -> bool:
    """Tell whether a value is an object of allowed values under names of packages."""
    return (
        isinstance(value, dict)
        and len(value) <= 8
        and all(_is_string(name, 1, 40) and allows(member) for name, member in value.items())
    )


def _are_demands(value: Any) -> bool:
    """Tell whether a value is an object of texts that may be ranges."""
    return _is_object(value, lambda text: _is_string(text, 0, 80))


def _is_release(value: Any) -> bool:
    """Tell whether a value is an element of the array of a package."""
    return (
        isinstance(value, dict)
        and _is_string(value.get("version"), 1, 60)
        and _are_demands(value.get("deps", {}))
    )


def _are_releases(value: Any) -> bool:
    """Tell whether a value is the array of a package."""
    return isinstance(value, list) and len(value) <= 6 and all(map(_is_release, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "packages": lambda value: _is_object(value, _are_releases),
    "root": _are_demands,
}
_REQUIRED = ("packages", "root")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
