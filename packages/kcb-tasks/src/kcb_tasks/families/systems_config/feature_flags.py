"""Feature flags: requirements, rules, percentages and variants, evaluated for users."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import (
    AnyOf,
    Array,
    Boolean,
    Checked,
    Choice,
    Integer,
    Mapped,
    Nullable,
    Record,
    Text,
    label,
    optional,
    required,
)

_SUMMARY = """\
Finds out which feature flags are on for which users.

A scalar is a string of 0 to 100 code points, an integer from -1000000000 to 1000000000, `true` or
`false`. Two scalars are equal if they have the same type and the same value: `true`, `1` and `"1"`
are three different scalars.

The bucket of a string is an integer from 0 to 9999: the FNV-1a hash (32 bits) of its UTF-8 bytes,
modulo 10000. This hash begins with 2166136261. For each byte, in order, it is first XORed with the
byte, and then multiplied by 16777619 modulo 2^32. The bucket of `a` is 2220.

A flag has a `name`. `requires` has names of flags. `rules` are numbered from 0; each has
`conditions`, and a `percent` in hundredths of a percent. Each element of `variants` has a `name`
and a `weight`. A user has an `id`, and attributes in `attrs`: values under names.

Below, USERID is the `id` of the user. SALT is the `salt` of the flag, or its `name` if `salt` is
`null`. The first of these steps that applies says whether a flag is on or off for a user, and why:

1. `enabled` is `false`: it is off, and the reason is `disabled`.
2. A flag in `requires` is off for this user: it is off, and the reason is `requires:NAME`, where
   NAME is the first such name in `requires`.
3. A rule holds, that is, all of its `conditions` hold. Only the first rule that holds counts; i is
   its number. If the bucket of `SALT:USERID` is less than its `percent`, the flag is on, and the
   reason is `rule:i`. Otherwise it is off, and the reason is `rollout:i`.
4. No rule holds: it is off, and the reason is `no_rule`.

The value of a flag that is on is the `name` of the first of its `variants` for which the sum of its
`weight` and all weights before it is greater than the bucket of `SALT:variant:USERID` (the word
`variant` stays as it is). The value of a flag that is off is `null`.

A condition looks at the attribute of the user that has the name `attr`. It holds:

- `eq`: if the attribute is equal to `value`; `ne`: if it is not.
- `in`: if the attribute is equal to an element of the array `value`.
- `gt`: if the attribute is an integer greater than `value`; `lt`: if it is an integer less than it.
- `prefix`: if the attribute is a string that begins with `value`.
- `exists`: if `value` is `true`.

But if the user has no such attribute, `ne` holds, `exists` holds if `value` is `false`, and no
other condition holds."""

_RESULT = """\
An object with these members:

- `results`: an array of objects `{"id": u, "flags": f}`, one for each user, in the order of
  `users`. `f` is an object with one member for each flag, under the name of the flag: an object
  with `on`, `true` or `false`; `value`; and `reason`, a string.
- `on_counts`: an object with one member for each flag, under the name of the flag: the number of
  users for whom it is on."""

_RULES = """\
- A rule without conditions holds for every user.
- Several users may have the same `id`. A flag may require flags that come later in `flags`."""

_WHOLE = 10_000

_Attributes = Mapping[str, Any]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    flags = [{**_DEFAULTS, **flag} for flag in fields["flags"]]
    ordered = _by_requirements(flags)
    if any(sum(v["weight"] for v in flag["variants"]) != _WHOLE for flag in flags):
        raise DomainError("bad_weights")
    conditions = [c for flag in flags for rule in flag["rules"] for c in rule["conditions"]]
    if not all(_fits(condition) for condition in conditions):
        raise DomainError("bad_condition")
    results = [
        {"id": user["id"], "flags": _for_user(ordered, user["id"], user.get("attrs", {}))}
        for user in fields["users"]
    ]
    counts = {
        flag["name"]: sum(result["flags"][flag["name"]]["on"] for result in results)
        for flag in flags
    }
    return {"results": results, "on_counts": counts}


_DEFAULTS: Mapping[str, Json] = {
    "enabled": True,
    "salt": None,
    "requires": (),
    "rules": (),
    "variants": ({"name": "on", "weight": _WHOLE},),
}


def _by_requirements(flags: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The flags, each after all that it requires."""
    waiting = {flag["name"]: flag for flag in flags}
    if len(waiting) < len(flags):
        raise DomainError("duplicate_flag")
    if not all(name in waiting for flag in flags for name in flag["requires"]):
        raise DomainError("unknown_flag")
    ordered: list[Mapping[str, Any]] = []
    while waiting:
        ready = [flag for flag in waiting.values() if waiting.keys().isdisjoint(flag["requires"])]
        if not ready:
            raise DomainError("requirement_cycle")
        ordered += ready
        waiting = {name: flag for name, flag in waiting.items() if flag not in ready}
    return ordered


