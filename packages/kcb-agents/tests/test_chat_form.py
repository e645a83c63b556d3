"""What endpoints answer, and what of it counts as tokens."""

import json
from typing import Any

import pytest

from kcb_agents.endpoint.chat_form import ChatForm, read_counts
from kcb_agents.endpoint.conversation import Answer, Stop
from kcb_agents.endpoint.failure import EndpointError
from kcb_agents.endpoint.framing import read_value
from kcb_core.run_record import Usage


@pytest.mark.parametrize(
    ("stated", "usage"),
    [
        (
            {"prompt_tokens": 10, "completion_tokens": 0},
            Usage(input_tokens=10, output_tokens=0, includes_reasoning=True),
        ),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 7,
                "total_tokens": 17,
                "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 1},
                "completion_tokens_details": {"reasoning_tokens": 5},
            },
            Usage(
                input_tokens=5,
                output_tokens=2,
                cache_read_tokens=4,
                cache_write_tokens=1,
                reasoning_tokens=5,
            ),
        ),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 7,
                "total_tokens": 22,
                "completion_tokens_details": {"reasoning_tokens": 5},
            },
            Usage(input_tokens=10, output_tokens=7, reasoning_tokens=5),
        ),
        (
            {"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 0}},
            Usage(input_tokens=10, cache_read_tokens=0),
        ),
        (
            {"prompt_tokens": 3, "prompt_tokens_details": {"cached_tokens": 9}},
            Usage(cache_read_tokens=9),
        ),
        ({"completion_tokens": 3, "completion_tokens_details": None},
         Usage(output_tokens=3, includes_reasoning=True)),
        ({"prompt_tokens": None, "completion_tokens": "7"}, None),
        ({"prompt_tokens": True, "completion_tokens": -1, "total_tokens": 1.5}, None),
        ({}, None),
        (None, None),
        ("many", None),
    ],
)  # fmt: skip
def test_tokens_are_those_that_were_stated(stated: Any, usage: Usage | None) -> None:
    """Classes are disjoint; zero is a count, and what is not stated is not there."""
    assert read_counts(stated).usage() == usage


def read_body(data: bytes) -> Answer:
    """The answer in the bytes of a body."""
    return ChatForm().read(read_value(data, "there"), "there")


def reply(**members: Any) -> bytes:
    """A body with one choice, and further members."""
    message = members.pop("message", {"content": "x"})
    return json.dumps({"choices": [{"message": message}]} | members).encode()


@pytest.mark.parametrize(
    ("message", "content"),
    [
        ({"content": "x"}, "x"),
        ({"content": None}, ""),
        ({}, ""),
        ({"content": [{"type": "text", "text": "x"}, {"type": "image"}, "y"]}, "xy"),
        ({"content": None, "refusal": "I will not."}, "I will not."),
    ],
)
def test_content_is_text_in_any_of_its_shapes(message: dict[str, Any], content: str) -> None:
    """Servers that claim the same interface do not agree on it."""
    assert read_body(reply(message=message)).content == content


def test_a_tool_call_is_seen() -> None:
    """None was offered, so it is no project, and the record should say why."""
    message = {"content": None, "tool_calls": [{"function": {"name": "write_file"}}]}
    assert read_body(reply(message=message)).calls


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"error": {"code": 429, "message": "slow down"}}', 429),
        (b'{"error": {"code": "bad", "message": "no"}}', 0),
        (b'{"error": "no"}', 0),
        (b'{"choices": [{"error": {"code": 500, "message": "no"}, "message": {}}]}', 500),
    ],
)
def test_an_error_in_disguise_is_an_error(body: bytes, status: int) -> None:
    """It is handled by the status that it names."""
    with pytest.raises(EndpointError) as caught:
        read_body(body)
    assert caught.value.status == status
    assert not caught.value.outage


@pytest.mark.parametrize("word", ["length", "max_tokens", "MAX_TOKENS", "model_length"])
def test_an_output_limit_has_several_names(word: str) -> None:
    """All mean that the model was not done."""
    body = json.dumps({"choices": [{"message": {"content": "x"}, "finish_reason": word}]})
    assert read_body(body.encode()).stop is Stop.LENGTH


def test_a_byte_order_mark_and_blanks_before_the_reply_are_let_be() -> None:
    """Routers send blanks while a model is at work."""
    assert read_body(b"\n \n" + reply()).content == "x"
    assert read_body(b"\xef\xbb\xbf" + reply()).content == "x"
