"""Asks a server what it is and what it knows of a model: a few small requests, each bounded.

Only servers on this machine or in its network are asked. Whatever they do not say is left out, and
one that does not answer is taken for an OpenAI-style endpoint: the first real question will tell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx
import msgspec

from kcb_agents.endpoint import loose
from kcb_agents.endpoint.address import is_nearby
from kcb_agents.endpoint.failure import EndpointError
from kcb_agents.endpoint.form import root_of
from kcb_agents.endpoint.server import Server, size_name
from kcb_agents.endpoint.transport import Endpoint, look
from kcb_core.codec import Json
from kcb_core.run_record import Sampling

_OF_HOST = {"api.anthropic.com": "anthropic", "api.openai.com": "responses"}

_OF_KIND = {"ollama": "ollama"}

_QUANTIZATION = re.compile(r"(?<![A-Za-z0-9])(I?Q[2-8](?:_[A-Z0-9]+)*|BF16|F16|F32|MXFP4)(?![a-z])")

_THINKING = re.compile(r"<think>|enable_thinking|reasoning_effort|<\|channel\|>")


def usual_api(base_url: str, server: Server) -> str:
    """The form in which an endpoint is asked where none is named."""
    host = httpx.URL(base_url).host
    return _OF_HOST.get(host) or _OF_KIND.get(server.kind, "openai")


def survey(endpoint: Endpoint, model: str) -> Server:
    """What the server behind an endpoint says of itself and of a model."""
    if not is_nearby(endpoint.base_url):
        return Server()
    try:
        return (
            _llama_cpp(endpoint, model)
            or _ollama(endpoint, model)
            or _lm_studio(endpoint, model)
            or _listed(endpoint, model)
        )
    except EndpointError:
        return Server()


def _llama_cpp(endpoint: Endpoint, model: str) -> Server | None:
    """What ``/props`` of a llama.cpp server says."""
    props = look(endpoint, f"{root_of(endpoint.base_url)}/props")
    settings = loose.member(props, "default_generation_settings")
    if not settings:
        return None
    template = loose.text(props, "chat_template")
    path = loose.text(props, "model_path")
    meta = loose.member(_entry(endpoint, model), "meta")
    return Server(
        kind="llama.cpp",
        version=loose.text(props, "build_info"),
        model_version=re.split(r"[\\/]", path)[-1],
        parameters=_size(loose.count(meta, "n_params")),
        quantization=_quantization(path),
        chat_template=template,
        context_tokens=_set(loose.count(settings, "n_ctx")),
        context_most=_set(loose.count(meta, "n_ctx_train")),
        # Older versions have the sampler's settings one level higher.
        sampling=_sampling(loose.member(settings, "params") or settings),
        thinks=bool(_THINKING.search(template)),
    )


def _ollama(endpoint: Endpoint, model: str) -> Server | None:
    """What ``/api/show`` of Ollama says; a context is in force only once it is asked for."""
    root = root_of(endpoint.base_url)
    version = loose.text(look(endpoint, f"{root}/api/version"), "version")
    if not version:
        return None
    shown = look(endpoint, f"{root}/api/show", {"model": model})
    details, info = loose.member(shown, "details"), loose.member(shown, "model_info")
    architecture = loose.text(info, "general.architecture")
    stated = _modelfile(loose.text(shown, "parameters"))
    capable = shown.get("capabilities") if isinstance(shown, dict) else None
    tags = loose.items(look(endpoint, f"{root}/api/tags"), "models")
    names = (model, f"{model}:latest")
    return Server(
        kind="ollama",
        version=version,
        model_version=next((loose.text(t, "digest") for t in tags if t.get("name") in names), ""),
        parameters=loose.text(details, "parameter_size"),
        quantization=loose.text(details, "quantization_level"),
        chat_template=loose.text(shown, "template"),
        context_tokens=_set(loose.count(stated, "num_ctx")),
        context_most=_set(loose.count(info, f"{architecture}.context_length")),
        sampling=_sampling(stated),
        thinks=isinstance(capable, list) and "thinking" in capable,
    )


def _lm_studio(endpoint: Endpoint, model: str) -> Server | None:
    """What LM Studio's own interface says."""
    url = f"{root_of(endpoint.base_url)}/api/v0/models/{quote(model, safe='')}"
    entry = look(endpoint, url)
    if not loose.text(entry, "compatibility_type", "arch"):
        return None
    return Server(
        kind="lm-studio",
        quantization=loose.text(entry, "quantization"),
        context_tokens=_set(loose.count(entry, "loaded_context_length")),
        context_most=_set(loose.count(entry, "max_context_length")),
    )


def _listed(endpoint: Endpoint, model: str) -> Server:
    """What the list of models says; vLLM states its context there."""
    entry = _entry(endpoint, model)
    return Server(
        kind="vllm" if loose.text(entry, "owned_by") == "vllm" else "",
        context_tokens=_set(loose.count(entry, "max_model_len")),
    )


def _entry(endpoint: Endpoint, model: str) -> dict[str, Json]:
    """The model in the list of models; the only one, if it has another name there."""
    found = loose.items(look(endpoint, f"{endpoint.base_url}/models"), "data")
    named = [entry for entry in found if entry.get("id") == model]
    return (named or (found if len(found) == 1 else [{}]))[0]


def _modelfile(text: str) -> dict[str, Json]:
    """The parameters of a model that are one number each."""
    words = (line.split() for line in text.splitlines())
    pairs = ((parts[0], parts[1]) for parts in words if len(parts) == 2)
    return {name: _number(value) for name, value in pairs}


def _number(text: str) -> Json:
    try:
        return int(text) if text.isdigit() else float(text)
    except ValueError:
        return None


def _sampling(stated: Mapping[str, Json]) -> Sampling:
    """The usual names among a server's settings."""
    floats = ("temperature", "top_p", "min_p", "repeat_penalty")
    numbers = {name: loose.number(stated, name) for name in floats}
    known: dict[str, Any] = {n: round(v, 6) for n, v in numbers.items() if v is not None}
    return Sampling(**known, **loose.given(top_k=loose.count(stated, "top_k")))


def _quantization(path: str) -> str:
    found = _QUANTIZATION.findall(path.upper().replace(".GGUF", ""))
    return found[-1] if found else ""


def _size(parameters: int | None) -> str:
    return size_name(parameters) if parameters else ""


def _set(count: int | None) -> int | msgspec.UnsetType:
    return count if count else msgspec.UNSET
