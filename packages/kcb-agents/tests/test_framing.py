"""Streams cut into values, wherever the bytes happen to be cut."""

import pytest

from kcb_agents.endpoint.failure import EndpointError
from kcb_agents.endpoint.framing import event_stream, json_lines

EVENTS = (
    b': a comment\n\nevent: x\ndata: {"a": "\xe2\x80\xa8 \xc2\x85 \xf0\x9f\x98\x80"}\r\n\r\n'
    b'data:{"b":\ndata: 2}\n\ndata: {"c": 3}\n'
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_are_whole_however_they_come(size: int) -> None:
    """A character may be cut in its middle; only the line feed ends a line."""
    chunks = [EVENTS[at : at + size] for at in range(0, len(EVENTS), size)]
    found = list(event_stream(chunks, "there"))
    assert found == [{"a": "\u2028 \u0085 😀"}, {"b": 2}, {"c": 3}]


def test_nothing_is_read_behind_the_last_event() -> None:
    """The connection may stay open."""
    chunks = iter([b"data: 1\n\ndata: [DONE]\n\n", b"data: 2\n\n"])
    assert list(event_stream(chunks, "there")) == [1, None]
    assert next(chunks)


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_lines_are_values(size: int) -> None:
    """The last one may lack its end."""
    data = b'{"a": "\xe2\x80\xa8"}\n\n{"b": 2}'
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    assert list(json_lines(chunks, "there")) == [{"a": "\u2028"}, {"b": 2}]


def test_what_is_no_json_is_named() -> None:
    """With its start, for whoever has to mend it."""
    with pytest.raises(EndpointError, match=r"there: the reply is no JSON .*<html>"):
        list(json_lines([b"<html>"], "there"))
