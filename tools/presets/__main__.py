"""Print what real external programs do by their presets, as tables for a page of the docs.

``python -m presets --programs DIR [NAME]...``, where each program is installed in a folder of its
own below DIR, as its preset says. The first table is how each hands in ten easy tasks, the second
how its requests differ from those that it makes with its own defaults.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from kcb_agents.command.declaration import find_declaration, preset_names
from presets.asked import deviations
from presets.counting import Count, own_count, proxy_count
from presets.installed import version
from presets.playing import OWN, easy_tasks, play, resolved

TASKS = 10

UNLISTED = " (and its preset lists others)"

Row = tuple[str, ...]


def main() -> int:
    """Play what is named, one program at a time; 1 if any of it is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m presets", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="presets; all if none is named")
    parser.add_argument(
        "--programs", type=Path, metavar="DIR", default=os.environ.get("KCB_PROGRAMS")
    )
    given = parser.parse_args()
    if given.programs is None:
        parser.error("--programs DIR, or the variable KCB_PROGRAMS, says where they are installed")
    names = given.names or preset_names()
    kept = [handed_in(name, given.programs / name) for name in names]
    head = ("program", "version", "effort", f"resolved of {TASKS}", "requests")
    say_table((*head, "tokens by the proxy", "tokens by its own count"), kept)
    say()
    played = [compared(name, given.programs / name) for name in names]
    say_table(("program", "tools", "tool schemas", "system prompt", "not as by itself"), played)
    good = all(row[3] == str(TASKS) for row in kept)
    return 0 if good and not any(row[-1].endswith(UNLISTED) for row in played) else 1


def handed_in(name: str, toolchain: Path) -> Row:
    """The line of a preset: what it made of ten easy tasks, and who counted what."""
    with tempfile.TemporaryDirectory(prefix="kcb-programs-") as folder:
        projects = Path(folder, "projects")
        played = play(name, toolchain, easy_tasks(TASKS), projects)
        right = resolved(projects, Path(folder, "reports"))
    records = played.records.values()
    by_proxy = sum(map(proxy_count, records), Count())
    by_itself = own_count(name, played.said.values())
    effort = find_declaration(name).effort
    requests = str(sum(record["totals"]["turns"] for record in records))
    said = "none" if by_itself is None else str(by_itself)
    return name, version(name, toolchain), effort, str(right), requests, str(by_proxy), said


def compared(name: str, toolchain: Path) -> Row:
    """The line of a preset: what it asks, and how that is not what its program asks by itself."""
    with tempfile.TemporaryDirectory(prefix="kcb-programs-") as folder:
        task = easy_tasks(1)
        own = play(str(OWN / f"{name}.toml"), toolchain, task, Path(folder, "own")).asked
        preset = play(name, toolchain, task, Path(folder, "preset")).asked
    found = deviations(own, preset)
    unlisted = "" if found == find_declaration(name).deviations else UNLISTED
    differs = "; ".join(f"{what}: {difference}" for what, difference in found.items())
    tools = str(len(preset.tools))
    return name, tools, str(preset.tool_schemas), str(preset.system_prompt), differs + unlisted


def say_table(head: Row, rows: Iterable[Row]) -> None:
    """A table as Markdown has it."""
    for row in (head, ("---",) * len(head), *rows):
        say(f"| {' | '.join(row)} |")


def say(line: str = "") -> None:
    """One line, at once."""
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    raise SystemExit(main())
