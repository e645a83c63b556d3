"""The proxy between real clients and a real endpoint: what passes, what is counted, what ends."""

import http.client
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from kcb_agents.proxy.admission import Asked, Spent
from kcb_agents.proxy.subject import Subject
from kcb_agents.proxy.upstream import Bounds
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.run_record import Usage

MODEL = "tiny:free"
SECRET = "sk-real-key-of-the-provider-0123456789"
STREAMED = {"model": MODEL, "messages": [], "stream": True}
STATED = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 30},
}
COUNTED = Usage(input_tokens=70, cache_read_tokens=30, output_tokens=20, includes_reasoning=True)


def sse(*events: Any) -> list[bytes]:
    """Server-sent events as they are sent."""
    return [b"data: " + json.dumps(event).encode() + b"\n\n" for event in events]


def chat(content: str = "hello", usage: dict[str, Any] | None = STATED) -> list[bytes]:
    """A streamed chat completion: content, finish reason, usage if there is any, and the end."""
    usual = {"id": "c", "object": "chat.completion.chunk", "model": "tiny-4b", "usage": None}
    delta = {"index": 0, "delta": {"content": content}, "finish_reason": None}
    stop = {"index": 0, "delta": {}, "finish_reason": "stop"}
    events = [usual | {"choices": [delta]}, usual | {"choices": [stop]}]
    if usage is not None:
        events.append(usual | {"choices": [], "usage": usage})
    return [*sse(*events), b"data: [DONE]\n\n"]


def completion(usage: Any = STATED) -> dict[str, Any]:
    """A chat completion in one piece."""
    message = {"role": "assistant", "content": "hello"}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"model": "tiny-4b", "choices": [choice], "usage": usage}


def read_until(connection: socket.socket, mark: bytes) -> bytes:
    """The latest bytes from a socket, up to a mark, which has to come."""
    data = b""
    while mark not in data:
        part = connection.recv(65536)
        assert part, data
        data = data[-len(mark) :] + part
    return data


def read_to_end(connection: socket.socket) -> bytes:
    """All that comes until the other side closes, or resets, the connection."""
    data = b""
    with suppress(ConnectionResetError):
        while part := connection.recv(65536):
            data += part
    return data


def test_an_answer_in_one_piece_passes_and_is_counted(endpoint: Any, serve: Any) -> None:
    """The client sees what the endpoint said, and the record holds the exact usage."""
    endpoint.says(completion())
    with serve() as client:
        reply = client.ask({"model": MODEL, "messages": []})
        assert (reply.status, json.loads(reply.data)) == (200, completion())
        checkpoint = client.lease.end()
    assert (checkpoint.requests, checkpoint.admitted, checkpoint.usage_bearing) == (1, 1, 1)
    assert checkpoint.settled
    assert [(row.model, row.usage) for row in checkpoint.models] == [(MODEL, COUNTED)]
    assert checkpoint.models[0].largest_prompt_tokens == 100


def test_usage_is_asked_for_and_not_shown_to_who_did_not_ask(endpoint: Any, serve: Any) -> None:
    """The extra chunk is the proxy's own; all other bytes pass as they are."""
    endpoint.streams(*chat())
    with serve() as client:
        reply = client.ask(STREAMED)
        assert client.checkpoint().models[0].usage == COUNTED
    assert endpoint.requests[0]["stream_options"] == {"include_usage": True}
    assert reply.data == b"".join(chat(usage=None))


@pytest.mark.parametrize("options", [{"include_usage": True}, {"include_usage": True, "x": 1}])
def test_a_client_that_asks_for_usage_gets_it(endpoint: Any, serve: Any, options: Any) -> None:
    """The client's own ``stream_options`` are honoured."""
    endpoint.streams(*chat())
    with serve() as client:
        reply = client.ask({**STREAMED, "stream_options": options})
    assert endpoint.requests[0]["stream_options"] == options
    assert reply.data == b"".join(chat())


def test_who_declines_usage_does_not_see_it(endpoint: Any, serve: Any) -> None:
    """False is the client's to say, other stream options are kept, and usage is counted."""
    endpoint.streams(*chat())
    with serve() as client:
        options = {"include_usage": False, "include_obfuscation": False}
        reply = client.ask({**STREAMED, "stream_options": options})
        assert client.checkpoint().usage_bearing == 1
    assert endpoint.requests[0]["stream_options"] == {**options, "include_usage": True}
    assert reply.data == b"".join(chat(usage=None))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000])
