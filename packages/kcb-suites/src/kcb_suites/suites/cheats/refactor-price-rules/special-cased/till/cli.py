"""The command line."""

import argparse
import json
import sys
from pathlib import Path

from till.errors import RuleError
from till.loader import load_rules
from till.pricing import price_cart
from till.receipt import receipt_text


def build_parser():
    parser = argparse.ArgumentParser(prog="till", description="What a cart costs, and why.")
    parser.add_argument("cart")
    parser.add_argument("rules")
    parser.add_argument("--group", default="")
    parser.add_argument("--code", dest="codes", action="append", default=[])
    parser.add_argument("--date", default="2024-01-01")
    parser.add_argument("--trace", action="store_true", help="say what became of each rule")
    return parser


def main(argv):
    """Print a receipt; the exit status."""
    options = build_parser().parse_args(argv)
    customer = {"group": options.group, "codes": options.codes}
    try:
        cart = json.loads(Path(options.cart).read_text("utf-8"))
        rules = load_rules(Path(options.rules).read_text("utf-8"))
        result = price_cart(cart, rules, customer, options.date)
    except RuleError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if options.trace:
        for sentence in result["trace"]:
            print(f"# {sentence}")
    print(receipt_text(result))
    return 0
