"""The forms of endpoints: what is asked and what is answered, in one piece and bit by bit."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from kcb_agents.endpoint.asking import EndpointModel
from kcb_agents.endpoint.clock import SystemClock
from kcb_agents.endpoint.connection import connected
from kcb_agents.endpoint.conversation import Answer, Message, Stop, Tool, ToolCall
from kcb_agents.endpoint.failure import EndpointError
from kcb_agents.endpoint.forms import FORMS
from kcb_agents.endpoint.settings import endpoint_settings
from kcb_agents.one_shot import OneShot
from kcb_agents.testing.provider import Provider
from kcb_core.codec import parse
from kcb_core.errors import DeclarationError
from kcb_core.run_record import Usage

HELLO = (Message(role="user", text="hello"),)
CALL = ToolCall(id="call_7", name="read", arguments='{"path": "a long path of more than a piece"}')


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A scripted provider that says nothing of itself."""
    with Provider().serving() as provider:
        yield provider


def model(provider: Provider, api: str, **settings: Any) -> EndpointModel:
    """A model of the provider."""
    given = {"base_url": provider.url, "model": "tiny", "api": api, "max_retries": 0} | settings
    return EndpointModel(connection=connected(endpoint_settings(given)))


def ask(provider: Provider, api: str, *, stream: bool, **settings: Any) -> Answer:
    """The answer to a word."""
    return model(provider, api, stream=stream, **settings).ask(HELLO)


every_form = pytest.mark.parametrize("api", FORMS)
both_ways = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])


@every_form
@both_ways
def test_what_is_said_thought_and_called_arrives(
    provider: Provider, api: str, stream: bool
) -> None:
    """Every form carries the same, whether it comes in one piece or in many."""
    text = "Say: \u2028 \u0085 \x0b \x1c 😀 and\nmore, beyond one piece of a stream."
    provider.says(text, reasoning="Let me think about it, for a while.", calls=(CALL,))
    answer = ask(provider, api, stream=stream)
    assert answer.content == text
    assert answer.reasoning == "Let me think about it, for a while."
    (call,) = answer.calls
    assert (call.name, call.value()) == ("read", CALL.value())
    assert call.id == "call_7" or (api == "ollama" and call.id)
    assert (answer.model, answer.stop) == ("tiny-4b-q4", Stop.TOOLS)
    assert json.loads(answer.raw)


@every_form
@pytest.mark.parametrize("finish", ["stop", "length", None, "a word of its own"])
def test_a_stream_becomes_the_same_answer_as_one_piece(
    provider: Provider, api: str, finish: str | None
) -> None:
    """There must be no difference that a record could show but the spelling of what came."""
    answers = []
    for stream in (True, False):
        provider.says("some text", reasoning="hm", calls=(CALL,), finish=finish)
        answer = ask(provider, api, stream=stream)
        assert parse(answer.raw.encode())
        answers.append({n: getattr(answer, n) for n in Answer.__slots__ if n != "raw"})
    assert [[c.value() for c in a["calls"]] for a in answers] == [[CALL.value()]] * 2
    ids = [[c.id for c in answer.pop("calls")] for answer in answers]
    assert answers[0] == answers[1]
    assert api == "ollama" or ids[0] == ids[1]


@every_form
@both_ways
@pytest.mark.parametrize(("word", "stop"), [("stop", Stop.END), ("length", Stop.LENGTH)])
def test_a_finish_reason_is_kept_and_understood(
    provider: Provider, api: str, stream: bool, word: str, stop: Stop
) -> None:
    """Verbatim for the record, and in one word for whoever decides."""
    provider.says("x", finish=word)
    answer = ask(provider, api, stream=stream)
    assert answer.stop is stop
    assert answer.finish_reason


@every_form
@both_ways
def test_tokens_are_in_disjoint_classes(provider: Provider, api: str, stream: bool) -> None:
    """Whatever an endpoint nests, and nothing that it does not state."""
    counts = {"prompt": 100, "completion": 20, "read": 60, "reasoning": 5}
    provider.says("x", usage=counts)
    usage = ask(provider, api, stream=stream).usage
    assert (
        usage
        == {
            "openai": Usage(
                input_tokens=40, output_tokens=15, cache_read_tokens=60, reasoning_tokens=5
            ),
            "responses": Usage(
                input_tokens=40, output_tokens=15, cache_read_tokens=60, reasoning_tokens=5
            ),
            "anthropic": Usage(
                input_tokens=40, output_tokens=20, cache_read_tokens=60, includes_reasoning=True
            ),
            "ollama": Usage(input_tokens=100, output_tokens=20, includes_reasoning=True),
        }[api]
    )


