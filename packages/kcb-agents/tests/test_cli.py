"""``generate`` from the command line to the files, against a real HTTP server."""

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.endpoint.conversation import ToolCall
from kcb_agents.output import OutputFolder
from kcb_agents.preamble import ONE_SHOT
from kcb_agents.record import StopReason, read_record
from kcb_agents.voice import Voice
from kcb_core import console
from kcb_core.codec import digest
from kcb_core.dataset import open_dataset
from kcb_core.run_record import RunRecord, missing_fields
from kcb_core.selection import freeze_selection, write_selection
from kcb_core.submission import tree_sha256
from kcb_core.transcript import End

FIRST = "toy-easy-001-echo"
SECOND = "toy-easy-002-add"
SECRET = "sk-secret-7f3a9c51d2e84b06"
FENCE = "```"


def test_two_tasks_become_two_projects(bench: Any) -> None:
    """The main job: from prompts to a folder that ``evaluate --all`` takes."""
    bench.script.says()
    bench.script.says(f"### main.py\n{FENCE}python\nimport more\n{FENCE}\n"
                      f"### lib/more.py\n{FENCE}python\nX = 1\n{FENCE}\n")  # fmt: skip
    outcome = bench.generate()
    assert outcome.status == 0
    assert outcome.err.strip() == ""
    assert outcome.out.splitlines()[-1] == "asked 2: 2 done"
    assert bench.files(FIRST) == {"main.py": "print('hello')\n"}
    assert bench.files(SECOND) == {"main.py": "import more\n", "lib/more.py": "X = 1\n"}
    assert sorted(p.name for p in bench.output.iterdir()) == [".generation", FIRST, SECOND]
    assert sorted(p.name for p in (bench.output / ".generation").iterdir()) == [
        f"{FIRST}.json",
        f"{SECOND}.json",
        "transcripts",
    ]


def test_a_whole_tier_can_be_asked_for(bench: Any) -> None:
    """Nobody types 65 ids."""
    bench.script.says()
    bench.script.says()
    assert bench.generate("--subset", "easy", tasks=()).status == 0
    assert (bench.output / SECOND / "main.py").is_file()


def test_a_task_that_is_named_twice_is_asked_once(bench: Any) -> None:
    """A request costs money."""
    bench.script.says()
    assert bench.generate(tasks=(FIRST, FIRST)).status == 0
    assert len(bench.script.requests) == 1


def test_the_model_sees_preamble_and_prompt_and_nothing_else(bench: Any) -> None:
    """Acceptance data in the context would make every score worthless."""
    bench.script.says()
    bench.generate(tasks=[FIRST])
    prompt = open_dataset(bench.dataset).task(FIRST).prompt
    assert bench.script.requests == [
        {
            "model": "tiny:free",
            "messages": [{"role": "user", "content": ONE_SHOT.text + prompt}],
            "stream": True,
            "stream_options": {"include_usage": True},
        }
    ]
    assert bench.script.paths == ["/v1/chat/completions"]
    sent = json.dumps([bench.script.requests, bench.script.headers])
    assert "CANARY" not in sent
    assert FIRST not in sent.replace(f"# {FIRST}", "")


def test_sampling_parameters_are_sent_only_if_given(bench: Any) -> None:
    """A default of ours would silently replace the one that the model was tuned for."""
    bench.script.says()
    bench.generate("--temperature", "0", "--max-tokens", "9", "--seed", "7", tasks=[FIRST])
    sent = bench.script.requests[0]
    assert (sent["temperature"], sent["max_tokens"], sent["seed"]) == (0, 9, 7)
    usual = {"model", "messages", "stream", "stream_options"}
    assert sent.keys() == usual | {"temperature", "max_tokens", "seed"}


