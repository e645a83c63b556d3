"""Continuous integration runs every level of the drills as often as it has to.

Read from the workflows as they are declared: whoever takes a cell out, or lengthens the cycle, is
told which cell waits for how long.
"""

from __future__ import annotations

import copy
import itertools
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from kcb_core.catalog import load_catalog
from kcb_suites.drills.battery import find_batteries, read_battery

ROOT = Path(__file__).parent.parent
WORKFLOWS = ROOT / ".github/workflows"
MODELS = ROOT / ".github/drill-models.txt"
REGISTRY = ROOT / "packages/kcb-agents/src/kcb_agents/models.toml"

MOST_DAYS = 14
"""Longest time between two visits of a cell."""

_YEARS = 4
"""How long a schedule is followed: a leap year with both of its neighbours is in it."""

Cell = tuple[str, str]
"""A drill, as ``battery/drill``, and the id of a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """Cells, and the schedule on which a job visits them."""

    cron: str
    cells: frozenset[Cell]


def read_workflow(path: Path) -> dict[str, Any]:
    """A workflow; the word ``on``, which YAML 1.1 takes for a truth value, is one again."""
    value: dict[Any, Any] = yaml.safe_load(path.read_text("utf-8"))
    return {("on" if name is True else str(name)): each for name, each in value.items()}


def crons(workflow: dict[str, Any]) -> list[str]:
    """The schedules on which a workflow runs."""
    return [entry["cron"] for entry in workflow["on"].get("schedule", ())]


def visits(workflow: dict[str, Any]) -> Iterator[Visit]:
    """What each job of the rotation visits, and when; a job whose schedule never comes has none."""
    for job in workflow["jobs"].values():
        matrix = job.get("strategy", {}).get("matrix", {})
        session = job.get("with", {}).get("session", "")
        if session != "drills_live -- ${{ matrix.drill }} ${{ matrix.model }}":
            continue
        cells = frozenset(itertools.product(matrix["drill"], matrix["model"]))
        left_out = {(one["drill"], one["model"]) for one in matrix.get("exclude", ())}
        for cron in crons(workflow):
            if job["if"] == f"github.event.schedule == '{cron}'":
                yield Visit(cron=cron, cells=cells - left_out)


def late(configured: Iterable[Cell], found: Iterable[Visit]) -> dict[Cell, int | None]:
    """Every configured cell that waits too long, with its longest wait in days; None for ever."""
    kept = list(found)
    days = {visit.cron: firing_days(visit.cron) for visit in kept}
    waits: dict[Cell, int | None] = {}
    for cell in configured:
        on = sorted({day for visit in kept if cell in visit.cells for day in days[visit.cron]})
        gaps = [(later - earlier).days for earlier, later in itertools.pairwise(on)]
        if not gaps:
            waits[cell] = None
        elif max(gaps) > MOST_DAYS:
            waits[cell] = max(gaps)
    return waits


def firing_days(cron: str) -> list[date]:
    """The days of some years on which a schedule fires.

    As in POSIX ``crontab``: if both the day of the month and that of the week are restricted,
    either will do.
    """
    minute, hour, of_month, month, of_week = cron.split()
    assert _numbers(minute, 0, 59)
    assert _numbers(hour, 0, 23)
    months, weekdays = _numbers(month, 1, 12), {n % 7 for n in _numbers(of_week, 0, 7)}
    monthdays = _numbers(of_month, 1, 31)
    start = date(2027, 1, 1)
    found = []
    for day in (start + timedelta(days=n) for n in range(_YEARS * 366)):
        by_month, by_week = day.day in monthdays, day.isoweekday() % 7 in weekdays
        either = "*" not in (of_month, of_week)
        if day.month in months and (by_month or by_week if either else by_month and by_week):
            found.append(day)
    return found


def _numbers(field: str, least: int, most: int) -> set[int]:
    """The numbers that one field of a schedule names."""
    found: set[int] = set()
    for part in field.split(","):
        where, _, step = part.partition("/")
        first, _, last = where.partition("-")
        if where == "*":
            low, high = least, most
        else:
            low, high = int(first), int(last or (most if step else first))
        found |= set(range(low, high + 1, int(step or 1)))
    assert found <= set(range(least, most + 1)), field
    return found


def configured() -> set[Cell]:
    """Every live drill of the shipped batteries by every configured model."""
    codes = [code.code for code in load_catalog().fault_codes()]
    batteries = [read_battery(folder, codes) for folder in find_batteries(None)]
    return {
        (f"{battery.name}/{drill.drill}", model)
        for battery in batteries
        for drill in battery.drills
        if drill.level == 2
        for model in models()
    }


def models() -> list[str]:
    """The configured models."""
    lines = MODELS.read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.fixture
def rotation() -> dict[str, Any]:
    """The workflow of the rotation, which a test may spoil."""
    return copy.deepcopy(read_workflow(WORKFLOWS / "rotation.yml"))


def test_every_cell_is_visited_at_least_once_in_14_days(rotation: dict[str, Any]) -> None:
    """A model or a drill that is not looked at is not known to work."""
    assert len(configured()) >= 3 * 9
    assert late(configured(), visits(rotation)) == {}


def test_a_dropped_cell_is_named(rotation: dict[str, Any]) -> None:
    """In whichever way it goes: out of a list, by an exclusion, or with its job's schedule."""
    lost = ("shelf/stale-lock", "qwen/qwen3-coder:free")
    for job in rotation["jobs"].values():
        if "shelf/stale-lock" in job.get("strategy", {}).get("matrix", {}).get("drill", ()):
            matrix = job["strategy"]["matrix"]
            matrix["exclude"] = [dict(zip(("drill", "model"), lost, strict=True))]
            assert late(configured(), visits(rotation)) == {lost: None}
            del matrix["exclude"]
            matrix["drill"].remove("shelf/stale-lock")
            assert set(late(configured(), visits(rotation))) == {
                ("shelf/stale-lock", model) for model in models()
            }
    rotation["on"]["schedule"] = [{"cron": "41 3 * * 1"}]
    assert ("klein-bench/nearest-task", models()[0]) in late(configured(), visits(rotation))


