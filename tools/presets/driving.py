"""What has each external program hand in a reference by its own tools, whoever asks when.

The provider keeps nothing in mind: a request says by itself which program asks, for which task, and
how far it is. So several programs may ask at once, and each may ask again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kcb_agents.endpoint.conversation import ToolCall
from kcb_agents.testing.provider import Provider
from kcb_agents.testing.scripted_answer import Said
from kcb_core.catalog import load_catalog
from kcb_core.task import Task
from kcb_references.export import project_files
from presets.asked import tool_names

PROJECT = "/kcb/project"
"""Where a program is told that its project is."""

COMMAND = "echo $((6 * 7000))"
"""What a program has its shell run that writes files by another tool; it prints ``PRINTED``."""

PRINTED = "42000"

COMMANDING = ("opencode", "qwen-code")
"""Programs that are driven to run it."""

DONE = Said(content="Complete.")


def called(name: str, **arguments: str) -> Said:
    """A call of one tool."""
    call = ToolCall(id=f"call_{name}", name=name, arguments=json.dumps(arguments))
    return Said(calls=(call,), finish="tool_calls")


def mini(files: Mapping[str, str]) -> Iterator[Said]:
    """What drives mini-swe-agent: commands, and the one that hands in."""
    for path, text in files.items():
        yield called("bash", command=f"cat > {path} <<'KCB_END'\n{text}KCB_END\n")
    yield called("bash", command="echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")


def qwen(files: Mapping[str, str]) -> Iterator[Said]:
    """What drives qwen-code: its tool that writes files, a command, and a last word."""
    for path, text in files.items():
        yield called("write_file", file_path=f"{PROJECT}/{path}", content=text)
    yield called("run_shell_command", command=COMMAND, is_background="false")
    yield DONE


def claude(files: Mapping[str, str]) -> Iterator[Said]:
    """What drives claude-code: its tool that writes files, and a last word."""
    for path, text in files.items():
        yield called("Write", file_path=f"{PROJECT}/{path}", content=text)
    yield DONE


def codex(files: Mapping[str, str]) -> Iterator[Said]:
    """What drives codex: commands, and a last word."""
    for path, text in files.items():
        yield called("exec_command", cmd=f"cat > {path} <<'KCB_END'\n{text}KCB_END\n")
    yield DONE


def opencode(files: Mapping[str, str]) -> Iterator[Said]:
    """What drives opencode: its tool that writes files, a command, and a last word."""
    for path, text in files.items():
        yield called("write", filePath=f"{PROJECT}/{path}", content=text)
    yield called("bash", command=COMMAND, description="Reckon")
    yield DONE


def aider(files: Mapping[str, str]) -> Iterator[Said]:
    """What drives aider: one answer that holds all files in its form for whole ones."""
    yield Said(content="\n".join(f"{path}\n```\n{text}```\n" for path, text in files.items()))


PROGRAMS: dict[str, Callable[[Mapping[str, str]], Iterator[Said]]] = {
    "aider": aider,
    "claude-code": claude,
    "codex": codex,
    "mini-swe-agent": mini,
    "opencode": opencode,
    "qwen-code": qwen,
}

_MARKS = {
    "exec_command": "codex",
    "write_file": "qwen-code",
    "Write": "claude-code",
    "write": "opencode",
    "bash": "mini-swe-agent",
}
"""Programs by a tool that they offer; the last one is offered by others too, and aider has none."""


def program_of(body: Mapping[str, Any]) -> str:
    """Which program a request is of."""
    offered = tool_names(body)
    return next((name for tool, name in _MARKS.items() if tool in offered), "aider")


def steps_taken(body: Mapping[str, Any]) -> int:
    """How many results of tools a conversation holds, in whichever form."""
    return sum(map(_results, body.get("messages", body.get("input", ()))))


def _results(message: Mapping[str, Any]) -> int:
    if message.get("role") == "tool" or message.get("type") == "function_call_output":
        return 1
    parts = message.get("content")
    return sum(p.get("type") == "tool_result" for p in parts) if isinstance(parts, list) else 0


def references(tasks: list[Task]) -> dict[str, dict[str, str]]:
    """The files of the programs that are known to be right, by the title of their easy task."""
    domains = {each.family: each.domain for each in load_catalog().references()}
    return {
        task.prompt.partition("\n")[0]: project_files(
            "easy", domains[f"kcb/{task.family}"].read_text()
        )
        for task in tasks
    }


@dataclass(slots=True, kw_only=True)
class Driver(Provider):
    """Answers every program with the next step to the reference of the task that it was given."""

    known: dict[str, dict[str, str]] = field(default_factory=dict)
    """Files by the title of their task."""

    def usual_for(self, body: Mapping[str, Any], prompt: str) -> Said | None:
        """The step that follows on what a conversation holds; None for a task that is not known."""
        titles = [title for title in self.known if title in prompt]
        if not titles:
            return None
        steps = list(PROGRAMS[program_of(body)](self.known[max(titles, key=len)]))
        return steps[min(steps_taken(body), len(steps) - 1)]
