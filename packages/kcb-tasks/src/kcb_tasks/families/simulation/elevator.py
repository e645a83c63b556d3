"""Elevator: one car that serves requests by fixed rules, in whole units of time."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Integer, Record, label, optional, required

_SUMMARY = """\
Simulates one elevator car. Its floors are 0 to `floors` - 1. Time t is an integer. Each request is
one passenger, who waits at floor `from` and wants to travel to floor `to`: up if `to` is greater
than `from`, else down. A request is known at time t if its `time` is at most t; before, nothing
depends on it. A passenger is *waiting* if the request is known and the passenger has not boarded.

The car has a floor f and a direction: up, down or none. At t = 0 it is empty, at floor `start`,
with direction none. It repeats these steps until the simulation ends:

1. **Leave.** Every passenger in the car who wants to travel to f leaves at time t.
2. **Direction.** There is *work* in a direction if at least one of these is true: a passenger in
   the car wants to travel to a floor beyond f in this direction; someone is waiting at a floor
   beyond f in this direction; someone is waiting at f and wants to travel in this direction.
   - The direction is up or down: it stays if there is work in it. Else it is reversed if there is
     work in the opposite direction. Else it becomes none.
   - The direction is none: take the waiting passenger whose floor `from` is nearest to f; of
     several, the one with the smallest `time`; of several still, the one that comes first in
     `requests`. The direction becomes the one from f to that floor. If that floor is f, it becomes
     the one in which this passenger wants to travel. If nobody is waiting, it stays none.
3. **Board.** If the direction is not none, those who are waiting at f and want to travel in this
   direction board at time t, while fewer than `capacity` passengers are in the car. A smaller
   `time` boards first; of equal ones, the one that comes first in `requests`.
4. **Go on.** Exactly one of these happens:
   - Somebody left in step 1 or boarded in step 3: this was a *stop*. t grows by `dwell`.
   - Else, if the direction is not none: the car moves one floor in it. t grows by `travel`.
   - Else, if some requests are not known yet: t becomes the smallest `time` of them.
   - Else the simulation ends."""

_RESULT = """\
An object with these members:

- `passengers`: an array of objects `{"id": i, "board": b, "exit": e}`, one for each request, in the
  order of `requests`: its `id`, the time of boarding and the time of leaving.
- `finish`: t when the simulation ends.
- `floors_travelled`: how many times the car moved one floor.
- `stops`: the number of stops.
- `avg_wait`: the average of `board` - `time` of all requests.
- `avg_ride`: the average of `exit` - `board` of all requests.

An average is an exact fraction as a string, in lowest terms: `n`, or `n/d` with d > 1. Without
requests, `avg_wait` and `avg_ride` are `null`."""

_RULES = """\
- After a stop the car is still at the same floor, in the same direction, and begins again at step
  1. Who has become known meanwhile can board then, which is one more stop.
- A full car does not stop for those who are waiting. They still count as work, and wait on.
- `time` may be in any order in `requests`."""

_UP, _DOWN, _NONE = 1, -1, 0


@dataclass(slots=True)
class _Passenger:
    id: str
    time: int
    origin: int
    target: int
    board: int = -1
    exit: int = -1

    @property
    def way(self) -> int:
        return _UP if self.target > self.origin else _DOWN

    @property
    def boarded(self) -> bool:
        return self.board >= 0

    @property
    def riding(self) -> bool:
        return self.boarded and self.exit < 0


class _Elevator:
    """The car, its passengers, and what has happened so far."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.capacity: int = fields["capacity"]
        self.passengers = [
            _Passenger(r["id"], r["time"], r["from"], r["to"]) for r in fields["requests"]
        ]
        self.floor: int = fields["start"]
        self.direction = _NONE
        self.now = self.moves = self.stops = 0

    def waiting(self) -> list[_Passenger]:
        """Those who are waiting, in the order in which they may board."""
        known = [p for p in self.passengers if not p.boarded and p.time <= self.now]
        return sorted(known, key=lambda p: p.time)

    def run(self, travel: int, dwell: int) -> None:
        while True:
            left = self.leave()
            self.direction = self.turned()
            boarded = self.board()
            later = [p.time for p in self.passengers if p.time > self.now]
            if left or boarded:
                self.stops += 1
                self.now += dwell
            elif self.direction:
                self.moves += 1
                self.floor += self.direction
                self.now += travel
            elif later:
                self.now = min(later)
            else:
                return

    def leave(self) -> int:
        leaving = [p for p in self.passengers if p.riding and p.target == self.floor]
        for passenger in leaving:
            passenger.exit = self.now
        return len(leaving)

    def turned(self) -> int:
        """The direction after step 2."""
        if self.direction:
            ways = (self.direction, -self.direction)
            return next((way for way in ways if self.has_work(way)), _NONE)
        waiting = self.waiting()
        if not waiting:
            return _NONE
        nearest = min(waiting, key=lambda p: abs(p.origin - self.floor))
        if nearest.origin == self.floor:
            return nearest.way
        return _UP if nearest.origin > self.floor else _DOWN

    def has_work(self, way: int) -> bool:
        floors = [p.target for p in self.passengers if p.riding]
        floors += [p.origin for p in self.waiting()]
        beyond = any((floor - self.floor) * way > 0 for floor in floors)
        return beyond or bool(self.at_floor(way))

    def at_floor(self, way: int) -> list[_Passenger]:
        """Those who are waiting here to travel that way."""
        return [p for p in self.waiting() if p.origin == self.floor and p.way == way]

    def board(self) -> int:
        room = self.capacity - sum(p.riding for p in self.passengers)
        boarding = self.at_floor(self.direction)[:room]
        for passenger in boarding:
            passenger.board = self.now
        return len(boarding)


