"""The command."""

import argparse
import sys

from jotter.query import QuerySyntaxError, explain, parse
from jotter.render import error_lines, note_line, tag_lines
from jotter.saved import find_saved, load_lines, load_saved
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


def _wrong(text, error):
    for line in error_lines(text, error):
        print(line, file=sys.stderr)
    return 2


def _search(args):
    text = " ".join(args.words)
    try:
        found = search(load_notes(args.folder), text)
    except QuerySyntaxError as error:
        return _wrong(text, error)
    return _print(note_line(note) for note in found)


def _explain(args):
    text = " ".join(args.words)
    try:
        return _print([explain(text)])
    except QuerySyntaxError as error:
        return _wrong(text, error)


def _check(args):
    status = 0
    for saved in load_lines(args.folder):
        try:
            parse(saved.text)
        except QuerySyntaxError as error:
            print(f"{saved.place(error.position)}: {error}")
            status = 1
    return status


def _saved(args):
    if args.name is None:
        saved = load_saved(args.folder)
        return _print(f"{name} = {text}" for name, text in saved.items())
    wanted = find_saved(args.folder, args.name)
    if wanted is None:
        return _fail(f"no saved search {args.name!r}", 1)
    try:
        found = search(load_notes(args.folder), wanted.text)
    except QuerySyntaxError as error:
        return _fail(f"{wanted.place(error.position)}: {error}", 2)
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
    explaining = commands.add_parser("explain")
    explaining.add_argument("words", nargs="+")
    explaining.set_defaults(run=_explain)
    commands.add_parser("check").set_defaults(run=_check)
    saved = commands.add_parser("saved")
    saved.add_argument("name", nargs="?")
    saved.set_defaults(run=_saved)
    return parser


def main(argv):
    """Run one command; the exit status."""
    args = _parser().parse_args(argv)
    return args.run(args)
