"""The engine that judges checks: the same evidence gives the same outcomes, whoever asks.

It sees nothing but evidence, so nothing that an agent says can make a check pass. A check that
fails blames exactly one: the tool, or the agent by exactly one code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import singledispatch
from itertools import dropwhile

import msgspec

from kcb_core.codec import parse
from kcb_core.errors import MalformedJson
from kcb_core.trial import CheckOutcome, CheckStatus, TrialStatus
from kcb_suites.drills.blocks import find_block
from kcb_suites.drills.drill_checks import (
    AnyCheck,
    BlockCheck,
    Check,
    EnvelopeCheck,
    FileCheck,
    Guard,
    Spawned,
    StepCheck,
)
from kcb_suites.drills.envelopes import Seen, envelopes_of, holds_values, matches, steps_of
from kcb_suites.drills.evidence import Ending, Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a check found, before anybody is blamed."""

    holds: bool
    reason: str
    """Why, for people."""
    lasting: bool = False
    """Whether no further step could have mended it. Only this counts in a trial that was ended from
    outside: what was not reached yet is nobody's fault."""


def judge(checks: Iterable[AnyCheck], evidence: Evidence) -> tuple[CheckOutcome, ...]:
    """One outcome for each check, in order."""
    return tuple(_outcome(check, find(check, evidence), evidence) for check in checks)


def status_of(outcomes: Iterable[CheckOutcome], evidence: Evidence) -> TrialStatus:
    """What a trial comes to.

    One without an executed step never passes, whatever its checks say.
    """
    if evidence.ending is Ending.PUT_OFF:
        return TrialStatus.RATE_LIMITED
    if evidence.ending is Ending.INVALID:
        return TrialStatus.INVALID_OUTPUT
    passed = all(outcome.status is CheckStatus.PASSED for outcome in outcomes)
    if passed and evidence.ending is Ending.DONE and evidence.executed:
        return TrialStatus.PASSED
    return TrialStatus.FAILED


@singledispatch
def find(check: Check, evidence: Evidence) -> Finding:
    """What a check finds in the evidence.

    Raises:
        TypeError: nobody says how a check of this kind is judged.
    """
    raise TypeError(f"no check is of the kind {type(check).__name__}")


@find.register
def _(check: Guard, evidence: Evidence) -> Finding:
    steps = evidence.executed
    reason = f"{steps} {'step was' if steps == 1 else 'steps were'} executed"
    return Finding(holds=steps > 0, reason=reason, lasting=True)


@find.register
def _(check: Spawned, evidence: Evidence) -> Finding:
    missing = evidence.unspawned
    if not missing:
        return Finding(holds=True, reason="a process was started for every step")
    said = f"for {missing} of {len(evidence.steps)} steps no process was started"
    return Finding(holds=False, reason=said, lasting=True)


@find.register
def _(check: EnvelopeCheck, evidence: Evidence) -> Finding:
    return _matched(check, list(envelopes_of(evidence.steps)), "envelope")


@find.register
def _(check: StepCheck, evidence: Evidence) -> Finding:
    return _matched(check, list(steps_of(evidence.steps)), "executed step")


@find.register
def _(check: FileCheck, evidence: Evidence) -> Finding:
    before, after = evidence.before[check.path], evidence.after[check.path]
    if check.unchanged and before != after:
        return Finding(holds=False, reason=f"{check.path} was changed", lasting=True)
    if check.unchanged is False and before == after:
        return Finding(holds=False, reason=f"{check.path} was not changed")
    if check.exists is not msgspec.UNSET and check.exists != (after is not None):
        said = "is not there" if check.exists else "is there"
        return Finding(holds=False, reason=f"{check.path} {said}", lasting=before is None)
    if wrong := _wrong_content(check, after):
        return Finding(holds=False, reason=f"{check.path}: {wrong}")
    return Finding(holds=True, reason=f"{check.path} is as it should be")


