"""The shared budget: reserve the worst, settle what it was, release what was not begun.

Whatever runs at once, settled and reserved together never exceed a cap.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from threading import Lock

from kcb_experiments.amount import Amount
from kcb_experiments.spec import Caps

_Sums = dict[str, Fraction]


class Room(StrEnum):
    """What the budget says to a reservation."""

    RESERVED = "reserved"
    """It is made."""
    LATER = "later"
    """It is not made, but may be once something that runs costs less than was reserved for it."""
    NEVER = "never"
    """It is not made, and never will be: what is spent already leaves no room."""


class Budget:
    """What is spent and reserved, against the caps. Threads may share it.

    Sums are exact: floats that are added and taken away again would drift over a cap.
    """

    def __init__(self, caps: Caps, spent: Amount | None = None) -> None:
        self._caps = {name: Fraction(value) for name, value in caps.capped.items()}
        self._spent = _exact(spent or Amount())
        self._reserved: dict[str, _Sums] = {}
        self._lock = Lock()

    def reserve(self, key: str, worst: Amount) -> Room:
        """Set the worst that an attempt may cost aside.

        Args:
            key: names the attempt; one that has a reservation already is refused.
            worst: the most that it may cost.

        Raises:
            ValueError: the key has a reservation.
        """
        asked = _exact(worst)
        with self._lock:
            if key in self._reserved:
                raise ValueError(f"{key} has a reservation already")
            if any(self._spent[name] + asked[name] > cap for name, cap in self._caps.items()):
                return Room.NEVER
            held = self._held()
            if any(held[name] + asked[name] > cap for name, cap in self._caps.items()):
                return Room.LATER
            self._reserved[key] = asked
            return Room.RESERVED

    def lacking(self, worst: Amount) -> dict[str, tuple[float, float]]:
        """What is left too little of for an attempt, by name: what it may need, and what is left.

        Args:
            worst: the most that it may cost.
        """
        asked = _exact(worst)
        with self._lock:
            left = {n: max(Fraction(0), cap - self._spent[n]) for n, cap in self._caps.items()}
        return {
            name: (float(asked[name]), float(room))
            for name, room in left.items()
            if asked[name] > room
        }

    def settle(self, key: str, spent: Amount | None) -> None:
        """Put what an attempt did cost in the place of its reservation.

        Args:
            key: the attempt.
            spent: what it cost, charged in full even where it is more than was reserved; None if
                that never came to be known: the whole reservation is then charged.

        Raises:
            KeyError: the key has no reservation.
        """
        with self._lock:
            reserved = self._reserved.pop(key)
            cost = reserved if spent is None else _exact(spent)
            for name in self._spent:
                self._spent[name] += cost[name]

    def release(self, key: str) -> None:
        """Give back the reservation of an attempt that was not begun.

        Raises:
            KeyError: the key has no reservation.
        """
        with self._lock:
            del self._reserved[key]

    @property
    def spent(self) -> Amount:
        """What is settled."""
        with self._lock:
            return _rounded(self._spent)

    @property
    def held(self) -> Amount:
        """What is settled and reserved together."""
        with self._lock:
            return _rounded(self._held())

    def _held(self) -> _Sums:
        sums = dict(self._spent)
        for reserved in self._reserved.values():
            for name in sums:
                sums[name] += reserved[name]
        return sums


def _exact(amount: Amount) -> _Sums:
    return {name: Fraction(getattr(amount, name)) for name in amount.__struct_fields__}


def _rounded(sums: _Sums) -> Amount:
    return Amount(
        dollars=float(sums["dollars"]), tokens=int(sums["tokens"]), seconds=float(sums["seconds"])
    )
