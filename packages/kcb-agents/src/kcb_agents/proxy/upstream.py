"""The endpoint behind a proxy, as the host knows it."""

from __future__ import annotations

from dataclasses import dataclass, field

from kcb_agents.proxy.routes import Api, Route, upstream_url


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream:
    """Where models answer, and with which key."""

    base_url: str
    """As ``clean_base_url`` gives it."""
    api_key: str = field(default="", repr=False)
    """The real key; it leaves the host for the endpoint and for nowhere else."""
    key_header: str = ""
    """The header for the key; by default that of the form in which is asked."""
    asks_usage: bool = True
    """Whether usage is asked for in streams; False for servers that refuse ``stream_options``."""

    def url(self, route: Route) -> str:
        """Where such a request goes."""
        return upstream_url(self.base_url, route)

    def credentials(self, route: Route) -> dict[str, str]:
        """The header with the real key, or none."""
        if not self.api_key:
            return {}
        usual = "x-api-key" if route.api is Api.ANTHROPIC else "authorization"
        name = (self.key_header or usual).lower()
        return {name: f"Bearer {self.api_key}" if name == "authorization" else self.api_key}

    def scrubbed(self, data: bytes) -> bytes:
        """What the endpoint said, without the key, should it repeat it."""
        key = self.api_key.encode()
        return data.replace(key, b"[api key]") if key and key in data else data


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a proxy spends at most, on one request unless said otherwise."""

    request_bytes: int = 16 << 20
    reply_bytes: int = 64 << 20
    error_bytes: int = 1 << 20
    """For an answer that is an error."""
    upload_s: float = 60.0
    """For a client to send its request."""
    connect_s: float = 10.0
    reply_s: float = 3600.0
    """From a request to the end of its answer."""
    stall_s: float = 60.0
    """How long a client may read nothing before it counts as gone."""
    drain_s: float = 10.0
    """How long is read on after a client has gone, for the usage at the end of the stream."""
    at_once: int = 32
    """Requests of all subjects that are sent at once; more of them wait their turn."""
    waiting: int = 64
    """Requests of all subjects that come, wait or are sent; more of them are put off."""
    connections: int = 128
    """Of all subjects; more of them are closed at once."""
