"""What servers say of themselves, and what comes of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.endpoint.address import is_nearby
from kcb_agents.endpoint.connection import Connection, connected
from kcb_agents.endpoint.server import Server
from kcb_agents.endpoint.settings import endpoint_settings
from kcb_agents.endpoint.survey import usual_api
from kcb_agents.one_shot import OneShot
from kcb_agents.testing.provider import Provider
from kcb_core.errors import DeclarationError
from kcb_core.roles import Generation
from kcb_core.testing.values import new_transcript

LLAMA_CPP = {
    "/props": {
        "default_generation_settings": {
            "n_ctx": 8192,
            "params": {"temperature": 0.800000011920929, "top_k": 40, "top_p": 0.949999988079071},
        },
        "build_info": "b6123-abc",
        "model_path": "/models/Qwen3-4B-Instruct-Q4_K_M.gguf",
        "chat_template": "{% if enable_thinking %}<think>{% endif %}",
    },
    "/v1/models": {"data": [{"id": "x", "meta": {"n_params": 4022468096, "n_ctx_train": 40960}}]},
}

OLLAMA = {
    "/api/version": {"version": "0.12.3"},
    "/api/show": {
        "parameters": 'temperature    0.6\ntop_k    20\nstop    "<|im_start|>"',
        "template": "{{ .Prompt }}",
        "details": {"parameter_size": "4.0B", "quantization_level": "Q4_K_M"},
        "model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40960},
        "capabilities": ["completion", "tools", "thinking"],
    },
    "/api/tags": {"models": [{"name": "m:latest", "digest": "e55aed6fe643"}]},
}

VLLM = {"/v1/models": {"data": [{"id": "m", "owned_by": "vllm", "max_model_len": 32768}]}}

LM_STUDIO = {
    "/api/v0/models/m": {
        "id": "m",
        "arch": "gemma3",
        "compatibility_type": "gguf",
        "quantization": "Q8_0",
        "loaded_context_length": 4096,
        "max_context_length": 32768,
    }
}


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A scripted provider."""
    with Provider().serving() as provider:
        yield provider


def connect(provider: Provider, **settings: Any) -> Connection:
    """What is known of the provider's model."""
    return connected(endpoint_settings({"base_url": provider.url, "model": "m"} | settings))


def test_llama_cpp_is_known_by_its_props(provider: Provider) -> None:
    """It speaks OpenAI's form, and says what it is beside."""
    provider.shown = LLAMA_CPP
    found = connect(provider)
    assert (found.form.name, found.server.kind) == ("openai", "llama.cpp")
    assert found.server.version == "b6123-abc"
    assert found.server.quantization == "Q4_K_M"
    assert found.server.parameters == "4B"
    assert found.server.model_version == "Qwen3-4B-Instruct-Q4_K_M.gguf"
    assert found.server.thinks
    assert found.context_tokens == 8192
    assert (found.sampling.temperature, found.sampling.top_k) == (0.8, 40)


def test_ollama_is_asked_in_its_own_form(provider: Provider) -> None:
    """Nowhere else can its context be set."""
    provider.shown = OLLAMA
    found = connect(provider, temperature=0.1)
    assert (found.form.name, found.server.kind) == ("ollama", "ollama")
    assert (found.server.parameters, found.server.quantization) == ("4.0B", "Q4_K_M")
    assert found.server.model_version == "e55aed6fe643"
    assert found.server.thinks
    assert found.context_tokens == 16384
    assert (found.sampling.temperature, found.sampling.top_k) == (0.1, 20)
    assert connect(provider, api="openai").form.name == "openai"


def test_a_context_of_the_modelfile_is_let_be(provider: Provider) -> None:
    """Its author knows what the machine bears."""
    show = OLLAMA["/api/show"] | {"parameters": "num_ctx 12000"}
    provider.shown = OLLAMA | {"/api/show": show}
    assert connect(provider).context_tokens == 12000
    assert connect(provider, context_tokens=20000).context_tokens == 20000


def test_vllm_states_its_context_in_the_list_of_models(provider: Provider) -> None:
    """And nothing else."""
    provider.shown = VLLM
    found = connect(provider)
    assert (found.server.kind, found.context_tokens) == ("vllm", 32768)


def test_lm_studio_is_known_by_its_own_interface(provider: Provider) -> None:
    """It loads models with a small context."""
    provider.shown = LM_STUDIO
    found = connect(provider)
    assert (found.server.kind, found.server.quantization) == ("lm-studio", "Q8_0")
    assert found.context_tokens == 4096


