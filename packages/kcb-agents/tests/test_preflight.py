"""Whether a server that cuts prompts is found out before a model is judged by what it saw."""

from typing import Any

import pytest

from kcb_agents.endpoint_line import GREEDY_THINKER

FIRST = "toy-easy-001-echo"


def test_a_server_that_sees_all_of_it_is_let_be(bench: Any) -> None:
    """By its own count, and without a word."""
    bench.script.says()
    outcome = bench.generate(tasks=[FIRST])
    assert (outcome.status, outcome.err) == (0, "")
    assert len(bench.script.probes) == 3
    assert all(probe["max_tokens"] == 24 for probe in bench.script.probes)


@pytest.mark.parametrize("obeys", [True, False])
@pytest.mark.parametrize("context", [300, 600, 880])
def test_a_silent_cut_is_found_by_the_servers_own_count(
    bench: Any, context: int, obeys: bool
) -> None:
    """Also with a model that cannot obey, and also if little is missing."""
    bench.script.context, bench.script.obeys = context, obeys
    outcome = bench.generate(tasks=[FIRST])
    assert outcome.status == 2
    assert "in silence" in outcome.err
    assert f"{context} tokens of " in outcome.err
    assert "llama-server -c" in outcome.err
    assert bench.script.requests == []


def test_without_counts_the_model_is_asked_for_a_word(bench: Any) -> None:
    """That stood where a cut begins."""
    bench.script.context, bench.script.counts = 600, False
    outcome = bench.generate(tasks=[FIRST])
    assert outcome.status == 2
    assert "its start is not remembered" in outcome.err
    bench.script.context = None
    bench.script.says()
    assert bench.generate(tasks=[FIRST]).err == ""


def test_what_nothing_shows_is_said(bench: Any) -> None:
    """Neither a count, nor a model that obeys."""
    bench.script.counts = bench.script.obeys = False
    bench.script.says()
    outcome = bench.generate(tasks=[FIRST])
    assert outcome.status == 0
    assert "nothing shows" in outcome.err


def test_a_context_without_room_for_an_answer_is_said_with_its_remedy(bench: Any) -> None:
    """The prompt fits, and the answer will not."""
    bench.script.shown["/props"] = {"default_generation_settings": {"n_ctx": 1500}}
    bench.script.says()
    outcome = bench.generate(tasks=[FIRST])
    assert "leaves little room" in outcome.err
    assert "llama-server -c" in outcome.err


def test_a_server_that_fails_is_left_to_the_first_task(bench: Any) -> None:
    """Which says so once, and in the usual way."""
    bench.script.says()
    outcome = bench.generate("--base-url", bench.script.url.replace("/v1", "/nothing"))
    assert outcome.status == 3
    assert len(outcome.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "probes"), [(["--no-preflight"], 0), (["--preflight"], 3), ([], 3)]
)
def test_it_can_be_left_out(bench: Any, words: list[str], probes: int) -> None:
    """It costs time where prompts are slow."""
    bench.script.says()
    assert bench.generate(*words, tasks=[FIRST]).status == 0
    assert len(bench.script.probes) == probes


def test_nothing_is_tried_out_if_nothing_is_left_to_ask(bench: Any) -> None:
    """All tasks are finished."""
    bench.script.says()
    bench.generate(tasks=[FIRST])
    bench.script.probes.clear()
    assert bench.generate(tasks=[FIRST]).out == "kept 1\n"
    assert bench.script.probes == []


def test_a_thinking_model_that_is_sampled_greedily_is_warned_of_at_once(bench: Any) -> None:
    """Before hours are spent on it, and once."""
    bench.script.shown = {"/api/version": {"version": "1"},
                          "/api/show": {"capabilities": ["thinking"]}}  # fmt: skip
    bench.script.says(reasoning="hm")
    bench.script.says(reasoning="hm")
    outcome = bench.generate("--temperature", "0")
    assert outcome.status == 0
    assert GREEDY_THINKER.split(";")[0] in outcome.err
