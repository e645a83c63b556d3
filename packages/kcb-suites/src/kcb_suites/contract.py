"""The contract of graders: what one prints and exits with, and what that says of a workspace.

It is called as ``python3 GRADER/grade.py WORKSPACE``. It prints one line ``FAIL REASON`` a problem,
then ``PASS`` or ``FAIL`` as the last line, and exits with 0 for ``PASS`` alone. Anything else
breaks the contract, and then nothing at all is known.
"""

from __future__ import annotations

from collections.abc import Sequence

GRADE = "grade.py"
"""The program of a grader, in its folder."""

PASS, FAIL = "PASS", "FAIL"

_SHOWN = 200


class BrokenContract(Exception):
    """A grader did not do what graders do.

    Attributes:
        reason: one line that says in which way.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def reasons_of(status: int, stdout: bytes) -> tuple[str, ...]:
    """What a grader that ended by itself found wrong; empty if it says ``PASS``.

    Args:
        status: its exit status.
        stdout: all that it printed.

    Raises:
        BrokenContract: it says no verdict, or says two things at once.
    """
    try:
        lines = stdout.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise BrokenContract("it printed what is no UTF-8") from None
    verdict = lines[-1] if lines else ""
    if verdict not in (PASS, FAIL):
        raise BrokenContract(
            f"it ended with status {status} and no verdict: its last line is {verdict[:_SHOWN]!r}"
        )
    reasons = _reasons(lines[:-1])
    if verdict == PASS and (status != 0 or reasons):
        said = f"{len(reasons)} problems" if reasons else f"exit status {status}"
        raise BrokenContract(f"it printed PASS with {said}")
    if verdict == FAIL and (status == 0 or not reasons):
        said = "exit status 0" if status == 0 else "no problem"
        raise BrokenContract(f"it printed FAIL with {said}")
    return reasons


def _reasons(lines: Sequence[str]) -> tuple[str, ...]:
    reasons = []
    for line in lines:
        reason = line.removeprefix(f"{FAIL} ")
        if reason == line or not reason.strip():
            raise BrokenContract(f"it printed a line that is none of its: {line[:_SHOWN]!r}")
        reasons.append(reason)
    return tuple(reasons)
