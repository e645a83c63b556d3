"""The kinds of documents that kcb-suites defines, as it publishes them."""

from __future__ import annotations

from kcb_core.schemas import Published
from kcb_suites.manifest import KINDS, SCHEMA_VERSION

DOCUMENTS = tuple(
    Published(kind=kind, type=type_, version=SCHEMA_VERSION, field="schema_version")
    for kind, type_ in KINDS.items()
)
