"""Whether a request leads to where a benchmark's answers can be found: pure, and without a network.

Host and path are judged each by itself, so that no rule matches what stands across the boundary.
It uses the standard library and its neighbour :mod:`kcb_agents.egress.spelling`: a copy of both
works inside the proxy.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from kcb_agents.egress.spelling import TooDeep, host_readings, path_readings, skeleton

FORMAT = 1

MOST_WRAPPED = 32
"""How many URLs in one request are followed, at whatever depth; more of them are refused."""
_UNREADABLE = "cannot be read"
_KINDS = ("names", "hosts", "repositories", "revisions")
_DIGITS = 12
_LONG_NAME = 10

_JOINT = r"[-_.+ ~]{0,4}"
_EDGE = r"(?:^|[^a-z0-9])"
_END = r"(?:$|[^a-z0-9])"
_WRAPPED = re.compile(r"[a-z][a-z0-9+.-]{1,15}:/{1,4}([^/?#\s\"'<>&|]+)([^\s\"'<>]*)")

Field = Literal["host", "path"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Why a request is refused."""

    why: str
    """What the entry is listed as."""
    entry: str
    """The entry."""
    field: Field
    """Where it was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One entry, ready to be looked for."""

    why: str
    entry: str
    fields: tuple[Field, ...]
    pattern: re.Pattern[str]


class Blocklist:
    """What is refused; the same object judges any number of requests."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        """Take the rules; the first that matches is the one that is told."""
        self._rules = tuple(rules)

    @classmethod
    def read(cls, text: str, more_names: Iterable[str] = ()) -> Blocklist:
        """The blocklist that a text in TOML is.

        Args:
            text: as in ``blocklist.toml``.
            more_names: further names, such as that of another benchmark.

        Raises:
            ValueError: it is no blocklist, or a name has too few letters to mean anything.
        """
        document = tomllib.loads(text)
        if set(document) != {"format", "entries"} or document["format"] != FORMAT:
            raise ValueError(f"this is no blocklist of format {FORMAT}")
        configured = {"why": "configured names", "names": list(more_names)}
        return cls(rule for group in (*document["entries"], configured) for rule in _rules(group))

    def judge(self, host: str, target: str = "") -> Finding | None:
        """Why a request is refused, or None.

        Args:
            host: name or address, without a port.
            target: path and query.
        """
        try:
            return self._judged(host, target, set())
        except TooDeep as error:
            return Finding(why=_UNREADABLE, entry=str(error), field="path")

    def _judged(self, host: str, target: str, seen: set[tuple[str, str]]) -> Finding | None:
        readings: Mapping[Field, frozenset[str]] = {
            "host": host_readings(host),
            "path": path_readings(target),
        }
        for rule in self._rules:
            for field in rule.fields:
                if any(rule.pattern.search(text) for text in readings[field]):
                    return Finding(why=rule.why, entry=rule.entry, field=field)
        for inner, rest in sorted(_wrapped(readings["path"]) - seen):
            seen.add((inner, rest))
            if len(seen) > MOST_WRAPPED:
                raise TooDeep(f"more than {MOST_WRAPPED} URLs in one")
            if found := self._judged(_bare(inner), rest, seen):
                return replace(found, field="path")
        return None


def _wrapped(readings: Iterable[str]) -> set[tuple[str, str]]:
    """The URLs that stand in what a path can be read as: authority, and what follows it."""
    return {(found[1], found[2]) for text in readings for found in _WRAPPED.finditer(text)}


def _bare(authority: str) -> str:
    """The host of an authority."""
    host = authority.rpartition("@")[2]
    return host if host.startswith("[") else host.partition(":")[0]


def _rules(group: Mapping[str, Any]) -> Iterator[Rule]:
    if unknown := set(group) - {"why", *_KINDS}:
        raise ValueError(f"unknown field {sorted(unknown)[0]!r}")
    for kind in _KINDS:
        for entry in group.get(kind, ()):
            fields: tuple[Field, ...] = ("path",) if kind == "repositories" else ("host", "path")
            pattern = re.compile(_PATTERNS[kind](skeleton(entry)))
            yield Rule(why=group["why"], entry=entry, fields=fields, pattern=pattern)


def _name(entry: str) -> str:
    """Its words in their order, joined by anything that joins words, or by nothing."""
    words = re.findall(r"[a-z0-9]+", entry)
    letters = sum(map(len, words))
    if letters < 4 or not re.fullmatch(r"[a-z0-9._ -]+", entry):
        raise ValueError(f"{entry!r} is no name that could be told from other words")
    body = _JOINT.join(words)
    # Short names are looked for as words of their own, and 'terminal benchmark' is none of ours.
    return f"{body}(?!mark)" if letters >= _LONG_NAME else f"(?<![a-z0-9]){body}(?![a-z])"


def _host(entry: str) -> str:
    """A domain, also as a label in which hyphens stand for its dots."""
    return _EDGE + "[.-]".join(map(re.escape, entry.split("."))) + _END


def _repository(entry: str) -> str:
    owner, slash, name = entry.partition("/")
    if not (owner and slash and name):
        raise ValueError(f"{entry!r} is no repository: owner/name")
    return rf"(?:^|[^a-z0-9_.-]){re.escape(owner)}/{re.escape(name)}(?![a-z0-9_-])"


def _revision(entry: str) -> str:
    if not re.fullmatch(rf"[0-9a-f]{{{_DIGITS},64}}", entry):
        raise ValueError(f"{entry!r} is no revision of at least {_DIGITS} digits")
    return f"(?<![0-9a-f]){entry[:_DIGITS]}"


_PATTERNS = {"names": _name, "hosts": _host, "repositories": _repository, "revisions": _revision}
