"""What a server says of itself and of a model, as far as a record wants to know it."""

from __future__ import annotations

import msgspec

from kcb_core.run_record import Sampling


class Server(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A server and the model on it; what it does not state is left out."""

    kind: str = ""
    """The program: ``llama.cpp``, ``ollama``, ``vllm`` or ``lm-studio``."""
    version: str = ""
    """The program's version, in its own words."""
    model_version: str = ""
    """Digest or file name of the model's weights."""
    parameters: str = ""
    """Number of parameters, such as ``4B``."""
    quantization: str = ""
    """Such as ``Q4_K_M``."""
    chat_template: str = ""
    """How a conversation becomes a prompt, in full."""
    context_tokens: int | msgspec.UnsetType = msgspec.UNSET
    """The context in force, in tokens."""
    context_most: int | msgspec.UnsetType = msgspec.UNSET
    """The largest context that the model bears, in tokens."""
    sampling: Sampling = Sampling()
    """What holds where a request says nothing."""
    thinks: bool = False
    """Whether the model can think before it answers."""

    def context_remedy(self, tokens: int) -> str:
        """How whoever runs the server gives it a context of so many tokens, as one command."""
        return _REMEDIES.get(self.kind, _ANY_REMEDY).format(tokens=tokens)


_REMEDIES = {
    "llama.cpp": "start it anew with: llama-server -c {tokens}",
    "ollama": "add --api ollama --context {tokens}, "
    "or start it anew with: OLLAMA_CONTEXT_LENGTH={tokens} ollama serve",
    "vllm": "start it anew with: vllm serve MODEL --max-model-len {tokens}",
    "lm-studio": "load the model anew with: lms load MODEL --context-length {tokens}",
}

_ANY_REMEDY = "give the server a context of {tokens} tokens (llama.cpp: llama-server -c {tokens})"


def size_name(parameters: int) -> str:
    """A number of parameters in the usual spelling."""
    if parameters >= 1_000_000_000:
        return f"{parameters / 1e9:.1f}B".replace(".0B", "B")
    return f"{parameters / 1e6:.0f}M"
