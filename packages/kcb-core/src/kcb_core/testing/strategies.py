"""Hypothesis strategies for the values that everything in Klein-Code-Bench uses.

They need the extra ``kcb-core[testing]``; no module outside :mod:`kcb_core.testing` imports them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from kcb_core.canary import CANARY
from kcb_core.codec import Json, compact
from kcb_core.ids import TaskId
from kcb_core.limits import LIMITS, Limits
from kcb_core.provenance import Revision
from kcb_core.report import (
    Confinement,
    DatasetStamp,
    Evidence,
    Exchange,
    Failure,
    FailureKind,
    Host,
    Outcome,
    Play,
    ScenarioOutcome,
    ScenarioReport,
    SourceStamp,
    TaskReport,
    Void,
    VoidCause,
)
from kcb_core.shape import (
    MAX_INTEGER,
    AnyOf,
    Array,
    Boolean,
    Checked,
    Choice,
    Document,
    Fixed,
    Integer,
    Mapped,
    Nullable,
    Record,
    Shape,
    Tagged,
    Text,
    absentable,
    calendar_date,
    label,
    optional,
    rational,
    required,
)
from kcb_core.task import PROTOCOL_VERSION, PYTHON, STATE_DIR, Scenario, Session, Tag, Task

_HEX = "0123456789abcdef"
_CHARACTERS = st.characters(exclude_categories=["Cs"])
_ODD = (
    *("\0", "\t", "\n", "\r\n", "\x1b[31m", '"', "\\", '\\"', "[", "}", "\x7f", "\x85", "\x1c"),
    *("\u2028", "\u2029", "\u202e", "\ufeff", "\uffff", "é", "e\u0301", "円", "\U0001f600", "null"),
)
_HALVES = ("\ud800", "\udfff", "a\udbffb", "\udc00\ud800")


_EVEN = Checked(
    of=Integer(0, 100),
    check=lambda value: value % 2 == 0,
    words="an even integer from 0 to 100",
    valid=(0, 50),
    invalid=(1, 99),
)


@cache
def texts(max_size: int = 20) -> SearchStrategy[str]:
    """Strings of any characters, control characters and line separators among them."""
    return st.text(_CHARACTERS, max_size=max_size) | st.sampled_from(_ODD)


@cache
def printed_texts(max_size: int = 20) -> SearchStrategy[str]:
    """Strings that a candidate may print: also halves of surrogate pairs."""
    return texts(max_size) | st.sampled_from(_HALVES)


@cache
def json_values(max_leaves: int = 12) -> SearchStrategy[Json]:
    """JSON values that may be sent to a candidate.

    Integers lie within 2^53 - 1 either way, floats are finite and no ``-0.0``, and no string holds
    half of a surrogate pair.
    """
    floats = st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: str(x) != "-0.0")
    scalars = st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | floats | texts()
    return _nested(scalars, texts(8), max_leaves)


@cache
def printed_values(max_leaves: int = 12) -> SearchStrategy[Json]:
    """JSON values that a candidate may print: also huge integers, ``-0.0`` and lone surrogates."""
    scalars = (
        st.none()
        | st.booleans()
        | st.integers(-(2**70), 2**70)
        | st.sampled_from([-0.0, 1e308, 2**64, 1 - 10**4_000])
        | st.floats(allow_nan=False, allow_infinity=False)
        | printed_texts()
    )
    return _nested(scalars, printed_texts(8), max_leaves)


def _nested(
    scalars: SearchStrategy[Json], names: SearchStrategy[str], max_leaves: int
) -> SearchStrategy[Json]:
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
        max_leaves=max_leaves,
    )


@cache
def slugs() -> SearchStrategy[str]:
    """Names such as ``word-frequency``."""
    return st.from_regex(r"[a-z0-9]{1,9}(-[a-z0-9]{1,9}){0,3}", fullmatch=True)


@cache
def task_ids() -> SearchStrategy[TaskId]:
    """Task ids of any dataset and tier."""
    return st.builds(
        TaskId,
        dataset=st.from_regex(r"[a-z][a-z0-9]{0,31}", fullmatch=True),
        tier=st.from_regex(r"[a-z]{1,32}", fullmatch=True),
        number=st.integers(1, 999),
        slug=slugs(),
    )


@cache
def requests() -> SearchStrategy[Json]:
    """What a session may send: objects, and raw lines, well-formed and not."""
    objects = _objects()
    odd = st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\ufeff")
    return objects | objects.map(compact) | st.text(odd, max_size=20)


@cache
def _objects() -> SearchStrategy[dict[str, Json]]:
    return st.dictionaries(texts(8), json_values(4), max_size=2)


@st.composite
def sessions(draw: st.DrawFn) -> Session:
    """Sessions of one or two requests, each with its response."""
    sent = draw(st.lists(requests(), min_size=1, max_size=2))
    expected = [draw(_objects()) for _ in sent]
    return Session(requests=tuple(sent), expected=tuple(expected))


@st.composite
def scenarios(draw: st.DrawFn, name: str = "scenario", max_sessions: int = 1) -> Scenario:
    """Scenarios of one name."""
    return Scenario(
        name=name,
        tags=tuple(draw(st.lists(st.sampled_from(list(Tag)), unique=True, max_size=3))),
        sessions=tuple(draw(st.lists(sessions(), min_size=1, max_size=max_sessions))),
    )


@st.composite
def tasks(draw: st.DrawFn, durable: bool | None = None) -> Task:
    """Tasks, whole and small.

    Args:
        durable: whether state outlives the process; by default either.
    """
    task_id = draw(task_ids())
    keeps = draw(st.booleans()) if durable is None else durable
    words = (PYTHON, "-E", "-s", "-S", "main.py")
    names = [f"core-{index}" for index in range(draw(st.integers(1, 2)))]
    return Task(
        task_id=str(task_id),
        subset=task_id.tier,
        family=task_id.slug,
        category=draw(slugs()),
        title=draw(texts()),
        target_model_parameters="2-8B",
        language="Python",
        entrypoint="main.py",
        start=(*words, "--state", STATE_DIR) if keeps else words,
        protocol_version=PROTOCOL_VERSION,
        prompt=draw(texts(60)),
        public_tests=(draw(scenarios("example-1")), draw(scenarios("example-2"))),
        acceptance_tests=tuple(draw(scenarios(name, 2 if keeps else 1)) for name in names),
        timeout_seconds=draw(st.floats(0.5, 60)),
    )


@cache
def failures() -> SearchStrategy[Failure]:
    """Ways in which a submission fails."""
    return st.builds(Failure, kind=st.sampled_from(FailureKind), reason=texts())


@cache
def voids() -> SearchStrategy[Void]:
    """Reasons why nothing is known of a submission."""
    return st.builds(Void, cause=st.sampled_from(VoidCause), reason=texts())


def _digests() -> SearchStrategy[str]:
    return st.text(_HEX, min_size=64, max_size=64)


def _seconds() -> SearchStrategy[float]:
    return st.floats(0, 1e6)


def _counts() -> SearchStrategy[int]:
    return st.integers(0, 2**40)


@cache
def plays() -> SearchStrategy[Play]:
    """Playings of a scenario."""
    return st.builds(
        Play,
        failure=st.none() | failures(),
        wall_s=_seconds(),
        cpu_s=_seconds(),
        passed=_counts(),
        stderr_tail=printed_texts(),
        stderr_bytes=_counts(),
        stdout_bytes=_counts(),
        survivors_killed=_counts(),
    )


@cache
def evidence() -> SearchStrategy[Evidence]:
    """First wrong responses."""
    exchanges = st.builds(Exchange, request=texts(), response=printed_texts())
    return st.builds(
        Evidence,
        session=_counts(),
        request_index=_counts(),
        request=texts(),
        expected=texts(),
        received=printed_texts(),
        difference=texts(),
        before=st.lists(exchanges, max_size=2).map(tuple),
    )


@st.composite
def scenario_reports(draw: st.DrawFn, passed: int, total: int) -> ScenarioReport:
    """Reports of one scenario with so many right responses."""
    failed = passed < total
    outcome = ScenarioOutcome.FAILED if failed else ScenarioOutcome.PASSED
    return ScenarioReport(
        name=draw(texts(8)),
        tags=tuple(draw(st.lists(st.sampled_from(list(Tag)), unique=True, max_size=2))),
        outcome=outcome,
        passed=passed,
        total=total,
        failure=draw(failures()) if failed else None,
        evidence=draw(st.none() | evidence()) if failed else None,
        plays=tuple(draw(st.lists(plays(), max_size=2))),
    )


@st.composite
def reports(draw: st.DrawFn, outcome: Outcome | None = None) -> TaskReport:
    """Task reports that hold together: counts, outcome, failure and void agree.

    Args:
        outcome: the outcome that they all have; by default any.
    """
    came = draw(st.sampled_from(Outcome)) if outcome is None else outcome
    totals = draw(st.lists(st.integers(1, 9), min_size=1, max_size=3))
    marks = [total if came is Outcome.RESOLVED else total - 1 for total in totals]
    scenario_parts = [
        draw(scenario_reports(mark, total)) for mark, total in zip(marks, totals, strict=True)
    ]
    task_id = draw(task_ids())
    return TaskReport(
        kind="task-report",
        report_version=1,
        task_id=str(task_id),
        subset=task_id.tier,
        family=task_id.slug,
        category=draw(slugs()),
        outcome=came,
        failure=draw(failures()) if came is Outcome.FAILED else None,
        void=draw(voids()) if came is Outcome.VOID else None,
        voids=tuple(draw(st.lists(voids(), max_size=2))),
        passed=sum(marks),
        total=sum(totals),
        scenarios=tuple(scenario_parts),
        **_circumstances(draw, task_id),
    )


def _circumstances(draw: st.DrawFn, task_id: TaskId) -> dict[str, Any]:
    """What a report says of everything but the outcome."""
    revisions = st.builds(
        Revision, distribution=slugs(), version=texts(8), record_sha256=_digests(), commit=texts(8)
    )
    hosts = st.builds(
        Host, system=texts(8), machine=texts(8), cpus=_counts(), memory_bytes=_counts(),
        python=texts(8), python_implementation=texts(8), cpu_model=texts(8),
    )  # fmt: skip
    stamps = st.builds(
        DatasetStamp, name=st.just(task_id.dataset), version=texts(8), manifest_sha256=_digests(),
        totals=st.fixed_dictionaries({task_id.tier: st.integers(1, 99)}),
    )  # fmt: skip
    sources = st.builds(SourceStamp, sha256=_digests(), files=_counts(), size=_counts())
    confinements = st.builds(
        Confinement,
        level=st.sampled_from(["none", "basic", "full"]),
        mechanisms=st.lists(slugs(), max_size=2).map(tuple),
    )
    limits = st.just(LIMITS) | st.builds(Limits, session_s=_seconds(), stdout_bytes=_counts())
    return {
        "dataset": draw(stamps),
        "protocol_version": PROTOCOL_VERSION,
        "evaluator": draw(revisions),
        "plugins": draw(st.dictionaries(slugs(), texts(8), max_size=2)),
        "source": draw(st.none() | sources),
        "subject": draw(texts(8)),
        "repetition": draw(st.integers(0, 9)),
        "public_only": draw(st.booleans()),
        "launcher": draw(slugs()),
        "confinement": draw(confinements),
        "limits": draw(limits),
        "host": draw(hosts),
        "jobs": draw(st.integers(1, 99)),
        "wall_s": draw(_seconds()),
        "cpu_s": draw(_seconds()),
        "finished": draw(texts(8)),
        "notes": tuple(draw(st.lists(texts(8), max_size=2))),
        "run_record": draw(st.dictionaries(texts(8), json_values(4), max_size=2)),
        "missing_fields": tuple(draw(st.lists(texts(8), max_size=2))),
        "validation_receipt": draw(st.just("") | _digests()),
        "canary": draw(st.sampled_from(["", CANARY])),
    }


@cache
def shapes(depth: int = 2) -> SearchStrategy[Shape]:
    """Shapes of input fields, nested so deep at most."""
    if depth == 0:
        return _plain_shapes()
    return _plain_shapes() | _outer_shapes(shapes(depth - 1))


@st.composite
def _bounds(draw: st.DrawFn, low: int, high: int) -> tuple[int, int]:
    first = draw(st.integers(low, high))
    return first, draw(st.integers(first, high))


def _plain_shapes() -> SearchStrategy[Shape]:
    choices = st.lists(texts(6), min_size=1, max_size=4, unique=True)
    return (
        _bounds(-MAX_INTEGER, MAX_INTEGER).map(lambda pair: Integer(*pair))
        | _bounds(0, 40).map(lambda pair: Text(*pair))
        | st.builds(Boolean)
        | choices.map(lambda options: Choice(*options))
        | st.sampled_from(
            [calendar_date(), rational(), label(), Text(0, 20_000), _EVEN, Document()]
        )
    )


def _outer_shapes(inner: SearchStrategy[Shape]) -> SearchStrategy[Shape]:
    return (
        inner.map(Nullable)
        | st.lists(inner, min_size=1, max_size=3).map(lambda parts: AnyOf(tuple(parts)))
        | st.lists(inner, min_size=1, max_size=3).map(lambda parts: Fixed(*parts))
        | st.builds(lambda part, pair: Array(part, *pair), inner, _bounds(0, 5))
        | _records(inner)
        | st.dictionaries(slugs(), _records(inner), min_size=1, max_size=3).map(
            lambda variants: Tagged("tag!", variants)
        )
        | st.builds(Mapped, names=st.just(label()), of=inner, high=st.integers(1, 5))
    )


@st.composite
def _records(draw: st.DrawFn, inner: SearchStrategy[Shape]) -> Record:
    names = draw(st.lists(slugs(), unique=True, max_size=3))
    members = []
    for name in names:
        shape = draw(inner)
        made = draw(st.sampled_from(["required", "optional", "absentable"]))
        if made == "required":
            members.append(required(name, shape))
        elif made == "optional":
            members.append(optional(name, shape, shape.sample()))
        else:
            members.append(absentable(name, shape))
    return Record(tuple(members))
