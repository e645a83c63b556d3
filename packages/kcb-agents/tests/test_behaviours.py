"""Everything that a model and its server may do: each has its stop reason, and nothing hangs."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.endpoint.failure import EndpointError
from kcb_agents.endpoint.forms import FORMS
from kcb_agents.endpoint.loop_guard import WINDOW
from kcb_agents.endpoint_line import GREEDY_THINKER
from kcb_agents.one_shot import OneShot
from kcb_agents.record import StopReason
from kcb_agents.testing.provider import Provider
from kcb_core.quiet import judging
from kcb_core.roles import Generated, Generation
from kcb_core.testing.values import new_transcript

RIGHT = "### main.py\n```python\nprint('right')\n```\n"
SECRET = "sk-secret-7f3a9c51d2e84b06"

every_form = pytest.mark.parametrize("api", FORMS)


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A scripted provider."""
    with Provider().serving() as provider:
        yield provider


def generate(provider: Provider, folder: Path, **settings: Any) -> Generated:
    """One project by the real clock, within ten seconds whatever happens."""
    project = folder / f"project-{len(provider.requests)}"
    project.mkdir()
    given = {"base_url": provider.url, "model": "m", "timeout_s": 5.0, "max_retries": 0}
    begun = time.monotonic()
    try:
        with new_transcript(project.with_suffix(".jsonl")) as transcript:
            generation = Generation(
                prompt="Write it.\n" * 20,
                project=project,
                transcript=transcript,
                settings=given | settings,
            )
            return OneShot().generate(generation)
    finally:
        assert time.monotonic() - begun < 10, "it hangs"


@pytest.mark.parametrize(
    ("said", "settings", "stop_reason", "files"),
    [
        pytest.param({"content": RIGHT}, {}, "done", 1, id="right"),
        pytest.param({"content": RIGHT.replace("right", "wrong")}, {}, "done", 1, id="wrong"),
        pytest.param({"content": RIGHT[:-5], "finish": "length"}, {}, "output_limit", 1, id="cut"),
        pytest.param({"content": "print('bare')"}, {}, "no_project", 0, id="malformed"),
        pytest.param({"content": RIGHT + "and on " * WINDOW}, {}, "repetition", 1, id="looping"),
        pytest.param({"content": None, "reasoning": "hm " * WINDOW}, {}, "repetition", 0,
                     id="looping in thought"),
        pytest.param({"content": RIGHT * 9, "pause_s": 0.1}, {"timeout_s": 0.6}, "time", 1,
                     id="slow"),
        pytest.param({"content": RIGHT + "wait", "manner": "silent"}, {"timeout_s": 0.5}, "time", 1,
                     id="silent in the middle"),
        pytest.param({"content": None, "manner": "silent"}, {"timeout_s": 0.5}, "time", 0,
                     id="silent"),
        pytest.param({"content": "", "reasoning": "hm"}, {}, "reasoning_only", 0, id="thinking"),
        pytest.param({"content": RIGHT, "usage": {}}, {}, "done", 1, id="no usage"),
        pytest.param({"content": RIGHT, "usage": {"prompt": 3}}, {}, "context_cut", 0,
                     id="cut prompt"),
    ],
)  # fmt: skip
@every_form
def test_each_behaviour_has_its_stop_reason(
    provider: Provider, tmp_path: Path, api: str, said: dict[str, Any],
    settings: dict[str, Any], stop_reason: str, files: int,
) -> None:  # fmt: skip
    """The record must tell a model that cannot program from one that was not let."""
    if "prompt" in said.get("usage", {}):
        prompt = len("Write it.\n" * 20)
        assert prompt / 3 > 16, "the server's count shows that it is cut"
    provider.says(**said)
    generated = generate(provider, tmp_path, api=api, **settings)
    assert generated.stop_reason == stop_reason
    assert generated.files == files
    assert StopReason(generated.stop_reason).finished == (stop_reason != "context_cut")
    assert (generated.record["reason"] == "") == (stop_reason == "done")


@every_form
@pytest.mark.parametrize("manner", ["mute", "breaks", "unfinished"])
def test_a_server_that_fails_says_nothing_of_the_model(
    provider: Provider, tmp_path: Path, api: str, manner: Any
) -> None:
    """Such a task is asked again another time."""
    provider.says(RIGHT, manner=manner)
    with pytest.raises(EndpointError):
        generate(provider, tmp_path, api=api, timeout_s=1.0)