def _fits(condition: Mapping[str, Any]) -> bool:
    """Whether the value of a condition is of a kind that its operator can compare with."""
    value, op = condition["value"], condition["op"]
    if op == "in":
        return isinstance(value, list)
    if op in ("gt", "lt"):
        return _is_integer(value)
    if op == "prefix":
        return isinstance(value, str)
    if op == "exists":
        return isinstance(value, bool)
    return not isinstance(value, list)


def _is_integer(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _for_user(flags: Sequence[Mapping[str, Any]], user: str, attrs: _Attributes) -> dict[str, Json]:
    """What each flag is for a user; the flags come after those that they require."""
    states: dict[str, Json] = {}
    for flag in flags:
        salt = flag["name"] if flag["salt"] is None else flag["salt"]
        reason = _reason(flag, states, attrs, _bucket(f"{salt}:{user}"))
        on = reason.startswith("rule:")
        value = _variant(flag["variants"], _bucket(f"{salt}:variant:{user}")) if on else None
        states[flag["name"]] = {"on": on, "value": value, "reason": reason}
    return states


def _reason(
    flag: Mapping[str, Any], states: Mapping[str, Json], attrs: _Attributes, bucket: int
) -> str:
    if not flag["enabled"]:
        return "disabled"
    for name in flag["requires"]:
        if not states[name]["on"]:
            return f"requires:{name}"
    for index, rule in enumerate(flag["rules"]):
        if all(_holds(condition, attrs) for condition in rule["conditions"]):
            on = bucket < rule.get("percent", _WHOLE)
            return f"rule:{index}" if on else f"rollout:{index}"
    return "no_rule"


def _holds(condition: Mapping[str, Any], attrs: _Attributes) -> bool:
    op, value = condition["op"], condition["value"]
    if condition["attr"] not in attrs:
        return op == "ne" or (op == "exists" and not value)
    attribute = attrs[condition["attr"]]
    if op == "exists":
        return bool(value)
    if op == "prefix":
        return isinstance(attribute, str) and attribute.startswith(value)
    if op == "gt":
        return _is_integer(attribute) and bool(attribute > value)
    if op == "lt":
        return _is_integer(attribute) and bool(attribute < value)
    values = value if op == "in" else [value]
    equal = any(type(attribute) is type(each) and attribute == each for each in values)
    return not equal if op == "ne" else equal


def _variant(variants: Sequence[Mapping[str, Any]], bucket: int) -> Json:
    """The name of the variant to which a bucket belongs."""
    sums = accumulate(variant["weight"] for variant in variants)
    return next(v["name"] for v, total in zip(variants, sums, strict=True) if bucket < total)


def _bucket(text: str) -> int:
    value = 2_166_136_261
    for byte in text.encode():
        value = (value ^ byte) * 16_777_619 % 2**32
    return value % _WHOLE


def _generate(rng: random.Random) -> dict[str, Json]:
    names = rng.sample(_NAMES, rng.randint(1, 6))
    flags = [_draw_flag(rng, name, names[:index]) for index, name in enumerate(names)]
    rng.shuffle(flags)
    users = [_draw_user(rng) for _ in range(rng.choice([0, 1, 3, 5, 8]))]
    if rng.random() < 0.25:
        _spoil(rng, flags)
    return {"flags": flags, "users": users}


def _draw_flag(rng: random.Random, name: str, before: Sequence[str]) -> dict[str, Json]:
    flag: dict[str, Json] = {"name": name}
    if rng.random() < 0.3:
        flag["enabled"] = rng.random() < 0.6
    if rng.random() < 0.4:
        flag["salt"] = rng.choice([None, "s", "é", "a", "😀", ":"])
    if before and rng.random() < 0.5:
        flag["requires"] = [rng.choice(before) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.95:
        flag["rules"] = [_draw_rule(rng) for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))]
    if rng.random() < 0.6:
        weights = rng.choice([[5_000, 5_000], [1, 9_999], [0, 10_000], [3_333, 3_333, 3_334]])
        variants = rng.sample(["A", "B", "on", "é", "variant"], len(weights))
        flag["variants"] = [_weighted(*pair) for pair in zip(variants, weights, strict=True)]
    return flag


