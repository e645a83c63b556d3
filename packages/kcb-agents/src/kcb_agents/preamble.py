"""Preambles: what an agent tells a model besides the prompt, the same for every task.

A preamble holds the form of an answer and nothing of any task. Its text never changes within a
version, so that the digest in a record names what the model was told.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from kcb_core.codec import digest


class PreambleStamp(msgspec.Struct, frozen=True, kw_only=True):
    """Which preamble a model was told."""

    name: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preamble:
    """What one kind of agent tells a model before the prompt."""

    name: str
    """The kind of agent."""
    version: str
    """Raised whenever the text changes."""
    text: str
    """Names in angle brackets stand for what differs from run to run: bounds and the path."""

    @property
    def stamp(self) -> PreambleStamp:
        """What a record says of it."""
        sha256 = digest(self.text.encode("utf-8"))
        return PreambleStamp(name=self.name, version=self.version, sha256=sha256)

    def filled(self, **values: object) -> str:
        """The text with the places of a run, such as a path, filled in."""
        text = self.text
        for name, value in values.items():
            text = text.replace(f"<{name}>", str(value))
        return text


ONE_SHOT = Preamble(
    name="one-shot",
    version="1",
    text="""\
Write the complete program that the task below asks for. You answer once, with this one message: \
you cannot ask back, run anything or add anything later.

Give every file as a heading with its path and, right under it, one fenced code block with the \
whole text of the file:

### main.py
```python
import sys
```

- `main.py` must be among the files. Put everything into it unless you need more files.
- A path is relative and has `/` between its parts. No part of it starts with a dot.
- Give each file once, whole and ready to run: nothing left out, no diffs, no shell commands.
- A file that contains ``` itself gets a fence of four backticks.
- Only files in this form count. All other text is ignored.

The task:

""",
)
"""How a one-shot answer gives its files.

The path on a line of its own before a whole, fenced file is the form of Aider's ``whole`` edit
format, made for models that keep to no other; a Markdown heading is how they write it unasked.
"""

ACTION_LOOP = Preamble(
    name="action-loop",
    version="1",
    text="""\
Write the complete program that the task below asks for. You work in a folder on a Linux machine, \
by one command line a turn.

Answer every time with one JSON object and nothing else:

{"command": "ls -la", "done": false}

- `command` is run once by `/bin/sh -c` in the folder <path>, which is empty at first. You are \
then shown how it ended and what it printed. Leave it out to run nothing.
- `done` is true when the program is complete. Its command is still run, and then you are not \
asked again.
- Write files by commands, for instance with `cat > main.py <<'EOF'`. `main.py` must be in that \
folder in the end, with whatever else it needs.
- Commands have no input and no network, and what they leave running is killed. One that takes \
longer than <command_s> s is killed too.
- Long output is shown shortened. Nothing but your own commands shows you anything of the machine.
- You have <turns> turns and <seconds> s in all.

The task:

""",
)
"""The form of an action, as the drills of this project's guidelines have it."""

DRILL = Preamble(
    name="action-loop-drill",
    version="1",
    text="""\
Do what is asked below. You work in a folder on a Linux machine, by one command line a turn.

Answer every time with one JSON object and nothing else:

{"command": "ls -la", "done": false}

- `command` is run once by `/bin/sh -c` in the folder <path>. You are then shown how it ended and \
what it printed. Leave it out to run nothing.
- `done` is true when all is done. Its command is still run, and then you are not asked again.
- Commands have no input and no network, and what they leave running is killed. One that takes \
longer than <command_s> s is killed too.
- Long output is shown shortened. Nothing but your own commands shows you anything of the machine.
- You have <turns> turns and <seconds> s in all.

What is asked:

""",
)
"""The same form of an action, for an agent that acts in a prepared place."""

COMMAND = Preamble(
    name="command",
    version="1",
    text="""\
Write the complete program that the task below asks for into the folder <path>, which is your \
working folder and is empty at first. `main.py` must be in that folder in the end, with whatever \
else it needs.

- Nobody answers questions. There is no network.
- Only files in that folder count. What is still running when you end is killed.

The task:

""",
)
"""What an external program is told besides the task; its own prompts are its own business."""

ONE_SHOT_WORKSPACE = Preamble(
    name="one-shot-workspace",
    version="1",
    text="""\
Do the work on a software project that the task below asks for. You answer once, with this one \
message: you cannot ask back, run anything or add anything later.

Give every file that you add or change as a heading with its path and, right under it, one fenced \
code block with the whole text of the file:

### src/names.py
```python
import sys
```

- A path is relative to the project's folder and has `/` between its parts.
- Give each file once, whole and ready to run: nothing left out, no diffs, no shell commands.
- Files that you do not give stay as they are. None can be removed.
- A file that contains ``` itself gets a fence of four backticks.
- Only files in this form count. All other text is ignored.

The task, and behind it the files of the project:

""",
)
"""As :data:`ONE_SHOT`, for work on files that are there already and follow the prompt."""

ACTION_LOOP_WORKSPACE = Preamble(
    name="action-loop-workspace",
    version="1",
    text="""\
Do the work on a software project that the task below asks for. The project is a git repository \
in a folder on a Linux machine, and you work there by one command line a turn.

Answer every time with one JSON object and nothing else:

{"command": "ls -la", "done": false}

- `command` is run once by `/bin/sh -c` in the project's folder <path>. You are then shown how it \
ended and what it printed. Leave it out to run nothing.
- `done` is true when the work is complete. Its command is still run, and then you are not asked \
again.
- Write files by commands, for instance with `cat > names.py <<'EOF'`. The files that are in the \
folder in the end are what you hand in, committed or not. Leave the project's own tests in place.
- Commands have no input and no network, and what they leave running is killed. One that takes \
longer than <command_s> s is killed too.
- Long output is shown shortened. Nothing but your own commands shows you anything of the machine.
- You have <turns> turns and <seconds> s in all.

The task:

""",
)
"""As :data:`ACTION_LOOP`, for work in a folder that is not empty."""

COMMAND_WORKSPACE = Preamble(
    name="command-workspace",
    version="1",
    text="""\
Do the work on a software project that the task below asks for. The project is a git repository \
in the folder <path>, which is your working folder.

- Nobody answers questions. There is no network.
- The files that are in that folder in the end are what you hand in, committed or not. Leave the \
project's own tests in place. What is still running when you end is killed.

The task:

""",
)
"""As :data:`COMMAND`, for work in a folder that is not empty."""
