"""Makes targets, or finds that it need not."""
from kiln.errors import TargetError
from kiln.fingerprint import differences, key_of, made_from, output_prints
from kiln.graph import in_order
from kiln.runner import remove_outputs, run_steps
from kiln.state import State
from kiln.store import Store
CACHE = '.kiln'

class Builder:
    """Makes the targets of one project, with the variables ``environ``."""

    def __init__(self, project, environ):
        return None

    def build(self, names, keep_going=False):
        """Make targets and what they need; yield ``(word, target, reason)`` for each."""
        return None

    def why(self, name):
        """What changed since the target was last made, a line each."""
        return None

    def clean(self):
        """Remove all outputs."""
        return None

    def _make(self, target):
        return None
