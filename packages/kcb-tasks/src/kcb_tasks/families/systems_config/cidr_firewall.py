"""CIDR firewall: packets decided by the first rule that matches, and rules that never decide."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import (
    Array,
    Choice,
    Fixed,
    Integer,
    Nullable,
    Record,
    Text,
    optional,
    required,
)

_SUMMARY = """\
Decides packets by the rules of a firewall, and finds rules that can never decide because one
earlier rule covers them. Rules are numbered from 0.

An address is four numbers joined by `.`. A number is an integer from 0 to 255 in ASCII digits
without leading zeros. An address stands for 32 bits, 8 for each number, the highest first. A block
is an address, then `/`, then n, an integer from 0 to 32 in ASCII digits without leading zeros; all
bits of its address after the first n must be 0. An address lies in a block if their first n bits
are the same. A block lies in another if every address that lies in it lies in the other, too.

A packet has addresses `src` and `dst`, a `proto`, and a `port`, which is `null` if it has none. A
rule has an `action`, blocks `src` and `dst`, a `proto`, and `ports`, which is `null` or a range
`[low, high]`. A rule matches a packet if all of these hold:

- The `src` of the packet lies in the `src` of the rule, and its `dst` in the `dst` of the rule.
- The `proto` of the rule is `any` or that of the packet.
- `ports` is `null`, or the packet has a `port` that is at least low and at most high.

The first rule that matches a packet decides it, by its `action`. If none does, `default` decides.

Rule i covers rule j if i is less than j and all of these hold:

- The `src` of j lies in the `src` of i, and the `dst` of j in the `dst` of i.
- The `proto` of i is `any` or that of j.
- The `ports` of i is `null`, or the range of j lies in it: its low is not lower, its high not
  higher. If the `ports` of j is `null`, its range is `[0, 65535]` if its `proto` is `tcp` or `udp`;
  if its `proto` is `any` or `icmp` it has no range, and this does not hold."""

_RESULT = """\
An object with these members:

- `decisions`: an array of objects `{"action": a, "rule": r}`, one for each packet, in the order of
  `packets`: `"allow"` or `"deny"`, and the number of the rule that decides, or `null` if `default`
  does.
- `hits`: an array of integers, one for each rule: how many packets it decides.
- `shadowed`: an array of objects `{"rule": j, "by": i}`, one for each rule j that is covered, in
  ascending order of j; i is the lowest number of a rule that covers it."""

_RULES = """\
- A packet without `port` is never matched by a rule with `ports`.
- The actions and the packets do not matter for `shadowed`, nor whether several rules together leave
  nothing to a rule. The rule i may be covered itself."""

_BITS = 32
_NUMBER = re.compile(r"0|[1-9][0-9]{0,2}")

_Block = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule whose blocks are pairs of an address and a number of bits."""

    src: _Block
    dst: _Block
    proto: str
    ports: tuple[int, int] | None

    def matches(self, src: int, dst: int, proto: str, port: int | None) -> bool:
        return (
            _lies_in(src, self.src)
            and _lies_in(dst, self.dst)
            and self.proto in ("any", proto)
            and (
                self.ports is None or (port is not None and self.ports[0] <= port <= self.ports[1])
            )
        )

    def covers(self, other: _Rule) -> bool:
        return (
            _is_inside(other.src, self.src)
            and _is_inside(other.dst, self.dst)
            and self.proto in ("any", other.proto)
            and (self.ports is None or other.keeps_to(*self.ports))
        )

    def keeps_to(self, low: int, high: int) -> bool:
        """Whether it has a range of ports that lies in this one."""
        ports = self.ports
        if ports is None and self.proto in ("tcp", "udp"):
            ports = (0, 65_535)
        return ports is not None and low <= ports[0] and ports[1] <= high


