"""What is compared of the requests of external programs, on requests of every form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kcb_agents.command.declaration import Declaration, find_declaration, preset_names
from kcb_core.codec import digest
from presets.asked import Text, asked, deviations, effort_of
from presets.counting import Count, own_count, proxy_count
from presets.driving import PROGRAMS, Driver, program_of, steps_taken
from presets.playing import OWN

CHAT = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "Be brief: ü."},
        {"role": "user", "content": "# Title\n"},
        {"role": "assistant", "tool_calls": []},
        {"role": "tool", "content": "done"},
        {"role": "assistant", "tool_calls": []},
        {"role": "tool", "content": "done"},
    ],
    "tools": [{"type": "function", "function": {"name": "write", "parameters": {}}}],
}
RESPONSES = {
    "model": "m",
    "instructions": "Be brief.",
    "input": [
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "!"}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "# Title"}]},
        {"type": "function_call", "name": "exec_command"},
        {"type": "function_call_output", "output": "done"},
    ],
    "tools": [{"type": "function", "name": "exec_command"}, {"type": "custom_kind"}],
    "reasoning": {"effort": "high"},
}
MESSAGES = {
    "model": "m",
    "system": [{"type": "text", "text": "Be brief."}],
    "messages": [
        {"role": "user", "content": "# Title"},
        {"role": "assistant", "content": [{"type": "tool_use"}]},
        {"role": "user", "content": [{"type": "tool_result"}, {"type": "text", "text": "on"}]},
    ],
    "tools": [{"name": "Write", "input_schema": {}}],
    "thinking": {"type": "enabled", "budget_tokens": 31999},
}
FORMS = {"chat": CHAT, "responses": RESPONSES, "messages": MESSAGES}


def test_what_is_told_of_a_request_is_what_stands_in_it() -> None:
    """In each form it stands elsewhere; bytes are bytes, and no characters."""
    found = {name: asked([body]) for name, body in FORMS.items()}
    assert [each.tools for each in found.values()] == [
        ("write",), ("exec_command", "custom_kind"), ("Write",),
    ]  # fmt: skip
    assert [each.system_prompt.size for each in found.values()] == [13, 10, 9]
    assert [each.effort for each in found.values()] == ["none", "high", "31999"]
    assert found["responses"].messages == (
        "developer", "user", "function_call", "function_call_output",
    )  # fmt: skip
    schema = '[{"input_schema":{},"name":"Write"}]'
    assert found["messages"].tool_schemas == Text(size=len(schema), sha256=digest(schema.encode()))
    assert found["chat"].members == ("messages", "model", "tools")


@pytest.mark.parametrize(
    ("more", "effort"),
    [
        ({}, "none"),
        ({"reasoning_effort": "low"}, "low"),
        ({"reasoning": None, "thinking": {"type": "disabled"}}, "none"),
        ({"output_config": {"effort": "max"}, "thinking": {"type": "adaptive"}}, "max"),
    ],
)
def test_an_effort_is_found_by_whichever_member_asks_for_it(
    more: dict[str, Any], effort: str
) -> None:
    """One that is not asked for is none, whatever the endpoint would take for granted."""
    assert effort_of({"model": "m", **more}) == effort


def test_every_difference_is_told_and_nothing_else() -> None:
    """A tool that is gone, another prompt, another effort, one message more."""
    other = json.loads(json.dumps(CHAT))
    other["messages"][0]["content"] += " Or not."
    other["messages"].append({"role": "assistant", "content": "Complete."})
    other["tools"] = [{"type": "function", "function": {"name": "edit", "parameters": {}}}]
    other["reasoning_effort"] = "high"
    assert deviations(asked([CHAT]), asked([CHAT])) == {}
    assert deviations(asked([CHAT]), asked([other, other])) == {
        "requests": "+1",
        "tools": "-write +edit",
        "tool_schemas": "-1 bytes",
        "system_prompt": "+8 bytes",
        "messages": "system user assistant tool assistant tool -> "
        "system user assistant tool assistant tool assistant",
        "effort": "none -> high",
        "members": "+reasoning_effort",
    }


def test_another_text_of_the_same_length_is_a_difference() -> None:
    """A prompt with one word in place of another is not the same prompt."""
    other = json.loads(json.dumps(CHAT))
    other["messages"][0]["content"] = "Be quick: ü."
    assert deviations(asked([CHAT]), asked([other])) == {"system_prompt": "as long"}


def test_requests_beside_the_work_are_not_compared_with_it() -> None:
    """A title of a session that a model is asked for first is no first request."""
    title = {"model": "m", "messages": [{"role": "user", "content": "Name it."}]}
    assert asked([title, CHAT]).tools == ("write",)
    assert asked([title]).tools == ()


def test_a_request_says_by_itself_which_step_is_next() -> None:
    """So several programs may ask one provider at once, and each may ask again."""
    assert [program_of(body) for body in FORMS.values()] == ["opencode", "codex", "claude-code"]
    assert [steps_taken(body) for body in FORMS.values()] == [2, 1, 1]
    driver = Driver(known={"# Title": {"main.py": "1\n"}})
    said = [driver.usual_for(body, "# Title") for body in FORMS.values()]
    assert [one and one.content for one in said] == ["Complete."] * 3
    first = driver.usual_for({**CHAT, "messages": CHAT["messages"][:2]}, "# Title")
    assert first is not None
    assert first.calls[0].name == "write"
    assert driver.usual_for(CHAT, "# Another") is None


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_pins_the_effort_and_lists_how_it_deviates(name: str) -> None:
    """It has words of its own for the effort, and tells them: no default of a program's holds."""
    declared = find_declaration(name)
    assert declared.effort
    assert "effort" in declared.deviations
    own = find_declaration(str(OWN / f"{name}.toml"))
    assert told(own) <= told(declared), "it leaves out what the program cannot do without"
    assert not own.effort


