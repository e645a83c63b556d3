import unittest
from pathlib import Path

from quill import Engine, FolderLoader

LETTERS = Path(__file__).parent.parent / "letters"


class Reminder(unittest.TestCase):
    def setUp(self):
        self.engine = Engine(FolderLoader(LETTERS))

    def test_something_is_open(self):
        entries = [{"what": "Fee"}, {"what": "Trip to the mountains"}]
        text = self.engine.render(
            "reminder.txt", {"name": "Ada", "amount": 1012.5, "entries": entries}
        )
        self.assertEqual(
            text,
            "Dear Ada,\n\nplease pay 1,012.50 for:\n1. Fee\n2. Trip to the mountains\n"
            "\nKind regards\nThe board\n",
        )

    def test_nothing_is_open(self):
        text = self.engine.render("reminder.txt", {"name": "Ada", "amount": 0})
        self.assertIn("nothing is open", text)
