"""Runs any commands confined in a folder: what agents do, and agents themselves.

It is the confinement that candidates get, with what an agent needs besides: a network of its own
that consists of loopback alone, a folder that stays, and several programs at the same time.
"""

from kcb_runner.sandbox.program import CommandResult, NotStarted, Program
from kcb_runner.sandbox.sandbox import AGENT, Profile, Sandbox

__all__ = ["AGENT", "CommandResult", "NotStarted", "Profile", "Program", "Sandbox"]
