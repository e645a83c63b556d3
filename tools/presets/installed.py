"""Which version of a program a toolchain holds, by what its installer left there."""

from __future__ import annotations

import json
from importlib.metadata import Distribution, MetadataPathFinder
from pathlib import Path

_DISTRIBUTIONS = {"aider": "aider-chat", "mini-swe-agent": "mini-swe-agent"}
_PACKAGES = {
    "claude-code": "@anthropic-ai/claude-code",
    "codex": "@openai/codex",
    "opencode": "opencode-ai",
    "qwen-code": "@qwen-code/qwen-code",
}


def version(name: str, toolchain: Path) -> str:
    """The version of a program that is installed.

    Args:
        name: its preset.
        toolchain: the folder that it is installed in.
    """
    if name in _PACKAGES:
        manifest = toolchain / "node_modules" / _PACKAGES[name] / "package.json"
        return str(json.loads(manifest.read_bytes())["version"])
    places = [str(path) for path in toolchain.glob("lib/python3*/site-packages")]
    context = MetadataPathFinder.Context(name=_DISTRIBUTIONS[name], path=places)
    found: Distribution = next(iter(MetadataPathFinder.find_distributions(context)))
    return found.version