def test_a_stream_may_be_cut_anywhere(endpoint: Any, serve: Any, size: int) -> None:
    """Chunks end inside characters, line ends and names; neither client nor count notices."""
    whole = b": ping\n\n" + b"".join(chat("héllo 😀 \u2028 世界"))
    endpoint.streams(*(whole[start : start + size] for start in range(0, len(whole), size)))
    with serve() as client:
        reply = client.ask(STREAMED)
        assert client.checkpoint().models[0].usage == COUNTED
    assert reply.data == b": ping\n\n" + b"".join(chat("héllo 😀 \u2028 世界", usage=None))


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_other_line_ends_are_read_too(endpoint: Any, serve: Any, end: bytes) -> None:
    """The standard of server-sent events knows three line ends."""
    parts = [part.replace(b"\n", end) for part in chat()]
    endpoint.streams(*parts)
    with serve() as client:
        reply = client.ask(STREAMED)
        assert client.checkpoint().models[0].usage == COUNTED
    assert reply.data == b"".join(parts[:2] + parts[3:])


def test_events_are_handed_on_before_the_next_one_is_there(endpoint: Any, serve: Any) -> None:
    """Streams without delay: the endpoint goes on only when the client has seen the event."""
    seen = threading.Event()

    def play(handler: Any) -> None:
        handler.begin()
        for number, part in enumerate(chat()):
            handler.part(part)
            if number == 0:
                assert seen.wait(10)
        handler.end()

    endpoint.plays.append(play)
    with serve() as client, client.open(STREAMED) as connection:
        read_until(connection, b"hello")
        seen.set()
        read_until(connection, b"[DONE]")


def test_a_client_that_leaves_after_the_finish_reason_is_counted(endpoint: Any, serve: Any) -> None:
    """The proxy reads on, and records the exact usage."""
    gone = threading.Event()

    def play(handler: Any) -> None:
        handler.begin()
        parts = chat()
        for part in parts[:2]:
            handler.part(part)
        assert gone.wait(10)
        time.sleep(0.3)
        for part in parts[2:]:
            handler.part(part)
        handler.end()

    endpoint.plays.append(play)
    with serve() as client:
        with client.open(STREAMED) as connection:
            read_until(connection, b'"stop"')
        gone.set()
        checkpoint = client.lease.end()
    assert checkpoint.models[0].usage == COUNTED
    assert (checkpoint.admitted, checkpoint.usage_bearing, checkpoint.in_flight) == (1, 1, 0)


def test_reading_on_is_bounded(endpoint: Any, serve: Any) -> None:
    """An endpoint that goes on for ever after the client has left is left too."""
    left = threading.Event()

    def play(handler: Any) -> None:
        handler.begin()
        handler.part(chat()[0])
        try:
            while True:
                time.sleep(0.02)
                handler.part(b": ping\n\n")
        except OSError:
            left.set()

    endpoint.plays.append(play)
    with serve(bounds=Bounds(drain_s=0.3)) as client:
        with client.open(STREAMED) as connection:
            read_until(connection, b"hello")
        found = client.wait(lambda checkpoint: checkpoint.in_flight == 0, within_s=5)
        assert (found.admitted, found.usage_bearing) == (1, 0)
        assert left.wait(5)


def test_a_provider_without_usage_leaves_a_gap_on_record(endpoint: Any, serve: Any) -> None:
    """Nothing is estimated: the request is admitted and bears no usage."""
    endpoint.streams(*chat(usage=None))
    with serve() as client:
        assert client.ask(STREAMED).data == b"".join(chat(usage=None))
        checkpoint = client.lease.end()
    assert (checkpoint.admitted, checkpoint.usage_bearing, checkpoint.models) == (1, 0, ())
    assert checkpoint.settled


