"""``klein-bench experiment stop``: ask whoever runs an experiment to end it in order."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import click

from kcb_core import console
from kcb_core.commands.options import FILE
from kcb_core.errors import DeclarationError, MachineError
from kcb_experiments.frozen import read_experiment
from kcb_experiments.lock import current_holder, this_process

PATIENCE_S = 15.0
"""How long a run has to end, in seconds."""


@click.command()
@click.argument("folder", type=FILE, metavar="DIR")
def stop(folder: Path) -> None:
    """End the run that writes to a folder, as Ctrl-C in its terminal would.

    Nothing new begins and what runs is cancelled; 'experiment run' goes on later. The run has to be
    on this machine.
    """
    read_experiment(folder)
    holder = current_holder(folder)
    if holder is None:
        console.say("nothing runs there")
        return
    here = this_process()
    if (holder.host, holder.boot_id) != (here.host, here.boot_id):
        raise DeclarationError(f"{holder} runs it, which is another machine; stop it there")
    os.kill(holder.pid, signal.SIGTERM)
    until = time.monotonic() + PATIENCE_S
    while current_holder(folder) == holder:
        if time.monotonic() > until:
            raise MachineError(f"{holder} has not ended within {PATIENCE_S:g} s")
        time.sleep(0.1)
    console.say(f"{holder} has ended")
