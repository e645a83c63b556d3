"""Asking the rules in turn."""

from till.pricing.basket import Basket


def price_cart(cart, rules, customer, today):
    """What the cart costs; see README.md."""
    basket = Basket(cart)
    applied, trace = [], []
    stopped_by = None
    for rule in sorted(rules, key=lambda rule: rule.order):
        if stopped_by is not None:
            trace.append(f"{rule.name}: not looked at, {stopped_by} is exclusive")
            continue
        got, sentence = ask(rule, basket, customer, today)
        trace.append(f"{rule.name}: {sentence}")
        if got:
            applied.append({"rule": rule.name, "amount": got})
            stopped_by = rule.name if rule.exclusive else None
    return result(basket, applied, trace)


def ask(rule, basket, customer, today):
    """What the rule gave, and what there is to say about it."""
    obstacle = rule.obstacle(customer, today)
    if obstacle is not None:
        return 0, obstacle
    before = basket.off
    rule.apply(basket)
    got = basket.off - before
    return got, f"{got} off" if got else "nothing to give"


def result(basket, applied, trace):
    """The dictionary that README.md describes."""
    lines = [
        {
            "sku": line.sku,
            "qty": line.qty,
            "unit": line.unit,
            "discount": line.off,
            "total": line.left,
        }
        for line in basket.lines
    ]
    return {
        "lines": lines,
        "subtotal": basket.value,
        "discount": basket.off,
        "total": basket.value - basket.off,
        "applied": applied,
        "trace": trace,
    }
