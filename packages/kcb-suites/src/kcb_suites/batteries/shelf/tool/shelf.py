"""shelf: keeps notes in a folder, archives them in planned steps, and maintains an index.

Every call prints one JSON object on a line: ``{"ok": true, "command": ..., "data": ...}``, or
``{"ok": false, "command": ..., "error": {"code": ..., "message": ..., "hint": ...}}``, where
``hint`` is the command that helps. Exit status 0 goes with ``ok``, 4 with every error.

The store is ``.shelf/store.json``; the index is a block in ``INDEX.md`` that no one else writes.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import os
import re
import shlex
import sys
import time
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

VERSION = "shelf 1.3.0"
ROOT = Path(".shelf")
STORE = ROOT / "store.json"
LOCK = ROOT / "lock"
INDEX = Path("INDEX.md")

DEFAULTS = {"page-size": 4, "order": "title", "index-tags": True}
"""Every setting there is, with the value that it has until it is set."""

BEGIN = re.compile(r"<!-- shelf:begin ([0-9a-f]{12}) -->")
END = "<!-- shelf:end -->"

Note = dict[str, Any]


class Refused(Exception):
    """The call cannot be carried out; nothing, or only what is told, was changed."""

    def __init__(self, code: str, message: str, hint: str = "", **more: Any) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message, **({"hint": hint} if hint else {}), **more}


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are refusals like any other."""

    def error(self, message: str) -> NoReturn:
        raise Refused("usage", message, "shelf --help")


class Store:
    """The notes and settings of one folder."""

    def __init__(self) -> None:
        if not STORE.is_file():
            raise Refused("no_shelf", "there is no shelf in this folder", "shelf init")
        held = json.loads(STORE.read_text("utf-8"))
        self.notes: list[Note] = held["notes"]
        self.settings: dict[str, Any] = held["settings"]

    def setting(self, name: str) -> Any:
        """A setting, or its default."""
        return self.settings.get(name, DEFAULTS[name])

    def save(self) -> None:
        """Write all of it, whole or not at all."""
        held = {"notes": self.notes, "settings": self.settings}
        partial = STORE.with_suffix(".part")
        partial.write_text(json.dumps(held, ensure_ascii=False, indent=1) + "\n", "utf-8")
        os.replace(partial, STORE)

    def listed(self, tag: str | None = None) -> list[Note]:
        """Notes that are not archived, in the order that is set."""
        key = self.setting("order")
        kept = [n for n in self.notes if not n["archived"] and (not tag or tag in n["tags"])]
        return sorted(kept, key=lambda note: str(note[key]).casefold())

    def find(self, prefix: str, call: str) -> Note:
        """The note whose id begins like this."""
        found = [note for note in self.notes if note["id"].startswith(prefix)]
        if len(found) == 1:
            return found[0]
        if not found:
            ids = [note["id"] for note in self.notes]
            near = difflib.get_close_matches(prefix, ids, n=1)
            hint = call.format(near[0]) if near else "shelf list"
            raise Refused("not_found", f"no note has an id that begins with {prefix!r}", hint)
        candidates = [{"id": note["id"], "title": note["title"]} for note in found]
        message = f"{len(found)} notes have an id that begins with {prefix!r}; give more of it"
        hint = f"shelf show {found[0]['id']}"
        raise Refused("ambiguous_id", message, hint, candidates=candidates)


def require_lock() -> None:
    """Refuse to write while somebody else does."""
    if not LOCK.exists():
        return
    lock = json.loads(LOCK.read_text("utf-8"))
    if lock["until"] > time.time():
        raise Refused("busy", f"{lock['owner']} is writing and will be a while", "shelf status")
    hint = f"shelf unlock --token {lock['token']}"
    raise Refused("stale_lock", f"{lock['owner']} began to write and never ended", hint)


def init(_: argparse.Namespace) -> Any:
    """Make an empty shelf."""
    if STORE.exists():
        raise Refused("exists", "there is a shelf already", "shelf list")
    ROOT.mkdir(exist_ok=True)
    STORE.write_text('{"notes": [], "settings": {}}\n', "utf-8")
    return {"notes": 0}


def status(_: argparse.Namespace) -> Any:
    """What the shelf holds, and who is writing."""
    store = Store()
    owner = json.loads(LOCK.read_text("utf-8"))["owner"] if LOCK.exists() else None
    archived = sum(note["archived"] for note in store.notes)
    return {"notes": len(store.notes) - archived, "archived": archived, "locked_by": owner}