@pytest.mark.parametrize(
    ("shown", "context", "remedy"),
    [
        (LLAMA_CPP, 16384, "llama-server -c 16384"),
        (VLLM, 65536, "--max-model-len 65536"),
        (LM_STUDIO, 8192, "lms load MODEL --context-length 8192"),
        ({}, 8192, "llama-server -c 8192"),
        (OLLAMA, 65536, "bears 40960 tokens"),
    ],
)
def test_a_context_that_cannot_be_had_is_refused_with_the_remedy(
    provider: Provider, shown: dict[str, Any], context: int, remedy: str
) -> None:
    """One that was not set would be a lie in the record."""
    provider.shown = shown
    with pytest.raises(DeclarationError, match=remedy):
        connect(provider, context_tokens=context)


@pytest.mark.parametrize(("shown", "context"), [(LLAMA_CPP, 8192), (VLLM, 1000), (OLLAMA, 40960)])
def test_a_context_that_is_there_is_taken(
    provider: Provider, shown: dict[str, Any], context: int
) -> None:
    """Set, or made sure of."""
    provider.shown = shown
    found = connect(provider, context_tokens=context).context_tokens
    assert found == (32768 if shown is VLLM else context), "what is there, not what was wished for"


def test_what_a_server_says_reaches_the_run_record_by_itself(
    provider: Provider, tmp_path: Path
) -> None:
    """Nobody should have to copy it."""
    provider.shown = OLLAMA
    provider.says("### main.py\n```python\nx\n```")
    (tmp_path / "project").mkdir()
    settings = {"base_url": provider.url, "model": "m", "seed": 3, "temperature": 0.2}
    with new_transcript(tmp_path / "t.jsonl") as transcript:
        project = tmp_path / "project"
        generated = OneShot().generate(
            Generation(prompt="p", project=project, transcript=transcript, settings=settings)
        )
    record = generated.record["run_record"]
    assert record["quantization"] == "Q4_K_M"
    assert record["parameters"] == "4.0B"
    assert record["model_version"] == "e55aed6fe643"
    assert record["context_tokens"] == 16384
    assert record["chat_template"].startswith("sha256:")
    assert record["sampling"] == {"temperature": 0.2, "top_k": 20}
    assert generated.record["server"]["chat_template"] == "{{ .Prompt }}"
    assert provider.requests[0]["options"] == {"seed": 3, "temperature": 0.2, "num_ctx": 16384}


def test_a_server_is_asked_once_for_all_tasks(provider: Provider, tmp_path: Path) -> None:
    """It does not change between two tasks of a run."""
    provider.shown = LLAMA_CPP
    agent = OneShot()
    for number in range(2):
        provider.says("x")
        (tmp_path / str(number)).mkdir()
        settings = {"base_url": provider.url, "model": "m"}
        project = tmp_path / str(number)
        with new_transcript(project.with_suffix(".jsonl")) as transcript:
            agent.generate(
                Generation(prompt="p", project=project, transcript=transcript, settings=settings)
            )
    assert provider.looks.count("/props") == 1


def test_a_strange_server_is_taken_for_the_usual_kind(provider: Provider) -> None:
    """Whatever nonsense it sends."""
    for nonsense in ([], "x", 7, {"default_generation_settings": 3}, {"data": [1, None]}):
        provider.shown = dict.fromkeys(
            ("/props", "/api/version", "/v1/models", "/api/v0/models/m"), nonsense
        )
        found = connect(provider)
        assert (found.form.name, found.server.kind) == ("openai", "")
        assert found.context_tokens is None


@pytest.mark.parametrize(
    ("base_url", "api"),
    [
        ("https://api.anthropic.com", "anthropic"),
        ("https://api.openai.com/v1", "responses"),
        ("https://openrouter.ai/api/v1", "openai"),
    ],
)
def test_public_hosts_are_known_by_name_and_not_looked_at(base_url: str, api: str) -> None:
    """A look would go to the network, and tell a stranger of local habits."""
    assert usual_api(base_url, Server()) == api
    assert not is_nearby(base_url)


@pytest.mark.parametrize(
    "base_url",
    [
        "http://localhost:1",
        "http://[::1]:1",
        "http://192.168.1.7",
        "http://box.local",
        "http://gpu",
    ],
)
def test_servers_nearby_are_looked_at(base_url: str) -> None:
    """On this machine or in its network."""
    assert is_nearby(base_url)


def test_no_more_context_is_set_than_the_model_bears(provider: Provider) -> None:
    """Beyond what it was trained for it writes nonsense."""
    info = {"general.architecture": "phi", "phi.context_length": 8192}
    provider.shown = OLLAMA | {"/api/show": {"model_info": info}}
    assert connect(provider).context_tokens == 8192
