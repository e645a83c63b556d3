"""The command."""

import argparse
import sys

from stockreport.options import Options
from stockreport.report import report_and_problems


def _parser():
    parser = argparse.ArgumentParser(prog="stockreport")
    parser.add_argument("--by", default="item")
    parser.add_argument("--order", default="name")
    parser.add_argument("--reverse", action="store_true")
    parser.add_argument("--top", type=int)
    parser.add_argument("--form", default="text")
    parser.add_argument("--since")
    parser.add_argument("--until")
    parser.add_argument("--kind", action="append", dest="kinds")
    parser.add_argument("--currency", default="EUR")
    parser.add_argument("--title", default="Stock movements")
    parser.add_argument("--no-problems", action="store_false", dest="problems")
    parser.add_argument("file")
    return parser


def main(argv):
    """Print one report; the exit status is 1 if the log has mistakes, 2 if nothing can be said."""
    options = vars(_parser().parse_args(argv))
    try:
        with open(options.pop("file"), encoding="utf-8") as file:
            text = file.read()
        shown, problems = report_and_problems(text, Options(**options))
    except (OSError, ValueError) as error:
        print(f"stockreport: {error}", file=sys.stderr)
        return 2
    sys.stdout.write(shown)
    return 1 if problems else 0
