import unittest
from datetime import date, time

from dayplan.errors import PlanError
from dayplan.model import Repeat
from dayplan.planfile import parse_plan, parse_repeat


def one(text):
    [event] = parse_plan(f"[x]\n{text}\n", "t.plan")
    return event


class Planfile(unittest.TestCase):
    def test_event_with_a_time(self):
        event = one("title: Dentist\nstart: 2024-03-04 14:30\nminutes: 45\nplace: Harbour")
        self.assertEqual((event.day, event.at, event.minutes), (date(2024, 3, 4), time(14, 30), 45))
        self.assertEqual((event.id, event.title, event.place), ("x", "Dentist", "Harbour"))

    def test_event_of_whole_days(self):
        event = one("title: Fair\nstart: 2024-04-12\ndays: 3")
        self.assertTrue(event.all_day)
        self.assertEqual(event.days, 3)

    def test_text_goes_on(self):
        self.assertEqual(one("title: A\nstart: 2024-04-12\nnote: one\n  two").note, "one\ntwo")

    def test_repeat(self):
        self.assertEqual(parse_repeat("every day"), Repeat("day"))
        self.assertEqual(
            parse_repeat("every 2 weeks on tue, thu until 2024-05-31"),
            Repeat("week", 2, (1, 3), date(2024, 5, 31)),
        )
        self.assertEqual(parse_repeat("every month times 3"), Repeat("month", times=3))

    def test_errors(self):
        good = "title: A\nstart: 2024-04-12\n"
        for text, message in (
            ("title: A", "t.plan:1: no start"),
            ("start: 2024-04-12", "t.plan:1: no title"),
            (good + "colour: red", "t.plan:4: unknown key: colour"),
            (good + "title: B", "t.plan:4: key used twice: title"),
            (good + "minutes: 5", "t.plan:1: minutes without a time"),
            (good + "skip: 2024-04-13", "t.plan:1: skip without repeat"),
            (good + "repeat: every day on mon", "t.plan:4: bad repeat: every day on mon"),
            ("title: A\nstart: 2024-02-30", "t.plan:3: bad date: 2024-02-30"),
            (good + "[x]", "t.plan:4: id used twice: x"),
            (good + "what?", "t.plan:4: cannot read this line"),
        ):
            with self.subTest(message), self.assertRaises(PlanError) as caught:
                one(text)
            self.assertEqual(str(caught.exception), message)
