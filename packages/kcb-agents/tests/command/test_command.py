"""External programs as agents: real processes, in the real sandbox, behind the real proxy."""

import ast
import json
import os
import signal
import threading
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kcb_agents.command.command_agent import CommandAgent
from kcb_core.testing.agent_conformance import AgentConformance
from kcb_core.transcript import Contract, Message, Outcome, Refusal, Reply

KEY = "sk-planted-0123456789abcdef"

WORKS = "write(ask(open(sys.argv[1]).read()))"

CONTRACTS = ("exit-code", "protocol-v1")


class TestCommand(AgentConformance):
    """It keeps what every agent keeps."""

    agent = CommandAgent()
    wrong_settings: ClassVar = {"base_url": "http://localhost/v1", "model": "m", "top": 1}
    options: ClassVar = {"argv": "/bin/sh -c 'echo 1 > main.py; mkdir a; echo 2 > a/b.py'"}

    @pytest.fixture(autouse=True)
    def _endpoint(self, script: Any, clock: Any) -> None:
        self.agent = CommandAgent(clock)
        self.settings = {"base_url": script.url, "model": "m"}


def events(bench: Any, kind: type[Any]) -> list[Any]:
    """The events of one kind in the first transcript."""
    return [e.event for e in bench.transcript().entries if isinstance(e.event, kind)]


@pytest.mark.parametrize("result", CONTRACTS)
def test_a_program_writes_a_project_with_what_a_model_says(
    bench: Any, program: Any, result: str
) -> None:
    """It is told the task, asks through the proxy, and what it used stands in the record."""
    bench.script.says("print('hello')\n", usage={"prompt": 40, "completion": 7})
    done = program(WORKS + "; print('CHATTER')", result=result)
    assert (done.outcome.status, done.reason) == (0, ("done", ""))
    assert bench.files() == {"main.py": "print('hello')\n"}
    (asked,) = bench.script.requests
    (told,) = events(bench, Message)
    assert asked["messages"][0]["content"] == told.text
    assert told.text.endswith("# toy-easy-001-echo\n\nWrite a program. U+2028: \u2028, emoji: 😀\n")
    record = done.record
    assert record["usage"]["input_tokens"] == 40
    assert record["run_record"]["usage"] == record["usage"]
    assert record["program"]["name"] == "toy"
    assert record["totals"]["turns"] == 1
    assert "cost" not in record["run_record"]
    assert record["confinement"]["level"] == "full"
    (reply,), (outcome,) = events(bench, Reply), events(bench, Outcome)
    assert (reply.turn, reply.usage.output_tokens) == (1, 7)
    assert (outcome.ending, outcome.status) == ("exited", 0)
    (contract,) = events(bench, Contract)
    assert contract.profile == "command/toy"
    held = b"".join(p.read_bytes() for p in bench.output.rglob("*.jsonl"))
    assert (b"CHATTER" in held) == (result == "protocol-v1"), "unstructured output is dropped"


def test_usage_and_cost_are_left_out_where_nothing_is_stated(bench: Any, program: Any) -> None:
    """What is not known is no zero, and what is seen of it is a lower bound."""
    bench.script.counts = False
    bench.script.says("1")
    record = program(WORKS).record
    assert "usage" not in record
    assert "usage" not in record["run_record"]
    assert "cost" not in record["run_record"]
    assert record["totals"]["usage_complete"] is False


def test_what_it_costs_is_priced_where_a_price_is_declared(bench: Any, program: Any) -> None:
    """And bounded: the request that follows is refused, which ends the program."""
    million = {"prompt": 1_000_000, "completion": 100_000}
    for _ in range(2):
        bench.script.says("1", usage=million)
    prices = ("--agent-option", "price_input=1", "--agent-option", "price_output=10")
    done = program("write(ask()); print(ask()); ask()", *prices, "--agent-option", "dollars=3")
    assert done.record["run_record"]["cost"] == {"dollars": 4.0}
    assert done.record["bounds"]["dollars"] == 3.0
    assert done.reason == ("dollars", "the bound of 3.0 dollars was reached")
    assert len(bench.script.requests) == 2
    assert bench.files() == {"main.py": "1"}


def test_a_bound_of_dollars_needs_a_price(program: Any) -> None:
    """A model here has none, and a bound that nobody can hold is no bound."""
    done = program(WORKS, "--agent-option", "dollars=1")
    assert done.outcome.status == 2
    assert "no price of 'tiny:free' is known" in done.outcome.err