def unlock(args: argparse.Namespace) -> Any:
    """Take away a lock whose owner has gone."""
    if not LOCK.exists():
        raise Refused("not_locked", "nobody holds a lock", "shelf status")
    lock = json.loads(LOCK.read_text("utf-8"))
    if lock["until"] > time.time():
        raise Refused("busy", f"{lock['owner']} still holds the lock", "shelf status")
    if args.token != lock["token"]:
        hint = f"shelf unlock --token {lock['token']}"
        raise Refused("wrong_token", "this is not the token of the lock", hint)
    LOCK.unlink()
    return {"unlocked": lock["owner"]}


def listing(args: argparse.Namespace) -> Any:
    """One page of the notes; ``next`` is the cursor of the one behind it, or null."""
    store = Store()
    notes = store.listed(args.tag)
    start = 0
    if args.cursor:
        ids = [note["id"] for note in notes]
        if args.cursor not in ids:
            raise Refused("bad_cursor", "no page begins there", "shelf list")
        start = ids.index(args.cursor)
    end = start + store.setting("page-size")
    page = [{"id": n["id"], "title": n["title"], "tags": n["tags"]} for n in notes[start:end]]
    return {"notes": page, "next": notes[end]["id"] if end < len(notes) else None}


def show(args: argparse.Namespace) -> Any:
    """A whole note."""
    return Store().find(args.id, "shelf show {}")


def find(args: argparse.Namespace) -> Any:
    """The notes of exactly this title, however its letters are composed."""
    wanted = _normal(args.title)
    store = Store()
    found = [n for n in store.notes if _normal(n["title"]) == wanted]
    if not found:
        near = difflib.get_close_matches(wanted, [_normal(n["title"]) for n in store.notes], n=1)
        hint = f"shelf find {shlex.quote(near[0])}" if near else "shelf list"
        raise Refused("not_found", f"no note has the title {args.title!r}", hint)
    return {"notes": found}


def add(args: argparse.Namespace) -> Any:
    """Put a note on the shelf."""
    require_lock()
    store = Store()
    seed = f"{args.title}\0{len(store.notes)}".encode()
    note: Note = {
        "id": hashlib.sha256(seed).hexdigest()[:6],
        "title": unicodedata.normalize("NFC", args.title),
        "tags": sorted(set(args.tag)),
        "text": args.text,
        "archived": False,
        "held": False,
    }
    store.notes.append(note)
    store.save()
    return note


def rename(args: argparse.Namespace) -> Any:
    """Give a note another title."""
    require_lock()
    store = Store()
    note = store.find(args.id, "shelf rename {} " + shlex.quote(args.title))
    note["title"] = unicodedata.normalize("NFC", args.title)
    store.save()
    return note


def release(args: argparse.Namespace) -> Any:
    """Let go of a note that is held back from being archived."""
    require_lock()
    store = Store()
    note = store.find(args.id, "shelf release {}")
    note["held"] = False
    store.save()
    return note


def archive(args: argparse.Namespace) -> Any:
    """Archive every note with a tag: first as a dry run, whose plan is then applied."""
    store = Store()
    notes = [note for note in store.listed(args.tag)]
    if not notes:
        raise Refused("nothing_to_do", f"no note has the tag {args.tag!r}", "shelf list")
    plan = hashlib.sha256("\0".join(sorted(n["id"] for n in notes)).encode()).hexdigest()[:8]
    call = f"shelf archive --tag {shlex.quote(args.tag)}"
    if args.dry_run:
        titles = [note["title"] for note in notes]
        return {"plan": plan, "would_archive": titles, "apply": f"{call} --apply {plan}"}
    if args.apply is None:
        raise Refused("plan_needed", "see first what would be archived", f"{call} --dry-run")
    if args.apply != plan:
        raise Refused("plan_outdated", "the notes are not those of the plan", f"{call} --dry-run")
    require_lock()
    failed = [note for note in notes if note["held"]]
    for note in notes:
        note["archived"] = not note["held"]
    store.save()
    done = [note["id"] for note in notes if note["archived"]]
    if failed:
        ids = [note["id"] for note in failed]
        message = f"{len(done)} were archived, and {len(ids)} are held back"
        hint = f"shelf release {ids[0]}"
        raise Refused("partial_failure", message, hint, archived=done, failed=ids)
    return {"archived": done}


