"""Profiles: what the coding agent is told and which tools it has.

``headless-coding-v1`` is for programs that are written from nothing, ``headless-workspace-v1`` for
work on a repository. They are fixed. A change of one character is another profile under another
name, and a test holds their digests. Left out on purpose: who the agent is, whom it works for,
skills, memories of workspaces, and whatever runs in the background.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from kcb_agents.endpoint.conversation import Tool
from kcb_agents.preamble import PreambleStamp
from kcb_agents.recording import tool_schemas
from kcb_core.codec import canonical, digest
from kcb_core.errors import DataError, DeclarationError
from kcb_core.transcript import Contract

NAME = "headless-coding-v1"

WORKSPACE_NAME = "headless-workspace-v1"

Route = Literal["write-edit", "apply-patch"]

SYSTEM = """\
You write complete programs from their specification, in one project folder, with the tools that \
you are given.

- Nobody answers questions. Decide what is left open by the specification, and go on.
- The folder is empty at first. Nothing outside of it is kept.
- Use the tools to write files, to read them and to run commands. A command has no input and no \
network, and whatever it leaves running is killed.
- Run what you have written, on inputs of your own that cover every rule of the specification and \
every error that it names, before you say that it is complete.
- Long results are shown shortened, with the name under which Read shows all of them.
- Work until the program is complete. Then answer without using a tool: that ends your work.
"""

WORKSPACE_SYSTEM = """\
You work on a software project that is there already, a git repository in one folder, with the \
tools that you are given.

- Nobody answers questions. Decide what is left open by the task, and go on.
- Look at the project first: what it does stands in its README and in its code. Nothing outside of \
the folder is kept.
- Use the tools to search and read files, to change them and to run commands. A command has no \
input and no network, and whatever it leaves running is killed.
- Change what the task asks for, and leave the project's own tests in place.
- Run what you have changed, and the project's tests, before you say that the work is complete.
- Long results are shown shortened, with the name under which Read shows all of them.
- Work until the task is done. Then answer without using a tool: that ends your work. The files \
that are in the folder then are what you hand in, committed or not.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What the agent is told, for one kind of work."""

    name: str
    """Ends with its version."""
    system: str
    """The system prompt."""
    folder: str
    """What the folder that it works in is called."""


PROFILES = {
    profile.name: profile
    for profile in (
        Profile(name=NAME, system=SYSTEM, folder="project"),
        Profile(name=WORKSPACE_NAME, system=WORKSPACE_SYSTEM, folder="repository"),
    )
}
"""Profiles by name."""


def _tool(name: str, description: str, required: str, /, **properties: dict[str, Any]) -> Tool:
    """A tool whose arguments are these and no others."""
    schema = {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }
    return Tool(name=name, description=description, schema=schema)


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def _number(description: str) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "description": description}


READ = _tool(
    "Read",
    "Show a text file with line numbers, or an earlier result by its name, such as archive:7.",
    "file_path",
    file_path=_text("Path of the file, or name of the result."),
    offset=_number("Number of the first line. Default: 1."),
    limit=_number("Most lines. Default: 2000."),
)
WRITE = _tool(
    "Write",
    "Write a file, whole; one that is there is replaced.",
    "file_path content",
    file_path=_text("Path of the file."),
    content=_text("All that shall be in it."),
)
EDIT = _tool(
    "Edit",
    "Replace a text in a file. It must stand there exactly once, unless all are replaced.",
    "file_path old_string new_string",
    file_path=_text("Path of the file."),
    old_string=_text("What stands there now, to the character."),
    new_string=_text("What shall stand there."),
    replace_all={"type": "boolean", "description": "Replace it wherever it stands."},
)
APPLY_PATCH = _tool(
    "apply_patch",
    "Change files by one patch: '*** Begin Patch', then for each file '*** Add File: PATH' with "
    "lines that begin with +, '*** Update File: PATH' with chunks that begin with @@ and hold "
    "lines that begin with a blank, + or -, or '*** Delete File: PATH', and last "
    "'*** End Patch'.",
    "patch",
    patch=_text("The patch."),
)
GLOB = _tool(
    "Glob",
    "List files whose path matches a pattern; ** stands for any folders.",
    "pattern",
    pattern=_text("Such as **/*.py."),
    path=_text("Folder to look in. Default: the project."),
)
GREP = _tool(
    "Grep",
    "Find lines that match a regular expression of Python.",
    "pattern",
    pattern=_text("The regular expression."),
    path=_text("File or folder to look in. Default: the project."),
    glob=_text("Only files that match this, such as *.py."),
)
BASH = _tool(
    "Bash",
    "Run a command line by /bin/sh in the project's folder, wait for it, and show how it ended "
    "and what it printed.",
    "command",
    command=_text("The command line."),
    timeout=_number("Seconds after which it is killed."),
)

TOOLS: dict[str, tuple[Tool, ...]] = {
    "write-edit": (READ, WRITE, EDIT, GLOB, GREP, BASH),
    "apply-patch": (READ, APPLY_PATCH, GLOB, GREP, BASH),
}
"""The tools of each route. Some models write files best by patches alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The profile as one session holds to it, from its first turn to its last."""

    route: Route = "write-edit"
    profile: Profile = PROFILES[NAME]

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that are offered."""
        return TOOLS[self.route]

    @property
    def stamp(self) -> PreambleStamp:
        """Which system prompt."""
        name, _, version = self.profile.name.rpartition("-v")
        sha256 = digest(self.profile.system.encode())
        return PreambleStamp(name=name, version=version, sha256=sha256)

    def contract(self, bounds: dict[str, Any], settings: dict[str, Any]) -> Contract:
        """The session as its transcript keeps it."""
        tools = tool_schemas(self.tools)
        return Contract(
            profile=self.profile.name,
            preamble_sha256=self.stamp.sha256,
            tools_sha256=digest(canonical(tools)),
            tools=tuple(tools),
            bounds=bounds,
            settings={"route": self.route, **settings},
        )


