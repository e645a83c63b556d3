"""Runs the steps of a target."""
import subprocess
import sys
from kiln.errors import TargetError

def _variables(target, inputs, environ):
    return None

def remove_outputs(folder, target):
    """Remove the outputs, as far as they are there."""
    return None

def run_steps(folder, target, inputs, environ):
    """Make the target's outputs. Raises TargetError."""
    return None