def told(declared: Declaration) -> set[str]:
    """The variables and credentials of a program."""
    return {*declared.environment, *declared.credentials}


def test_every_preset_is_driven() -> None:
    """A preset that no script drives is one that no session shows to work."""
    assert set(PROGRAMS) == set(preset_names()) == {path.stem for path in OWN.glob("*.toml")}


def test_what_a_program_prints_of_its_use_is_read() -> None:
    """Rounded as one prints it, in one number, or as JSON; what prints nothing is no zero."""
    said = ["main.py\n\nTokens: 2.6k sent, 312 received.\n", "Tokens: 400 sent, 1.0M received. x\n"]
    assert str(own_count("aider", said)) == "3,000 in, 1,000,312 out"
    assert str(own_count("codex", ["codex\nDone.\ntokens used\n29,574\n"] * 2)) == "59,148 together"
    used = '"usage":{"input_tokens":9,"output_tokens":4,"cache_read_input_tokens":2'
    claude = f'{{"type":"result",{used},"cache_creation_input_tokens":1}}}}'
    assert str(own_count("claude-code", [claude])) == "12 in, 4 out"
    assert str(own_count("qwen-code", [f'[{{"type":"x"}},{{"type":"result",{used}}}}}]\n'])) == (
        "9 in, 4 out"
    )
    tokens = {"input": 5, "output": 3, "reasoning": 1, "cache": {"read": 2, "write": 0}}
    step = json.dumps({"type": "step_finish", "part": {"tokens": tokens}})
    assert str(own_count("opencode", [f'{{"type":"text"}}\n{step}\n{step}\n'])) == "14 in, 8 out"
    assert own_count("mini-swe-agent", said) is None
    with pytest.raises(ValueError, match="printed no count"):
        own_count("codex", ["Done."])


def test_what_the_proxy_saw_is_of_all_classes() -> None:
    """A prompt that came from a cache was read all the same."""
    usage = {"input_tokens": 1, "cache_read_tokens": 2, "output_tokens": 4, "reasoning_tokens": 8}
    assert proxy_count({"usage": usage}) == Count(sent=3, received=12)
    assert proxy_count({}) == Count()
