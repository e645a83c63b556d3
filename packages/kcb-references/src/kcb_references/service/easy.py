# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""The shell of tier easy: requests and answers, and the op `evaluate`.

A program is a service and the loop that feeds it. The loop owns lines and bytes; the service owns
the order in which a request is checked. Every later tier adds operations to the table of the
service and leaves that order alone.
"""

import json
import sys
from collections.abc import Callable, Mapping

JsonObject = dict[str, object]
Domain = Callable[[JsonObject], JsonObject]
Checks = Mapping[str, Callable[[object], bool]]


class Failure(Exception):
    """A request that failed, with the error of its answer."""

    def __init__(self, code: object, **members: object) -> None:
        """Take the code, and the members that a rule adds to it."""
        super().__init__(code)
        self.error: JsonObject = {"code": code, **members}


class Operation:
    """What an op does, and which values its parameters may have."""

    def __init__(
        self, carry_out: Callable[..., object], required: Checks, optional: Checks
    ) -> None:
        """Take the function to call with the parameters, and a check for each parameter."""
        self.carry_out = carry_out
        self.required = required
        self.optional = optional

    def also(self, optional: Checks) -> "Operation":
        """Give this operation with more optional parameters."""
        return Operation(self.carry_out, self.required, {**self.optional, **optional})

    def parameters(self, request: JsonObject) -> JsonObject:
        """Pick the parameters of this operation out of a request.

        One that is not given stays out, so that its default in the function stands for it. That is
        not the same as `null`, which no optional parameter allows.

        Raises:
            Failure: One is missing or has a value that is not allowed.
        """
        if any(name not in request for name in self.required):
            raise Failure("bad_request")
        checks = {**self.required, **self.optional}
        parameters = {name: request[name] for name in checks if name in request}
        if not all(checks[name](value) for name, value in parameters.items()):
            raise Failure("bad_request")
        return parameters


class Service:
    """Answers requests, for one contract."""

    def __init__(self, domain: Domain) -> None:
        """Take the function that evaluates an input by the contract."""
        self.domain = domain
        self.operations = {"evaluate": Operation(self.evaluate, {"input": is_object}, {})}

    def respond(self, line: bytes) -> bytes:
        """Give the answer line for a request line, without the line end."""
        request: object = None
        try:
            request = decode(line)
            answer: JsonObject = {"ok": True, "result": self.handle(request)}
        except Failure as failure:
            answer = {"ok": False, "error": failure.error}
        identity = request.get("id") if isinstance(request, dict) else None
        return encode({"id": identity, **answer})

    def handle(self, request: object) -> object:
        """Carry out the request of a line and give its result.

        Raises:
            Failure: The request fails, by one of the rules from 2 on.
        """
        operation, parameters = select(self.operations, request)
        return operation.carry_out(**parameters)

    def evaluate(self, input: JsonObject) -> object:
        """Carry out the op `evaluate`."""
        outcome = self.domain(input)
        error = outcome.get("error")
        if isinstance(error, dict):
            raise Failure(**error)
        return outcome["result"]


def select(operations: Mapping[str, Operation], request: object) -> tuple[Operation, JsonObject]:
    """Find the operation that a request names, and its parameters: rules 2 to 4.

    Raises:
        Failure: One of these rules applies.
    """
    if not isinstance(request, dict) or not isinstance(request.get("op"), str):
        raise Failure("bad_request")
    operation = operations.get(request["op"])
    if operation is None:
        raise Failure("unknown_op")
    return operation, operation.parameters(request)


def is_object(value: object) -> bool:
    """Tell whether a JSON value is an object."""
    return isinstance(value, dict)


def refuse_constant(name: str) -> object:
    """Refuse NaN, Infinity and -Infinity, which Python reads but JSON does not have."""
    raise ValueError(name)


# One of each, made once: `json.loads` and `json.dumps` would make new ones for every line.
DECODER = json.JSONDecoder(parse_constant=refuse_constant)
ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def decode(line: bytes) -> object:
    """Read a line as JSON: rule 1.

    The bytes are decoded here because `json` would guess among UTF-8, UTF-16 and UTF-32.

    Raises:
        Failure: The line is not JSON, or is nested deeper than Python can follow.
    """
    try:
        value: object = DECODER.decode(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Failure("bad_json") from None
    return value


def encode(value: object) -> bytes:
    """Write a JSON value in one line, as UTF-8.

    A lone surrogate has no UTF-8 form; the replacement for it happens to be its JSON escape.
    """
    return ENCODER.encode(value).encode("utf-8", "backslashreplace")


def serve(service: Service) -> None:
    """Answer every line of standard input until it ends.

    The binary streams are used because the text ones depend on the locale. Iterating over one
    splits at line feeds only, and gives a line as soon as it is there.
    """
    output = sys.stdout.buffer
    for line in sys.stdin.buffer:
        output.write(service.respond(line) + b"\n")
        output.flush()


def run(domain: Domain) -> None:
    """Run the program of this tier for a contract."""
    serve(Service(domain))
