"""A scenario in the words of a dialect: every name in it is changed, and no value is.

Scripts and oracles speak in canonical names alone; a scenario is put into a dialect when it is
finished. That is sound because all names are traded one to one: requests that are the same, or not,
are so in the dialect too, and a word that is no name does not become one.

Stored values are free JSON and yet may be evaluated later, so every object that stands where a
value is stored or given back has its outermost members renamed as fields of ``input`` are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from kcb_core.codec import Json, compact, parse
from kcb_core.errors import MalformedJson
from kcb_core.task import Scenario, Session, line_of
from kcb_tasks.scenarios.sendable import check_line

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_OF_CONTRACT = ("evaluate", "evaluate_stored")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """The names of one family's tasks; each map trades all words one to one."""

    protocol: Mapping[str, str]
    """Members of requests and answers, and operations."""
    fields: Mapping[str, str]
    """Members of ``input``."""
    codes: Mapping[str, str]
    """Error codes of the protocol and of the contract."""

    def scenario(self, played: Scenario) -> Scenario:
        """A finished scenario in the dialect.

        Raises:
            DeclarationError: a line may not be sent any more, since it has become too long.
        """
        sessions = tuple(map(self._session, played.sessions))
        return msgspec.structs.replace(played, sessions=sessions)

    def _session(self, session: Session) -> Session:
        requests, expected = [], []
        for request, answer in zip(session.requests, session.expected, strict=True):
            asked = _value(request)
            spoken = self.request(asked)
            if isinstance(request, str):
                spoken = _respelt(request, asked, spoken)
            check_line(line_of(spoken))
            requests.append(spoken)
            expected.append(self.answer(asked, answer))
        return Session(requests=tuple(requests), expected=tuple(expected))

    def request(self, request: Json) -> Json:
        """A request, or an element of a batch; what is no object stays as it is."""
        if not isinstance(request, dict):
            return request
        return {_of(self.protocol, name): self._given(name, v) for name, v in request.items()}

    def _given(self, name: str, value: Json) -> Json:
        """The value of one member of a request."""
        match name:
            case "op" if isinstance(value, str):
                return _of(self.protocol, value)
            case "input" | "value":
                return self._fields(value)
            case "ops" if isinstance(value, list):
                return [self.request(element) for element in value]
        return value

    def answer(self, request: Json, answer: dict[str, Json]) -> dict[str, Json]:
        """The answer to a request, both in canonical names."""
        spoken = dict(answer)
        if "result" in answer:
            spoken["result"] = self._result(request, answer["result"])
        if "error" in answer:
            spoken["error"] = self._error(answer["error"])
        return {_of(self.protocol, name): value for name, value in spoken.items()}

    def _error(self, error: dict[str, Json]) -> Json:
        spoken = {**error, "code": _of(self.codes, error["code"])}
        if "field" in error:
            spoken["field"] = _of(self.fields, error["field"])
        return {_of(self.protocol, name): value for name, value in spoken.items()}

    def _result(self, request: dict[str, Json], result: Json) -> Json:
        if request["op"] in _OF_CONTRACT:
            return result
        spoken = dict(result)
        if "results" in result:
            pairs = zip(request["ops"], result["results"], strict=True)
            spoken["results"] = [self._result(element, given) for element, given in pairs]
        if "entries" in result:
            spoken["entries"] = [self._result(request, entry) for entry in result["entries"]]
        if "value" in result:
            spoken["value"] = self._fields(result["value"])
        return {_of(self.protocol, name): value for name, value in spoken.items()}

    def _fields(self, value: Json) -> Json:
        if not isinstance(value, dict):
            return value
        return {_of(self.fields, name): member for name, member in value.items()}


def _of(names: Mapping[str, str], name: str) -> str:
    return names.get(name, name)


def _value(request: Json) -> Json:
    """What a request holds; None for a raw line that is no JSON and so holds no name."""
    if not isinstance(request, str):
        return request
    try:
        return parse(request.encode())
    except MalformedJson:
        return None


def _respelt(line: str, before: Json, after: Json) -> str:
    """A raw line with other names in it, and everything else on it spelt as it was.

    The strings of a line stand in the order of the strings of its value, and only names change. A
    name that was spelt with escapes is so again.
    """
    if before is None:
        return line
    pairs = zip(_strings(before), _strings(after), strict=True)

    def spelt(found: re.Match[str]) -> str:
        old, new = next(pairs)
        if old == new:
            return found[0]
        return compact(new) if found[0] == compact(old) else _escaped(new)

    return _STRING.sub(spelt, line)


def _escaped(name: str) -> str:
    return '"' + "".join(f"\\u{ord(letter):04x}" for letter in name) + '"'


def _strings(value: Json) -> Iterator[str]:
    """All strings of a value, names of members among them, in the order of its text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for element in value:
            yield from _strings(element)
    elif isinstance(value, dict):
        for name, member in value.items():
            yield name
            yield from _strings(member)
