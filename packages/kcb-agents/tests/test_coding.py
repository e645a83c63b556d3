"""The coding agent over scripted replies, with real tools in a real sandbox."""

import ast
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kcb_agents.coding import bench, hands
from kcb_agents.coding.coding_agent import Coding
from kcb_agents.coding.profile import SYSTEM, TOOLS, Session, check_arguments, session_of
from kcb_agents.endpoint.conversation import Answer, Stop, ToolCall
from kcb_core.codec import canonical, digest
from kcb_core.errors import DataError, DeclarationError
from kcb_core.run_record import Usage
from kcb_core.transcript import Action, Compaction, Contract, Outcome, Request

Play = Callable[..., Any]

DONE = Answer(content="It is complete.", stop=Stop.END)


def use(name: str, /, **arguments: Any) -> Answer:
    """A reply with one call."""
    return calls((name, json.dumps(arguments)))


def calls(*wanted: tuple[str, str], **more: Any) -> Answer:
    """A reply with some calls, their arguments as text."""
    made = tuple(
        ToolCall(id=f"c{number}", name=name, arguments=text)
        for number, (name, text) in enumerate(wanted)
    )
    return Answer(content="", calls=made, stop=Stop.TOOLS, **more)


@pytest.fixture
def play(played: Play) -> Play:
    """Plays replies through the coding agent."""

    def run(*replies: Answer, **options: str) -> Any:
        return played(Coding(), replies, options)

    return run


@pytest.fixture
def results(play: Play) -> Play:
    """What the tools say to some calls, one reply each."""

    def run(*replies: Answer, **options: str) -> list[str]:
        done = play(*replies, DONE, **options)
        return [message.text for message in done.messages if message.role == "tool"]

    return run


def test_a_project_is_written_with_tools(play: Play) -> None:
    """The main job: write, read, change, find, run."""
    done = play(
        use("Write", file_path="main.py", content="a = 1\nprint(a)\n"),
        use("Edit", file_path="main.py", old_string="a = 1", new_string="a = 2"),
        use("Read", file_path="main.py"),
        use("Glob", pattern="**/*.py"),
        use("Grep", pattern=r"pr\w+"),
        use("Bash", command="python3 main.py"),
        DONE,
    )
    assert done.generated.stop_reason == "done"
    assert done.files == {"main.py": "a = 2\nprint(a)\n"}
    assert [message.text for message in done.messages if message.role == "tool"] == [
        "main.py: written, 15 characters",
        "main.py: replaced 1 time",
        "     1\ta = 2\n     2\tprint(a)",
        "main.py",
        "main.py:2:print(a)",
        "Exit status 0.\nstdout:\n2\n",
    ]
    assert done.generated.record["run_record"]["tools"] == [t.name for t in TOOLS["write-edit"]]


