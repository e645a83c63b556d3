"""What a person asks of an experiment: one file, TOML or JSON, decoded strictly.

It names tasks and agents; whether they exist is for ``kcb_experiments.frozen`` to see.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec

from kcb_core.codec import Json, convert, parse_by_name
from kcb_core.errors import DataError
from kcb_core.execution import Executor as ExecutorRole
from kcb_core.limits import TaskBudget
from kcb_core.storage import read_bounded
from kcb_experiments.amount import Amount

SPEC_KIND = "experiment-spec"
SPEC_FORMAT = 1

MAX_GROUPS = 1024
"""Most task groups at once; more is a slip of the pen and no machine."""
MAX_REPETITIONS = 1000

USUAL_S = 900.0
"""Working time after which an attempt is cut off, where neither spec nor task says any."""

GRACE_S = 60.0
"""Beyond a task's own time: so long an agent may take to end by itself and hand in its work."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_EGRESS = ("egress_proxy", "egressProxy", "egress_blocked", "egressBlocked")
_PINNED = re.compile(r"[a-z][a-z0-9-]{0,63}==[0-9][0-9a-z.]{0,31}")


class _Part(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A part of a spec; a name that is not known is refused."""


class Benchmark(_Part, frozen=True, kw_only=True):
    """Which tasks; exactly one of ``tasks``, ``subset`` and ``selection`` names them."""

    dataset: str = "kcb"
    """Name of the set that they are of: a dataset, or a suite such as ``suite-coding-v1``."""
    manifest_sha256: str = ""
    """Digest that its manifest must have, where the writer of the spec wants to be sure."""
    tasks: tuple[str, ...] = ()
    """Ids of tasks."""
    subset: str = ""
    """A tier, or a named set such as ``easy@20``; of a suite ``all``, or a tag."""
    selection: str = ""
    """A file with a frozen selection, from the folder of the spec."""

    def __post_init__(self) -> None:
        ways = [name for name in ("tasks", "subset", "selection") if getattr(self, name)]
        if len(ways) != 1:
            raise ValueError(
                "the tasks must be named in exactly one way: 'tasks', 'subset' or 'selection'; "
                f"there is {' and '.join(map(repr, ways)) or 'none'}"
            )
        _each_once("tasks", self.tasks)


class Executor(_Part, frozen=True, kw_only=True):
    """What runs a cell."""

    name: str = "process"
    version: str = ""
    """Version of its framework that must be there, where it has one."""
    egress_proxy: str = ""
    """The proxy that all network traffic of a subject must take, pinned to its version, such as
    ``mitmproxy==12.2.3``; without one subjects have the network that their agents give them."""
    settings: dict[str, Any] = {}

    def __post_init__(self) -> None:
        if self.egress_proxy and not _PINNED.fullmatch(self.egress_proxy):
            raise ValueError(
                f"'egress_proxy' {self.egress_proxy[:80]!r} must be pinned: a program, '==' and "
                "its version"
            )


class Verifier(_Part, frozen=True, kw_only=True):
    """What turns the files that a subject left into a score."""

    name: str = "runner"
    settings: dict[str, Any] = {}


class Caps(_Part, frozen=True, kw_only=True):
    """The one budget that all cells share; what is not named has no cap."""

    dollars: float | msgspec.UnsetType = msgspec.UNSET
    tokens: int | msgspec.UnsetType = msgspec.UNSET
    seconds: float | msgspec.UnsetType = msgspec.UNSET
    """Working time of all attempts together."""
    allow_unpriced: bool = False
    """Whether a subject without a price may run though dollars are capped: it then counts as
    free."""

    @property
    def capped(self) -> dict[str, float]:
        """The caps that were set, by name."""
        values = {name: getattr(self, name) for name in Amount.__struct_fields__}
        return {name: value for name, value in values.items() if value is not msgspec.UNSET}

    def __post_init__(self) -> None:
        for name, value in self.capped.items():
            if not (isfinite(value) and value > 0):
                raise ValueError(f"{name!r} must be greater than 0")


class Bounds(_Part, frozen=True, kw_only=True):
    """The most that one attempt of a subject may take; a cap is kept by reserving so much."""

    seconds: float | msgspec.UnsetType = msgspec.UNSET
    """Working time after which it is cut off; left out, the task's own and a minute, or 900."""
    tokens: int | msgspec.UnsetType = msgspec.UNSET
    """Tokens of all classes together."""
    dollars: float | msgspec.UnsetType = msgspec.UNSET
    """US dollars; left out, they follow from tokens and price, or are the task's own."""

    @property
    def limit_s(self) -> float:
        """Working time after which it is cut off."""
        return USUAL_S if isinstance(self.seconds, msgspec.UnsetType) else self.seconds

    def at(self, budget: TaskBudget, *, priced: bool) -> Bounds:
        """The bounds at a task with a budget of its own, which fills in what was left out.

        Args:
            budget: the task's.
            priced: whether dollars can be counted.
        """
        seconds, dollars = self.seconds, self.dollars
        if isinstance(seconds, msgspec.UnsetType):
            seconds = budget.seconds + GRACE_S
        if priced and isinstance(dollars, msgspec.UnsetType):
            dollars = budget.dollars
        return Bounds(seconds=seconds, tokens=self.tokens, dollars=dollars)

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not msgspec.UNSET and not (isfinite(value) and value > 0):
                raise ValueError(f"{name!r} must be greater than 0")


class Price(_Part, frozen=True, kw_only=True):
    """US dollars for a million tokens, by class."""

    input: float
    output: float
    cache_read: float | msgspec.UnsetType = msgspec.UNSET
    cache_write: float | msgspec.UnsetType = msgspec.UNSET
    reasoning: float | msgspec.UnsetType = msgspec.UNSET
    source: str = ""
    """Where the price stands, and of which day."""

    @property
    def dearest(self) -> float:
        """The highest of its prices, by which an upper bound is reckoned."""
        return max(self._prices())

    def _prices(self) -> list[float]:
        values = (getattr(self, name) for name in self.__struct_fields__ if name != "source")
        return [value for value in values if value is not msgspec.UNSET]

    def __post_init__(self) -> None:
        if not all(isfinite(value) and value >= 0 for value in self._prices()):
            raise ValueError("every price must be a number from 0 on")


class Subject(_Part, frozen=True, kw_only=True):
    """An agent under experiment, with all that it is told."""

    name: str
    """What the arm is called in every table and cell id."""
    agent: str
    """Name of the agent among those that plug-ins bring."""
    settings: dict[str, Any] = {}
    """What the agent is told: endpoint, model, sampling."""
    options: dict[str, str] = {}
    """Options of the agent, as ``--agent-option`` takes them."""
    credentials: tuple[str, ...] = ()
    """Environment variables that its cells receive; they receive no other. Which of them holds the
    key, a setting of the agent says, such as ``api_key_env``; one that nothing uses is refused."""
    bounds: Bounds = Bounds()
    price: Price | msgspec.UnsetType = msgspec.UNSET
    slot: str = ""
    """Subjects that name the same slot never run at once, such as two models of one laptop."""

    def at(self, budget: TaskBudget | None) -> Subject:
        """The same subject, with the bounds that it has at a task with this budget."""
        if budget is None:
            return self
        bounds = self.bounds.at(budget, priced=self.price is not msgspec.UNSET)
        return msgspec.structs.replace(self, bounds=bounds)

    @property
    def unbounded(self) -> tuple[str, ...]:
        """Names of what an attempt may cost any amount of, as far as the spec knows."""
        tokens = isinstance(self.bounds.tokens, msgspec.UnsetType)
        price = None if isinstance(self.price, msgspec.UnsetType) else self.price.dearest
        dollars = price is None or (tokens and price > 0)
        found = {"dollars": dollars and self.bounds.dollars is msgspec.UNSET, "tokens": tokens}
        return tuple(name for name, unknown in found.items() if unknown)

    @property
    def worst(self) -> Amount:
        """The most that one attempt may cost; what is unbounded counts as nothing."""
        tokens = self.bounds.tokens if isinstance(self.bounds.tokens, int) else 0
        dollars = self.bounds.dollars
        if isinstance(dollars, msgspec.UnsetType):
            price = self.price
            dollars = 0.0 if isinstance(price, msgspec.UnsetType) else tokens * price.dearest / 1e6
        return Amount(dollars=dollars, tokens=tokens, seconds=self.bounds.limit_s)

    @property
    def allowance(self) -> int | None:
        """Most tokens that one attempt may use, those that its dollars buy among them."""
        tokens, dollars, price = self.bounds.tokens, self.bounds.dollars, self.price
        known = [] if isinstance(tokens, msgspec.UnsetType) else [tokens]
        if isinstance(dollars, float | int) and isinstance(price, Price) and price.dearest > 0:
            known.append(int(dollars / price.dearest * 1e6))
        return min(known, default=None)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(
                f"the name {self.name[:80]!r} must be letters, digits, '.', '_' and '-', "
                "at most 64, and start with a letter or digit"
            )
        for variable in self.credentials:
            if not _VARIABLE.fullmatch(variable):
                raise ValueError(
                    f"'credentials': {variable[:20]!r} is no name of an environment variable"
                )


class Spec(_Part, frozen=True, kw_only=True):
    """An experiment as a person wrote it down."""

    name: str
    """What it is called."""
    benchmark: Benchmark
    subjects: tuple[Subject, ...]
    budget: Caps
    executor: Executor = Executor()
    verifier: Verifier | msgspec.UnsetType = msgspec.UNSET
    """Left out, it is the one that goes with the tasks."""
    repetitions: int = 1
    """New samples of every task by every subject."""
    groups: int = 1
    """Most task groups at once; a group is all subjects at one repetition of one task."""

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise ValueError("field 'name' is empty")
        if not self.subjects:
            raise ValueError("field 'subjects' names no subject")
        _each_once("subjects", [subject.name for subject in self.subjects])
        for field, most in (("repetitions", MAX_REPETITIONS), ("groups", MAX_GROUPS)):
            if not 1 <= getattr(self, field) <= most:
                raise ValueError(f"field {field!r} must be from 1 to {most}")
        for subject in self.subjects:
            refuse_unbounded(subject, self.budget)


def refuse_unbounded(subject: Subject, caps: Caps) -> None:
    """Make sure that a cap can be kept: every attempt reserves the most that it may cost.

    Raises:
        ValueError: the subject has no bound or price for something that is capped.
    """
    for name in caps.capped:
        if name not in subject.unbounded or (name == "dollars" and caps.allow_unpriced):
            continue
        if name == "dollars":
            remedy = "give it a 'price' and 'bounds.tokens', or set 'budget.allow_unpriced'"
        else:
            remedy = f"give it 'bounds.{name}'"
        raise ValueError(
            f"field 'budget.{name}' cannot be kept: subject {subject.name!r} has no bound in "
            f"{name}; {remedy}"
        )


def enforcing(executors: Iterable[ExecutorRole]) -> tuple[str, ...]:
    """Names of the executors that can force traffic through a proxy."""
    return tuple(executor.name for executor in executors if executor.enforces_proxy)


def read_spec(path: Path, *, enforcing: Collection[str] = ()) -> Spec:
    """The spec in a TOML or JSON file; errors as in :func:`decode_spec`.

    Raises:
        DeclarationError: the file cannot be read.
    """
    return decode_spec(read_bounded(path), source=str(path), enforcing=enforcing)


def decode_spec(data: bytes, *, source: str, enforcing: Collection[str] = ()) -> Spec:
    """The spec in some bytes: TOML if the source ends so, else JSON.

    Args:
        data: what the file holds; a byte-order mark is let be.
        source: name of the file.
        enforcing: names of executors that can force traffic through a proxy.

    Raises:
        DataError: it is malformed, a field is unknown or wrong, or a proxy is asked of what cannot
            enforce it.
    """
    value = parse_by_name(data, source=source)
    _refuse_subjects_proxy(value, source)
    spec = convert(value, Spec, source=source)
    if spec.executor.egress_proxy and spec.executor.name not in enforcing:
        raise DataError(
            f"{source}: field 'executor.egress_proxy': executor {spec.executor.name!r} cannot keep "
            "a subject to a proxy; leave the field out or name an executor that can"
        )
    return spec


def _refuse_subjects_proxy(value: Json, source: str) -> None:
    subjects = value.get("subjects") if isinstance(value, dict) else None
    for index, subject in enumerate(subjects if isinstance(subjects, list) else ()):
        parts = {"": subject}
        if isinstance(subject, dict):
            parts |= {f".{name}": subject.get(name) for name in ("settings", "options")}
        for place, part in parts.items():
            for name in _EGRESS:
                if isinstance(part, dict) and name in part:
                    raise DataError(
                        f"{source}: field 'subjects[{index}]{place}.{name}': a subject cannot "
                        "declare or override the proxy; it belongs to 'executor.egress_proxy'"
                    )


def _each_once(field: str, names: Collection[str]) -> None:
    # Without regard to case: two folders may be one where a file system has none.
    twice = [name for name, times in Counter(map(str.lower, names)).items() if times > 1]
    if twice:
        raise ValueError(f"field {field!r} names {twice[0]!r} twice")