def test_an_endpoint_that_dies_in_a_stream_is_seen_to(endpoint: Any, serve: Any) -> None:
    """A broken answer does not look whole to the client, and is no complete usage."""

    def play(handler: Any) -> None:
        handler.begin()
        handler.part(chat()[0])
        handler.connection.shutdown(socket.SHUT_RDWR)
        handler.close_connection = True

    endpoint.plays.append(play)
    with serve() as client:
        with client.open(STREAMED) as connection:
            got = read_to_end(connection)
        checkpoint = client.lease.end()
    assert chat()[0] in got
    assert got.count(b"HTTP/1.1") == 1
    assert b"\r\n0\r\n" not in got
    assert (checkpoint.admitted, checkpoint.usage_bearing) == (1, 0)


def test_tokens_seen_before_a_break_are_kept(endpoint: Any, serve: Any) -> None:
    """Anthropic states the prompt at the start; that is a lower bound, and not complete."""

    def play(handler: Any) -> None:
        handler.begin()
        usage = {"input_tokens": 25, "cache_read_input_tokens": 5, "output_tokens": 1}
        start = {"type": "message_start", "message": {"model": MODEL, "usage": usage}}
        handler.part(b"event: message_start\n" + sse(start)[0])
        handler.close_connection = True

    endpoint.plays.append(play)
    with serve(base="") as client:
        with pytest.raises((http.client.IncompleteRead, ConnectionError)):
            client.ask(STREAMED, "/v1/messages")
        checkpoint = client.lease.end()
    usage = checkpoint.models[0].usage
    assert (usage.input_tokens, usage.cache_read_tokens, usage.output_tokens) == (25, 5, 1)
    assert (checkpoint.admitted, checkpoint.usage_bearing) == (1, 0)


@pytest.mark.parametrize("given_up", ["connection", "silence"])
def test_a_request_without_any_answer_may_have_been_billed(
    endpoint: Any, serve: Any, given_up: str
) -> None:
    """Nobody knows whether the endpoint has begun, so usage cannot be called complete."""

    def play(handler: Any) -> None:
        if given_up == "silence":
            time.sleep(1)
        handler.close_connection = True

    endpoint.plays.append(play)
    with serve(bounds=Bounds(reply_s=0.3)) as client:
        reply = client.ask(STREAMED)
        checkpoint = client.lease.end()
    assert reply.status == (502 if given_up == "connection" else 504)
    assert (checkpoint.admitted, checkpoint.usage_bearing) == (1, 0)


def test_an_endpoint_that_is_not_there_bills_nothing(endpoint: Any, serve: Any) -> None:
    """A connection that was never made admitted nothing."""
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    endpoint.url = f"http://127.0.0.1:{port}"
    with serve() as client:
        assert client.ask(STREAMED).status == 502
        checkpoint = client.lease.end()
    assert (checkpoint.requests, checkpoint.admitted) == (1, 0)


def test_too_many_requests_pass_with_their_wait(endpoint: Any, serve: Any) -> None:
    """A 429 is the client's to deal with; it is no admission."""
    error = {"error": {"message": f"slow down, {SECRET}", "code": 429}}
    endpoint.says(error, 429, Retry_After="7", Set_Cookie="a=b", X_Ratelimit_Remaining="0")
    with serve() as client:
        reply = client.ask(STREAMED)
        checkpoint = client.lease.end()
    assert (reply.status, reply.headers["retry-after"]) == (429, "7")
    assert reply.headers["x-ratelimit-remaining"] == "0"
    assert "set-cookie" not in reply.headers
    assert json.loads(reply.data)["error"]["message"] == "slow down, [api key]"
    assert (checkpoint.requests, checkpoint.admitted) == (1, 0)


@pytest.mark.parametrize(
    ("path", "name", "value"),
    [
        ("/v1/chat/completions", "authorization", f"Bearer {SECRET}"),
        ("/v1/messages", "x-api-key", SECRET),
    ],
)
def test_the_real_key_replaces_the_token(
    endpoint: Any, serve: Any, path: str, name: str, value: str
) -> None:
    """The endpoint never sees the token, nor anything else that is not on the list."""
    endpoint.says(completion())
    odd = {"Cookie": "a=b", "X-Forwarded-For": "1.2.3.4", "Anthropic-Version": "2023-06-01"}
    betas = {"Anthropic-Beta": "web-fetch-2025-09-10, context-1m-2025-08-07,mcp-client-2025-11-20"}
    with serve() as client:
        shown = {"Authorization": "", "X-Api-Key": client.token}
        reply = client.ask({"model": MODEL}, path, odd | betas | shown)
        token = client.token
    assert reply.status == 200
    sent = endpoint.headers[0]
    assert sent[name] == value
    assert token not in json.dumps(sent)
    assert not {"cookie", "x-forwarded-for"} & sent.keys()
    assert (sent["accept-encoding"], sent["content-type"]) == ("identity", "application/json")
    assert sent["anthropic-version"] == "2023-06-01"
    assert sent["anthropic-beta"] == "context-1m-2025-08-07"
    assert endpoint.paths == [path]


