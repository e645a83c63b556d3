"""What the proxy answers by itself instead of asking the endpoint."""

from __future__ import annotations


class Refusal(Exception):
    """A request is not passed on.

    Attributes:
        status: HTTP status of the answer.
        code: what happened, in one word for programs.
        reason: the same for people, in one line; it names the remedy.
    """

    def __init__(self, status: int, code: str, reason: str) -> None:
        self.status = status
        self.code = code
        self.reason = reason
        super().__init__(reason)

    @property
    def document(self) -> dict[str, object]:
        """The answer's body, in a form that clients of every kind of endpoint read."""
        error = {"type": self.code, "code": self.code, "message": self.reason}
        return {"type": "error", "error": error}
