"""The variables that a template sees."""
from contextlib import contextmanager
from quill.values import Undefined

class Context:
    """Scopes, the innermost last. Setting a name changes the innermost scope alone."""

    def __init__(self, shared, variables):
        self.scopes = [shared, dict(variables), {}]

    def get(self, name):
        return None

    def set(self, name, value):
        return None

    @contextmanager
    def scope(self):
        """A scope for the time of a ``with`` statement."""
        yield