@pytest.mark.parametrize("token", ["", "wrong", "Bearer", "é"])
def test_without_a_token_nothing_goes_through(endpoint: Any, serve: Any, token: str) -> None:
    """Whoever is on this machine's loopback is not yet a subject."""
    endpoint.says(completion())
    with serve() as client:
        headers = {"Authorization": f"Bearer {token}".encode("latin-1")}
        reply = client.ask({"model": MODEL}, headers=headers)
    assert (reply.status, endpoint.requests) == (401, [])


def test_after_its_end_a_subject_is_refused(endpoint: Any, serve: Any) -> None:
    """Pain 7: no request is admitted after the subject has ended, and the record stays."""
    endpoint.says(completion())
    with serve() as client:
        client.ask({"model": MODEL})
        before = client.lease.end()
        reply = client.ask({"model": MODEL})
        assert (reply.status, json.loads(reply.data)["error"]["code"]) == (403, "ended")
        assert client.ask(b"", "/v1/models", method="GET").status == 403
        assert client.checkpoint() == before == client.lease.end()
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/chat/completions", 404),
        ("POST", "/v1/batches", 404),
        ("POST", "/v1/messages/batches", 404),
        ("POST", "/v1/chat/completions/../files", 404),
        ("POST", "/v1/%63hat/completions", 404),
        ("GET", "/v1/responses/resp_1", 404),
        ("DELETE", "/api/delete", 404),
        ("POST", "/api/pull", 404),
    ],
)
def test_only_listed_paths_go_through(
    endpoint: Any, serve: Any, method: str, path: str, status: int
) -> None:
    """What is not listed would be neither metered nor searched for web tools."""
    endpoint.says(completion())
    with serve() as client:
        assert client.ask({"model": MODEL}, path, method=method).status == status
        assert client.checkpoint().requests == 0
    assert endpoint.requests == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b"{", 400),
        (b"[" * 4000, 400),
        ({"model": "other"}, 403),
        ({"messages": []}, 403),
        ({"model": [MODEL]}, 403),
        ({"model": MODEL, "models": [MODEL, "other"]}, 403),
        ({"model": MODEL + ":online"}, 403),
        ({"model": MODEL, "preset": "mine"}, 403),
        ({"model": MODEL, "background": True}, 403),
        (b'{"model": "tiny:free", "model": "other"}', 403),
        (b"{" + b" " * 5000 + b"}", 413),
    ],
)
def test_what_is_not_declared_is_refused(endpoint: Any, serve: Any, body: Any, status: int) -> None:
    """Models are pinned, and nothing that is settled elsewhere than in the request is let in."""
    endpoint.says(completion())
    with serve(bounds=Bounds(request_bytes=4096)) as client:
        reply = client.ask(body)
        assert reply.status == status
        assert json.loads(reply.data)["error"]["message"]
        assert client.checkpoint().requests == 0
    assert endpoint.requests == []


def test_a_name_that_stands_twice_has_one_meaning(endpoint: Any, serve: Any) -> None:
    """The endpoint gets what the proxy has read, not what the client wrote."""
    endpoint.says(completion())
    web = b'{"type": "web_search"}'
    with serve() as client:
        client.ask(
            b'{"model": "other", "model": "tiny:free", "tools": [], "tools": [' + web + b"]}"
        )
    assert endpoint.requests == [{"model": MODEL}]


