# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""The shell of tier max: durability, tokens, history and pages.

Everything in the state is the outcome of a sequence of effects: put this, delete that, remember
this token. The state notes the effects that are not in the journal yet, as a part of itself, so
that whatever undoes a change (a failed batch, a rollback) undoes the note as well. When no
transaction is open after a request, the noted effects go to the journal as one record, before the
request is answered. A start replays the journal; an open transaction never got there.
"""

import io
import json
import sys
from collections.abc import Callable

from kcb_references.service.easy import (
    Checks,
    Domain,
    Failure,
    JsonObject,
    Operation,
    encode,
    select,
    serve,
)
from kcb_references.service.hard import TransactionService, is_natural
from kcb_references.service.intermediate import State, is_key, is_string

# What a change does to the state: the name of the method of the state, and its arguments.
Effect = list[object]

# The revision of a change, and how `history` shows it.
Entry = tuple[int, JsonObject]

PAGE_LIMIT = 100
TOKEN_OPS = ("put", "delete", "batch")

# Requests are kept and compared as text in one form. It keeps 1, 1.0 and true apart, which are
# equal in Python, and it cannot change when a contract changes its input.
CANONICAL = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)


class DurableState(State):
    """The documents and the counter, with the history of the documents and with the tokens."""

    def __init__(self) -> None:
        """Start with no documents, no history and no tokens."""
        super().__init__()
        # Tuples, because copies of the state share them.
        self.histories: dict[str, tuple[Entry, ...]] = {}
        # For each token the canonical text of its request, and the result.
        self.tokens: dict[str, tuple[str, object]] = {}
        self.unsaved: list[Effect] = []

    def put(self, key: str, value: object) -> int:
        """Store a value and give the new revision."""
        revision = super().put(key, value)
        self.add_entry(key, revision, {"value": value})
        self.unsaved.append(["put", key, value])
        return revision

    def delete(self, key: str) -> int:
        """Remove the value of a key that has one, and give the new revision."""
        revision = super().delete(key)
        self.add_entry(key, revision, {"deleted": True})
        self.unsaved.append(["delete", key])
        return revision

    def add_entry(self, key: str, revision: int, change: JsonObject) -> None:
        """Add the latest change of a key to its history."""
        entry = (revision, {"revision": revision, **change})
        self.histories[key] = (*self.histories.get(key, ()), entry)

    def remember(self, token: str, request: str, result: object) -> None:
        """Keep the request that a token was used for, and its result."""
        self.tokens[token] = (request, result)
        self.unsaved.append(["remember", token, request, result])

    def replay(self, effects: list[Effect]) -> None:
        """Repeat the effects of a record of the journal."""
        repeat: dict[object, Callable[..., object]] = {
            "put": self.put,
            "delete": self.delete,
            "remember": self.remember,
        }
        for name, *arguments in effects:
            repeat[name](*arguments)
        self.unsaved = []


class Journal:
    """A file to which records are only ever appended, each of them one line of JSON."""

    def __init__(self, path: str) -> None:
        """Open the file, or make it."""
        self.file = io.FileIO(path, "a+")  # unbuffered: a write is one call to the system

    def records(self) -> list[list[Effect]]:
        """Read all records.

        A last line without its line feed was being written when the program died. Nobody got an
        answer for it, and it has to go before a record is written behind it.
        """
        self.file.seek(0)
        content = self.file.readall()
        *lines, torn = content.split(b"\n")
        if torn:
            self.file.truncate(len(content) - len(torn))
        return [json.loads(line) for line in lines]

    def append(self, record: list[Effect]) -> None:
        """Write a record, and give it to the operating system before returning."""
        rest = encode(record) + b"\n"
        while rest:
            rest = rest[self.file.write(rest) :]


class DurableService(TransactionService):
    """Answers requests about tokens, history and pages too, and outlives being killed."""

    state: DurableState

    def __init__(self, domain: Domain, journal: Journal) -> None:
        """Take the contract, and the journal to go on with."""
        super().__init__(domain, DurableState())
        self.journal = journal
        for effects in journal.records():
            self.state.replay(effects)
        keys: Checks = {"after": is_string, "limit": is_limit}
        revisions: Checks = {"after": is_natural, "limit": is_limit}
        for table in (self.operations, self.batch_operations):
            table["list"] = table["list"].also(keys)
        self.operations["history"] = Operation(self.history, {"key": is_key}, revisions)
        for op in TOKEN_OPS:  # only here: in a batch no request has a token
            self.operations[op] = self.operations[op].also({"token": is_key})

    def handle(self, request: object) -> object:
        """Carry out the request of a line, or find out that it was carried out before.

        Raises:
            Failure: The request fails, by one of the rules from 2 on.
        """
        operation, parameters = select(self.operations, request)
        token = parameters.pop("token", None)
        if not isinstance(token, str):
            result = operation.carry_out(**parameters)
        else:
            text = CANONICAL.encode(without_id(request))
            result = self.carry_out_once(token, text, operation, parameters)
        self.save()
        return result

    def carry_out_once(
        self, token: str, text: str, operation: Operation, parameters: JsonObject
    ) -> object:
        """Carry out a request with a token, or give the result it had the first time.

        Raises:
            Failure: The request fails, or the token belongs to another one.
        """
        if token in self.state.tokens:
            first, result = self.state.tokens[token]
            if text != first:
                raise Failure("token_conflict")
            return result
        result = operation.carry_out(**parameters)
        self.state.remember(token, text, result)
        return result

    def save(self) -> None:
        """Write to the journal what is not in it yet, unless a rollback can still undo it."""
        if self.state.unsaved and not self.copies:
            self.journal.append(self.state.unsaved)
            self.state.unsaved = []

    def list_keys(
        self, prefix: str = "", after: str | None = None, limit: int | None = None
    ) -> JsonObject:
        """Carry out the op `list`, for one page."""
        keys = sorted(
            key
            for key in self.state.documents
            if key.startswith(prefix) and (after is None or key > after)
        )
        page = keys[:limit]
        more = {"next": page[-1]} if len(page) < len(keys) else {}
        return {"keys": page, **more}

    def history(self, key: str, after: int = 0, limit: int | None = None) -> JsonObject:
        """Carry out the op `history`, for one page. No revision is 0, so all are after it."""
        if key not in self.state.histories:
            raise Failure("not_found")
        entries = [entry for entry in self.state.histories[key] if entry[0] > after]
        page = entries[:limit]
        more = {"next": page[-1][0]} if len(page) < len(entries) else {}
        return {"entries": [entry for _, entry in page], **more}


def without_id(request: object) -> JsonObject:
    """Give a request without its own `id`, which tells answers apart and not requests."""
    assert isinstance(request, dict), "only an object has an operation"
    return {name: member for name, member in request.items() if name != "id"}


def is_limit(value: object) -> bool:
    """Tell whether a JSON value is an integer that `limit` may be."""
    return is_natural(value) and value in range(1, PAGE_LIMIT + 1)


def state_directory(arguments: list[str]) -> str:
    """Read the arguments of the program.

    Without a directory nothing would be durable, so there is no default for it.
    """
    match arguments:
        case ["--state-dir", directory]:
            return directory
    sys.exit("usage: main.py --state-dir DIR")


def run(domain: Domain) -> None:
    """Run the program of this tier for a contract."""
    directory = state_directory(sys.argv[1:])
    serve(DurableService(domain, Journal(f"{directory}/journal")))
