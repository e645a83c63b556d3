# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Finds out which feature flags are on for which users."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

_BUCKETS = 10000
_FNV_START = 2166136261
_FNV_PRIME = 16777619
_FNV_MASK = 2**32 - 1
_OPS = ("eq", "ne", "in", "gt", "lt", "prefix", "exists")

_Flag = dict[str, Any]
_User = dict[str, Any]


class _State(NamedTuple):
    """What a flag is for a user."""

    value: str | None
    reason: str

    @property
    def on(self) -> bool:
        """Tell whether the flag is on, which just the flags with a value are."""
        return self.value is not None


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Evaluate all flags for all users.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    flags: list[_Flag] = fields["flags"]
    by_name = {flag["name"]: flag for flag in flags}
    if len(by_name) < len(flags):
        return {"error": {"code": "duplicate_flag"}}
    if any(name not in by_name for flag in flags for name in flag.get("requires", [])):
        return {"error": {"code": "unknown_flag"}}
    ordered = _in_order(flags)
    if ordered is None:
        return {"error": {"code": "requirement_cycle"}}
    code = _flag_error(flags)
    if code is not None:
        return {"error": {"code": code}}
    return {"result": _report(ordered, fields["users"])}


def _flag_error(flags: list[_Flag]) -> str | None:
    """Give the code of the first error within the flags, or `None`."""
    if any(sum(weight for _, weight in _variants(flag)) != _BUCKETS for flag in flags):
        return "bad_weights"
    if not all(_fits_op(condition) for flag in flags for condition in _all_conditions(flag)):
        return "bad_condition"
    return None


def _in_order(flags: list[_Flag]) -> list[_Flag] | None:
    """Put flags in an order in which each comes after all that it requires.

    Args:
        flags: Flags that require only each other.

    Returns:
        The flags in such an order, or `None` if there is none because of a cycle.
    """
    ordered: list[_Flag] = []
    placed: set[str] = set()
    waiting = flags
    while waiting:
        ready = [flag for flag in waiting if placed.issuperset(flag.get("requires", []))]
        if not ready:
            return None
        ordered += ready
        placed.update(flag["name"] for flag in ready)
        waiting = [flag for flag in waiting if flag["name"] not in placed]
    return ordered


def _report(flags: list[_Flag], users: list[_User]) -> dict[str, Any]:
    """Make the result from flags that come after all that they require."""
    results: list[dict[str, Any]] = []
    on_counts: dict[str, int] = {flag["name"]: 0 for flag in flags}
    for user in users:
        states: dict[str, _State] = {}
        for flag in flags:
            state = _evaluate(flag, user, states)
            states[flag["name"]] = state
            on_counts[flag["name"]] += state.on
        shown = {
            name: {"on": state.on, "value": state.value, "reason": state.reason}
            for name, state in states.items()
        }
        results.append({"id": user["id"], "flags": shown})
    return {"results": results, "on_counts": on_counts}


def _evaluate(flag: _Flag, user: _User, states: dict[str, _State]) -> _State:
    """Evaluate a flag for a user.

    Args:
        flag: A valid flag.
        user: A user.
        states: What the flags are for the user that this one requires.

    Returns:
        What the flag is.
    """
    if not flag.get("enabled", True):
        return _State(None, "disabled")
    for name in flag.get("requires", []):
        if not states[name].on:
            return _State(None, f"requires:{name}")
    attrs = user.get("attrs", {})
    for number, rule in enumerate(flag.get("rules", [])):
        if all(_holds(condition, attrs) for condition in rule["conditions"]):
            salt = _salt(flag)
            if _bucket(f"{salt}:{user['id']}") >= rule.get("percent", _BUCKETS):
                return _State(None, f"rollout:{number}")
            bucket = _bucket(f"{salt}:variant:{user['id']}")
            return _State(_variant(flag, bucket), f"rule:{number}")
    return _State(None, "no_rule")


def _salt(flag: _Flag) -> str:
    """Give what the contract calls SALT."""
    salt: str | None = flag.get("salt")
    name: str = flag["name"]
    return name if salt is None else salt


def _variants(flag: _Flag) -> list[tuple[str, int]]:
    """Give the name and the weight of each variant."""
    if "variants" not in flag:
        return [("on", _BUCKETS)]
    return [(variant["name"], variant["weight"]) for variant in flag["variants"]]


def _variant(flag: _Flag, bucket: int) -> str | None:
    """Give the name of the variant for a bucket; valid weights leave no bucket without one."""
    total = 0
    for name, weight in _variants(flag):
        total += weight
        if total > bucket:
            return name
    return None


