"""What a record and a transcript say of an external program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from kcb_agents.command.budget import BYTES_A_TOKEN, Budget
from kcb_agents.command.choices import CommandOptions
from kcb_agents.command.course import Course
from kcb_agents.command.declaration import Declaration
from kcb_agents.command.frame import Frame
from kcb_agents.command.metering import stated
from kcb_agents.egress.audit import Audit
from kcb_agents.egress.component import blocklist_text
from kcb_agents.endpoint_line import EndpointLine
from kcb_agents.preamble import Preamble
from kcb_agents.proxy.bill import Bill
from kcb_agents.record import ProgramStamp
from kcb_agents.toolchain.recipe import toolchain_names
from kcb_agents.trial import Ended
from kcb_core import transcript as kept
from kcb_core.codec import ascii_line, canonical, digest, parse
from kcb_core.run_record import Usage
from kcb_core.scrubber import Scrubber
from kcb_core.transcript_file import TranscriptWriter

TOOL = "program"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """All that is known when a program has ended."""

    line: EndpointLine
    declaration: Declaration
    options: CommandOptions
    toolchain: str
    """Fingerprint of the toolchain, if it was held against one."""
    preamble: Preamble
    budget: Budget
    course: Course | None
    bill: Bill | None
    audit: Audit | None
    seconds: float

    def record(self, ended: Ended, confinement: dict[str, Any]) -> dict[str, Any]:
        """The members of a generation's record."""
        found = stated(self.bill)
        told: dict[str, Any] = {
            **self.line.told(None),
            "program": stamp(self.declaration),
            "preamble": self.preamble.stamp,
            "reason": ended.reason,
            "notes": self._notes(),
            "totals": self._totals(),
            "bounds": applied(self.options),
            "confinement": confinement,
            **({"egress": self._egress(self.audit)} if self.audit else {}),
            **({"usage": found["usage"]} if "usage" in found else {}),
            "run_record": msgspec.structs.replace(
                self.line.run_record(),
                # The program samples and asks again as it likes, and tells nobody.
                sampling=msgspec.UNSET,
                retries=msgspec.UNSET,
                preamble_sha256=self.preamble.stamp.sha256,
                toolchain_sha256=self.toolchain or msgspec.UNSET,
                budget=_budget(self.options),
                memory_reset=True,
                workspace_reset=True,
                seen_tasks=(),
                **found,
            ),
        }
        plain: dict[str, Any] = parse(canonical(msgspec.to_builtins(told)))
        return plain

    def _egress(self, audit: Audit) -> dict[str, Any]:
        """By which proxy it reached the network, and what the record of that comes to."""
        return {
            "proxy": self.options.egress_proxy,
            "blocklist_sha256": digest(blocklist_text().encode()),
            "blocked": self.options.blocked_names,
            **msgspec.to_builtins(audit),
        }

    def _totals(self) -> dict[str, Any]:
        bill = self.bill
        lower = {} if bill is None or bill.usage_complete else {"usage_complete": False}
        prices = {"prices": bill.prices} if bill and bill.cost_usd is not None else {}
        return {
            "turns": self.budget.turns,
            "seconds": self.seconds,
            "tokens_estimated": self.budget.tokens,
            "tokens_heuristic": f"bytes / {BYTES_A_TOKEN} of all requests and answers",
            **lower,
            **prices,
        }

    def _notes(self) -> tuple[str, ...]:
        notes: list[str] = []
        if self.course and (count := self.course.result.survivors):
            notes.append(f"{count} processes that it left running were killed")
        if self.options.program in toolchain_names() and not self.toolchain:
            notes.append("the program ran from no toolchain that is pinned")
        if not self.budget.turns:
            notes.append("the program asked no model")
        return tuple(notes)


def stamp(declaration: Declaration) -> ProgramStamp:
    """Which program, for the record."""
    plain = msgspec.to_builtins(declaration)
    return ProgramStamp(
        name=declaration.name,
        sha256=digest(canonical(plain)),
        argv=declaration.argv,
        result=declaration.result,
        effort=declaration.effort,
    )


def applied(options: CommandOptions) -> dict[str, Any]:
    """The bounds with their values."""
    names = ("turns", "seconds", "tokens", "dollars")
    values = {name: getattr(options, name) for name in names}
    return {name: value for name, value in values.items() if value is not msgspec.UNSET}


def _budget(options: CommandOptions) -> str:
    dollars = "" if options.dollars is msgspec.UNSET else f", {options.dollars:g} dollars"
    bounds = f"{options.turns} requests, {options.seconds:g} s, {options.tokens} estimated tokens"
    return bounds + dollars


def record_task(
    transcript: TranscriptWriter,
    declaration: Declaration,
    options: CommandOptions,
    prompt: str,
    preamble: Preamble,
) -> None:
    """Record what the program is told, before it is started."""
    transcript.record(
        kept.Contract(
            profile=f"command/{declaration.name}",
            preamble_sha256=preamble.stamp.sha256,
            bounds=applied(options),
            settings=msgspec.to_builtins(stamp(declaration)),
        )
    )
    transcript.record(kept.Message(role="user", text=prompt))
    argv = ascii_line(list(declaration.argv))
    transcript.record(kept.Action(tool=TOOL, arguments=argv, executed=True))


def record_course(
    transcript: TranscriptWriter,
    course: Course,
    budget: Budget,
    frame: Frame | None,
    scrubber: Scrubber,
    *,
    wrapped: bool,
) -> None:
    """Record what the program asked, and how it ended.

    What it wrote is kept only where the wrapper told it apart; else its standard output is dropped.
    """
    for asked, spent in budget.settled:
        if spent.admitted:
            usage: Usage | msgspec.UnsetType = spent.usage or msgspec.UNSET
            transcript.record(kept.Reply(turn=asked.number, model=asked.model, usage=usage))
        else:
            error = f"HTTP {spent.status}" if spent.status else "no answer"
            refused = kept.Refusal(turn=asked.number, error=error, unbilled=True)
            transcript.record(refused)
    result = course.result
    status, signal = result.status, result.signal
    if frame is not None:
        status, signal = frame.exit, frame.signal or None
    ending = "timed_out" if result.timed_out else "exited" if signal is None else "signalled"
    data, lost = (
        (result.stdout, result.stdout_dropped)
        if wrapped
        else (result.stderr, result.stderr_dropped)
    )
    stream = transcript.stream(scrubber.data(data), lost=lost)
    transcript.record(
        kept.Outcome(
            ending=ending,
            status=(signal if signal is not None else status) or 0,
            wall_s=result.wall_s,
            stdout=stream if wrapped else msgspec.UNSET,
            stderr=msgspec.UNSET if wrapped else stream,
        )
    )
