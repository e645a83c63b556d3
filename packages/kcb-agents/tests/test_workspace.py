"""Work on a project that is there already: real sandboxes over a copy of a small git repository."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.action_loop.loop_agent import ActionLoop
from kcb_agents.coding.coding_agent import Coding
from kcb_agents.coding.profile import WORKSPACE_SYSTEM
from kcb_agents.command.command_agent import CommandAgent
from kcb_agents.endpoint.conversation import Answer
from kcb_agents.one_shot import OneShot
from kcb_agents.preamble import (
    ACTION_LOOP_WORKSPACE,
    COMMAND_WORKSPACE,
    ONE_SHOT_WORKSPACE,
    Preamble,
)
from kcb_agents.replay.replay_agent import Replay
from kcb_agents.replay.script import Play
from kcb_agents.replay.scripted_line import ScriptedLine
from kcb_agents.shown_files import MOST_CHARACTERS
from kcb_core.codec import ascii_line, digest
from kcb_core.errors import DeclarationError
from kcb_core.limits import TaskBudget
from kcb_core.roles import Generated, Generation
from kcb_core.testing.values import new_transcript
from kcb_core.transcript import Contract, Message
from kcb_core.transcript_file import read_transcript

BUDGET = TaskBudget(turns=3, dollars=0.5, seconds=40.0)
PINNED = json.loads((Path(__file__).parent / "golden" / "workspace-preambles.json").read_text())


def scripted(agent: Any, *replies: str) -> Callable[[Generation], Generated]:
    """An agent of which a script is the model."""
    answers = tuple(Answer(content=reply) for reply in replies)
    line = ScriptedLine(Play(agent=agent.name, answers=answers, source=Path("script")))
    return lambda generation: agent.conduct(generation, line)


@dataclass(slots=True)
class Work:
    """A repository, and what agents made of copies of it."""

    folder: Path
    tries: int = 0

    @property
    def start(self) -> Path:
        """The repository."""
        return self.folder / "start"

    def put(self, path: str, data: bytes | str) -> None:
        """Put a file there."""
        place = self.start / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data if isinstance(data, bytes) else data.encode())

    def commit(self) -> None:
        """Make it a repository of one commit."""
        who = ("-c", "user.name=n", "-c", "user.email=e@localhost")
        for words in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "Start")):
            subprocess.run(["git", *words], cwd=self.start, check=True, timeout=30)

    def done(
        self,
        agent: Callable[[Generation], Generated],
        budget: TaskBudget | None = None,
        **more: Any,
    ) -> "Left":
        """What an agent hands in."""
        self.tries += 1
        place = self.folder / f"try-{self.tries}"
        (place / "project").mkdir(parents=True)
        with new_transcript(place / "t.jsonl") as transcript:
            generated = agent(
                Generation(
                    prompt="Mend it.\n",
                    project=place / "project",
                    start=self.start,
                    budget=budget,
                    transcript=transcript,
                    name="fix-it",
                    **more,
                )
            )
        return Left(generated, place)


@dataclass(frozen=True, slots=True)
class Left:
    """What an agent left."""

    generated: Generated
    place: Path

    @property
    def files(self) -> dict[str, bytes]:
        """The files that were handed in."""
        project = self.place / "project"
        found = (path for path in project.rglob("*") if path.is_file())
        return {path.relative_to(project).as_posix(): path.read_bytes() for path in found}

    def events(self, kind: type[Any]) -> list[Any]:
        """Events of one kind in the transcript."""
        entries = read_transcript(self.place / "t.jsonl").entries
        return [entry.event for entry in entries if isinstance(entry.event, kind)]


@pytest.fixture
def work(tmp_path: Path) -> Work:
    """A repository with a library, a script that is executable, and a hidden file."""
    work = Work(tmp_path)
    work.put("lib/a.py", "A = 1\n")
    work.put("bin/run", "#!/bin/sh\nexit 0\n")
    (work.start / "bin" / "run").chmod(0o755)
    work.put(".gitignore", "*.pyc\n")
    work.commit()
    return work


def act(command: str, *, done: bool = False) -> str:
    """An action of the action loop."""
    return ascii_line({"command": command, "done": done})


def test_commands_work_in_a_copy_of_the_repository(work: Work) -> None:
    """Its history is there, all of it is handed in, and the repository stays as it is."""
    history = "git status --short && git log --format=%s > log.txt && git diff --quiet"
    done = work.done(
        scripted(
            ActionLoop(), act(history), act("echo 'A = 2' > lib/a.py; rm .gitignore", done=True)
        )
    )
    assert done.generated.stop_reason == "done"
    assert done.files == {
        "lib/a.py": b"A = 2\n",
        "bin/run": b"#!/bin/sh\nexit 0\n",
        "log.txt": b"Start\n",
    }
    assert (done.place / "project" / "bin" / "run").stat().st_mode & 0o100
    assert (work.start / "lib" / "a.py").read_text() == "A = 1\n"
    assert (work.start / ".gitignore").exists()


def test_a_workspace_needs_no_entrypoint_and_an_unchanged_one_is_handed_in(work: Work) -> None:
    """What is judged is the workspace, whatever an agent made of it."""
    done = work.done(scripted(ActionLoop(), act("ls", done=True)))
    assert done.generated.stop_reason == "done"
    assert set(done.files) == {"lib/a.py", "bin/run", ".gitignore"}


def test_a_commit_of_the_agent_changes_nothing(work: Work) -> None:
    """Files count and history does not."""
    commit = "echo 'A = 3' > lib/a.py && git -c user.name=n -c user.email=e commit -qam More"
    done = work.done(scripted(ActionLoop(), act(commit, done=True)))
    assert done.files["lib/a.py"] == b"A = 3\n"
    assert not any(path.startswith(".git/") for path in done.files)


def test_a_link_in_the_workspace_is_handed_in_by_nobody(work: Work) -> None:
    """The limits of projects hold for workspaces too."""
    done = work.done(scripted(ActionLoop(), act("ln -s /etc/passwd x", done=True)))
    assert done.generated.stop_reason == "no_project"
    assert "symbolic link" in done.generated.record["reason"]
    assert done.files == {}


def test_the_budget_of_the_task_bounds_the_agent(work: Work) -> None:
    """In the place of the usual bounds; what the caller set himself goes before it."""
    endless = [act("ls")] * 5
    done = work.done(scripted(ActionLoop(), *endless), BUDGET)
    assert done.generated.stop_reason == "turns"
    assert done.generated.record["bounds"]["turns"] == 3
    assert done.generated.record["bounds"]["seconds"] == 40
    assert set(done.files) == {"lib/a.py", "bin/run", ".gitignore"}, "it is handed in all the same"
    done = work.done(scripted(ActionLoop(), *endless), BUDGET, options={"turns": "2"})
    assert done.generated.record["bounds"]["turns"] == 2


def test_dollars_bound_an_agent_whose_prices_are_known(work: Work) -> None:
    """A bound that cannot be reckoned with is no bound."""
    coding = scripted(Coding(), "Done.")
    assert "dollars" not in work.done(coding, BUDGET).generated.record["bounds"]
    prices = {"price_input": "1", "price_output": "2"}
    done = work.done(scripted(Coding(), "Done."), BUDGET, options=prices)
    assert done.generated.record["bounds"]["dollars"] == 0.5
    assert done.generated.record["bounds"]["turns"] == 3


def test_the_coding_agent_holds_to_a_profile_of_its_own(work: Work) -> None:
    """It is told that there is a project, and where."""
    done = work.done(scripted(Coding(), "Done."))
    (contract,) = done.events(Contract)
    system, told, _ = done.events(Message)
    assert contract.profile == "headless-workspace-v1"
    assert system.text == WORKSPACE_SYSTEM
    assert told.text.startswith("The repository's folder is /")
    assert told.text.endswith("\n\nMend it.\n")
    assert set(done.files) == {"lib/a.py", "bin/run", ".gitignore"}


ANSWER = """\
Here:

