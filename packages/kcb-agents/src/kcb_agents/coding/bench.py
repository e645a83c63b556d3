"""Carries out what a model asks for: each call once, in the sandbox."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from kcb_agents.action_loop.loop import observe
from kcb_agents.coding.archive import PREFIX, Archive
from kcb_agents.coding.profile import Session, check_arguments, tool_names
from kcb_agents.endpoint.conversation import Tool, ToolCall
from kcb_agents.shell import Ending, NotRun, Ran, sh
from kcb_agents.trial import Trial, shorten
from kcb_core import transcript as kept
from kcb_core.codec import parse
from kcb_core.errors import DeclarationError, MalformedJson

FILE_TOOL_S = 30.0
"""Wall time of a file tool; a regular expression may take for ever."""

HANDS = ("place", "pages", "editing", "patching", "searching", "work")
"""Modules of the hands, each importing only from those before it."""

_PACKAGE = "kcb_agents.coding.hands"

_START = """\
import json, sys, types
order = json.loads(sys.stdin.buffer.read())
for name, source in order["modules"]:
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(source, name, "exec"), module.__dict__)
print(json.dumps(module.work(order["tool"], order["arguments"])))
"""
"""Run inside: the modules come by standard input, so nothing of this project is visible there."""


class Bench:
    """The tools of one session."""

    def __init__(self, trial: Trial, session: Session, shown: int) -> None:
        """Use a trial's shell.

        Args:
            trial: the trial.
            session: says which tools there are.
            shown: most characters of a result that the model is shown.
        """
        self._trial = trial
        self._session = session
        self._shown = shown
        self._tools = {tool.name: tool for tool in session.tools}
        self.archive = Archive()

    def use(self, call: ToolCall) -> tuple[str, str]:
        """Carry out one call.

        Returns:
            What the model is shown, and the name under which all of it can be read.

        Raises:
            MachineError: the shell failed.
        """
        tool = self._tools.get(call.name)
        try:
            if tool is None:
                names = tool_names(self._session)
                raise DeclarationError(f"there is no tool {call.name[:60]!r}; there are {names}")
            given = check_arguments(tool, _object(call.arguments))
        except DeclarationError as error:
            return self._refuse(call, f"not done: {error}"), ""
        if tool.name == "Bash":
            return self._bash(call, given)
        if tool.name == "Read" and given["file_path"].startswith(PREFIX):
            return self._read_back(call, given), ""
        return self._file_tool(call, tool, given)

    def refuse(self, call: ToolCall, why: str) -> str:
        """Record a call that is not carried out, and give what the model is told."""
        return self._refuse(call, f"not done: {why}")

    def _refuse(self, call: ToolCall, text: str) -> str:
        self._record(call, executed=False)
        self._outcome(call, "refused", text)
        return text

    def _bash(self, call: ToolCall, given: dict[str, Any]) -> tuple[str, str]:
        most = self._trial.meter.bounds.command_s
        try:
            ran = self._trial.run(sh(given["command"]), min(most, given.get("timeout", most)))
        except NotRun as error:
            return self._refuse(call, f"not done: {error}"), ""
        self._record(call, executed=True)
        self._trial.record_outcome(ran, call.id)
        return self._show(observe(ran, max(len(ran.stdout), len(ran.stderr)) * 4 + 1))

    def _file_tool(self, call: ToolCall, tool: Tool, given: dict[str, Any]) -> tuple[str, str]:
        order = {"modules": _modules(), "tool": tool.name, "arguments": given}
        argv = (self._trial.shell.python, "-I", "-S", "-c", _START)
        ran = self._trial.run(argv, FILE_TOOL_S, json.dumps(order).encode())
        done, text = _result(ran)
        self._record(call, executed=True)
        self._outcome(call, "done" if done else "refused", text)
        return self._show(text if done else f"not done: {text}")

    def _read_back(self, call: ToolCall, given: dict[str, Any]) -> str:
        name = given["file_path"]
        text = self.archive.read(name, given.get("offset", 1), given.get("limit", 2_000))
        if text is None:
            return self._refuse(call, f"not done: there is no result {name[:60]!r} any more")
        self._record(call, executed=True)
        self._outcome(call, "done", text)
        return shorten(text, self._shown)

    def _show(self, text: str) -> tuple[str, str]:
        name = self.archive.keep(text)
        if len(text) <= self._shown:
            return text, name
        return f"{shorten(text, self._shown)}\n(Read shows all of it as {name})", name

    def _record(self, call: ToolCall, *, executed: bool) -> None:
        self._trial.transcript.record(
            kept.Action(
                turn=self._trial.turn,
                tool=call.name,
                call_id=call.id,
                arguments=call.arguments,
                executed=executed,
            )
        )

    def _outcome(self, call: ToolCall, ending: str, text: str) -> None:
        stream = self._trial.transcript.stream(text.encode("utf-8", "surrogatepass"))
        self._trial.transcript.record(
            kept.Outcome(turn=self._trial.turn, call_id=call.id, ending=ending, stdout=stream)
        )


def _object(arguments: str) -> Any:
    """What a model wrote as arguments; nothing at all stands for none."""
    try:
        return parse((arguments.strip() or "{}").encode("utf-8", "surrogatepass"))
    except MalformedJson as error:
        raise DeclarationError(f"the arguments are no JSON: {error.reason}") from None


def _result(ran: Ran) -> tuple[bool, str]:
    """What a file tool says, within what can be trusted of a program in the sandbox: its text."""
    if ran.ending is Ending.TIMED_OUT:
        return False, "it took too long"
    try:
        said = parse(ran.stdout.strip())
    except MalformedJson:
        said = None
    if not isinstance(said, dict) or not isinstance(said.get("text"), str):
        error = ran.stderr.decode("utf-8", "backslashreplace").strip().rpartition("\n")[2]
        return False, f"the tool failed: {error or ran.ending}"
    return said.get("done") is True, said["text"]


@cache
def _modules() -> list[tuple[str, str]]:
    """The hands' modules by name, with their source."""
    folder = resources.files(_PACKAGE)
    return [(f"{_PACKAGE}.{n}", folder.joinpath(f"{n}.py").read_text("utf-8")) for n in HANDS]
