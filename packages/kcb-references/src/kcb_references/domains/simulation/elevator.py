# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Simulates one elevator car that carries passengers between floors."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

# A direction is what it adds to the floor.
_UP, _NONE, _DOWN = 1, 0, -1


@dataclass
class _Passenger:
    """A passenger; `board` and `exit` are `None` until they happen."""

    id: str
    time: int
    origin: int
    target: int
    board: int | None = None
    exit: int | None = None

    @property
    def direction(self) -> int:
        """The direction of the whole way."""
        return _UP if self.target > self.origin else _DOWN


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Run the simulation to its end.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields) or _request_error(fields)
    if error is not None:
        return {"error": error}
    elevator = _Elevator(fields)
    while elevator.advance():
        pass
    return {"result": elevator.report()}


def _request_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of requests that cannot be served, or `None` if all can be."""
    requests: list[dict[str, Any]] = fields["requests"]
    if len({request["id"] for request in requests}) < len(requests):
        return {"code": "duplicate_id"}
    ends = [floor for request in requests for floor in (request["from"], request["to"])]
    if max([fields.get("start", 0), *ends]) >= fields["floors"]:
        return {"code": "bad_floor"}
    if any(request["from"] == request["to"] for request in requests):
        return {"code": "same_floor"}
    return None


class _Elevator:
    """The car, its passengers, and the record of what happened."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._floor: int = fields.get("start", 0)
        self._capacity: int = fields.get("capacity", 8)
        self._travel: int = fields.get("travel", 1)
        self._dwell: int = fields.get("dwell", 2)
        self._passengers = [
            _Passenger(request["id"], request["time"], request["from"], request["to"])
            for request in fields["requests"]
        ]
        # Sorting is stable, so those of equal times stay in the order of the requests. That is the
        # order of boarding, and it decides between passengers at equal distances.
        self._unserved = sorted(self._passengers, key=lambda passenger: passenger.time)
        self._car: list[_Passenger] = []
        self._time = 0
        self._direction = _NONE
        self._moves = 0
        self._stops = 0

    def advance(self) -> bool:
        """Carry out the four steps once.

        Returns:
            Whether the simulation goes on.
        """
        somebody_left = self._leave()
        self._direction = self._next_direction()
        somebody_boarded = self._board()
        if somebody_left or somebody_boarded:
            self._stops += 1
            self._time += self._dwell
        elif self._direction != _NONE:
            self._floor += self._direction
            self._moves += 1
            self._time += self._travel
        elif self._unserved:
            # Nobody is waiting, or there would be a direction: the first one is not known yet.
            self._time = self._unserved[0].time
        else:
            return False
        return True

    def report(self) -> dict[str, Any]:
        """Make the result of the contract after the end."""
        rides = [
            (passenger, passenger.board, passenger.exit)
            for passenger in self._passengers
            if passenger.board is not None and passenger.exit is not None
        ]
        return {
            "passengers": [
                {"id": passenger.id, "board": board, "exit": end} for passenger, board, end in rides
            ],
            "finish": self._time,
            "floors_travelled": self._moves,
            "stops": self._stops,
            "avg_wait": _average([board - passenger.time for passenger, board, _ in rides]),
            "avg_ride": _average([end - board for _, board, end in rides]),
        }

    def _waiting(self) -> list[_Passenger]:
        """Give those who are waiting, in the order of boarding."""
        return [passenger for passenger in self._unserved if passenger.time <= self._time]

    def _leave(self) -> bool:
        """Let leave who has arrived, and tell whether somebody did."""
        arrived = [passenger for passenger in self._car if passenger.target == self._floor]
        for passenger in arrived:
            passenger.exit = self._time
            self._car.remove(passenger)
        return bool(arrived)

    def _next_direction(self) -> int:
        """Choose the direction at this floor and time."""
        waiting = self._waiting()
        if self._direction != _NONE:
            choices = (self._direction, -self._direction)
            return next((way for way in choices if self._has_work(way, waiting)), _NONE)
        if not waiting:
            return _NONE
        nearest = min(waiting, key=lambda passenger: abs(passenger.origin - self._floor))
        if nearest.origin == self._floor:
            return nearest.direction
        return _UP if nearest.origin > self._floor else _DOWN

    def _has_work(self, direction: int, waiting: Iterable[_Passenger]) -> bool:
        """Tell whether there is work in a direction."""
        goals = [passenger.target for passenger in self._car]
        for passenger in waiting:
            if passenger.origin == self._floor and passenger.direction == direction:
                return True
            goals.append(passenger.origin)
        return any((goal - self._floor) * direction > 0 for goal in goals)

    def _board(self) -> bool:
        """Let board who can, and tell whether somebody did."""
        candidates = [
            passenger
            for passenger in self._waiting()
            if passenger.origin == self._floor and passenger.direction == self._direction
        ]
        boarding = candidates[: self._capacity - len(self._car)]
        for passenger in boarding:
            passenger.board = self._time
            self._unserved.remove(passenger)
            self._car.append(passenger)
        return bool(boarding)


def _average(numbers: list[int]) -> str | None:
    """Write the average of numbers, or give `None` if there are none."""
    # `str` of a `Fraction` is in lowest terms and leaves out a `/1`.
    return str(Fraction(sum(numbers), len(numbers))) if numbers else None


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


_MEMBERS: dict[str, Callable[[Any], bool]] = {
    "id": lambda value: isinstance(value, str) and 1 <= len(value) <= 40,
    "time": lambda value: _is_integer(value, 0, 100_000),
    "from": lambda value: _is_integer(value, 0, 39),
    "to": lambda value: _is_integer(value, 0, 39),
}


def _is_request(value: Any) -> bool:
    """Tell whether a value is a request that the contract allows."""
    return isinstance(value, dict) and all(
        name in value and allows(value[name]) for name, allows in _MEMBERS.items()
    )


def _are_requests(value: Any) -> bool:
    """Tell whether a value is an array of requests that the contract allows."""
    return isinstance(value, list) and len(value) <= 60 and all(map(_is_request, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "floors": lambda value: _is_integer(value, 2, 40),
    "start": lambda value: _is_integer(value, 0, 39),
    "capacity": lambda value: _is_integer(value, 1, 20),
    "travel": lambda value: _is_integer(value, 1, 20),
    "dwell": lambda value: _is_integer(value, 1, 60),
    "requests": _are_requests,
}
_REQUIRED = ("floors", "requests")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