def _evaluate(fields: Mapping[str, Any]) -> Json:
    entries = [{**_DEFAULTS, **entry} for entry in fields["rules"]]
    rules = [_parse_rule(entry) for entry in entries]
    for entry in entries:
        ports = entry["ports"]
        if ports and (ports[0] > ports[1] or entry["proto"] == "icmp"):
            raise DomainError("bad_rule")
    addresses = [
        (_address(packet["src"], "bad_address"), _address(packet["dst"], "bad_address"))
        for packet in fields["packets"]
    ]
    if any((each["proto"] == "icmp") != (each.get("port") is None) for each in fields["packets"]):
        raise DomainError("bad_packet")
    deciding = [
        _first(rule.matches(*pair, packet["proto"], packet.get("port")) for rule in rules)
        for packet, pair in zip(fields["packets"], addresses, strict=True)
    ]
    covering = [_first(rule.covers(other) for rule in rules[:j]) for j, other in enumerate(rules)]
    return {
        "decisions": [
            {"action": fields["default"] if r is None else entries[r]["action"], "rule": r}
            for r in deciding
        ],
        "hits": [deciding.count(index) for index in range(len(rules))],
        "shadowed": [{"rule": j, "by": i} for j, i in enumerate(covering) if i is not None],
    }


_DEFAULTS: Mapping[str, Json] = {
    "src": "0.0.0.0/0",
    "dst": "0.0.0.0/0",
    "proto": "any",
    "ports": None,
}


def _parse_rule(entry: Mapping[str, Any]) -> _Rule:
    ports = tuple(entry["ports"]) if entry["ports"] else None
    return _Rule(_block(entry["src"]), _block(entry["dst"]), entry["proto"], ports)


def _block(text: str) -> _Block:
    base, _, size = text.partition("/")
    address = _address(base, "bad_cidr")
    if not _NUMBER.fullmatch(size) or int(size) > _BITS or address % 2 ** (_BITS - int(size)):
        raise DomainError("bad_cidr")
    return address, int(size)


def _address(text: str, error: str) -> int:
    parts = text.split(".")
    if len(parts) != 4 or not all(_NUMBER.fullmatch(part) and int(part) < 256 for part in parts):
        raise DomainError(error)
    return int.from_bytes(map(int, parts), "big")


def _lies_in(address: int, block: _Block) -> bool:
    base, size = block
    return (address ^ base) >> (_BITS - size) == 0


def _is_inside(inner: _Block, outer: _Block) -> bool:
    return inner[1] >= outer[1] and _lies_in(inner[0], outer)


def _first(found: Iterator[bool]) -> int | None:
    """The position of the first that is true."""
    return next((index for index, holds in enumerate(found) if holds), None)


def _generate(rng: random.Random) -> dict[str, Json]:
    blocks = [_draw_block(rng) for _ in range(rng.randint(2, 4))]
    blocks += [_draw_block(rng, rng.choice(blocks)) for _ in range(3)]
    rules = [_draw_rule(rng, blocks) for _ in range(rng.choice([0, 1, 3, 5, 8, 10]))]
    packets = [_draw_packet(rng, blocks) for _ in range(rng.choice([0, 1, 5, 10, 15]))]
    if rng.random() < 0.25:
        _spoil(rng, rules, packets)
    drawn: dict[str, Json] = {"rules": rules, "packets": packets}
    if rng.random() < 0.6:
        drawn["default"] = rng.choice(["allow", "deny"])
    return drawn


def _draw_block(rng: random.Random, outer: _Block = (0, 0)) -> _Block:
    """A block, inside another one."""
    base, least = outer
    size = rng.choice([n for n in (0, 1, 7, 8, 9, 15, 16, 24, 25, 30, 31, 32) if n >= least])
    host = rng.choice([0, 2 ** (_BITS - least) - 1, rng.randrange(2 ** (_BITS - least))])
    return (base + host) >> (_BITS - size) << (_BITS - size), size


