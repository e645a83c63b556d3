"""One drill: what an agent is asked, what it finds, what is checked, and where the idea is from.

Nothing here knows how a drill is played. What only the whole battery can tell, such as whether a
distractor is registered, is looked at in :mod:`kcb_suites.drills.battery`.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Annotated

import msgspec

from kcb_core.codec import convert, parse_by_name
from kcb_core.decision import Decision, Review
from kcb_core.storage import read_bounded
from kcb_suites.drills.drill_checks import AnyCheck, Guard, refuse_path, refuse_twice
from kcb_suites.drills.trajectory import Trajectory

LIVE_LEVEL = 2

LONGEST_S = 86_400.0

_Words = Annotated[str, msgspec.Meta(min_length=1)]
_Slug = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
_Level = Annotated[int, msgspec.Meta(ge=0, le=2)]
_Count = Annotated[int, msgspec.Meta(ge=1)]
_Source = Annotated[
    str, msgspec.Meta(pattern=r"^(commit [0-9a-f]{7,40}|issue [1-9][0-9]*)( of [\w.-]+)?$")
]


class Contrived(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A failure that was put into the fixture on purpose."""

    failure: _Words
    """What is wrong there, in one sentence."""
    path: _Words
    """The file in which it lies, below the agent's folder."""
    text: str
    """All that the file says."""

    def __post_init__(self) -> None:
        refuse_path(self.path)


class Fixture(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What lies in the agent's folder before its turn; the battery's tool is on its PATH."""

    files: str = ""
    """The folder of task material, below ``fixtures`` of the battery; none for an empty folder."""
    contrived: tuple[Contrived, ...] = ()
    """Failures that were put there on purpose."""
    distractors: tuple[str, ...] = ()
    """Names of files that lead astray, from the battery's registry."""

    def __post_init__(self) -> None:
        if self.files:
            refuse_path(self.files)
        refuse_twice("distractors", self.distractors)
        refuse_twice("contrived", [one.path for one in self.contrived])


class DrillBounds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bounds of a live trial."""

    turns: _Count = 20
    """Most replies, re-asks among them."""
    wall_s: float = 600.0
    """Wall time in seconds."""
    estimated_tokens: _Count = 100_000
    """Most tokens by the heuristic, characters over four of all prompts and replies."""
    command_s: float = 20.0
    """Wall time of one command in seconds; it ends the command and not the trial."""

    def __post_init__(self) -> None:
        for name in ("wall_s", "command_s"):
            value = getattr(self, name)
            if not (isfinite(value) and 0 < value <= LONGEST_S):
                raise ValueError(f"field '{name}' must be between 0 and {LONGEST_S:g}")


class Drill(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One drill, as its file declares it."""

    drill: _Slug
    """Its name, which its file has too."""
    tool: _Slug
    """The tool that it is about: its battery's."""
    level: _Level
    """The highest level at which it runs: 0 static, 1 replay, 2 live."""
    prompt: _Words
    """All that an agent is told, besides the form of an action and the path of its folder."""
    checks: Annotated[tuple[AnyCheck, ...], msgspec.Meta(min_length=1)]
    fixture: Fixture = Fixture()
    failure_source: _Source | msgspec.UnsetType = msgspec.UNSET
    """The commit or issue that shows the failure which the drill derives from."""
    stress_test: bool = False
    """Whether it tests a channel instead, and derives from no failure that was observed."""
    bounds: DrillBounds = DrillBounds()
    trajectories: tuple[Trajectory, ...] = ()
    decisions: tuple[Decision, ...] = ()
    """What was decided about checks that had never failed."""

    def __post_init__(self) -> None:
        refuse_twice("checks", [check.check for check in self.checks])
        refuse_twice("trajectories", [one.name for one in self.trajectories])
        for fault in _contradictions(self):
            raise ValueError(fault)

    @property
    def contrived(self) -> bool:
        """Whether failures were put into its fixture."""
        return bool(self.fixture.contrived)

    @property
    def paths(self) -> tuple[str, ...]:
        """Files that its checks look at."""
        return tuple(sorted({path for check in self.checks for path in check.paths}))


def read_drill(path: Path) -> Drill:
    """The drill in a TOML or JSON file.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it is malformed or contradicts itself; the field is named.
    """
    source = str(path)
    return convert(parse_by_name(read_bounded(path), source=source), Drill, source=source)


def _contradictions(drill: Drill) -> Iterator[str]:
    if (drill.failure_source is msgspec.UNSET) != drill.stress_test:
        yield "a drill has a 'failure_source' or is a 'stress_test': exactly one of both"
    guards = [check for check in drill.checks if isinstance(check, Guard)]
    if drill.level == LIVE_LEVEL and not guards:
        yield (
            "field 'checks': a drill of level 2 needs a check of kind 'guard', or an agent passes "
            "by doing nothing"
        )
    yield from _of_trajectories(drill)
    yield from _of_decisions(drill)


def _of_trajectories(drill: Drill) -> Iterator[str]:
    """Every check is shown to pass once, and to fail once."""
    names = {check.check for check in drill.checks}
    for one in drill.trajectories:
        if unknown := sorted({*one.fails, *one.open} - names):
            yield f"trajectory {one.name!r}: there is no check {unknown[0]!r}"
    if drill.level == 0:
        return
    if not any(one.good for one in drill.trajectories):
        yield "field 'trajectories': from level 1 on there is one on which every check passes"
    failed = {name for one in drill.trajectories for name in one.fails}
    if never := sorted(names - failed):
        yield f"field 'trajectories': there is none on which check {never[0]!r} fails"


def _of_decisions(drill: Drill) -> Iterator[str]:
    """A check that was retired is gone, and one that was kept is there."""
    names = {check.check for check in drill.checks}
    newest = {d.check: d for d in sorted(drill.decisions, key=lambda one: one.date)}
    for name, decision in newest.items():
        if (decision.decision is Review.RETIRED) == (name in names):
            said = "is still declared" if name in names else "is not declared"
            yield f"field 'decisions': check {name!r} was {decision.decision} and {said}"