@pytest.mark.parametrize(
    ("source", "option", "reason"),
    [
        ("while True: ask()", "turns=2", ("turns", "the bound of 2 requests was reached")),
        ("ask('x' * 4000); time.sleep(60)", "tokens=900",
         ("tokens", "the bound of 900 estimated tokens was reached")),
        ("time.sleep(60)", "seconds=2", ("time", "the bound of 2 s was reached")),
        ("subprocess.Popen(['sleep', '60']); ask(); time.sleep(60)", "seconds=2",
         ("time", "the bound of 2 s was reached")),
    ],
)  # fmt: skip
def test_every_bound_ends_a_program(
    bench: Any, program: Any, source: str, option: str, reason: tuple[str, str]
) -> None:
    """At once, whatever it does then; what it has left is its project."""
    for _ in range(3):
        bench.script.says("1")
    done = program(f"write()\n{source}", "--agent-option", option)
    assert done.reason == reason
    assert done.record["wall_s"] < 30
    assert bench.files() == {"main.py": "print(1)\n"}


@pytest.mark.parametrize("result", CONTRACTS)
def test_a_program_that_waits_for_input_finds_none(bench: Any, program: Any, result: str) -> None:
    """It could wait for ever; so its input is at its end before it begins."""
    done = program("write(repr(sys.stdin.read()) + '\\n')", result=result)
    assert done.reason == ("done", "")
    assert bench.files() == {"main.py": "''\n"}
    assert done.record["notes"] == ["the program asked no model"]


@pytest.mark.parametrize("result", CONTRACTS)
def test_an_exit_code_of_zero_makes_no_project(program: Any, result: str) -> None:
    """A program that failed and says nothing of it has handed in nothing."""
    done = program("print('Error: no', file=sys.stderr)", result=result)
    assert done.reason == ("no_project", "there is no main.py")
    held = b"".join(p.read_bytes() for p in done.bench.output.rglob("*.jsonl"))
    assert b"Error: no" in held


@pytest.mark.parametrize("result", CONTRACTS)
@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("sys.exit(3)", "the program ended with exit code 3"),
        ("os.kill(os.getpid(), 9)", "the program was ended by signal 9"),
    ],
)
def test_a_program_that_says_that_it_failed(
    bench: Any, program: Any, result: str, source: str, said: str
) -> None:
    """What it left is judged all the same, since a stop reason explains and decides nothing."""
    done = program(f"write(); {source}", result=result)
    assert done.reason == ("program_failed", said)
    assert bench.files() == {"main.py": "print(1)\n"}


@pytest.mark.parametrize("result", CONTRACTS)
def test_what_is_left_running_is_killed_before_the_files_are_taken(
    bench: Any, program: Any, result: str
) -> None:
    """A child in a session of its own would write into the project until it is judged."""
    child = "import time\nwhile True: open('late.txt', 'w').write(str(time.time_ns()))"
    done = program(
        "write()\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True)\n"
        "while not os.path.exists('late.txt'): time.sleep(0.01)",
        result=result,
    )
    assert done.reason == ("done", "")
    assert "1 processes that it left running were killed" in done.record["notes"]
    assert set(bench.files()) == {"main.py", "late.txt"}


@pytest.mark.parametrize("result", CONTRACTS)
def test_a_flood_of_output_ends_a_program(program: Any, result: str) -> None:
    """It is not kept, and not read for ever."""
    done = program("write()\nwhile True: sys.stdout.write('y' * 65536)", result=result)
    assert done.reason == ("output_limit", "the program wrote more than 64 MiB of output")


def test_too_much_of_this_machine_ends_a_program(program: Any) -> None:
    """Its own fault, and said as such."""
    done = program("write(); held = bytearray(b'x') * (5 << 30)")
    assert done.reason[0] == "program_failed"


def test_an_endpoint_that_puts_it_off_is_not_the_programs_fault(bench: Any, program: Any) -> None:
    """Though it exits with 0 and leaves something: it is asked again."""
    bench.script.says("1")
    bench.script.fails(429)
    done = program("write(ask()); ask()")
    assert (done.outcome.status, done.record["stop_reason"]) == (3, "rate_limited")
    assert bench.files() == {}
    (refusal,) = events(bench, Refusal)
    assert refusal.error == "HTTP 429"
    bench.script.says("2")
    assert program("write(ask())").reason == ("done", "")


@pytest.mark.parametrize("status", [401, 500])
def test_an_endpoint_that_fails_is_an_outage(bench: Any, program: Any, status: int) -> None:
    """Nothing is said of the program or the model."""
    bench.script.fails(status)
    done = program("write(); ask(); sys.exit(1)")
    assert done.outcome.status == 3
    assert f"the endpoint failed: HTTP {status} to the last request" in done.outcome.err
    assert done.record == {}


def test_an_error_that_it_gets_over_does_not_count(bench: Any, program: Any) -> None:
    """Programs have retries of their own."""
    bench.script.fails(500)
    bench.script.says("1")
    assert program("ask(); write(ask())").reason == ("done", "")


