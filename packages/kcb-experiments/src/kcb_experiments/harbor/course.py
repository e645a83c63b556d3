"""One trial of Harbor from its start to what it comes to; what Harbor does not say is missing."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

from kcb_core.codec import digest, encode
from kcb_core.errors import DataError
from kcb_core.execution import Errand, Left
from kcb_core.run_record import RunRecord
from kcb_core.storage import write_whole
from kcb_experiments.engine.orders import (
    GENERATION_FORMAT,
    GENERATION_KIND,
    GENERATION_NAME,
    PROJECT_NAME,
    GenerationRecord,
)
from kcb_experiments.harbor.command import Harbor
from kcb_experiments.harbor.harbor_agent import NAME, read_options
from kcb_experiments.harbor.task_folder import VERIFIER_S
from kcb_experiments.harbor.trial import JOB_PLACE, LATE, UNJUDGED, Trial, read_trial

AROUND_S = VERIFIER_S + 1200.0
"""How long a trial may take beside its agent: to build, to set up, to judge and to clean up."""

DONE, CUT_OFF = "done", "cut_off"

_LOG_NAME = "harbor.log"
_POLL_S = 0.1


class Course:
    """One trial as an attempt at a cell."""

    def __init__(self, errand: Errand) -> None:
        self.begun = False
        """Whether Harbor was started."""
        self.agent_s = 0.0
        """How long the agent worked, in seconds, as far as Harbor says it."""
        self._errand = errand
        self._agent = read_options(errand.casting.options).agent
        self._started = datetime.now(UTC).isoformat(timespec="seconds")

    def run(self, harbor: Harbor, task: Path) -> Left:
        """Play it, and bring home what it left.

        Args:
            harbor: plays it.
            task: the folder of the task.

        Raises:
            DataError: what Harbor stored cannot be told, or is of something else.
            DeclarationError: it cannot be read.
            MachineError: Harbor cannot be started, or a file cannot be written.
        """
        cancelled = self._played(harbor, task)
        if cancelled:
            return Left(cancelled=True, reason="cancelled")
        trial = read_trial(self._errand.folder, self._errand.task.task_id, self._agent)
        self.agent_s = trial.agent_s
        return self._home(trial)

    def _played(self, harbor: Harbor, task: Path) -> bool:
        """Whether it was ended since everything is to stop."""
        errand = self._errand
        until = time.monotonic() + errand.seconds + AROUND_S
        with (errand.folder / _LOG_NAME).open("wb") as log:
            run = harbor.run(task, self._agent, errand.folder / JOB_PLACE, log)
            self.begun = True
            try:
                while not run.wait(_POLL_S):
                    if errand.stopped():
                        return True
                    if time.monotonic() > until:
                        raise DataError(f"Harbor did not end within {AROUND_S:g} s of its agent")
            finally:
                run.end()
        return False

    def _home(self, trial: Trial) -> Left:
        """What a trial that is over comes to: whatever Harbor is at fault for, nobody else is."""
        errand, fault = self._errand, trial.result.exception_info
        kind = fault.exception_type if fault else ""
        late = kind == LATE
        if fault and not late and kind not in UNJUDGED:
            raise DataError(f"Harbor names {fault}")
        if trial.project is None:
            raise DataError("Harbor brought no project home")
        project, path = errand.folder / PROJECT_NAME, errand.folder / GENERATION_NAME
        trial.project.rename(project)
        record = self._record(trial, stop_reason=CUT_OFF if late else DONE)
        write_whole(path, encode(record))
        reason = f"Harbor names {fault}" if fault else ""
        return Left(
            timed_out=late,
            returned=not late,
            stop_reason="" if late else DONE,
            reason=f"cut off after {errand.seconds:g} s" if late else reason,
            project=project,
            record=path,
            run_record=record.run_record,
        )

    def _record(self, trial: Trial, *, stop_reason: str) -> GenerationRecord:
        errand, version = self._errand, trial.result.agent_info.version
        made = RunRecord(
            agent=f"{NAME} {self._agent}",
            agent_version=version,
            wall_s=round(trial.agent_s, 3),
            stop_reason=stop_reason,
            interventions=(),
            hand_corrected=False,
        )
        return GenerationRecord(
            kind=GENERATION_KIND,
            format=GENERATION_FORMAT,
            cell=errand.name,
            task_id=errand.task.task_id,
            dataset=errand.dataset,
            agent=NAME,
            agent_version=version,
            options=dict(errand.casting.options),
            prompt_sha256=digest(errand.task.prompt.encode("utf-8", "surrogatepass")),
            started=self._started,
            wall_s=round(trial.agent_s, 3),
            stop_reason=stop_reason,
            run_record=made,
        )
