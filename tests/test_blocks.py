"""Every code block of every page is played, or held against what it speaks of.

What is played stands in ``test_snippets``. The rest needs a model, a cluster or an index: there a
command must be one that the program would take, Python must compile and find what it imports of
ours, and data must be readable.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from packaging.requirements import InvalidRequirement, Requirement

from command_lines import commands, fault, simple_commands
from sessions import session_names
from snippets import PLAYED, Block, blocks

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "packages/*/README.md", "examples/*/README.md")
    for path in ROOT.glob(pattern)
)
COMMANDS = dict(commands())
SESSIONS = session_names(ROOT / "noxfile.py")
OURS = {path.parent.name: path for path in ROOT.glob("*/*/pyproject.toml")}

#: Programs of other people, or of the reader's own.
FOREIGN = frozenset(
    {
        *("cat", "cd", "echo", "export", "git", "module", "srun"),
        *("dask", "harbor", "podman", "python3.13"),
    }
)


def shell_faults(text: str) -> Iterator[str]:
    """Each command of a block that would be refused whatever lies on the reader's disk."""
    lines = text.replace("\\\n", " ").splitlines()
    prompted = any(line.startswith("$ ") for line in lines)
    typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ") or not prompted]
    for line in typed:
        for words in simple_commands(line):
            settings = re.compile(r"\w+=.*")
            called = [w for i, w in enumerate(words) if i or not settings.fullmatch(w)]
            if called and (found := command_fault(called)):
                yield f"{line}: {found}"


def command_fault(words: list[str]) -> str:
    """Why one command is wrong, or nothing."""
    program, *rest = words
    if program in ("klein-bench", "kcb"):
        return fault(rest, COMMANDS)
    if program.endswith("/bin/pip"):
        return ""  # it installs other people's programs, into an environment of their own
    if program == "pip":
        return requirement_fault([word for word in rest[1:] if not word.startswith("-")])
    if program == "nox":
        wanted = rest[1 : rest.index("--")] if "--" in rest else rest[1:]
        return "" if set(wanted) <= SESSIONS else f"no session is called {wanted}"
    if program.startswith("scripts/"):
        return "" if (ROOT / program).is_file() else "there is no such script"
    return "" if program in FOREIGN else "nobody knows this program"


def requirement_fault(words: list[str]) -> str:
    """Why a requirement is none, or names an extra of ours that there is not."""
    for word in words:
        if (ROOT / word).exists() or word == "wheels":
            continue
        try:
            requirement = Requirement(word)
        except InvalidRequirement as error:
            return str(error)
        if requirement.name not in OURS:
            return f"{word} is none of our packages"
        project = tomllib.loads(OURS[requirement.name].read_text("utf-8"))["project"]
        if requirement.extras - project.get("optional-dependencies", {}).keys():
            return f"{word}: there is no such extra"
    return ""


def python_faults(text: str) -> Iterator[str]:
    """Each import of ours that leads nowhere; a block that does not compile raises."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            yield from (n for n in names if n.startswith("kcb_") and find_spec(n) is None)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kcb_"):
            module = import_module(node.module or "")
            yield from (
                f"{node.module}.{alias.name}"
                for alias in node.names
                if not hasattr(module, alias.name)
                and find_spec(f"{node.module}.{alias.name}") is None
            )


def faults(block: Block) -> Iterator[str]:
    """What is wrong with a block."""
    try:
        if block.language in ("console", "sh"):
            yield from shell_faults(block.text)
        elif block.language == "bash":
            yield from ()  # a script for a cluster's queue; its lines are tried by nobody here
        elif block.language == "python":
            yield from python_faults(block.text)
        elif block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "json":
            json.loads(block.text)
        elif block.language == "yaml":
            list(yaml.safe_load_all(block.text))
        elif block.language != "text":
            yield f"nobody knows what {block.language!r} is"
    except (SyntaxError, ValueError, yaml.YAMLError, ImportError) as error:
        yield f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_a_page_is_in_order(page: Path) -> None:
    """A reader copies blocks; what cannot be played must at least not be refused."""
    text = page.read_text("utf-8")
    fences = len(re.findall(r"^ *```", text, re.MULTILINE))
    found = blocks(text, ROOT)
    assert fences == 2 * len(found), "a block has no language, or stands in a list"
    played = str(page.relative_to(ROOT)) in PLAYED
    rest = (block for block in found if not (played and block.playable))
    assert [fault for block in rest for fault in faults(block)] == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("console", "$ klein-bench evaluat x"),
        ("console", "$ klein-bench evaluate --no-such-option"),
        ("sh", "klein-bench list | klein-bench scores"),
        ("sh", "pip install kcb-scores"),
        ("sh", "pip install 'kcb-score[page]'"),
        ("sh", "nox -s relase"),
        ("sh", "scripts/tests"),
        ("sh", "unheard-of"),
        ("python", "from kcb_core import hookimp"),
        ("python", "import kcb_cores"),
        ("python", "if"),
        ("toml", "a = "),
        ("json", "{"),
        ("yaml", "a: b: c"),
        ("pascal", "begin end."),
    ],
)
def test_a_block_that_is_wrong_is_found(language: str, text: str) -> None:
    """The check itself works."""
    assert [*faults(Block(language=language, title="", text=text))] != []


def test_a_block_that_is_right_is_left_alone() -> None:
    """Comments, settings, pipes and placeholders are what readers meet."""
    right = (
        "A=1 klein-bench score --json reports/ | cat  # all of it\npip install 'kcb-score[pages]'\n"
    )
    assert [*faults(Block(language="sh", title="", text=right))] == []
