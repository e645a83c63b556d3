"""Web tools, taken out of a request by its structure, whoever would run them.

A benchmark's answers lie on the web. Tools that a subject runs itself go by their names, such as
``WebSearch``; what a provider runs goes by its type, such as ``web_search_20250305``; routers have
members of their own. Tools by which a provider calls any server that a request names (MCP) are
taken out too. What a conversation merely says stays as it is.
"""

from __future__ import annotations

import re
from typing import Any

Body = dict[str, Any]

_WEB = re.compile(
    r"(?:google|bing|brave|openrouter|enterprise)?web(?:search|fetch)(?:tool|preview|premium)*\d*"
    r"|fetchurl|urlcontext|googlesearch(?:retrieval)?|browsersearch|xsearch|livesearch"
)
_REMOTE = re.compile(r"mcp|mcptoolset|mcpconnector")
"""Types by which a provider calls servers that the request names."""

_QUALIFIER = re.compile(r".*(?:__|[.:/])")
"""What stands before a tool's own name: ``mcp__browser__web_search``, ``openrouter:web_search``."""

_MEMBERS = frozenset(
    # OpenAI and OpenRouter; xAI; Alibaba; Anthropic.
    ("web_search_options", "search_parameters", "enable_search", "search_options", "mcp_servers")
)
_LISTS = ("tools", "functions")
_CHOICES = ("tool_choice", "function_call")


def without_web_tools(body: Body) -> Body:
    """The same request without anything that reaches the web.

    A choice that names a removed tool goes with it, and so do settings of tools where none is left,
    which endpoints refuse.
    """
    kept = {name: value for name, value in body.items() if not _is_web_member(name)}
    for name in _LISTS:
        if isinstance(kept.get(name), list):
            kept[name] = _without_web(kept[name])
    if isinstance(kept.get("plugins"), list):
        kept["plugins"] = [plugin for plugin in kept["plugins"] if not _is_web_plugin(plugin)]
    if isinstance(kept.get("include"), list):
        kept["include"] = [part for part in kept["include"] if not _is_of_web_call(part)]
    for name in _CHOICES:
        _narrow_choice(kept, name)
    for name in (*_LISTS, "plugins", "include"):
        if kept.get(name) == [] and body[name] != []:
            del kept[name]
    if not any(name in kept for name in _LISTS):
        for name in (*_CHOICES, "parallel_tool_calls"):
            kept.pop(name, None)
    return kept


def is_web_name(name: object) -> bool:
    """Whether a tool of this name or type reaches the web."""
    if not isinstance(name, str):
        return False
    return bool(_WEB.fullmatch(_plain(_QUALIFIER.sub("", name))) or _WEB.fullmatch(_plain(name)))


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _is_web_member(name: str) -> bool:
    return name in _MEMBERS or is_web_name(name)


def _without_web(entries: list[Any]) -> list[Any]:
    """A list of tools without those for the web; a group of nothing else goes as a whole."""
    kept = []
    for entry in entries:
        if isinstance(entry, dict) and isinstance(entry.get("tools"), list):
            inner = _without_web(entry["tools"])
            if inner == [] != entry["tools"]:
                continue
            entry = {**entry, "tools": inner}
        if not _is_web_tool(entry):
            kept.append(entry)
    return kept


def _is_web_tool(entry: Any) -> bool:
    if not isinstance(entry, dict):
        return is_web_name(entry)
    kind = entry.get("type")
    if is_web_name(kind) or (isinstance(kind, str) and _REMOTE.fullmatch(_plain(kind))):
        return True
    inner = (entry.get("function"), entry.get("custom"))
    names = [entry.get("name"), *(part.get("name") for part in inner if isinstance(part, dict))]
    # Some forms name a tool by a member: {"google_search": {}}.
    return any(map(is_web_name, names)) or any(map(is_web_name, entry))


def _is_web_plugin(plugin: Any) -> bool:
    name = plugin.get("id") if isinstance(plugin, dict) else plugin
    return name == "web" or is_web_name(name)


def _is_of_web_call(part: Any) -> bool:
    """Whether a wish for more output speaks of a web tool: ``web_search_call.action.sources``."""
    return isinstance(part, str) and is_web_name(part.partition(".")[0].removesuffix("_call"))


def _narrow_choice(body: Body, name: str) -> None:
    """Take removed tools out of a choice of tools; no choice is left where it named only them."""
    choice = body.get(name)
    if not isinstance(choice, dict):
        if is_web_name(choice):
            del body[name]
        return
    if _is_web_tool(choice):
        del body[name]
        return
    # A list of allowed tools stands in the choice, or in a member named like its type.
    for holder in (choice, choice.get("allowed_tools")):
        if isinstance(holder, dict) and isinstance(holder.get("tools"), list):
            holder["tools"] = _without_web(holder["tools"])
            if not holder["tools"]:
                body.pop(name, None)
