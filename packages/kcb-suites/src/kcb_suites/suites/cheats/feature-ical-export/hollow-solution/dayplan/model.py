"""Events, as the plan file states them."""

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True)
class Repeat:
    unit: str  # day, week, month or year
    interval: int = 1
    weekdays: tuple[int, ...] = ()  # 0 is Monday
    until: date | None = None
    times: int | None = None


@dataclass
class Event:
    id: str
    title: str
    day: date
    at: time | None = None  # None: whole days
    minutes: int = 60
    days: int = 1
    place: str = ""
    note: str = ""
    repeat: Repeat | None = None
    skip: frozenset[date] = field(default_factory=frozenset)
    tags: tuple[str, ...] = ()
    reminders: tuple[int, ...] = ()  # minutes before the start
    changed: datetime | None = None  # in UTC
    status: str = ""
    offset: int | None = None  # minutes from UTC

    @property
    def cancelled(self):
        return self.status == "cancelled"

    @property
    def all_day(self):
        return self.at is None

    def start_on(self, day):
        """When the occurrence of ``day`` starts."""
        return datetime.combine(day, self.at or time(0))

    def end_on(self, day):
        """When the occurrence of ``day`` is over; the next midnight for whole days."""
        if self.all_day:
            return self.start_on(day) + timedelta(days=self.days)
        return self.start_on(day) + timedelta(minutes=self.minutes)