def test_a_record_says_how_the_project_was_made(bench: Any) -> None:
    """What is not written down when it happens cannot be asked later."""
    bench.script.says(usage={"prompt": 100, "completion": 20})
    bench.generate("--temperature", "0.5", tasks=[FIRST])
    record = bench.record()
    manifest = open_dataset(bench.dataset).manifest
    assert record["kind"] == "generation"
    assert record["format"] == 1
    assert record["model"] == {"asked": "tiny:free", "answered": "tiny-4b-q4"}
    assert record["endpoint"] == {"api": "openai", "base_url": bench.script.url}
    assert record["settings"] == {
        "base_url": bench.script.url,
        "model": "tiny:free",
        "temperature": 0.5,
    }
    assert record["finish_reason"] == "stop"
    assert record["stop_reason"] == "done"
    assert record["usage"] == {
        "input_tokens": 100,
        "output_tokens": 20,
        "includes_reasoning": True,
    }
    assert [attempt["status"] for attempt in record["attempts"]] == [200]
    assert record["preamble"]["sha256"] == ONE_SHOT.stamp.sha256
    assert record["dataset"]["manifest_sha256"] == manifest.sha256
    assert record["project"]["sha256"] == tree_sha256([("main.py", b"print('hello')\n", False)])
    assert record["reply"].startswith("Here it is.")
    transcript = bench.transcript()
    message, request, reply, end = (entry.event for entry in transcript.entries)
    assert record["transcript"] == {
        "file": f"transcripts/{FIRST}/1.jsonl",
        "sha256": digest(transcript.path.read_bytes()),
    }
    assert message.text == bench.script.requests[0]["messages"][0]["content"]
    assert request.messages == ((1, 1),)
    assert json.loads(transcript.stream(reply.raw))["id"] == "chatcmpl-1"
    assert end == End(stop_reason="done")
    assert None not in record.values()


def test_the_run_record_within_is_one_that_evaluate_takes(bench: Any) -> None:
    """What the endpoint did not say is listed as missing, and never made up."""
    bench.script.says()
    bench.generate("--seed", "3", tasks=[FIRST])
    run_record = read_record(bench.record_path()).run_record
    assert isinstance(run_record, RunRecord)
    assert (run_record.model_name, run_record.seed, run_record.retries) == ("tiny:free", 3, 0)
    assert (run_record.memory_reset, run_record.workspace_reset) == (True, True)
    assert (run_record.seen_tasks, run_record.tools, run_record.interventions) == ((), (), ())
    assert run_record.preamble_sha256 == ONE_SHOT.stamp.sha256
    assert {"quantization", "context_tokens", "chat_template"} <= set(missing_fields(run_record))


def test_null_content_is_no_project(bench: Any) -> None:
    """Local servers send null; that is an answer without a project, and no fault of theirs."""
    bench.script.says(None)
    outcome = bench.generate(tasks=[FIRST])
    assert outcome.status == 0
    assert "no_project" in outcome.out
    assert "the reply is empty" in outcome.out
    assert bench.files() == {}
    assert (bench.output / FIRST).is_dir(), "the model had its turn, so it is judged"


def test_a_reply_without_usage_has_none(bench: Any) -> None:
    """Zero tokens and unknown tokens are two things."""
    bench.script.says(usage={}, model=None, finish=None)
    assert bench.generate(tasks=[FIRST]).status == 0
    record = bench.record()
    assert "usage" not in record
    assert "usage" not in record["run_record"]
    assert record["model"] == {"asked": "tiny:free"}
    assert "finish_reason" not in record


def test_reasoning_without_an_answer_has_a_reason_of_its_own(bench: Any) -> None:
    """A model that thinks away its whole turn is not one that writes bad programs."""
    bench.script.says(None, reasoning="Let me think.\n### main.py\n```python\nx\n```")
    bench.generate(tasks=[FIRST])
    assert bench.record()["stop_reason"] == "reasoning_only"
    assert bench.record()["reasoning"].startswith("Let me think.")
    assert bench.files() == {}


def test_drafts_within_the_marks_of_a_thinking_model_are_no_answer(bench: Any) -> None:
    """Servers without a reasoning parser leave the marks in the content."""
    draft = f"<think>\n### main.py\n{FENCE}python\ndraft\n{FENCE}\n</think>\n"
    bench.script.says(f"{draft}### main.py\n{FENCE}python\nfinal\n{FENCE}\n")
    bench.script.says(draft.replace("</think>", ""))
    bench.generate()
    assert bench.files(FIRST) == {"main.py": "final\n"}
    assert bench.record(SECOND)["stop_reason"] == "reasoning_only"


