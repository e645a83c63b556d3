"""A stream in passing: when its events are handed on, and what is read of them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_agents.proxy import tap as tap_module
from kcb_agents.proxy.reading import READERS
from kcb_agents.proxy.routes import Api
from kcb_agents.proxy.tap import Tap

USAGE = {"prompt_tokens": 3, "completion_tokens": 2}


def event(**members: Any) -> bytes:
    """One server-sent event."""
    return b"data: " + json.dumps(members).encode() + b"\n\n"


CONTENT = event(choices=[{"delta": {"content": 'say \\"usage\\": {'}}], usage=None)
COUNTED = event(choices=[], usage=USAGE)


def chat_tap(*, hide_usage: bool = True) -> Tap:
    """A tap on a streamed chat completion."""
    return Tap(READERS[Api.OPENAI], lines=False, hide_usage=hide_usage)


@pytest.mark.parametrize("end", [b"\n\n", b"\r\n\r\n", b"\n\r\n", b"\r\r"])
def test_an_event_is_handed_on_with_its_last_byte(end: bytes) -> None:
    """And not before, nor with a later event: wherever the network cuts."""
    whole = b'data: {"a": 1}' + end
    for cut in range(1, len(whole)):
        tap = chat_tap()
        assert tap.feed(whole[:cut]) == b""
        assert tap.feed(whole[cut:]) == whole
        assert tap.feed(whole) == whole


@given(st.lists(st.integers(1, 40), min_size=1))
def test_no_cut_changes_what_passes_or_what_is_read(sizes: list[int]) -> None:
    """Any way to cut a stream gives the same bytes and the same usage."""
    stream = CONTENT + b": ping\n\n" + CONTENT + COUNTED + b"data: [DONE]\n\n"
    tap, passed, start = chat_tap(), b"", 0
    for size in sizes:
        passed += tap.feed(stream[start : start + size])
        start += size
    passed += tap.feed(stream[start:]) + tap.finish()
    assert passed == stream.replace(COUNTED, b"")
    assert tap.reading.complete


def test_a_stream_may_end_without_a_blank_line() -> None:
    """Its last event counts all the same, and is held back if it is only usage."""
    shown, hidden = chat_tap(hide_usage=False), chat_tap()
    last = COUNTED.rstrip()
    assert (shown.feed(last), hidden.feed(last)) == (b"", b"")
    assert (shown.finish(), hidden.finish()) == (last, b"")
    assert shown.reading.usage == hidden.reading.usage is not None


@pytest.mark.parametrize("odd", [b"data: {broken usage", b'data: [{"usage": {}}]', b"usage"])
def test_what_cannot_be_read_passes(odd: bytes) -> None:
    """The proxy is no judge of an endpoint's events."""
    tap = chat_tap()
    assert tap.feed(odd + b"\n\n") == odd + b"\n\n"
    assert tap.reading.usage is None


def test_usage_with_content_is_no_extra_event() -> None:
    """Some servers state it with the last content, which the client must get."""
    both = event(choices=[{"delta": {"content": "x"}, "finish_reason": "stop"}], usage=USAGE)
    tap = chat_tap()
    assert tap.feed(both) == both
    assert tap.reading.complete


def test_a_running_count_is_complete_only_at_its_end() -> None:
    """Some servers state usage so far with every event; a cut stream has no complete usage."""
    tap = chat_tap()
    tap.feed(event(choices=[{"delta": {"content": "x"}}], usage=USAGE))
    assert tap.reading.usage is not None
    assert not tap.reading.complete
    tap.feed(event(choices=[{"delta": {}, "finish_reason": "stop"}], usage=USAGE))
    assert tap.reading.complete


def test_usage_that_lacks_a_side_is_not_complete() -> None:
    """What went in is known, what came out is not."""
    tap = chat_tap()
    tap.feed(event(choices=[], usage={"prompt_tokens": 3}))
    assert tap.reading.usage is not None
    assert not tap.reading.complete


def test_an_endless_event_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound everything passes unread, and its usage is lost rather than guessed."""
    monkeypatch.setattr(tap_module, "MAX_EVENT_BYTES", 100)
    tap = chat_tap()
    assert tap.feed(b"data: " + b"x" * 90) == b""
    assert len(tap.feed(b"x" * 90)) == 186
    assert tap.feed(COUNTED) == COUNTED
    assert tap.finish() == b""
    assert tap.reading.usage is None


def test_anthropic_states_its_usage_in_two_events() -> None:
    """The second may repeat the output's count alone; what it states stands for the first's."""
    tap = Tap(READERS[Api.ANTHROPIC], lines=False, hide_usage=False)
    start = {"input_tokens": 9, "cache_creation_input_tokens": 4, "output_tokens": 1}
    tap.feed(event(type="message_start", message={"model": "m", "usage": start}))
    assert not tap.reading.complete
    tap.feed(event(type="message_delta", usage={"output_tokens": 7, "input_tokens": None}))
    usage = tap.reading.usage
    assert usage is not None
    assert (usage.input_tokens, usage.cache_write_tokens, usage.output_tokens) == (9, 4, 7)
    assert tap.reading.complete
    assert tap.reading.model == "m"