def _bucket(text: str) -> int:
    """Give the bucket of a string."""
    value = _FNV_START
    for byte in text.encode():
        value = (value ^ byte) * _FNV_PRIME & _FNV_MASK
    return value % _BUCKETS


# ---------------------------------------------------------------------------------- the conditions


def _all_conditions(flag: _Flag) -> Iterator[dict[str, Any]]:
    """Give the conditions of all rules of a flag."""
    for rule in flag.get("rules", []):
        yield from rule["conditions"]


def _fits_op(condition: dict[str, Any]) -> bool:
    """Tell whether the `value` of a condition fits its `op`."""
    value = condition["value"]
    match condition["op"]:
        case "in":
            return isinstance(value, list)
        case "gt" | "lt":
            return _is_integer(value)
        case "prefix":
            return isinstance(value, str)
        case "exists":
            return isinstance(value, bool)
    return not isinstance(value, list)


def _holds(condition: dict[str, Any], attrs: dict[str, Any]) -> bool:
    """Tell whether a valid condition holds for the attributes of a user."""
    op, value = condition["op"], condition["value"]
    if condition["attr"] not in attrs:
        return op == "ne" or (op == "exists" and value is False)
    attribute = attrs[condition["attr"]]
    match op:
        case "eq":
            return _equal(attribute, value)
        case "ne":
            return not _equal(attribute, value)
        case "in":
            return any(_equal(attribute, element) for element in value)
        case "gt":
            return _is_integer(attribute) and attribute > value
        case "lt":
            return _is_integer(attribute) and attribute < value
        case "prefix":
            return isinstance(attribute, str) and attribute.startswith(value)
    return value is True


def _equal(one: Any, other: Any) -> bool:
    """Tell whether two scalars have the same type and value."""
    return type(one) is type(other) and bool(one == other)


# -------------------------------------------------------------------------------------- the fields


def _is_integer(value: Any) -> bool:
    """Tell whether a value is an integer; a boolean is none."""
    return type(value) is int


def _is_part(value: Any) -> bool:
    """Tell whether a value is an integer from 0 to 10000."""
    return _is_integer(value) and 0 <= value <= _BUCKETS


def _is_name(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


def _is_scalar(value: Any) -> bool:
    """Tell whether a value is a scalar."""
    if isinstance(value, str):
        return len(value) <= 100
    return isinstance(value, bool) or (_is_integer(value) and abs(value) <= 1_000_000_000)


def _is_array(value: Any, low: int, high: int, allows: Callable[[Any], bool]) -> bool:
    """Tell whether a value is an array of allowed elements whose length is in a range."""
    return isinstance(value, list) and low <= len(value) <= high and all(map(allows, value))


def _are_attributes(value: Any) -> bool:
    """Tell whether a value is an object of attributes."""
    return (
        isinstance(value, dict)
        and len(value) <= 50
        and all(_is_name(name) and _is_scalar(member) for name, member in value.items())
    )


_Members = dict[str, Callable[[Any], bool]]


def _object_test(required: _Members, optional: _Members) -> Callable[[Any], bool]:
    """Make the test for an object from the tests of its members."""

    def allows(value: Any) -> bool:
        return (
            isinstance(value, dict)
            and all(name in value and test(value[name]) for name, test in required.items())
            and all(name not in value or test(value[name]) for name, test in optional.items())
        )

    return allows


_is_condition = _object_test(
    required={
        "attr": _is_name,
        "op": lambda value: value in _OPS,
        "value": lambda value: _is_scalar(value) or _is_array(value, 0, 20, _is_scalar),
    },
    optional={},
)
_is_rule = _object_test(
    required={"conditions": lambda value: _is_array(value, 0, 10, _is_condition)},
    optional={"percent": _is_part},
)
_is_variant = _object_test(required={"name": _is_name, "weight": _is_part}, optional={})
_is_flag = _object_test(
    required={"name": _is_name},
    optional={
        "enabled": lambda value: isinstance(value, bool),
        "salt": lambda value: value is None or _is_name(value),
        "requires": lambda value: _is_array(value, 0, 10, _is_name),
        "rules": lambda value: _is_array(value, 0, 10, _is_rule),
        "variants": lambda value: _is_array(value, 1, 10, _is_variant),
    },
)
_is_user = _object_test(required={"id": _is_name}, optional={"attrs": _are_attributes})

# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: _Members = {
    "flags": lambda value: _is_array(value, 0, 30, _is_flag),
    "users": lambda value: _is_array(value, 0, 50, _is_user),
}
_REQUIRED = ("flags", "users")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