def _draw_rule(rng: random.Random, blocks: Sequence[_Block]) -> dict[str, Json]:
    rule: dict[str, Json] = {"action": rng.choice(["allow", "deny"])}
    for name in ("src", "dst"):
        if rng.random() < 0.6:
            base, size = rng.choice(blocks)
            rule[name] = f"{_dotted(base)}/{size}"
    if rng.random() < 0.7:
        rule["proto"] = rng.choice(["any", "tcp", "tcp", "udp", "icmp"])
    if rule.get("proto") != "icmp" and rng.random() < 0.6:
        ports = sorted(rng.choice(_PORTS) for _ in range(2))
        rule["ports"] = rng.choice([ports, ports, [0, 65_535], None])
    return rule


def _draw_packet(rng: random.Random, blocks: Sequence[_Block]) -> dict[str, Json]:
    packet: dict[str, Json] = {}
    for name in ("src", "dst"):
        base, size = rng.choice(blocks)
        host = 2 ** (_BITS - size)
        address = base + rng.choice([0, host - 1, -1, host, rng.randrange(host)])
        packet[name] = _dotted(address % 2**_BITS)
    packet["proto"] = rng.choice(["tcp", "tcp", "udp", "icmp"])
    if packet["proto"] != "icmp":
        packet["port"] = rng.choice(_PORTS)
    elif rng.random() < 0.3:
        packet["port"] = None
    return packet


def _spoil(
    rng: random.Random, rules: list[dict[str, Json]], packets: list[dict[str, Json]]
) -> None:
    """Put one fault into an input, seldom two."""
    for _ in range(rng.choice([1, 1, 1, 2])):
        fault = rng.choice(["cidr", "rule", "packet", "address", "packet"])
        if fault == "cidr":
            cidr = rng.choice(_BAD_BLOCKS)
            rules.append({"action": "deny", rng.choice(["src", "dst"]): cidr})
        elif fault == "rule":
            proto, ports = rng.choice([("tcp", [80, 22]), ("icmp", [0, 65_535])])
            rules.append({"action": "deny", "proto": proto, "ports": ports})
        elif fault == "address":
            right, wrong = _dotted(rng.randrange(2**_BITS)), rng.choice(_BAD_ADDRESSES)
            src, dst = rng.choice([(right, wrong), (wrong, right)])
            packets.append({"src": src, "dst": dst, "proto": "icmp"})
        else:
            packets.append({"src": "1.2.3.4", "dst": "0.0.0.0", **rng.choice(_BAD_PACKETS)})


def _dotted(address: int) -> str:
    return ".".join(str(part) for part in address.to_bytes(4, "big"))


_PORTS = (0, 1, 21, 22, 23, 80, 443, 1_023, 1_024, 65_534, 65_535)

