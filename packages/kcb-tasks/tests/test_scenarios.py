"""Properties that hold of all scenarios of all shipped families and of the toy family."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from kcb_core.codec import Json, canonical, compact
from kcb_core.equality import same
from kcb_core.family import Family
from kcb_core.shape import AnyOf, Array, Boolean, Choice, Integer, Nullable, Text
from kcb_core.task import Scenario, Tag, line_of
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.build import FLOOR_FAMILIES, FLOORS, SHIPPED_SEED
from kcb_tasks.families import discover
from kcb_tasks.scenarios.acts import Act, join
from kcb_tasks.scenarios.material import GENERATED, Material, extremes, violations, wrong
from kcb_tasks.scenarios.sendable import check_line
from kcb_tasks.scenarios.spelling import escaped, scrambled
from kcb_tasks.task import build_task
from kcb_tasks.tiers.layer import ServiceTier
from kcb_tasks.tiers.shipped import TIERS

MOST_SCENARIOS = {"easy": 45, "intermediate": 40, "hard": 50, "max": 65}

every_tier = pytest.mark.parametrize("tier", TIERS, ids=lambda tier: str(tier.name))
every_family = pytest.mark.parametrize(
    "family", [AMOUNTS, *discover()], ids=lambda family: str(family.slug)
)


def _exchanges(scenarios: tuple[Scenario, ...]) -> Iterator[tuple[Json, Json]]:
    for scenario in scenarios:
        for session in scenario.sessions:
            yield from zip(session.requests, session.expected, strict=True)


@pytest.mark.families
@every_tier
@every_family
def test_a_task_of_every_family_in_every_tier(family: Family, tier: ServiceTier) -> None:
    """Each is right by its own oracle, large enough, small enough, and fast enough."""
    task = build_task(family, tier, SHIPPED_SEED)
    assert task.assertions >= FLOORS[tier.name] / FLOOR_FAMILIES
    assert 20 <= len(task.acceptance_tests) <= MOST_SCENARIOS[tier.name]
    examples = {canonical(case.input) for case in family.examples}
    for request, _ in _exchanges(task.acceptance_tests):
        check_line(line_of(request))
        if isinstance(request, dict) and request.get("op") == "evaluate" and "input" in request:
            assert canonical(request["input"]) not in examples
    slowest = max(_replayed(family, tier, scenario) for scenario in task.acceptance_tests)
    assert slowest < 0.5


def _replayed(family: Family, tier: ServiceTier, scenario: Scenario) -> float:
    """Most seconds of CPU that the oracle needs for a session, which it plays as expected."""
    service = tier.service(family)
    slowest = 0.0
    for session in scenario.sessions:
        started = time.process_time()
        for request, expected in zip(session.requests, session.expected, strict=True):
            assert same(expected, service.answer(line_of(request)))
        service.kill()
        slowest = max(slowest, time.process_time() - started)
    return slowest


@every_tier
def test_every_answer_has_the_shape_of_one(
    tier: ServiceTier, scenarios: Callable[[ServiceTier], tuple[Scenario, ...]]
) -> None:
    """Success has a result, failure an error with the members that its code allows."""
    for request, expected in _exchanges(scenarios(tier)):
        if isinstance(request, dict):
            assert expected["id"] == request.get("id")
        if expected["ok"]:
            assert [*expected] == ["id", "ok", "result"]
            continue
        assert [*expected] == ["id", "ok", "error"]
        fielded = expected["error"]["code"] in ("missing_field", "invalid_field")
        assert ("field" in expected["error"]) == fielded
        assert set(expected["error"]) <= {"code", "field", "index"}


@every_tier
def test_every_code_and_operation_of_the_tier_occurs(
    tier: ServiceTier, scenarios: Callable[[ServiceTier], tuple[Scenario, ...]]
) -> None:
    """An operation without success or an error that never comes would be untested."""
    codes: Counter[str] = Counter()
    succeeded: Counter[str] = Counter()
    for request, expected in _exchanges(scenarios(tier)):
        codes[expected.get("error", {}).get("code", "")] += 1
        if expected["ok"] and isinstance(request, dict):
            succeeded[request["op"]] += 1
    assert set(succeeded) == set(tier.operations(AMOUNTS))
    wanted = {"bad_json", "bad_request", "unknown_op", "missing_field", "invalid_field"}
    wanted |= {"not_found"} if tier.rank >= 1 else set()
    wanted |= {"conflict", "transaction_limit", "no_transaction"} if tier.rank >= 2 else set()
    wanted |= {"token_conflict"} if tier.rank >= 3 else set()
    assert set(codes) == wanted | {"", "no_amounts", "over_cap"}


@every_tier
def test_requests_are_objects_and_raw_lines(
    tier: ServiceTier, scenarios: Callable[[ServiceTier], tuple[Scenario, ...]]
) -> None:
    """Most are objects; raw lines are malformed, or valid in another spelling."""
    raw = [request for request, _ in _exchanges(scenarios(tier)) if isinstance(request, str)]
    assert 0.02 < len(raw) / sum(s.assertions for s in scenarios(tier)) < 0.4
    valid = [line for line in raw if _is_object(line)]
    assert any("\\u" in line for line in valid)
    assert any('"\\u006f' in line.lower() or '"\\u00' in line.lower() for line in valid)
    assert any("\\ud83d\\ude00" in line.lower() for line in valid)
    assert any("\t" in line and " " in line for line in valid)
    assert any(not line.isascii() for line in valid)
    assert len(valid) < len(raw)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


@every_tier
def test_ids_vary_and_tell_nothing(
    tier: ServiceTier, scenarios: Callable[[ServiceTier], tuple[Scenario, ...]]
) -> None:
    """Ids of all JSON types occur, and each is drawn without a look at the answer."""
    requests = [r for r, _ in _exchanges(scenarios(tier)) if isinstance(r, dict)]
    types = {type(request["id"]) for request in requests if "id" in request}
    assert types == {int, str, float, bool, list, dict, type(None)}
    assert any("id" not in request for request in requests)
    assert any([*request][-1] == "id" for request in requests)


def test_only_sessions_of_max_end_in_a_kill(
    scenarios: Callable[[ServiceTier], tuple[Scenario, ...]],
) -> None:
    """One session each, but where state outlives the process."""
    for tier in TIERS:
        several = [s for s in scenarios(tier) if len(s.sessions) > 1]
        assert bool(several) == tier.durable


@every_tier
def test_scenarios_are_named_and_tagged(
    tier: ServiceTier, scenarios: Callable[[ServiceTier], tuple[Scenario, ...]]
) -> None:
    """A profile of strengths is drawn by tags, so every aspect of the tier has one."""
    names = [scenario.name for scenario in scenarios(tier)]
    assert len(set(names)) == len(names)
    tags = {tag for scenario in scenarios(tier) for tag in scenario.tags}
    wanted = {Tag.CORE, Tag.FIELD_ERRORS, Tag.PRECEDENCE, Tag.RECOVERY, Tag.UNICODE}
    wanted |= {Tag.ATOMICITY, Tag.ROLLBACK} if tier.rank >= 2 else set()
    wanted |= {Tag.DURABILITY, Tag.TOKENS, Tag.PAGING} if tier.rank >= 3 else set()
    assert tags == wanted
    assert all(scenario.tags for scenario in scenarios(tier))


def test_generated_inputs_are_the_same_in_all_tiers(
    scenarios: Callable[[ServiceTier], tuple[Scenario, ...]],
) -> None:
    """Two tiers of a family differ by required behaviour, never by their inputs."""
    generated = {canonical(fields) for fields in Material(AMOUNTS, SHIPPED_SEED).generated}
    assert len(generated) <= GENERATED
    for tier in TIERS:
        sent = {
            canonical(request["input"])
            for request, _ in _exchanges(scenarios(tier))
            if isinstance(request, dict) and "input" in request
        }
        assert generated <= sent


def test_another_seed_gives_other_inputs_and_ids() -> None:
    """A private dataset of the same difficulty needs no other families."""
    first, second = (tuple(TIERS[0].scenarios(AMOUNTS, seed)) for seed in (1, 2))
    assert [s.name for s in first] == [s.name for s in second]
    assert canonical(first) != canonical(second)
    assert canonical(first) == canonical(tuple(TIERS[0].scenarios(AMOUNTS, 1)))


@pytest.mark.parametrize(
    "shape",
    [
        *(Integer(0, 5), Text(1, 3), Boolean(), Choice("a", "b"), Nullable(Integer(1, 2))),
        *(Array(AnyOf((Integer(0, 1), Text(1, 2))), 1, 3), Array(Array(Integer(0, 9), 1, 2), 0, 2)),
    ],
)
def test_violations_and_extremes_are_bounded_and_right(shape: Integer) -> None:
    """Every violation is refused, every extreme admitted, and every JSON type is tried."""
    refused, admitted = violations(shape), extremes(shape)
    assert 3 <= len(refused) <= 21
    assert 1 <= len(admitted) <= 8
    assert not any(map(shape.admits, refused))
    assert all(map(shape.admits, admitted))
    assert len({compact(value) for value in refused}) == len(refused)
    values: list[Json] = [None, True, 0, 1.5, "1", [], {}]
    plain = {type(value) for value in values if not shape.admits(value)}
    assert plain <= {type(value) for value in refused} <= set(map(type, values))


def test_a_short_wrong_value_is_chosen() -> None:
    """Scripts that are about order repeat it, so it should not be long."""
    assert all(len(compact(wrong(member))) <= 4 for member in AMOUNTS.fields)


def test_spellings_are_the_same_value(
    scenarios: Callable[[ServiceTier], tuple[Scenario, ...]],
) -> None:
    """Whatever is spelled otherwise is equal to a JSON reader, and may be sent."""
    rng = Material(AMOUNTS, 3).rng("spelling")
    value = {'é/\\"': [1, 1.5, None, True, {"😀\u2028": "a\t\b\f\n\r\0b"}], "": {}, "x": [[], ""]}
    lines = [escaped(value), *(scrambled(value, rng) for _ in range(50))]
    for line in lines:
        check_line(line)
        assert json.loads(line) == value
    assert len(set(lines)) == len(lines)
    assert lines[0].isascii()


def test_acts_are_joined_in_order_and_never_split() -> None:
    """Recovery is seen only if an error and what follows it stay in one scenario."""
    acts = [Act("a", (Tag.CORE,), ({"op": n}, "x")) for n in "1234567"]
    acts += [Act("b", (Tag.RECOVERY,), ("y",) * 9)]
    joined = join(acts, 5)
    assert [script.name for script in joined] == ["a-1", "a-2", "a-3", "a-4", "b"]
    assert joined[-1].tags == (Tag.RECOVERY,)