def _evaluate(fields: Mapping[str, Any]) -> Json:
    requests = fields["requests"]
    if len({request["id"] for request in requests}) < len(requests):
        raise DomainError("duplicate_id")
    floors = [fields["start"], *(request[end] for request in requests for end in ("from", "to"))]
    if max(floors) >= fields["floors"]:
        raise DomainError("bad_floor")
    if any(request["from"] == request["to"] for request in requests):
        raise DomainError("same_floor")
    elevator = _Elevator(fields)
    elevator.run(fields["travel"], fields["dwell"])
    served = elevator.passengers
    return {
        "passengers": [{"id": p.id, "board": p.board, "exit": p.exit} for p in served],
        "finish": elevator.now,
        "floors_travelled": elevator.moves,
        "stops": elevator.stops,
        "avg_wait": _average([p.board - p.time for p in served]),
        "avg_ride": _average([p.exit - p.board for p in served]),
    }


def _average(values: Sequence[int]) -> str | None:
    return str(Fraction(sum(values), len(values))) if values else None


def _generate(rng: random.Random) -> dict[str, Json]:
    floors = rng.choice([2, 3, 4, 5, 6, 8, 40])
    start = rng.choice([0, 0, floors - 1, rng.randrange(floors)])
    spread = rng.choice([0, 3, 10, 40])
    requests = [
        {"id": name, **_draw_trip(rng, floors, spread)}
        for name in rng.sample(_IDS, rng.choice([1, 2, 3, 5, 7, 9]))
    ]
    fault = rng.random()
    if fault < 0.1:
        requests.append({**rng.choice(requests), **_draw_trip(rng, floors, spread)})
        rng.shuffle(requests)
    if 0.08 < fault < 0.18:
        rng.choice(requests)[rng.choice(["from", "to"])] = rng.choice([min(floors, 39), 39])
    if 0.16 < fault < 0.26:
        end = rng.randrange(floors)
        rng.choice(requests).update({"from": end, "to": end})
    drawn: dict[str, Json] = {"floors": floors, "requests": requests}
    options = {
        "start": start,
        "capacity": rng.choice([1, 1, 2, 3, 20]),
        "travel": rng.choice([1, 2, 3, 20]),
        "dwell": rng.choice([1, 3, 5, 60]),
    }
    drawn |= {name: value for name, value in options.items() if rng.random() < 0.6}
    return drawn


def _draw_trip(rng: random.Random, floors: int, spread: int) -> dict[str, Json]:
    """A trip that often begins or ends at the lowest floor or at one end of the shaft."""
    origin = rng.choice([0, 0, floors - 1, rng.randrange(floors), rng.randrange(floors)])
    others = [floor for floor in range(floors) if floor != origin]
    return {
        "time": rng.randint(0, spread) if rng.random() < 0.95 else rng.randint(100, 100_000),
        "from": origin,
        "to": rng.choice([others[0], others[-1], rng.choice(others)]),
    }


_IDS = ("a", "A", "b", "é", "e\u0301", "𝒳", "乘客", " ", "0", "x y")


def _trips(text: str) -> list[Json]:
    """Requests in short: ``a 0 1>3`` is passenger a at time 0 from floor 1 to floor 3."""
    requests = []
    for name, time, way in (trip.split(" ") for trip in text.split("; ")):
        origin, target = way.split(">")
        requests.append({"id": name, "time": int(time), "from": int(origin), "to": int(target)})
    return requests


