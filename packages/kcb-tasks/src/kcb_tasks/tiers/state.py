"""All that a service remembers, as one value that never changes.

A change makes a new value and leaves the old one as it was, so that a rollback, a failed batch and
a kill are nothing but a return to a value that is still there. JSON inside the state is kept as
text: nothing that reads it can alter it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kcb_core.codec import Json, compact, parse


@dataclass(frozen=True, slots=True)
class Document:
    """A stored value."""

    text: str
    """The value as JSON text."""
    revision: int
    """The revision of the ``put`` that stored it."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A request that succeeded under a token."""

    request: bytes
    """The request apart from its ``id``, as canonical JSON."""
    result: str
    """Its result as JSON text."""


@dataclass(frozen=True, slots=True)
class State:
    """What rollback and kill restore as one thing; each tier shows a part of it."""

    counter: int = 0
    """The revision of the latest change."""
    documents: Mapping[str, Document] = field(default_factory=dict)
    """Stored values by key."""
    histories: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The entries of every key that was ever changed, as JSON text, oldest first."""
    tokens: Mapping[str, Remembered] = field(default_factory=dict)
    """Requests by their token."""
    saved: State | None = None
    """The copy that the latest open ``begin`` saved, with the copies of the outer ones inside."""

    @property
    def depth(self) -> int:
        """How many transactions are open."""
        return 0 if self.saved is None else 1 + self.saved.depth

    @property
    def settled(self) -> State:
        """What is left when every open transaction is rolled back."""
        return self if self.saved is None else self.saved.settled

    def revision_of(self, key: str) -> int:
        """The revision under which a key is stored, 0 if it is not."""
        document = self.documents.get(key)
        return 0 if document is None else document.revision

    def with_put(self, key: str, value: Json) -> State:
        """The state after one ``put``."""
        revision = self.counter + 1
        document = Document(freeze(value), revision)
        return replace(
            self,
            counter=revision,
            documents={**self.documents, key: document},
            histories=self._appended(key, {"revision": revision, "value": value}),
        )

    def with_delete(self, key: str) -> State:
        """The state after one ``delete`` of a stored key."""
        revision = self.counter + 1
        return replace(
            self,
            counter=revision,
            documents={k: v for k, v in self.documents.items() if k != key},
            histories=self._appended(key, {"revision": revision, "deleted": True}),
        )

    def with_token(self, token: str, remembered: Remembered) -> State:
        """The state in which a token is taken."""
        return replace(self, tokens={**self.tokens, token: remembered})

    def _appended(self, key: str, entry: Json) -> Mapping[str, tuple[str, ...]]:
        return {**self.histories, key: (*self.histories.get(key, ()), freeze(entry))}


def freeze(value: Json) -> str:
    """A JSON value as text, which cannot be altered through a reference to it."""
    return compact(value)


def thaw(text: str) -> Json:
    """A new JSON value from frozen text."""
    return parse(text.encode())
