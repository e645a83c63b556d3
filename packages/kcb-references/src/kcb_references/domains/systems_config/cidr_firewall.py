# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Decides packets by the rules of a firewall and finds the rules that never decide."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_ADDRESS = re.compile(rf"{_BYTE}(?:\.{_BYTE}){{3}}")
_LENGTH = re.compile("3[0-2]|[12]?[0-9]")
_EVERYWHERE = "0.0.0.0/0"
_ACTIONS = ("allow", "deny")
_PACKET_PROTOS = ("tcp", "udp", "icmp")
_RULE_PROTOS = ("any", *_PACKET_PROTOS)
_WITH_PORTS = ("tcp", "udp")
_LAST_PORT = 65535


class _Block(NamedTuple):
    """A block as the range of the addresses that lie in it."""

    first: int
    last: int

    def has(self, address: int) -> bool:
        """Tell whether an address lies in it."""
        return self.first <= address <= self.last

    def contains(self, other: "_Block") -> bool:
        """Tell whether another block lies in it."""
        return self.first <= other.first and other.last <= self.last


class _Rule(NamedTuple):
    """A rule."""

    action: str
    src: _Block
    dst: _Block
    proto: str
    ports: tuple[int, int] | None

    def matches(self, packet: "_Packet") -> bool:
        """Tell whether it matches a packet."""
        return (
            self.src.has(packet.src)
            and self.dst.has(packet.dst)
            and self.proto in ("any", packet.proto)
            and self._has_port(packet.port)
        )

    def covers(self, later: "_Rule") -> bool:
        """Tell whether it covers a rule after it."""
        return (
            self.src.contains(later.src)
            and self.dst.contains(later.dst)
            and self.proto in ("any", later.proto)
            and self._has_ports_of(later)
        )

    def _has_port(self, port: int | None) -> bool:
        """Tell whether its ports let a packet through."""
        if self.ports is None:
            return True
        low, high = self.ports
        return port is not None and low <= port <= high

    def _has_ports_of(self, later: "_Rule") -> bool:
        """Tell whether its ports let through all that those of another rule let through."""
        if self.ports is None:
            return True
        ports = later.ports
        if ports is None:
            if later.proto not in _WITH_PORTS:
                return False
            ports = (0, _LAST_PORT)
        return self.ports[0] <= ports[0] and ports[1] <= self.ports[1]


class _Packet(NamedTuple):
    """A packet."""

    src: int
    dst: int
    proto: str
    port: int | None


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Decide all packets and look for covered rules.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    rules = [_rule(rule) for rule in fields["rules"]]
    packets = [_packet(packet) for packet in fields["packets"]]
    valid_rules = [rule for rule in rules if rule is not None]
    valid_packets = [packet for packet in packets if packet is not None]
    # The errors come in this order for the whole input, not for one rule or packet at a time.
    if len(valid_rules) < len(rules):
        return {"error": {"code": "bad_cidr"}}
    if not all(map(_has_good_ports, valid_rules)):
        return {"error": {"code": "bad_rule"}}
    if len(valid_packets) < len(packets):
        return {"error": {"code": "bad_address"}}
    if any((packet.proto in _WITH_PORTS) != (packet.port is not None) for packet in valid_packets):
        return {"error": {"code": "bad_packet"}}
    return {"result": _report(valid_rules, valid_packets, fields.get("default", "deny"))}


def _report(rules: list[_Rule], packets: list[_Packet], default: str) -> dict[str, Any]:
    """Make the result of the contract."""
    deciding = [_deciding(rules, packet) for packet in packets]
    return {
        "decisions": [
            {"action": default if number is None else rules[number].action, "rule": number}
            for number in deciding
        ],
        "hits": [deciding.count(number) for number in range(len(rules))],
        "shadowed": _shadowed(rules),
    }


def _deciding(rules: list[_Rule], packet: _Packet) -> int | None:
    """Give the number of the rule that decides a packet, if any."""
    return next((number for number, rule in enumerate(rules) if rule.matches(packet)), None)


