"""Looks at the table of kinds, and puts another kind into it."""

import json

from till import load_rules, price_cart
from till.pricing.rules import RULE_KINDS

CART = [{"sku": "tea", "category": "drinks", "qty": 2, "unit": 450}]


def answer(question):
    """What the table holds, or what a cart costs with a kind that was added."""
    if question == "table":
        return {
            "kinds": sorted(RULE_KINDS),
            "classes": len({kind for kind in RULE_KINDS.values() if isinstance(kind, type)}),
            "apply": all(callable(getattr(kind, "apply", None)) for kind in RULE_KINDS.values()),
        }
    name, fields = question
    RULE_KINDS[f"twice-{name}"] = twice(RULE_KINDS[name])
    rules = load_rules(json.dumps([{"id": "r", "kind": f"twice-{name}", **fields}]))
    return price_cart(CART, rules, {"group": "", "codes": []}, "2024-03-01")["discount"]


def twice(kind):
    """A kind that gives everything two times."""

    class Twice(kind):
        def apply(self, basket):
            super().apply(basket)
            return super().apply(basket)

    return Twice
