"""The command line."""

import argparse
import sys
from pathlib import Path

from stockroom import store
from stockroom.errors import StockError
from stockroom.orders import apply_orders
from stockroom.report import export_lines, report_lines
from stockroom.sync import apply_feed, summary


def build_parser():
    parser = argparse.ArgumentParser(prog="stockroom", description="What there is, and where.")
    commands = parser.add_subparsers(dest="command", required=True)
    sync = commands.add_parser("sync", help="take feeds in")
    orders = commands.add_parser("orders", help="take orders in")
    report = commands.add_parser("report", help="what there is")
    export = commands.add_parser("export", help="what may be sold")
    for command in (sync, orders, report, export):
        command.add_argument("state")
    sync.add_argument("feeds", nargs="+")
    orders.add_argument("file")
    report.add_argument("--low", type=int)
    return parser


def take_in(path, stock, apply):
    """Call ``apply`` with the stock and the text of a file; put its name before errors."""
    try:
        return apply(stock, Path(path).read_text("utf-8-sig"))
    except StockError as error:
        raise StockError(f"{path}: {error}") from None


def run(options):
    """Do what the command says, and print what there is to say."""
    stock = store.load(options.state)
    if options.command == "sync":
        for path in options.feeds:
            outcomes = take_in(path, stock, apply_feed)
            store.save(options.state, stock)
            print(f"{path}: {summary(outcomes)}")
    elif options.command == "orders":
        sentences = take_in(options.file, stock, apply_orders)
        store.save(options.state, stock)
        print(*sentences, sep="\n")
    elif options.command == "report":
        print(*report_lines(stock, options.low), sep="\n")
    else:
        print(*export_lines(stock), sep="\n")


def main(argv):
    """Run one command; the exit status."""
    options = build_parser().parse_args(argv)
    try:
        run(options)
    except StockError as error:
        print(error, file=sys.stderr)
        return 1
    return 0
