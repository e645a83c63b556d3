"""The language that a program is asked for in: a start command and a block of the prompt.

Another language is another value of this kind; nothing else in tiers, prompts, scenarios or data
knows which one it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from kcb_core.task import PYTHON as PYTHON_COMMAND
from kcb_core.task import STATE_DIR


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What a task says about the language of its solutions."""

    name: str
    """Its name, as it stands in a task's record."""
    entrypoint: str
    """The file that the start command runs."""
    start: tuple[str, ...]
    """The start command as words, with placeholders."""
    program: str
    """Name of the *Program* block of the prompt, a file in the folder ``prompts``."""

    def start_command(self, *, durable: bool) -> tuple[str, ...]:
        """The start command of a tier.

        Args:
            durable: whether the program is given a state directory.
        """
        return (*self.start, "--state-dir", STATE_DIR) if durable else self.start


PYTHON = Language(
    name="Python",
    entrypoint="main.py",
    start=(PYTHON_COMMAND, "-E", "-s", "-S", "main.py"),
    program="program-python.md",
)
"""Python 3.11 with its standard library, the only language that is shipped."""
