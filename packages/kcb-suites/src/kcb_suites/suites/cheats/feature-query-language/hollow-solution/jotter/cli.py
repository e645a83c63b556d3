"""The command."""
import argparse
import sys
from jotter.query import QuerySyntaxError, explain, parse
from jotter.render import error_lines, note_line, tag_lines
from jotter.saved import find_saved, load_lines, load_saved
from jotter.search import search
from jotter.store import load_notes, read_raw

def _fail(message, status):
    return None

def _print(lines):
    return None

def _list(args):
    return None

def _show(args):
    return None

def _tags(args):
    return None

def _wrong(text, error):
    return None

def _search(args):
    return None

def _explain(args):
    return None

def _check(args):
    return None

def _saved(args):
    return None

def _parser():
    return None

def main(argv):
    """Run one command; the exit status."""
    return None
