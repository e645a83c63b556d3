"""Patterns to files."""

import os
import re


def is_pattern(text):
    """True if ``text`` can stand for several files."""
    return "*" in text or "?" in text


def _part(part):
    """A regular expression for one part of a pattern."""
    signs = {"*": "[^/]*", "?": "[^/]"}
    hidden = "" if part.startswith(".") else r"(?!\.)"
    return hidden + "".join(signs.get(char, re.escape(char)) for char in part)


def compile_pattern(pattern):
    """A regular expression that the paths of ``pattern`` match whole."""
    *folders, name = pattern.split("/")
    parts = [r"(?:(?!\.)[^/]+/)*" if part == "**" else _part(part) + "/" for part in folders]
    last = r"(?:(?!\.)[^/]+/)*(?!\.)[^/]+" if name == "**" else _part(name)
    return re.compile("".join(parts) + last)


def all_files(folder):
    """The paths of all files below ``folder``, with `/`, without those of the cache."""
    found = []
    for where, folders, names in os.walk(folder):
        base = os.path.relpath(where, folder)
        if base == ".":
            folders[:] = [name for name in folders if name != ".kiln"]
        prefix = "" if base == "." else base.replace(os.sep, "/") + "/"
        found.extend(prefix + name for name in names)
    return found


def find(folder, patterns):
    """The files that the patterns stand for, each once, in the order of their paths."""
    files = all_files(folder)
    found = set()
    for pattern in patterns:
        expression = compile_pattern(pattern)
        found.update(path for path in files if expression.fullmatch(path))
    return sorted(found)
