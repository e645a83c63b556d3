"""Patches in the form that models know as ``apply_patch``.

::

    *** Begin Patch
    *** Update File: main.py
    *** Move to: app.py
    @@ def f():
     a line that stays
    -a line that goes
    +a line that comes
    *** Add File: new.py
    +its lines
    *** Delete File: old.py
    *** End Patch

A patch is applied whole or not at all: everything is worked out before anything is written.
"""

from __future__ import annotations

from kcb_agents.coding.hands.place import Refused, read_text, remove, write_text

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_ADD, _DELETE, _UPDATE = "*** Add File: ", "*** Delete File: ", "*** Update File: "
_MOVE = "*** Move to: "
_END_OF_FILE = "*** End of File"


def apply_patch(patch: str) -> str:
    """Apply a patch, and say what it changed.

    Raises:
        Refused: it is malformed, or does not fit the files.
    """
    lines = _between_marks(patch)
    new: dict[str, str | None] = {}
    told: list[str] = []
    at = 0
    while at < len(lines):
        end = _next_file(lines, at + 1)
        told.append(_section(lines[at], lines[at + 1 : end], new))
        at = end
    if not told:
        raise Refused("the patch changes nothing")
    for path, text in new.items():
        if text is not None:
            write_text(path, text)
    for path, text in new.items():
        if text is None:
            remove(path)
    return "\n".join(told)


def _between_marks(patch: str) -> list[str]:
    lines = patch.strip("\n").split("\n")
    if lines[0].strip() != _BEGIN or lines[-1].strip() != _END:
        raise Refused(f"a patch begins with '{_BEGIN}' and ends with '{_END}'")
    return lines[1:-1]


def _next_file(lines: list[str], at: int) -> int:
    while at < len(lines) and not lines[at].startswith((_ADD, _DELETE, _UPDATE)):
        at += 1
    return at


def _section(head: str, body: list[str], new: dict[str, str | None]) -> str:
    """Work out one file of a patch into ``new``: its text by path, None if it goes."""
    if head.startswith(_ADD):
        path = head.removeprefix(_ADD).strip()
        if wrong := [line for line in body if not line.startswith("+")]:
            raise Refused(f"{path}: a line of a new file begins with +, not {wrong[0][:40]!r}")
        new[path] = "".join(f"{line[1:]}\n" for line in body)
        return f"added {path}"
    if head.startswith(_DELETE):
        path = head.removeprefix(_DELETE).strip()
        _current(path, new)
        new[path] = None
        return f"deleted {path}"
    if not head.startswith(_UPDATE):
        raise Refused(f"a file of a patch begins with '{_UPDATE}…' or the like, not {head[:60]!r}")
    path = head.removeprefix(_UPDATE).strip()
    target = path
    if body and body[0].startswith(_MOVE):
        target = body[0].removeprefix(_MOVE).strip()
        body = body[1:]
    text = _updated(path, _current(path, new), body)
    if target != path:
        new[path] = None
    new[target] = text
    return f"updated {path}" + (f", now {target}" if target != path else "")


def _current(path: str, new: dict[str, str | None]) -> str:
    """The text of a file as the patch has left it so far."""
    if path not in new:
        return read_text(path)
    text = new[path]
    if text is None:
        raise Refused(f"{path}: was deleted by the same patch")
    return text


def _updated(path: str, text: str, body: list[str]) -> str:
    lines = text.split("\n")
    at = 0
    for anchor, old, fresh in _chunks(path, body):
        if anchor:
            at = _find(path, lines, [anchor], at, "the line behind @@") + 1
        if old:
            at = _find(path, lines, old, at, "the lines that stay or go")
        elif not anchor:
            # Only lines that come: at the end, before the last line end.
            at = len(lines) - (not lines[-1])
        lines[at : at + len(old)] = fresh
        at += len(fresh)
    return "\n".join(lines)


def _chunks(path: str, body: list[str]) -> list[tuple[str, list[str], list[str]]]:
    """The chunks of an update: a line to look for first, the lines before and those after."""
    chunks: list[tuple[str, list[str], list[str]]] = []
    for line in body:
        if line.startswith("@@"):
            chunks.append((line[2:].removeprefix(" ").removesuffix(" @@"), [], []))
            continue
        if line == _END_OF_FILE:
            continue
        if not chunks:
            chunks.append(("", [], []))
        _, old, fresh = chunks[-1]
        mark, rest = line[:1], line[1:]
        if mark not in ("", " ", "-", "+"):
            raise Refused(f"{path}: a line of a patch begins with blank, + or -: {line[:60]!r}")
        if mark != "+":
            old.append(rest)
        if mark != "-":
            fresh.append(rest)
    if not any(old != fresh for _, old, fresh in chunks):
        raise Refused(f"{path}: the patch changes nothing in it")
    return chunks


def _find(path: str, lines: list[str], wanted: list[str], start: int, what: str) -> int:
    """Where lines stand together: as they are, or else but for blanks at their ends."""
    for same in (str, str.rstrip):
        needle = [same(line) for line in wanted]
        for at in range(start, len(lines) - len(wanted) + 1):
            if [same(line) for line in lines[at : at + len(wanted)]] == needle:
                return at
    raise Refused(f"{path}: {what} do not stand there: {wanted[0][:80]!r}")
