"""Word frequency report with a durable document store: one JSON request per line."""

import hashlib
import json
import sys

import words
from store import Store

MAX_TRANSACTIONS = 8
MAX_BATCH = 100
MAX_PAGE = 100


class RequestError(Exception):
    def __init__(self, code, **extra):
        super().__init__(code)
        self.error = {"code": code, **extra}


# ---- checks of parameters

def any_value(value):
    return True


def any_string(value):
    return isinstance(value, str)


def name_string(value):  # a key or a token
    return isinstance(value, str) and 1 <= len(value) <= 128


def any_object(value):
    return isinstance(value, dict)


def from_zero(value):
    return type(value) is int and value >= 0


def page_size(value):
    return type(value) is int and 1 <= value <= MAX_PAGE


def batch_array(value):
    return isinstance(value, list) and len(value) <= MAX_BATCH


REQUIRED, OPTIONAL = True, False
KEY = ("key", REQUIRED, name_string)
IF_REVISION = ("if_revision", OPTIONAL, from_zero)
LIMIT = ("limit", OPTIONAL, page_size)
TOKEN = ("token", OPTIONAL, name_string)

PARAMETERS = {
    "evaluate": [("input", REQUIRED, any_object)],
    "put": [KEY, ("value", REQUIRED, any_value), IF_REVISION],
    "get": [KEY],
    "delete": [KEY, IF_REVISION],
    "list": [("prefix", OPTIONAL, any_string), ("after", OPTIONAL, any_string), LIMIT],
    "evaluate_stored": [KEY],
    "batch": [("ops", REQUIRED, batch_array)],
    "begin": [],
    "commit": [],
    "rollback": [],
    "history": [KEY, ("after", OPTIONAL, from_zero), LIMIT],
}
BATCH_OPS = frozenset(["put", "get", "delete", "list", "evaluate", "evaluate_stored"])
TOKEN_OPS = frozenset(["put", "delete", "batch"])


def fingerprint(request):
    """Equal for equal requests, apart from their id."""
    rest = {name: value for name, value in request.items() if name != "id"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def evaluate(value):
    if not isinstance(value, dict):
        raise RequestError("bad_request")
    try:
        return words.evaluate(value)
    except words.ContractError as exc:
        raise RequestError(**exc.error)


def page(items, limit):
    """Return the items of the page and whether some are left out."""
    if limit is None or len(items) <= limit:
        return items, False
    return items[:limit], True


class Server:
    def __init__(self, directory):
        self.store = Store(directory)

    def handle(self, request, in_batch=False):
        """Carry out one request and return its result."""
        if not isinstance(request, dict) or not isinstance(request.get("op"), str):
            raise RequestError("bad_request")
        op = request["op"]
        if op not in (BATCH_OPS if in_batch else PARAMETERS):
            raise RequestError("unknown_op")
        with_token = op in TOKEN_OPS and not in_batch
        for name, required, valid in PARAMETERS[op] + ([TOKEN] if with_token else []):
            if name in request:
                if not valid(request[name]):
                    raise RequestError("bad_request")
            elif required:
                raise RequestError("bad_request")

        function = getattr(self, "op_" + op)
        if not with_token or "token" not in request:
            return function(request)

        token = request["token"]
        print_ = fingerprint(request)
        if token in self.store.tokens:
            known, result = self.store.tokens[token]
            if known != print_:
                raise RequestError("token_conflict")
            return result
        result = function(request)
        self.store.add_token(token, print_, result)
        return result

    def stored(self, key):
        if key not in self.store.documents:
            raise RequestError("not_found")
        return self.store.documents[key]

    def check_revision(self, request):
        if "if_revision" in request:
            if request["if_revision"] != self.store.revision(request["key"]):
                raise RequestError("conflict")

    def op_evaluate(self, request):
        return evaluate(request["input"])

    def op_evaluate_stored(self, request):
        return evaluate(self.stored(request["key"])[0])

    def op_put(self, request):
        self.check_revision(request)
        return {"revision": self.store.put(request["key"], request["value"])}

    def op_get(self, request):
        value, revision = self.stored(request["key"])
        return {"value": value, "revision": revision}

    def op_delete(self, request):
        self.stored(request["key"])
        self.check_revision(request)
        return {"revision": self.store.delete(request["key"])}

    def op_list(self, request):
        prefix = request.get("prefix", "")
        keys = sorted(key for key in self.store.documents if key.startswith(prefix))
        if "after" in request:
            keys = [key for key in keys if key > request["after"]]
        keys, more = page(keys, request.get("limit"))
        result = {"keys": keys}
        if more:
            result["next"] = keys[-1]
        return result

    def op_history(self, request):
        if request["key"] not in self.store.history:
            raise RequestError("not_found")
        after = request.get("after", 0)
        entries = [e for e in self.store.history[request["key"]] if e["revision"] > after]
        entries, more = page(entries, request.get("limit"))
        result = {"entries": entries}
        if more:
            result["next"] = entries[-1]["revision"]
        return result

    def op_batch(self, request):
        start = len(self.store.log)
        results = []
        for index, item in enumerate(request["ops"]):
            try:
                results.append(self.handle(item, in_batch=True))
            except RequestError as exc:
                self.store.undo_to(start)
                raise RequestError(**exc.error, index=index)
        return {"results": results}

    def op_begin(self, request):
        if self.store.depth >= MAX_TRANSACTIONS:
            raise RequestError("transaction_limit")
        self.store.begin()
        return {"depth": self.store.depth}

    def op_commit(self, request):
        if not self.store.depth:
            raise RequestError("no_transaction")
        self.store.commit()
        return {"depth": self.store.depth}

    def op_rollback(self, request):
        if not self.store.depth:
            raise RequestError("no_transaction")
        self.store.rollback()
        return {"depth": self.store.depth}

    def answer(self, line):
        try:
            request = json.loads(line.decode("utf-8"), parse_constant=reject_constant)
        except (ValueError, RecursionError):
            return {"id": None, "ok": False, "error": {"code": "bad_json"}}
        ident = request.get("id") if isinstance(request, dict) else None
        try:
            result = self.handle(request)
        except RequestError as exc:
            return {"id": ident, "ok": False, "error": exc.error}
        self.store.settle()
        return {"id": ident, "ok": True, "result": result}


def reject_constant(name):
    raise ValueError(name)


def encode(value):
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")


def state_directory(args):
    if "--state-dir" in args[:-1]:
        return args[args.index("--state-dir") + 1]
    return None


def main():
    server = Server(state_directory(sys.argv[1:]))
    out = sys.stdout.buffer
    for line in iter(sys.stdin.buffer.readline, b""):
        out.write(encode(server.answer(line)) + b"\n")
        out.flush()


if __name__ == "__main__":
    main()
