"""Takes secrets out of whatever is stored or shown.

The caller says what is secret; nothing is guessed. A secret is found as it is, percent-encoded, in
base64 when it is encoded by itself, and as JSON writes it.
"""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

from kcb_core.codec import Json, ascii_line, compact

MIN_SECRET = 8
"""Shortest text that is taken for a secret; shorter ones are dummies such as ``ollama``."""

MARK = "[secret]"


class Scrubber:
    """Replaces secrets in text, bytes and JSON values. Its own text shows none of them."""

    __slots__ = ("_bytes", "_text")

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        spelled = {s for secret in secrets if len(secret) >= MIN_SECRET for s in _spellings(secret)}
        # The longest first: a secret may be the beginning of another one.
        ordered = sorted(spelled, key=lambda spelling: (-len(spelling), spelling))
        self._text = re.compile("|".join(map(re.escape, ordered))) if ordered else None
        encoded = [re.escape(each.encode("utf-8", "surrogatepass")) for each in ordered]
        self._bytes = re.compile(b"|".join(encoded)) if ordered else None

    def text(self, text: str) -> str:
        """The text without secrets."""
        return self._text.sub(MARK, text) if self._text else text

    def data(self, data: bytes) -> bytes:
        """The bytes without secrets."""
        return self._bytes.sub(MARK.encode(), data) if self._bytes else data

    def json(self, value: Json) -> Json:
        """The value without secrets, in names too."""
        if self._text is None:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(name): self.json(member) for name, member in value.items()}
        return [self.json(member) for member in value] if isinstance(value, list | tuple) else value


NOTHING_SECRET = Scrubber()
"""For whoever holds no secret."""


def _spellings(secret: str) -> Iterable[str]:
    data = secret.encode("utf-8", "surrogatepass")
    return (
        secret,
        quote(data, safe=""),
        quote_plus(data),
        b64encode(data).decode(),
        urlsafe_b64encode(data).decode(),
        b64encode(data).decode().rstrip("="),
        ascii_line(secret)[1:-1],
        compact(secret)[1:-1],
    )
