"""Runs the steps of a target."""

import subprocess
import sys

from kiln.errors import TargetError


def _variables(target, inputs, environ):
    names = ("PATH", *target.env)
    chosen = {name: environ[name] for name in names if name in environ}
    return {**chosen, "KILN_INPUTS": " ".join(inputs)}


def remove_outputs(folder, target):
    """Remove the outputs, as far as they are there."""
    for name in target.outputs:
        (folder / name).unlink(missing_ok=True)


def run_steps(folder, target, inputs, environ):
    """Make the target's outputs. Raises TargetError."""
    remove_outputs(folder, target)
    for name in target.outputs:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    variables = _variables(target, inputs, environ)
    for number, step in enumerate(target.steps, 1):
        done = subprocess.run(
            ["sh", "-c", step],
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        sys.stderr.write(done.stdout.decode("utf-8", "replace"))
        if done.returncode:
            raise TargetError(f"step {number} exited with {done.returncode}")
    for name in target.outputs:
        if not (folder / name).is_file():
            raise TargetError(f"did not make {name}")