def _run(
    trips: str, rides: str, finish: int, moves: int, stops: int, averages: str, **options: int
) -> Case:
    """A case in short: ``0-4`` is a ride from time 0 to 4, averages are those of wait and ride."""
    requests = _trips(trips)
    passengers = [
        {"id": request["id"], "board": int(board), "exit": int(left)}
        for request, (board, left) in zip(
            requests, (ride.split("-") for ride in rides.split(" ")), strict=True
        )
    ]
    wait, ride = averages.split(" ")
    result = {
        "passengers": passengers,
        "finish": finish,
        "floors_travelled": moves,
        "stops": stops,
        "avg_wait": wait,
        "avg_ride": ride,
    }
    return Case({"floors": 5, **options, "requests": requests}, result)


def _fails(error: str, trips: str, **options: int) -> Case:
    return Case({"floors": 3, **options, "requests": _trips(trips)}, error=error)


_IDLE = {
    "passengers": [],
    "finish": 0,
    "floors_travelled": 0,
    "stops": 0,
    "avg_wait": None,
    "avg_ride": None,
}

_BOUNDARIES = (
    # Nobody, one passenger, unequal travel and dwell, the largest numbers.
    Case({"floors": 2, "requests": []}, _IDLE),
    Case({"floors": 40, "start": 39, "requests": []}, _IDLE),
    _run("a 0 0>2", "0-4", 6, 2, 2, "0 4"),
    _run("a 2 1>0", "11-19", 24, 4, 2, "9 8", start=4, travel=3, dwell=5),
    _run(
        "a 100000 0>39",
        "100780-101620",
        101_680,
        78,
        2,
        "780 840",
        floors=40,
        start=39,
        travel=20,
        dwell=60,
        capacity=20,
    ),
    # Idle: the car stays where it is, until the next request in time.
    _run("a 0 0>3; b 50 3>0", "0-5 50-55", 57, 6, 4, "0 5"),
    _run("b 9 1>0; a 3 0>1", "9-12 3-6", 14, 2, 4, "0 3", floors=2),
    # The nearest first; then the smaller time; then the order of the requests.
    _run("a 1 3>4; b 1 1>0", "2-5 10-13", 15, 6, 4, "5 3", start=2),
    _run("b 1 1>0; a 1 3>4", "2-5 10-13", 15, 6, 4, "5 3", start=2),
    _run("x 0 1>2; a 5 3>4; b 4 1>0", "0-3 14-17 6-9", 19, 7, 6, "11/3 3", start=1),
    _run("x 0 1>2; b 4 0>1; a 5 3>4", "0-3 15-18 6-9", 20, 8, 6, "4 3", start=1),
    _run("a 0 1>0; b 0 1>2", "0-3 6-9", 11, 3, 4, "3 3", start=1),
    # Known at exactly its time; what becomes known during a stop boards at one more stop.
    _run("a 0 0>2; b 1 0>1", "0-8 2-5", 10, 2, 4, "1/2 11/2"),
    _run("a 0 0>2; b 2 0>1", "0-8 2-5", 10, 2, 4, "0 11/2"),
    _run("a 0 0>2; b 3 0>1", "0-4 8-11", 13, 5, 4, "5/2 7/2"),
    _run("a 0 3>4; b 1 1>2", "7-10 1-4", 12, 4, 4, "7/2 3"),
    # A full car, and who boards first.
    _run("a 0 0>3; b 0 1>2", "0-5 9-12", 14, 6, 4, "9/2 4", capacity=1),
    _run("a 0 0>1; b 0 1>2", "0-3 3-6", 8, 2, 3, "3/2 3", capacity=1),
    _run("a 0 0>1; b 0 0>2; c 0 0>1", "0-3 0-6 10-13", 15, 5, 5, "10/3 4", capacity=2),
    _run("a 1 0>1; b 0 0>2", "10-13 2-6", 15, 7, 4, "11/2 7/2", start=2, capacity=1),
    _run(
        "é 5 0>2; f 5 0>1",
        "5-8 11-13",
        14,
        5,
        4,
        "3 5/2",
        floors=3,
        capacity=1,
        dwell=1,
    ),
    # Only those who travel in the direction of the car; it turns when there is no work in it.
    _run("a 0 0>3; b 0 1>0", "0-5 9-12", 14, 6, 4, "9/2 4"),
    _run("a 0 0>2; b 0 2>0", "0-4 4-8", 10, 4, 3, "2 4"),
    _run("a 0 2>0; b 0 4>3", "10-14 4-7", 16, 8, 4, "7 7/2"),
    # Ids are compared exactly.
    _run("é 0 0>1; e\u0301 0 0>1; É 0 0>1", "0-3 0-3 0-3", 5, 1, 2, "0 3"),
    # Errors, and which of two comes first.
    _fails("duplicate_id", "a 0 0>1; b 0 0>1; a 9 1>2"),
    _fails("duplicate_id", "a 5 1>1; a 5 0>1", start=3),
    _fails("duplicate_id", "a 5 0>3; a 5 0>1"),
    _fails("bad_floor", "a 5 1>1", start=3),
    _fails("bad_floor", "a 0 0>1; b 0 0>3"),
    _fails("bad_floor", "a 0 3>1"),
    _fails("bad_floor", "a 0 1>1; b 0 39>0"),
    _fails("bad_floor", "a 0 39>39"),
    _fails("bad_floor", "a 0 0>2", floors=2),
    Case({"floors": 2, "start": 2, "requests": []}, error="bad_floor"),
    _fails("same_floor", "a 5 1>1"),
    _fails("same_floor", "a 0 0>2; b 0 2>2"),
)

