"""The account of one subject while it runs: every change stands in the checkpoint at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from kcb_agents.proxy.admission import Admission, Asked, Spent
from kcb_agents.proxy.checkpoint import Checkpoint, ModelUsage, checkpoint_path, write_checkpoint
from kcb_agents.proxy.reading import Reading
from kcb_agents.proxy.refusal import Refusal
from kcb_agents.tokens import prompt_tokens, sum_usage


@dataclass(slots=True)
class Entry:
    """One request that was let through."""

    ledger: Ledger
    asked: Asked
    admitted: bool = False
    settled: bool = False

    def admit(self) -> None:
        """The provider has taken it on, or may have."""
        if not self.admitted:
            self.admitted = True
            self.ledger.change(admitted=1)

    def settle(self, reading: Reading, *, status: int = 0, reply_bytes: int = 0) -> None:
        """It has come to its end, with what was read of its usage; only the first call counts."""
        if self.settled:
            return
        self.settled = True
        self.ledger.close(self, reading, status, reply_bytes)


@dataclass(slots=True, kw_only=True)
class Ledger:
    """Counts what a subject uses. It belongs to one thread."""

    profile: str
    folder: Path
    key: bytes = field(repr=False)
    models: frozenset[str]
    """The models that were declared; nothing else ever names a row."""
    admission: Admission
    state: Checkpoint = field(init=False)
    failure: str = field(default="", init=False)
    """Why the checkpoint could not be written, if it could not."""

    def __post_init__(self) -> None:
        self.state = Checkpoint(profile=self.profile)
        self.change()

    def open(self, asked: Asked) -> Entry:
        """Let a request through, on record before anybody else hears of it.

        Raises:
            Refusal: there is no budget for it, or it could not be put on record.
        """
        if reason := self.admission.reserve(asked):
            # 402 is not asked again by any client's own retries, unlike 429.
            raise Refusal(402, "budget_exhausted", reason)
        entry = Entry(self, asked)
        self.change(requests=1, in_flight=1)
        if self.failure:
            entry.settle(Reading())
            raise Refusal(503, "cannot_meter", "the usage of this request cannot be recorded")
        return entry

    def close(self, entry: Entry, reading: Reading, status: int, reply_bytes: int) -> None:
        """Put on record what a request came to."""
        complete = reading.complete
        models = self.state.models
        if reading.usage is not None:
            entry.admit()  # whoever states usage has worked
            models = self._with_usage(entry.asked.model, reading)
        self.change(in_flight=-1, usage_bearing=int(complete), models=models)
        spent = Spent(
            usage=reading.usage,
            complete=complete,
            admitted=entry.admitted,
            status=status,
            reply_bytes=reply_bytes,
        )
        self.admission.settle(entry.asked, spent)

    def end(self) -> None:
        """Put on record that there is nothing to come."""
        self.change(settled=True)

    def change(
        self,
        *,
        requests: int = 0,
        in_flight: int = 0,
        admitted: int = 0,
        usage_bearing: int = 0,
        models: tuple[ModelUsage, ...] | None = None,
        settled: bool = False,
    ) -> None:
        """Count, and write the checkpoint."""
        state = self.state
        self.state = msgspec.structs.replace(
            state,
            requests=state.requests + requests,
            in_flight=state.in_flight + in_flight,
            admitted=state.admitted + admitted,
            usage_bearing=state.usage_bearing + usage_bearing,
            models=state.models if models is None else models,
            settled=settled,
        )
        path = checkpoint_path(self.folder, self.profile)
        try:
            write_checkpoint(self.state, path, self.key)
        except OSError as error:
            self.failure = f"{path}: cannot be written: {error.strerror or error}"

    def _with_usage(self, asked: str, reading: Reading) -> tuple[ModelUsage, ...]:
        """The rows with one more request in that of its model.

        A router may fall back to another declared model; any other name that an endpoint gives its
        model is its own business.
        """
        name = reading.model if reading.model in self.models else asked
        usage = reading.usage
        rows = {row.model: row for row in self.state.models}
        before = rows.get(name)
        if usage is not None:
            largest = max(before.largest_prompt_tokens if before else 0, prompt_tokens(usage))
            total = sum_usage([before.usage, usage]) if before else usage
            rows[name] = ModelUsage(model=name, usage=total, largest_prompt_tokens=largest)
        return tuple(rows.values())
