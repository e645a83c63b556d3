"""Models that are known by name."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.registry import read_registry
from kcb_core.errors import DataError

FIRST = "toy-easy-001-echo"

OWN = """
format = 1
[[models]]
id = "vendor/tiny:free"
base_url = "{url}"
api = "openai"
api_key_env = "TINY_KEY"
"""


def test_ids_without_a_price_come_first_and_verbatim() -> None:
    """They are what anybody can begin with."""
    registry, source = read_registry()
    assert source == "shipped"
    ids = [entry.id for entry in registry.models]
    free = [name.endswith(":free") for name in ids]
    assert free == sorted(free, reverse=True)
    assert free[0]
    assert all(
        entry.base_url == "https://openrouter.ai/api/v1" and entry.api_key_env
        for entry in registry.models
        if entry.id.endswith(":free")
    )


def test_a_users_list_stands_for_the_shipped_one(tmp_path: Path) -> None:
    """Also its order."""
    path = Path(os.environ["XDG_CONFIG_HOME"]) / "klein-bench" / "models.toml"
    path.parent.mkdir()
    path.write_text(OWN)
    registry, source = read_registry()
    assert [entry.id for entry in registry.models] == ["vendor/tiny:free"]
    assert source == str(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("format = 2\nmodels = []", "format"),
        ("format = 1", "models"),
        (OWN + OWN.replace("format = 1", ""), "stands there twice"),
        (OWN.replace("api =", "apy ="), "did you mean 'api'"),
        (OWN.replace('"openai"', '"gemini"'), "api"),
        ("format = ", "models.toml"),
    ],
)
def test_a_list_that_cannot_be_read_is_named(tmp_path: Path, text: str, said: str) -> None:
    """With its field."""
    path = tmp_path / "models.toml"
    path.write_text(text)
    with pytest.raises(DataError, match=said) as caught:
        read_registry(path)
    assert str(path) in str(caught.value)


def test_a_model_is_found_by_its_id_alone(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Address, form and key come from the list, and the id is sent as it is."""
    monkeypatch.setenv("TINY_KEY", "sk-0123456789abcdef")
    path = tmp_path / "models.toml"
    path.write_text(OWN.format(url=bench.script.url))
    bench.script.says()
    words = ["--model", "vendor/tiny:free", "--models", str(path), "-o", str(bench.output)]
    outcome = bench.call(["generate", FIRST, "--dataset", str(bench.dataset), *words])
    assert outcome.status == 0
    assert bench.script.requests[0]["model"] == "vendor/tiny:free"
    assert bench.record()["model"]["asked"] == "vendor/tiny:free"
    assert bench.script.headers[0]["Authorization"] == "Bearer sk-0123456789abcdef"


def test_a_model_that_nobody_knows_needs_an_address(bench: Any) -> None:
    """And the message says where names are listed."""
    outcome = bench.call(["generate", FIRST, "--model", "nobody", "-o", str(bench.output)])
    assert outcome.status == 2
    assert "--base-url is needed" in outcome.err
    assert "klein-bench agents models" in outcome.err


def test_the_list_is_shown_and_keys_are_not(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only whether they are there."""
    path = tmp_path / "models.toml"
    path.write_text(OWN)
    outcome = bench.call(["agents", "models", "--models", str(path)])
    assert outcome.status == 0
    assert "vendor/tiny:free" in outcome.out
    assert "TINY_KEY (not set)" in outcome.out
    monkeypatch.setenv("TINY_KEY", "sk-0123456789abcdef")
    outcome = bench.call(["agents", "models", "--models", str(path), "--json"])
    (model,) = json.loads(outcome.out)["models"]
    assert model["key"] == "TINY_KEY (set)"
    assert "sk-0123" not in outcome.out