def test_the_context_is_system_prompt_path_prompt_and_own_results(play: Play) -> None:
    """Nothing else is told: no check, no listing, nothing of the machine."""
    done = play(use("Bash", command="true"), DONE)
    system, task, asked, result, said = done.messages
    assert (system.role, system.text) == ("system", SYSTEM)
    path, _, rest = task.text.partition("\n\n")
    assert path.startswith("The project's folder is /")
    assert (task.role, rest) == ("user", done.prompt)
    assert (asked.role, [call.name for call in asked.calls]) == ("assistant", ["Bash"])
    assert (result.role, result.call_id, result.text) == ("tool", "c0", "Exit status 0.")
    assert (said.role, said.text) == ("assistant", DONE.content)
    assert [len(context) for context in done.line.asked] == [2, 4]
    assert done.line.offered == [TOOLS["write-edit"]] * 2
    for request, context in zip(done.events(Request), done.line.asked, strict=True):
        assert request.sha256 == done.digest(context, TOOLS["write-edit"])


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("Write", "{", "no JSON"),
        ("Write", "[]", "no JSON object"),
        ("Write", '{"file_path": "a"}', "'content' is missing"),
        ("Write", '{"file_path": 1, "content": ""}', "'file_path' must be a string"),
        ("Bash", '{"command": "ls", "run_in_background": true}', "no argument 'run_in_background'"),
        ("Bash", '{"command": "ls", "timeout": 0}', "'timeout' must be an integer, 1 or more"),
        ("Bash", "", "'command' is missing"),
        ("WebFetch", '{"url": "http://x"}', "no tool 'WebFetch'; there are Read, Write, Edit"),
        ("apply_patch", '{"patch": ""}', "there is no tool 'apply_patch'"),
        ("Read", '{"file_path": "archive:9"}', "no result 'archive:9' any more"),
        ("Bash", json.dumps({"command": "x" * 200_000}), "too long"),
        ("Bash", '{"command": "a\\u0000"}', "zero byte"),
    ],
)
def test_a_call_that_cannot_be_is_refused_and_told(
    play: Play, name: str, text: str, said: str
) -> None:
    """It is the model's to mend, and nothing was executed."""
    writes = use("Write", file_path="main.py", content="")
    done = play(calls((name, text)), writes, DONE, window="1000000")
    told = next(message.text for message in done.messages if message.role == "tool")
    assert said in told
    refused, carried_out = done.events(Action)
    assert (refused.executed, carried_out.executed) == (False, True)
    assert refused.arguments == text
    assert done.events(Outcome)[0].ending == "refused"
    assert done.generated.stop_reason == "done"


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../../etc/passwd", "out", "out/passwd", "", "a\0b", "/proc/self/environ"],
)
def test_no_file_tool_leads_out_of_the_folder(results: Play, path: str) -> None:
    """Neither by its path nor by a link that a command has made."""
    told = results(
        use("Bash", command="ln -s /etc out; ln -s /etc/passwd link; mkfifo pipe"),
        use("Read", file_path=path),
        use("Read", file_path="link"),
        use("Read", file_path="pipe"),
        use("Edit", file_path="out/passwd", old_string="root", new_string="x"),
        use("Write", file_path="out/new", content="x"),
        use("Write", file_path="pipe", content="x"),
        use("Grep", pattern="root", path="."),
        use("Glob", pattern="**"),
    )
    assert [text.startswith("not done: ") for text in told] == [False, *[True] * 6, False, False]
    assert told[-2:] == ["(no lines)", "(no files)"]
    assert "root:" not in "".join(told)


def test_a_link_is_replaced_by_what_is_written_and_not_followed(play: Play) -> None:
    """What it leads to stays as it is."""
    done = play(
        use("Bash", command="echo kept > kept; ln -s kept main.py"),
        use("Write", file_path="main.py", content="new"),
        DONE,
    )
    assert done.files == {"kept": "kept\n", "main.py": "new"}


PATCH = """\
*** Begin Patch
*** Add File: lib/new.py
+x = 1
+
*** Update File: main.py
*** Move to: app.py
@@ def f():
 \tone
-\ttwo
+\t2
 \tthree
@@
+end
*** Delete File: old.py
*** End Patch
"""


def test_a_patch_changes_files_on_the_other_route(play: Play) -> None:
    """Where routing declares it, patches stand in place of Write and Edit."""
    body = "def e():\n\tone\n\ttwo\n\tthree\ndef f():\n\tone\n\ttwo\n\tthree\n"
    done = play(
        use("Bash", command=f"printf '{body}' > main.py; echo > old.py"),
        use("apply_patch", patch=PATCH),
        use("Write", file_path="main.py", content=""),
        use("apply_patch", patch="*** Begin Patch\n*** Add File: main.py\n+1\n*** End Patch"),
        DONE,
        route="apply-patch",
    )
    told = [message.text for message in done.messages if message.role == "tool"]
    assert told[1] == "added lib/new.py\nupdated main.py, now app.py\ndeleted old.py"
    assert "there is no tool 'Write'" in told[2]
    assert done.files == {
        "lib/new.py": "x = 1\n\n",
        "app.py": "def e():\n\tone\n\ttwo\n\tthree\ndef f():\n\tone\n\t2\n\tthree\nend\n",
        "main.py": "1\n",
    }
    assert done.line.offered[0] == TOOLS["apply-patch"]


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ("", "begins with"),
        ("*** Begin Patch\n*** End Patch", "changes nothing"),
        ("*** Begin Patch\n*** Add File: /etc/x\n+1\n*** End Patch", "outside"),
        ("*** Begin Patch\n*** Add File: x\n1\n*** End Patch", "begins with +"),
        ("*** Begin Patch\n*** Update File: a\n-no\n+x\n*** End Patch", "do not stand there"),
        ("*** Begin Patch\n*** Update File: a\n@@ no\n-1\n*** End Patch", "behind @@"),
        ("*** Begin Patch\n*** Update File: b\n-1\n*** End Patch", "No such file"),
        ("*** Begin Patch\n*** Delete File: a\n*** Update File: a\n-1\n*** End Patch", "deleted"),
        ("*** Begin Patch\n*** Update File: a\n 1\n*** End Patch", "changes nothing in it"),
        ("*** Begin Patch\nwhat\n*** End Patch", "begins with '*** Update"),
    ],
)
def test_a_patch_that_does_not_fit_changes_nothing(results: Play, patch: str, said: str) -> None:
    """Whole or not at all, and the model is told why."""
    both = patch.replace("*** Begin Patch\n", "*** Begin Patch\n*** Add File: extra\n+1\n")
    told = results(
        use("Bash", command="echo 1 > a"),
        use("apply_patch", patch=patch),
        use("apply_patch", patch=both if "changes nothing" not in said else patch),
        use("Bash", command="cat a; ls"),
        route="apply-patch",
    )
    assert told[1].startswith("not done: ")
    assert said in told[1]
    if "outside" not in said:
        assert told[3] == "Exit status 0.\nstdout:\n1\na\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"old_string": "x", "new_string": "y"}, "does not stand there"),
        ({"old_string": "a", "new_string": "y"}, "stands there 2 times"),
        ({"old_string": "a", "new_string": "a"}, "the same"),
        ({"old_string": "", "new_string": "a"}, "old_string is empty"),
    ],
)
def test_an_edit_that_is_not_clear_is_refused(
    results: Play, arguments: dict[str, str], said: str
) -> None:
    """A guess would change the wrong place."""
    told = results(
        use("Write", file_path="f", content="a\u2028a\r\n"),
        use("Edit", file_path="f", **arguments),
        use("Edit", file_path="f", old_string="a", new_string="b", replace_all=True),
        use("Bash", command="od -An -tx1 f"),
    )
    assert said in told[1]
    assert told[2] == "f: replaced 2 times"
    assert "62 e2 80 a8 62 0d 0a" in told[3]


