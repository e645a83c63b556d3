"""The metering proxy around one program, and what it says of it in the end."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from kcb_agents.command.budget import Budget
from kcb_agents.endpoint.connection import Connection
from kcb_agents.prices import PriceBook
from kcb_agents.proxy.bill import Bill, bill
from kcb_agents.proxy.checkpoint import checkpoint_path, recover_checkpoint
from kcb_agents.proxy.serving import Lease, Proxy
from kcb_agents.proxy.subject import Subject
from kcb_agents.proxy.upstream import Upstream
from kcb_core.run_record import Cost, Usage

PROFILE = "command"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metering:
    """One program's right to ask, and who counts."""

    url: str
    """Base URL as the program sees it, without ``/v1``."""
    lease: Lease
    folder: Path
    key: bytes = field(repr=False)

    def bill(self, book: PriceBook) -> Bill | None:
        """What the checkpoint says, whether or not the program and the proxy ended in order."""
        checkpoint = recover_checkpoint(checkpoint_path(self.folder, PROFILE), self.key)
        return None if checkpoint is None else bill(checkpoint, book)


@contextmanager
def metered(
    connection: Connection, listener: socket.socket, budget: Budget, folder: Path
) -> Iterator[Metering]:
    """A proxy in front of an endpoint, at a socket that was made for one program.

    Args:
        connection: the endpoint with its key, and the only model that may be asked.
        listener: a socket that listens in the program's network.
        budget: what it may ask for.
        folder: where its checkpoint goes; it is made if it is not there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    endpoint, key = connection.endpoint, secrets.token_bytes(32)
    upstream = Upstream(base_url=endpoint.base_url, api_key=endpoint.api_key)
    subject = Subject(
        profile=PROFILE,
        models=(connection.settings.model,),
        folder=folder,
        key=key,
        admission=budget,
    )
    with Proxy(upstream, listener=listener) as proxy:
        yield Metering(url=proxy.url, lease=proxy.lease(subject), folder=folder, key=key)


def stated(bill: Bill | None) -> dict[str, Any]:
    """The members ``usage`` and ``cost`` of a run record; what is not known is left out."""
    found: dict[str, Any] = {}
    if bill is None:
        return found
    if bill.usage != Usage():
        found["usage"] = bill.usage
    if bill.cost_usd is not None:
        found["cost"] = Cost(
            dollars=float(bill.cost_usd),
            lower_bound=True if bill.cost_is_lower_bound else msgspec.UNSET,
            unpriced=bill.unpriced or msgspec.UNSET,
        )
    return found
