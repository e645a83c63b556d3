"""The roles that plug-ins fill."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kcb_core.limits import LIMITS
from kcb_core.roles import (
    Agent,
    Command,
    DatasetSource,
    Generated,
    Generation,
    Launcher,
    LaunchRequest,
    Reference,
    ReportSection,
    Runner,
    Scorer,
)


@pytest.mark.parametrize(
    ("role", "parts"),
    [
        (Launcher, ("name", "confinement", "at_level", "slot", "close")),
        (Agent, ("name", "version", "asks_model", "generate")),
        (Scorer, ("name", "score")),
        (ReportSection, ("name", "order", "render")),
        (Runner, ("name", "evaluate")),
    ],
)
def test_role_is_filled_by_whatever_has_its_parts(role: Any, parts: tuple[str, ...]) -> None:
    """A plug-in inherits nothing of ours; what lacks a part is refused when it is registered."""
    assert isinstance(SimpleNamespace(**dict.fromkeys(parts, print)), role)
    for missing in parts:
        rest = [part for part in parts if part != missing]
        assert not isinstance(SimpleNamespace(**dict.fromkeys(rest, print)), role)


UNUSED: Any = None
"""Stands for a transcript that nothing is written to."""


@pytest.mark.parametrize(
    "value",
    [
        DatasetSource(name="toy", folder=Path()),
        Reference(family="toy/amounts", domain=Path()),
        LaunchRequest(argv=("/bin/true",), cwd=Path(), environment={}),
        Generation(prompt="", project=Path(), transcript=UNUSED),
        Generated(stop_reason="done", files=0),
        Command(name="list", summary="List.", target="m:f"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_of_roles_do_not_change(value: Any) -> None:
    """They are handed from one plug-in to another."""
    with pytest.raises(AttributeError):
        setattr(value, next(iter(value.__slots__)), None)


def test_what_is_not_given_is_empty_or_of_the_protocol() -> None:
    """A caller that says nothing gets the limits of the prompt, and no settings."""
    assert LaunchRequest(argv=(), cwd=Path(), environment={}).limits is LIMITS
    generation = Generation(prompt="", project=Path(), transcript=UNUSED)
    assert (generation.settings, generation.options, generation.name) == ({}, {}, "")
    assert generation.tell("nobody listens") is None
    assert Generated(stop_reason="done", files=0).record == {}
    assert Command(name="list", summary="List.", target="m:f").group == "Commands"
