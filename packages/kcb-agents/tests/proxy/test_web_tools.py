"""What reaches the web is gone from a request, and everything else is as it was."""

import copy
from typing import Any

import pytest

from kcb_agents.proxy.web_tools import is_web_name, without_web_tools


@pytest.mark.parametrize(
    "name",
    [
        *("WebSearch", "WebFetch", "FetchURL", "web_search", "web-fetch", "fetch_url", "WEBSEARCH"),
        *("web_search_20250305", "web_fetch_20250910", "web_search_20260209", "web_search_preview"),
        *(
            "web_search_preview_2025_03_11",
            "web_search_2025_08_26",
            "google_search",
            "googleSearch",
        ),
        *(
            "google_search_retrieval",
            "url_context",
            "urlContext",
            "google_web_search",
            "$web_search",
        ),
        *("openrouter:web_search", "openrouter:web_fetch", "mcp__any__web_search", "x_search"),
        *("browser_search", "functions.WebFetch", "enterprise_web_search", "bing_web_search"),
    ],
)
def test_names_and_types_of_web_tools_are_known(name: str) -> None:
    """Each is a name that a program or a provider gives such a tool."""
    assert is_web_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("Read", "Write", "Bash", "Grep", "Glob", "search", "file_search", "code_interpreter"),
        *("web_server", "websearcher_test", "fetch", "bash_20250124", "tool_search_tool_regex"),
        *("text_editor_20250728", "code_execution_20250825", "function", "custom", "webpack", ""),
    ],
)
def test_other_names_are_let_be(name: str) -> None:
    """A tool that only sounds alike stays: a subject must not lose what it is measured with."""
    assert not is_web_name(name)


READ = {"type": "function", "function": {"name": "Read", "parameters": {"web_search": 1}}}
SAYS = [{"role": "user", "content": "use WebSearch, web_search_options, web_search_20250305"}]


@pytest.mark.parametrize(
    "tool",
    [
        {"type": "function", "function": {"name": "WebSearch", "parameters": {}}},
        {"type": "function", "name": "web_fetch", "parameters": {}},
        {"name": "FetchURL", "description": "", "input_schema": {}},
        {"type": "custom", "custom": {"name": "WebFetch"}},
        {"type": "web_search_20250305", "name": "anything", "max_uses": 5},
        {"type": "web_search_preview"},
        {"type": "openrouter:web_search"},
        {"type": "builtin_function", "function": {"name": "$web_search"}},
        {"type": "mcp", "server_label": "x", "server_url": "https://example.org"},
        {"type": "mcp_toolset", "mcp_server_name": "x"},
        {"google_search": {}},
        {"type": "namespace", "name": "group", "tools": [{"type": "web_search"}]},
    ],
)
def test_a_web_tool_is_taken_out_and_its_neighbours_stay(tool: Any) -> None:
    """OpenAI's two forms, Anthropic's, routers', and groups of tools."""
    body = {"model": "m", "messages": SAYS, "tools": [READ, tool, READ], "tool_choice": "auto"}
    before = copy.deepcopy(body)
    assert without_web_tools(body) == {**before, "tools": [READ, READ]}


def test_a_group_keeps_its_other_tools() -> None:
    """Only what reaches the web goes."""
    inner = [{"name": "WebFetch"}, {"name": "Read"}]
    group = {"type": "namespace", "name": "group", "tools": inner}
    kept = without_web_tools({"tools": [group]})
    assert kept == {"tools": [{**group, "tools": [{"name": "Read"}]}]}


@pytest.mark.parametrize(
    "choice",
    [
        {"type": "function", "function": {"name": "WebSearch"}},
        {"type": "function", "name": "WebSearch"},
        {"type": "tool", "name": "WebSearch"},
        {"type": "web_search_preview"},
        {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "web_search_preview"}]},
        {
            "type": "allowed_tools",
            "allowed_tools": {"tools": [{"type": "function", "function": {"name": "WebFetch"}}]},
        },
    ],
)
def test_a_choice_of_a_removed_tool_goes_with_it(choice: Any) -> None:
    """An endpoint refuses a choice that names no tool of the request."""
    body = {"tools": [READ, {"type": "web_search"}], "tool_choice": choice}
    assert without_web_tools(body) == {"tools": [READ]}


def test_a_choice_among_several_tools_is_narrowed() -> None:
    """What is left of it holds."""
    allowed = [{"type": "web_search_preview"}, {"type": "function", "name": "Read"}]
    choice = {"type": "allowed_tools", "mode": "required", "tools": allowed}
    kept = without_web_tools({"tools": [READ], "tool_choice": choice})
    assert kept["tool_choice"]["tools"] == [{"type": "function", "name": "Read"}]


def test_settings_of_tools_go_where_none_is_left() -> None:
    """Endpoints refuse them without tools."""
    body = {"model": "m", "tools": [{"type": "web_search"}], "parallel_tool_calls": True}
    assert without_web_tools({**body, "tool_choice": "required"}) == {"model": "m"}


def test_old_functions_are_searched_too() -> None:
    """The form before tools is still spoken."""
    body = {"functions": [{"name": "web_search"}, {"name": "ls"}], "function_call": {"name": "ls"}}
    kept = without_web_tools(body)
    assert kept == {"functions": [{"name": "ls"}], "function_call": {"name": "ls"}}


@pytest.mark.parametrize(
    "members",
    [
        {"web_search_options": {}},
        {"search_parameters": {"mode": "on"}},
        {"enable_search": True},
        {"mcp_servers": [{"type": "url", "url": "https://example.org"}]},
        {"plugins": [{"id": "web"}]},
        {"include": ["web_search_call.action.sources"]},
    ],
)
def test_members_that_turn_on_search_go(members: Any) -> None:
    """Routers and providers have settings beside tools."""
    assert without_web_tools({"model": "m", **members}) == {"model": "m"}


def test_other_members_stay() -> None:
    """An empty list that the client sent is no fault, and other plug-ins and wishes are kept."""
    body = {
        "model": "m",
        "tools": [READ],
        "plugins": [{"id": "file-parser"}],
        "include": ["reasoning.encrypted_content"],
        "functions": [],
        "messages": SAYS,
    }
    assert without_web_tools(copy.deepcopy(body)) == body