_BAD_ADDRESSES = (
    *("", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.04", "1.2..4", " 1.2.3.4", "1.2.3.4/32"),
    *("1.2.3.+4", "1.2.3.٤", "0x1.2.3.4", "1.2.3.4\n", "::1", "1.2.3.-4"),
)

_BAD_BLOCKS = (
    *("1.2.3.4", "1.2.3.4/33", "1.2.3.4/032", "1.2.3.4/31 ", "1.2.3.5/31", "10.1.0.0/15"),
    *("128.0.0.0/0", "10.0.0.0/", "10.0.0/8", "10.0.0.0/-1", "10.0.0.0/8/8", "10.00.0.0/8"),
    *("256.0.0.0/8", "0.0.0.0/00", "10.0.0.0/255.0.0.0", "10.0.0.0/٨", ""),
)

_BAD_PACKETS: tuple[dict[str, Json], ...] = (
    {"proto": "tcp"},
    {"proto": "udp", "port": None},
    {"proto": "icmp", "port": 0},
)


def _rule(action: str, text: str = "", *ports: int) -> Json:
    """A rule in short: blocks and protocol as in `src=10.0.0.0/8 proto=tcp`, and two ports."""
    members: dict[str, Json] = dict(part.split("=") for part in text.split())
    return {"action": action, **members, **({"ports": list(ports)} if ports else {})}


def _packet(text: str) -> Json:
    """A packet in short, as in `10.0.0.1 8.8.8.8 tcp 22`."""
    src, dst, proto, *port = text.split(" ")
    packet: dict[str, Json] = {"src": src, "dst": dst, "proto": proto}
    return {**packet, "port": int(port[0])} if port else packet


def _decided(
    rules: Sequence[Json],
    packets: Mapping[str, int | None],
    shadowed: Mapping[int, int] | None = None,
    default: str | None = None,
) -> Case:
    """A case in short: packets with the rules that decide them, rules with those that cover."""
    fields: dict[str, Json] = {"rules": list(rules), "packets": [_packet(text) for text in packets]}
    deciding = list(packets.values())
    actions = [(default or "deny") if r is None else rules[r]["action"] for r in deciding]
    return Case(
        {**fields, "default": default} if default else fields,
        {
            "decisions": [
                {"action": action, "rule": r} for action, r in zip(actions, deciding, strict=True)
            ],
            "hits": [deciding.count(index) for index in range(len(rules))],
            "shadowed": [{"rule": j, "by": i} for j, i in (shadowed or {}).items()],
        },
    )


def _covered(*rules: Json, by: Mapping[int, int] | None = None) -> Case:
    """A case without packets: rules, and which are covered by which."""
    return _decided(rules, {}, by)


def _fails(error: str, rules: Sequence[Json], packets: Sequence[Json] = ()) -> Case:
    return Case({"rules": list(rules), "packets": list(packets)}, error=error)


def _bad_block(block: str) -> Case:
    return _fails("bad_cidr", [{"action": "allow", "dst": block}])


def _bad_address(address: str) -> Case:
    return _fails("bad_address", [], [{"src": "0.0.0.0", "dst": address, "proto": "icmp"}])


_ANY = (
    "0.0.0.0 255.255.255.255 tcp 0",
    "255.255.255.255 0.0.0.0 udp 65535",
    "1.2.3.4 1.2.3.4 icmp",
)

_BOUNDARIES = (
    # No rules, no packets, the default.
    _decided([], {}),
    _decided([], dict.fromkeys(_ANY)),
    _decided([], dict.fromkeys(_ANY), default="allow"),
    _decided([_rule("allow")], dict.fromkeys(_ANY, 0)),
    # The first rule that matches decides, whatever its action; the same packet may come again.
    _decided(
        [_rule("deny", "dst=9.9.9.9/32"), _rule("allow"), _rule("deny")],
        {"1.1.1.1 9.9.9.9 icmp": 0, "1.1.1.1 9.9.9.8 icmp": 1, "9.9.9.9 1.1.1.1 tcp 9": 1},
        {2: 1},
    ),
    Case(
        {"rules": [_rule("allow", "proto=icmp")], "packets": [_packet("1.1.1.1 1.1.1.1 icmp")] * 3},
        {
            "decisions": [{"action": "allow", "rule": 0}] * 3,
            "hits": [3],
            "shadowed": [],
        },
    ),
    # Blocks: first and last address, and their neighbours; bits are not whole numbers.
    _decided(
        [_rule("allow", "src=10.0.0.0/8")],
        {
            "10.0.0.0 1.1.1.1 icmp": 0,
            "10.255.255.255 1.1.1.1 icmp": 0,
            "9.255.255.255 1.1.1.1 icmp": None,
            "11.0.0.0 1.1.1.1 icmp": None,
        },
    ),
    _decided(
        [_rule("allow", "dst=172.16.0.0/12")],
        {
            "1.1.1.1 172.16.0.0 icmp": 0,
            "1.1.1.1 172.31.255.255 icmp": 0,
            "1.1.1.1 172.15.255.255 icmp": None,
            "1.1.1.1 172.32.0.0 icmp": None,
            "172.16.0.0 1.1.1.1 icmp": None,
        },
    ),
    _decided(
        [
            _rule("allow", "src=255.255.255.254/31"),
            _rule("allow", "src=128.0.0.0/1"),
            _rule("allow", "src=0.0.0.0/32"),
        ],
        {
            "255.255.255.255 1.1.1.1 icmp": 0,
            "255.255.255.254 1.1.1.1 icmp": 0,
            "255.255.255.253 1.1.1.1 icmp": 1,
            "128.0.0.0 1.1.1.1 icmp": 1,
            "127.255.255.255 1.1.1.1 icmp": None,
            "0.0.0.0 1.1.1.1 icmp": 2,
            "0.0.0.1 1.1.1.1 icmp": None,
        },
    ),
    # Protocols and ports: both ends of a range; icmp has no port, and `any` with ports misses it.
    _decided(
        [_rule("allow", "proto=tcp", 22, 80), _rule("allow", "", 443, 443)],
        {
            "1.1.1.1 1.1.1.1 tcp 21": None,
            "1.1.1.1 1.1.1.1 tcp 22": 0,
            "1.1.1.1 1.1.1.1 tcp 80": 0,
            "1.1.1.1 1.1.1.1 tcp 81": None,
            "1.1.1.1 1.1.1.1 udp 22": None,
            "1.1.1.1 1.1.1.1 udp 443": 1,
            "1.1.1.1 1.1.1.1 icmp": None,
        },
    ),
    _decided(
        [_rule("allow", "", 0, 65_535), _rule("allow", "proto=icmp")],
        {
            "1.1.1.1 1.1.1.1 icmp": 1,
            "1.1.1.1 1.1.1.1 tcp 0": 0,
            "1.1.1.1 1.1.1.1 udp 65535": 0,
        },
    ),
    _decided(
        [_rule("allow", "proto=udp"), _rule("allow", "", 0, 0)],
        {"1.1.1.1 1.1.1.1 udp 0": 0, "1.1.1.1 1.1.1.1 tcp 0": 1},
    ),
    Case(
        {
            "rules": [{**_rule("allow", "proto=icmp"), "ports": None}],
            "packets": [{**_packet("1.1.1.1 1.1.1.1 icmp"), "port": None}],
        },
        {"decisions": [{"action": "allow", "rule": 0}], "hits": [1], "shadowed": []},
    ),
    # Covering: blocks.
    _covered(_rule("allow", "src=10.0.0.0/8"), _rule("deny", "src=10.0.0.0/8"), by={1: 0}),
    _covered(_rule("allow", "src=10.0.0.0/8"), _rule("deny", "src=10.0.0.0/7")),
    _covered(_rule("allow", "src=10.0.0.0/8"), _rule("deny", "src=10.128.0.0/9"), by={1: 0}),
    _covered(_rule("allow", "src=10.0.0.0/8"), _rule("deny", "src=11.0.0.0/8")),
    _covered(_rule("allow", "src=10.0.0.0/8"), _rule("deny", "dst=10.0.0.0/8")),
    _covered(
        _rule("allow", "dst=10.0.0.0/8"), _rule("deny", "src=1.1.1.1/32 dst=10.1.1.1/32"), by={1: 0}
    ),
    _covered(_rule("allow", "src=1.0.0.0/8 dst=2.0.0.0/8"), _rule("deny", "src=1.0.0.0/8")),
    # Covering: protocols and ports.
    _covered(
        _rule("allow", "proto=tcp"),
        _rule("deny", "proto=tcp"),
        _rule("deny", "proto=udp"),
        _rule("deny"),
        by={1: 0},
    ),
    _covered(
        _rule("allow"), _rule("allow", "proto=icmp"), _rule("allow", "", 1, 2), by={1: 0, 2: 0}
    ),
    _covered(
        _rule("allow", "", 20, 30),
        _rule("deny", "", 20, 30),
        _rule("deny", "", 21, 29),
        _rule("deny", "", 19, 25),
        _rule("deny", "", 25, 31),
        _rule("deny", "", 0, 65_535),
        by={1: 0, 2: 0},
    ),
    _covered(
        _rule("allow", "", 0, 65_535),
        _rule("deny", "proto=udp"),
        _rule("deny"),
        _rule("deny", "proto=icmp"),
        by={1: 0, 3: 2},
    ),
    _covered(
        _rule("allow", "proto=tcp", 0, 65_535),
        _rule("deny", "proto=tcp"),
        _rule("deny", "proto=udp"),
        by={1: 0},
    ),
    _covered(_rule("allow", "", 0, 65_534), _rule("deny", "proto=tcp")),
    _covered(
        _rule("allow", "", 1, 65_535),
        _rule("deny", "proto=udp"),
        _rule("deny", "proto=tcp", 1, 1),
        by={2: 0},
    ),
    _covered(
        _rule("allow", "proto=udp", 53, 53),
        _rule("deny", "", 53, 53),
        _rule("deny", "proto=udp", 53, 53),
        by={2: 0},
    ),
    # Covering: only earlier rules, the lowest of them, also one that is covered itself.
    _covered(_rule("allow", "src=1.1.1.1/32"), _rule("deny"), _rule("deny"), by={2: 1}),
    _covered(_rule("allow"), _rule("deny"), _rule("allow"), by={1: 0, 2: 0}),
    _covered(
        _rule("allow", "src=1.0.0.0/8"),
        _rule("deny", "src=1.1.0.0/16", 80, 80),
        _rule("deny", "dst=3.0.0.0/8"),
        _rule("deny", "dst=3.0.0.0/8", 80, 80),
        _rule("deny", "src=1.1.1.1/32 dst=3.3.3.3/32", 80, 80),
        by={1: 0, 3: 2, 4: 0},
    ),
    _covered(_rule("allow", "src=0.0.0.0/1"), _rule("allow", "src=128.0.0.0/1"), _rule("deny")),
    # Malformed blocks.
    *map(_bad_block, ("", "/", "1.2.3.4", "1.2.3.4/", "1.2.3.4/33", "1.2.3.4/032", "0.0.0.0/00")),
    *map(_bad_block, ("1.2.3.4/31/32", "1.2.3.4/-1", "1.2.3.4/+8", "1.2.3.4/32 ", "1.2.3/24")),
    *map(_bad_block, ("1.2.3.4.5/32", "256.0.0.0/8", "10.00.0.0/8", "01.0.0.0/8", "1.2.3.x/32")),
    *map(_bad_block, ("1.2.3.4/3٢", "１.2.3.4/32", "1.2.3.4/32\n", "1.2.3.1000/32", "1.2.3.4/320")),
    # Bits after the first n.
    *map(_bad_block, ("10.0.0.1/8", "10.1.0.0/15", "1.2.3.5/31", "128.0.0.0/0", "0.0.0.1/0")),
    _covered(
        _rule("allow", "src=0.0.0.0/0"), _rule("deny", "src=10.2.0.0/15 dst=1.2.3.5/32"), by={1: 0}
    ),
    # Malformed rules.
    _fails("bad_rule", [_rule("allow", "", 5, 4)]),
    _fails("bad_rule", [_rule("allow", "proto=icmp", 4, 4)]),
    _fails("bad_rule", [_rule("allow"), _rule("allow", "proto=tcp", 65_535, 0)]),
    # Malformed addresses and packets.
    *map(_bad_address, ("", "1.2.3.256", "1.2.3", "1.2.3.4.5", "1.2.3.4/32", "1.2.3.04", "1.2.3.")),
    *map(_bad_address, (" 1.2.3.4", "1.2.3.4\n", "1.2.3.+4", "1.2.3.1٤", "00.2.3.4", "localhost")),
    _fails("bad_address", [], [{"src": "1.2.3.-4", "dst": "1.1.1.1", "proto": "tcp"}]),
    _fails("bad_packet", [], [_packet("1.2.3.4 1.1.1.1 tcp")]),
    _fails("bad_packet", [], [_packet("1.2.3.4 1.1.1.1 udp 1"), _packet("1.2.3.4 1.1.1.1 udp")]),
    _fails("bad_packet", [], [{**_packet("1.2.3.4 1.1.1.1 tcp"), "port": None}]),
    _fails("bad_packet", [], [_packet("1.2.3.4 1.1.1.1 icmp 0")]),
    # Which error comes first: each is looked for in all rules or packets.
    _fails("bad_cidr", [_rule("allow", "src=10.0.0.1/8", 5, 4)]),
    _fails("bad_cidr", [_rule("allow", "", 5, 4), _rule("allow", "src=10.0.0.0")]),
    _fails("bad_rule", [_rule("allow", "proto=icmp", 4, 4)], [_packet("1 1 icmp")]),
    _fails("bad_address", [], [_packet("1.2.3.256 1.1.1.1 tcp")]),
    _fails("bad_address", [], [_packet("1.1.1.1 1.1.1.1 tcp"), _packet("1.1.1.1 1.1.1 icmp")]),
    _fails("bad_cidr", [_rule("allow", "dst=10.0.0.0/8 src=x")], [_packet("x 1.1.1.1 icmp 1")]),
)

_RULE = Record(
    (
        required("action", Choice("allow", "deny")),
        optional("src", Text(0, 30), "0.0.0.0/0"),
        optional("dst", Text(0, 30), "0.0.0.0/0"),
        optional("proto", Choice("any", "tcp", "udp", "icmp"), "any"),
        optional("ports", Nullable(Fixed(Integer(0, 65_535), Integer(0, 65_535))), None),
    )
)
_PACKET = Record(
    (
        required("src", Text(0, 30)),
        required("dst", Text(0, 30)),
        required("proto", Choice("tcp", "udp", "icmp")),
        optional("port", Nullable(Integer(0, 65_535)), None),
    )
)

FAMILY = Family(
    number=64,
    slug="cidr-firewall",
    title="CIDR firewall evaluation",
    category="systems-config",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("rules", Array(_RULE, 0, 100), "The rules."),
        required("packets", Array(_PACKET, 0, 200), "The packets."),
        optional(
            "default", Choice("allow", "deny"), "deny", "The action if no rule matches a packet."
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("bad_cidr", "The `src` or `dst` of a rule is not a block as above."),
        ErrorCode(
            "bad_rule",
            "A rule has `ports` whose low is greater than its high, or `ports` that is not `null` "
            "with the `proto` `icmp`.",
        ),
        ErrorCode("bad_address", "The `src` or `dst` of a packet is not an address as above."),
        ErrorCode(
            "bad_packet",
            "A packet with `proto` `tcp` or `udp` has no port, or one with `icmp` has.",
        ),
    ),
    precedence=(
        "The first error of this list that applies is the answer: each is looked for in all rules "
        "or packets before the next."
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_decided(
        [
            _rule("deny", "src=10.0.0.0/8 proto=tcp", 0, 1_023),
            _rule("allow", "src=10.1.0.0/16 proto=tcp", 22, 22),
            _rule("allow", "src=10.0.0.0/8"),
            _rule("deny", "dst=192.168.1.128/25 proto=udp"),
        ],
        {
            "10.1.2.3 8.8.8.8 tcp 22": 0,
            "10.255.255.255 8.8.8.8 icmp": 2,
            "11.0.0.0 192.168.1.128 udp 53": 3,
            "11.0.0.0 192.168.1.127 udp 53": None,
        },
        {1: 0},
        default="allow",
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _decided(
            [
                _rule("deny", "dst=10.4.0.0/14", 0, 65_535),
                _rule("allow", "src=192.168.0.0/23 proto=tcp", 80, 443),
                _rule("allow", "dst=10.7.0.0/16 proto=udp"),
                _rule("deny", "dst=10.4.0.0/14"),
                _rule("allow", "src=192.168.1.9/32 dst=10.5.5.5/32 proto=tcp", 100, 200),
            ],
            {
                "192.168.1.255 10.7.255.255 tcp 80": 0,
                "192.168.1.255 10.8.0.0 tcp 443": 1,
                "192.168.2.0 10.8.0.0 tcp 443": None,
                "192.168.0.0 10.4.0.0 icmp": 3,
            },
            {2: 0, 4: 0},
        ),
        _fails(
            "bad_cidr",
            [_rule("allow", "proto=icmp", 7, 7), _rule("deny", "src=192.168.1.0/23")],
        ),
    ),
    malformed=(
        {"rules": None, "packets": []},
        {"rules": {}, "packets": []},
        {"rules": ["allow"], "packets": []},
        {"rules": [{}], "packets": []},
        {"rules": [{"action": "Allow"}], "packets": []},
        {"rules": [{"action": "reject"}], "packets": []},
        {"rules": [{"action": True}], "packets": []},
        {"rules": [{"action": "allow", "src": None}], "packets": []},
        {"rules": [{"action": "allow", "src": 10}], "packets": []},
        {"rules": [{"action": "allow", "dst": ["10.0.0.0/8"]}], "packets": []},
        {"rules": [{"action": "allow", "dst": "0" * 31}], "packets": []},
        {"rules": [{"action": "allow", "proto": "TCP"}], "packets": []},
        {"rules": [{"action": "allow", "proto": "sctp"}], "packets": []},
        {"rules": [{"action": "allow", "proto": None}], "packets": []},
        {"rules": [{"action": "allow", "ports": 80}], "packets": []},
        {"rules": [{"action": "allow", "ports": []}], "packets": []},
        {"rules": [{"action": "allow", "ports": [80]}], "packets": []},
        {"rules": [{"action": "allow", "ports": [80, 81, 82]}], "packets": []},
        {"rules": [{"action": "allow", "ports": [80, 65_536]}], "packets": []},
        {"rules": [{"action": "allow", "ports": [-1, 80]}], "packets": []},
        {"rules": [{"action": "allow", "ports": [80, 80.0]}], "packets": []},
        {"rules": [{"action": "allow", "ports": ["80", "81"]}], "packets": []},
        {"rules": [{"action": "allow", "ports": [False, True]}], "packets": []},
        {"rules": [{"action": "allow", "ports": [80, None]}], "packets": []},
        {"rules": [{"action": "allow", "ports": {"low": 1, "high": 2}}], "packets": []},
        {"rules": [{"action": "allow", "src": "x"}, {"action": ""}], "packets": []},
        {"rules": [], "packets": "1.1.1.1"},
        {"rules": [], "packets": [None]},
        {"rules": [], "packets": [{"dst": "1.1.1.1", "proto": "icmp"}]},
        {"rules": [], "packets": [{"src": "1.1.1.1", "proto": "icmp"}]},
        {"rules": [], "packets": [{"src": "1.1.1.1", "dst": "1.1.1.1"}]},
        {"rules": [], "packets": [{"src": "1.1.1.1", "dst": "1.1.1.1", "proto": "any"}]},
        {"rules": [], "packets": [{"src": "1.1.1.1", "dst": 1, "proto": "icmp"}]},
        {"rules": [], "packets": [{**_packet("1.1.1.1 1.1.1.1 tcp"), "port": 65_536}]},
        {"rules": [], "packets": [{**_packet("1.1.1.1 1.1.1.1 tcp"), "port": -1}]},
        {"rules": [], "packets": [{**_packet("1.1.1.1 1.1.1.1 tcp"), "port": True}]},
        {"rules": [], "packets": [{**_packet("1.1.1.1 1.1.1.1 tcp"), "port": 80.0}]},
        {"rules": [], "packets": [{**_packet("1.1.1.1 1.1.1.1 tcp"), "port": "80"}]},
        {"rules": [], "packets": [], "default": "DENY"},
        {"rules": [], "packets": [], "default": "drop"},
        {"rules": [], "packets": [], "default": None},
        {"rules": [], "packets": [], "default": False},
    ),
)