def test_a_cut_reply_hands_in_what_is_there(bench: Any) -> None:
    """Partial work can be right; the stop reason explains and the judge decides."""
    bench.script.says(f"### main.py\n{FENCE}python\nprint(1)\nprint(", finish="length")
    bench.script.says("I will", finish="length")
    bench.generate()
    assert bench.record(FIRST)["stop_reason"] == "output_limit"
    assert bench.files(FIRST) == {"main.py": "print(1)\nprint(\n"}
    assert bench.record(FIRST)["notes"] == ["the block of main.py is not closed"]
    assert bench.record(SECOND)["stop_reason"] == "output_limit"
    assert bench.files(SECOND) == {}


def test_an_unknown_finish_reason_is_kept_as_it_is(bench: Any) -> None:
    """Routers have words of their own."""
    bench.script.says(finish="eos_token_seen")
    bench.generate(tasks=[FIRST])
    assert bench.record()["finish_reason"] == "eos_token_seen"
    assert bench.record()["stop_reason"] == "done"


@pytest.mark.parametrize(
    "path",
    ["../evil.py", "/etc/cron.d/evil.py", "a/../../evil.py", ".git/config.py", "a\\b.py", "a\0.py"],
)
def test_a_path_that_leads_elsewhere_makes_the_reply_no_project(bench: Any, path: str) -> None:
    """One bad path spoils the whole reply: a model's files stay in its project or nowhere."""
    before = {p for p in bench.output.parent.rglob("*") if p.is_file()}
    good = f"### main.py\n{FENCE}python\nx = 1\n{FENCE}\n"
    bench.script.says(f"{good}### {path}\n{FENCE}python\nevil\n{FENCE}\n")
    assert bench.generate(tasks=[FIRST]).status == 0
    assert bench.record()["stop_reason"] == "no_project"
    assert bench.record()["reason"]
    after = {p for p in bench.output.parent.rglob("*") if p.is_file()}
    assert after - before == {bench.record_path(), bench.transcript().path}


def test_half_a_surrogate_pair_is_invalid_output(bench: Any) -> None:
    """No file can hold it, and the record of it must be written all the same."""
    body = json.dumps(json.loads(completion_with("SURROGATE"))).replace("SURROGATE", "\\ud83d")
    bench.script.sends(body.encode())
    assert bench.generate(tasks=[FIRST]).status == 0
    assert bench.record()["stop_reason"] == "invalid_output"
    assert "\ud83d" in bench.record()["reply"]
    assert bench.generate(tasks=[FIRST]).out == "kept 1\n"


def completion_with(text: str) -> str:
    """A completion whose program holds a text."""
    content = f"### main.py\n{FENCE}python\nx = '{text}'\n{FENCE}\n"
    return json.dumps({"choices": [{"message": {"content": content}}]})


def test_line_separators_in_a_program_survive(bench: Any) -> None:
    """Lines end at one character; others are text."""
    bench.script.says(f"### main.py\n{FENCE}python\nx = 'a\u2028b\x0bc\x85d'\n{FENCE}\n")
    bench.generate(tasks=[FIRST])
    text = (bench.output / FIRST / "main.py").read_bytes().decode()
    assert text == "x = 'a\u2028b\x0bc\x85d'\n"


def test_connection_refused_is_one_line_and_status_3(bench: Any) -> None:
    """An outage says nothing of a model, so it leaves nothing that could be judged."""
    outcome = bench.generate("--base-url", "http://127.0.0.1:9/v1")
    assert outcome.status == 3
    assert outcome.out == ""
    assert len(outcome.err.strip().splitlines()) == 1
    assert "refused" in outcome.err
    assert "2 of 2 tasks left" in outcome.err
    assert list(bench.output.iterdir()) == [bench.output / ".generation"]
    assert [p.name for p in (bench.output / ".generation").iterdir()] == ["transcripts"]
    assert bench.clock.slept == [1.0, 2.0, 4.0]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<html>proxy login</html>", "the reply is no JSON"),
        (b'{"choices": []}', "no choices"),
        (b'{"object": "list"}', "no choices"),
        (b'{"choices": [{"text": "x"}]}', "no message"),
        (b'{"choices": [{"message": {"content": 7}}]}', "no text"),
        (b"[]", "no JSON object"),
        (b"", "the reply is no JSON"),
    ],
)
def test_a_reply_that_is_none_is_a_fault_of_the_endpoint(
    bench: Any, body: bytes, said: str
) -> None:
    """A wrong address must not become 65 failed tasks."""
    bench.script.sends(body)
    outcome = bench.generate()
    assert outcome.status == 3
    assert said in outcome.err
    assert len(bench.script.requests) == 1
    assert not (bench.output / FIRST).exists()


