"""Logs and options by chance, from a seed."""

import datetime
import random

ITEMS = [
    "Oak board",
    "oak  board",
    "OAK BOARD",
    "Screws 4x40",
    'Pipe 1/2"',
    "a|b",
    "Pine, raw",
    "Öl",
]
NOTES = ["", "wet box", "Mill Lane", "a, b | c", "wet box"]
BROKEN = [
    "oops",
    "2024-13-01;in;a;1;1",
    "2024-1-1;in;a;1;1",
    "20240101;in;a;1;1",
    "2024-02-03;lost;a;1;1",
    "2024-02-03;in;  ;1;1",
    "2024-02-03;in;a;0;1",
    "2024-02-03;in;a;-1;1",
    "2024-02-03;count;a;x;1",
    "2024-02-03;in;a;1;1.234",
    "2024-02-03;in;a;1;",
    "2024-02-03;in;a;1;1;note;more",
    "2024-02-30;lost; ;0;x",
]
OPTIONS = {
    "by": ["item", "day", "week", "month", "kind"],
    "order": ["name", "value", "quantity"],
    "reverse": [True, False],
    "top": [None, 1, 2, 5],
    "form": ["text", "csv", "markdown"],
    "since": [None, None, "2024-01-05", "2024-01-20"],
    "until": [None, None, "2024-01-31", "2023-12-31", "2024-02"],
    "kinds": [None, [], ["in", "count"], ["out", "loss"], ["in", "out", "loss"], ["count"]],
    "currency": ["EUR", "kr"],
    "title": ["Stock movements", "T", "", "Größe"],
    "problems": [True, False],
}


def line(chance):
    """One line of a log, mostly a good one."""
    draw = chance.random()
    if draw < 0.12:
        return chance.choice(BROKEN)
    if draw < 0.2:
        return chance.choice(["", "   ", "# note", "  # in;a"])
    day = datetime.date(2023, 12, 27) + datetime.timedelta(days=chance.randrange(40))
    kind = chance.choice(["in", "in", "out", "loss", "count", "In", "OUT"])
    quantity = chance.choice([1, 2, 7, 100, 12345]) if kind != "count" else chance.randrange(4)
    price = chance.choice(["0", "5", "0.05", "12.5", "1999.99"])
    parts = [day.isoformat(), kind, chance.choice(ITEMS), str(quantity), price]
    note = chance.choice(NOTES)
    return chance.choice([";", " ; "]).join([*parts, note] if note else parts)


def cases(count, seed):
    """``count`` pairs of a log and options."""
    chance = random.Random(seed)
    for _ in range(count):
        text = "\n".join(line(chance) for _ in range(chance.choice([0, 2, 6, 12, 25, 40])))
        names = [name for name in OPTIONS if chance.random() < 0.45]
        yield text + chance.choice(["", "\n"]), {n: chance.choice(OPTIONS[n]) for n in names}
