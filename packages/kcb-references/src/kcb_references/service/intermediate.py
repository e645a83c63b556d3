# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""The shell of tier intermediate: JSON documents under keys, with one revision counter.

The stored values are never changed in place: a `put` replaces the whole value, and the contract
only ever sees a copy. Later tiers rely on that when they copy the state.
"""

from kcb_references.service.easy import (
    Domain,
    Failure,
    JsonObject,
    Operation,
    Service,
    serve,
)

# A value, and the revision of the put that stored it.
Document = tuple[object, int]


class State:
    """The documents and the revision counter."""

    def __init__(self) -> None:
        """Start with no documents."""
        self.revision = 0
        self.documents: dict[str, Document] = {}

    def put(self, key: str, value: object) -> int:
        """Store a value and give the new revision."""
        self.revision += 1
        self.documents[key] = (value, self.revision)
        return self.revision

    def delete(self, key: str) -> int:
        """Remove the value of a key that has one, and give the new revision."""
        self.revision += 1
        del self.documents[key]
        return self.revision


class DocumentService(Service):
    """Answers requests about documents too."""

    def __init__(self, domain: Domain, state: State) -> None:
        """Take the contract, and the state to work on."""
        super().__init__(domain)
        self.state = state
        key = {"key": is_key}
        self.operations |= {
            "put": Operation(self.put, {"key": is_key, "value": is_anything}, {}),
            "get": Operation(self.get, key, {}),
            "delete": Operation(self.delete, key, {}),
            "list": Operation(self.list_keys, {}, {"prefix": is_string}),
            "evaluate_stored": Operation(self.evaluate_stored, key, {}),
        }

    def put(self, key: str, value: object) -> JsonObject:
        """Carry out the op `put`."""
        return {"revision": self.state.put(key, value)}

    def get(self, key: str) -> JsonObject:
        """Carry out the op `get`."""
        value, revision = self.document(key)
        return {"value": value, "revision": revision}

    def delete(self, key: str) -> JsonObject:
        """Carry out the op `delete`."""
        self.document(key)
        return {"revision": self.state.delete(key)}

    def list_keys(self, prefix: str = "") -> JsonObject:
        """Carry out the op `list`. Python compares strings by code point, as is asked for."""
        return {"keys": sorted(key for key in self.state.documents if key.startswith(prefix))}

    def evaluate_stored(self, key: str) -> object:
        """Carry out the op `evaluate_stored`, on a copy that the contract may do anything with."""
        value, _ = self.document(key)
        fields = copied(value)
        if not isinstance(fields, dict):
            raise Failure("bad_request")
        return self.evaluate(fields)

    def document(self, key: str) -> Document:
        """Give what is stored under a key.

        Raises:
            Failure: Nothing is.
        """
        if key not in self.state.documents:
            raise Failure("not_found")
        return self.state.documents[key]


def is_anything(value: object) -> bool:
    """Allow any JSON value."""
    return True


def is_string(value: object) -> bool:
    """Tell whether a JSON value is a string."""
    return isinstance(value, str)


def is_key(value: object) -> bool:
    """Tell whether a JSON value is a string of 1 to 128 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 128


def copied(value: object) -> object:
    """Copy a JSON value all the way down."""
    if isinstance(value, dict):
        return {name: copied(member) for name, member in value.items()}
    if isinstance(value, list):
        return [copied(item) for item in value]
    return value


def run(domain: Domain) -> None:
    """Run the program of this tier for a contract."""
    serve(DocumentService(domain, State()))
