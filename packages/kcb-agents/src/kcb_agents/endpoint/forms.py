"""The forms of endpoints by their names."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from kcb_agents.endpoint.anthropic_form import AnthropicForm
from kcb_agents.endpoint.chat_form import ChatForm
from kcb_agents.endpoint.form import Form
from kcb_agents.endpoint.ollama_form import OllamaForm
from kcb_agents.endpoint.responses_form import ResponsesForm

_ALL: tuple[Form, ...] = (ChatForm(), ResponsesForm(), AnthropicForm(), OllamaForm())

FORMS: Mapping[str, Form] = MappingProxyType({form.name: form for form in _ALL})
"""Every form, by its name for ``--api``."""
