"""Plays the sessions of a task against a project and reports what happened.

What stands here is for other programs; ``klein-bench evaluate`` is for people.
"""

from kcb_runner.calibration import calibrate
from kcb_runner.cancel import Cancelled
from kcb_runner.evaluator import Terms, evaluate
from kcb_runner.evaluator_pool import Pool
from kcb_runner.intake import Project
from kcb_runner.rewards import Reward, reward
from kcb_runner.training import Training

__all__ = [
    "Cancelled",
    "Pool",
    "Project",
    "Reward",
    "Terms",
    "Training",
    "calibrate",
    "evaluate",
    "reward",
]