def test_texts_that_were_cut_in_the_middle_pass(endpoint: Any, serve: Any) -> None:
    """Programs that cut texts send lone surrogates; that is no fault of the request."""
    endpoint.says(completion())
    with serve() as client:
        body = b'{"model": "tiny:free", "messages": [{"role": "user", "content": "\\ud83d x"}]}'
        assert client.ask(body).status == 200
    assert endpoint.requests[0]["messages"][0]["content"] == "\ud83d x"


def test_what_is_no_http_is_refused_in_silence(
    serve: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    """A subject cannot write on the host's terminal, and the proxy goes on."""
    with serve() as client:
        for junk in (
            b"\x00\x01\r\n\r\n",
            b"POST /v1/messages HTTP/9\r\n\r\n",
            b"GET " + b"a" * 99999,
        ):
            with socket.create_connection(client.address, timeout=20) as connection:
                connection.sendall(junk)
                connection.shutdown(socket.SHUT_WR)
                read_to_end(connection)
        assert client.ask(b"", "/v1/models", method="GET").status == 200
    assert capfd.readouterr() == ("", "")


def test_a_compressed_body_is_refused(endpoint: Any, serve: Any) -> None:
    """It could unfold into any size, and nothing in it could be read."""
    endpoint.says(completion())
    with serve() as client:
        reply = client.ask({"model": MODEL}, headers={"Content-Encoding": "gzip"})
    assert (reply.status, endpoint.requests) == (415, [])


@pytest.mark.parametrize(
    ("status", "headers", "code"),
    [
        (302, {"Location": "http://elsewhere.invalid/"}, "redirected"),
        (200, {"Content_Encoding": "gzip"}, "compressed"),
    ],
)
def test_answers_that_lead_elsewhere_are_refused(
    endpoint: Any, serve: Any, status: int, headers: dict[str, str], code: str
) -> None:
    """A key goes nowhere but to the address that was named for it."""
    endpoint.says(b"{}", status, **headers)
    with serve() as client:
        reply = client.ask(STREAMED)
    assert (reply.status, json.loads(reply.data)["error"]["code"]) == (502, code)


@pytest.mark.parametrize("streamed", [True, False])
def test_an_answer_is_bounded(endpoint: Any, serve: Any, streamed: bool) -> None:
    """Neither a whole answer nor a stream can fill the memory."""
    if streamed:
        endpoint.streams(*[b": " + b"x" * 4000 + b"\n\n"] * 20)
    else:
        endpoint.says(b"x" * 80_000)
    with serve(bounds=Bounds(reply_bytes=40_000)) as client:
        if streamed:
            with pytest.raises((http.client.IncompleteRead, ConnectionError)):
                client.ask(STREAMED)
        else:
            assert client.ask(STREAMED).status == 502
        assert client.lease.end().usage_bearing == 0


def test_a_connection_is_kept_on_both_sides(endpoint: Any, serve: Any) -> None:
    """HTTP/1.1 keep-alive: ten requests take one connection of the client, one of the proxy."""
    endpoint.plays = []
    for _ in range(5):
        endpoint.streams(*chat())
        endpoint.says(completion())
    with serve() as client:
        connection = http.client.HTTPConnection(*client.address, timeout=20)
        for number in range(10):
            body = json.dumps(STREAMED if number % 2 == 0 else {"model": MODEL})
            headers = {"Authorization": f"Bearer {client.token}"}
            connection.request("POST", "/v1/chat/completions", body, headers)
            assert connection.getresponse().read()
        connection.close()
        assert client.lease.end().usage_bearing == 10
    assert len(set(endpoint.peers)) == 1


def test_a_slow_reader_holds_the_endpoint_back(endpoint: Any, serve: Any) -> None:
    """Backpressure: what a client does not read is not heaped up in the proxy."""
    sent = [0]

    def play(handler: Any) -> None:
        handler.begin()
        event = b"data: " + b"x" * 65_000 + b"\n\n"
        handler.connection.settimeout(20)
        for _ in range(400):  # 26 MB
            handler.part(event)
            sent[0] += len(event)
        for part in chat()[1:]:
            handler.part(part)
        handler.end()

    endpoint.plays.append(play)
    with serve() as client, client.open(STREAMED) as connection:
        read_until(connection, b"data: ")
        time.sleep(0.7)
        held = sent[0]
        read_until(connection, b"[DONE]")
        assert client.lease.end().usage_bearing == 1
    # Buffers of the kernel on four ends of two connections, and little beside them.
    assert held < 20 << 20
    assert sent[0] == 400 * 65_008


def test_a_client_that_never_reads_counts_as_gone(endpoint: Any, serve: Any) -> None:
    """It cannot hold a request for ever; its usage is read all the same."""
    event = b"data: " + b"x" * 65_000 + b"\n\n"
    endpoint.streams(*[event] * 400, *chat())
    with serve(bounds=Bounds(stall_s=0.3)) as client, client.open(STREAMED) as connection:
        client.wait(lambda checkpoint: checkpoint.requests == 1)
        found = client.wait(lambda checkpoint: checkpoint.in_flight == 0, within_s=8)
        assert found.models[0].usage == COUNTED
        assert b"[DONE]" not in read_to_end(connection)


def test_requests_above_the_bound_wait_their_turn(endpoint: Any, serve: Any) -> None:
    """A local server may take one request at a time."""
    busy, most = [0], [0]
    lock = threading.Lock()

    def play(handler: Any) -> None:
        with lock:
            busy[0] += 1
            most[0] = max(most[0], busy[0])
        time.sleep(0.02)
        with lock:
            busy[0] -= 1
        handler.whole(200, json.dumps(completion()).encode())

    endpoint.plays.append(play)
    with serve(bounds=Bounds(at_once=2)) as client, ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: client.ask({"model": MODEL}).status, range(8)))
        assert client.lease.end().usage_bearing == 8
    assert replies == [200] * 8
    assert most[0] == 2


