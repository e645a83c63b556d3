"""What must hold before a subject with a network is started; all that does not is told at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import msgspec

from kcb_core.codec import decode, parse
from kcb_core.errors import DataError, MachineError

CAPABILITY_SETS = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")
"""Every set of a process, as ``/proc/self/status`` names them. Source: capabilities(7)."""

NET_ADMIN, NET_RAW = 12, 13
"""Numbers of the capabilities that change rules, and that send beneath them."""

_NAMES = {NET_ADMIN: "CAP_NET_ADMIN", NET_RAW: "CAP_NET_RAW"}


class Testimony(msgspec.Struct, frozen=True, kw_only=True):
    """What the witness printed in the subject's place."""

    capabilities: dict[str, str]
    namespace: str
    address: str
    health: dict[str, Any]
    refused: dict[str, Any]
    published: dict[str, str]
    writable: bool
    private: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What the host knows to be so."""

    namespace: str
    """Identity of the namespace that the rules are in."""
    rules_asked: str
    """The rules as nft lists them in a namespace that has these and no others."""
    rules_live: str
    """The rules as nft lists them in the subject's namespace, all of them."""
    address: str
    """Of the proxy."""
    nonce: str
    published: Mapping[str, str]
    """Digests of what is published, by name."""


def require(output: bytes, expected: Expected) -> None:
    """Open the gates, or keep the subject from being started.

    Args:
        output: what the witness printed.
        expected: what must be so.

    Raises:
        MachineError: something is not so; all that is not is named.
    """
    try:
        said = decode(output, Testimony, source="witness")
        faults = [*_faults(said, expected)]
    except DataError as error:
        faults = [f"the witness in the subject's place says nothing that can be read: {error}"]
    if faults:
        raise MachineError(f"the subject was not started: {'; '.join(faults)}")


def _faults(said: Testimony, expected: Expected) -> Iterator[str]:
    yield from capability_faults(said.capabilities)
    if said.namespace != expected.namespace:
        yield (
            f"it would run in {said.namespace or 'no namespace'}, and the rules are in "
            f"{expected.namespace}"
        )
    if not expected.rules_asked.strip() or expected.rules_live != expected.rules_asked:
        yield "the rules of its namespace are not those that were asked for"
    if said.address != expected.address:
        yield f"the proxy's name leads to {said.address or 'nowhere'}, and not {expected.address}"
    if not _is_well(said.health, expected.nonce):
        yield (
            f"the proxy is not well: {said.health.get('error') or said.health} (does a firewall of "
            f"this machine refuse TCP to {expected.address}?)"
        )
    if said.refused.get("status") != HTTPStatus.FORBIDDEN:
        yield "the proxy does not refuse a page that it must"
    if said.published != dict(expected.published) or said.writable:
        yield "what is published to it is not what was, or it could change that"
    if said.private:
        yield "the folder with the key of its proxy is in its file system; show it less"


def capability_faults(sets: Mapping[str, str]) -> Iterator[str]:
    """Why sets of capabilities are not such as a subject may have; nothing if they are.

    Args:
        sets: hexadecimal digits by the names in :data:`CAPABILITY_SETS`; none may be missing.
    """
    for name in CAPABILITY_SETS:
        digits = sets.get(name, "")
        try:
            held = int(digits, 16)
        except ValueError:
            yield f"its set {name} of capabilities is unknown"
            continue
        for number, capability in _NAMES.items():
            if held >> number & 1:
                yield f"it has {capability} in {name}"


def _is_well(answer: Mapping[str, Any], nonce: str) -> bool:
    if answer.get("status") != HTTPStatus.OK:
        return False
    try:
        said = parse(str(answer.get("body", "")).encode())
    except DataError:
        return False
    return isinstance(said, dict) and said.get("nonce") == nonce
