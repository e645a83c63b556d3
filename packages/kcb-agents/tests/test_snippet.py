"""Code of the caller's own in the place of an agent."""

from pathlib import Path
from typing import ClassVar

import pytest

from kcb_agents.snippet import Snippet
from kcb_core.errors import DeclarationError
from kcb_core.roles import Generated, Generation
from kcb_core.testing.agent_conformance import AgentConformance
from kcb_core.testing.values import new_transcript


class TestConformance(AgentConformance):
    """What every agent keeps."""

    agent = Snippet()
    options: ClassVar = {"code": "(generation.project / 'main.py').write_text('print(input())')"}


def ran(folder: Path, **options: str) -> Generated:
    """What came of it."""
    (folder / "project").mkdir()
    with new_transcript(folder / "t.jsonl", "snippet") as transcript:
        return Snippet().generate(
            Generation(
                prompt="", project=folder / "project", transcript=transcript, options=options
            )
        )


def test_it_says_of_itself_why_it_ended(tmp_path: Path) -> None:
    """Whoever tries an executor out has to see every end of a subject."""
    generated = ran(tmp_path, code="stop_reason = 'no_project'")
    assert (generated.stop_reason, generated.files) == ("no_project", 0)


def test_without_code_there_is_nothing_to_run(tmp_path: Path) -> None:
    """A slip in the option's name is answered with the right one."""
    with pytest.raises(DeclarationError, match="did you mean 'code'"):
        ran(tmp_path, cod="pass")