def test_too_many_waiting_requests_are_put_off(endpoint: Any, serve: Any) -> None:
    """The queue is bounded."""
    go = threading.Event()

    def play(handler: Any) -> None:
        assert go.wait(10)
        handler.whole(200, json.dumps(completion()).encode())

    endpoint.plays.append(play)
    with serve(bounds=Bounds(waiting=2)) as client, ThreadPoolExecutor(2) as pool:
        held = [pool.submit(client.ask, {"model": MODEL}) for _ in range(2)]
        client.wait(lambda checkpoint: checkpoint.requests == 2)
        assert client.ask({"model": MODEL}).status == 503
        go.set()
        assert [future.result().status for future in held] == [200, 200]


def test_who_leaves_before_its_turn_costs_nothing(endpoint: Any, serve: Any) -> None:
    """A request that was never sent is no admission, even if it was let through."""
    go = threading.Event()

    def play(handler: Any) -> None:
        assert go.wait(10)
        handler.whole(200, json.dumps(completion()).encode())

    endpoint.plays.append(play)
    with serve(bounds=Bounds(at_once=1)) as client, ThreadPoolExecutor(1) as pool:
        first = pool.submit(client.ask, {"model": MODEL})
        client.wait(lambda checkpoint: checkpoint.requests == 1)
        with client.open({"model": MODEL}):
            client.wait(lambda checkpoint: checkpoint.requests == 2)
        client.wait(lambda checkpoint: checkpoint.in_flight == 1)
        go.set()
        assert first.result().status == 200
        checkpoint = client.lease.end()
    assert (checkpoint.requests, checkpoint.admitted, checkpoint.usage_bearing) == (2, 1, 1)
    assert len(endpoint.requests) == 1


@dataclass(slots=True)
class Budget:
    """Reserves tokens before a request and gives back what was not used."""

    tokens: int
    reserved: int = 0
    spent: int = 0
    settled: list[tuple[Asked, Spent]] = field(default_factory=list)

    def room(self, request_bytes: int) -> int | None:
        """Replies are not bounded one by one."""
        return None

    def reserve(self, asked: Asked) -> str:
        """Every request may take a hundred tokens."""
        if self.spent + self.reserved + 100 > self.tokens:
            return "the budget of tokens is used up"
        self.reserved += 100
        return ""

    def settle(self, asked: Asked, spent: Spent) -> None:
        """Some of them were used."""
        self.reserved -= 100
        self.spent += 90 if spent.complete else 100
        self.settled.append((asked, spent))


