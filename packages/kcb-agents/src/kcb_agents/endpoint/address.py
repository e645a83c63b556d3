"""Base URLs: what an endpoint is called, and what may not stand in its name."""

from __future__ import annotations

from ipaddress import ip_address

import httpx

from kcb_core.errors import DeclarationError

_PATHS = ("/chat/completions", "/responses", "/messages", "/api/chat")

_EXAMPLE = "a base URL looks like http://localhost:8080/v1"


def clean_base_url(text: str) -> str:
    """A base URL in its one spelling: without a slash, or the path of a question, at its end.

    Nothing of a URL that is refused is repeated, since it may hold a secret.

    Raises:
        DeclarationError: it is no HTTP URL, or holds credentials, a query or a fragment.
    """
    try:
        url = httpx.URL(text.strip())
    except httpx.InvalidURL as error:
        raise DeclarationError(f"the base URL cannot be read: {error}; {_EXAMPLE}") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise DeclarationError(f"the base URL is no HTTP URL; {_EXAMPLE}")
    if url.userinfo or url.query or url.fragment:
        raise DeclarationError(
            "the base URL holds credentials, a query or a fragment; it is stored with every "
            "project: put the key into a variable and name that with --api-key-env"
        )
    path = url.path.rstrip("/")
    path = next((path.removesuffix(end) for end in _PATHS if path.endswith(end)), path)
    return str(url.copy_with(path=path or "/")).rstrip("/")


def is_loopback(base_url: str) -> bool:
    """Whether the endpoint is on this machine."""
    host = httpx.URL(base_url).host
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_nearby(base_url: str) -> bool:
    """Whether the endpoint is on this machine or in its network, and nobody's public service."""
    host = httpx.URL(base_url).host
    try:
        address = ip_address(host)
    except ValueError:
        return is_loopback(base_url) or "." not in host or host.endswith((".local", ".internal"))
    return address.is_private or address.is_loopback or address.is_link_local
