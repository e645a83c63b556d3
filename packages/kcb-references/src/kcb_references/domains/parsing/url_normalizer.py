# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Resolves a URL against a base and brings it to one spelling."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

_DEFAULT_PORTS = {"http": 80, "https": 443}

_BAD_CHARACTER = re.compile(r"[\x00-\x20\x7f]")
# The parts of a URL; every text matches.
_PARTS = re.compile(
    r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):)?"
    r"(?://(?P<authority>[^/?#]*))?"
    r"(?P<path>[^?#]*)"
    r"(?:\?(?P<query>[^#]*))?"
    r"(?:#(?P<fragment>.*))?",
    re.DOTALL,
)
_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.?")
_PORT = re.compile(r"[0-9]{1,5}")
_BAD_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")

_UNRESERVED = r"A-Za-z0-9._~\-"
# A character to look at: `%` with its two digits, or one that cannot stay.
_UNSAFE_IN_PATH = re.compile(rf"%[0-9A-Fa-f]{{2}}|[^{_UNRESERVED}!$&'()*+,;=:@/]")
_UNSAFE = re.compile(rf"%[0-9A-Fa-f]{{2}}|[^{_UNRESERVED}!$&'()*+,;=:@/?]")
_IS_UNRESERVED = re.compile(f"[{_UNRESERVED}]")


