"""One run of an external program, from a prompt to a project.

The order is what makes it safe: the program ends, everything that it started is killed, what it
asked is settled, and only then are the files taken.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from kcb_agents.command.budget import Budget
from kcb_agents.command.choices import NAME, CommandOptions
from kcb_agents.command.course import Course, judged, watched
from kcb_agents.command.declaration import Declaration, filler
from kcb_agents.command.frame import Frame, read_frame
from kcb_agents.command.installation import vouched
from kcb_agents.command.metering import Metering, metered
from kcb_agents.command.premises import Premises, linked_interpreters, not_there, opened
from kcb_agents.command.telling import Account, record_course, record_task
from kcb_agents.conduct import NOTHING, entrypoint_of, handed_over
from kcb_agents.egress.audit import Audit
from kcb_agents.egress.passage import Passage, passage_for
from kcb_agents.endpoint.clock import Clock
from kcb_agents.endpoint_line import EndpointLine
from kcb_agents.preamble import COMMAND, COMMAND_WORKSPACE, Preamble
from kcb_agents.prices import PriceBook
from kcb_agents.project import write_project
from kcb_agents.record import StopReason
from kcb_agents.tariff import tariff
from kcb_agents.trial import Ended
from kcb_core.roles import Generated, Generation
from kcb_core.scrubber import Scrubber
from kcb_core.transcript_file import side_folder


@dataclass(slots=True, kw_only=True)
class Run:
    """One program at one task."""

    generation: Generation
    options: CommandOptions
    declaration: Declaration
    line: EndpointLine
    clock: Clock
    course: Course | None = field(init=False, default=None)
    metering: Metering | None = field(init=False, default=None)
    frame: Frame | None = field(init=False, default=None)
    audit: Audit | None = field(init=False, default=None)

    def conduct(self) -> Generated:
        """Run it; errors as in ``CommandAgent.generate``."""
        held = tariff(self.generation, self.options, self.line, agent=NAME)
        if held.dollars is not None:
            self.options = msgspec.structs.replace(self.options, dollars=held.dollars)
        budget = Budget(
            bounds=self.options,
            dollars=held.dollars,
            price=held.price,
            allowance=self.line.asking.allowance,
        )
        toolchain = vouched(self.options)
        begun = self.clock.monotonic()
        submission = NOTHING
        with ExitStack() as stack:
            passage = stack.enter_context(self._passage()) if self.options.egress_proxy else None
            where = opened(self.options.confine, self._shown(), self.generation.start, passage)
            premises = stack.enter_context(where)
            try:
                self._play(premises, budget)
                assert self.course is not None
                ended = judged(self.course, budget, self.frame, self.options)
            except KeyboardInterrupt:
                ended = Ended(stop_reason=StopReason.CANCELLED)
            if passage and passage.proxy:
                self.audit = passage.end(side_folder(self.generation.transcript.path))
            if ended.stop_reason.finished:
                entrypoint = entrypoint_of(self.generation)
                ended, submission = handed_over(ended, premises.hand_over, entrypoint=entrypoint)
            confinement = msgspec.to_builtins(premises.box.confinement)
        write_project(submission, self.generation.project)
        account = Account(
            line=self.line,
            declaration=self.declaration,
            options=self.options,
            toolchain=toolchain,
            preamble=self._preamble,
            budget=budget,
            course=self.course,
            bill=self.metering.bill(self._book) if self.metering else None,
            audit=self.audit,
            seconds=round(self.clock.monotonic() - begun, 3),
        )
        return Generated(
            stop_reason=ended.stop_reason,
            files=len(submission.files),
            record=account.record(ended, confinement),
        )

    def _play(self, premises: Premises, budget: Budget) -> None:
        """Let the program work until it ends, and settle what it asked."""
        prompt = self._preamble.filled(path=premises.box.inside) + self.generation.prompt
        transcript = self.generation.transcript
        record_task(transcript, self.declaration, self.options, prompt, self._preamble)
        folder = side_folder(transcript.path)
        connection = self.line.asking.connection
        with metered(connection, premises.box.listen(), budget, folder) as metering:
            self.metering = metering
            fill = self._filler(premises, prompt, metering)
            texts = {name: fill(text) for name, text in self.declaration.files.items()}
            premises.hand_out(prompt, texts)
            token = metering.lease.token
            program = premises.start(
                self.declaration.filled(fill, token),
                wrapped=self._wrapped,
                seconds=self.options.seconds,
            )
            self.course = watched(program, budget)
            metering.lease.end()
        if self._wrapped:
            self.frame = read_frame(self.course.result.stderr, premises.token)
        # The token is worth nothing any more; it is taken out since it looks like a key.
        record_course(
            transcript, self.course, budget, self.frame, Scrubber((token,)), wrapped=self._wrapped
        )
        if self.frame and self.frame.not_started:
            raise not_there(self.frame.reason)

    def _passage(self) -> AbstractContextManager[Passage]:
        """Its way to the network."""
        return passage_for(self.options.egress_proxy, self.options.blocked_names)

    @property
    def _preamble(self) -> Preamble:
        return COMMAND if self.generation.start is None else COMMAND_WORKSPACE

    @property
    def _wrapped(self) -> bool:
        return self.declaration.result == "protocol-v1"

    def _filler(self, premises: Premises, prompt: str, metering: Metering) -> Callable[[str], str]:
        asked = self.line.asking.connection.settings.model
        told = {"prompt": prompt, "base_url": metering.url, "model": asked}
        if effort := self.declaration.effort:
            told["effort"] = effort
        return filler({**premises.paths, **told, **self._toolchain()})

    def _toolchain(self) -> dict[str, str]:
        folder = self.options.toolchain
        return {"toolchain": str(Path(folder).absolute())} if folder else {}

    def _shown(self) -> list[Path]:
        """What the program can read besides the system's programs."""
        fill = filler(self._toolchain())
        paths = [Path(fill(path)) for path in self.declaration.show]
        return [*paths, *(link for path in paths for link in linked_interpreters(path))]

    @property
    def _book(self) -> PriceBook:
        return self.line.book(self.options.declared_price)
