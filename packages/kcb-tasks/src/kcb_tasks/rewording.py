"""Other words in Markdown: names that stand as code are changed, and no prose is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_CODE = re.compile(
    r"^(?P<fence>```+)\w*\n.*?^(?P=fence)$|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)",
    re.MULTILINE | re.DOTALL,
)
_HEADING = re.compile(r"^(#+ )(\w+)$", re.MULTILINE)
_WORD = re.compile(r"\w+")


def reworded(text: str, names: Mapping[str, str]) -> str:
    """A text with other names in its inline code; fenced blocks stay, as does all prose.

    Args:
        text: Markdown.
        names: what each whole word in inline code is replaced by.
    """

    def code(found: re.Match[str]) -> str:
        return found[0] if found["fence"] else _WORD.sub(word, found[0])

    def word(found: re.Match[str]) -> str:
        return names.get(found[0], found[0])

    return _CODE.sub(code, text)


def retitled(text: str, names: Mapping[str, str]) -> str:
    """A text with other names where a heading is one word and that is a name."""
    return _HEADING.sub(lambda found: found[1] + names.get(found[2], found[2]), text)


def words_in_code(text: str) -> Iterator[str]:
    """The words that stand in inline code."""
    for found in _CODE.finditer(text):
        if not found["fence"]:
            yield from _WORD.findall(found[0])


def words_in_fences(text: str) -> Iterator[str]:
    """The words that stand in fenced blocks."""
    for found in _CODE.finditer(text):
        if found["fence"]:
            yield from _WORD.findall(found[0])
