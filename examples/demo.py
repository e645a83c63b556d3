"""The main job in a minute, with no model: prepare, judge and score three real projects.

The projects lie in ``examples/projects``: one is right, one is subtly wrong, one is empty. Reports
and workspaces go to a temporary folder, which is removed. Run it with ``scripts/demo``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.rule import Rule

PROJECTS = Path(__file__).parent / "projects"
RIGHT = "kcb-max-001-word-frequency"
WRONG = "kcb-easy-049-cache-simulator"
COMMAND = Path(sys.executable).with_name("klein-bench")

console = Console(highlight=False)


def step(text: str) -> None:
    """Say what comes next."""
    console.print()
    console.print(Rule(f"[bold]{text}", align="left"))


def run(*words: str | Path, expect: int = 0) -> None:
    """Show a command and run it; end the demonstration if it does not end as it should."""
    console.print(f"[bold cyan]$ klein-bench {' '.join(map(str, words))}", soft_wrap=True)
    done = subprocess.run([COMMAND, *map(str, words)], check=False)
    if done.returncode != expect:
        sys.exit(f"exit status {done.returncode} where {expect} was expected")


def main() -> None:
    """Show the main job."""
    work = Path(tempfile.mkdtemp(prefix="klein-demo-"))
    try:
        step("A workspace is a prompt and an empty folder")
        run("prepare", WRONG, "--output", work / "workspace")
        prompt = (work / "workspace" / "PROMPT.md").read_text(encoding="utf-8")
        console.print(f"The prompt has {len(prompt.split()):,} words; it is all that a model gets.")
        step("Three projects, each judged in fresh processes: one is right, two are not")
        shutil.copytree(PROJECTS, work / "projects", ignore=shutil.ignore_patterns("*.md"))
        run("evaluate", "--all", work / "projects", "--output", work / "reports", expect=1)
        step("What the subtly wrong one did")
        run("show", work / "reports" / f"{WRONG}.json")
        step("The score: resolved tasks over all tasks, whatever was handed in")
        run("score", work / "reports")
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
