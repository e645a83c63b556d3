# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""The shell of tier hard: revision checks, batches and transactions.

Both a batch and a transaction are undone by putting back a copy of the whole state.
"""

from kcb_references.service.easy import Domain, Failure, JsonObject, Operation, select, serve
from kcb_references.service.intermediate import DocumentService, State

BATCH_LENGTH = 100
BATCH_OPS = ("put", "get", "delete", "list", "evaluate", "evaluate_stored")
TRANSACTION_LIMIT = 8


class TransactionService(DocumentService):
    """Answers requests that check a revision or undo other requests too."""

    def __init__(self, domain: Domain, state: State) -> None:
        """Take the contract, and the state to work on, with no transaction open."""
        super().__init__(domain, state)
        self.copies: list[State] = []
        for op in ("put", "delete"):
            self.operations[op] = self.operations[op].also({"if_revision": is_natural})
        # The batch has a table of its own: it lacks ops, and in later tiers parameters too.
        self.batch_operations = {op: self.operations[op] for op in BATCH_OPS}
        self.operations |= {
            "batch": Operation(self.batch, {"ops": is_batch}, {}),
            "begin": Operation(self.begin, {}, {}),
            "commit": Operation(self.commit, {}, {}),
            "rollback": Operation(self.rollback, {}, {}),
        }

    def put(self, key: str, value: object, if_revision: int | None = None) -> JsonObject:
        """Carry out the op `put`, if the revision of the key is the expected one."""
        self.check_revision(key, if_revision)
        return super().put(key, value)

    def delete(self, key: str, if_revision: int | None = None) -> JsonObject:
        """Carry out the op `delete`, if the revision of the key is the expected one."""
        self.document(key)  # for `not_found`, which goes before `conflict`
        self.check_revision(key, if_revision)
        return super().delete(key)

    def check_revision(self, key: str, expected: int | None) -> None:
        """Compare the revision of a key with the expected one, if any is expected.

        Raises:
            Failure: They differ.
        """
        _, revision = self.state.documents.get(key, (None, 0))
        if expected is not None and expected != revision:
            raise Failure("conflict")

    def batch(self, ops: list[object]) -> JsonObject:
        """Carry out the op `batch`: all of its requests or, if one fails, none."""
        before = copy_of(self.state)
        results: list[object] = []
        for index, request in enumerate(ops):
            try:
                operation, parameters = select(self.batch_operations, request)
                results.append(operation.carry_out(**parameters))
            except Failure as failure:
                self.state = before
                raise Failure(**failure.error, index=index) from None
        return {"results": results}

    def begin(self) -> JsonObject:
        """Carry out the op `begin`."""
        if len(self.copies) == TRANSACTION_LIMIT:
            raise Failure("transaction_limit")
        self.copies.append(copy_of(self.state))
        return self.depth()

    def commit(self) -> JsonObject:
        """Carry out the op `commit`."""
        self.latest_copy()
        return self.depth()

    def rollback(self) -> JsonObject:
        """Carry out the op `rollback`."""
        self.state = self.latest_copy()
        return self.depth()

    def latest_copy(self) -> State:
        """Take the latest copy off the open transactions.

        Raises:
            Failure: No transaction is open.
        """
        if not self.copies:
            raise Failure("no_transaction")
        return self.copies.pop()

    def depth(self) -> JsonObject:
        """Give the result of the three transaction ops."""
        return {"depth": len(self.copies)}


def copy_of(state: State) -> State:
    """Copy a state: every attribute, so that what a later tier adds to it is not forgotten.

    Dictionaries and lists are copied one level deep. That is enough because nothing inside them is
    ever changed in place, only replaced.
    """
    copy = type(state)()
    for name, value in vars(state).items():
        setattr(copy, name, value.copy() if isinstance(value, dict | list) else value)
    return copy


def is_natural(value: object) -> bool:
    """Tell whether a JSON value is an integer from 0 up. In Python `True` is one, in JSON not."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_batch(value: object) -> bool:
    """Tell whether a JSON value is an array that is short enough for a batch."""
    return isinstance(value, list) and len(value) <= BATCH_LENGTH


def run(domain: Domain) -> None:
    """Run the program of this tier for a contract."""
    serve(TransactionService(domain, State()))