def config(args: argparse.Namespace) -> Any:
    """Change a setting."""
    require_lock()
    store = Store()
    if args.name not in DEFAULTS:
        near = difflib.get_close_matches(args.name, DEFAULTS, n=1, cutoff=0.3)
        name = near[0] if near else next(iter(DEFAULTS))
        hint = f"shelf config {name} {shlex.quote(args.value)}"
        raise Refused("unknown_setting", f"there is no setting {args.name!r}", hint)
    try:
        value = json.loads(args.value)
    except ValueError:
        value = args.value
    default = DEFAULTS[args.name]
    if type(value) is not type(default):
        hint = f"shelf config {args.name} {shlex.quote(json.dumps(default))}"
        raise Refused("bad_value", f"{args.name} takes values such as {default!r}", hint)
    store.settings[args.name] = value
    store.save()
    return {args.name: value}


def sync(args: argparse.Namespace) -> Any:
    """Write the block of the index anew; the rest of the file stays as it is."""
    require_lock()
    store = Store()
    lines = INDEX.read_text("utf-8").splitlines(keepends=True) if INDEX.is_file() else []
    begins = [n for n, line in enumerate(lines) if BEGIN.fullmatch(line.rstrip("\r\n"))]
    ends = [n for n, line in enumerate(lines) if line.rstrip("\r\n") == END]
    if begins and ends and begins[0] < ends[0]:
        head, inside, tail = (
            lines[: begins[0]],
            lines[begins[0] + 1 : ends[0]],
            lines[ends[0] + 1 :],
        )
        seal = BEGIN.fullmatch(lines[begins[0]].rstrip("\r\n"))
        if seal and seal[1] != _seal("".join(inside)) and not args.restore:
            message = f"the block in {INDEX} was edited; what was added there belongs into notes"
            raise Refused("block_edited", message, "shelf sync --restore")
    else:
        head, tail = lines, []
        if head and not head[-1].endswith("\n"):
            head[-1] += "\n"
    body = "".join(_line(store, note) for note in store.listed())
    block = f"<!-- shelf:begin {_seal(body)} -->\n{body}{END}\n"
    INDEX.write_text("".join(head) + block + "".join(tail), "utf-8")
    return {"index": str(INDEX), "notes": len(store.listed())}


def _line(store: Store, note: Note) -> str:
    tags = f" ({', '.join(note['tags'])})" if store.setting("index-tags") and note["tags"] else ""
    return f"- {note['title']}{tags}\n"


def _seal(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def parser() -> Parser:
    """The commands and what they take."""
    top = Parser(prog="shelf", description="Keep notes in a folder.")
    top.add_argument("--version", action="version", version=VERSION)
    commands = top.add_subparsers(dest="command", required=True, parser_class=Parser)

    def command(name: str, run: Callable[[argparse.Namespace], Any]) -> Parser:
        made: Parser = commands.add_parser(name, help=run.__doc__, description=run.__doc__)
        made.set_defaults(run=run)
        return made

    command("init", init)
    command("status", status)
    command("unlock", unlock).add_argument("--token", required=True)
    pages = command("list", listing)
    pages.add_argument("--cursor", help="where a page begins: 'next' of the one before")
    pages.add_argument("--tag")
    command("show", show).add_argument("id", help="an id, or the beginning of one")
    command("find", find).add_argument("title")
    new = command("add", add)
    new.add_argument("--title", required=True)
    new.add_argument("--tag", action="append", default=[])
    new.add_argument("--text", default="")
    other = command("rename", rename)
    other.add_argument("id", help="an id, or the beginning of one")
    other.add_argument("title")
    command("release", release).add_argument("id")
    away = command("archive", archive)
    away.add_argument("--tag", required=True)
    away.add_argument("--dry-run", action="store_true", help="change nothing, and make a plan")
    away.add_argument("--apply", metavar="PLAN", help="the plan of a dry run")
    settings = command("config", config)
    settings.add_argument("name")
    settings.add_argument("value")
    command("sync", sync).add_argument(
        "--restore", action="store_true", help="write over a block that was edited"
    )
    return top


def main(words: Sequence[str]) -> int:
    """Carry out one call, and print its envelope."""
    name = next((word for word in words if not word.startswith("-")), "")
    try:
        args = parser().parse_args(words)
        said = {"ok": True, "command": name, "data": args.run(args)}
    except Refused as refused:
        said = {"ok": False, "command": name, "error": refused.error}
    sys.stdout.write(json.dumps(said, ensure_ascii=False) + "\n")
    return 0 if said["ok"] else 4


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
