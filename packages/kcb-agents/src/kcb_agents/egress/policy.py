"""What a subject's network namespace lets out: TCP to one proxy, and what stays in it.

Only the text of the rules is made here; :mod:`kcb_agents.egress.passage` puts it in force. The text
is for ``nft``; its words are those of the page *nft(8)*.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address

TABLE = "kcb_egress"

FORWARDING_RESOLVERS = tuple(map(IPv4Address, ("127.0.0.11", "127.0.0.53", "127.0.0.54")))
"""Resolvers at addresses of loopback that pass names on to others: the one that container engines
embed, and the two stubs of systemd-resolved."""

NAME_SERVICE = 53

_REJECT = "reject with icmpx admin-prohibited"


def rules(
    proxy: IPv4Address, port: int, *, resolvers: Iterable[IPv4Address] = FORWARDING_RESOLVERS
) -> str:
    """The rules of a namespace, for ``nft -f``: all of them, whatever was there before.

    Order is what they are about. Resolvers that forward are refused before anything local is let
    through, and by their address, since an engine may rewrite the port before a filter sees it.
    Nothing is told by the state of a connection or by a mark: a connection that was made earlier
    meets the same rules with its next packet, and a mark could be set by whoever shares the
    namespace. Refused means that an error comes back at once; the policy of the chain, which no
    packet reaches, would drop.

    Args:
        proxy: the only address outside that can be reached.
        port: the only port there.
        resolvers: addresses of the namespace itself that lead out of it.

    Raises:
        ValueError: the proxy is no address outside, its port is none, or is that of name service.
    """
    if proxy.is_loopback or proxy.is_unspecified or proxy.is_multicast:
        raise ValueError(f"{proxy} is no address of a proxy outside of the namespace")
    if not 0 < port < 1 << 16 or port == NAME_SERVICE:
        raise ValueError(f"{port} is no port for a proxy")
    refused = ", ".join(map(str, sorted(set(resolvers))))
    chain = [
        "type filter hook output priority filter; policy drop;",
        *([f"ip daddr {{ {refused} }} {_REJECT}"] if refused else []),
        f"meta l4proto {{ tcp, udp }} th dport {NAME_SERVICE} {_REJECT}",
        f"ip daddr {proxy} tcp dport {port} accept",
        "fib daddr type local accept",
        "meta l4proto tcp reject with tcp reset",
        _REJECT,
    ]
    body = "\n".join(f"    {line}" for line in chain)
    return f"flush ruleset\ntable inet {TABLE} {{\n  chain output {{\n{body}\n  }}\n}}\n"
