"""The kinds of stored documents that kcb-core itself defines, as it publishes them."""

from __future__ import annotations

from kcb_core.findings import (
    ROUTING_FORMAT,
    ROUTING_KIND,
    STALENESS_FORMAT,
    STALENESS_KIND,
    TRIAL_SUMMARY_FORMAT,
    TRIAL_SUMMARY_KIND,
    Routing,
    Staleness,
    TrialSummary,
)
from kcb_core.report import REPORT_KIND, REPORT_VERSION, TaskReport
from kcb_core.run_record import RUN_RECORD_FORMAT, RUN_RECORD_KIND, RunRecord
from kcb_core.schemas import Published
from kcb_core.score import SCORE_FORMAT, SCORE_KIND, Score
from kcb_core.selection import SELECTION_FORMAT, SELECTION_KIND, Selection
from kcb_core.trial import TRIAL_KIND, TRIAL_VERSION, TrialReport
from kcb_core.validation import VALIDATION_FORMAT, VALIDATION_KIND, ValidationSummary

DOCUMENTS = (
    Published(kind=REPORT_KIND, type=TaskReport, version=REPORT_VERSION, field="report_version"),
    Published(kind=TRIAL_KIND, type=TrialReport, version=TRIAL_VERSION, field="report_version"),
    Published(kind=RUN_RECORD_KIND, type=RunRecord, version=RUN_RECORD_FORMAT),
    Published(kind=SCORE_KIND, type=Score, version=SCORE_FORMAT),
    Published(kind=SELECTION_KIND, type=Selection, version=SELECTION_FORMAT),
    Published(kind=VALIDATION_KIND, type=ValidationSummary, version=VALIDATION_FORMAT),
    Published(kind=TRIAL_SUMMARY_KIND, type=TrialSummary, version=TRIAL_SUMMARY_FORMAT),
    Published(kind=ROUTING_KIND, type=Routing, version=ROUTING_FORMAT),
    Published(kind=STALENESS_KIND, type=Staleness, version=STALENESS_FORMAT),
)
