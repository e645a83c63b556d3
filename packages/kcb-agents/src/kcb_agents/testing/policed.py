"""Whether tests may make network namespaces with rules and proxies on this machine."""

from __future__ import annotations

import os

from kcb_agents.egress.component import PIN
from kcb_agents.egress.passage import require_means
from kcb_core.errors import DeclarationError

ASKED = "KCB_EGRESS_NAMESPACE_TEST"
"""The variable that asks for them, by the value 1."""


def why_not() -> str:
    """Why none are made here; empty if they can be."""
    if os.environ.get(ASKED) != "1":
        return f"{ASKED}=1 is not set"
    try:
        require_means(PIN)
    except DeclarationError as error:
        return str(error)
    return ""
