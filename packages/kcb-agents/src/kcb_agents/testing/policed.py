"""Whether tests may make network namespaces with rules and proxies on this machine."""

from __future__ import annotations

import os
import subprocess

from kcb_agents.egress.component import find_component
from kcb_agents.egress.namespace import require_tools
from kcb_core.errors import DeclarationError

ASKED = "KCB_EGRESS_NAMESPACE_TEST"
"""The variable that asks for them, by the value 1."""


def why_not() -> str:
    """Why none are made here; empty if they can be."""
    if os.environ.get(ASKED) != "1":
        return f"{ASKED}=1 is not set"
    try:
        require_tools()
        find_component()
    except DeclarationError as error:
        return str(error)
    made = subprocess.run(
        ("unshare", "--net", "--mount", "nft", "list", "ruleset"), capture_output=True, check=False
    )
    return "" if made.returncode == 0 else f"no namespace with rules here: {made.stderr.decode()}"