def test_ctrl_c_ends_a_program_at_once(bench: Any, program: Any) -> None:
    """What it had used by then stands in the record, as its checkpoint has it."""
    bench.script.says("1", usage={"prompt": 40, "completion": 7})
    timer = threading.Timer(5.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    done = program("write(ask()); time.sleep(60)")
    timer.cancel()
    assert done.outcome.status == 130
    assert done.record["stop_reason"] == "cancelled"
    assert done.record["wall_s"] < 20
    assert done.record["usage"]["input_tokens"] == 40
    assert not (bench.output / "toy-easy-001-echo").exists()


def test_no_real_key_is_inside_and_none_in_any_artifact(
    bench: Any, program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the program finds under a credential's name is a token that only the proxy takes."""
    monkeypatch.setenv("MY_KEY", KEY)
    bench.script.says(f"# {KEY}\n")
    source = (
        "write(repr(dict(os.environ)), 'seen.txt')\n"
        "said = ask(); write(said); print(said, os.environ['OPENAI_API_KEY'])\n"
        "write(str(post({'model': 'tiny:free'}, 'other')[0]), 'wrong.txt')\n"
        "write(str(post({'model': 'dear'})[0]), 'dear.txt')"
    )
    done = program(source, "--api-key-env", "MY_KEY", result="protocol-v1")
    assert done.outcome.status == 0
    files = bench.files()
    seen = ast.literal_eval(files["seen.txt"])
    assert seen["OPENAI_API_KEY"].startswith("kcb-")
    declared = {"OPENAI_BASE_URL", "MODEL", "OPENAI_API_KEY"}
    assert set(seen) - {"LC_CTYPE"} == {"PATH", "LANG", "HOME", "TMPDIR"} | declared
    assert files["wrong.txt"] == "401"
    assert files["dear.txt"] != "200"
    held = b"".join(p.read_bytes() for p in bench.output.rglob("*") if p.is_file())
    assert KEY.encode() not in held + (done.outcome.out + done.outcome.err).encode()
    records = b"".join(
        p.read_bytes() for p in (bench.output / ".generation").rglob("*") if p.is_file()
    )
    assert seen["OPENAI_API_KEY"].encode() not in records
    assert KEY in bench.script.headers[0]["authorization"]


def test_the_proxy_is_the_only_way_out(bench: Any, program: Any) -> None:
    """Not even the endpoint itself, on this machine's loopback, can be reached."""
    bench.script.says("1")
    port = bench.script.url.rpartition(":")[2].partition("/")[0]
    done = program(
        "import socket\nwrite(ask())\n"
        f"for place in (('127.0.0.1', {port}), ('192.0.2.1', 80)):\n"
        "    try: socket.create_connection(place, timeout=3); write('out', 'out.txt')\n"
        "    except OSError: pass"
    )
    assert done.reason == ("done", "")
    assert set(bench.files()) == {"main.py"}


def test_a_bound_credential_has_another_name(bench: Any, program: Any) -> None:
    """And one that is not bound keeps its own."""
    bench.script.says("1")
    source = "write(ask()); write(' '.join(sorted(os.environ)), 'names.txt')"
    program(
        source.replace("ask()", "os.environ['A_NAME'][:4]"),
        credentials=["TOKEN_ONE", "TOKEN_TWO"],
        bindings={"A_NAME": "TOKEN_ONE"},
    )
    names = bench.files()["names.txt"].split()
    assert {"A_NAME", "TOKEN_TWO"} <= set(names)
    assert "TOKEN_ONE" not in names
    assert bench.files()["main.py"] == "kcb-"


def test_its_folder_of_tools_is_read_only(bench: Any, program: Any) -> None:
    """What one task leaves there, the next would find."""
    source = (
        "write()\n"
        "for place in (os.path.dirname(sys.argv[0]), os.path.dirname(sys.argv[1])):\n"
        "    try: write('x', place + '/left.txt'); write('', 'wrote.txt')\n"
        "    except OSError: pass"
    )
    assert program(source).reason == ("done", "")
    assert set(bench.files()) == {"main.py"}


def test_a_command_line_alone_declares_a_program(bench: Any) -> None:
    """With the variables that most programs read."""
    words = ["--agent", "command", "--no-preflight", "--agent-option"]
    line = "argv=sh -c 'env > main.py; echo {model}'"
    assert bench.generate(*words, line, tasks=["toy-easy-001-echo"]).status == 0
    found = dict(line.split("=", 1) for line in bench.files()["main.py"].splitlines())
    assert found["OPENAI_BASE_URL"] == found["ANTHROPIC_BASE_URL"] + "/v1"
    assert found["OPENAI_MODEL"] == "tiny:free"
    assert found["OPENAI_API_KEY"] == found["ANTHROPIC_API_KEY"] != ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "one of the fields 'program' and 'argv' is needed"),
        (["program=mini-swe-agen"], "did you mean 'mini-swe-agent'"),
        (["program=mini-swe-agent"], "'{toolchain}' needs the option toolchain=..."),
        (["program=/nowhere.toml"], "/nowhere.toml"),
        (["argv=x", "confine=basic"], "'confine'"),
        (["argv='"], "no command line"),
        (["argv=nosuchprogram"], "cannot be started in its sandbox"),
        (["argv=x", "toolchain=/nowhere"], "/nowhere"),
        (["argv=x", "turns=0"], "'turns' must be 1 or more"),
    ],
)
def test_wrong_options_are_refused_in_one_line(bench: Any, words: list[str], said: str) -> None:
    """With exit status 2, and before anything is asked."""
    options = [word for each in words for word in ("--agent-option", each)]
    done = bench.generate(
        "--agent", "command", "--no-preflight", *options, tasks=["toy-easy-001-echo"]
    )
    assert (done.status, len(done.err.strip().splitlines())) == (2, 1)
    assert said in done.err
    assert bench.script.requests == []