def test_a_reply_beyond_all_bounds_is_given_up(bench: Any) -> None:
    """Memory is not the endpoint's to use up."""
    bench.script.sends(b" " * ((8 << 20) + 1))
    outcome = bench.generate(tasks=[FIRST])
    assert outcome.status == 3
    assert "larger than 8 MiB" in outcome.err
    assert not (bench.output / FIRST).exists()


def test_one_task_that_is_refused_does_not_take_the_others_with_it(bench: Any) -> None:
    """A prompt may be too long for a context where others are not."""
    bench.script.fails(400, b'{"error": {"message": "exceeds the context size"}}')
    bench.script.says()
    outcome = bench.generate()
    assert outcome.status == 3
    assert "exceeds the context size" in outcome.err
    assert outcome.err.count("exceeds") == 1
    assert not (bench.output / FIRST).exists()
    assert bench.record(SECOND)["stop_reason"] == "done"
    assert FIRST in outcome.err.splitlines()[-1]


def test_a_wrong_key_ends_it_at_once(bench: Any) -> None:
    """Asking 64 more times would not make it right."""
    bench.script.fails(401, b'{"error": "who are you?"}')
    outcome = bench.generate()
    assert outcome.status == 3
    assert len(bench.script.requests) == 1
    assert "HTTP 401: who are you?" in outcome.err


def test_a_server_error_is_asked_again(bench: Any) -> None:
    """A model that is still being loaded answers 503."""
    bench.script.fails(500)
    bench.script.says()
    assert bench.generate(tasks=[FIRST]).status == 0
    record = bench.record()
    assert bench.clock.slept == [1.0]
    assert [(a["status"], a.get("wait_s", 0)) for a in record["attempts"]] == [(500, 1.0), (200, 0)]
    assert record["waited_s"] == 1.0
    assert record["run_record"]["retries"] == 1


def test_a_dropped_connection_is_asked_again(bench: Any) -> None:
    """Nothing came, so nothing is known."""
    bench.script.hangs_up()
    bench.script.says()
    assert bench.generate(tasks=[FIRST]).status == 0
    first, second = bench.record()["attempts"]
    assert "status" not in first
    assert "disconnected" in first["error"]
    assert second["status"] == 200


def test_a_compressed_reply_is_refused(bench: Any) -> None:
    """A few bytes could unfold into more than memory holds."""
    bench.script.sends(b"x", headers={"Content-Encoding": "gzip"})
    outcome = bench.generate(tasks=[FIRST])
    assert outcome.status == 3
    assert "compressed" in outcome.err
    assert bench.script.headers[0]["Accept-Encoding"] == "identity"


@pytest.mark.parametrize(
    ("retry_after", "wait_s"),
    [
        ("3", 3.0),
        ("0", 2.0),
        ("Thu, 01 Jan 2026 00:00:03 GMT", 3.0),
        ("Wed, 31 Dec 2025 23:00:00 GMT", 2.0),
        ("2abc", 5.0),
        (None, 5.0),
    ],
)
def test_too_many_requests_is_asked_again_once(
    bench: Any, retry_after: str | None, wait_s: float
) -> None:
    """The wait is what the endpoint says, within bounds, and it is recorded."""
    bench.script.fails(429, **({"Retry_After": retry_after} if retry_after else {}))
    bench.script.says()
    assert bench.generate(tasks=[FIRST]).status == 0
    assert bench.clock.slept == [wait_s]
    assert bench.record()["attempts"][0]["wait_s"] == wait_s
    assert bench.record()["stop_reason"] == "done"