def test_anthropic_counts_what_goes_into_its_cache(provider: Provider) -> None:
    """It is paid for at a price of its own."""
    provider.says("x", usage={"prompt": 100, "completion": 20, "read": 60, "written": 30})
    answer = ask(provider, "anthropic", stream=True)
    assert answer.usage is not None
    assert (answer.usage.input_tokens, answer.usage.cache_write_tokens) == (10, 30)
    assert answer.prompt_tokens == 100


@every_form
@both_ways
def test_what_local_servers_leave_out_is_not_missed(
    provider: Provider, api: str, stream: bool
) -> None:
    """No usage, no model, no finish reason."""
    provider.says("x", usage={}, model=None, finish=None)
    answer = ask(provider, api, stream=stream)
    assert (answer.content, answer.usage, answer.model) == ("x", None, "")


@every_form
def test_a_stream_that_does_not_say_that_it_ends_is_no_answer(provider: Provider, api: str) -> None:
    """Half of a program would otherwise pass for the whole."""
    for manner in ("unfinished", "breaks"):
        provider.says("half a pro", manner=manner)
        with pytest.raises(EndpointError) as caught:
            ask(provider, api, stream=True)
        assert not caught.value.outage


@every_form
def test_a_conversation_with_tools_is_written_as_the_form_wants_it(
    provider: Provider, api: str
) -> None:
    """Calls and results must find each other on the other side."""
    provider.says("x")
    conversation = [
        Message(role="system", text="Be brief."),
        Message(role="user", text="Read it."),
        Message(role="assistant", text="", calls=(CALL,)),
        Message(role="tool", call_id="call_7", text="contents"),
    ]
    tool = Tool(name="read", description="Read a file.", schema={"type": "object"})
    model(provider, api).ask(conversation, [tool])
    sent = provider.requests[0]
    assert sent["model"] == "tiny"
    expected: dict[str, Any] = {
        "openai": {"role": "tool", "tool_call_id": "call_7", "content": "contents"},
        "responses": {"type": "function_call_output", "call_id": "call_7", "output": "contents"},
        "anthropic": {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "call_7", "content": "contents"}],
        },
        "ollama": {"role": "tool", "content": "contents", "tool_name": "read"},
    }
    messages = sent["input"] if api == "responses" else sent["messages"]
    assert messages[-1] == expected[api]
    assert json.dumps(CALL.value()) in json.dumps(sent).replace("\\", "")
    assert "Be brief." in json.dumps(sent)
    (offered,) = sent["tools"]
    assert "read" in json.dumps(offered)
    assert (api == "anthropic") == (sent.get("system") == "Be brief.")


