"""The families about systems: conformance, invariants, and wrong variants that the cases catch."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import islice

import pytest
from wrong_families import Mistake, mistakes

from kcb_core.codec import Json
from kcb_core.equality import same
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.systems_config import (
    cidr_firewall,
    feature_flags,
    semver_resolver,
    state_machine,
    three_way_merge,
)

pytestmark = pytest.mark.families


class TestSemverResolver(FamilyConformance):
    """What every family keeps."""

    family = semver_resolver.FAMILY


class TestStateMachine(FamilyConformance):
    """What every family keeps."""

    family = state_machine.FAMILY


class TestThreeWayMerge(FamilyConformance):
    """What every family keeps."""

    family = three_way_merge.FAMILY


class TestCidrFirewall(FamilyConformance):
    """What every family keeps."""

    family = cidr_firewall.FAMILY


class TestFeatureFlags(FamilyConformance):
    """What every family keeps."""

    family = feature_flags.FAMILY


def _results(family: Family, **changes: Json) -> Iterator[tuple[dict[str, Json], Json]]:
    """100 random inputs with a result, some fields as given, and the results."""
    drawn = ({**fields, **changes} for fields in generated_inputs(family, 4_242, 400))
    pairs = ((fields, answer(family, fields)) for fields in drawn)
    found = list(islice(((i, given["result"]) for i, given in pairs if "result" in given), 100))
    assert len(found) == 100
    yield from found


def _satisfied(version: str, text: str) -> bool:
    """Whether a range alone picks a version, the only one of a package."""
    packages = {"p": [{"version": version}]}
    given = answer(semver_resolver.FAMILY, {"packages": packages, "root": {"p": text}})
    return "result" in given


def test_resolved_versions_keep_what_is_demanded() -> None:
    """All ranges hold, nothing is chosen for nothing, and what is not chosen does not matter."""
    family = semver_resolver.FAMILY
    for fields, result in _results(family):
        resolved = result["resolved"]
        chosen = {
            name: [each for each in fields["packages"][name] if each["version"] == version]
            for name, version in resolved.items()
        }
        deps = [each.get("deps", {}) for (each,) in chosen.values()]
        demands = [pair for each in (fields["root"], *deps) for pair in each.items()]
        assert {name for name, _ in demands} == resolved.keys() == {*result["order"]}
        assert all(_satisfied(resolved[name], text) for name, text in demands)
        assert sorted([*resolved, *result["unused"]]) == sorted(fields["packages"])
        again = answer(family, {**fields, "packages": chosen})["result"]
        assert again == {**result, "unused": []}


def test_a_run_in_two_halves_is_the_whole_run() -> None:
    """The second half goes on from the state that the first one reached."""
    family = state_machine.FAMILY
    for fields, result in _results(family):
        assert len(result["trace"]) == result["consumed"] - result["ignored"] + 1
        assert not {*result["trace"]} & {*result["unreachable"]}
        handled, middle = fields["events"][: result["consumed"]], result["consumed"] // 2
        first = answer(family, {**fields, "events": handled[:middle]})["result"]
        rest = {**fields, "initial": first["final"], "events": handled[middle:]}
        second = answer(family, rest)["result"]
        assert first["trace"] + second["trace"][1:] == result["trace"]
        assert first["emitted"] + second["emitted"] == result["emitted"]
        assert first["ignored"] + second["ignored"] == result["ignored"]
        assert second["accepted"] == result["accepted"]


def test_a_merge_with_one_edited_side_is_that_side() -> None:
    """Where only one side has changed something, there is no conflict."""
    family = three_way_merge.FAMILY
    for fields, _ in _results(family, max_conflicts=1_000):
        base, ours, theirs = fields["base"], fields["ours"], fields["theirs"]
        for sides, merged in (((ours, base), ours), ((base, theirs), theirs), ((ours, ours), ours)):
            once = {**fields, "ours": sides[0], "theirs": sides[1]}
            result = answer(family, once)["result"]
            assert same(result, {"merged": merged, "clean": True, "conflicts": []})


def test_sides_and_strategies_do_not_change_the_conflicts() -> None:
    """They only choose among the values, and only where there is a conflict."""
    family = three_way_merge.FAMILY
    for fields, result in _results(family, max_conflicts=1_000):
        exchanged = {**fields, "ours": fields["theirs"], "theirs": fields["ours"]}
        again = answer(family, exchanged)["result"]
        assert again["conflicts"] == result["conflicts"]
        assert result["clean"] == (not result["conflicts"])
        for strategy in ("ours", "theirs", "base"):
            other = answer(family, {**fields, "strategy": strategy})["result"]
            assert other["conflicts"] == result["conflicts"]
            assert not result["clean"] or same(other["merged"], result["merged"])


def test_edits_of_other_members_do_not_meet() -> None:
    """Members that only one side has touched are what that side has made of them."""
    family = three_way_merge.FAMILY
    for fields, _ in _results(family, max_conflicts=1_000):
        parts = {side: {side: fields["base"]} for side in ("ours", "theirs")}
        base = {**parts["ours"], **parts["theirs"]}
        split = {
            **fields,
            "base": base,
            "ours": {**base, "ours": fields["ours"]},
            "theirs": {**base, "theirs": fields["theirs"]},
        }
        given = answer(family, split)
        if "result" in given:
            merged = {"ours": fields["ours"], "theirs": fields["theirs"]}
            assert same(given["result"], {"merged": merged, "clean": True, "conflicts": []})


def test_shadowed_rules_decide_nothing() -> None:
    """They have no hits, and without them every packet gets the same action."""
    family = cidr_firewall.FAMILY
    for fields, result in _results(family):
        by_default = sum(decision["rule"] is None for decision in result["decisions"])
        assert sum(result["hits"]) + by_default == len(fields["packets"])
        shadowed = {each["rule"] for each in result["shadowed"]}
        assert all(result["hits"][rule] == 0 for rule in shadowed)
        left = [rule for index, rule in enumerate(fields["rules"]) if index not in shadowed]
        again = answer(family, {**fields, "rules": left})["result"]
        actions = [decision["action"] for decision in result["decisions"]]
        assert [decision["action"] for decision in again["decisions"]] == actions


def test_raised_percentages_turn_no_flag_off() -> None:
    """Whoever has a flag keeps it when it is rolled out further; counts are of the results."""
    family = feature_flags.FAMILY
    for fields, result in _results(family):
        names = [flag["name"] for flag in fields["flags"]]
        states = [each["flags"] for each in result["results"]]
        counts = {name: sum(state[name]["on"] for state in states) for name in names}
        assert counts == result["on_counts"]
        raised = copy.deepcopy(fields)
        for rule in (rule for flag in raised["flags"] for rule in flag.get("rules", [])):
            rule["percent"] = min(rule.get("percent", 10_000) + 2_000, 10_000)
        again = [each["flags"] for each in answer(family, raised)["result"]["results"]]
        for before, after in zip(states, again, strict=True):
            assert all(after[name]["on"] for name in names if before[name]["on"])


def test_equal_users_get_equal_flags() -> None:
    """Nothing depends on who else is there."""
    family = feature_flags.FAMILY
    for fields, result in _results(family):
        for user, found in zip(fields["users"], result["results"], strict=True):
            again = answer(family, {**fields, "users": [user, user]})["result"]
            assert again["results"] == [found, found]


_WRONG = {
    semver_resolver: [
        ("(?:0|[1-9][0-9]{0,8})", "(?:[0-9]{1,9})"),
        ("(?:0|[1-9][0-9]{0,8})", "(?:0|[1-9][0-9]*)"),
        ("[0-9]*[A-Za-z-][0-9A-Za-z-]*)", "[0-9A-Za-z-]+)"),
        (r"(?:-({_IDENTIFIER}", r"(?:[-+]({_IDENTIFIER}"),
        (r"[x*]|({_NUMBER})", r"[xX*]|({_NUMBER})"),
        (r"(?:\.[x*])?))?", r"(?:\.[x*])?)){0,2}"),
        (r"(?:\.(?:[x*]|({_NUMBER})(?:\.[x*])?))?", r"(?:\.(?:[x*]|({_NUMBER})))?"),
        ("any(len(set(listed)) < len(listed) for listed in texts)", "len(entries) > len(versions)"),
        ("if None in versions.values():", "if None in [*versions.values()][:1]:"),
        ("reverse=True", "reverse=False"),
        ('key=lambda entry: versions[entry["version"]]', 'key=lambda entry: entry["version"]'),
        ("name = min(missing)", "name = next(n for n, _ in demands if n in missing)"),
        ("name = min(missing)", "name = min(missing, key=lambda n: n.encode('utf-16-be'))"),
        ("name = min(missing)", "name = min(missing, key=lambda n: len(self.candidates[n]))"),
        ("(*outer, *inner) if n in now", "outer if n in now"),
        ("(*outer, *inner) if n in now", "(*outer, *inner) if n in chosen"),
        (
            "if found is not None:\n                    return found\n        return None",
            "return found\n        return None",
        ),
        ("now = {**chosen, name:", "now = {name: '', **chosen, name:"),
        ('*(entry.get("deps", {}) for entry in entries)]', "]"),
        (
            "version.final or any(c.opens == version.core for c in comparators)",
            "True",
        ),
        (
            "version.final or any(c.opens == version.core for c in comparators)",
            "version.final or any(c.opens for c in comparators)",
        ),
        (
            "version.final or any(c.opens == version.core for c in comparators)",
            "version.final or any(c.opens == version.core for cs in alternatives for c in cs)",
        ),
        (
            "version.final or any(c.opens == version.core for c in comparators)",
            "version.final or any((c.opens or ())[:2] == version.core[:2] for c in comparators)",
        ),
        ('(False, int(n), "") if n.isdecimal() else (True, 0, n)', "(False, 0, n)"),
        ('(False, int(n), "") if n.isdecimal()', "(True, int(n), 'A') if n.isdecimal()"),
        ("(True, 0, n) for n in names", "(True, 0, n.lower()) for n in names"),
        ("tuple(keys))", "(*keys, (True, 0, '~')))"),
        ("pre is None, tuple(keys)", "pre is not None, tuple(keys)"),
        ('alternative.split(" ")', "alternative.split()"),
        ('text.split("||")', 'text.replace("||", "|").split("|")'),
        ("for part in parts if part]", "for part in parts]"),
        ('operator in (">", ">=", "<", "<=")', "operator in ('>', '<')"),
        ('if operator == "^" and any(given):', 'if operator == "^" and given:'),
        ('if operator == "^" and any(given):', "if False:"),
        ('if operator == "^" and any(given):', 'if operator in ("^", "~") and any(given):'),
        (
            "_Comparator(_caret(_final(*given)))",
            "_Comparator(lambda o: o.core >= given and o.core[0] == given[0])",
        ),
        ("other.core[: len(given)] == given", "other.core[: len(given)] >= given"),
        ("other.core[: len(given)] == given", "other.final and other.core[: len(given)] == given"),
        ("< _final(major, minor + 1)", "<= _final(major, minor + 1)"),
        ("< _final(major, minor + 1)", "< _final(major + 1)"),
        ("< _final(major, minor + 1)", "< _Version((major, minor + 1, 0), False)"),
        ("version <= other < end", "version < other < end"),
        ("version <= other < end", "version <= other and other.core < end.core"),
        ("end = _final(0, 0, patch + 1)", "end = _final(0, 1)"),
        ("end = _final(0, minor + 1)", "end = _final(1)"),
        ("other > version", "other >= version"),
        ("other <= version", "other < version"),
        (
            "if not all(name in packages",
            "if _Search(packages, {k: v for k, v in versions.items() if v}, ranges).choose({}, "
            "[(n, t) for n, t in root.items() if n in packages]) is None:\n"
            "        raise DomainError('unresolvable')\n    if not all(name in packages",
        ),
        ("sorted(packages.keys() - found.keys())", "[n for n in packages if n not in found]"),
    ],
    state_machine: [
        ('if "*" in states or len(', "if len("),
        ("len(set(states)) < len(states)", "False"),
        ('[fields["initial"], *fields["finals"],', '[fields["initial"],'),
        ('[fields["initial"], *fields["finals"],', '[*fields["finals"],'),
        ('*(each["to"] for each in transitions)]', "]"),
        ('if each["from"] != "*"]', 'if each["from"] in states]'),
        ('if each["from"] != "*"]', "if True]"),
        ("set(named) <= set(states)", "set(named) - {'*'} <= set(states)"),
        ("if len(table) < len(transitions):", "if False:"),
        (
            "if len(table) < len(transitions):",
            "if len({(e['from'], e['on'], e['to']) for e in transitions}) > len(table):",
        ),
        (
            "if len(table) < len(transitions):",
            "if any(a['on'] == b['on'] and a['from'] == '*' != b['from'] "
            "for a in transitions for b in transitions):",
        ),
        (
            'table.get((state, event)) or table.get(("*", event))',
            'table.get(("*", event)) or table.get((state, event))',
        ),
        ('table.get((state, event)) or table.get(("*", event))', "table.get((state, event))"),
        ('transition.get("emit")', 'transition.get("emit") or None'),
        ("for text in emitted if text is not None]", "for text in emitted]"),
        ('"consumed": len(trace) - 1 + ignored', '"consumed": len(trace) - 1'),
        ('"consumed": len(trace) - 1 + ignored', '"consumed": len(fields["events"])'),
        (
            '== "stop":\n            break',
            '== "stop":\n            ignored += 1\n            break',
        ),
        ('== "stop":\n            break', '== "stop":\n            pass'),
        ('"accepted": trace[-1] in', '"accepted": bool(fields["events"]) and trace[-1] in'),
        (
            "reached, waiting = {initial}, [initial]",
            "reached, waiting = ({initial} if table else set()), [initial]",
        ),
        (
            "for event in events]\n",
            "for event in events] + [table.get(('*', e)) for e in events]\n",
        ),
        ("waiting += found\n", "pass\n"),
        ("events = {event for _, event in table}", 'events = {e for s, e in table if s != "*"}'),
        ("return [state for state in states if", "return [state for state in sorted(states) if"),
        (
            '_unreachable(states, fields["initial"], table)',
            '[s for s in states if s not in _run(fields, table)["trace"]]',
        ),
    ],
    three_way_merge: [
        ("canonical(left) == canonical(right)", "left == right"),
        ("canonical(left) == canonical(right)", "str(left) == str(right)"),
        (
            "if left is _ABSENT or right is _ABSENT:\n        return left is right",
            "left, right = (None if v is _ABSENT else v for v in (left, right))",
        ),
        ("_equal(ours, theirs) or _equal(theirs, base)", "_equal(theirs, base)"),
        (
            "if _equal(ours, base):\n            return theirs",
            "if _equal(ours, base) and theirs is not _ABSENT:\n            return theirs",
        ),
        ("if len(objects) == 3:", "if len(objects) >= 2 and {} in objects:"),
        (
            "return value if isinstance(value, dict) else None",
            "return value if isinstance(value, dict) else {} if isinstance(value, int) else None",
        ),
        ("if ours is not _ABSENT and theirs is not _ABSENT:", "if True:"),
        ("for name in {**ours, **theirs}", "for name in {**theirs, **ours}"),
        ("for name in {**ours, **theirs}", "for name in {**_, **ours, **theirs}"),
        ("for name in {**ours, **theirs}", "for name in ours"),
        ("if value is not _ABSENT}", "if value is not _ABSENT and value is not None}"),
        (
            "if value is _ABSENT:\n            return elements",
            "if value is _ABSENT:\n            return None",
        ),
        ("if value is _ABSENT:\n        return {}", "if value is _ABSENT:\n        return None"),
        (
            "if isinstance(key, str | int) and not isinstance(key, bool):",
            "if isinstance(key, str | int):",
        ),
        (
            "if isinstance(key, str | int) and not isinstance(key, bool):",
            "if isinstance(key, str):",
        ),
        (
            "if isinstance(key, str | int) and not isinstance(key, bool):",
            "if isinstance(key, dict | list | str | int) and not isinstance(key, bool):",
        ),
        ("json.dumps(key, ensure_ascii=False)", "json.dumps(key)"),
        ("json.dumps(key, ensure_ascii=False)", "key"),
        ("json.dumps(key, ensure_ascii=False)", "json.dumps(str(key), ensure_ascii=False)"),
        (
            'elements[f"[{json.dumps(key, ensure_ascii=False)}]"]',
            "elements[json.dumps(key, ensure_ascii=False)]",
        ),
        ("return elements if len(elements) == len(value) else None", "return elements"),
        (
            "token.replace('~', '~0').replace('/', '~1')",
            "token.replace('/', '~1').replace('~', '~0')",
        ),
        (
            "token.replace('~', '~0').replace('/', '~1')",
            "(token if token[:1] == '[' else token.replace('~', '~0').replace('/', '~1'))",
        ),
        ("sorted(merge.conflicts)", "merge.conflicts"),
        ("sorted(merge.conflicts)", "sorted(merge.conflicts, key=lambda c: c[0].split('/'))"),
        (
            "sorted(merge.conflicts)",
            "sorted(merge.conflicts, key=lambda c: c[0].encode('utf-16-be'))",
        ),
        ("sorted(merge.conflicts)", "sorted(merge.conflicts, key=lambda c: (c[1], c[0]))"),
        ('> fields["max_conflicts"]', '>= fields["max_conflicts"] > 0'),
        ('> fields["max_conflicts"]', '> (fields["max_conflicts"] or 1000)'),
        ('> fields["max_conflicts"]', '> fields["max_conflicts"] + 1'),
        (
            '"add_add" if base is _ABSENT else "both_changed"',
            '"both_changed"',
        ),
        ("if ours is _ABSENT or theirs is _ABSENT:\n", "if ours is _ABSENT:\n"),
        ("if ours is _ABSENT or theirs is _ABSENT:\n", "if theirs is _ABSENT:\n"),
        (
            '"base": base}[self.strategy]',
            '"base": ours if base is _ABSENT else base}[self.strategy]',
        ),
        (
            'return {"ours": ours, "theirs"',
            'return {"ours": theirs if ours is _ABSENT else ours, "theirs"',
        ),
    ],
    cidr_firewall: [
        ('"0|[1-9][0-9]{0,2}"', '"[0-9]{1,3}"'),
        ('"0|[1-9][0-9]{0,2}"', r'"0|[1-9]\\d{0,2}"'),
        ("int(part) < 256", "int(part) <= 256"),
        ("int(size) > _BITS", "int(size) >= _BITS"),
        ("int(size) > _BITS", "int(size) > 33"),
        ("or address % 2 ** (_BITS - int(size))", "or False"),
        (
            "or address % 2 ** (_BITS - int(size))",
            "or address % 2 ** (_BITS - int(size) - int(size) % 8)",
        ),
        (
            "or address % 2 ** (_BITS - int(size))",
            "or int(size) and address % 2 ** (_BITS - int(size))",
        ),
        (
            'base, _, size = text.partition("/")',
            'base, _, size = (text if "/" in text else text + "/32").partition("/")',
        ),
        ("if len(parts) != 4 or not all(", "if not all("),
        ("_NUMBER.fullmatch(part) and int(part)", "part.strip().isdecimal() and int(part)"),
        ("_NUMBER.fullmatch(part) and int(part)", "_NUMBER.match(part) and int(part)"),
        ('"big")', '"little")'),
        (">> (_BITS - size) == 0", ">> (_BITS - size) // 8 * 8 == 0"),
        ("_lies_in(dst, self.dst)", "_lies_in(src, self.dst)"),
        ("and _lies_in(dst, self.dst)", "or _lies_in(dst, self.dst)"),
        ('and self.proto in ("any", proto)', ""),
        ("self.ports[0] <= port <= self.ports[1]", "self.ports[0] <= port < self.ports[1]"),
        ("self.ports[0] <= port <= self.ports[1]", "self.ports[0] < port <= self.ports[1]"),
        (
            "port is not None and self.ports[0] <= port <= self.ports[1]",
            "self.ports[0] <= (port or 0) <= self.ports[1]",
        ),
        (
            "port is not None and self.ports[0] <= port <= self.ports[1]",
            "port and self.ports[0] <= port <= self.ports[1]",
        ),
        ("return inner[1] >= outer[1] and", "return"),
        ("return inner[1] >= outer[1] and", "return inner[1] > outer[1] and"),
        ('and self.proto in ("any", other.proto)', 'and "any" in (self.proto, other.proto)'),
        ('and self.proto in ("any", other.proto)', "and self.proto == other.proto"),
        (
            'and self.proto in ("any", other.proto)',
            'and (self.proto == other.proto or "any" in (self.proto, other.proto))',
        ),
        ("and _is_inside(other.dst, self.dst)", ""),
        ('self.proto in ("tcp", "udp"):', 'self.proto != "icmp":'),
        ('self.proto in ("tcp", "udp"):', 'self.proto == "tcp":'),
        ('self.proto in ("tcp", "udp"):', "False:"),
        ("ports is not None and low", "ports is None or low"),
        ("ports[1] <= high", "ports[0] <= high"),
        ("low <= ports[0] and", "low < ports[0] and"),
        (
            "_first(rule.covers(other) for rule in rules[:j])",
            "_first(rule.covers(other) for rule in rules[:j + 1])",
        ),
        (
            "_first(rule.covers(other) for rule in rules[:j])",
            "_first(rule is not other and rule.covers(other) for rule in rules)",
        ),
        (
            "_first(rule.covers(other) for rule in rules[:j])",
            "next((i for i in reversed(range(j)) if rules[i].covers(other)), None)",
        ),
        (
            "_first(rule.covers(other) for rule in rules[:j])",
            "_first(rule.covers(other) and entries[i]['action'] != entries[j]['action'] "
            "for i, rule in enumerate(rules[:j]))",
        ),
        (
            "_first(rule.covers(other) for rule in rules[:j])",
            "_first(bool(deciding) and rule.covers(other) for rule in rules[:j])",
        ),
        ("ports[0] > ports[1] or", "ports[0] >= ports[1] or"),
        (' or entry["proto"] == "icmp"', ""),
        (
            'if any((each["proto"] == "icmp") != (each.get("port") is None)',
            'if any(each["proto"] != "icmp" and each.get("port") is None',
        ),
        ('(each.get("port") is None)', '(not each.get("port"))'),
        ('(each.get("port") is None)', '("port" not in each)'),
        ("for entry in entries]\n    for", "for entry in entries[:1]]\n    for"),
    ],
    feature_flags: [
        ("2_166_136_261", "0"),
        ("(value ^ byte) * 16_777_619 % 2**32", "value * 16_777_619 % 2**32 ^ byte"),
        ("(value ^ byte) * 16_777_619 % 2**32", "(value ^ byte) * 16_777_619 % 2**64"),
        ("text.encode()", "text.encode('utf-16-le')"),
        ("text.encode()", "text.encode('latin-1', 'replace')"),
        ("return value % _WHOLE", "return abs(value - 2**32 * (value >> 31)) % _WHOLE"),
        ("return value % _WHOLE", "return value % 100 * 100"),
        ('f"{salt}:{user}"', 'f"{user}:{salt}"'),
        ('f"{salt}:{user}"', 'f"{salt}{user}"'),
        ('f"{salt}:variant:{user}"', 'f"{salt}:{user}"'),
        ('f"{salt}:variant:{user}"', "f\"{flag['name']}:variant:{user}\""),
        ('flag["name"] if flag["salt"] is None else flag["salt"]', 'flag["name"]'),
        ("bucket < rule.get", "bucket <= rule.get"),
        ('bucket < rule.get("percent", _WHOLE)', 'bucket < rule.get("percent", 0)'),
        ("if bucket < total)", "if bucket <= total)"),
        (
            'sums = accumulate(variant["weight"] for variant in variants)',
            'sums = [*(variant["weight"] for variant in variants[1:]), _WHOLE]',
        ),
        (
            'return f"rule:{index}" if on else f"rollout:{index}"',
            'if on:\n                return f"rule:{index}"',
        ),
        ('f"rule:{index}" if on', 'f"rule:{index + 1}" if on'),
        (
            'if not flag["enabled"]:\n        return "disabled"\n    for name',
            "for name",
        ),
        ('f"requires:{name}"', "f\"requires:{flag['requires'][0]}\""),
        ('for name in flag["requires"]:', 'for name in sorted(flag["requires"]):'),
        ('if not states[name]["on"]:', 'if states[name]["reason"] == "disabled":'),
        ("all(_holds(condition, attrs)", "any(_holds(condition, attrs)"),
        (
            'return op == "ne" or (op == "exists" and not value)',
            'return op == "exists" and not value',
        ),
        ('return op == "ne" or (op == "exists" and not value)', 'return op in ("ne", "exists")'),
        ("return bool(value)\n", "return True\n"),
        (
            "return isinstance(attribute, str) and attribute.startswith(value)",
            "return str(attribute).startswith(value)",
        ),
        (
            "return isinstance(attribute, str) and attribute.startswith(value)",
            "return isinstance(attribute, str) and value in attribute",
        ),
        (
            "return isinstance(attribute, str) and attribute.startswith(value)",
            "return isinstance(attribute, str) and attribute.lower().startswith(value.lower())",
        ),
        ("bool(attribute > value)", "bool(attribute >= value)"),
        ("bool(attribute < value)", "bool(attribute <= value)"),
        (
            "_is_integer(attribute) and bool(attribute >",
            "isinstance(attribute, int) and (attribute >",
        ),
        (
            "_is_integer(attribute) and bool(attribute <",
            "isinstance(attribute, int) and (attribute <",
        ),
        ("type(attribute) is type(each) and attribute == each", "attribute == each"),
        ("type(attribute) is type(each) and attribute == each", "str(attribute) == str(each)"),
        (")) if on else None", "))"),
        ("if len(waiting) < len(flags):", "if False:"),
        ('for name in flag["requires"]):', 'for name in flag["requires"] if flag["enabled"]):'),
        (
            "ready = [flag for flag in waiting.values() if",
            "ready = [flag for flag in waiting.values() if not flag['enabled'] or",
        ),
        ("!= _WHOLE for flag in flags)", "< _WHOLE for flag in flags)"),
        ("!= _WHOLE for flag in flags)", "> _WHOLE for flag in flags)"),
        ("!= _WHOLE for flag in flags)", "!= _WHOLE for flag in flags if flag['enabled'])"),
        ("!= _WHOLE for flag in flags)", "!= _WHOLE for flag in flags if fields['users'])"),
        (
            "if not all(_fits(condition) for condition in conditions):",
            "if fields['users'] and not all(_fits(condition) for condition in conditions):",
        ),
        ("return _is_integer(value)\n", "return isinstance(value, int)\n"),
        ("return _is_integer(value)\n", "return not isinstance(value, list)\n"),
        ("return isinstance(value, str)\n", "return not isinstance(value, list)\n"),
        ("return isinstance(value, bool)\n", "return True\n"),
        ("return not isinstance(value, list)\n", "return True\n"),
        ("return isinstance(value, list)\n", "return not isinstance(value, int)\n"),
        ("ordered += ready", "ordered += [] if ordered else ready"),
    ],
}

MISTAKES = mistakes(_WRONG)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
