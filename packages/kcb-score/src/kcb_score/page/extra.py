"""The extra ``pages``: whether it is installed, and the remedy if not. It imports nothing of it."""

from __future__ import annotations

from importlib.util import find_spec

REMEDY = "pip install 'kcb-score[pages]', or in a clone pip install -e 'packages/kcb-score[pages]'"

_MODULES = ("jinja2", "vl_convert")


def lacking() -> tuple[str, ...]:
    """Names of its modules that are not installed."""
    return tuple(name for name in _MODULES if find_spec(name) is None)
