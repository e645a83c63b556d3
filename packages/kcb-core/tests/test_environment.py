"""The one builder of environments."""

from pathlib import Path

import pytest

from kcb_core.environment import clean_environment


def test_environment_is_exactly_four_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """A candidate's verdict must not depend on the host, and nothing of it may be a secret."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    assert clean_environment(home=Path("/h"), scratch=Path("/t")) == {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": "/h",
        "TMPDIR": "/t",
    }


def test_only_named_variables_are_added(monkeypatch: pytest.MonkeyPatch) -> None:
    """A credential passes if a declaration names it, and by no other way."""
    monkeypatch.setenv("TOKEN", "inherited")
    made = clean_environment(home=Path("/h"), scratch=Path("/t"), extra={"TOKEN": "given"})
    assert made["TOKEN"] == "given"
    assert len(made) == 5
