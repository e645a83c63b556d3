import unittest
from datetime import date
from itertools import islice

from dayplan.model import Event
from dayplan.planfile import parse_repeat
from dayplan.recur import occurrence_days


def days(start, rule, skip=()):
    event = Event("x", "X", start, repeat=parse_repeat(rule), skip=frozenset(skip))
    return [str(day) for day in islice(occurrence_days(event), 4)]


class Recur(unittest.TestCase):
    def test_days(self):
        self.assertEqual(
            days(date(2024, 2, 27), "every 2 days until 2024-03-02"),
            ["2024-02-27", "2024-02-29", "2024-03-02"],
        )

    def test_weeks_are_counted_from_the_week_of_the_start(self):
        self.assertEqual(
            days(date(2024, 3, 7), "every 2 weeks on mon, sun"),
            ["2024-03-10", "2024-03-18", "2024-03-24", "2024-04-01"],
        )

    def test_months_without_the_day(self):
        self.assertEqual(
            days(date(2024, 1, 31), "every month"),
            ["2024-01-31", "2024-03-31", "2024-05-31", "2024-07-31"],
        )

    def test_years(self):
        self.assertEqual(days(date(2020, 2, 29), "every year times 2"), ["2020-02-29", "2024-02-29"])

    def test_what_is_skipped_counts(self):
        self.assertEqual(
            days(date(2024, 3, 1), "every day times 3", [date(2024, 3, 2)]),
            ["2024-03-01", "2024-03-03"],
        )
