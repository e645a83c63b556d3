"""Cache simulator: answers JSON requests, one per line."""

import json
import sys

from cache import ContractError, simulate


class RequestError(Exception):
    def __init__(self, code, **extra):
        super().__init__(code)
        self.error = {"code": code, **extra}


def reject_constant(name):
    raise ValueError(name)


def is_int(value, low, high):
    return type(value) is int and low <= value <= high


def is_text(value, low, high):
    return isinstance(value, str) and low <= len(value) <= high


def valid_policy(value):
    return isinstance(value, str) and value in ("lru", "fifo", "lfu")


def valid_capacity(value):
    return is_int(value, 1, 1000000000)


def valid_operation(value):
    if not isinstance(value, dict):
        return False
    if not is_int(value.get("t"), 0, 1000000000):
        return False
    op = value.get("op")
    if not isinstance(op, str) or op not in ("get", "put", "del"):
        return False
    if not is_text(value.get("key"), 1, 40):
        return False
    if not is_int(value.get("size", 1), 1, 1000000000):
        return False
    ttl = value.get("ttl")
    return ttl is None or is_int(ttl, 1, 1000000000)


def valid_ops(value):
    return isinstance(value, list) and len(value) <= 500 and all(map(valid_operation, value))


FIELDS = (("policy", valid_policy), ("capacity", valid_capacity), ("ops", valid_ops))


def evaluate(fields):
    for name, _ in FIELDS:
        if name not in fields:
            raise RequestError("missing_field", field=name)
    for name, valid in FIELDS:
        if not valid(fields[name]):
            raise RequestError("invalid_field", field=name)
    try:
        return simulate(fields["policy"], fields["capacity"], fields["ops"])
    except ContractError as exc:
        raise RequestError(exc.code)


def handle(request):
    if not isinstance(request, dict) or not isinstance(request.get("op"), str):
        raise RequestError("bad_request")
    if request["op"] != "evaluate":
        raise RequestError("unknown_op")
    if not isinstance(request.get("input"), dict):
        raise RequestError("bad_request")
    return evaluate(request["input"])


def answer(line):
    try:
        request = json.loads(line.decode("utf-8"), parse_constant=reject_constant)
    except (ValueError, RecursionError):
        return {"id": None, "ok": False, "error": {"code": "bad_json"}}
    ident = request.get("id") if isinstance(request, dict) else None
    try:
        return {"id": ident, "ok": True, "result": handle(request)}
    except RequestError as exc:
        return {"id": ident, "ok": False, "error": exc.error}


def encode(value):
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")


def main():
    out = sys.stdout.buffer
    for line in iter(sys.stdin.buffer.readline, b""):
        out.write(encode(answer(line)) + b"\n")
        out.flush()


if __name__ == "__main__":
    main()
