"""The variables that a template sees."""

from contextlib import contextmanager

from quill.values import Undefined


class Context:
    """Scopes, the innermost last. Setting a name changes the innermost scope alone."""

    def __init__(self, shared, variables):
        self.scopes = [shared, dict(variables), {}]

    def get(self, name):
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return Undefined(name)

    def set(self, name, value):
        self.scopes[-1][name] = value

    @contextmanager
    def scope(self):
        """A scope for the time of a ``with`` statement."""
        self.scopes.append({})
        try:
            yield
        finally:
            self.scopes.pop()