def _draw_rule(rng: random.Random) -> dict[str, Json]:
    conditions = [_draw_condition(rng) for _ in range(rng.choice([0, 1, 1, 2]))]
    rule: dict[str, Json] = {"conditions": conditions}
    if rng.random() < 0.6:
        rule["percent"] = rng.choice([0, 2_500, 5_000, 5_000, 7_500, 9_999, 10_000])
    return rule


def _draw_condition(rng: random.Random) -> dict[str, Json]:
    op = rng.choice(["eq", "ne", "in", "gt", "lt", "prefix", "exists"])
    value: Json = rng.choice(_SCALARS)
    if op == "in":
        value = [rng.choice(_SCALARS) for _ in range(rng.randint(0, 5))]
    elif op in ("gt", "lt"):
        value = rng.choice([-1, 0, 1, 17, 10**9])
    elif op == "prefix":
        value = rng.choice(["", "p", "pr", "1", "é", "e", "😀"])
    elif op == "exists":
        value = rng.random() < 0.6
    return {"attr": rng.choice(_ATTRIBUTES), "op": op, "value": value}


def _draw_user(rng: random.Random) -> dict[str, Json]:
    user: dict[str, Json] = {"id": rng.choice(["u1", "u2", "u3", "é", "e\u0301", "😀", "a:b", " "])}
    if rng.random() < 0.9:
        names = rng.sample(_ATTRIBUTES, rng.randint(0, len(_ATTRIBUTES)))
        user["attrs"] = {name: rng.choice(_SCALARS) for name in names}
    return user


def _spoil(rng: random.Random, flags: list[dict[str, Json]]) -> None:
    """Put one fault into an input, seldom two."""
    for _ in range(rng.choice([1, 1, 1, 2])):
        flag, other = rng.choice(flags), rng.choice(flags)
        fault = rng.choice(["unknown", "duplicate", "condition", "cycle", "weights"])
        if fault == "duplicate":
            flags.append({"name": flag["name"]})
        elif fault == "unknown":
            flag["requires"] = [*flag.get("requires", [])[:9], "nowhere"]
        elif fault == "cycle":
            flag["requires"] = [other["name"]]
            other["requires"] = [flag["name"]]
        elif fault == "weights":
            flag["variants"] = [_weighted("A", rng.choice([0, 9_999])), _weighted("B", 0)]
        else:
            op, value = rng.choice(_MISFITS)
            flag["rules"] = [{"conditions": [{"attr": "age", "op": op, "value": value}]}]


_NAMES = ("ui", "beta", "Beta", "é", "e\u0301", "😀", "new ui", "a", ":", "variant")

_ATTRIBUTES = ("plan", "age", "é", "Plan")

_SCALARS: tuple[Json, ...] = (
    *(
        "pro",
        "PRO",
        "p",
        "1",
        "true",
        "",
        "é",
        "e\u0301",
        "😀!",
        0,
        1,
        17,
        18,
        -1,
        10**9,
        True,
        False,
    ),
)

_MISFITS: tuple[tuple[str, Json], ...] = (
    *(("in", "pro"), ("in", 1), ("gt", "5"), ("gt", True), ("lt", [1]), ("lt", False)),
    *(("prefix", 1), ("prefix", ["p"]), ("exists", 1), ("exists", "true"), ("exists", [])),
    *(("eq", []), ("ne", ["a"])),
)


def _weighted(name: str, weight: int) -> Json:
    return {"name": name, "weight": weight}


def _flag(name: str, *rules: Json, **more: Json) -> Json:
    return {"name": name, **more, **({"rules": list(rules)} if rules else {})}


def _rule(percent: int | None = None, *conditions: Json) -> Json:
    rule = {"conditions": list(conditions)}
    return rule if percent is None else {**rule, "percent": percent}


def _condition(attr: str, op: str, value: Json) -> Json:
    return {"attr": attr, "op": op, "value": value}


def _user(name: str, **attrs: Json) -> Json:
    return {"id": name, "attrs": attrs} if attrs else {"id": name}