@pytest.mark.parametrize(
    ("answers", "requests"),
    [
        pytest.param([(429, "86400")], 1, id="too long a wait"),
        pytest.param([(429, "1"), (429, "1")], 2, id="twice"),
        pytest.param([(429, "1"), (500, "0"), (429, "1")], 3, id="twice, not in a row"),
    ],
)
def test_rate_limited_is_no_answer(
    bench: Any, answers: list[tuple[int, str]], requests: int
) -> None:
    """Nothing is known of the model, so there is no project and the task is asked again later."""
    for status, wait in answers:
        bench.script.fails(status, Retry_After=wait)
    outcome = bench.generate(tasks=[FIRST])
    assert outcome.status == 3
    assert len(bench.script.requests) == requests
    assert bench.record()["stop_reason"] == "rate_limited"
    assert "project" not in bench.record()
    assert not (bench.output / FIRST).exists()
    bench.script.says()
    assert bench.generate(tasks=[FIRST]).status == 0
    assert bench.record()["stop_reason"] == "done"


def test_two_tasks_in_a_row_that_are_put_off_end_the_run(bench: Any) -> None:
    """An endpoint that is out of quota is left alone."""
    for _ in range(2):
        bench.script.fails(429, b'{"error": {"code": "insufficient_quota"}}')
    outcome = bench.generate()
    assert outcome.status == 3
    assert "2 of 2 tasks left" in outcome.err
    assert bench.clock.slept == []
    assert len(bench.script.requests) == 2


def test_a_finished_task_is_kept(bench: Any) -> None:
    """The same command goes on where it stopped, and pays for nothing twice."""
    bench.script.says()
    bench.generate(tasks=[FIRST])
    before = bench.record_path().read_bytes()
    bench.script.says()
    outcome = bench.generate()
    assert outcome.status == 0
    assert outcome.out.splitlines()[-1] == "asked 1: 1 done, kept 1"
    assert len(bench.script.requests) == 2
    assert bench.record_path().read_bytes() == before
    assert bench.generate().out == "kept 2\n"


def test_a_task_without_a_project_is_finished_too(bench: Any) -> None:
    """Asking until something comes would be another benchmark."""
    bench.script.says("I cannot do that.")
    bench.generate(tasks=[FIRST])
    assert bench.generate(tasks=[FIRST]).out == "kept 1\n"


def test_again_replaces_a_project(bench: Any) -> None:
    """And nothing of the old one stays."""
    bench.script.says(f"### main.py\n{FENCE}python\nold\n{FENCE}\n### b.py\n{FENCE}\nb\n{FENCE}")
    bench.generate(tasks=[FIRST])
    bench.script.says()
    assert bench.generate("--again", tasks=[FIRST]).status == 0
    assert bench.files() == {"main.py": "print('hello')\n"}


def test_an_outage_under_again_leaves_the_old_project(bench: Any) -> None:
    """What is finished is worth more than a failed try."""
    bench.script.says()
    bench.generate(tasks=[FIRST])
    before = bench.record_path().read_bytes()
    bench.script.fails(401)
    assert bench.generate("--again", tasks=[FIRST]).status == 3
    bench.script.fails(429, Retry_After="999")
    assert bench.generate("--again", tasks=[FIRST]).status == 3
    assert bench.files() == {"main.py": "print('hello')\n"}
    assert bench.record_path().read_bytes() == before
    assert bench.generate(tasks=[FIRST]).out == "kept 1\n"


@pytest.mark.parametrize(
    ("words", "noun"),
    [
        (["--model", "other"], "model"),
        (["--temperature", "1"], "temperature"),
        (["--seed", "1"], "seed"),
    ],
)
def test_projects_of_two_models_are_not_mixed(bench: Any, words: list[str], noun: str) -> None:
    """A folder that is half one model's and half another's has a score that means nothing."""
    bench.script.says()
    bench.generate(tasks=[FIRST])
    outcome = bench.generate(*words)
    assert outcome.status == 2
    assert f"another {noun}" in outcome.err
    assert len(bench.script.requests) == 1


def test_a_longer_timeout_is_no_other_way(bench: Any) -> None:
    """It is the remedy for a slow model, and must not cost what is finished."""
    bench.script.says()
    bench.generate(tasks=[FIRST])
    assert bench.generate("--timeout", "900", tasks=[FIRST]).out == "kept 1\n"


@pytest.mark.parametrize("words", [(), ("--again",)])
def test_a_project_that_was_not_made_here_is_never_touched(
    bench: Any, words: tuple[str, ...]
) -> None:
    """Somebody's work may stand in the folder."""
    (bench.output / FIRST).mkdir(parents=True)
    (bench.output / FIRST / "main.py").write_text("mine")
    outcome = bench.generate(*words, tasks=[FIRST])
    assert outcome.status == 2
    assert "without a finished record" in outcome.err
    assert bench.files() == {"main.py": "mine"}
    assert bench.script.requests == []


