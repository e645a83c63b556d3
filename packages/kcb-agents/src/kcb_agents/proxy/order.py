"""What a subject asks for, read and rewritten before it goes to the endpoint."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import msgspec

from kcb_agents.proxy.refusal import Refusal
from kcb_agents.proxy.reply_limit import SPELT_BYTES, stated_limit, with_limit
from kcb_agents.proxy.routes import Api, Route
from kcb_agents.proxy.web_tools import without_web_tools
from kcb_core.codec import ascii_line, parse
from kcb_core.errors import MalformedJson

_STORED = ("preset", "prompt", "fallbacks")
"""Members that let the provider bring in tools or models which stand in no request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One request as the endpoint gets it."""

    model: str
    """The model that is asked for, verbatim."""
    data: bytes
    """The body."""
    hide_usage: bool
    """Whether usage was asked for in the client's stead, which must not see it."""
    max_output_tokens: int | None
    """The bound on output that the request sets, if any."""


def read_order(
    route: Route,
    data: bytes,
    models: Collection[str],
    *,
    ask_usage: bool,
    room: Callable[[int], int | None] = lambda size: None,
) -> Order:
    """The order in the body of a request.

    The endpoint gets what was read here, written anew: a name that stands twice in the body cannot
    mean one thing to the proxy and another to the endpoint.

    Args:
        route: what kind of request it is.
        data: the body, whole.
        models: the only models that may be asked for.
        ask_usage: whether to ask for usage in streams of chat completions.
        room: most tokens that the reply to a request of so many bytes may have; None for any.

    Raises:
        Refusal: it is no JSON object, or asks for what is not declared.
    """
    body = _object(data)
    model = _pinned(body, models)
    _refuse_stored(route, body)
    body = without_web_tools(body)
    hide_usage = ask_usage and route.api is Api.OPENAI and _ask_for_usage(body)
    data = _encoded(body)
    most = room(len(data) + SPELT_BYTES) if route.metered else None
    if most is not None and most > 0:
        body = with_limit(route.api, body, most)
        data = _encoded(body)
    return Order(
        model=model,
        data=data,
        hide_usage=hide_usage,
        max_output_tokens=stated_limit(route.api, body),
    )


def _object(data: bytes) -> dict[str, Any]:
    """The object in a body.

    A conversation may have megabytes, so the quick reader goes first; it knows no lone surrogates,
    which programs that cut texts in the middle do send.
    """
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):
        try:
            value = parse(data)
        except MalformedJson as error:
            raise Refusal(400, "malformed_request", f"the body is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise Refusal(400, "malformed_request", "the body is no JSON object")
    return value


def _encoded(body: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(body)
    except UnicodeEncodeError:
        return ascii_line(body).encode()


def _pinned(body: dict[str, Any], models: Collection[str]) -> str:
    """The model that is asked for; routers take a list of others to fall back to."""
    others = body.get("models")
    asked = [body.get("model", body.get("name")), *(others if isinstance(others, list) else ())]
    for model in asked:
        if model not in models:
            known = ", ".join(sorted(models))
            reason = f"the model {model!r:.200} is not declared for this subject; it has {known}"
            raise Refusal(403, "model_not_declared", reason)
    return str(asked[0])


def _refuse_stored(route: Route, body: dict[str, Any]) -> None:
    """Refuse what is settled elsewhere: what stands in no request, or is answered in no reply."""
    names = [name for name in _STORED if body.get(name) and route.api is not Api.OLLAMA]
    if body.get("background"):
        names.append("background")
    if names:
        raise Refusal(
            403, "not_metered", f"the member {names[0]!r} cannot be metered; leave it out"
        )


def _ask_for_usage(body: dict[str, Any]) -> bool:
    """Ask for usage at the end of a stream; whether the client had not."""
    if body.get("stream") is not True:
        return False
    options = body.get("stream_options")
    options = options if isinstance(options, dict) else {}
    if options.get("include_usage") is True:
        return False
    body["stream_options"] = {**options, "include_usage": True}
    return True