def _evaluated(flags: Sequence[Json], *users: tuple[Json, Mapping[str, str]]) -> Case:
    """A case in short: flags, and users with a reason for each flag and its value if it is on.

    A flag that is on has a text as in `rule:0 = A`, or just `rule:0` if the value is `on`.
    """
    results = []
    for user, texts in users:
        states: dict[str, Json] = {}
        for name, text in texts.items():
            reason, _, value = text.partition(" = ")
            on = reason.startswith("rule:")
            states[name] = {"on": on, "value": (value or "on") if on else None, "reason": reason}
        results.append({"id": user["id"], "flags": states})
    names = [flag["name"] for flag in flags]
    counts = {n: sum(each["flags"][n]["on"] for each in results) for n in names}
    fields: dict[str, Json] = {"flags": list(flags), "users": [user for user, _ in users]}
    return Case(fields, {"results": results, "on_counts": counts})


def _compared(op: str, value: Json, holds: Sequence[Json], fails: Sequence[Json]) -> Case:
    """A case with one condition, the attributes for which it holds and those for which not.

    The attribute `_LACKED` stands for a user who does not have it.
    """
    users = [(attribute, "rule:0") for attribute in holds]
    users += [(attribute, "no_rule") for attribute in fails]
    return _evaluated(
        [_flag("f", _rule(None, _condition("x", op, value)))],
        *(
            (_user("u") if attribute is _LACKED else _user("u", x=attribute), {"f": reason})
            for attribute, reason in users
        ),
    )


def _fails(error: str, *flags: Json, users: Sequence[Json] = ()) -> Case:
    return Case({"flags": list(flags), "users": list(users)}, error=error)


def _misfit(op: str, value: Json) -> Case:
    return _fails("bad_condition", _flag("f", _rule(0, _condition("x", op, value))))


_LACKED = object()
_ALWAYS = _rule()
_NEVER = _rule(0)

