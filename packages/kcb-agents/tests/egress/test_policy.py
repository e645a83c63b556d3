"""The text of the rules: what it says, and in which order, is what keeps a subject in."""

from __future__ import annotations

from ipaddress import IPv4Address

import pytest

from kcb_agents.egress.policy import FORWARDING_RESOLVERS, rules

PROXY = IPv4Address("198.18.7.1")

GOLDEN = """\
flush ruleset
table inet kcb_egress {
  chain output {
    type filter hook output priority filter; policy drop;
    ip daddr { 127.0.0.11, 127.0.0.53, 127.0.0.54 } reject with icmpx admin-prohibited
    meta l4proto { tcp, udp } th dport 53 reject with icmpx admin-prohibited
    ip daddr 198.18.7.1 tcp dport 8080 accept
    fib daddr type local accept
    meta l4proto tcp reject with tcp reset
    reject with icmpx admin-prohibited
  }
}
"""


def lines() -> list[str]:
    """The rules, one each, in their order."""
    return [line.strip() for line in rules(PROXY, 8080).splitlines()]


def test_the_rules_are_these_and_no_others() -> None:
    """Whoever changes them changes what is promised, and has to say so here."""
    assert rules(PROXY, 8080) == GOLDEN


def test_resolvers_that_forward_are_refused_before_anything_local_is_accepted() -> None:
    """They are local, and lead out: the one of container engines, and systemd's two stubs."""
    accepted = next(n for n, line in enumerate(lines()) if line.endswith("accept"))
    for resolver in ("127.0.0.11", "127.0.0.53", "127.0.0.54"):
        assert IPv4Address(resolver) in FORWARDING_RESOLVERS
        refused = [n for n, line in enumerate(lines()) if resolver in line and "reject" in line]
        assert refused
        assert refused[0] < accepted


def test_a_resolver_is_refused_by_its_address_whatever_the_port() -> None:
    """An engine rewrites the port of a request before a filter sees it."""
    (line,) = [line for line in lines() if "127.0.0.11" in line]
    assert "dport" not in line


def test_two_things_are_accepted() -> None:
    """TCP to the proxy, and what stays in the namespace."""
    accepted = [line for line in lines() if line.endswith("accept")]
    assert accepted == ["ip daddr 198.18.7.1 tcp dport 8080 accept", "fib daddr type local accept"]


def test_what_is_left_is_rejected_whatever_it_is() -> None:
    """The last rule has no condition: ICMP, IPv6 and all protocols besides end there, at once."""
    assert lines()[-3] == "reject with icmpx admin-prohibited"
    assert sum("policy drop" in line for line in lines()) == 1


@pytest.mark.parametrize("word", ["mark", "ct", "dnat", "redirect", "masquerade", "established"])
def test_no_packet_is_exempt_for_what_it_claims(word: str) -> None:
    """A mark can be set by a neighbour, and an old connection is no better than a new one."""
    assert word not in rules(PROXY, 8080).split()


def test_further_resolvers_can_be_named() -> None:
    """A machine may have one at an address of its own."""
    more = rules(PROXY, 8080, resolvers=[IPv4Address("127.0.0.2"), IPv4Address("127.0.0.2")])
    assert "ip daddr { 127.0.0.2 } reject" in more


def test_without_resolvers_there_is_no_empty_set() -> None:
    """Nft takes none."""
    assert "{  }" not in rules(PROXY, 8080, resolvers=[])


@pytest.mark.parametrize(
    ("proxy", "port"),
    [("127.0.0.1", 8080), ("0.0.0.0", 8080), ("224.0.0.1", 8080), ("198.18.7.1", 0),
     ("198.18.7.1", 65536), ("198.18.7.1", 53)],
)  # fmt: skip
def test_what_is_no_proxy_outside_is_refused(proxy: str, port: int) -> None:
    """An address of the namespace itself would make no hole, and a resolver a wrong one."""
    with pytest.raises(ValueError, match="is no"):
        rules(IPv4Address(proxy), port)
