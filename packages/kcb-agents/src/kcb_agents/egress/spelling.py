"""What a host or a path says, however it is spelt.

It uses the standard library and nothing else: a copy of it works inside the proxy.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

MOST_ROUNDS = 8
"""How often text may have been percent-encoded; no program does it more than two or three times."""

MOST_CHARACTERS = 16_384
"""Longest host or path that is read; servers refuse them from about half of that on."""

_TRANSLATED = ".translate.goog"
_ENCODED = re.compile(r"[A-Za-z0-9_+-]{16,}={0,2}")
_PUNYCODE = "xn--"
_DASHES = dict.fromkeys(map(chr, (*range(0x2010, 0x2016), 0x2043, 0x2212)), "-")
_DOTS = dict.fromkeys("\u3002\uff61\u2024", ".")

#: Letters of other scripts that look like Latin ones, after case was folded.
#: Source: the letters of Unicode's confusables.txt that look like a to z and are in common fonts.
_ALIKE = {
    **dict(zip("асеһіјорԛѕѵԝхуԁӏкмтнвпг", "acehijopqsvwxydlkmthbnr", strict=True)),
    **dict(zip("αεικνορτυχβηωγ", "aeikvoptuxbnwy", strict=True)),
    **{"ı": "i", "ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ɑ": "a", "ɡ": "g", "ɩ": "i", "ƅ": "b"},
}
_SEEN_AS = str.maketrans({**_DASHES, **_DOTS, **_ALIKE, "\\": "/"})


class TooDeep(ValueError):
    """Text that is too long, or wrapped too often, to be read."""


def skeleton(text: str) -> str:
    """A text as it looks: without case, accents, invisible characters and letters that look alike.

    ASCII stays what it is, but for capitals and backslashes.
    """
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_SEEN_AS)
    apart = unicodedata.normalize("NFD", folded)
    kept = (letter for letter in apart if unicodedata.category(letter) not in ("Mn", "Cf", "Cc"))
    return "".join(kept).translate(_SEEN_AS)


def decodings(text: str) -> Iterator[str]:
    """A text, and what it is when percent-encoding is taken off it again and again.

    Raises:
        TooDeep: it is too long, or there is no end to it.
    """
    if len(text) > MOST_CHARACTERS:
        raise TooDeep(f"{len(text)} characters")
    for _ in range(MOST_ROUNDS):
        yield text
        further = unquote(text, errors="replace")
        if further == text:
            return
        text = further
    raise TooDeep(f"percent-encoded more than {MOST_ROUNDS - 1} times")


def host_readings(host: str) -> frozenset[str]:
    """All that a host can be read as; it has no port.

    Raises:
        TooDeep: it cannot be read.
    """
    found: set[str] = set()
    for text in decodings(host.strip("[]")):
        plain = ".".join(map(_label, skeleton(text).strip(".").split(".")))
        found |= {plain, _untranslated(plain)}
    return frozenset(found)


def path_readings(target: str) -> frozenset[str]:
    """All that a path, with its query, can be read as.

    Raises:
        TooDeep: it cannot be read.
    """
    found: set[str] = set()
    for text in decodings(target):
        for reading in (text, *_decoded(text)):
            plain = skeleton(reading)
            found |= {plain, _without_dots(plain)}
    return frozenset(found)


def _label(label: str) -> str:
    """A label of a domain, its punycode undone."""
    if not label.startswith(_PUNYCODE):
        return label
    try:
        return skeleton(label.removeprefix(_PUNYCODE).encode("ascii").decode("punycode"))
    except UnicodeError:
        return label


def _untranslated(host: str) -> str:
    """The host of a page that a well-known service shows under its own name."""
    if not host.endswith(_TRANSLATED):
        return host
    label = host.removesuffix(_TRANSLATED)
    return "-".join(part.replace("-", ".") for part in label.split("--"))


def _decoded(text: str) -> Iterator[str]:
    """What stands in it in Base64, if that is text."""
    for found in _ENCODED.findall(text):
        bare = found.rstrip("=").replace("+", "-").replace("/", "_")
        try:
            said = base64.urlsafe_b64decode(bare + "=" * (-len(bare) % 4)).decode("ascii")
        except (binascii.Error, UnicodeDecodeError):
            continue
        if said.isprintable():
            yield unquote(said)


def _without_dots(target: str) -> str:
    """A path whose empty and dotted segments are taken out; what follows a ``?`` stays."""
    path, mark, query = target.partition("?")
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            kept = kept[:-1]
        elif segment not in ("", "."):
            kept.append(segment)
    return f"/{'/'.join(kept)}{mark}{query}"
