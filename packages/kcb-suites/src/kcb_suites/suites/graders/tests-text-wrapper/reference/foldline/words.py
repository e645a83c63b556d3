"""Words, and where they may be divided."""

import re

from foldline.measure import SOFT_HYPHEN, ZERO_WIDTH_SPACE

_WORD = re.compile(r"(?:\u00a0|\S)+")


def split_words(text):
    """The words of ``text``. A non-breaking space is part of a word."""
    return _WORD.findall(text)


def _may_end(word, at):
    """True if a line may end before ``word[at]``."""
    before = word[at - 1]
    if before in (SOFT_HYPHEN, ZERO_WIDTH_SPACE):
        return True
    return before == "-" and at > 1 and word[at - 2].isalpha() and word[at].isalpha()


def pieces(word):
    """The parts of ``word`` between which a line may end."""
    found = []
    start = 0
    for at in range(1, len(word)):
        if _may_end(word, at):
            found.append(word[start:at])
            start = at
    return [*found, word[start:]]


def shown(text, ends_line=False):
    """``text`` without its invisible signs; a soft hyphen shows at the end of a line."""
    hyphen = "-" if ends_line and text.endswith(SOFT_HYPHEN) else ""
    return text.replace(SOFT_HYPHEN, "").replace(ZERO_WIDTH_SPACE, "") + hyphen