def _shadowed(rules: list[_Rule]) -> list[dict[str, int]]:
    """List the rules that are covered, each with the first that covers it."""
    shadowed: list[dict[str, int]] = []
    for number, rule in enumerate(rules):
        by = next((early for early in range(number) if rules[early].covers(rule)), None)
        if by is not None:
            shadowed.append({"rule": number, "by": by})
    return shadowed


def _has_good_ports(rule: _Rule) -> bool:
    """Tell whether the ports of a rule are a range and fit its `proto`."""
    return rule.ports is None or (rule.ports[0] <= rule.ports[1] and rule.proto != "icmp")


def _rule(rule: dict[str, Any]) -> _Rule | None:
    """Read a rule, or give `None` if one of its blocks is none."""
    src = _block(rule.get("src", _EVERYWHERE))
    dst = _block(rule.get("dst", _EVERYWHERE))
    if src is None or dst is None:
        return None
    ports = rule.get("ports")
    return _Rule(
        action=rule["action"],
        src=src,
        dst=dst,
        proto=rule.get("proto", "any"),
        ports=None if ports is None else (ports[0], ports[1]),
    )


def _packet(packet: dict[str, Any]) -> _Packet | None:
    """Read a packet, or give `None` if one of its addresses is none."""
    src, dst = _address(packet["src"]), _address(packet["dst"])
    if src is None or dst is None:
        return None
    return _Packet(src, dst, packet["proto"], packet.get("port"))


def _block(text: str) -> _Block | None:
    """Read a block, or give `None` if the text is none."""
    address, _, length = text.partition("/")
    first = _address(address)
    if first is None or not _LENGTH.fullmatch(length):
        return None
    # The bits after the first n, all of them 1.
    rest = (1 << (32 - int(length))) - 1
    return None if first & rest else _Block(first, first | rest)


def _address(text: str) -> int | None:
    """Read an address, or give `None` if the text is none."""
    if not _ADDRESS.fullmatch(text):
        return None
    return int.from_bytes(map(int, text.split(".")))


def _is_port(value: Any) -> bool:
    """Tell whether a value is a port; a boolean is none."""
    return type(value) is int and 0 <= value <= _LAST_PORT


def _is_text(value: Any) -> bool:
    """Tell whether a value is a string of 0 to 30 code points."""
    return isinstance(value, str) and len(value) <= 30


def _are_ports(value: Any) -> bool:
    """Tell whether a value is `null` or an array of two ports."""
    return value is None or (
        isinstance(value, list) and len(value) == 2 and all(map(_is_port, value))
    )


_Members = dict[str, Callable[[Any], bool]]
_RULE: _Members = {
    "action": lambda value: value in _ACTIONS,
    "src": _is_text,
    "dst": _is_text,
    "proto": lambda value: value in _RULE_PROTOS,
    "ports": _are_ports,
}
_RULE_REQUIRED = ("action",)
_PACKET: _Members = {
    "src": _is_text,
    "dst": _is_text,
    "proto": lambda value: value in _PACKET_PROTOS,
    "port": lambda value: value is None or _is_port(value),
}
_PACKET_REQUIRED = ("src", "dst", "proto")


def _are_objects(value: Any, most: int, members: _Members, required: tuple[str, ...]) -> bool:
    """Tell whether a value is an array of objects with allowed members.

    Args:
        value: Any JSON value.
        most: How many elements the array can have.
        members: The members of an element, each with the test of its value.
        required: The names of the members that no element may lack.

    Returns:
        Whether it is.
    """
    return (
        isinstance(value, list)
        and len(value) <= most
        and all(
            isinstance(element, dict)
            and all(
                allows(element[name]) if name in element else name not in required
                for name, allows in members.items()
            )
            for element in value
        )
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: _Members = {
    "rules": lambda value: _are_objects(value, 100, _RULE, _RULE_REQUIRED),
    "packets": lambda value: _are_objects(value, 200, _PACKET, _PACKET_REQUIRED),
    "default": lambda value: value in _ACTIONS,
}
_REQUIRED = ("rules", "packets")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
