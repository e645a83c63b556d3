"""The families about time: conformance, invariants, and wrong variants that the cases catch."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise, product
from types import ModuleType

import pytest
from wrong_families import Mistake, mistakes

from kcb_core.codec import Json
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.scheduling import (
    cpu_scheduler,
    critical_path,
    interval_merge,
    meeting_slots,
    shift_roster,
)

pytestmark = pytest.mark.families

_MODULES = (interval_merge, critical_path, cpu_scheduler, meeting_slots, shift_roster)


class TestIntervalMerge(FamilyConformance):
    """What every family keeps."""

    family = interval_merge.FAMILY


class TestCriticalPath(FamilyConformance):
    """What every family keeps."""

    family = critical_path.FAMILY


class TestCpuScheduler(FamilyConformance):
    """What every family keeps."""

    family = cpu_scheduler.FAMILY


class TestMeetingSlots(FamilyConformance):
    """What every family keeps."""

    family = meeting_slots.FAMILY


class TestShiftRoster(FamilyConformance):
    """What every family keeps."""

    family = shift_roster.FAMILY


@pytest.mark.parametrize("module", _MODULES)
def test_drawn_inputs_reach_every_error_and_enough_results(module: ModuleType) -> None:
    """A dataset takes the first 24 inputs, so these must show all that can happen."""
    family = module.FAMILY
    given = [answer(family, fields) for fields in generated_inputs(family, 1729, 24)]
    reached = {found["error"]["code"] for found in given if "error" in found}
    assert reached == {error.code for error in family.errors}
    assert 16 <= sum("result" in found for found in given) <= 20


def _results(family: Family, count: int = 100) -> Iterator[tuple[dict[str, Json], Json]]:
    """Random inputs with a result, and the result."""
    found = 0
    for fields in generated_inputs(family, 4_242, 4 * count):
        given = answer(family, fields)
        if "result" in given and found < count:
            found += 1
            yield fields, given["result"]
    assert found == count


def test_cells_are_covered_or_in_a_gap() -> None:
    """Lengths add up, and where there are few cells each one is looked at."""
    for fields, result in _results(interval_merge.FAMILY):
        window = fields.get("window")
        low, high = window or (-(10**9), 10**9)
        cut = [(max(a, low), min(b, high)) for a, b in fields["intervals"]]
        cut = [(a, b) for a, b in cut if a < b]
        ends = window or (min(a for a, _ in cut), max(b for _, b in cut)) if cut or window else ()
        gaps = sum(b - a for a, b in result["gaps"])
        if ends:
            assert result["covered"] + gaps == ends[1] - ends[0]
        assert sum(b - a for a, b in result["merged"]) == result["covered"]
        touching = fields.get("merge_touching", True)
        for (_, b), (c, _) in pairwise(result["merged"]):
            assert b < c or (b == c and not touching)
        for a, b in cut:
            assert any(c <= a and b <= d for c, d in result["merged"])
        if not ends or ends[1] - ends[0] > 1_000:
            continue
        depth = {cell: sum(a <= cell < b for a, b in cut) for cell in range(*ends)}
        assert result["max_depth"] == max(depth.values())
        uncovered = {cell for cell, count in depth.items() if count == 0}
        assert uncovered == {cell for gap in result["gaps"] for cell in range(*gap)}
        assert all(b < c for (_, b), (c, _) in pairwise(result["gaps"]))
        if cut:
            a, b = result["peak"]
            top = [cell for cell, count in depth.items() if count == result["max_depth"]]
            assert a == top[0]
            assert all(cell in top for cell in range(a, b))
            assert b not in top


def test_times_keep_every_lag_and_the_path_is_as_long_as_the_project() -> None:
    """Nothing starts too early or ends too late, and no time on the path is lost."""
    for fields, result in _results(critical_path.FAMILY):
        times = {task["id"]: task for task in result["tasks"]}
        lags: dict[tuple[str, str], int] = {}
        for task in fields["tasks"]:
            name = task["id"]
            assert times[name]["slack"] >= 0
            assert times[name]["ef"] - times[name]["es"] == task["duration"]
            assert times[name]["lf"] - times[name]["ls"] == task["duration"]
            for dep in task.get("deps", []):
                lag = dep.get("lag", 0)
                assert times[name]["es"] >= times[dep["on"]]["ef"] + lag
                assert times[dep["on"]]["lf"] <= times[name]["ls"] - lag
                lags[dep["on"], name] = max(lag, lags.get((dep["on"], name), 0))
        durations = {task["id"]: task["duration"] for task in fields["tasks"]}
        path = result["path"]
        length = sum(durations[name] for name in path) + sum(lags[p] for p in pairwise(path))
        assert length == result["duration"]
        assert set(path) <= set(result["critical"])
        assert all(times[name]["slack"] == 0 for name in result["critical"])


def test_processes_get_what_they_need_and_the_processor_never_waits() -> None:
    """Entries tile the time; the processor is idle only if nothing is ready."""
    for fields, result in _results(cpu_scheduler.FAMILY):
        gantt = result["gantt"]
        assert gantt[0]["start"] == 0
        assert all(a["end"] == b["start"] and a["id"] != b["id"] for a, b in pairwise(gantt))
        for process, times in zip(fields["processes"], result["processes"], strict=True):
            own = [entry for entry in gantt if entry["id"] == process["id"]]
            assert sum(entry["end"] - entry["start"] for entry in own) == process["burst"]
            assert process["arrival"] <= own[0]["start"] == times["start"]
            assert own[-1]["end"] == times["completion"]
            for entry in gantt:
                if entry["id"] is None:
                    idle = entry["end"] <= process["arrival"] or entry["start"] >= own[-1]["end"]
                    assert idle
        if fields["policy"] in ("fcfs", "sjf"):
            assert len([e for e in gantt if e["id"] is not None]) == len(fields["processes"])
        waiting = Fraction(
            sum(times["waiting"] for times in result["processes"]), len(result["processes"])
        )
        assert Fraction(result["avg_waiting"]) == waiting


def test_slots_lie_on_the_grid_and_suit_all_who_must_come() -> None:
    """The first slot has the most participants of all valid candidates."""
    for fields, result in _results(meeting_slots.FAMILY):
        low, high = fields["window"]
        people = {person["name"]: person for person in fields["participants"]}
        buffer, duration = fields.get("buffer", 0), fields["duration"]
        numbers = []
        for start in range(low, high, fields.get("step", 15)):
            busy = {minute for minute in range(start - buffer, start + duration + buffer)}
            blocked = {
                name
                for name, person in people.items()
                if any(busy & set(range(*interval)) for interval in person.get("busy", []))
            }
            needed = any(people[name].get("required", True) for name in blocked)
            if start + duration <= high and not needed:
                numbers.append(len(blocked))
            for slot in result["slots"]:
                if slot["start"] == start:
                    assert slot["missing"] == [name for name in people if name in blocked]
                    assert slot["attending"] == [name for name in people if name not in blocked]
        assert result["valid"] == len(numbers)
        assert len(result["slots"][0]["missing"]) == min(numbers)
        assert len(result["slots"]) <= fields.get("limit", 3)
        for slot in result["slots"]:
            assert (slot["start"] - low) % fields.get("step", 15) == 0
            assert slot["end"] - slot["start"] == duration
        if fields.get("disjoint"):
            for one, other in combinations(result["slots"], 2):
                assert one["end"] <= other["start"] or other["end"] <= one["start"]


def _allowed(fields: dict[str, Json], teams: Json) -> bool:
    """Whether an assignment keeps all rules."""
    workers, shifts = fields["workers"], fields["shifts"]
    for position, worker in enumerate(workers):
        own = [shift for shift, team in zip(shifts, teams, strict=True) if position in team]
        if len(own) > worker.get("max_shifts", 7):
            return False
        for shift in own:
            if shift["id"] in worker.get("unavailable", []):
                return False
            skill = shift.get("skill")
            if skill is not None and skill not in worker.get("skills", []):
                return False
        for one, other in pairwise(sorted(own, key=lambda shift: shift["start"])):
            if other["start"] - one["end"] < fields.get("min_rest", 0):
                return False
    return True


def test_no_other_roster_is_fairer_or_smaller() -> None:
    """All assignments are listed here, and the best of them found."""
    for fields, result in _results(shift_roster.FAMILY):
        size = len(fields["workers"])
        teams = [list(combinations(range(size), s.get("need", 1))) for s in fields["shifts"]]

        def rank(found: Json, size: int = size) -> Json:
            return max(sum(n in team for team in found) for n in range(size)), found

        best = min(rank(found) for found in product(*teams) if _allowed(fields, found))
        names = [worker["name"] for worker in fields["workers"]]
        listed = [[names[n] for n in team] for team in best[1]]
        assert [found["workers"] for found in result["assignments"]] == listed
        assert result["max_load"] == best[0]
        needs = sum(shift.get("need", 1) for shift in fields["shifts"])
        assert sum(load["shifts"] for load in result["loads"]) == needs


def test_limits_at_the_largest_load_change_nothing() -> None:
    """And limits below it leave no roster at all."""
    for fields, result in _results(shift_roster.FAMILY, 50):
        for most, expected in (
            (result["max_load"], {"result": result}),
            (result["max_load"] - 1, {"error": {"code": "infeasible"}}),
        ):
            workers = [
                {**worker, "max_shifts": min(most, worker.get("max_shifts", 7))}
                for worker in fields["workers"]
            ]
            assert answer(shift_roster.FAMILY, {**fields, "workers": workers}) == expected


_WRONG = {
    interval_merge: [
        ("start < merged[-1][1] or", "start <= merged[-1][1] or"),
        ("(touching and start == merged[-1][1])", "False"),
        ("(touching and start == merged[-1][1])", "(not touching and start == merged[-1][1])"),
        ("max(merged[-1][1], end)", "end"),
        ("run.depth == max_depth > 0", "run.depth == max_depth"),
        ("peaks[0] if peaks", "max(peaks, key=lambda p: p[1] - p[0]) if peaks"),
        ("peaks[0] if peaks", "peaks[-1] if peaks"),
        ("if runs and runs[-1].depth == depth:", "if False:"),
        ("if runs and runs[-1].depth == depth:", "if runs and runs[-1].depth > 0 < depth:"),
        ("window or [])", "[])"),
        ("for run in runs if run.depth > 0)", "for run in runs)"),
        ("change[start] += 1\n", "change[start] = 1\n"),
        ("for start, end in inside if start < end)", "for start, end in inside)"),
        ("for start, end in inside if start < end)", "for start, end in inside if start <= end)"),
        ("in intervals:\n        change", "in set(intervals):\n        change"),
        (
            'if any(start >= end for start, end in fields["intervals"])',
            'if any(start > end for start, end in fields["intervals"])',
        ),
        ("window[0] >= window[1]:", "window[0] > window[1]:"),
        (
            'raise DomainError("bad_interval")',
            'raise DomainError("bad_window" if window and window[1] < 9 else "bad_interval")',
        ),
        (
            "    if any(start >= end for",
            "    if any(start >= end and (not window or start < window[1]) for",
        ),
        ("(max(start, low), min(end, high)) for", "(start, end) for"),
    ],
    critical_path: [
        ("es[name] = max(times, default=0)", "es[name] = min(times, default=0)"),
        ("ef[link.before] + link.lag for", "ef[link.before] for"),
        ("ls[link.after] - link.lag for", "ls[link.after] for"),
        ("min(times, default=end)", "max(times, default=end)"),
        ("lf[name] = min(times, default=end)", "lf[name] = min([end, *times[:1]])"),
        ("path.append(min(following))", "path.append(following[0])"),
        ("path.append(min(following))", "path.append(max(following))"),
        (
            "path.append(min(following))",
            'path.append(min(following, key=lambda n: n.encode("utf-16-be")))',
        ),
        ("path.append(min(following))", "path.append(min(following, key=str.casefold))"),
        ("[name for name in critical if name not in dependent]", "[name for name in critical]"),
        ("_path(critical, links, tight)", "_path(critical, links, links)"),
        ("[name for name in critical if name in after]", "[name for name in after]"),
        (
            "if es[link.after] == ef[link.before] + link.lag]",
            "if es[link.after] == ef[link.before]]",
        ),
        (
            "[name for name in durations if ls[name] == es[name]]",
            "[name for name in sorted(durations) if ls[name] == es[name]]",
        ),
        (
            "[name for name in durations if ls[name] == es[name]]",
            "[name for name in order if ls[name] == es[name]]",
        ),
        ("            for name in durations\n", "            for name in order\n"),
        (
            "    while following:\n",
            "    while following and (not path or min(following) not in path) and len(path) < 3:\n",
        ),
        (
            "before[link.after].add(link.before)",
            "before[link.after].add(link.before) if link.after != link.before else None",
        ),
        (
            'DomainError("duplicate_task")',
            'DomainError("unknown_dependency" if "q" in str(fields) else "duplicate_task")',
        ),
        (
            'DomainError("unknown_dependency")',
            'DomainError("cycle" if any(a == b for a, _, b in links) else "unknown_dependency")',
        ),
        ("    end = max(ef.values(), default=0)", "    end = ef[order[-1]] if order else 0"),
        ("    end = max(ef.values(), default=0)", "    end = sum(durations.values())"),
    ],
    cpu_scheduler: [
        ('return first[policy], process["arrival"], position', "return first[policy], position, 0"),
        (
            'return first[policy], process["arrival"], position',
            'return first[policy], -process["arrival"], position',
        ),
        (
            'return first[policy], process["arrival"], position',
            'return first[policy], process["arrival"], -position',
        ),
        (
            'return first[policy], process["arrival"], position',
            'return first[policy], process["arrival"], process["id"]',
        ),
        ('"fcfs": process["arrival"]', '"fcfs": position'),
        ('"srtf": left[position]', '"srtf": process["burst"]'),
        ('process.get("priority", 0)', 'process.get("priority", 100)'),
        ('process.get("priority", 0)', '-process.get("priority", 0)'),
        ('if policy in ("srtf", "priority") or', 'if policy in ("srtf",) or'),
        ('if policy in ("srtf", "priority") or', 'if policy in ("srtf", "priority", "sjf") or'),
        ('process["arrival"] <= len(units))', 'process["arrival"] < len(units))'),
        ('["arrival"] <= len(units):', '["arrival"] < len(units):'),
        (
            "        while coming and",
            "        queue.extend(stopped)\n        stopped = []\n        while coming and",
        ),
        ('(processes[i]["arrival"], i)', "i"),
        ("queue.popleft()\n", "queue.pop()\n"),
        ("units += [running] * turn", "units += [running] * quantum"),
        (
            "for position, group in groupby(units):",
            "for position, group in ((u, [u]) for u in units):",
        ),
        ("sum(first and second for first, second in pairwise(busy))", "len(busy) - 1"),
        ("sum(first and second for first, second in pairwise(busy))", "sum(busy) - 1"),
        ("str(Fraction(sum(numbers), len(numbers)))", "f'{sum(numbers)}/{len(numbers)}'"),
        ("str(Fraction(sum(numbers), len(numbers)))", "str(sum(numbers) // len(numbers))"),
        ("str(Fraction(sum(numbers), len(numbers)))", "str(sum(numbers) / len(numbers))"),
        ('"start": entries[0]["start"]', '"start": process["arrival"]'),
        (
            '"waiting": turnaround - process["burst"]',
            '"waiting": entries[0]["start"] - process["arrival"]',
        ),
        (
            'raise DomainError("duplicate_process")',
            'raise DomainError("missing_quantum" if policy == "rr" else "duplicate_process")',
        ),
        (
            'raise DomainError("no_processes")',
            'raise DomainError("missing_quantum" if policy == "rr" else "no_processes")',
        ),
    ],
    meeting_slots: [
        ('(start - fields["buffer"], start', "(start, start"),
        ('start + duration + fields["buffer"])', "start + duration)"),
        ("any(start < b and a < end for", "any(start <= b and a < end for"),
        ("any(start < b and a < end for", "any(start < b and a <= end for"),
        ("any(start < b and a < end for", "any(a <= start < b for"),
        ("high - duration + 1, fields", "high - duration, fields"),
        ("high - duration + 1, fields", "high, fields"),
        ("range(low, high", "range(-(-low // fields['step']) * fields['step'], high"),
        ('(len(slot["missing"]), slot["start"])', 'slot["start"]'),
        ('(len(slot["missing"]), slot["start"])', '(len(slot["missing"]), -slot["start"])'),
        ('(len(slot["missing"]), slot["start"])', '(-len(slot["missing"]), slot["start"])'),
        (">= duration for other in kept", "> duration for other in kept"),
        (">= duration for other in kept", '>= duration + fields["buffer"] for other in kept'),
        ("for other in kept)", "for other in kept[-1:])"),
        ("    for slot in ranked:\n", '    for slot in ranked[: fields["limit"]]:\n'),
        (
            "    for slot in ranked:\n",
            '    for slot in sorted(ranked, key=lambda s: fields["disjoint"] * s["start"]):\n',
        ),
        ('"valid": len(ranked)', '"valid": len(kept)'),
        ('"valid": len(ranked)', '"valid": min(len(kept), fields["limit"])'),
        (
            'person.get("required", True) for person in blocked',
            'person.get("required", False) for person in blocked',
        ),
        (
            "if not any(person.get",
            "if len(blocked) < len(fields['participants']) and not any(person.get",
        ),
        (
            "[name for name in names if name not in missing]",
            "sorted(name for name in names if name not in missing)",
        ),
        ('[*busy, fields["window"]]', "busy"),
        ('[*busy, fields["window"]]', '[fields["window"]]'),
        ("if any(start >= end for", "if any(start > end for"),
        (
            'DomainError("duplicate_participant")',
            'DomainError("bad_interval" if duration == 1 else "duplicate_participant")',
        ),
    ],
    shift_roster: [
        ("range(1, len(shifts) + 1)", "[len(shifts)]"),
        ("range(1, len(shifts) + 1)", "range(1, len(shifts))"),
        ("list(combinations(able,", "list(combinations(able[::-1],"),
        (
            "list(combinations(able,",
            "list(combinations(sorted(able, key=lambda p: workers[p]['name']),",
        ),
        ('a["start"] < b["end"] + rest', 'a["start"] <= b["end"] + rest'),
        ('a["start"] < b["end"] + rest', 'a["start"] < b["end"]'),
        ('b["start"] < a["end"] + rest', 'b["start"] < a["end"]'),
        (
            "any(clashes[shift][other] for other in taken)",
            "any(clashes[shift][other] for other in taken[-1:])",
        ),
        (
            "any(clashes[shift][other] for other in taken)",
            "any(clashes[shift][other] for other in taken if other == shift - 1)",
        ),
        ("len(taken) < limits[worker]", "len(taken) <= limits[worker]"),
        ('min(load, worker.get("max_shifts", 7))', "load"),
        (
            "            if found is not None:\n                return found\n",
            "            return found\n",
        ),
        ("(skill is None or skill in", "(skill is None or position == 0 or skill in"),
        (
            'skill in worker.get("skills", [])',
            "skill.lower() in map(str.lower, worker.get('skills', []))",
        ),
        ('if shift["id"] not in worker.get("unavailable", [])', "if True"),
        ("for shift in shifts) > 7", "for shift in shifts) >= 7"),
        ("for shift in shifts) > 7", "for shift in shifts) > 8"),
        ('shift["start"] >= shift["end"]', 'shift["start"] > shift["end"]'),
        ('"max_load": max(loads)', '"max_load": sum(loads)'),
        ("zip(names, loads, strict=True)]", "zip(names, loads, strict=True) if load]"),
        (
            'DomainError("duplicate_worker")',
            'DomainError("duplicate_shift" if len(ids) < len(shifts) else "duplicate_worker")',
        ),
        (
            'raise DomainError("duplicate_shift")',
            'raise DomainError("bad_shift" if shifts[0]["start"] == 2 else "duplicate_shift")',
        ),
        (
            'raise DomainError("bad_shift")',
            'raise DomainError("unknown_shift" if "unavailable" in workers[0] else "bad_shift")',
        ),
        (
            'raise DomainError("unknown_shift")',
            'raise DomainError("too_large" if shifts[0].get("need") == 3 else "unknown_shift")',
        ),
        (
            'raise DomainError("too_large")',
            'raise DomainError("infeasible" if len(workers) == 1 else "too_large")',
        ),
    ],
}

MISTAKES = mistakes(_WRONG)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
