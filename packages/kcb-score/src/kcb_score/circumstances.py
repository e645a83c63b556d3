"""By what, and how, a project was judged."""

from __future__ import annotations

from kcb_core.provenance import Revision
from kcb_core.report import DatasetStamp, Document

UNKNOWN = "unknown"


class Circumstances(Document, frozen=True, kw_only=True):
    """By what, and how, a project was judged: the same for nearly all reports of a set."""

    dataset: DatasetStamp
    protocol_version: str
    evaluator: Revision
    python: str
    """Implementation and minor version of the Python that ran the candidate: ``CPython 3.11``."""
    launcher: str
    confinement: str
    """Level of it."""
    budget: str = ""
    """Token, time and tool budget of the generation, as the run record says it."""
    seen_tasks: str = UNKNOWN
    """Whether the agent had seen other tasks or tiers before: ``yes``, ``no`` or ``unknown``."""
    memory_reset: str = UNKNOWN
    """Whether the agent's memory was reset before the task."""
    workspace_reset: str = UNKNOWN
    """Whether the agent's workspace was reset before the task."""
