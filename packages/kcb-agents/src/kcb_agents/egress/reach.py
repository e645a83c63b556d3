"""Which addresses a proxy may connect to on behalf of a subject: those of the internet at large.

A proxy stands in the network of the machine that runs it, and a subject must not get there by it.
It uses the standard library and nothing else: a copy of it works inside the proxy.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

_GLOBAL_UNICAST = IPv6Network("2000::/3")
#: Addresses of IPv6 that hold one of IPv4, and would lead to that: 6to4 and Teredo.
_TUNNELS = (IPv6Network("2002::/16"), IPv6Network("2001::/32"))


def at_large(address: str) -> bool:
    """Whether an address is one of the internet at large, and of no machine or network nearby."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        return found.is_global and found in _GLOBAL_UNICAST and not _tunnelled(found)
    return found.is_global and not found.is_multicast


def own(address: str) -> bool:
    """Whether an address is of this very machine, where things listen that are not for everyone."""
    with suppress(OSError, ValueError):
        family = socket.AF_INET if isinstance(ip_address(address), IPv4Address) else socket.AF_INET6
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))
            return True
    return False


def _tunnelled(address: IPv6Address) -> bool:
    return any(address in network for network in _TUNNELS)