### lib/a.py
```python
A = 7
```

### bin/run
```sh
#!/bin/sh
exit 1
```

### docs/new.md
````markdown
```
new
```
````
"""


def test_one_shot_is_shown_the_files_and_changes_them_by_whole_ones(work: Work) -> None:
    """A file that it does not give stays; one that was executable stays so."""
    work.put("data.bin", b"\xff\xfe")
    work.put("notes.md", "a ```fence```\n")
    done = work.done(scripted(OneShot(), ANSWER))
    (told,) = done.events(Message)
    assert told.text.startswith(ONE_SHOT_WORKSPACE.text + "Mend it.\n")
    assert "\n\n### lib/a.py\n```\nA = 1\n```" in told.text
    assert "\n\n### notes.md\n````\na ```fence```\n````" in told.text
    assert "### data.bin\n(2 bytes that are no text)" in told.text
    assert "Start" not in told.text, "the history is not shown"
    assert done.generated.stop_reason == "done"
    assert done.files == {
        "lib/a.py": b"A = 7\n",
        "bin/run": b"#!/bin/sh\nexit 1\n",
        "docs/new.md": b"```\nnew\n```\n",
        ".gitignore": b"*.pyc\n",
        "data.bin": b"\xff\xfe",
        "notes.md": b"a ```fence```\n",
    }
    assert (done.place / "project" / "bin" / "run").stat().st_mode & 0o100
    assert not (done.place / "project" / "docs" / "new.md").stat().st_mode & 0o100


@pytest.mark.parametrize("path", ["../a.py", "/a.py", ".git/hooks/pre-commit.sh", "a/../../b.py"])
def test_one_shot_cannot_write_outside_of_the_workspace(work: Work, path: str) -> None:
    """Nor into its history; what was there is handed in as it was."""
    done = work.done(scripted(OneShot(), f"### {path}\n```\nx\n```\n"))
    assert done.generated.stop_reason == "no_project"
    assert set(done.files) == {"lib/a.py", "bin/run", ".gitignore"}
    assert done.files["lib/a.py"] == b"A = 1\n"


def test_one_shot_may_give_a_hidden_file_and_no_nameless_one(work: Work) -> None:
    """There is no main.py here that a nameless block could mean."""
    done = work.done(scripted(OneShot(), "### .gitignore\n```\n*.o\n```\n"))
    assert done.files[".gitignore"] == b"*.o\n"
    done = work.done(scripted(OneShot(), "```python\nprint(1)\n```\n"))
    assert done.generated.stop_reason == "no_project"
    assert "main.py" not in done.files


def test_one_shot_refuses_a_workspace_that_no_message_holds(work: Work) -> None:
    """Before anything is asked, with the agents that could."""
    work.put("big.txt", "x" * MOST_CHARACTERS)
    with pytest.raises(DeclarationError, match=r"shown at most 400,000; take one that reads"):
        work.done(scripted(OneShot(), ANSWER))


def test_a_program_works_in_the_repository(work: Work, script: Any, clock: Any) -> None:
    """An external one gets the folder, and a preamble of its own."""
    line = "git log --format=%s > log.txt; cat {prompt_file} > told.txt"
    done = work.done(
        CommandAgent(clock).generate,
        BUDGET,
        settings={"base_url": script.url, "model": "m"},
        options={"argv": f"/bin/sh -c '{line}'"},
    )
    assert done.generated.stop_reason == "done"
    assert done.files["log.txt"] == b"Start\n"
    assert done.files["lib/a.py"] == b"A = 1\n"
    told = done.files["told.txt"].decode()
    first = COMMAND_WORKSPACE.text.partition("<path>")[0]
    assert told.startswith(first)
    assert told.endswith("\n\nMend it.\n")
    assert done.generated.record["bounds"] == {"turns": 3, "seconds": 40.0, "tokens": 50_000_000}
    assert done.generated.record["preamble"]["name"] == "command-workspace"


def test_a_replay_works_on_a_repository(work: Work, tmp_path: Path) -> None:
    """A script plays it through the same loop, with the same budget."""
    actions = [{"command": "echo 'A = 9' > lib/a.py", "done": True}]
    script = {"kind": "replay", "format": 1, "agent": "action-loop", "actions": actions}
    (tmp_path / "fix-it.json").write_text(json.dumps(script))
    done = work.done(Replay().generate, BUDGET, options={"script": str(tmp_path)})
    assert done.files["lib/a.py"] == b"A = 9\n"
    assert done.generated.record["bounds"]["turns"] == 3


@pytest.mark.parametrize("preamble", [ONE_SHOT_WORKSPACE, ACTION_LOOP_WORKSPACE, COMMAND_WORKSPACE])
def test_a_preamble_changes_only_with_its_version(preamble: Preamble) -> None:
    """Projects that were made under one digest are told by it for ever."""
    assert PINNED[f"{preamble.name} {preamble.version}"] == preamble.stamp.sha256


def test_the_profile_changes_only_with_its_name() -> None:
    """As for the preambles."""
    assert PINNED["headless-workspace-v1"] == digest(WORKSPACE_SYSTEM.encode())