_REQUEST = Record(
    (
        required("id", label()),
        required("time", Integer(0, 100_000)),
        required("from", Integer(0, 39)),
        required("to", Integer(0, 39)),
    )
)

FAMILY = Family(
    number=47,
    slug="elevator",
    title="Elevator simulation",
    category="simulation",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required("floors", Integer(2, 40), "The number of floors."),
        optional("start", Integer(0, 39), 0, "The floor of the car at first."),
        optional("capacity", Integer(1, 20), 8, "How many passengers the car can hold."),
        optional("travel", Integer(1, 20), 1, "The time from one floor to the next."),
        optional("dwell", Integer(1, 60), 2, "The time of a stop."),
        required("requests", Array(_REQUEST, 0, 60), "The passengers."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_id", "Two requests have the same `id`."),
        ErrorCode("bad_floor", "`start`, or a `from` or `to` of a request, is `floors` or above."),
        ErrorCode("same_floor", "`from` and `to` of a request are equal."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "floors": 6,
            "capacity": 2,
            "requests": [
                {"id": "a", "time": 0, "from": 1, "to": 3},
                {"id": "b", "time": 1, "from": 2, "to": 0},
                {"id": "c", "time": 3, "from": 1, "to": 4},
            ],
        },
        {
            "passengers": [
                {"id": "a", "board": 1, "exit": 7},
                {"id": "b", "board": 14, "exit": 18},
                {"id": "c", "board": 3, "exit": 10},
            ],
            "finish": 20,
            "floors_travelled": 8,
            "stops": 6,
            "avg_wait": "14/3",
            "avg_ride": "17/3",
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _run(
            "p 0 2>0; q 0 1>3; r 3 3>2",
            "8-13 0-5 5-8",
            14,
            5,
            4,
            "10/3 13/3",
            floors=4,
            start=1,
            capacity=1,
            travel=2,
            dwell=1,
        ),
        _fails("same_floor", "p 0 1>2; q 4 0>0", start=2),
    ),
    malformed=(
        {"floors": 1, "requests": []},
        {"floors": 41, "requests": []},
        {"floors": True, "requests": []},
        {"floors": 3.0, "requests": []},
        {"floors": "3", "requests": []},
        {"floors": 3, "start": -1, "requests": []},
        {"floors": 3, "start": 40, "requests": []},
        {"floors": 3, "start": None, "requests": []},
        {"floors": 3, "capacity": 0, "requests": []},
        {"floors": 3, "capacity": 21, "requests": []},
        {"floors": 3, "travel": 0, "requests": []},
        {"floors": 3, "travel": 1.5, "requests": []},
        {"floors": 3, "dwell": 61, "requests": []},
        {"floors": 3, "dwell": False, "requests": []},
        {"floors": 3, "requests": None},
        {"floors": 3, "requests": {"a": [0, 1]}},
        {"floors": 3, "requests": _trips("; ".join(f"p{n} 0 0>1" for n in range(61)))},
        *(
            {"floors": 3, "requests": [{"id": "x", "time": 0, "from": 0, "to": 1}, request]}
            for request in (
                ["a", 0, 0, 1],
                {"time": 0, "from": 0, "to": 1},
                {"id": "a", "from": 0, "to": 1},
                {"id": "a", "time": 0, "to": 1},
                {"id": "a", "time": 0, "from": 0},
                {"id": "", "time": 0, "from": 0, "to": 1},
                {"id": "é" * 41, "time": 0, "from": 0, "to": 1},
                {"id": 1, "time": 0, "from": 0, "to": 1},
                {"id": "a", "time": -1, "from": 0, "to": 1},
                {"id": "a", "time": 100_001, "from": 0, "to": 1},
                {"id": "a", "time": True, "from": 0, "to": 1},
                {"id": "a", "time": 0, "from": 0.0, "to": 1},
                {"id": "a", "time": 0, "from": 40, "to": 1},
                {"id": "a", "time": 0, "from": 0, "to": -1},
                {"id": "a", "time": 0, "from": 0, "to": "1"},
                {"id": "a", "time": 0, "from": 0, "to": None},
                {"id": "a", "time": 0, "from": False, "to": True},
            )
        ),
    ),
)