def test_a_budget_holds_with_sixteen_requests_at_once(endpoint: Any, serve: Any) -> None:
    """Pain 18: what is reserved is never more than there is, and each request settles once."""

    def play(handler: Any) -> None:
        time.sleep(0.05)
        handler.whole(200, json.dumps(completion()).encode())

    endpoint.plays.append(play)
    budget = Budget(500)
    with serve(admission=budget) as client, ThreadPoolExecutor(16) as pool:
        body = {"model": MODEL, "max_tokens": 64}
        statuses = list(pool.map(lambda _: client.ask(body).status, range(16)))
        checkpoint = client.lease.end()
    assert sorted(set(statuses)) == [200, 402]
    assert statuses.count(200) == checkpoint.requests == len(endpoint.requests) == 5
    assert (budget.spent, budget.reserved) == (450, 0)
    assert sorted(asked.number for asked, _ in budget.settled) == [1, 2, 3, 4, 5]
    asked, spent = budget.settled[0]
    assert (asked.model, asked.max_output_tokens) == (MODEL, 64)
    assert (spent.usage, spent.complete, spent.admitted) == (COUNTED, True, True)


def test_declared_models_are_listed_without_asking(endpoint: Any, serve: Any) -> None:
    """What else the endpoint has is none of the subject's business."""
    with serve(models=(MODEL, "b/c")) as client:
        reply = client.ask(b"", "/v1/models", method="GET")
    assert [entry["id"] for entry in json.loads(reply.data)["data"]] == [MODEL, "b/c"]
    assert endpoint.requests == []


def test_a_fallback_to_a_declared_model_is_counted_as_that_model(endpoint: Any, serve: Any) -> None:
    """A router may answer with another of the models that it was allowed."""
    endpoint.says(completion() | {"model": "b/c"})
    with serve(models=(MODEL, "b/c")) as client:
        client.ask({"model": MODEL, "models": ["b/c"]})
        assert [row.model for row in client.lease.end().models] == ["b/c"]


@pytest.mark.parametrize(
    "wrong",
    [{"models": ()}, {"models": ("a/b:online",)}, {"profile": "../toy"}, {"key": b""}],
)
def test_a_subject_that_cannot_be_served_is_refused(tmp_path: Any, wrong: Any) -> None:
    """A model whose name means web search is as good as a web tool."""
    with pytest.raises(DeclarationError):
        Subject(**{"profile": "toy", "models": ("m",), "folder": tmp_path, "key": b"k"} | wrong)


def test_a_subject_whose_record_cannot_be_written_is_refused(serve: Any, tmp_path: Any) -> None:
    """Before it has asked for anything."""
    subject = Subject(profile="b", models=("m",), folder=tmp_path / "absent", key=b"k")
    with serve() as client, pytest.raises(MachineError, match="absent"):
        client.lease.proxy.lease(subject)


def test_connections_are_bounded(serve: Any) -> None:
    """A subject cannot use up the files that the host's process may open."""
    with serve(bounds=Bounds(connections=3)) as client, ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(socket.create_connection(client.address, timeout=20))
        time.sleep(0.05)
        with socket.create_connection(client.address, timeout=20) as one_more:
            assert read_to_end(one_more) == b""
        stack.close()
        time.sleep(0.05)
        assert client.ask(b"", "/v1/models", method="GET").status == 200


def test_an_interrupt_waits_for_no_stream(endpoint: Any, serve: Any) -> None:
    """Ctrl-C ends the proxy at once; what was admitted stays on record."""
    go = threading.Event()

    def play(handler: Any) -> None:
        handler.begin()
        handler.part(chat()[0])
        go.wait(20)

    endpoint.plays.append(play)
    serving = serve()
    client = serving.__enter__()
    with client.open(STREAMED) as connection:
        read_until(connection, b"hello")
        begun = time.monotonic()
        assert not serving.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
        assert time.monotonic() - begun < 5
    go.set()
    found = client.checkpoint()
    assert (found.admitted, found.usage_bearing, found.settled) == (1, 0, True)


