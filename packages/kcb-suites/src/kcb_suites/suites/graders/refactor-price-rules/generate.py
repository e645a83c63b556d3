"""Carts and rules by chance, always the same ones."""

from __future__ import annotations

import json
from random import Random
from typing import Any

SKUS = {"tea": "drinks", "milk": "drinks", "mug": "kitchen", "jam": "food", "rye": "food"}
DAYS = ["2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"]
WRONG = [0, -1, 101, True, 1.5, "", "x", None, [], {}, [[1, 2], [1, 3]], [[2]], {"tea": 0}]
Rule = dict[str, Any]


def questions() -> list[dict[str, Any]]:
    """Everything that the original and the judged code are asked alike."""
    random = Random(20240301)
    priced = [pricing(random) for _ in range(400)]
    loaded = [{"ask": "load", "rules": spoiled(random)} for _ in range(400)]
    run = [command(random) for _ in range(40)]
    return [*priced, *loaded, *run]


def pricing(random: Random) -> dict[str, Any]:
    """A cart and rules that are right."""
    return {
        "ask": "price",
        "cart": cart(random),
        "rules": json.dumps(rules(random)),
        "customer": {
            "group": random.choice(["", "member", "staff"]),
            "codes": random.choice([[], ["HELLO"], ["SPRING", "HELLO"]]),
        },
        "today": random.choice(DAYS),
    }


def command(random: Random) -> dict[str, Any]:
    """A command line; the rules are wrong now and then."""
    options = ["--date", random.choice(DAYS)]
    options += random.choice([[], ["--trace"], ["--trace", "--group", "member"]])
    options += random.choice([[], ["--code", "HELLO"]])
    wrong = random.random() < 0.2
    text = spoiled(random) if wrong else json.dumps(rules(random))
    goods = cart(random)
    if random.random() < 0.1:
        goods[-1]["qty"] = 0
    return {"ask": "run", "cart": goods, "rules": text, "options": options}


def cart(random: Random) -> list[dict[str, Any]]:
    """One to six lines; a product may be in several of them, at different prices."""
    lines = []
    for _ in range(random.randint(1, 6)):
        sku = random.choice(list(SKUS))
        unit = random.choice([0, 1, 99, 325, 450, 799, random.randint(1, 3000)])
        qty = random.choice([1, 1, 2, 3, 5, 12])
        lines.append({"sku": sku, "category": SKUS[sku], "qty": qty, "unit": unit})
    return lines


def rules(random: Random) -> list[Rule]:
    """Up to seven rules."""
    names = random.sample(["a", "b", "c", "d", "e", "f", "g"], random.randint(0, 7))
    return [{"id": name, **kind(random), **conditions(random)} for name in names]


def kind(random: Random) -> Rule:
    """The fields that belong to a kind."""
    small, cents = random.randint(1, 3), random.randint(1, 900)
    target = random.choice([{}, {"sku": "tea"}, {"sku": "jam"}, {"category": "drinks"}])
    least = random.choice([{}, {"min_qty": small}])
    limit = random.choice([{}, {"limit": small}])
    percent = random.choice([1, 5, 10, 15, 33, 50, 100])
    sizes = sorted(random.sample(range(1, 8), small))
    skus = {sku: random.randint(1, 2) for sku in random.sample(list(SKUS), small)}
    gift = random.choice([{"amount": cents}, {"percent": percent}])
    over = {"over": random.choice([0, 500, 2000, 6000])}
    return random.choice(
        [
            {"kind": "percent-off", "percent": percent, **target, **least},
            {"kind": "amount-off", "amount": cents, **target, **least},
            {"kind": "multibuy", "buy": small, "free": random.randint(1, 2), **target, **limit},
            {"kind": "bundle-price", "skus": skus, "price": cents, **limit},
            {"kind": "quantity-tiers", "tiers": [[n, cents // n] for n in sizes], **target},
            {"kind": "basket-reward", **over, **gift, **random.choice([{}, {"cap": cents}])},
        ]
    )


def conditions(random: Random) -> Rule:
    """Fields that any rule may have; most rules have none."""
    some: Rule = {}
    for name, chance, values in (
        ("priority", 0.4, [-5, 1, 10]),
        ("from", 0.15, DAYS),
        ("to", 0.15, DAYS),
        ("groups", 0.2, [[], ["member"], ["member", "staff"]]),
        ("code", 0.2, ["HELLO", "SPRING"]),
        ("exclusive", 0.2, [True, True, False]),
    ):
        if random.random() < chance:
            some[name] = random.choice(values)
    return some


def spoiled(random: Random) -> str:
    """Rules with some faults, in their common fields now and then."""
    several = [{"id": name, **kind(random), **conditions(random)} for name in "ab"]
    for _ in range(random.randint(1, 3)):
        rule = random.choice(several)
        rare = random.random() < 0.1
        field = random.choice(["id", "kind"] if rare else [*rule][2:] or ["id"])
        way = random.random()
        if way < 0.3:
            rule.pop(field, None)
        elif way < 0.75:
            rule[field] = random.choice(WRONG)
        else:
            added = random.choice(["sku", "category", "colour", "limit", "cap", "percent", "id"])
            rule[added] = random.choice(["a", 1, 0])
    return json.dumps(several)
