"""Plays one scenario of a task: its sessions one after the other, over one state directory."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from kcb_core.codec import compact
from kcb_core.environment import clean_environment
from kcb_core.limits import Limits
from kcb_core.report import WALL_TIMER, Evidence, Exchange, Failure, FailureKind, Play
from kcb_core.roles import LaunchRequest, Slot
from kcb_core.task import PYTHON, STATE_DIR, Scenario, Session, line_of
from kcb_runner.cancel import Cancel
from kcb_runner.driver import Played, play, show
from kcb_runner.scratch import Scratch

EVIDENCE_BYTES = 4096
"""Most bytes that a report keeps of one text of a candidate or scenario."""

EXCHANGES_BEFORE = 10
"""Most exchanges that a report keeps before the first wrong response."""

_QUICK_START = (PYTHON, "-E", "-s", "-S", "main.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is the same for every scenario of one task."""

    start: tuple[str, ...]
    """The task's start command, with its placeholders."""
    durable: bool
    """Whether sessions end in a kill over a state directory."""
    python: str
    """Absolute path of the interpreter that candidates run on."""
    slot: Slot
    limits: Limits
    scratch: Scratch
    cancel: Cancel
    keep_answers: bool = True
    """Whether reports hold requests and responses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Playing:
    """What came of one playing of a scenario."""

    play: Play
    confirm: bool
    """Whether its failure hangs on time and has to be confirmed by a second playing."""
    evidence: Evidence | None = None

    @property
    def failure(self) -> Failure | None:
        """What ended it, or nothing if it passed."""
        return self.play.failure


def play_scenario(scenario: Scenario, setting: Setting, *, fresh: bool = False) -> Playing:
    """Play a scenario once; its first failure ends it.

    Args:
        scenario: what is played.
        setting: where.
        fresh: whether every session is a new interpreter, even if the slot has a quicker way.

    Raises:
        MachineError: this machine failed; nothing is said of the candidate.
        Cancelled: the run was stopped.
    """
    started = time.monotonic()
    passed = survivors = 0
    cpu_s = 0.0
    evidence = None
    with ExitStack() as stack:
        # Emptied for every scenario, also where no session is told of it: it is there.
        state = stack.enter_context(setting.scratch.state())
        for index, session in enumerate(scenario.sessions):
            new = fresh or not may_be_quick(index, setting)
            played, spent, alive = _play_session(session, setting, state, fresh=new)
            passed += played.passed
            cpu_s += spent
            survivors += alive
            if played.failure:
                evidence = _evidence(index, session, played) if setting.keep_answers else None
                break
    result = Play(
        failure=played.failure,
        wall_s=round(time.monotonic() - started, 4),
        cpu_s=round(cpu_s, 4),
        timer=WALL_TIMER if _timed_out(played) else "",
        passed=passed,
        survivors_killed=survivors,
        stderr_tail=_tail(played.stderr_tail) if played.failure else "",
        stderr_bytes=played.stderr_bytes if played.failure else 0,
        stdout_bytes=played.stdout_bytes if played.failure else 0,
    )
    return Playing(play=result, confirm=played.confirm, evidence=evidence)


def _timed_out(played: Played) -> bool:
    return played.failure is not None and played.failure.kind is FailureKind.TIMEOUT


def may_be_quick(index: int, setting: Setting) -> bool:
    """Whether a session of a scenario can be told from one in a new interpreter by nothing."""
    slot = setting.slot
    return (
        slot.quick is not None
        and index < slot.quick_sessions
        and setting.start[: len(_QUICK_START)] == _QUICK_START
        and not slot.quick & setting.scratch.modules
    )


def _play_session(
    session: Session, setting: Setting, state: Path, *, fresh: bool
) -> tuple[Played, float, int]:
    """Play one session in its own copy; what came of it, CPU seconds, and survivors killed."""
    with setting.scratch.place(bytecode=not fresh) as place:
        words = {PYTHON: setting.python, STATE_DIR: str(state)}
        request = LaunchRequest(
            argv=tuple(words.get(word, word) for word in setting.start),
            cwd=place.project,
            environment=clean_environment(home=place.home, scratch=place.home),
            limits=setting.limits,
            fresh=fresh,
        )
        deadline = time.monotonic() + setting.limits.session_s
        process = setting.slot.launch(request)
        try:
            played = play(
                process,
                session,
                durable=setting.durable,
                limits=setting.limits,
                deadline=deadline,
                cancel=setting.cancel,
            )
        finally:
            cpu_s = process.stop()
        return played, cpu_s, process.survivors


def _evidence(index: int, session: Session, played: Played) -> Evidence:
    """What led to a session's failure, each text cut to what a report keeps."""
    first = max(0, played.passed - EXCHANGES_BEFORE)
    at = min(played.at, len(session.requests) - 1)
    before = tuple(
        Exchange(request=_cut(line_of(request)), response=_cut(show(response)))
        for request, response in zip(
            session.requests[first : played.passed],
            played.responses[first : played.passed],
            strict=True,
        )
    )
    return Evidence(
        session=index,
        request_index=at,
        request=_cut(line_of(session.requests[at])),
        expected=_cut(compact(session.expected[at])),
        received=_cut(show(played.received)),
        difference=_cut(played.difference),
        before=before[:EXCHANGES_BEFORE],
    )


def _cut(text: str) -> str:
    """Text of at most 4 KiB of UTF-8, cut between characters, lone surrogates shown as escapes."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) > EVIDENCE_BYTES:
        data = data[: EVIDENCE_BYTES - 3]
        return data.decode("utf-8", "ignore") + "..."
    return data.decode("utf-8")


def _tail(data: bytes) -> str:
    """The end of a candidate's standard error as text, starting at a whole character."""
    start = 0
    while start < min(4, len(data)) and data[start] & 0xC0 == 0x80:
        start += 1
    return show(data[start:])
