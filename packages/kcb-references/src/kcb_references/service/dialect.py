# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""What stands between the wire and a program, where names are called otherwise.

A request becomes canonical before it is carried out, and its answer is renamed afterwards. What is
stored stays as it came: only the contract looks into it, and is given the fields it knows.
"""

from collections.abc import Callable

from kcb_references.service.names import CODES, FIELDS, PROTOCOL

JsonObject = dict[str, object]
Domain = Callable[[JsonObject], JsonObject]

CANONICAL = {word: name for name, word in PROTOCOL.items()}
CANONICAL_FIELDS = {word: name for name, word in FIELDS.items()}

# Ops whose result is the contract's own business.
OF_CONTRACT = ("evaluate", "evaluate_stored")


def canonical(request: object) -> object:
    """Give a request, or what stands in a batch for one, with canonical names."""
    if not isinstance(request, dict):
        return request
    known = renamed(request, CANONICAL)
    op, ops = known.get("op"), known.get("ops")
    if isinstance(op, str):
        known["op"] = CANONICAL.get(op, op)
    if isinstance(ops, list):
        known["ops"] = [canonical(element) for element in ops]
    return known


def spoken(answer: JsonObject, request: object) -> JsonObject:
    """Give the answer to a canonical request with the names of the dialect."""
    answer = dict(answer)
    error = answer.get("error")
    if isinstance(error, dict):
        answer["error"] = spoken_error(error)
    elif isinstance(request, dict):
        answer["result"] = spoken_result(answer["result"], request)
    return renamed(answer, PROTOCOL)


def spoken_error(error: JsonObject) -> JsonObject:
    """Rename an error: its code, the field at fault, and its members."""
    words = {"code": CODES, "field": FIELDS}
    values = {name: words.get(name, {}).get(str(value), value) for name, value in error.items()}
    return renamed(values, PROTOCOL)


def spoken_result(result: object, request: JsonObject) -> object:
    """Rename the members of a result, and of the results and entries in it."""
    if not isinstance(result, dict) or request["op"] in OF_CONTRACT:
        return result
    inner = dict(result)
    ops = request.get("ops")
    if isinstance(ops, list) and "results" in inner:
        inner["results"] = [
            spoken_result(*pair) for pair in zip(inner["results"], ops, strict=True)
        ]
    if "entries" in inner:
        inner["entries"] = [renamed(entry, PROTOCOL) for entry in inner["entries"]]
    return renamed(inner, PROTOCOL)


def renamed(members: JsonObject, names: dict[str, str]) -> JsonObject:
    """Give an object with its outermost members renamed."""
    return {names.get(name, name): value for name, value in members.items()}


def in_dialect(answer: Domain) -> Domain:
    """Give a contract whose fields are called as in the dialect."""
    return lambda fields: answer(renamed(fields, CANONICAL_FIELDS))
