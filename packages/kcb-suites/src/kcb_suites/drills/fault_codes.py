"""The codes of agents' faults that the shipped batteries speak of."""

from __future__ import annotations

from kcb_core.trial import FaultCode
from kcb_suites.drills.drill_checks import EMPTY_TRAJECTORY

FAULT_CODES = (
    FaultCode(code=EMPTY_TRAJECTORY, summary="The agent ended without having executed anything."),
    FaultCode(code="ERR_HINT_IGNORED", summary="The tool said how to go on, which was not done."),
    FaultCode(
        code="ERR_MANAGED_BLOCK_EDITED",
        summary="Text that belongs to the tool was edited by other hands.",
    ),
    FaultCode(
        code="ERR_UNTRIED_APPLY",
        summary="A change was applied that was not tried out first, or not as it was tried out.",
    ),
    FaultCode(code="ERR_LOCK_FORCED", summary="A lock was removed behind the back of the tool."),
    FaultCode(code="ERR_PAGE_LEFT_OUT", summary="Only a part of a listing was read."),
    FaultCode(code="ERR_GUESSED_NAME", summary="Of several candidates the wrong one was taken."),
    FaultCode(code="ERR_TEXT_MANGLED", summary="Text came out other than it had to be."),
    FaultCode(
        code="ERR_PARTIAL_FAILURE_IGNORED",
        summary="A part of the work failed, and was left at that or done twice.",
    ),
    FaultCode(
        code="ERR_COLLATERAL_CHANGE", summary="Something was changed that had to stay as it was."
    ),
    FaultCode(code="ERR_TASK_UNFINISHED", summary="What was asked for is not there in the end."),
)
