"""The checks of agents pass a plain one and catch the ways in which one is wrong."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kcb_core.errors import DeclarationError
from kcb_core.roles import Generated, Generation, Needs
from kcb_core.testing.agent_conformance import AgentConformance
from kcb_core.transcript import End, Message


def write(generation: Generation) -> Generated:
    """Write the one file that the settings hold."""
    if "main.py" not in generation.settings:
        raise DeclarationError("setting 'main.py' is missing")
    generation.tell("writing")
    generation.transcript.record(Message(role="user", text=generation.prompt))
    (generation.project / "lib").mkdir()
    (generation.project / "lib" / "more.py").write_text("")
    (generation.project / "main.py").write_text(generation.settings["main.py"])
    record = {"model_name": "replay", "wall_s": 0.5}
    return Generated(stop_reason="done", files=2, record=record)


class Replay:
    """An agent that writes what it is told."""

    name = "replay"
    version = "1"
    asks_model = True

    def __init__(self, generate: Callable[[Generation], Generated] = write, **parts: Any) -> None:
        self.generate = generate
        for part, value in parts.items():
            setattr(self, part, value)


class Checking(Replay):
    """One that checks beforehand what it would refuse, or says something else of it."""

    def __init__(self, needs: Needs | None = None) -> None:
        super().__init__()
        self.needs = needs

    def check_told(
        self, settings: Mapping[str, Any], options: Mapping[str, str], names: Sequence[str]
    ) -> Needs:
        """What it was made with, whatever it is told; or what is right."""
        if self.needs is None and "main.py" not in settings:
            raise DeclarationError("setting 'main.py' is missing")
        return self.needs or Needs()


class TestChecking(AgentConformance):
    """It keeps all of it too."""

    agent = Checking()
    settings: ClassVar = {"main.py": "print()"}
    wrong_settings: ClassVar = {"main.pi": "print()"}


class TestReplay(AgentConformance):
    """An agent of a few lines keeps all of it."""

    agent = Replay()
    settings: ClassVar = {"main.py": "print()"}
    wrong_settings: ClassVar = {"main.pi": "print()"}


def also(act: Callable[[Generation], object], **changes: Any) -> Replay:
    """An agent that does something besides, or tells something else."""

    def generate(generation: Generation) -> Generated:
        done = write(generation)
        act(generation)
        told = {name: getattr(done, name) for name in Generated.__slots__}
        return Generated(**(told | changes))

    return Replay(generate)


def write_nothing(generation: Generation) -> Generated:
    """Write no file, whatever the settings are."""
    return Generated(stop_reason="done", files=0)


def nothing(generation: Generation) -> None:
    """Do nothing besides."""


MUTANTS: list[tuple[str, Any]] = [
    ("it_says_what_it_is", Replay(name="")),
    ("it_says_what_it_is", Replay(name="two words")),
    ("it_says_what_it_is", Replay(version=" ")),
    ("it_says_what_it_is", object()),
    ("it_counts_the_files_that_it_writes", also(nothing, files=1)),
    ("it_counts_the_files_that_it_writes", Replay(write_nothing)),
    ("it_writes_plain_files_and_nothing_outside",
     also(lambda g: (g.project.parent / "log").touch())),
    ("it_writes_plain_files_and_nothing_outside",
     also(lambda g: (g.project / "link").symlink_to("main.py"))),
    ("it_writes_plain_files_and_nothing_outside", also(lambda g: os.mkfifo(g.project / "pipe"))),
    ("it_says_why_it_ended", also(nothing, stop_reason="")),
    ("it_says_why_it_ended", also(nothing, stop_reason="Ran out of tokens.")),
    ("what_it_tells_can_be_stored", also(nothing, record={"path": ("a", "b")})),
    ("it_records_what_it_does_and_leaves_the_end_to_the_caller", Replay(write_nothing)),
    ("it_records_what_it_does_and_leaves_the_end_to_the_caller",
     also(lambda g: g.transcript.record(End(stop_reason="done")))),
    ("it_leaves_its_settings_alone", also(lambda g: g.settings.update(more=1))),  # type: ignore
    ("wrong_settings_are_refused", Replay(write_nothing)),
    ("it_checks_what_it_is_told_as_it_takes_it", Checking(Needs())),
    ("it_checks_what_it_is_told_as_it_takes_it",
     Checking(Needs(files={"script": Path("/nowhere.toml")}))),
    ("it_checks_what_it_is_told_as_it_takes_it", Checking("nothing")),  # type: ignore[arg-type]
    ("it_says_why_it_ended", also(lambda g: g.tell("two\nlines"))),
    ("it_says_why_it_ended", Replay(lambda g: None)),  # type: ignore[arg-type, return-value]
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "wrong"), MUTANTS, ids=[f"{check}-{n}" for n, (check, _) in enumerate(MUTANTS)]
)
def test_wrong_agent_is_caught(check: str, wrong: Any, tmp_path: Path) -> None:
    """A check that nothing fails checks nothing."""
    parts = {"agent": wrong, "settings": {"main.py": ""}, "wrong_settings": {}}
    subject: Any = type("Subject", (AgentConformance,), parts)()
    at_rest = ("it_says_what_it_is", "it_checks_what_it_is_told_as_it_takes_it")
    arguments = () if check in at_rest else (tmp_path,)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        getattr(subject, f"test_{check}")(*arguments)


def test_every_check_is_shown_to_catch_something() -> None:
    """Whoever adds a check adds an agent that fails it."""
    names = {name for name in vars(AgentConformance) if name.startswith("test_")}
    assert {f"test_{check}" for check, _ in MUTANTS} == names


def test_number_that_cannot_be_stored_is_caught(tmp_path: Path) -> None:
    """The writer refuses it, which ends the check as well as a complaint would."""
    wrong = also(nothing, record={"cost": float("nan")})
    parts = {"agent": wrong, "settings": {"main.py": ""}}
    subject: Any = type("Subject", (AgentConformance,), parts)()
    with pytest.raises(ValueError, match="not JSON compliant"):
        subject.test_what_it_tells_can_be_stored(tmp_path)


def test_check_of_wrong_settings_is_skipped_where_there_are_none(tmp_path: Path) -> None:
    """Some agents take anything; that is said, and not passed over."""
    subject: Any = type("Subject", (AgentConformance,), {"agent": Replay()})()
    with pytest.raises(pytest.skip.Exception):
        subject.test_wrong_settings_are_refused(tmp_path)
