"""Feeds and orders, and what stockroom has to make of them."""

from __future__ import annotations

import json
from typing import Any

Step = tuple[dict[str, str], list[str]]
Case = tuple[str, list[Step], list[Any]]
HEAD = "kind,sku,name,quantity,at,ref\n"
NOON = "2024-03-01T12:00:00Z"


def feed(site: str, *rows: str) -> str:
    """The text of a feed; ``@11`` in a row stands for eleven o'clock, UTC."""
    text = "".join(f"{row}\n" for row in rows)
    for hour in range(8, 20):
        text = text.replace(f"@{hour:02}", f"2024-03-01T{hour:02}:00:00Z")
    return f"# site: {site}\n{HEAD}{text}"


def raw(text: str) -> Step:
    """A feed as it stands."""
    return {"feed": text}, ["sync", "state", "feed"]


def sync(site: str, *rows: str) -> Step:
    """One feed of a site."""
    return raw(feed(site, *rows))


def north(*rows: str) -> Step:
    """One feed of the site north."""
    return sync("north", *rows)


def orders(*lines: Any) -> Step:
    """A file of orders; lines of text are written as they are."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return {"orders": "\n".join(texts) + "\n"}, ["orders", "state", "orders"]


def order(name: str, **lines: int) -> dict[str, Any]:
    """An order of one line for each article."""
    return {"order": name, "lines": [{"sku": sku, "qty": qty} for sku, qty in lines.items()]}


def ship(name: str, site: str, at: str) -> dict[str, Any]:
    """The shipment of an order."""
    return {"ship": name, "site": site, "at": at}


def said(*lines: str) -> list[Any]:
    """The answer of a command that went well."""
    return [0, "".join(f"{line}\n" for line in lines), ""]


def refused(message: str) -> list[Any]:
    """The answer of a command that did not."""
    return [1, "", f"{message}\n"]


def outcome(applied: int, stale: int = 0, repeated: int = 0, contained: int = 0) -> list[Any]:
    """The answer of ``sync`` for one feed."""
    counts = f"{applied} applied, {stale} stale, {repeated} repeated, {contained} contained"
    return said(f"feed: {counts}")


def export(*lines: str) -> list[Any]:
    """The answer of ``export``."""
    return said("sku,available", *lines)


EXPORT: Step = ({}, ["export", "state"])
REPORT: Step = ({}, ["report", "state"])
TEN = north("count,A1,Axes,10,@12,")
MANY = [f"delivery,A1,,1,@10,D-{number}" for number in range(60)]

ARTICLES: list[Case] = [
    (
        "leading zeros make another article",
        [north("count,0042,,1,@10,", "count,42,,2,@10,"), EXPORT],
        export("0042,1", "42,2"),
    ),
    (
        "blanks, hyphens and small letters do not",
        [
            north(
                "count,ab-12,,5,@10,", "delivery, A B12 ,,2,@11,D", "delivery,-aB--1 2-,,1,@11,E"
            ),
            EXPORT,
        ],
        export("AB12,8"),
    ),
    (
        "zeros stay when blanks and hyphens go",
        [north("count,0-0 7,,3,@10,", "count,7,,4,@10,"), EXPORT],
        export("007,3", "7,4"),
    ),
    (
        "orders may write numbers in any way",
        [TEN, orders(order("W", **{"a-1": 1, " A 1 ": 2})), EXPORT],
        export("A1,7"),
    ),
    (
        "an order for 42 is none for 042",
        [north("count,042,,5,@10,"), orders(order("W", **{"42": 1}))],
        said("W: refused, 42 has 0 of 1"),
    ),
]

FEEDS: list[Case] = [
    (
        "commas and quotes in a name",
        [
            north('count,A1,"Screws, ""fine"", 4 mm",10,@12,'),
            REPORT,
        ],
        said(
            'A1                10        0        10  Screws, "fine", 4 mm', "1 articles, 10 units"
        ),
    ),
    (
        "quoted numbers",
        [north('"count","A1","Axes","10","2024-03-01T12:00:00Z",""'), EXPORT],
        export("A1,10"),
    ),
    (
        "blanks before a quoted field",
        [north('count, A1 , "Axes, big" , 10 , @12 ,'), REPORT],
        said("A1                10        0        10  Axes, big", "1 articles, 10 units"),
    ),
    (
        "a byte order mark",
        [raw("\ufeff" + feed("north", "count,A1,,10,@12,"))],
        outcome(1),
    ),
    (
        "line ends of another system, and empty lines",
        [
            raw(
                feed("north", "count,A1,Axes,10,@12,", "", "delivery,A1,,1,@13,D").replace(
                    "\n", "\r\n"
                )
            )
        ],
        outcome(2),
    ),
    (
        "columns in another order, and one more",
        [
            raw(
                "# site: north\nref,at,colour,quantity,name,sku,kind\n"
                f'D,{NOON},red,3,"Axes, big",a1,delivery\n'
            ),
            REPORT,
        ],
        said("A1                 3        0         3  Axes, big", "1 articles, 3 units"),
    ),
    (
        "letters of all kinds",
        [north("count,é1,Häkelnadel,10,@12,"), REPORT],
        said("É1                10        0        10  Häkelnadel", "1 articles, 10 units"),
    ),
    (
        "the name that was read last, if it is not empty",
        [TEN, north("count,A1,Old axes,1,@08,", "delivery,A1,,1,@08,D"), REPORT],
        said("A1                10        0        10  Old axes", "1 articles, 10 units"),
    ),
    ("no site", [raw(feed("north").removeprefix("# "))], refused("feed: line 1: no site")),
    ("no columns", [raw("# site: north\nkind,sku\n")], refused("feed: line 2: no columns")),
    (
        "the first line that is wrong, with empty lines counted",
        [north("count,A1,,1,@10,", "", "delivery,A1,,1,@10,", "x,A1,,1,@10,")],
        refused("feed: line 5: no ref"),
    ),
    (
        "what is wrong first in a row",
        [north("count,,,-1,yesterday,")],
        refused("feed: line 3: no sku"),
    ),
]

TIMES: list[Case] = [
    (
        "a count that is later, though it does not look so",
        [
            north("count,A1,,10,2024-03-01T12:00:00+02:00,"),
            north("count,A1,,7,2024-03-01T11:00:00+00:00,"),
            EXPORT,
        ],
        export("A1,7"),
    ),
    (
        "a count that is earlier, though it does not look so",
        [
            north("count,A1,,10,2024-03-01T11:00:00Z,"),
            north("count,A1,,7,2024-03-01T12:30:00+02:00,"),
        ],
        outcome(0, stale=1),
    ),
    (
        "another day, but later",
        [
            north("count,A1,,10,2024-03-02T00:30:00+02:00,"),
            north("count,A1,,7,2024-03-01T23:00:00Z,"),
            EXPORT,
        ],
        export("A1,7"),
    ),
    (
        "a delivery that the count contains",
        [
            north(
                "count,A1,,10,2024-03-01T10:00:00-05:00,",
                "delivery,A1,,3,2024-03-01T14:59:59Z,D-1",
                "delivery,A1,,4,2024-03-01T15:00:01Z,D-2",
            ),
            EXPORT,
        ],
        export("A1,14"),
    ),
    (
        "a delivery at the moment of the count",
        [north("count,A1,,10,2024-03-01T13:00:00+01:00,", f"delivery,A1,,3,{NOON},D-1")],
        outcome(1, contained=1),
    ),
    (
        "Z and +00:00 are one moment, and the later line counts",
        [
            north("count,A1,,10,2024-03-01T12:00:00+00:00,"),
            north(f"count,A1,,9,{NOON},"),
            EXPORT,
        ],
        export("A1,9"),
    ),
    (
        "of two counts at one moment the one that is read later",
        [TEN, north("count,A1,,8,@12,")],
        outcome(1),
    ),
    (
        "a late count leaves what came after it",
        [
            north("count,A1,,10,@08,", "delivery,A1,,5,@12,D-1", "delivery,A1,,2,@10,D-2"),
            north("count,A1,,4,@11,"),
            EXPORT,
        ],
        export("A1,9"),
    ),
    (
        "deliveries before the first count that is read",
        [north("delivery,A1,,5,@12,D-1", "delivery,A1,,2,@10,D-2", "count,A1,,4,@11,"), EXPORT],
        export("A1,9"),
    ),
    (
        "a newer count contains everything",
        [north("delivery,A1,,5,@12,D-1", "count,A1,,4,@13,"), EXPORT],
        export("A1,4"),
    ),
    (
        "goods that went back",
        [TEN, north("delivery,A1,,-3,@13,D-1"), EXPORT],
        export("A1,7"),
    ),
    (
        "a count of one site says nothing about another one",
        [TEN, sync("south", "count,A1,,0,@08,", "delivery,A1,,3,@09,D-1"), EXPORT],
        export("A1,13"),
    ),
    (
        "each site has its own count",
        [TEN, sync("south", "count,A1,,3,@08,", "delivery,A1,,1,@09,D-1"), EXPORT],
        export("A1,14"),
    ),
]

REFERENCES: list[Case] = [
    (
        "two sites may use the same one",
        [north("delivery,A1,,5,@12,D-1"), sync("south", "delivery,A1,,6,@12,D-1"), EXPORT],
        export("A1,11"),
    ),
    (
        "two sites, as sync says it",
        [north("delivery,A1,,5,@12,D-1"), sync("south", "delivery,A1,,6,@12,D-1")],
        outcome(1),
    ),
    (
        "known however long ago",
        [north("delivery,A1,,5,@12,OLD"), north(*MANY), north("delivery,A1,,5,@12,OLD")],
        outcome(0, repeated=1),
    ),
    ("a long feed that comes twice", [north(*MANY), north(*MANY)], outcome(0, repeated=60)),
    ("a long feed that came twice", [north(*MANY), north(*MANY), EXPORT], export("A1,60")),
    (
        "twice in one feed",
        [north("delivery,A1,,5,@12,D-1", "delivery,B1,,5,@12,D-1")],
        outcome(1, repeated=1),
    ),
    (
        "what was contained is known",
        [TEN, north("delivery,A1,,5,@11,D-1"), north("delivery,A1,,5,@13,D-1")],
        outcome(0, repeated=1),
    ),
    (
        "a reference of a feed that was refused is not known",
        [north("delivery,A1,,5,@12,D-1", "count,A1,,x,@12,"), north("delivery,A1,,5,@12,D-1")],
        outcome(1),
    ),
]

WHOLE: list[Case] = [
    (
        "nothing of a feed that is wrong",
        [TEN, north("count,A1,,3,@13,", "count,NEW,,1,@13,", "count,B1,,x,@13,"), EXPORT],
        export("A1,10"),
    ),
    (
        "neither its names",
        [TEN, north("count,A1,Saws,3,@08,", "delivery,A1,,1,@13,"), REPORT],
        said("A1                10        0        10  Axes", "1 articles, 10 units"),
    ),
    (
        "feeds before it stay, feeds behind it are not read",
        [
            (
                {
                    "a": feed("north", "count,A1,,1,@12,"),
                    "b": feed("south", "count,B1,,2,@12,", "count,C1,,2,,"),
                    "c": feed("west", "count,D1,,3,@12,"),
                },
                ["sync", "state", "a", "b", "c"],
            ),
            EXPORT,
        ],
        export("A1,1"),
    ),
    (
        "what is said then",
        [
            (
                {
                    "a": feed("north", "count,A1,,1,@12,"),
                    "b": feed("south", "count,B1,,2,@12,", "count,C1,,2,,"),
                },
                ["sync", "state", "a", "b", "a"],
            ),
        ],
        [
            1,
            "a: 1 applied, 0 stale, 0 repeated, 0 contained\n",
            "b: line 4: bad time: \n",
        ],
    ),
    (
        "nothing of orders that are wrong",
        [TEN, orders(order("W-1", A1=3), order("W-2", A1=0)), EXPORT],
        export("A1,10"),
    ),
    (
        "the line of orders that is wrong",
        [TEN, orders(order("W-1", A1=3), "", {"order": "W-2", "lines": []})],
        refused("orders: line 3: not an order"),
    ),
]

ORDERS: list[Case] = [
    (
        "the second order sees the first",
        [TEN, orders(order("W-1", A1=8), order("W-2", A1=3))],
        said("W-1: reserved", "W-2: refused, A1 has 2 of 3"),
    ),
    (
        "an order sees what was cancelled",
        [TEN, orders(order("W-1", A1=8), {"cancel": "W-1"}, order("W-2", A1=9))],
        said("W-1: reserved", "W-1: cancelled", "W-2: reserved"),
    ),
    (
        "an order sees what was shipped",
        [TEN, orders(order("W-1", A1=8), ship("W-1", "north", NOON), order("W-2", A1=3))],
        said("W-1: reserved", "W-1: shipped from north", "W-2: reserved"),
    ),
    (
        "an order sees what was shipped after the count",
        [
            TEN,
            orders(
                order("W-1", A1=8),
                ship("W-1", "north", "2024-03-01T12:30:00Z"),
                order("W-2", A1=3),
            ),
        ],
        said("W-1: reserved", "W-1: shipped from north", "W-2: refused, A1 has 2 of 3"),
    ),
    (
        "an article in two lines is too much in all",
        [TEN, orders({"order": "W", "lines": [{"sku": "A1", "qty": 6}, {"sku": "a-1", "qty": 5}]})],
        said("W: refused, A1 has 10 of 11"),
    ),
    (
        "an article in two lines is reserved in all",
        [
            TEN,
            orders({"order": "W", "lines": [{"sku": "A1", "qty": 6}, {"sku": "A1", "qty": 3}]}),
            EXPORT,
        ],
        export("A1,1"),
    ),
    (
        "all lines or none",
        [TEN, orders(order("W", A1=6, B1=1)), EXPORT],
        export("A1,10"),
    ),
    (
        "the first article of which there is too little",
        [
            north("count,A1,,1,@12,", "count,B1,,1,@12,", "count,C1,,9,@12,"),
            orders(order("W", C1=1, B1=2, A1=2)),
        ],
        said("W: refused, B1 has 1 of 2"),
    ),
    (
        "a refused order may come again",
        [TEN, orders(order("W", A1=11)), north("delivery,A1,,1,@13,D"), orders(order("W", A1=11))],
        said("W: reserved"),
    ),
    (
        "less than nothing is nothing",
        [TEN, orders(order("V", A1=9)), north("count,A1,,2,@13,"), orders(order("W", A1=1))],
        said("W: refused, A1 has 0 of 1"),
    ),
    (
        "a shipment is a delivery of its time",
        [
            TEN,
            orders(order("W", A1=4)),
            orders(ship("W", "north", "2024-03-01T15:00:00+02:00")),
            north("count,A1,,9,@14,"),
            EXPORT,
        ],
        export("A1,9"),
    ),
    (
        "a shipment after a late count",
        [
            TEN,
            orders(order("W", A1=4), ship("W", "north", "2024-03-01T14:00:00Z")),
            north("count,A1,,20,@13,"),
            EXPORT,
        ],
        export("A1,16"),
    ),
]

TOLD: list[Case] = [
    (
        "what is sold out is exported",
        [TEN, north("count,B1,,0,@12,"), orders(order("W", A1=10)), EXPORT],
        export("A1,0", "B1,0"),
    ),
    (
        "less than nothing is exported as nothing",
        [TEN, orders(order("W", A1=9)), north("count,A1,,2,@13,"), EXPORT],
        export("A1,0"),
    ),
    (
        "less than nothing is reported as it is",
        [TEN, orders(order("W", A1=9)), north("count,A1,,2,@13,"), REPORT],
        said("A1                 2        9        -7  Axes", "1 articles, 2 units"),
    ),
    (
        "N itself is low",
        [
            north("count,A1,,5,@12,", "count,B1,,6,@12,", "count,C1,,4,@12,", "count,AA,,4,@12,"),
            ({}, ["report", "state", "--low", "5"]),
        ],
        said(
            "AA                 4        0         4  ",
            "C1                 4        0         4  ",
            "A1                 5        0         5  ",
            "3 articles, 13 units",
        ),
    ),
    (
        "nothing at all is low",
        [
            north("count,A1,,0,@12,", "count,B1,,1,@12,"),
            ({}, ["report", "state", "--low", "0"]),
        ],
        said("A1                 0        0         0  ", "1 articles, 0 units"),
    ),
    (
        "9 is fewer than 10",
        [
            north("count,A1,,10,@12,", "count,B1,,9,@12,"),
            ({}, ["report", "state", "--low", "100"]),
        ],
        said(
            "B1                 9        0         9  ",
            "A1                10        0        10  ",
            "2 articles, 19 units",
        ),
    ),
]

CASES: list[Case] = [
    (f"{group}: {about}", steps, expected)
    for group, cases in (
        ("articles", ARTICLES),
        ("feeds", FEEDS),
        ("times", TIMES),
        ("references", REFERENCES),
        ("all or nothing", WHOLE),
        ("orders", ORDERS),
        ("told", TOLD),
    )
    for about, steps, expected in cases
]
