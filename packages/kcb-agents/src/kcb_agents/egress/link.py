"""The one wire between a subject's network namespace and this machine, with an address at each end.

It is made with one end in the namespace already, so that it is gone with that, whatever becomes of
whoever made it.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network

from kcb_agents.egress.namespace import Namespace, call
from kcb_core.errors import MachineError

RANGE = IPv4Network("198.18.0.0/15")
"""Addresses that no host of the internet has. Source: RFC 2544, for benchmarks of networks."""

_PREFIX = 30
_BLOCKS = 1 << (_PREFIX - RANGE.prefixlen)
_TRIES = 64
_INSIDE = "egress0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """The addresses of a wire."""

    outside: IPv4Address
    """Of this machine, where a proxy listens."""
    inside: IPv4Address
    """Of the subject."""


def free_ends() -> Ends:
    """Addresses that nothing on this machine has.

    Raises:
        MachineError: none was found.
    """
    taken = {
        IPv4Address(address["local"])
        for device in json.loads(call("ip", "-json", "-4", "address", "show"))
        for address in device.get("addr_info", ())
    }
    for _ in range(_TRIES):
        first = int(RANGE.network_address) + 4 * secrets.randbelow(_BLOCKS)
        ends = Ends(outside=IPv4Address(first + 1), inside=IPv4Address(first + 2))
        if not taken & {ends.outside, ends.inside}:
            return ends
    raise MachineError(f"no free addresses were found in {RANGE}")


def lay(ends: Ends, namespace: Namespace, pid: int) -> None:
    """Lay a wire from this machine into a namespace; the end in there stays down.

    Args:
        ends: its addresses.
        namespace: where it ends.
        pid: a process in there.

    Raises:
        MachineError: this machine does not allow it.
    """
    name = f"kcb{secrets.token_hex(5)}"
    peer = ("peer", "name", _INSIDE, "netns", str(pid))
    call("ip", "link", "add", name, "type", "veth", *peer)
    call("ip", "address", "add", f"{ends.outside}/{_PREFIX}", "dev", name)
    call("ip", "link", "set", name, "up")
    namespace.run("ip", "address", "add", f"{ends.inside}/{_PREFIX}", "dev", _INSIDE)


def raise_inside(namespace: Namespace) -> None:
    """Bring up the end in the namespace, which has its rules by now."""
    namespace.run("ip", "link", "set", _INSIDE, "up")
