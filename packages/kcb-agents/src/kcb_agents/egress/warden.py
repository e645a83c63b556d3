"""What a proxy lets pass, and what it writes down of it; it knows nothing of any proxy program.

Everything is refused once the record is full or cannot be written. It uses the standard library and
its neighbours: a copy of them works inside the proxy.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kcb_agents.egress.audit_log import AuditLog
from kcb_agents.egress.judge import Blocklist
from kcb_agents.egress.reach import at_large, own

HEALTH_HOST = "health.kcb-egress.invalid"
"""A request to it is answered by the proxy itself, with the nonce that it was started with."""

NO_TUNNEL = frozenset({53, 853})
"""Ports of name service, to which no tunnel is made."""

_KEPT = "this page is kept from subjects of the experiment"


class Warden:
    """Judges for one proxy, which is one subject's."""

    def __init__(self, settings: Path) -> None:
        """Begin the record.

        Args:
            settings: a JSON object with ``nonce``, ``audit``, ``most_bytes``, ``blocklist`` (its
                text) and ``names`` (further names to refuse).

        Raises:
            OSError: the record cannot be begun.
            ValueError: the settings are none.
        """
        said = json.loads(settings.read_text("utf-8"))
        self.nonce: str = said["nonce"]
        self._blocklist = Blocklist.read(said["blocklist"], said["names"])
        self._log = AuditLog(said["audit"], said["most_bytes"], nonce=self.nonce)

    def tunnel(self, host: str, port: int, *, nested: bool) -> str:
        """Why a tunnel is not made; empty if it is.

        Args:
            host: where it is to lead.
            port: to which port there.
            nested: whether it is asked for within another one.
        """
        seen = {"host": host, "port": port}
        if nested:
            return self._refused("tunnel", "a tunnel in a tunnel", seen)
        if port in NO_TUNNEL:
            return self._refused("tunnel", "name service", seen)
        return self._judged("tunnel", host, "", seen)

    def request(
        self, method: str, host: str, port: int, names: tuple[str, ...], target: str
    ) -> str:
        """Why a request is refused; empty if it is not.

        Args:
            method: of the request.
            host: where it would be sent.
            port: to which port there.
            names: what its first line, its headers and the greeting before them call the host;
                each may be empty.
            target: path and query.
        """
        seen = {"method": method, "host": host, "port": port, "path": target}
        for name in names:
            if name and _plain(name) != _plain(host):
                found = {**seen, "name": name}
                return self._refused("request", "it names another host than it goes to", found)
        return self._judged("request", host, target, seen)

    def connection(self, host: str) -> str:
        """Why no connection to a host is made; empty if it is: what is judged last, by host."""
        if finding := self._blocklist.judge(host):
            return self._refused("connection", f"{finding.why}: {finding.entry}", {"host": host})
        if _is_address(host) and not self.reachable(host, [host]):
            return "it is no address of the internet"
        return ""

    def reachable(self, host: str, addresses: Iterable[str]) -> list[str]:
        """Those of a host's addresses that a proxy may connect to, as texts without a zone."""
        given = list(dict.fromkeys(addresses))
        found = [address for address in given if at_large(address) and not own(address)]
        if given and not found:
            seen = {"host": host, "addresses": given[:8]}
            self._refused("connection", "it is in no address of the internet", seen)
        return found

    def raw(self, kind: str, host: str) -> str:
        """That bytes which are no HTTP do not pass."""
        return self._refused(kind, "it is no HTTP", {"host": host})

    def close(self) -> None:
        """End the record."""
        self._log.close()

    def _judged(self, event: str, host: str, target: str, seen: dict[str, Any]) -> str:
        if finding := self._blocklist.judge(host, target):
            found = {**seen, "found_in": finding.field}
            return self._refused(event, f"{finding.why}: {finding.entry}", found)
        return "" if self._log.write(event, verdict="passed", **seen) else _FULL

    def _refused(self, event: str, why: str, seen: dict[str, Any]) -> str:
        self._log.write(event, verdict="refused", why=why, **seen)
        return f"{_KEPT}: {why}"


_FULL = "the record of what this subject asked is full: nothing passes any more"


def _plain(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()


def _is_address(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()
