"""The network of subjects: by the one proxy that a spec pins, with a record of what was asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kcb_core.errors import DeclarationError, KcbError
from kcb_core.execution import Casting, Errand, Left
from kcb_core.roles import EGRESS_RECORD, Agent, NetworkedAgent
from kcb_core.transcript_file import TRANSCRIPT_NAME, side_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """What the subjects of an experiment can reach besides their models."""

    proxy: str
    """The proxy that all of it goes through, with its version."""
    blocked: tuple[str, ...] = ()
    """Names that it refuses besides those of its blocklist."""

    def require(self, castings: Sequence[Casting], agents: Iterable[Agent]) -> None:
        """Make sure that every subject can be kept to the proxy on this machine.

        Args:
            castings: the subjects.
            agents: those that plug-ins bring.

        Raises:
            DeclarationError: one cannot; it is named.
        """
        known = {agent.name: agent for agent in agents}
        for casting in castings:
            agent = known[casting.agent]
            if not isinstance(agent, NetworkedAgent):
                raise DeclarationError(
                    f"subject {casting.subject!r}: agent {casting.agent!r} cannot be kept to a "
                    "proxy; leave out 'executor.egress_proxy', or name an agent that can, such as "
                    "'command'"
                )
            try:
                agent.preflight_egress(self.proxy, self.blocked)
            except KcbError as error:
                raise DeclarationError(f"subject {casting.subject!r}: {error}") from None

    def told(self, errand: Errand) -> Errand:
        """The errand with what its agent is told of the proxy."""
        options = {"egress_proxy": self.proxy}
        if self.blocked:
            options["egress_blocked"] = ",".join(self.blocked)
        casting = replace(errand.casting, options={**errand.casting.options, **options})
        return replace(errand, casting=casting)


def witnessed(left: Left, folder: Path) -> Left:
    """What a subject with a network left, if there is a record of what it asked.

    An agent leaves that only whole. Without it nothing can be said of the subject, however it
    ended: the execution counts as one that failed.

    Args:
        left: as it was seen.
        folder: of the attempt.
    """
    record = side_folder(folder / TRANSCRIPT_NAME) / EGRESS_RECORD
    if not left.started or left.cancelled or left.raised or record.is_file():
        return left
    reason = "the egress record is missing"
    return replace(left, raised=True, reason=f"{reason}: {left.reason}" if left.reason else reason)