_BOUNDARIES = (
    # Nothing to evaluate; users without flags; equal users.
    Case({"flags": [], "users": []}, {"results": [], "on_counts": {}}),
    Case(
        {"flags": [], "users": [_user("é"), _user("é", x=1)]},
        {"results": [{"id": "é", "flags": {}}, {"id": "é", "flags": {}}], "on_counts": {}},
    ),
    _evaluated([_flag("f", _ALWAYS)]),
    _evaluated(
        [_flag("f", _ALWAYS), _flag("g")],
        *[(_user("u"), {"f": "rule:0", "g": "no_rule"})] * 2,
        (_user("v"), {"f": "rule:0", "g": "no_rule"}),
    ),
    # Each reason; a rule that holds ends the search though it is rolled out to nobody.
    _evaluated(
        [
            _flag("a", _NEVER, _ALWAYS),
            _flag("b", enabled=False),
            _flag("c", _ALWAYS, requires=["a"]),
            _flag(
                "d",
                _rule(None, _condition("x", "exists", False), _condition("x", "ne", 1)),
            ),
        ],
        (
            _user("u"),
            {"a": "rollout:0", "b": "disabled", "c": "requires:a", "d": "rule:0"},
        ),
    ),
    _evaluated(
        [
            _flag(
                "f",
                _rule(None, _condition("x", "eq", 1)),
                _rule(0, _condition("x", "eq", 2)),
                _rule(10_000, _condition("x", "gt", 0)),
                _NEVER,
            )
        ],
        (_user("u", x=1), {"f": "rule:0"}),
        (_user("u", x=2), {"f": "rollout:1"}),
        (_user("u", x=3), {"f": "rule:2"}),
        (_user("u", x=0), {"f": "rollout:3"}),
    ),
    # All conditions of a rule must hold.
    _evaluated(
        [_flag("f", _rule(None, _condition("x", "eq", 1), _condition("y", "eq", "é")))],
        (_user("u", x=1, y="é"), {"f": "rule:0"}),
        (_user("u", x=1, y="e\u0301"), {"f": "no_rule"}),
        (_user("u", y="é"), {"f": "no_rule"}),
        (_user("u", X=1, y="é"), {"f": "no_rule"}),
    ),
    # Buckets: 7940 for "f:u", 5111 for "s:u", 4796 for "é:u", 8293 for "f:é" with one code point,
    # 7243 with two.
    _evaluated([_flag("f", _rule(7_940))], (_user("u"), {"f": "rollout:0"})),
    _evaluated([_flag("f", _rule(7_941))], (_user("u"), {"f": "rule:0"})),
    _evaluated([_flag("f", _rule(5_111), salt="s")], (_user("u"), {"f": "rollout:0"})),
    _evaluated([_flag("f", _rule(5_112), salt="s")], (_user("u"), {"f": "rule:0"})),
    _evaluated([_flag("f", _rule(7_941), salt=None)], (_user("u"), {"f": "rule:0"})),
    _evaluated(
        [_flag("f", _rule(8_293))],
        (_user("é"), {"f": "rollout:0"}),
        (_user("e\u0301"), {"f": "rule:0"}),
    ),
    _evaluated(
        [_flag("f", _rule(7_243))],
        (_user("é"), {"f": "rollout:0"}),
        (_user("e\u0301"), {"f": "rollout:0"}),
    ),
    _evaluated([_flag("f", _rule(8_294))], (_user("é"), {"f": "rule:0"})),
    _evaluated(
        [_flag("f", _rule(4_796), salt="é"), _flag("g", _rule(4_797), salt="é")],
        (_user("u"), {"f": "rollout:0", "g": "rule:0"}),
    ),
    # 4020 for "f:😀", 8151 for "a:b:c".
    _evaluated([_flag("f", _rule(4_020))], (_user("😀"), {"f": "rollout:0"})),
    _evaluated([_flag("f", _rule(4_021))], (_user("😀"), {"f": "rule:0"})),
    _evaluated(
        [_flag("a", _rule(8_151)), _flag("b", _rule(8_152), salt="a:b")],
        (_user("b:c"), {"a": "rollout:0", "b": "rule:0"}),
        (_user("c"), {"a": "rule:0", "b": "rule:0"}),
    ),
    # Percentages of 0 and of 10000; 9369 for "f:z" and 797 for "f:v".
    _evaluated(
        [_flag("f", _rule(9_369))],
        (_user("z"), {"f": "rollout:0"}),
        (_user("v"), {"f": "rule:0"}),
    ),
    # Variants: 9487 for "f:variant:u", 5389 for "f:variant:😀", 3764 for "s:variant:u".
    _evaluated(
        [_flag("f", _ALWAYS, variants=[_weighted("A", 9_487), _weighted("B", 513)])],
        (_user("u"), {"f": "rule:0 = B"}),
        (_user("😀"), {"f": "rule:0 = A"}),
    ),
    _evaluated(
        [_flag("f", _ALWAYS, variants=[_weighted("A", 9_488), _weighted("B", 512)])],
        (_user("u"), {"f": "rule:0 = A"}),
    ),
    _evaluated(
        [
            _flag(
                "f",
                _ALWAYS,
                variants=[
                    _weighted("A", 0),
                    _weighted("B", 5_389),
                    _weighted("C", 0),
                    _weighted("B", 4_098),
                    _weighted("é", 513),
                ],
            )
        ],
        (_user("u"), {"f": "rule:0 = é"}),
        (_user("😀"), {"f": "rule:0 = B"}),
    ),
    _evaluated(
        [
            _flag("f", _rule(7_940), variants=[_weighted("A", 3_764), _weighted("B", 6_236)]),
            _flag("g", _ALWAYS, salt="s", variants=[_weighted("A", 3_764), _weighted("B", 6_236)]),
            _flag("h", _ALWAYS, salt="s", variants=[_weighted("A", 3_765), _weighted("B", 6_235)]),
        ],
        (_user("u"), {"f": "rollout:0", "g": "rule:0 = B", "h": "rule:0 = A"}),
    ),
    # Conditions: types count, and what an absent attribute does.
    _compared("eq", 1, [1], [True, "1", 0, _LACKED]),
    _compared("eq", True, [True], [1, "true", False, _LACKED]),
    _compared("eq", "é", ["é"], ["e\u0301", "É", "", _LACKED]),
    _compared("eq", "", [""], [0, False, _LACKED]),
    _compared("ne", 1, [True, "1", 0, _LACKED], [1]),
    _compared("ne", False, [0, "", True, _LACKED], [False]),
    _compared("in", ["pro", 1, True], ["pro", 1, True], ["PRO", "1", 0, False, _LACKED]),
    _compared("in", [0, "0"], [0, "0"], [False, "", _LACKED]),
    _compared("in", [], [], [0, "", False, _LACKED]),
    _compared("gt", 17, [18, 10**9], [17, 16, -(10**9), "18", True, _LACKED]),
    _compared("gt", 0, [1], [True, False, 0, "1", _LACKED]),
    _compared("lt", 17, [16, -(10**9)], [17, 18, "16", True, False, _LACKED]),
    _compared("lt", 1, [0, -1], [False, 1, "", _LACKED]),
    _compared("prefix", "ab", ["ab", "abc"], ["a", "Ab", "xab", "", 1, _LACKED]),
    _compared("prefix", "", ["", "é"], [0, False, _LACKED]),
    _compared("prefix", "1", ["1", "12"], [1, 12, True, _LACKED]),
    _compared("prefix", "e", ["e\u0301"], ["é", _LACKED]),
    _compared("exists", True, [False, 0, "", True], [_LACKED]),
    _compared("exists", False, [_LACKED], [False, 0, "", True]),
    # Requirements: disabled comes first, then requirements in their order, then rules.
    _evaluated(
        [
            _flag("a", _NEVER, requires=["b", "c"], enabled=False),
            _flag("d", _NEVER, requires=["e", "c", "b"]),
            _flag("f", _NEVER, requires=["e", "e"]),
            _flag("b", _NEVER),
            _flag("c", enabled=False),
            _flag("e", _ALWAYS),
            _flag("g", _ALWAYS, requires=["d"]),
            _flag("h", requires=["g", "e"]),
        ],
        (
            _user("u"),
            {
                "a": "disabled",
                "b": "rollout:0",
                "c": "disabled",
                "d": "requires:c",
                "e": "rule:0",
                "f": "rollout:0",
                "g": "requires:d",
                "h": "requires:g",
            },
        ),
    ),
    _evaluated(
        [
            _flag("top", _ALWAYS, requires=["left", "right"]),
            _flag("left", _rule(None, _condition("x", "eq", 1)), requires=["root"]),
            _flag("right", _ALWAYS, requires=["root"]),
            _flag("root", _rule(None, _condition("x", "gt", 0))),
        ],
        (
            _user("u", x=1),
            {"top": "rule:0", "left": "rule:0", "right": "rule:0", "root": "rule:0"},
        ),
        (
            _user("u", x=2),
            {"top": "requires:left", "left": "no_rule", "right": "rule:0", "root": "rule:0"},
        ),
        (
            _user("u"),
            {
                "top": "requires:left",
                "left": "requires:root",
                "right": "requires:root",
                "root": "no_rule",
            },
        ),
    ),
    # Names are compared exactly.
    _evaluated(
        [_flag("é", _NEVER), _flag("e\u0301", _ALWAYS), _flag("E", requires=["e\u0301", "é"])],
        (_user("u"), {"é": "rollout:0", "e\u0301": "rule:0", "E": "requires:é"}),
    ),
    # Errors, in order of precedence; all flags are checked, with or without users.
    _fails("duplicate_flag", _flag("a"), _flag("a", requires=["q"])),
    _fails("duplicate_flag", _flag("a", requires=["a"]), _flag("b"), _flag("a")),
    _fails("unknown_flag", _flag("a", requires=["a", "q"])),
    _fails("unknown_flag", _flag("a", requires=["a"]), _flag("b", requires=["A"], enabled=False)),
    _fails(
        "requirement_cycle",
        _flag("a", requires=["a"], variants=[_weighted("x", 1)]),
    ),
    _fails(
        "requirement_cycle",
        _flag("d", requires=["a"]),
        _flag("a", requires=["e", "b"]),
        _flag("b", requires=["c"]),
        _flag("c", requires=["a"], enabled=False),
        _flag("e"),
    ),
    _fails("bad_weights", _flag("a", variants=[_weighted("x", 9_999)], enabled=False)),
    _fails("bad_weights", _flag("a"), _flag("b", variants=[_weighted("x", 10_000)] * 2)),
    _fails("bad_weights", _flag("a", variants=[_weighted("x", 0)])),
    _fails(
        "bad_weights",
        _flag("b", _rule(None, _condition("x", "gt", "5"))),
        _flag("a", variants=[_weighted("x", 10_000), _weighted("y", 1)]),
    ),
    *(_misfit(op, value) for op, value in (("gt", "5"), ("gt", True), ("gt", [1]), ("lt", False))),
    *(_misfit(op, value) for op, value in (("in", "a"), ("in", 1), ("in", True), ("eq", ["a"]))),
    *(_misfit(op, value) for op, value in (("ne", []), ("prefix", 1), ("prefix", ["a"]))),
    *(_misfit(op, value) for op, value in (("exists", 1), ("exists", "true"), ("exists", [True]))),
    _fails(
        "bad_condition",
        _flag("a", enabled=False),
        _flag(
            "b",
            _ALWAYS,
            _rule(0, _condition("x", "eq", 1), _condition("x", "lt", "")),
            enabled=False,
        ),
        users=[_user("u")],
    ),
)