@find.register
def _(check: BlockCheck, evidence: Evidence) -> Finding:
    before = find_block(check, evidence.before[check.path])
    after = find_block(check, evidence.after[check.path])
    if after is None:
        return Finding(holds=False, reason=f"{check.path} has no such block")
    if check.sealed and not after.intact:
        return Finding(holds=False, reason=f"the block in {check.path} was edited by other hands")
    if check.around == "unchanged" and (before is None or before.around != after.around):
        said = f"what stands around the block in {check.path} was changed"
        return Finding(holds=False, reason=said, lasting=True)
    if check.like and not re.search(check.like, after.inside, re.MULTILINE):
        said = f"the block in {check.path} has nothing like {check.like!r}"
        return Finding(holds=False, reason=said)
    return Finding(holds=True, reason=f"the block in {check.path} is as it should be")


def _outcome(check: AnyCheck, found: Finding, evidence: Evidence) -> CheckOutcome:
    if found.holds:
        status, reason = CheckStatus.PASSED, found.reason
    elif open_reason := _why_open(check, found, evidence):
        status, reason = CheckStatus.INDETERMINATE, f"{found.reason}; {open_reason}"
    else:
        status, reason = CheckStatus.FAILED, found.reason
    failed = status is CheckStatus.FAILED
    return CheckOutcome(
        check=check.check,
        status=status,
        reason=reason,
        channel=check.channel,
        fault=check.attribution if failed else msgspec.UNSET,
        code=check.code if failed else msgspec.UNSET,
    )


def _why_open(check: AnyCheck, found: Finding, evidence: Evidence) -> str:
    """Why nobody is blamed for what does not hold; empty if somebody is."""
    if evidence.ending is Ending.PUT_OFF:
        return "the endpoint put the trial off"
    if evidence.ending is not Ending.DONE and not found.lasting:
        return "the trial ended before"
    may_be_open = isinstance(check, FileCheck | BlockCheck) and check.open_after_kill
    if may_be_open and evidence.terminated:
        return "a command was killed, which may have left files half-way"
    return ""


def _matched(check: EnvelopeCheck | StepCheck, seen: list[Seen], noun: str) -> Finding:
    """What a check of printed things finds in these, which are in order."""
    looked_at = seen
    if check.after is not msgspec.UNSET:
        start = check.after
        looked_at = list(dropwhile(lambda one: not matches(start, one), seen))[1:]
    if check.given is not msgspec.UNSET:
        given = check.given
        looked_at = [one for one in looked_at if matches(given, one)]
    hits = sum(matches(check.expect, one) for one in looked_at)
    among = f"{hits} of {len(looked_at)} {noun}s looked at are as described"
    if check.holds == "never":
        return Finding(holds=not hits, reason=among, lasting=True)
    if check.holds == "every":
        return Finding(holds=hits == len(looked_at), reason=among, lasting=True)
    return Finding(holds=hits > 0, reason=among)


def _wrong_content(check: FileCheck, data: bytes | None) -> str:
    """What is wrong with a file's content; empty if nothing, or nothing is asked of it."""
    asked = check.text is not msgspec.UNSET or check.like or check.unlike or check.json
    if not asked:
        return ""
    if data is None:
        return "is not there"
    text = data.decode("utf-8", "backslashreplace")
    rules: tuple[tuple[bool, Callable[[], bool], str], ...] = (
        (check.text is not msgspec.UNSET, lambda: text.strip() == str(check.text).strip(), "text"),
        (bool(check.like), lambda: bool(re.search(str(check.like), text, re.MULTILINE)), "like"),
        (bool(check.unlike), lambda: not re.search(str(check.unlike), text, re.M), "unlike"),
        (bool(check.json), lambda: _holds_json(check, data), "json"),
    )
    wrong = [name for said, holds, name in rules if said and not holds()]
    return f"its content is not as {wrong[0]!r} says" if wrong else ""


def _holds_json(check: FileCheck, data: bytes) -> bool:
    try:
        return holds_values(parse(data.strip()), check.json)
    except MalformedJson:
        return False