def test_a_cycle_of_15_days_is_too_long(rotation: dict[str, Any]) -> None:
    """The longest wait of each of its cells is told."""
    longer = "41 3 1,16 * *"
    for entry in rotation["on"]["schedule"]:
        if entry["cron"] == "41 3 * * 5":
            entry["cron"] = longer
    rotation["jobs"]["friday"]["if"] = f"github.event.schedule == '{longer}'"
    found = late(configured(), visits(rotation))
    assert set(found.values()) == {16}
    assert {drill.partition("/")[0] for drill, _ in found} == {"klein-bench"}


@pytest.mark.parametrize(
    ("cron", "longest"),
    [
        *(("0 3 * * *", 1), ("0 3 * * 1", 7), ("0 3 1,15 * *", 17), ("0 3 */14 * *", 14)),
        *(("0 3 1-31/15 * *", 15), ("0 3 1 * 1", 7), ("0 3 * 1-6 0", 196)),
    ],
)
def test_schedules_are_followed_day_by_day(cron: str, longest: int) -> None:
    """The longest gap of each, months of all lengths among them."""
    days = firing_days(cron)
    assert max((b - a).days for a, b in itertools.pairwise(days)) == longest


def test_every_model_of_the_rotation_can_be_asked() -> None:
    """Its address and the name of its key are known."""
    listed = {entry["id"] for entry in tomllib.loads(REGISTRY.read_text())["models"]}
    assert [model for model in models() if model not in listed] == []


def test_levels_0_and_1_run_on_every_push_and_every_night() -> None:
    """Whatever breaks a drill is seen before a model is paid for it."""
    check = read_workflow(WORKFLOWS / "check.yml")
    sessions = check["jobs"]["nox"]["strategy"]["matrix"]["sessions"]
    assert any("drills" in entry.split() for entry in sessions)
    assert "push" in check["on"]
    assert "drills" in (ROOT / ".ci/run").read_text().split()
    nightly = read_workflow(WORKFLOWS / "nightly.yml")
    assert [step.get("run") for step in nightly["jobs"]["drills"]["steps"]][-1] == (
        "nox --session drills"
    )
    (cron,) = crons(nightly)
    days = firing_days(cron)
    assert {(b - a).days for a, b in itertools.pairwise(days)} == {1}