def test_a_record_whose_project_is_gone_is_an_error(bench: Any) -> None:
    """Neither asking again in silence nor keeping nothing would be right."""
    bench.script.says()
    bench.generate(tasks=[FIRST])
    (bench.output / FIRST / "main.py").unlink()
    (bench.output / FIRST).rmdir()
    outcome = bench.generate(tasks=[FIRST])
    assert outcome.status == 2
    assert "is gone" in outcome.err


def test_a_record_that_cannot_be_read_is_an_error_and_can_be_replaced(bench: Any) -> None:
    """A torn or newer file is named, and never guessed at."""
    bench.script.says()
    bench.generate(tasks=[FIRST])
    record = bench.record() | {"format": 99}
    bench.record_path().write_text(json.dumps(record))
    outcome = bench.generate(tasks=[FIRST])
    assert outcome.status == 2
    assert "field 'format': 99" in outcome.err
    bench.record_path().write_text(json.dumps(record | {"kind": "task-report"}))
    assert "field 'kind'" in bench.generate(tasks=[FIRST]).err
    bench.script.says()
    assert bench.generate("--again", tasks=[FIRST]).status == 0


def test_a_stop_between_record_and_project_is_made_good(bench: Any) -> None:
    """The record is the point of no return, so the project must still get to its place."""
    bench.script.says()
    bench.generate(tasks=[FIRST])
    sha256 = bench.record()["project"]["sha256"]
    os.rename(bench.output / FIRST, bench.output / ".generation" / f"{FIRST}.{sha256}")
    assert bench.generate(tasks=[FIRST]).out == "kept 1\n"
    assert bench.files() == {"main.py": "print('hello')\n"}


def test_a_stop_before_the_record_leaves_the_finished_project(bench: Any) -> None:
    """What a killed ``--again`` left behind belongs to no record."""
    bench.script.says()
    bench.generate(tasks=[FIRST])
    for name in (f"{FIRST}.part", f"{FIRST}.{'0' * 64}"):
        (bench.output / ".generation" / name).mkdir()
    assert bench.generate(tasks=[FIRST]).out == "kept 1\n"
    assert bench.files() == {"main.py": "print('hello')\n"}


def test_two_at_once_in_one_folder_are_refused(bench: Any) -> None:
    """Both would ask for the same tasks, and pay twice."""
    with OutputFolder(bench.output).opened():
        outcome = bench.generate(tasks=[FIRST])
    assert outcome.status == 2
    assert "another 'generate' writes there" in outcome.err