class _Parts(NamedTuple):
    """What a URL is made of; `None` stands for a part that is not there."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Resolve a URL and bring it to one spelling.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    url, base = fields["url"], fields.get("base")
    code = _url_error(url, base)
    if code is not None:
        return {"error": {"code": code}}
    parts = _cut(url)
    if base is not None:
        parts = _resolve(parts, _cut(base))
    return {
        "result": _normalize(
            parts,
            set(fields.get("drop_params", [])),
            sort_query=fields.get("sort_query", False),
            keep_fragment=fields.get("keep_fragment", False),
        )
    }


def _cut(text: str) -> _Parts:
    """Cut a URL into its parts."""
    found = _PARTS.fullmatch(text)
    assert found is not None, "every part may be missing, and the last one takes any character"
    return _Parts(**found.groupdict())


def _url_error(url: str, base: str | None) -> str | None:
    """Give the code of the first error of a URL and its base, or `None` if there is none."""
    texts = [url] if base is None else [url, base]
    if any(map(_BAD_CHARACTER.search, texts)):
        return "bad_character"
    all_parts = list(map(_cut, texts))
    if any(map(_has_bad_scheme, all_parts)) or any(parts.scheme is None for parts in all_parts[1:]):
        return "unsupported_scheme"
    if all_parts[0].scheme is None and base is None:
        return "relative_without_base"
    if any(map(_has_bad_authority, all_parts)):
        return "bad_authority"
    if any(map(_has_bad_port, all_parts)):
        return "bad_port"
    if any(map(_has_bad_percent, all_parts)):
        return "bad_percent"
    return None


def _has_bad_scheme(parts: _Parts) -> bool:
    """Tell whether there is a scheme other than those that are supported."""
    return parts.scheme is not None and parts.scheme.lower() not in _DEFAULT_PORTS


def _has_bad_authority(parts: _Parts) -> bool:
    """Tell whether the authority is missing or its host is wrong."""
    if parts.authority is None:
        return parts.scheme is not None
    host, _ = _host_and_port(parts.authority)
    return "@" in parts.authority or not _HOST.fullmatch(host)


def _has_bad_port(parts: _Parts) -> bool:
    """Tell whether there is a port that is no number of the range."""
    _, port = _host_and_port(parts.authority or "")
    return port != "" and not (_PORT.fullmatch(port) and 1 <= int(port) <= 65535)


def _has_bad_percent(parts: _Parts) -> bool:
    """Tell whether there is a `%` behind the authority without two digits after it."""
    texts = (parts.path, parts.query or "", parts.fragment or "")
    return any(map(_BAD_PERCENT.search, texts))


def _host_and_port(authority: str) -> tuple[str, str]:
    """Cut an authority at its last colon; a port that is not there is empty."""
    host, colon, port = authority.rpartition(":")
    return (host, port) if colon else (authority, "")


def _resolve(parts: _Parts, base: _Parts) -> _Parts:
    """Take from a base what a URL does not have."""
    if parts.scheme is not None:
        return parts
    parts = parts._replace(scheme=base.scheme)
    if parts.authority is not None:
        return parts
    parts = parts._replace(authority=base.authority)
    if parts.path == "":
        query = base.query if parts.query is None else parts.query
        return parts._replace(path=base.path, query=query)
    if parts.path.startswith("/"):
        return parts
    # The path of a base, which has an authority, is empty or starts with `/`.
    folder, _, _ = base.path.rpartition("/")
    return parts._replace(path=f"{folder}/{parts.path}")


def _normalize(
    parts: _Parts, dropped: set[str], *, sort_query: bool, keep_fragment: bool
) -> dict[str, Any]:
    """Make the result from the parts of a URL that is resolved.

    Args:
        parts: Parts without errors, with scheme and authority.
        dropped: The names of the pieces of the query to drop.
        sort_query: Whether the pieces of the query are sorted.
        keep_fragment: Whether the fragment is kept.

    Returns:
        The result of the contract.
    """
    scheme = (parts.scheme or "").lower()
    host, port_text = _host_and_port(parts.authority or "")
    host = host.lower().removesuffix(".")
    port = int(port_text) if port_text else _DEFAULT_PORTS[scheme]
    path = _without_dots(_spell(parts.path, _UNSAFE_IN_PATH))
    query = _normal_query(_spell(parts.query or "", _UNSAFE), dropped, sort_query)
    fragment = _spell(parts.fragment or "", _UNSAFE) if keep_fragment else ""
    url = f"{scheme}://{host}"
    if port != _DEFAULT_PORTS[scheme]:
        url += f":{port}"
    url += path
    if query is not None:
        url += f"?{query}"
    if fragment:
        url += f"#{fragment}"
    return {"url": url, "scheme": scheme, "host": host, "path": path, "port": port, "query": query}


def _spell(text: str, unsafe: re.Pattern[str]) -> str:
    """Bring the characters of a part to one spelling."""
    return unsafe.sub(lambda found: _spell_one(found[0]), text)


def _spell_one(text: str) -> str:
    """Bring `%` with two digits, or a character that cannot stay, to one spelling."""
    if text.startswith("%"):
        character = chr(int(text[1:], 16))
        return character if _IS_UNRESERVED.match(character) else text.upper()
    # No character is left that cannot be encoded, but no input may make this fail.
    return "".join(f"%{byte:02X}" for byte in text.encode(errors="surrogatepass"))


def _without_dots(path: str) -> str:
    """Resolve the segments `.` and `..` of a path that is empty or starts with `/`."""
    segments = path[1:].split("/")
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    end = "/" if kept and segments[-1] in (".", "..") else ""
    return f"/{'/'.join(kept)}{end}"


def _normal_query(query: str, dropped: set[str], sort_query: bool) -> str | None:
    """Drop and sort the pieces of a query; `None` stands for a query without pieces."""
    pieces = [
        piece for piece in query.split("&") if piece and piece.partition("=")[0] not in dropped
    ]
    if sort_query:
        pieces.sort(key=lambda piece: (piece.partition("=")[0], piece))
    return "&".join(pieces) if pieces else None


def _is_string(value: Any, high: int) -> bool:
    """Tell whether a value is a string that is not too long."""
    return isinstance(value, str) and len(value) <= high


def _are_names(value: Any) -> bool:
    """Tell whether a value is an array of names that the contract allows."""
    return (
        isinstance(value, list)
        and len(value) <= 50
        and all(_is_string(name, 100) for name in value)
    )


def _is_boolean(value: Any) -> bool:
    """Tell whether a value is `true` or `false`."""
    return isinstance(value, bool)


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "url": lambda value: _is_string(value, 2000),
    "base": lambda value: value is None or _is_string(value, 2000),
    "drop_params": _are_names,
    "sort_query": _is_boolean,
    "keep_fragment": _is_boolean,
}
_REQUIRED = ("url",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
