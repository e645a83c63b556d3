"""Asks till; a question is an object with what it takes."""

import contextlib
import copy
import io
import json
from pathlib import Path

from till import load_rules, price_cart, receipt_text
from till.cli import main


def answer(question):
    """The answer to a question of any of the three kinds."""
    return {"price": price, "load": load, "run": run}[question["ask"]](question)


def price(question):
    """Result and receipt; whether a second pricing agrees, and the cart is as it was."""
    rules = load_rules(question["rules"])
    cart = copy.deepcopy(question["cart"])
    customer = question["customer"]
    result = price_cart(cart, rules, customer, question["today"])
    kept = copy.deepcopy(result)
    again = price_cart(cart, rules, customer, question["today"])
    return {
        "result": result,
        "receipt": receipt_text(result),
        "again": result == kept == again,
        "unchanged": cart == question["cart"],
    }


def load(question):
    """That rules are loaded; what is wrong is raised."""
    load_rules(question["rules"])
    return "loaded"


def run(question):
    """Status, output and errors of the command."""
    Path("hidden-cart.json").write_text(json.dumps(question["cart"]), "utf-8")
    Path("hidden-rules.json").write_text(question["rules"], "utf-8")
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(["hidden-cart.json", "hidden-rules.json", *question["options"]])
    return [status, out.getvalue(), err.getvalue()]