def test_a_long_result_is_shown_shortened_and_can_be_read_in_full(results: Play) -> None:
    """Lines end at the line feed alone, whatever else is in them."""
    told = results(
        use("Bash", command="seq 5000; printf 'x\\342\\200\\250y\\fz\\n'"),
        use("Read", file_path="archive:1", offset=4000, limit=2),
        use("Read", file_path="archive:1", offset=5003),
        use("Read", file_path="archive:1", offset=9000),
        shown="500",
    )
    assert told[0].endswith("\n(Read shows all of it as archive:1)")
    assert len(told[0]) < 700
    assert told[1] == "  4000\t3998\n  4001\t3999\n(1002 more lines)"
    assert told[2] == "  5003\tx\u2028y\fz\n"[:-1]
    assert told[3] == "(there are only 5003 lines)"


def test_a_search_that_would_take_for_ever_is_ended(
    results: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A regular expression is a program too."""
    monkeypatch.setattr(bench, "FILE_TOOL_S", 1.0)
    told = results(
        use("Write", file_path="f", content="a" * 40 + "b"),
        use("Grep", pattern="(a+)+$"),
        use("Grep", pattern="("),
    )
    assert told[1] == "not done: it took too long"
    assert "no regular expression" in told[2]


PATTERNS = {
    "*.py": ["main.py"],
    "**/*.py": ["main.py", "a/d.py", "a/b/c.py"],
    "a/*": ["a/d.py"],
    "a/**": ["a/d.py", "a/b/c.py"],
    "[!m]*": ["x[1].txt"],
    "x[[]1].txt": ["x[1].txt"],
    "m?in.py": ["main.py"],
    "nothing": ["(no files)"],
}


def test_patterns_of_paths(results: Play) -> None:
    """A star stays within one part, two do not."""
    told = results(
        use("Bash", command="mkdir -p a/b; touch main.py a/b/c.py a/d.py 'x[1].txt'"),
        *(use("Glob", pattern=pattern) for pattern in PATTERNS),
    )
    assert [text.split("\n") for text in told[1:]] == list(PATTERNS.values())


def test_a_bound_of_turns_leaves_what_is_there(play: Play) -> None:
    """The project so far is judged; the bound is named."""
    done = play(use("Write", file_path="main.py", content="1"), DONE, turns="1")
    assert (done.generated.stop_reason, done.files) == ("turns", {"main.py": "1"})


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(content="", reasoning="hm", stop=Stop.END), "reasoning_only"),
        (Answer(content="half", stop=Stop.LENGTH), "output_limit"),
        (Answer(content="aaa", stop=Stop.REPETITION), "repetition"),
        (Answer(content="half", stop=Stop.TIME), "time"),
        (DONE, "no_project"),
    ],
)
def test_every_ending_has_its_word(play: Play, answer: Answer, reason: str) -> None:
    """None of them is a fault of this machine."""
    assert play(answer).generated.stop_reason == reason


def test_a_flood_of_calls_is_bounded(play: Play) -> None:
    """Each is answered, as endpoints demand, but only some are carried out."""
    done = play(calls(*[("Bash", '{"command": "true"}')] * 40), DONE)
    assert sum(event.executed for event in done.events(Action)) == 32
    assert sum(message.role == "tool" for message in done.messages) == 40


LONG = "x" * 3000


def used(answer: Answer, **counts: int) -> Answer:
    """The same answer, with usage."""
    return replace(answer, usage=Usage(**counts))


def test_a_full_context_gives_way_to_a_summary(play: Play) -> None:
    """It is counted in usage and is no turn; the task and the latest results stay."""
    done = play(
        used(use("Bash", command=f"echo first {LONG}"), input_tokens=1, output_tokens=10),
        used(use("Bash", command=f"echo second {LONG}"), input_tokens=2, output_tokens=20),
        used(Answer(content="I ran two.", stop=Stop.END), input_tokens=4, output_tokens=40),
        used(use("Read", file_path="archive:1"), input_tokens=8, output_tokens=80),
        used(use("Write", file_path="main.py", content=""), input_tokens=16, output_tokens=160),
        DONE,
        window="4000",
        compact_at="0.9",
    )
    purposes = [request.purpose for request in done.events(Request)]
    assert purposes == ["turn", "turn", "compaction", "turn", "turn", "turn"]
    assert done.generated.record["totals"]["turns"] == 5
    usage = done.generated.record["usage"]
    assert (usage["input_tokens"], usage["output_tokens"]) == (31, 310)
    assert done.generated.record["totals"]["usage_complete"] is False
    (compaction,) = done.events(Compaction)
    assert compaction.archived == ("archive:1",)
    after = done.line.asked[3]
    assert [message.role for message in after] == ["system", "user", "assistant", "tool"]
    assert after[1].text.startswith("The project's folder is /")
    assert done.prompt in after[1].text
    assert after[1].text.endswith("I ran two.\n\nEarlier results that Read still shows: archive:1.")
    assert "second" in after[3].text
    assert "first xxx" in done.line.asked[4][5].text
    assert len(done.line.asked[2]) == 7


def test_a_summary_that_fails_is_not_counted_and_does_not_go_round_in_circles(play: Play) -> None:
    """Only successful compactions count toward totals and stopping."""
    done = play(
        used(use("Bash", command=f"echo first {LONG}"), input_tokens=1),
        used(use("Bash", command=f"echo second {LONG}"), input_tokens=2),
        used(Answer(content=" ", reasoning="hm", stop=Stop.END), input_tokens=400),
        used(use("Write", file_path="main.py", content=""), input_tokens=8),
        used(DONE, input_tokens=16),
        window="4000",
        compact_at="0.9",
    )
    assert done.generated.record["usage"]["input_tokens"] == 27
    assert "There is no summary" in done.line.asked[3][1].text
    assert done.generated.stop_reason == "done"


def test_compactions_follow_one_another_and_keep_one_summary(play: Play) -> None:
    """The task does not grow with each of them."""
    long = [use("Bash", command=f"echo {n} {LONG}") for n in range(4)]
    summaries = [Answer(content=f"summary {n}", stop=Stop.END) for n in range(4)]
    done = play(
        *long[:2],
        summaries[0],
        long[2],
        summaries[1],
        use("Write", file_path="main.py", content=""),
        DONE,
        window="4000",
        compact_at="0.9",
    )
    assert len(done.events(Compaction)) == 2
    last = done.line.asked[-1][1].text
    assert "summary 1" in last
    assert "summary 0" not in last
    assert last.count(done.prompt) == 1


PRICES = {"price_input": "1", "price_output": "10"}


def test_a_bound_of_dollars_counts_turns_and_summaries(play: Play) -> None:
    """What is paid for counts, whether or not it was a turn."""
    done = play(
        used(use("Bash", command=f"echo 1 {LONG}"), input_tokens=1_000_000),
        used(use("Bash", command=f"echo 2 {LONG}"), input_tokens=1_000_000),
        used(Answer(content="I ran two.", stop=Stop.END), output_tokens=100_000),
        window="4000",
        compact_at="0.9",
        dollars="2.5",
        **PRICES,
    )
    record = done.generated.record
    assert done.generated.stop_reason == "dollars"
    assert record["run_record"]["cost"] == {"dollars": 3.0}
    assert record["bounds"]["dollars"] == 2.5
    assert record["reason"].startswith("the bound of 2.5 dollars was reached")
    assert record["totals"]["turns"] == 2


def test_a_reply_without_usage_makes_the_cost_a_lower_bound(play: Play) -> None:
    """It is never taken for free."""
    done = play(
        used(use("Write", file_path="main.py", content=""), input_tokens=500_000), DONE, **PRICES
    )
    cost = done.generated.record["run_record"]["cost"]
    assert cost == {"dollars": 0.5, "lower_bound": True}


def test_a_session_is_built_again_from_its_transcript(play: Play) -> None:
    """Later turns and rebuilds hold to the same contract, or say that they cannot."""
    done = play(DONE, route="apply-patch", window="9000")
    (contract,) = done.events(Contract)
    assert contract.profile == "headless-coding-v1"
    assert contract.settings == {
        "route": "apply-patch",
        "window": 9000,
        "compact_at": 0.75,
        "shown": 16000,
    }
    assert contract.bounds["turns"] == 100
    assert session_of(contract, "t") == Session(route="apply-patch")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"profile": "headless-coding-v2"}, "is not known"),
        ({"preamble_sha256": "0"}, "the system prompt of headless-coding-v1 were others"),
        ({"tools_sha256": "0"}, "the tools of headless-coding-v1 were others"),
        ({"tools": ()}, "the tools"),
        ({"settings": {"route": "web"}}, "no route 'web'"),
    ],
)
def test_a_session_of_another_contract_is_refused(changes: dict[str, Any], said: str) -> None:
    """It would go on as another subject under the same name."""
    contract = Session().contract({}, {})
    with pytest.raises(DataError, match=said):
        session_of(msgspec.structs.replace(contract, **changes), "t.jsonl")


def test_the_profile_changes_only_with_its_name() -> None:
    """Whatever is sent under this name is sent for ever."""
    contracts = {route: Session(route=route).contract({}, {}) for route in TOOLS}  # type: ignore[arg-type]
    pinned = json.loads((Path(__file__).parent / "golden" / "headless-coding-v1.json").read_text())
    assert {
        "system": digest(SYSTEM.encode()),
        **{route: digest(canonical(list(c.tools))) for route, c in contracts.items()},
    } == pinned


def test_the_profile_allows_seven_tools_in_the_foreground() -> None:
    """No web, no background, no terminal of its own."""
    tools = {tool.name: tool for route in TOOLS.values() for tool in route}
    assert set(tools) == {"Read", "Write", "Edit", "apply_patch", "Glob", "Grep", "Bash"}
    told = json.dumps([dict(tool.schema) for tool in tools.values()])
    for absent in ("background", "pty", "url", "http"):
        assert absent not in told
    assert all(tool.schema["additionalProperties"] is False for tool in tools.values())
    words = set(SYSTEM.lower().replace(",", " ").replace(".", " ").split())
    assert not words & {"i", "assistant", "claude", "gpt", "user", "skill", "skills", "memory"}


def test_the_hands_know_nothing_of_this_project() -> None:
    """They run in the sandbox, where only the standard library is."""
    modules = sorted(Path(hands.__file__).parent.glob("*.py"))
    assert {path.stem for path in modules} == {*bench.HANDS, "__init__"}
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                own = node.module.startswith("kcb_agents.coding.hands.")
                assert own or node.module.partition(".")[0] in sys.stdlib_module_names
            elif isinstance(node, ast.Import):
                assert {n.name for n in node.names} <= set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"dollars": "-1", "price_input": "1", "price_output": "1"}, "'dollars' must be 0 or more"),
        ({"dollars": "1"}, "'dollars': no price of 'played-0' is known"),
        ({"price_input": "1"}, "go together"),
        ({"compact_at": "2"}, "'compact_at' must be between"),
        ({"window": "10"}, "'window' must be 1024 or more"),
        ({"route": "web"}, "route"),
    ],
)
def test_wrong_options_are_refused(play: Play, options: dict[str, str], said: str) -> None:
    """Before anything is asked."""
    with pytest.raises(DeclarationError, match=said):
        play(DONE, **options)


def test_arguments_are_held_against_the_schema() -> None:
    """A boolean is no number, and a number no boolean."""
    read, edit = TOOLS["write-edit"][0], TOOLS["write-edit"][2]
    with pytest.raises(DeclarationError, match="'offset' must be an integer"):
        check_arguments(read, {"file_path": "a", "offset": True})
    with pytest.raises(DeclarationError, match="'replace_all' must be a boolean"):
        check_arguments(
            edit, {"file_path": "a", "old_string": "a", "new_string": "b", "replace_all": 1}
        )