def test_each_form_has_its_path_and_its_way_to_send_a_key(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no other header carries it."""
    monkeypatch.setenv("MY_KEY", "sk-0123456789abcdef")
    carriers = {}
    for api in FORMS:
        provider.says("x")
        ask(provider, api, stream=False, api_key_env="MY_KEY")
        sent = provider.headers[-1]
        carriers[api] = (provider.paths[-1], [n for n in sent if "sk-0123" in sent[n]])
    assert carriers == {
        "openai": ("/v1/chat/completions", ["Authorization"]),
        "responses": ("/v1/responses", ["Authorization"]),
        "anthropic": ("/v1/messages", ["x-api-key"]),
        "ollama": ("/api/chat", ["Authorization"]),
    }
    assert provider.headers[2]["anthropic-version"]


def test_settings_have_the_names_of_each_form(provider: Provider) -> None:
    """A setting that is sent under a wrong name is one that is not sent."""
    given = {"temperature": 0.5, "top_p": 0.9, "max_tokens": 9}
    sent = {}
    for api in FORMS:
        provider.says("x")
        ask(provider, api, stream=False, **given)
        sent[api] = provider.requests[-1]
    assert {sent["openai"][name] for name in given} == set(given.values())
    assert sent["responses"]["max_output_tokens"] == 9
    assert sent["anthropic"]["max_tokens"] == 9
    assert sent["ollama"]["options"] == {
        "temperature": 0.5, "top_p": 0.9, "num_predict": 9, "num_ctx": 16384,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("api", "setting"),
    [
        ("responses", {"seed": 1}),
        ("anthropic", {"seed": 1}),
        ("anthropic", {"think": True}),
        ("responses", {"top_k": 1}),
    ],
)
def test_a_setting_that_cannot_be_sent_is_refused(
    provider: Provider, api: str, setting: dict[str, Any]
) -> None:
    """It would stand in the record of an answer that it had no part in."""
    (name,) = setting
    with pytest.raises(DeclarationError, match=f"has no way to be sent {name}; leave that out"):
        model(provider, api, **setting)
    told = {"base_url": provider.url, "model": "m", "api": api, **setting}
    asked = len(provider.requests)
    with pytest.raises(DeclarationError, match=f"has no way to be sent {name}; leave that out"):
        OneShot().check_told(told, {}, ["toy-1"])
    assert len(provider.requests) == asked


def test_thinking_is_asked_for_in_each_forms_words(provider: Provider) -> None:
    """And left to the model where nobody says."""
    for think in (None, True, False):
        for api in ("openai", "ollama"):
            provider.says("x")
            ask(provider, api, stream=False, **({} if think is None else {"think": think}))
    kwargs = [sent.get("chat_template_kwargs") for sent in provider.requests[::2]]
    assert kwargs == [None, {"enable_thinking": True}, {"enable_thinking": False}]
    assert [sent.get("think") for sent in provider.requests[1::2]] == [None, True, False]


def test_anthropic_wants_an_output_limit_and_roles_in_turn(provider: Provider) -> None:
    """It refuses a request without."""
    provider.says("x")
    two = [Message(role="tool", call_id=str(n), text="r") for n in (1, 2)]
    model(provider, "anthropic").ask([*HELLO, Message(role="assistant", calls=(CALL,)), *two])
    sent = provider.requests[0]
    assert sent["max_tokens"] == 8192
    assert model(provider, "anthropic").connection.sampling.max_tokens == 8192, "it is recorded"
    assert model(provider, "anthropic", max_tokens=9).connection.sampling.max_tokens == 9
    assert [message["role"] for message in sent["messages"]] == ["user", "assistant", "user"]
    assert len(sent["messages"][2]["content"]) == 2


@pytest.mark.parametrize(
    ("api", "body", "said", "status"),
    [
        ("responses", b'{"status": "failed", "error": {"code": "server_error", "message": "boo"}}',
         "boo", 500),
        ("responses", b'{"status": "failed", "output": []}', "failed", 0),
        ("responses", b"{}", "no output", 200),
        ("anthropic", b'{"type": "error", "error": {"type": "overloaded_error", "message": "x"}}',
         "error 529: x", 529),
        ("anthropic", b"[]", "no content", 200),
        ("ollama", b'{"error": "model not found"}', "model not found", 0),
        ("ollama", b'{"message": "hi"}', "no message", 200),
    ],
)  # fmt: skip
def test_a_reply_that_is_none_is_a_fault_of_the_endpoint(
    provider: Provider, api: str, body: bytes, said: str, status: int
) -> None:
    """And is named."""
    provider.sends(body)
    with pytest.raises(EndpointError, match=said) as caught:
        ask(provider, api, stream=False)
    assert caught.value.status == status


@pytest.mark.parametrize(
    ("api", "line"),
    [
        ("openai", b'data: {"error": {"code": 502, "message": "gone"}}\n\n'),
        ("openai", b'error: {"code": 502, "message": "gone"}\n\n'),
        ("openai", b'data: {"choices": [{"error": {"code": 502, "message": "gone"}}]}\n\n'),
        ("responses", b'data: {"type": "error", "code": "server_error", "message": "gone"}\n\n'),
        ("anthropic",
         b'data: {"type": "error", "error": {"type": "api_error", "message": "gone"}}\n\n'),
        ("ollama", b'{"error": "gone"}\n'),
    ],
)  # fmt: skip
def test_an_error_within_a_stream_is_an_error(provider: Provider, api: str, line: bytes) -> None:
    """A stream has begun with success, and has no other way to say it."""
    kind = "application/x-ndjson" if api == "ollama" else "text/event-stream"
    provider.sends(line, headers={"Content-Type": kind})
    with pytest.raises(EndpointError, match="gone"):
        ask(provider, api, stream=True)


def test_a_server_that_does_not_stream_is_read_all_the_same(provider: Provider) -> None:
    """Some take the wish and answer in one piece."""
    body = {"choices": [{"message": {"content": "x"}}]}
    provider.sends(json.dumps(body).encode())
    assert ask(provider, "openai", stream=True).content == "x"


def test_usage_may_come_after_the_end_of_the_answer(provider: Provider) -> None:
    """As OpenAI sends it: a last chunk without choices."""
    provider.says("x", usage={"prompt": 3, "completion": 1})
    assert ask(provider, "openai", stream=True).prompt_tokens == 3


@pytest.mark.parametrize(
    "pieces",
    [
        [{"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"x":'}},
         {"index": 0, "function": {"arguments": " 1}"}}],
        [{"id": "a", "function": {"name": "f", "arguments": '{"x":'}},
         {"function": {"arguments": " 1}"}}],
        [{"id": "a", "function": {"name": "f", "arguments": {"x": 1}}}],
    ],
)  # fmt: skip
def test_calls_come_in_pieces_of_several_shapes(pieces: list[dict[str, Any]]) -> None:
    """Not every server numbers them."""
    fold = FORMS["openai"].fold("there")
    for piece in [*pieces, {"id": "b", "index": 1, "function": {"name": "g"}}]:
        fold.feed({"choices": [{"delta": {"tool_calls": [piece]}}]})
    first, second = FORMS["openai"].read(fold.body(), "there").calls
    assert (first.id, first.name, first.value()) == ("a", "f", {"x": 1})
    assert (second.id, second.name, second.value()) == ("b", "g", {})


def test_arguments_that_are_no_json_are_kept() -> None:
    """The model should see what it wrote."""
    assert ToolCall(id="1", name="f", arguments="{oops").value() == {"malformed": "{oops"}


def test_every_question_has_retries_of_its_own(provider: Provider) -> None:
    """What the first one needed is not held against the second."""

    class Hasty(SystemClock):
        def sleep(self, seconds: float) -> None:
            """Waits for nothing."""

    asked = model(provider, "openai", max_retries=3)
    asked.clock = Hasty()
    for _ in range(3):
        provider.fails(429, Retry_After="2")
        provider.says("x")
        assert asked.ask(HELLO).content == "x"
    assert [attempt.status for attempt in asked.attempts] == [429, 200] * 3


@every_form
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"error": {"message": "bad key SECRET"}}', 200),
        (b"SECRET is no key", 200),
        (b'{"error": {"message": "bad key SECRET"}}', 401),
    ],
)
def test_an_error_never_holds_the_key(
    provider: Provider, api: str, body: bytes, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither what is raised, nor what is recorded of the attempt."""
    monkeypatch.setenv("MY_KEY", "sk-0123456789abcdef")
    for kind in ("application/json", "text/event-stream"):
        data = body.replace(b"SECRET", b"sk-0123456789abcdef")
        framed = data if kind.endswith("json") or api == "ollama" else b"data: " + data + b"\n\n"
        provider.sends(framed, status=status, headers={"Content-Type": kind})
        asked = model(provider, api, api_key_env="MY_KEY")
        with pytest.raises(EndpointError) as caught:
            asked.ask(HELLO)
        assert "sk-0123" not in str(caught.value) + caught.value.reason + asked.attempts[0].error
        assert "[api key]" in asked.attempts[0].error


@every_form
def test_a_server_that_keeps_the_line_open_is_not_waited_for(provider: Provider, api: str) -> None:
    """The answer is there, and its tokens are counted."""
    provider.says("x", usage={"prompt": 3, "completion": 1}, manner="lingers")
    begun = time.monotonic()
    answer = ask(provider, api, stream=True, timeout_s=20.0)
    assert answer.prompt_tokens == 3
    assert time.monotonic() - begun < 10


def test_a_server_that_cannot_stream_as_it_is_asked_to_gets_a_remedy(provider: Provider) -> None:
    """Old ones do not know that usage can be asked for."""
    provider.fails(400, b'{"error": "unknown field stream_options"}')
    with pytest.raises(EndpointError, match="try --no-stream"):
        ask(provider, "openai", stream=True)