_SCALAR = Checked(
    AnyOf((Text(0, 100), Integer(-(10**9), 10**9), Boolean())),
    lambda value: True,
    "a scalar",
    ["a", 1, True, False, "", 0],
    [],
)
_CONDITION = Record(
    (
        required("attr", label()),
        required("op", Choice("eq", "ne", "in", "gt", "lt", "prefix", "exists")),
        required("value", AnyOf((_SCALAR, Array(_SCALAR, 0, 20)))),
    )
)
_RULE = Record(
    (
        required("conditions", Array(_CONDITION, 0, 10)),
        optional("percent", Integer(0, _WHOLE), _WHOLE),
    )
)
_VARIANT = Record((required("name", label()), required("weight", Integer(0, _WHOLE))))
_FLAG = Record(
    (
        required("name", label()),
        optional("enabled", Boolean(), True),
        optional("salt", Nullable(label()), None),
        optional("requires", Array(label(), 0, 10), []),
        optional("rules", Array(_RULE, 0, 10), []),
        optional("variants", Array(_VARIANT, 1, 10), [_weighted("on", _WHOLE)]),
    )
)
_USER = Record((required("id", label()), optional("attrs", Mapped(label(), _SCALAR, 50), {})))

FAMILY = Family(
    number=65,
    slug="feature-flags",
    title="Feature flag evaluation",
    category="systems-config",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("flags", Array(_FLAG, 0, 30), "The flags."),
        required("users", Array(_USER, 0, 50), "The users."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_flag", "Two flags have the same `name`."),
        ErrorCode("unknown_flag", "A name in `requires` is the `name` of no flag."),
        ErrorCode(
            "requirement_cycle",
            "Going from a flag to one in its `requires`, once or several times, can lead back to "
            "the first flag.",
        ),
        ErrorCode("bad_weights", "The weights of the `variants` of a flag do not add up to 10000."),
        ErrorCode(
            "bad_condition",
            "The `value` of a condition does not fit its `op`: `in` needs an array, `gt` and `lt` "
            "an integer, `prefix` a string, `exists` a boolean, `eq` and `ne` a scalar.",
        ),
    ),
    precedence=(
        "The first error of this list that applies is the answer. Each is looked for in all flags, "
        "also in those that are not enabled, and also if there are no users."
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_evaluated(
        [
            _flag("ui", _rule(None, _condition("plan", "in", ["pro", 1]))),
            _flag(
                "beta",
                _rule(5_000, _condition("age", "gt", 17)),
                requires=["ui"],
                salt="s",
                variants=[_weighted("A", 5_000), _weighted("B", 5_000)],
            ),
        ],
        (_user("u1", plan="pro", age=20), {"ui": "rule:0", "beta": "rule:0 = A"}),
        (_user("u2", plan=True, age=99), {"ui": "no_rule", "beta": "requires:ui"}),
        (_user("é", plan=1, age=18), {"ui": "rule:0", "beta": "rollout:0"}),
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _evaluated(
            [
                _flag("export", _ALWAYS, requires=["new-ui"]),
                _flag(
                    "new-ui",
                    _rule(0, _condition("team", "prefix", "ops-")),
                    _rule(8_168, _condition("age", "lt", 30), _condition("trial", "ne", True)),
                    variants=[_weighted("blue", 3_748), _weighted("green", 6_252)],
                ),
            ],
            (_user("ann", age=29), {"export": "requires:new-ui", "new-ui": "rollout:1"}),
            (_user("bob", age=-1, trial=1), {"export": "rule:0", "new-ui": "rule:1 = green"}),
            (_user("zoë", age=30), {"export": "requires:new-ui", "new-ui": "no_rule"}),
            (
                _user("eve", age=3, team="ops-1"),
                {"export": "requires:new-ui", "new-ui": "rollout:0"},
            ),
        ),
        _fails(
            "bad_weights",
            _flag("a", _rule(None, _condition("age", "gt", True))),
            _flag("b", variants=[_weighted("x", 5_000), _weighted("y", 500)], requires=["a"]),
        ),
    ),
    malformed=(
        {"flags": None, "users": []},
        {"flags": {"a": {}}, "users": []},
        {"flags": ["a"], "users": []},
        {"flags": [{}], "users": []},
        {"flags": [{"name": ""}], "users": []},
        {"flags": [{"name": 1}], "users": []},
        {"flags": [_flag("a", enabled=1)], "users": []},
        {"flags": [_flag("a", enabled=None)], "users": []},
        {"flags": [_flag("a", salt="")], "users": []},
        {"flags": [_flag("a", salt=5)], "users": []},
        {"flags": [_flag("a", requires="a")], "users": []},
        {"flags": [_flag("a", requires=None)], "users": []},
        {"flags": [_flag("a", requires=["a"] * 11)], "users": []},
        {"flags": [_flag("a", rules={})], "users": []},
        {"flags": [_flag("a", {"percent": 1})], "users": []},
        {"flags": [_flag("a", _rule(10_001))], "users": []},
        {"flags": [_flag("a", _rule(-1))], "users": []},
        {"flags": [_flag("a", {"conditions": [], "percent": 50.0})], "users": []},
        {"flags": [_flag("a", {"conditions": [], "percent": True})], "users": []},
        {"flags": [_flag("a", {"conditions": None})], "users": []},
        {"flags": [_flag("a", _rule(1, {"attr": "x", "op": "eq"}))], "users": []},
        {"flags": [_flag("a", _rule(1, {"op": "eq", "value": 1}))], "users": []},
        {"flags": [_flag("a", _rule(1, {"attr": "x", "value": 1}))], "users": []},
        {"flags": [_flag("a", _rule(1, _condition("x", "EQ", 1)))], "users": []},
        {"flags": [_flag("a", _rule(1, _condition("x", "ge", 1)))], "users": []},
        {"flags": [_flag("a", _rule(1, _condition("", "eq", 1)))], "users": []},
        {"flags": [_flag("a", _rule(1, _condition("x", "eq", None)))], "users": []},
        {"flags": [_flag("a", _rule(1, _condition("x", "gt", 1.0)))], "users": []},
        {"flags": [_flag("a", _rule(1, _condition("x", "lt", 10**9 + 1)))], "users": []},
        {"flags": [_flag("a", _rule(1, _condition("x", "in", [None])))], "users": []},
        {"flags": [_flag("a", _rule(1, _condition("x", "in", [[1]])))], "users": []},
        {"flags": [_flag("a", _rule(1, _condition("x", "in", [0] * 21)))], "users": []},
        {"flags": [_flag("a", _rule(1, _condition("x", "prefix", "é" * 101)))], "users": []},
        {"flags": [_flag("a", _rule(1, _condition("x", "eq", {"a": 1})))], "users": []},
        {"flags": [_flag("a", variants=[])], "users": []},
        {"flags": [_flag("a", variants=["on"])], "users": []},
        {"flags": [_flag("a", variants=[{"name": "on"}])], "users": []},
        {"flags": [_flag("a", variants=[{"weight": 10_000}])], "users": []},
        {"flags": [_flag("a", variants=[_weighted("on", 10_001)])], "users": []},
        {"flags": [_flag("a", variants=None)], "users": []},
        {"flags": [_flag("a"), _flag("a")], "users": [{}]},
        {"flags": [], "users": ["u"]},
        {"flags": [], "users": [{"id": 1}]},
        {"flags": [], "users": [{"id": ""}]},
        {"flags": [], "users": [{"id": "u", "attrs": None}]},
        {"flags": [], "users": [{"id": "u", "attrs": ["x"]}]},
        {"flags": [], "users": [{"id": "u", "attrs": {"x": None}}]},
        {"flags": [], "users": [{"id": "u", "attrs": {"x": 0.5}}]},
        {"flags": [], "users": [{"id": "u", "attrs": {"x": ["a"]}}]},
        {"flags": [], "users": [{"id": "u", "attrs": {"": 1}}]},
        {"flags": [], "users": [{"id": "u", "attrs": {"x": -(10**9) - 1}}]},
    ),
)
