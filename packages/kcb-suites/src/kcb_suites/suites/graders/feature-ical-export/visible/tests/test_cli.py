import contextlib
import io
import unittest
from pathlib import Path

from dayplan.cli import main

SPRING = str(Path(__file__).resolve().parent.parent / "examples" / "spring.plan")


def said(*argv):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        status = main(list(argv))
    return status, out.getvalue()


class Commands(unittest.TestCase):
    def test_list(self):
        self.assertEqual(
            said("list", SPRING),
            (
                0,
                "dentist       2024-03-04 14:30  Dentist\n"
                "choir         2024-03-05 19:00  Choir (repeated)\n"
                "fair          2024-04-12        Spring fair\n",
            ),
        )

    def test_agenda(self):
        self.assertEqual(
            said("agenda", SPRING, "--from", "2024-03-04", "--to", "2024-03-21"),
            (
                0,
                "2024-03-04 Mon\n"
                "  14:30-15:15  Dentist @ Harbour Road 3\n"
                "2024-03-05 Tue\n"
                "  19:00-20:00  Choir\n"
                "2024-03-07 Thu\n"
                "  19:00-20:00  Choir\n"
                "2024-03-19 Tue\n"
                "  19:00-20:00  Choir\n",
            ),
        )

    def test_agenda_of_whole_days(self):
        status, text = said("agenda", SPRING, "--from", "2024-04-14", "--to", "2024-04-16")
        self.assertEqual(
            text,
            "2024-04-14 Sun\n  all day      Spring fair\n2024-04-16 Tue\n  19:00-20:00  Choir\n",
        )
