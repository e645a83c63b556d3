"""The program that judges a project inside a trial of Harbor.

Its text lies in the tests of every task that is exported, as ``__main__.py`` of a folder with the
unpacked wheels::

    python3 -I SITE PROJECT TESTS LOGS

It writes the reward only where there is a verdict: a fault of the machine is no zero.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from kcb_core import console
from kcb_core.dataset import decode_record, open_dataset
from kcb_core.report import Outcome, write_report
from kcb_core.storage import read_bounded, write_whole
from kcb_runner.evaluator import Terms, evaluate

TASK_NAME = "task.jsonl"
"""The task, as one line of its dataset."""

REPORT_NAME = "report.json"
"""The report, which Harbor brings home beside the reward."""

REWARD_NAME = "reward.txt"
"""The reward, where Harbor looks for it."""


def main(words: Sequence[str]) -> int:
    """Judge one project.

    Args:
        words: folders of the project, of the task with its manifest, and of what is left.

    Returns:
        0 if there is a verdict, whatever it is; 3 if nothing can be said of the project.
    """
    project, tests, logs = map(Path, words)
    task = decode_record(read_bounded(tests / TASK_NAME), source=TASK_NAME)
    report = evaluate(task, project, terms=Terms(dataset=open_dataset(tests)))
    write_report(report, logs / REPORT_NAME)
    if report.outcome is Outcome.VOID:
        console.fail(report.void.reason if report.void else "void")
        return 3
    reward = b"1\n" if report.outcome is Outcome.RESOLVED else b"0\n"
    write_whole(logs / REWARD_NAME, reward)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
