"""The beginnings of lines."""

import os


def _blank(line):
    return not line.strip()


def indent(text, prefix, *, blank=False):
    """``prefix`` before each line of ``text`` that is not blank, or before all."""
    lines = text.split("\n")
    ends = lines.pop() if text.endswith("\n") or not text else None
    changed = [prefix + line if blank or not _blank(line) else line for line in lines]
    return "\n".join(changed if ends is None else [*changed, ends])


def dedent(text):
    """``text`` without the white space that all its lines begin with."""
    lines = ["" if _blank(line) else line for line in text.split("\n")]
    starts = [line[: len(line) - len(line.lstrip())] for line in lines if line]
    common = len(os.path.commonprefix(starts)) if starts else 0
    return "\n".join(line[common:] for line in lines)
