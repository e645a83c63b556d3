"""Says of every wrong program which scenario tells it apart first, and which scenarios never do.

``nox -s kills`` runs it. The wrong programs are those of the tests: shells over the toy family in
the tiers in which they are wrong, and families with a mistake in the easy tier, whose scenarios on
the contract all tiers share. A scenario that is never the first to tell is not useless: another one
before it may tell the same. But where a task is short of room, it is the one to look at.
"""

from __future__ import annotations

import argparse
import importlib
import signal
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import FrameType, ModuleType

from first_kill import Kill, Played, first_kill, ready, topic, toy_played, toy_scenarios
from wrong_families import Failing, Mistake

from kcb_core import console
from kcb_core.family import Family
from kcb_core.task import Scenario
from kcb_tasks.build import SHIPPED_SEED
from kcb_tasks.tiers.easy import EASY
from kcb_tasks.tiers.shipped import TIERS

HERE = Path(__file__).parent

FAMILIES = "families"

MISTAKE_S = 30
"""How long one mistake is played; one that makes a program loop has told itself apart by then."""

Scenarios = dict[str, Sequence[Scenario]]
"""What is played by where: a tier, or :data:`FAMILIES`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What came of one wrong program."""

    place: str
    """The tier, or ``families``."""
    name: str
    kill: Kill | None


def shells() -> Iterator[Told]:
    """Every wrong program of the shells, tier by tier."""
    wrong = [one for module in _modules("test_scenarios_bite*.py") for one in module.PROGRAMS]
    for tier in TIERS:
        for one in wrong:
            if one.tier is tier:
                kill = first_kill(toy_played(tier), one.start)
                yield Told(place=tier.name, name=one.name, kill=kill)


def families(mistakes: Iterable[Mistake]) -> Iterator[Told]:
    """Every mistake of a family, in the easy tier."""
    for mistake in mistakes:
        start = partial(_failing, mistake.family())
        with _bounded():
            kill = first_kill(_played(mistake.module), start)
        yield Told(place=FAMILIES, name=str(mistake), kill=kill)


def table_of_programs(told: Iterable[Told]) -> None:
    """Print each wrong program with its first kill."""
    rows = []
    for one in told:
        kill = one.kill
        where = (kill.scenario.name, kill.scenario.tags[0]) if kill else ("NOT TOLD APART", "")
        rows.append((one.place, one.name, *where, f"{kill.unreached:.1%}" if kill else ""))
    columns = ("tier", "wrong program", "told first by", "tag", "unreached")
    console.table(columns, rows, right="unreached")


def table_of_firsts(
    noun: str, key: Callable[[Scenario], str], told: Iterable[Told], played: Scenarios
) -> None:
    """Print how often each kind of scenario is the first, those that never are marked.

    Args:
        noun: what the kinds are.
        key: the kind of a scenario.
        told: what came of the wrong programs.
        played: all that was played.
    """
    firsts = Counter((key(one.kill.scenario), one.place) for one in told if one.kill)
    there = {(key(scenario), place) for place, held in played.items() for scenario in held}
    rows = []
    for kind in dict.fromkeys(key(scenario) for held in played.values() for scenario in held):
        counts = [str(firsts[kind, place]) if (kind, place) in there else "-" for place in played]
        never = not any(firsts[kind, place] for place in played)
        rows.append((kind, *counts, "never first" if never else ""))
    console.table((noun, *played, ""), rows, right=",".join(played))


def main() -> int:
    """Print the tables; exit status 1 if a wrong program is not told apart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("shells", FAMILIES), help="one kind of wrong program")
    only = parser.parse_args().only
    told: list[Told] = []
    played: Scenarios = {}
    if only != FAMILIES:
        told += shells()
        played |= {tier.name: toy_scenarios(tier) for tier in TIERS}
    if only != "shells":
        modules = _modules("families/test_families_*.py")
        mistakes = [one for module in modules for one in getattr(module, "MISTAKES", ())]
        told += families(mistakes)
        of_families = (_played(m) for m in dict.fromkeys(one.module for one in mistakes))
        played[FAMILIES] = [scenario for held in of_families for scenario, _ in held]
    table_of_programs(told)
    table_of_firsts("topic", topic, told, played)
    table_of_firsts("tag", lambda scenario: scenario.tags[0], told, played)
    for place in dict.fromkeys(one.place for one in told):
        shares = [one.kill.unreached for one in told if one.place == place and one.kill]
        console.say(f"{place}: {len(shares)} wrong programs told apart, with a median of "
                    f"{statistics.median(shares):.1%} of the assertions unreached")  # fmt: skip
    return int(any(one.kill is None for one in told))


def _modules(pattern: str) -> list[ModuleType]:
    """The test modules beside this one that a pattern names."""
    paths = sorted(HERE.glob(pattern))
    sys.path[:0] = [str(path.parent) for path in paths[:1]]
    return [importlib.import_module(path.stem) for path in paths]


@cache
def _played(module: ModuleType) -> list[Played]:
    """The scenarios of a family in the easy tier."""
    return ready(tuple(EASY.scenarios(module.FAMILY, SHIPPED_SEED)))


def _failing(family: Family) -> Failing:
    return Failing(EASY.service(family))


@contextmanager
def _bounded() -> Iterator[None]:
    """Make a program that loops fail."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(MISTAKE_S)
    try:
        yield
    finally:
        signal.alarm(0)


if __name__ == "__main__":
    sys.exit(main())