def test_the_wrapper_says_the_same_of_a_program_that_is_not_there(bench: Any, program: Any) -> None:
    """It is the caller's mistake in both contracts."""
    done = program("", result="protocol-v1", argv=["/nowhere/agent"])
    assert done.outcome.status == 2
    assert "cannot be started in its sandbox" in done.outcome.err


def test_settings_that_only_the_program_could_keep_are_refused(program: Any) -> None:
    """A temperature in the record that nobody has sent would be a lie."""
    done = program(WORKS, "--temperature", "0.5", "--context", "4096", "--api", "ollama")
    assert done.outcome.status == 2
    assert (
        "the program itself decides on context_tokens, temperature; leave that out"
        in done.outcome.err
    )


def test_without_confinement_it_is_metered_all_the_same(bench: Any, program: Any) -> None:
    """For whoever trusts a program; the record says what it was kept from."""
    bench.script.says("1")
    done = program(WORKS, "--agent-option", "confine=none")
    assert done.reason == ("done", "")
    assert done.record["confinement"]["level"] == "none"
    assert done.record["totals"]["turns"] == 1


def test_the_checkpoint_lies_beside_the_transcript(bench: Any, program: Any) -> None:
    """For whoever finds a harness that was killed."""
    bench.script.says("1")
    program(WORKS)
    (path,) = (bench.output / ".generation").rglob("*.provider-usage.json")
    assert json.loads(path.read_bytes())["requests"] == 1
    assert path.parent.parent.name == "toy-easy-001-echo"


def test_presets_are_declarations(tmp_path: Path) -> None:
    """Each can be read, shows its toolchain, and is told the task, the model and the proxy."""
    from kcb_agents.command.declaration import find_declaration, preset_names  # noqa: PLC0415

    assert {"mini-swe-agent", "qwen-code"} <= set(preset_names())
    for name in preset_names():
        declared = find_declaration(name)
        assert declared.name == name
        assert declared.show == ("{toolchain}",)
        text = json.dumps([declared.argv, declared.environment])
        assert all(f"{{{each}}}" in text for each in ("model", "base_url"))
        assert "{prompt}" in text or "{prompt_file}" in text


EFFORTFUL: dict[str, Any] = {
    "argv": ["{python}", "-I", "{toolchain}/agent.py", "{prompt_file}", "{files}/settings.json"],
    "effort": "high",
    "files": {"settings.json": '{"effort": "{effort}", "url": "{base_url}"}'},
}
SETTLED = """
path, told = sys.argv[2], json.load(open(sys.argv[2]))
assert told["url"] + "/v1" == os.environ["OPENAI_BASE_URL"]
try:
    open(path, "a")
except OSError:
    body = {"model": "tiny:free", "messages": [], "reasoning_effort": told["effort"]}
    write(json.loads(post(body)[1])["choices"][0]["message"]["content"])
"""


@pytest.mark.parametrize(("words", "effort"), [((), "high"), (("effort=max",), "max")])
def test_a_program_is_told_its_effort_and_the_record_says_which(
    bench: Any, program: Any, words: tuple[str, ...], effort: str
) -> None:
    """By the settings that its declaration lays out, which it can read and not write."""
    bench.script.says("1")
    options = [word for each in words for word in ("--agent-option", each)]
    done = program(SETTLED, *options, **EFFORTFUL)
    assert done.reason == ("done", "")
    assert [body["reasoning_effort"] for body in bench.script.requests] == [effort]
    assert done.record["program"]["effort"] == effort


def test_an_effort_that_cannot_be_told_is_refused(bench: Any, program: Any) -> None:
    """A program that has no word for it would work with its own default, and no record show it."""
    done = program(WORKS, "--agent-option", "effort=max")
    assert done.outcome.status == 2
    assert "no word says '{effort}'" in done.outcome.err
    assert not bench.script.requests
