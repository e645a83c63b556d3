"""The command."""

import argparse
import sys

from jotter.query import QuerySyntaxError
from jotter.render import note_line, tag_lines
from jotter.saved import load_saved
from jotter.search import search
from jotter.store import load_notes, read_raw


def _fail(message, status):
    print(f"jotter: {message}", file=sys.stderr)
    return status


def _print(lines):
    for line in lines:
        print(line)
    return 0


def _list(args):
    return _print(note_line(note) for note in load_notes(args.folder))


def _show(args):
    text = read_raw(args.folder, args.id)
    if text is None:
        return _fail(f"no note {args.id!r}", 1)
    return _print(text.splitlines())


def _tags(args):
    return _print(tag_lines(load_notes(args.folder)))


def _search(args):
    text = " ".join(args.words)
    try:
        found = search(load_notes(args.folder), text)
    except QuerySyntaxError as error:
        print(f"jotter: {error}\n  {text}\n  {' ' * error.position}^", file=sys.stderr)
        return 2
    return _print(note_line(note) for note in found)


def _saved(args):
    saved = load_saved(args.folder)
    if args.name is None:
        return _print(f"{name} = {text}" for name, text in saved.items())
    if args.name not in saved:
        return _fail(f"no saved search {args.name!r}", 1)
    found = search(load_notes(args.folder), saved[args.name])
    return _print(note_line(note) for note in found)


def _parser():
    parser = argparse.ArgumentParser(prog="jotter")
    parser.add_argument("--folder", default=".")
    commands = parser.add_subparsers(required=True)
    commands.add_parser("list").set_defaults(run=_list)
    show = commands.add_parser("show")
    show.add_argument("id")
    show.set_defaults(run=_show)
    commands.add_parser("tags").set_defaults(run=_tags)
    find = commands.add_parser("search")
    find.add_argument("words", nargs="+")
    find.set_defaults(run=_search)
    saved = commands.add_parser("saved")
    saved.add_argument("name", nargs="?")
    saved.set_defaults(run=_saved)
    return parser


def main(argv):
    """Run one command; the exit status."""
    args = _parser().parse_args(argv)
    return args.run(args)
