"""The hidden cases: a configuration, files, and what rotate makes of them.

Contents are text or bytes; those of a name that ends in ``.gz`` are what it unpacks to. ``tree``
has all files afterwards, or is None if nothing changes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

Files = dict[str, "str | bytes"]


@dataclass(frozen=True)
class Case:
    """One call of rotate; ``lines`` is its output without the last line."""

    name: str
    conf: str
    files: Files
    rotated: int
    lines: str = ""
    tree: Files | None = None
    arguments: tuple[str, ...] = ()
    errors: str = ""
    status: int = 0
    directories: tuple[str, ...] = ()


def noise(size: int) -> bytes:
    """Bytes that do not get smaller by compression."""
    return random.Random(size).randbytes(size)


NOISE, ZEROS = noise(3000), b"0" * 3000

CASES = [
    Case(
        "ten old logs",
        "[a]\nfiles = a.log\nkeep = 12",
        {"a.log": "new", **{f"a.log.{n}": str(n) for n in range(1, 11)}},
        1,
        "".join(f"move a.log.{n} -> a.log.{n + 1}\n" for n in range(10, 0, -1))
        + "move a.log -> a.log.1\ncreate a.log\n",
        {"a.log": "", "a.log.1": "new", **{f"a.log.{n + 1}": str(n) for n in range(1, 11)}},
    ),
    Case(
        "more than are kept",
        "[a]\nfiles = a.log\nkeep = 2",
        {"a.log": "new", "a.log.1": "1", "a.log.2.gz": "2", "a.log.3": "3", "a.log.12": "12"},
        1,
        "remove a.log.12\nremove a.log.3\nremove a.log.2.gz\nmove a.log.1 -> a.log.2\n"
        "move a.log -> a.log.1\ncreate a.log\n",
        {"a.log": "", "a.log.1": "new", "a.log.2": "1"},
    ),
    Case(
        "gaps stay",
        "[a]\nfiles = a.log",
        {"a.log": "new", "a.log.3.gz": "3", "a.log.1": "1"},
        1,
        "move a.log.3.gz -> a.log.4.gz\nmove a.log.1 -> a.log.2\nmove a.log -> a.log.1\n"
        "create a.log\n",
        {"a.log": "", "a.log.1": "new", "a.log.2": "1", "a.log.4.gz": "3"},
    ),
    Case(
        "names that only look like old logs",
        "[a]\nfiles = a.log",
        {
            "a.log": "new",
            "a.log.old": "x",
            "a.log.01": "x",
            "a.log.0": "x",
            "a.log.1.bz": "x",
            "a.log.gz": "x",
            "a.log1": "x",
            "ba.log.1": "x",
            "a.log.1.1": "x",
            "a.log.x.1": "x",
        },
        1,
        "move a.log -> a.log.1\ncreate a.log\n",
        {
            "a.log": "",
            "a.log.1": "new",
            "a.log.old": "x",
            "a.log.01": "x",
            "a.log.0": "x",
            "a.log.1.bz": "x",
            "a.log.gz": "x",
            "a.log1": "x",
            "ba.log.1": "x",
            "a.log.1.1": "x",
            "a.log.x.1": "x",
        },
    ),
    Case(
        "compressed",
        "[a]\nfiles = a.log\ncompress = yes",
        {"a.log": "new", "a.log.1": "1", "a.log.2.gz": "2", "a.log.3": "3"},
        1,
        "move a.log.3 -> a.log.4\nmove a.log.2.gz -> a.log.3.gz\nmove a.log.1 -> a.log.2\n"
        "move a.log -> a.log.1\ncreate a.log\ngzip a.log.1\ngzip a.log.2\ngzip a.log.4\n",
        {"a.log": "", "a.log.1.gz": "new", "a.log.2.gz": "1", "a.log.3.gz": "2", "a.log.4.gz": "3"},
    ),
    Case(
        "compressed late",
        "[a]\nfiles = a.log\ncompress = late",
        {"a.log": "new", "a.log.1": "1", "a.log.2.gz": "2"},
        1,
        "move a.log.2.gz -> a.log.3.gz\nmove a.log.1 -> a.log.2\nmove a.log -> a.log.1\n"
        "create a.log\ngzip a.log.2\n",
        {"a.log": "", "a.log.1": "new", "a.log.2.gz": "1", "a.log.3.gz": "2"},
    ),
    Case(
        "compressed late for the first time",
        "[a]\nfiles = a.log\ncompress = late",
        {"a.log": "new"},
        1,
        "move a.log -> a.log.1\ncreate a.log\n",
        {"a.log": "", "a.log.1": "new"},
    ),
    Case(
        "twins",
        "[a]\nfiles = a.log\ncompress = yes\nkeep = 10",
        {
            "a.log": "new",
            "a.log.10": "10",
            "a.log.10.gz": "bad",
            "a.log.2": "2",
            "a.log.2.gz": "bad",
            "a.log.1.gz": "1",
        },
        1,
        "remove a.log.2.gz\nremove a.log.10.gz\nremove a.log.10\nmove a.log.2 -> a.log.3\n"
        "move a.log.1.gz -> a.log.2.gz\nmove a.log -> a.log.1\ncreate a.log\ngzip a.log.1\n"
        "gzip a.log.3\n",
        {"a.log": "", "a.log.1.gz": "new", "a.log.2.gz": "1", "a.log.3.gz": "2"},
    ),
    Case(
        "copied",
        "[a]\nfiles = a.log\nmode = copy\ncompress = yes\nkeep = 1",
        {"a.log": "new", "a.log.1.gz": "1"},
        1,
        "remove a.log.1.gz\ncopy a.log -> a.log.1\nempty a.log\ngzip a.log.1\n",
        {"a.log": "", "a.log.1.gz": "new"},
    ),
    Case(
        "nothing kept, moved",
        "[a]\nfiles = a.log\nkeep = 0\ncompress = yes",
        {"a.log": "new", "a.log.1": "1", "a.log.2.gz": "2"},
        1,
        "remove a.log.2.gz\nremove a.log.1\nremove a.log\ncreate a.log\n",
        {"a.log": ""},
    ),
    Case(
        "nothing kept, copied",
        "[a]\nfiles = a.log\nkeep = 0\nmode = copy",
        {"a.log": "new", "a.log.1": "1"},
        1,
        "remove a.log.1\nempty a.log\n",
        {"a.log": ""},
    ),
    Case(
        "which are due",
        "[a]\nfiles = *.log\nmin_size = 10",
        {
            "a.log": "123456789",
            "b.log": "1234567890",
            "c.log": "",
            "c.log.1": "1",
            "d.log": b"\0" * 11,
            "a.log.1": "1",
        },
        2,
        "move b.log -> b.log.1\ncreate b.log\nmove d.log -> d.log.1\ncreate d.log\n",
        {
            "a.log": "123456789",
            "b.log": "",
            "b.log.1": "1234567890",
            "c.log": "",
            "c.log.1": "1",
            "d.log": "",
            "d.log.1": b"\0" * 11,
            "a.log.1": "1",
        },
    ),
    Case(
        "a size in KiB",
        "[a]\nfiles = *.log\nmin_size = 2k",
        {"a.log": b"a" * 2047, "b.log": b"b" * 2048},
        1,
        "move b.log -> b.log.1\ncreate b.log\n",
        {"a.log": b"a" * 2047, "b.log": "", "b.log.1": b"b" * 2048},
    ),
    Case("none is due", "[a]\nfiles = *.log\nmin_size = 1m\nafter = touch ran", {"a.log": "1"}, 0),
    Case(
        "forced",
        "[a]\nfiles = *.log\nmin_size = 1m",
        {"a.log": "1", "b.log": ""},
        1,
        "move a.log -> a.log.1\ncreate a.log\n",
        {"a.log": "", "a.log.1": "1", "b.log": ""},
        ("--force",),
    ),
    Case(
        "min_size 0 and an empty log",
        "[a]\nfiles = *.log\nmin_size = 0",
        {"a.log": ""},
        0,
    ),
    Case(
        "order of logs",
        "[z]\nfiles = b.log\nfiles = *.log\nkeep = 0\nmode = copy\n[a]\nfiles = x/*\nkeep = 0\n"
        "mode = copy",
        {"a.log": "1", "b.log": "1", "B.log": "1", "x/2": "1", "x/10": "1", "x/10.1": "1"},
        5,
        "empty b.log\nempty B.log\nempty a.log\nremove x/10.1\nempty x/10\nempty x/2\n",
        {"a.log": "", "b.log": "", "B.log": "", "x/2": "", "x/10": ""},
    ),
    Case(
        "some sections",
        "[a]\nfiles = a\n[b]\nfiles = b\n[c]\nfiles = c",
        {"a": "1", "b": "1", "c": "1"},
        2,
        "move a -> a.1\ncreate a\nmove c -> c.1\ncreate c\n",
        {"a": "", "a.1": "1", "b": "1", "c": "", "c.1": "1"},
        ("c", "a"),
    ),
    Case(
        "a log of two sections",
        "[a]\nfiles = *.log\nmin_size = 3\n[b]\nfiles = a.log\nfiles = b.log\nafter = true",
        {"a.log": "123", "b.log": "1"},
        2,
        "move a.log -> a.log.1\ncreate a.log\nmove b.log -> b.log.1\ncreate b.log\nrun true\n",
        {"a.log": "", "a.log.1": "123", "b.log": "", "b.log.1": "1"},
    ),
    Case(
        "odd names",
        "[a]\nfiles = my logs/*.log\nkeep = 2\ncompress = yes",
        {
            "my logs/a b.log": "1",
            "my logs/a b.log.1": "2",
            "my logs/-x.log": "3",
            "my logs/[a].log": "4",
            "my logs/a.log.1": "5",
            "my logs/back\\slash.log": "6",
        },
        4,
        "move my logs/-x.log -> my logs/-x.log.1\ncreate my logs/-x.log\ngzip my logs/-x.log.1\n"
        "move my logs/[a].log -> my logs/[a].log.1\ncreate my logs/[a].log\n"
        "gzip my logs/[a].log.1\nmove my logs/a b.log.1 -> my logs/a b.log.2\n"
        "move my logs/a b.log -> my logs/a b.log.1\ncreate my logs/a b.log\n"
        "gzip my logs/a b.log.1\ngzip my logs/a b.log.2\n"
        "move my logs/back\\slash.log -> my logs/back\\slash.log.1\n"
        "create my logs/back\\slash.log\ngzip my logs/back\\slash.log.1\n",
        {
            "my logs/a b.log": "",
            "my logs/a b.log.1.gz": "1",
            "my logs/a b.log.2.gz": "2",
            "my logs/-x.log": "",
            "my logs/-x.log.1.gz": "3",
            "my logs/[a].log": "",
            "my logs/[a].log.1.gz": "4",
            "my logs/a.log.1": "5",
            "my logs/back\\slash.log": "",
            "my logs/back\\slash.log.1.gz": "6",
        },
    ),
    Case(
        "a log whose name starts with a dash",
        "[a]\nfiles = -*\ncompress = yes",
        {"-v": "1", "-v.1": "2"},
        1,
        "move -v.1 -> -v.2\nmove -v -> -v.1\ncreate -v\ngzip -v.1\ngzip -v.2\n",
        {"-v": "", "-v.1.gz": "1", "-v.2.gz": "2"},
    ),
    Case(
        "in the way",
        "[a]\nfiles = *.log",
        {"a.log": "1", "a.log.1": "2", "b.log": "3", "c.log": "4"},
        1,
        "move b.log -> b.log.1\ncreate b.log\n",
        {"a.log": "1", "a.log.1": "2", "b.log": "", "b.log.1": "3", "c.log": "4"},
        errors="error: in the way: a.log.9.gz\nerror: in the way: c.log.2\n",
        status=1,
        directories=("a.log.9.gz", "a.log.10", "c.log.2.gz", "c.log.2"),
    ),
    Case(
        "in the way of a log that is not due",
        "[a]\nfiles = a.log\nmin_size = 2",
        {"a.log": "1"},
        0,
        directories=("a.log.1",),
    ),
    Case(
        "warnings",
        "[a]\nfiles = none/*.log\nfiles = gone.log\nfiles = *\nfiles = a.log.?",
        {"a.log": "1", "a.log.1": "2", "logtend.conf.1": "3"},
        2,
        "move a.log.1 -> a.log.2\nmove a.log -> a.log.1\ncreate a.log\n"
        "move logtend.conf.1 -> logtend.conf.2\nmove logtend.conf -> logtend.conf.1\n"
        "create logtend.conf\n",
        {
            "a.log": "",
            "a.log.1": "1",
            "a.log.2": "2",
            "logtend.conf": "",
            "logtend.conf.2": "3",
            "logtend.conf.1": "[a]\nfiles = none/*.log\nfiles = gone.log\nfiles = *\n"
            "files = a.log.?\n",
        },
        errors="warning: no files: none/*.log\nwarning: no files: gone.log\n"
        "warning: not a regular file: sub\nwarning: no files: a.log.?\n",
        directories=("sub",),
    ),
    Case(
        "a total of plain logs",
        "[a]\nfiles = a.log\nmax_total = 10\nkeep = 20",
        {"a.log": "1234", "a.log.1": "123", "a.log.2": "123", "a.log.10": "1", "a.log.3": "1"},
        1,
        "move a.log.10 -> a.log.11\nmove a.log.3 -> a.log.4\nmove a.log.2 -> a.log.3\n"
        "move a.log.1 -> a.log.2\nmove a.log -> a.log.1\ncreate a.log\nremove a.log.11\n"
        "remove a.log.4\n",
        {"a.log": "", "a.log.1": "1234", "a.log.2": "123", "a.log.3": "123"},
    ),
    Case(
        "a total that the youngest exceeds alone",
        "[a]\nfiles = a.log\nmax_total = 0\nmode = copy",
        {"a.log": "1234", "a.log.1": "123", "a.log.2": "123"},
        1,
        "move a.log.2 -> a.log.3\nmove a.log.1 -> a.log.2\ncopy a.log -> a.log.1\nempty a.log\n"
        "remove a.log.3\nremove a.log.2\n",
        {"a.log": "", "a.log.1": "1234"},
    ),
    Case(
        "a total of logs that get smaller",
        "[a]\nfiles = a.log\nmax_total = 4k\ncompress = yes",
        {"a.log": ZEROS, "a.log.1": ZEROS, "a.log.2": NOISE},
        1,
        "move a.log.2 -> a.log.3\nmove a.log.1 -> a.log.2\nmove a.log -> a.log.1\ncreate a.log\n"
        "gzip a.log.1\ngzip a.log.2\ngzip a.log.3\n",
        {"a.log": "", "a.log.1.gz": ZEROS, "a.log.2.gz": ZEROS, "a.log.3.gz": NOISE},
    ),
    Case(
        "a total of logs that do not get smaller",
        "[a]\nfiles = a.log\nmax_total = 7k\ncompress = yes",
        {"a.log": NOISE, "a.log.1.gz": ZEROS, "a.log.2": NOISE, "a.log.3": NOISE},
        1,
        "move a.log.3 -> a.log.4\nmove a.log.2 -> a.log.3\nmove a.log.1.gz -> a.log.2.gz\n"
        "move a.log -> a.log.1\ncreate a.log\ngzip a.log.1\ngzip a.log.3\ngzip a.log.4\n"
        "remove a.log.4.gz\n",
        {"a.log": "", "a.log.1.gz": NOISE, "a.log.2.gz": ZEROS, "a.log.3.gz": NOISE},
    ),
    Case(
        "a total with late compression",
        "[a]\nfiles = a.log\nmax_total = 3200\ncompress = late",
        {"a.log": ZEROS, "a.log.1": ZEROS, "a.log.2": NOISE},
        1,
        "move a.log.2 -> a.log.3\nmove a.log.1 -> a.log.2\nmove a.log -> a.log.1\ncreate a.log\n"
        "gzip a.log.2\ngzip a.log.3\nremove a.log.3.gz\n",
        {"a.log": "", "a.log.1": ZEROS, "a.log.2.gz": ZEROS},
    ),
    Case(
        "commands after sections",
        "[defaults]\nafter = ls *.log > seen; exit 3\n[a]\nfiles = a.log\nfiles = b.log\n[b]\n"
        'files = c.log\nafter = echo "to  nobody"; pwd >/dev/null\n[c]\nfiles = d.log\n',
        {"a.log": "1", "b.log": "2", "c.log": "3", "d.log": ""},
        3,
        "move a.log -> a.log.1\ncreate a.log\nmove b.log -> b.log.1\ncreate b.log\n"
        "run ls *.log > seen; exit 3\nmove c.log -> c.log.1\ncreate c.log\n"
        'run echo "to  nobody"; pwd >/dev/null\n',
        {
            "a.log": "",
            "a.log.1": "1",
            "b.log": "",
            "b.log.1": "2",
            "c.log": "",
            "c.log.1": "3",
            "d.log": "",
            "seen": "a.log\nb.log\nc.log\nd.log\n",
        },
        errors="error: after a: exit status 3\nto  nobody\n",
        status=1,
    ),
]