def session_of(contract: Contract, source: str) -> Session:
    """The session that a transcript keeps, to be gone on with or built again.

    Args:
        contract: as it was recorded.
        source: the transcript, to start an error message with.

    Raises:
        DataError: it held to another profile than this version has, by name or by content.
    """
    if contract.profile not in PROFILES:
        known = " and ".join(map(repr, PROFILES))
        raise DataError(f"{source}: profile {contract.profile!r} is not known, only {known}")
    route = contract.settings.get("route")
    if route not in TOOLS:
        raise DataError(f"{source}: there is no route {route!r}")
    session = Session(route=route, profile=PROFILES[contract.profile])
    here = session.contract(contract.bounds, contract.settings)
    for what, there, now in (
        ("system prompt", contract.preamble_sha256, here.preamble_sha256),
        ("tools", contract.tools_sha256, here.tools_sha256),
        ("tools", digest(canonical(list(contract.tools))), here.tools_sha256),
    ):
        if there != now:
            raise DataError(
                f"{source}: the {what} of {contract.profile} were others then; it cannot go on"
            )
    return session


def tool_names(session: Session) -> str:
    """The tools' names, for a message."""
    return ", ".join(tool.name for tool in session.tools)


_KINDS = {"string": "a string", "boolean": "a boolean", "integer": "an integer, 1 or more"}


def check_arguments(tool: Tool, given: Any) -> dict[str, Any]:
    """Arguments that fit a tool's schema.

    Raises:
        DeclarationError: they do not; the message is what the model is told.
    """
    if not isinstance(given, dict):
        raise DeclarationError("the arguments are no JSON object")
    known = tool.schema["properties"]
    for name, value in given.items():
        if name not in known:
            raise DeclarationError(f"there is no argument {name[:60]!r}; known: {', '.join(known)}")
        kind = known[name]["type"]
        if not _is(value, kind):
            raise DeclarationError(f"argument {name!r} must be {_KINDS[kind]}")
    for name in tool.schema["required"]:
        if name not in given:
            raise DeclarationError(f"argument {name!r} is missing")
    return given


def _is(value: Any, kind: str) -> bool:
    if kind == "string":
        return isinstance(value, str)
    if kind == "boolean":
        return isinstance(value, bool)
    return type(value) is int and value >= 1