def test_the_wire_forms_of_all_endpoints_are_counted(endpoint: Any, serve: Any) -> None:
    """Responses, Anthropic and Ollama, each in a stream and in one piece."""
    responses = {
        "model": MODEL,
        "usage": {
            "input_tokens": 50,
            "input_tokens_details": {"cached_tokens": 10},
            "output_tokens": 9,
            "output_tokens_details": {"reasoning_tokens": 4},
        },
    }
    anthropic = {"input_tokens": 40, "cache_read_input_tokens": 10, "output_tokens": 9}
    ollama = {"model": MODEL, "done": True, "prompt_eval_count": 40, "eval_count": 9}
    start = {"type": "message_start", "message": {"usage": {**anthropic, "output_tokens": 1}}}
    delta = {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 9}}
    lines = json.dumps({"done": False}) + "\n" + json.dumps(ollama) + "\n"

    def ndjson(handler: Any) -> None:
        handler.begin("application/x-ndjson")
        handler.part(lines[:30].encode())
        handler.part(lines[30:].encode())
        handler.end()

    endpoint.says(responses)
    endpoint.streams(*sse({"type": "response.completed", "response": responses}))
    endpoint.says({"usage": anthropic})
    endpoint.streams(*sse(start, delta))
    endpoint.says(ollama)
    endpoint.plays.append(ndjson)
    with serve(base="") as client:
        for path in ("/v1/responses", "/v1/messages", "/api/chat"):
            for _ in range(2):
                assert client.ask({"model": MODEL}, path).status == 200
        checkpoint = client.lease.end()
    usage = checkpoint.models[0].usage
    assert (usage.input_tokens, usage.cache_read_tokens) == (240, 40)
    assert (usage.output_tokens, usage.reasoning_tokens) == (46, 8)
    assert (checkpoint.requests, checkpoint.usage_bearing) == (6, 6)
    assert endpoint.paths == ["/responses"] * 2 + ["/v1/messages"] * 2 + ["/api/chat"] * 2


def test_counting_tokens_passes_unmetered(endpoint: Any, serve: Any) -> None:
    """No model works for it, but its model is pinned and its tools are searched."""
    endpoint.says({"input_tokens": 7})
    with serve(base="") as client:
        body = {"model": MODEL, "tools": [{"name": "WebFetch"}, {"name": "Read"}]}
        reply = client.ask(body, "/v1/messages/count_tokens?beta=true")
        assert client.lease.end().requests == 0
    assert json.loads(reply.data) == {"input_tokens": 7}
    assert endpoint.requests == [{"model": MODEL, "tools": [{"name": "Read"}]}]


def test_a_record_that_cannot_be_written_stops_the_subject(endpoint: Any, serve: Any) -> None:
    """What cannot be metered is not sent."""
    endpoint.says(completion())
    budget = Budget(500)
    with serve(admission=budget) as client:
        os.rename(client.folder, client.folder.with_name("away"))
        reply = client.ask({"model": MODEL})
        assert (reply.status, json.loads(reply.data)["error"]["code"]) == (503, "cannot_meter")
        os.rename(client.folder.with_name("away"), client.folder)
    assert endpoint.requests == []
    assert (budget.reserved, len(budget.settled)) == (0, 1)


def test_secrets_stand_in_no_artifact(endpoint: Any, serve: Any) -> None:
    """Neither the real key, the token nor the host's key is in anything that is stored or shown."""
    endpoint.says({"echo": SECRET})
    endpoint.streams(b'data: {"echo": "' + SECRET.encode() + b'"}\n\n')
    with serve() as client:
        shown = client.ask({"model": MODEL}).data + client.ask(STREAMED).data
        client.lease.end()
        stored = b"".join(path.read_bytes() for path in client.folder.iterdir())
        assert SECRET not in repr(client.lease.proxy.__dict__)
        assert client.token.encode() not in stored + shown
    assert SECRET.encode() not in stored + shown
    assert b"host's own key" not in stored


@contextmanager
def own_listener() -> Iterator[socket.socket]:
    """A socket that listens already, handed over by its descriptor as a launcher does."""
    with socket.create_server(("127.0.0.1", 0)) as made:
        yield socket.socket(fileno=os.dup(made.fileno()))


def test_a_socket_that_listens_already_is_served(endpoint: Any, serve: Any) -> None:
    """It may have been made in another network namespace."""
    endpoint.says(completion())
    with own_listener() as listener, serve(listener=listener) as client:
        assert client.url == f"http://127.0.0.1:{listener.getsockname()[1]}"
        assert client.ask({"model": MODEL}).status == 200