@every_form
def test_two_times_too_many_requests_is_rate_limited(
    provider: Provider, tmp_path: Path, api: str
) -> None:
    """And with no retries, the first one is."""
    provider.fails(429, Retry_After="3")
    begun = time.monotonic()
    generated = generate(provider, tmp_path, api=api)
    assert generated.stop_reason == "rate_limited"
    assert time.monotonic() - begun < 2, "--max-retries 0 waits for nothing"
    assert len(provider.requests) == 1


def test_a_loop_is_broken_off_and_not_heard_to_its_end(provider: Provider, tmp_path: Path) -> None:
    """Otherwise it costs the whole output limit."""
    provider.says("round and round " * (40 * WINDOW), usage={})
    generated = generate(provider, tmp_path)
    assert generated.stop_reason == "repetition"
    assert WINDOW <= len(generated.record["reply"]) < 2 * WINDOW


def test_a_key_is_not_stored_even_if_a_stream_cuts_it_in_two(
    provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No single event holds it, and the whole reply does."""
    monkeypatch.setenv("MY_KEY", SECRET)
    for api in FORMS:
        provider.says(f"{'x' * 13}{SECRET}\n{RIGHT}", reasoning=f"it is {'y' * 11}{SECRET}!")
        generated = generate(provider, tmp_path, api=api, api_key_env="MY_KEY")
        told = "".join(path.read_text() for path in tmp_path.rglob("*.jsonl"))
        stored = json.dumps(dict(generated.record)) + told
        assert SECRET not in stored
        assert "[api key]" in stored


@pytest.mark.parametrize("api", ["openai", "ollama"])
def test_a_model_that_thinks_and_is_sampled_greedily_earns_a_warning(
    provider: Provider, tmp_path: Path, api: str
) -> None:
    """Its authors advise against it, and its score would be worse than it is."""
    for more, temperature in (({"reasoning": "hm"}, 0.0), ({}, 0.0), ({"reasoning": "hm"}, 0.6)):
        provider.says(RIGHT, **more)
        generated = generate(provider, tmp_path, api=api, temperature=temperature)
        assert (GREEDY_THINKER in generated.record["notes"]) == (bool(more) and not temperature)


def test_a_full_context_is_said_with_its_remedy(provider: Provider, tmp_path: Path) -> None:
    """An output limit that nobody set is one of the context."""
    provider.shown["/props"] = {"default_generation_settings": {"n_ctx": 512}}
    provider.says(RIGHT, finish="length", usage={"prompt": 500, "completion": 12})
    generated = generate(provider, tmp_path)
    assert generated.stop_reason == "output_limit"
    assert any("llama-server -c 1024" in note for note in generated.record["notes"])


def test_a_prompt_that_a_context_does_not_hold_is_refused_with_the_remedy(
    provider: Provider, tmp_path: Path
) -> None:
    """As llama.cpp and vLLM refuse it."""
    provider.shown["/props"] = {"default_generation_settings": {"n_ctx": 4096}}
    provider.fails(400, b'{"error": {"message": "exceeds the available context size"}}')
    with pytest.raises(EndpointError, match="llama-server -c 8192"):
        generate(provider, tmp_path)


def test_ollamas_count_at_its_limit_means_that_it_cut(provider: Provider, tmp_path: Path) -> None:
    """It leaves out what does not fit, and counts what is left."""
    provider.says(RIGHT, usage={"prompt": 1024})
    generated = generate(provider, tmp_path, api="ollama", context_tokens=1024)
    assert generated.stop_reason == "context_cut"
    assert "1024 tokens" in generated.record["reason"]
    assert "--context 8192" in generated.record["reason"] or "8192" in generated.record["reason"]


@pytest.mark.parametrize(("queue", "at_once"), [(True, 1), (False, 2)])
def test_a_server_on_this_machine_gets_one_request_at_a_time(
    provider: Provider, tmp_path: Path, queue: bool, at_once: int
) -> None:
    """Two would share its memory and its time, and each look slower than it is."""
    for _ in range(2):
        provider.says(RIGHT * 20, pause_s=0.02)
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
    threads = [
        threading.Thread(target=generate, args=(provider, folder), kwargs={"queue": queue})
        for folder in folders
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(provider.requests) == 2
    assert provider.most_at_once == at_once


def test_a_request_waits_for_a_judge(provider: Provider, tmp_path: Path) -> None:
    """Whose times would otherwise be those of a busy machine."""
    provider.says(RIGHT)
    thread = threading.Thread(target=generate, args=(provider, tmp_path))
    with judging():
        thread.start()
        time.sleep(0.3)
        assert provider.requests == []
    thread.join()
    assert len(provider.requests) == 1
