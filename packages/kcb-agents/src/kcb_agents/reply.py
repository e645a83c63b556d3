"""Files out of a reply: fenced blocks, each with the path that is written beside it.

A path is taken from where models put it, the first of: the info behind the opening fence; the line
right above the block, as heading, bold, code or bare; a heading further above, if no other block
stands between; a comment in the block's first line. A reply that names no ``main.py`` but holds
exactly one Python block without a name means that. Whatever stands outside of such blocks is
ignored. Nothing here decides whether a path is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from kcb_agents.fences import Block, fenced_blocks

ENTRYPOINT = "main.py"

_PYTHON = frozenset({"python", "py", "python3"})

_THINKING = re.compile(r"\s*<(think|thinking)>(.*?)(?:</\1>|\Z)", re.DOTALL)
_THOUGHT = re.compile(r"^[ \t]*</(?:think|thinking)>[ \t]*$", re.MULTILINE)

_LONGEST_NAME = 300
"""Longest line that is looked at for a path."""

_KEYED = re.compile(r"""(?<![\w-])(?:title|file|filename|path)=["']?([^"'\s}]+)["']?""")
_LEAD = re.compile(r"\A(?:#{1,6}\s+|\d{1,3}[.)]\s+)+")
_FILE_WORD = re.compile(r"(?:file(?:[ _-]?name|[ _-]?path)?|path)\s*:[\s*`]*", re.IGNORECASE)
_ASIDE = re.compile(r"(?:\s+\([^()]*\)|\s+[-–—]\s.*|:\s.*)$")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,11}$")
_COMMENT = re.compile(
    r"\s*(?:#|//)\s*(?:file(?:[ _-]?name|[ _-]?path)?\s*:\s*)?`?([^\s`]+\.pyi?)`?\s*", re.IGNORECASE
)
_AROUND = " \t*`\"':"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a reply holds."""

    files: Mapping[str, str]
    """The text of each file by its path, as the model wrote it."""
    notes: tuple[str, ...] = ()
    """What a reader should know of how they were found, one line each."""


def read_reply(
    text: str, *, entrypoint: str = ENTRYPOINT, known: Collection[str] = frozenset()
) -> Reply:
    """The files that a reply holds; none if it holds no project.

    Args:
        text: the reply without what the model thought.
        entrypoint: what a block without a name is, where that can be said; empty where it cannot.
        known: paths of files that are there already, by which such a path is known as one.
    """
    files: dict[str, str] = {}
    nameless: list[Block] = []
    notes: list[str] = []
    for block in fenced_blocks(text):
        path = _path_of(block, known)
        if not path:
            nameless.append(block)
            continue
        if files.get(path, block.text) != block.text:
            notes.append(f"{path} is given more than once; the last one counts")
        if not block.closed:
            notes.append(f"the block of {path} is not closed")
        files[path] = block.text
    named = not entrypoint or entrypoint in files
    program = None if named else _only_program(nameless, alone=not files)
    if program:
        files[entrypoint] = program.text
        notes.append(f"the only block without a name is taken for {entrypoint}")
        if not program.closed:
            notes.append(f"the block of {entrypoint} is not closed")
    return Reply(files=files, notes=tuple(notes))


def split_thinking(text: str) -> tuple[str, str]:
    """What a model thought within its reply, and what it said.

    Some servers leave the marks of a thinking model in the content, the opening one often missing;
    drafts in there are no answer.
    """
    if whole := _THINKING.match(text):
        return whole[2], text[whole.end() :]
    if end := _THOUGHT.search(text):
        return text[: end.start()], text[end.end() :]
    return "", text


def _only_program(nameless: list[Block], *, alone: bool) -> Block | None:
    """The block that must be the program, if there is exactly one that can be."""
    written = [block for block in nameless if block.text.strip()]
    python = [block for block in written if block.language in _PYTHON]
    if not python and alone:
        python = [block for block in written if not block.info]
    return python[0] if len(python) == 1 else None


def _path_of(block: Block, known: Collection[str]) -> str:
    """The path that is written beside a block; empty if there is none."""
    path = _path_in_info(block.info)
    if not path and block.adjacent:
        path = _path_in_line(block.before[-1], known)
    if not path and (not block.language or block.language in _PYTHON):
        headings = [line for line in block.before if line.lstrip().startswith("#")]
        path = _path_in_line(headings[-1], known) if headings else ""
        path = path or _path_in_comment(block.text.partition("\n")[0])
    return path.removeprefix("./")


def _path_in_comment(line: str) -> str:
    comment = _COMMENT.fullmatch(line[:_LONGEST_NAME])
    return comment[1] if comment else ""


def _path_in_info(info: str) -> str:
    info = info[:_LONGEST_NAME]
    if keyed := _KEYED.search(info):
        return keyed[1]
    if info.startswith("{"):
        return ""
    for word in info.split():
        language, colon, rest = word.partition(":")
        word = rest if colon and language.isalnum() and len(language) > 1 else word
        if _is_path(word):
            return word
    return ""


def _path_in_line(line: str, known: Collection[str]) -> str:
    """The path that is all that a line says."""
    if len(line) > _LONGEST_NAME:
        return ""
    text = _LEAD.sub("", line.strip(), count=1).strip(_AROUND)
    text = _LEAD.sub("", text, count=1)
    labelled = _FILE_WORD.match(text)
    text = text[labelled.end() :] if labelled else text
    text = _ASIDE.sub("", text).strip(_AROUND)
    if any(character.isspace() for character in text):
        return ""
    return text if text and (labelled or text in known or _is_path(text)) else ""


def _is_path(word: str) -> bool:
    """Whether a word is meant as a path, allowed or not."""
    if "://" in word:
        return False
    strays = word.startswith(("/", "~", "../")) or "\\" in word or "/../" in word
    return strays or bool(_EXTENSION.search(word))
