"""Whether one subject is worse than another by more than can be accepted."""

from __future__ import annotations

from kcb_score.compare.comparison import Answer, Contrast, Gate


def decide(contrast: Contrast, margin: float) -> Gate:
    """The answer by the interval of the difference, second less first.

    After Piaggio et al. (2012), "Reporting of noninferiority and equivalence randomized trials:
    extension of the CONSORT 2010 statement", figure 1, the first of these that applies:

    - not worse: the interval lies above minus the margin, so a loss that large is ruled out; a
      smaller loss may well be there;
    - worse: the interval lies below zero, so there is a loss, and one of the margin is not ruled
      out;
    - cannot tell: the interval holds both minus the margin and zero, or there is none.

    Args:
        contrast: of all tiers together.
        margin: the smallest loss that is not acceptable, as a share between 0 and 1.
    """
    interval = contrast.interval
    if interval is None:
        why = contrast.reasons.get("interval", "there is no interval")
        return Gate(answer=Answer.CANNOT_TELL, margin=margin, reason=why)
    low, high = (f"{100 * end:+.1f}" for end in (interval.low, interval.high))
    where = f"the difference lies between {low} and {high} points"
    if interval.low > -margin:
        answer, why = Answer.NOT_WORSE, f"a loss of {100 * margin:g} points is ruled out"
    elif interval.high < 0:
        answer, why = Answer.WORSE, f"below zero, and a loss of {100 * margin:g} is not ruled out"
    else:
        answer, why = Answer.CANNOT_TELL, f"a loss of {100 * margin:g} and none are both possible"
    return Gate(answer=answer, margin=margin, reason=f"{where}: {why}")