def test_the_key_is_sent_and_never_stored_or_shown(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records are published, and terminals are filmed."""
    monkeypatch.setenv("MY_KEY", f"{SECRET}\n")
    bench.script.says(f"Your key is {SECRET}.\n### main.py\n{FENCE}python\nk = '{SECRET}'\n{FENCE}")
    bench.script.fails(500, f'{{"error": "bad key {SECRET}"}}'.encode())
    bench.script.fails(403, f"no entry for {SECRET}".encode())
    outcome = bench.generate("--api-key-env", "MY_KEY")
    assert outcome.status == 3
    assert {h["Authorization"] for h in bench.script.headers} == {f"Bearer {SECRET}"}
    assert "[api key]" in outcome.err
    files = [path for path in bench.output.rglob("*") if path.is_file()]
    assert len(files) == 4
    stored = b"".join(path.read_bytes() for path in files)
    assert SECRET.encode() not in stored + (outcome.out + outcome.err).encode()
    assert b"MY_KEY" not in stored


def test_a_tool_call_says_why_there_is_no_project(bench: Any) -> None:
    """None was offered."""
    bench.script.says(None, calls=(ToolCall(id="1", name="write"),))
    bench.generate(tasks=[FIRST])
    assert bench.record()["stop_reason"] == "no_project"
    assert "called a tool" in bench.record()["reason"]


def test_a_key_that_no_header_can_hold_is_refused(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not shown."""
    monkeypatch.setenv("MY_KEY", "schlüssel")
    outcome = bench.generate("--api-key-env", "MY_KEY")
    assert outcome.status == 2
    assert "MY_KEY" in outcome.err
    assert "schl" not in outcome.err


def test_no_key_is_sent_unless_one_is_named(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key in the environment is for whom its owner means it."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    bench.script.says()
    bench.generate(tasks=[FIRST])
    assert "Authorization" not in bench.script.headers[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--base-url", "http://user:hunter2@localhost/v1"], "credentials"),
        (["--base-url", "http://localhost/v1?key=hunter2"], "credentials"),
        (["--base-url", "localhost:8080"], "no HTTP URL"),
        (["--base-url", "ftp://localhost/v1"], "no HTTP URL"),
        (["--base-url", "http://[::1/v1"], "cannot be read"),
        (["--model", " "], "'model' is empty"),
        (["--temperature", "nan"], "temperature"),
        (["--temperature", "-1"], "temperature"),
        (["--max-tokens", "0"], "max_tokens"),
        (["--timeout", "0"], "timeout_s"),
        (["--api-key-env", "NOT_SET_ANYWHERE"], "NOT_SET_ANYWHERE"),
        (["--agent", "one-shoot"], "did you mean 'one-shot'"),
        (["--subset", "easy"], "not both"),
        (["--dataset", "nowhere"], "nowhere"),
        (["toy-easy-003-none"], "unknown task"),
    ],
)
def test_a_wrong_invocation_is_one_line_and_status_2(
    bench: Any, words: list[str], said: str
) -> None:
    """Before anything is asked for."""
    outcome = bench.generate(*words)
    assert outcome.status == 2
    assert said in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1
    assert "hunter2" not in outcome.err
    assert bench.script.requests == []


@pytest.mark.parametrize("words", [["--subset", "hard"], []])
def test_no_task_is_an_error(bench: Any, words: list[str]) -> None:
    """An empty run that says it is done would be believed."""
    assert bench.generate(*words, tasks=()).status == 2


def test_an_output_that_is_a_file_is_refused(bench: Any) -> None:
    """Before anything is asked for."""
    bench.output.write_text("a file")
    assert bench.generate().status == 2
    assert bench.script.requests == []


def test_json_is_all_that_stands_on_standard_output(bench: Any) -> None:
    """Programs read it, also when a task was left."""
    bench.script.says()
    bench.script.fails(404)
    outcome = bench.generate("--json")
    assert outcome.status == 3
    result = json.loads(outcome.out)
    assert result["asked"] == [
        {"task_id": FIRST, "stop_reason": "done", "record": str(bench.record_path())}
    ]
    assert (result["kept"], result["left"]) == ([], [SECOND])


def test_a_missing_version_in_the_base_url_is_guessed_at(bench: Any) -> None:
    """The most usual mistake deserves its remedy."""
    bench.script.fails(404, b'{"detail": "Not Found"}')
    outcome = bench.generate("--base-url", bench.script.url.removesuffix("/v1"))
    assert "Not Found (does the base URL lack /v1?)" in outcome.err


def test_the_base_url_has_one_spelling(bench: Any) -> None:
    """So that a slash is no other endpoint."""
    bench.script.says()
    bench.generate("--base-url", f"{bench.script.url}/chat/completions/", tasks=[FIRST])
    assert bench.script.paths == ["/v1/chat/completions"]
    assert bench.generate(tasks=[FIRST]).out == "kept 1\n"


def test_a_redirect_is_not_followed(bench: Any) -> None:
    """A key goes nowhere but where its owner sent it."""
    bench.script.fails(307, Location="http://127.0.0.1:9/v1")
    outcome = bench.generate(tasks=[FIRST])
    assert outcome.status == 3
    assert "redirects to http://127.0.0.1:9/v1" in outcome.err


def test_an_error_that_comes_as_success_is_an_error(bench: Any) -> None:
    """Routers answer 200 before the model behind them fails."""
    bench.script.sends(b'\n\n{"error": {"code": 502, "message": "provider down"}}')
    bench.script.says()
    assert bench.generate(tasks=[FIRST]).status == 0
    assert bench.record()["attempts"][0]["status"] == 502


def test_a_reply_that_never_ends_is_given_up(bench: Any) -> None:
    """Time is held while a reply is read, so blanks that keep a connection alive do not help."""

    def pass_time() -> None:
        bench.clock.elapsed += 601

    bench.script.sends(b" ", before=pass_time)
    outcome = bench.generate(tasks=[FIRST])
    assert outcome.status == 3
    assert "within 600 s" in outcome.err
    assert len(bench.script.requests) == 1


def test_a_silent_endpoint_is_given_up(bench: Any) -> None:
    """No request waits for ever, and neither does asking again."""
    release = threading.Event()
    for _ in range(4):
        bench.script.sends(b"", before=lambda: release.wait(5))
    outcome = bench.generate("--timeout", "0.1", tasks=[FIRST])
    release.set()
    assert outcome.status == 3
    assert "within 0.1 s" in outcome.err


def test_every_stop_reason_is_one_of_the_closed_set() -> None:
    """Readers of records know these words and no others."""
    assert set(StopReason) == {
        *(
            "done",
            "turns",
            "time",
            "tokens",
            "dollars",
            "output_limit",
            "context_cut",
            "reasoning_only",
        ),
        *("repetition", "program_failed", "no_project", "invalid_output"),
        *("rate_limited", "cancelled"),
    }


def test_a_frozen_selection_can_be_asked_for(bench: Any, tmp_path: Path) -> None:
    """The tasks by which somebody means to be measured, in the order of the dataset."""
    path = tmp_path / "selection.json"
    manifest = open_dataset(bench.dataset).manifest
    write_selection(freeze_selection(manifest, [SECOND]), path)
    bench.script.says()
    assert bench.generate("--subset", str(path), tasks=()).status == 0
    assert not (bench.output / FIRST).exists()
    assert (bench.output / SECOND).is_dir()
    other = json.loads(path.read_text()) | {"manifest_sha256": "0" * 64}
    path.write_text(json.dumps(other))
    outcome = bench.generate("--subset", str(path), tasks=())
    assert outcome.status == 2
    assert "which is not here" in outcome.err


def test_a_wrong_time_budget_is_refused(bench: Any) -> None:
    """Before anything is asked for."""
    outcome = bench.generate("--time-budget", "soon")
    assert outcome.status == 2
    assert "no duration" in outcome.err
    assert bench.script.requests == []


def test_a_used_up_time_budget_leaves_the_rest(bench: Any) -> None:
    """With the status of a run that is not done, and the remedy."""
    bench.script.says(pause_s=0.05)
    bench.script.says()
    outcome = bench.generate("--time-budget", "0.2")
    assert outcome.status == 3
    assert "the time budget is used up; 1 of 2 tasks left" in outcome.err
    assert bench.generate().status == 0


@pytest.mark.parametrize(("retries", "requests"), [(0, 1), (1, 2), (2, 3), (9, 4)])
def test_retries_can_be_bounded(bench: Any, retries: int, requests: int) -> None:
    """And never exceed what is usual."""
    for _ in range(5):
        bench.script.fails(503)
    outcome = bench.generate("--max-retries", str(retries), tasks=[FIRST])
    assert outcome.status == 3
    assert len(bench.script.requests) == requests
    assert len(bench.clock.slept) == requests - 1


def test_without_retries_too_many_requests_is_waited_for_by_nobody(bench: Any) -> None:
    """It is for whoever has a plan of their own."""
    bench.script.fails(429, Retry_After="3")
    assert bench.generate("--max-retries", "0", tasks=[FIRST]).status == 3
    assert bench.clock.slept == []
    assert bench.record()["stop_reason"] == "rate_limited"


@pytest.mark.parametrize("api", ["openai", "responses", "anthropic", "ollama"])
def test_every_form_makes_projects(bench: Any, api: str) -> None:
    """From the command line to the files."""
    bench.script.says()
    assert bench.generate("--api", api, tasks=[FIRST]).status == 0
    assert bench.files() == {"main.py": "print('hello')\n"}
    assert bench.record()["endpoint"]["api"] == api


def test_an_expected_end_is_foretold_where_it_is_worth_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A minute is waited for without, a night is not."""
    with console.progress() as bar:
        voice = Voice(bar=bar, shown=bar.add_task("", detail=""), as_json=False)
        voice.foresees(5, "soon")
        voice.foresees(7200, "2 h 00 min for the other 64 tasks")
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("2 h 00 min for the other 64 tasks; expected end ")
    assert len(said.err.splitlines()) == 1
