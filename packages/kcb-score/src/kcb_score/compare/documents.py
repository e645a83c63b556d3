"""The kinds of stored documents that comparisons read and write, as they are published."""

from __future__ import annotations

from kcb_core.schemas import Published
from kcb_score.compare.baseline import BASELINE_FORMAT, BASELINE_KIND, Baseline
from kcb_score.compare.comparison import COMPARISON_FORMAT, COMPARISON_KIND, Comparison
from kcb_score.compare.history import HISTORY_FORMAT, HISTORY_KIND, History

DOCUMENTS = (
    Published(kind=COMPARISON_KIND, type=Comparison, version=COMPARISON_FORMAT),
    Published(kind=BASELINE_KIND, type=Baseline, version=BASELINE_FORMAT),
    Published(kind=HISTORY_KIND, type=History, version=HISTORY_FORMAT),
)
