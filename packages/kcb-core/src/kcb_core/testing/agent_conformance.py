"""What every agent keeps, as a class that a plug-in's own tests inherit.

::

    class TestMyAgent(AgentConformance):
        agent = MyAgent()
        settings: ClassVar = {"endpoint": "http://127.0.0.1:8080/v1", "model": "scripted"}

It needs the extra ``kcb-core[testing]``, and settings with which the agent writes a project
without a network: a replay, or an endpoint that the tests serve. What an agent that loses its
endpoint does cannot be asked of the role as it stands, and is not checked here.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kcb_core.codec import canonical, parse
from kcb_core.errors import DeclarationError
from kcb_core.roles import Agent, CheckingAgent, Generated, Generation, Needs
from kcb_core.testing.values import new_transcript
from kcb_core.transcript import End
from kcb_core.transcript_file import read_transcript, side_folder

TRANSCRIPT = "transcript.jsonl"

PROMPT = """\
Write `main.py` for Python 3.11, standard library only.
Every input line is answered with the same line. \u2028 \U0001f600
"""


class AgentConformance:
    """What every agent keeps. A subclass sets :attr:`agent` and :attr:`settings`."""

    agent: ClassVar[Agent]
    """The agent under test."""
    settings: ClassVar[Mapping[str, Any]] = {}
    """Settings with which it writes at least one file."""
    options: ClassVar[Mapping[str, str]] = {}
    """Options of the agent, with the settings."""
    wrong_settings: ClassVar[Mapping[str, Any] | None] = None
    """Settings that it must refuse; the check is skipped where there are none."""

    def test_it_says_what_it_is(self) -> None:
        """It is found by its name, and a record says which version of it wrote a project."""
        assert isinstance(self.agent, Agent)
        assert self.agent.name.strip(), "it has no name"
        assert not any(c.isspace() for c in self.agent.name), "its name is no single word"
        assert self.agent.version.strip(), "it has no version"

    def test_it_counts_the_files_that_it_writes(self, tmp_path: Path) -> None:
        """A report says how large a project is; a wrong count hides what was lost on the way."""
        generated = self._generate(tmp_path)
        found = sum(len(files) for _, _, files in os.walk(tmp_path / "project"))
        assert generated.files == found
        assert found > 0, "it wrote no file; give settings with which it does"

    def test_it_writes_plain_files_and_nothing_outside(self, tmp_path: Path) -> None:
        """A link or special file is refused when the project is judged; what is outside is lost."""
        self._generate(tmp_path)
        given = {"project", TRANSCRIPT, side_folder(tmp_path / TRANSCRIPT).name}
        outside = sorted(path.name for path in tmp_path.iterdir() if path.name not in given)
        assert outside == [], f"it left {outside}"
        for folder, folders, files in os.walk(tmp_path / "project"):
            for name in [*folders, *files]:
                mode = os.lstat(os.path.join(folder, name)).st_mode
                assert stat.S_ISREG(mode) or stat.S_ISDIR(mode), f"{name} is a link or special"

    def test_it_says_why_it_ended(self, tmp_path: Path) -> None:
        """A project that was cut off reads like one that was never written, but for this word."""
        reason = self._generate(tmp_path).stop_reason
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", reason), f"{reason!r} is no word like 'done'"

    def test_what_it_tells_can_be_stored(self, tmp_path: Path) -> None:
        """The record stands in a file beside the project, as strict JSON."""
        told = dict(self._generate(tmp_path).record)
        assert parse(canonical(told)) == told, "it changes when it is stored and read"

    def test_it_records_what_it_does_and_leaves_the_end_to_the_caller(self, tmp_path: Path) -> None:
        """A project without a trace of how it came about is no evidence of anything."""
        self._generate(tmp_path)
        entries = read_transcript(tmp_path / TRANSCRIPT).entries
        assert entries, "its transcript is empty"
        assert not any(isinstance(entry.event, End) for entry in entries), "it wrote the end"

    def test_it_leaves_its_settings_alone(self, tmp_path: Path) -> None:
        """The same settings serve for every task of an experiment."""
        before = canonical(dict(self.settings))
        self._generate(tmp_path)
        assert canonical(dict(self.settings)) == before

    def test_wrong_settings_are_refused(self, tmp_path: Path) -> None:
        """They are the caller's mistake, and must not look like one of the model."""
        if self.wrong_settings is None:
            pytest.skip("the subclass names no wrong settings")
        with pytest.raises(DeclarationError):
            self._generate(tmp_path, self.wrong_settings)

    def test_it_checks_what_it_is_told_as_it_takes_it(self) -> None:
        """What it calls right is frozen with an experiment; what it calls wrong starts nothing."""
        if not isinstance(self.agent, CheckingAgent):
            pytest.skip("it does not check what it is told")
        needs = self.agent.check_told(self.settings, self.options, ["toy"])
        assert isinstance(needs, Needs)
        assert [name for name, path in needs.files.items() if not path.is_file()] == []
        if self.wrong_settings is not None:
            with pytest.raises(DeclarationError):
                self.agent.check_told(self.wrong_settings, self.options, ["toy"])

    def _generate(self, folder: Path, settings: Mapping[str, Any] | None = None) -> Generated:
        project = folder / "project"
        project.mkdir()
        given = self.settings if settings is None else settings
        told: list[str] = []
        path, agent = folder / TRANSCRIPT, self.agent
        with new_transcript(path, agent.name, agent.version) as transcript:
            generated = self.agent.generate(
                Generation(
                    prompt=PROMPT,
                    project=project,
                    transcript=transcript,
                    name="toy",
                    settings=given,
                    options=self.options,
                    tell=told.append,
                )
            )
        assert isinstance(generated, Generated)
        assert [line for line in told if len(line.splitlines()) != 1] == [], "it tells in one line"
        return generated
