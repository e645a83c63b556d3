"""The state: documents, history, tokens and one revision counter.

Every change goes into `log` together with what is needed to undo it. Failed batches and rollbacks
undo the end of the log. When no transaction is open, `settle` writes the log to the journal and
empties it, so the journal holds exactly the changes that can no longer be undone.
"""

import json
import os

SEGMENT_BYTES = 16 * 1024 * 1024  # a journal file that is larger is not continued


class Journal:
    """Files journal-000001 and so on in a directory; each line is a JSON array of changes."""

    def __init__(self, directory):
        self.directory = directory
        self.fd = None
        self.size = 0
        os.makedirs(directory, exist_ok=True)
        names = (n for n in os.listdir(directory) if n.startswith("journal-"))
        self.numbers = sorted(int(n[len("journal-"):]) for n in names)

    def path(self, number):
        return os.path.join(self.directory, f"journal-{number:06d}")

    def load(self):
        """Yield the stored arrays of changes; afterwards the journal can be written."""
        if not self.numbers:
            self.numbers.append(1)
        for number in self.numbers:
            self.size = 0
            try:
                with open(self.path(number), "rb") as file:
                    for line in file:
                        if not line.endswith(b"\n"):
                            break  # a line that was not finished was not answered for
                        self.size += len(line)
                        yield json.loads(line)
            except FileNotFoundError:
                pass
        self.open(self.numbers[-1])
        os.ftruncate(self.fd, self.size)

    def open(self, number):
        if self.fd is not None:
            os.close(self.fd)
        self.fd = os.open(self.path(number), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def write(self, changes):
        line = json.dumps(changes, separators=(",", ":")).encode("ascii") + b"\n"
        if self.size > 0 and self.size + len(line) > SEGMENT_BYTES:
            self.numbers.append(self.numbers[-1] + 1)
            self.open(self.numbers[-1])
            self.size = 0
        view = memoryview(line)
        while view:
            view = view[os.write(self.fd, view):]
        self.size += len(line)


class Store:
    def __init__(self, directory=None):
        self.counter = 0
        self.documents = {}  # key: (value, revision)
        self.history = {}    # key: list of entries, oldest first; never an empty list
        self.tokens = {}     # token: (fingerprint of the request, result)
        self.log = []        # (change, entry of documents before it)
        self.marks = []      # the length of the log at the start of each open transaction
        self.journal = None
        if directory is not None:
            journal = Journal(directory)
            for changes in journal.load():
                for change in changes:
                    self.apply(change)
            self.log.clear()
            self.journal = journal

    # ---- changes: ["put", key, value], ["delete", key], ["token", token, fingerprint, result]

    def apply(self, change):
        kind, key = change[0], change[1]
        before = self.documents.get(key) if kind != "token" else None
        if kind == "token":
            self.tokens[key] = (change[2], change[3])
        else:
            self.counter += 1
            entries = self.history.setdefault(key, [])
            if kind == "put":
                self.documents[key] = (change[2], self.counter)
                entries.append({"revision": self.counter, "value": change[2]})
            else:
                del self.documents[key]
                entries.append({"revision": self.counter, "deleted": True})
        self.log.append((change, before))

    def undo_to(self, length):
        while len(self.log) > length:
            change, before = self.log.pop()
            kind, key = change[0], change[1]
            if kind == "token":
                del self.tokens[key]
                continue
            self.counter -= 1
            if before is None:
                del self.documents[key]
            else:
                self.documents[key] = before
            self.history[key].pop()
            if not self.history[key]:
                del self.history[key]

    def settle(self):
        if self.log and not self.marks:
            if self.journal is not None:
                self.journal.write([change for change, _ in self.log])
            self.log.clear()

    # ---- what the requests need

    def put(self, key, value):
        self.apply(["put", key, value])
        return self.counter

    def delete(self, key):
        self.apply(["delete", key])
        return self.counter

    def add_token(self, token, fingerprint, result):
        self.apply(["token", token, fingerprint, result])

    def revision(self, key):
        return self.documents[key][1] if key in self.documents else 0

    @property
    def depth(self):
        return len(self.marks)

    def begin(self):
        self.marks.append(len(self.log))

    def commit(self):
        self.marks.pop()

    def rollback(self):
        self.undo_to(self.marks.pop())
