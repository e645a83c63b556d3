"""That no generation uses more tokens of a model than it is allowed."""

import json
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.action_loop.loop_agent import ActionLoop
from kcb_agents.bounds import TrialBounds
from kcb_agents.command.budget import Budget
from kcb_agents.endpoint.allowance import Allowance, total
from kcb_agents.endpoint.anthropic_form import AnthropicForm
from kcb_agents.one_shot import OneShot
from kcb_agents.proxy.admission import Asked, Spent
from kcb_agents.proxy.order import read_order
from kcb_agents.proxy.routes import ROUTES, Api, Route
from kcb_agents.record import StopReason
from kcb_agents.testing.scripted_answer import Said
from kcb_core import transcript as kept
from kcb_core.roles import Generated, Generation
from kcb_core.run_record import Usage
from kcb_core.testing.values import new_transcript
from kcb_core.transcript_file import read_transcript
from kcb_runner.sandbox import NotStarted

GO_ON = '{"command": "true", "done": false}'


def asked(
    agent: Any, script: Any, folder: Path, tokens: int | None, **settings: Any
) -> tuple[Generated, list[Any]]:
    """What an agent makes of a model, and what it recorded."""
    (folder / "project").mkdir()
    with new_transcript(folder / "t.jsonl", agent.name, agent.version) as transcript:
        given = {"base_url": script.url, "model": "m", "api": "openai", **settings}
        generation = Generation(
            prompt="Write it.",
            project=folder / "project",
            transcript=transcript,
            tokens=tokens,
            settings=given,
        )
        generated = agent.generate(generation)
    entries = read_transcript(folder / "t.jsonl").entries
    return generated, [entry.event for entry in entries]


def test_a_request_and_the_limit_of_its_reply_are_within_what_is_left(
    script: Any, clock: Any, tmp_path: Path
) -> None:
    """Byte by byte: what is sent, and what may come, are never more together."""
    script.says("hm")
    asked(OneShot(clock), script, tmp_path, 20_000)
    (body,) = script.requests
    sent = sum(len(message["content"].encode()) for message in body["messages"])
    assert 0 < body["max_tokens"] < 20_000 - sent


def test_a_limit_that_was_asked_for_is_only_lowered(
    script: Any, clock: Any, tmp_path: Path
) -> None:
    """Whoever wants short replies gets them."""
    script.says("hm")
    asked(OneShot(clock), script, tmp_path, 20_000, max_tokens=50)
    assert script.requests[0]["max_tokens"] == 50


def test_a_form_that_cannot_do_without_a_limit_keeps_its_own(
    script: Any, clock: Any, tmp_path: Path
) -> None:
    """An endpoint may refuse one that is higher than its model can write."""
    script.says("hm")
    asked(OneShot(clock), script, tmp_path, 1_000_000, api="anthropic")
    assert script.requests[0]["max_tokens"] == AnthropicForm.defaults["max_tokens"]


def test_without_a_bound_nothing_is_limited(script: Any, clock: Any, tmp_path: Path) -> None:
    """The server's own default holds."""
    script.says("hm")
    asked(OneShot(clock), script, tmp_path, None)
    assert "max_tokens" not in script.requests[0]


def test_what_has_no_room_is_not_sent(script: Any, clock: Any, tmp_path: Path) -> None:
    """The reason says how much is used, and how much may be needed."""
    generated, events = asked(OneShot(clock), script, tmp_path, 100)
    assert generated.stop_reason == StopReason.TOKENS
    assert "its 100 tokens leave no room" in generated.record["reason"]
    assert script.requests == []
    assert not any(isinstance(event, kept.Request) for event in events)


@pytest.mark.parametrize("counts", [True, False])
def test_a_loop_ends_before_it_goes_beyond_its_tokens(
    script: Any, clock: Any, tmp_path: Path, counts: bool
) -> None:
    """By the endpoint's count, and without one as if the worst had come."""
    script.usual, script.counts = Said(content=GO_ON), counts
    try:
        generated, _ = asked(ActionLoop(clock), script, tmp_path, 20_000)
    except NotStarted as error:
        pytest.skip(str(error))
    assert generated.stop_reason == StopReason.TOKENS
    assert len(script.requests) > 1 if counts else len(script.requests) == 1
    usage = generated.record.get("usage")
    assert (usage is not None) is counts
    if usage:
        assert usage["input_tokens"] + usage["output_tokens"] <= 20_000


def test_thoughts_count_once() -> None:
    """Some endpoints count them within the output, and some beside it."""
    within = Usage(input_tokens=1, output_tokens=5, reasoning_tokens=3, includes_reasoning=True)
    assert (total(within), total(Usage(output_tokens=5, reasoning_tokens=3))) == (6, 8)


def of_size(number: int, size: int, limit: int | None = None) -> Asked:
    """A request of a program."""
    return Asked(
        number=number, profile="p", api=Api.OPENAI, model="m",
        request_bytes=size, max_output_tokens=limit,
    )  # fmt: skip


def spent(tokens: int) -> Spent:
    """What it came to."""
    return Spent(usage=Usage(output_tokens=tokens), complete=True, admitted=True, status=200)


def test_requests_of_a_program_have_room_together() -> None:
    """Those under way count as the worst that they limit themselves to."""
    budget = Budget(bounds=TrialBounds(), allowance=Allowance(tokens=1000))
    one, two, three = of_size(1, 300, 200), of_size(2, 300), of_size(3, 300)
    assert budget.reserve(one) == budget.reserve(two) == ""
    assert budget.reserve(three) == "the bound of 1000 tokens was reached"
    budget.settle(one, spent(80))
    budget.settle(two, Spent(usage=None, complete=False, admitted=False, status=500))
    assert (budget.allowance.used, budget.under_way) == (80, {})
    assert budget.room(100) == 820


CHAT, OLLAMA = ROUTES["/v1/chat/completions"], ROUTES["/api/chat"]


@pytest.mark.parametrize(
    ("route", "more", "wanted"),
    [
        pytest.param(CHAT, {}, {"max_tokens": 500}, id="none"),
        pytest.param(CHAT, {"max_tokens": 9}, {"max_tokens": 9}, id="low enough"),
        pytest.param(CHAT, {"max_completion_tokens": 9000}, {"max_completion_tokens": 500}, id="o"),
        pytest.param(CHAT, {"n": 5}, {"max_tokens": 100, "n": 5}, id="several replies"),
        pytest.param(ROUTES["/v1/responses"], {}, {"max_output_tokens": 500}, id="responses"),
        pytest.param(
            ROUTES["/v1/messages"], {"max_tokens": 32_000}, {"max_tokens": 500}, id="messages"
        ),
        pytest.param(
            OLLAMA, {"options": {"num_predict": -1, "seed": 1}},
            {"options": {"num_predict": 500, "seed": 1}}, id="ollama",
        ),
    ],
)  # fmt: skip
def test_replies_to_a_program_are_limited_in_every_form(
    route: Route, more: dict[str, Any], wanted: dict[str, Any]
) -> None:
    """What a program leaves out is set, and what it sets too high is lowered."""
    sent = json.dumps({"model": "m", **more}).encode()
    order = read_order(route, sent, ["m"], ask_usage=False, room=lambda size: 500)
    assert json.loads(order.data) == {"model": "m", **wanted}
    assert order.max_output_tokens == (9 if wanted == {"max_tokens": 9} else 500)
    unbounded = read_order(route, sent, ["m"], ask_usage=False)
    assert json.loads(unbounded.data) == {"model": "m", **more}
