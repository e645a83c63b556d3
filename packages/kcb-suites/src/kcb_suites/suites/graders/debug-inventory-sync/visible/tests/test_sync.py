from pathlib import Path

from tests.case import Case

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


class Sync(Case):
    def test_examples(self):
        north, harbour = str(EXAMPLES / "north.csv"), str(EXAMPLES / "harbour.csv")
        self.assertEqual(
            self.play("sync", "state", north, harbour),
            (
                0,
                f"{north}: 3 applied, 0 stale, 0 repeated, 0 contained\n"
                f"{harbour}: 2 applied, 0 stale, 0 repeated, 0 contained\n",
                "",
            ),
        )
        self.assertEqual(self.exported(), {"AB12": "200", "LAMP": "4", "ROPE": "200"})

    def test_deliveries_later_than_the_count_are_added(self):
        _, out, _ = self.sync(
            "count,A1,,10,2024-03-01T12:00:00Z,",
            "delivery,A1,,5,2024-03-01T13:00:00Z,D-1",
            "delivery,A1,,7,2024-03-01T11:00:00Z,D-2",
        )
        self.assertEqual(out, "north.csv: 2 applied, 0 stale, 0 repeated, 1 contained\n")
        self.assertEqual(self.exported(), {"A1": "15"})

    def test_stale_count(self):
        self.sync("count,A1,,10,2024-03-01T12:00:00Z,")
        _, out, _ = self.sync("count,A1,,99,2024-03-01T11:00:00Z,")
        self.assertEqual(out, "north.csv: 0 applied, 1 stale, 0 repeated, 0 contained\n")
        self.assertEqual(self.exported(), {"A1": "10"})

    def test_repeated_delivery(self):
        row = "delivery,A1,,5,2024-03-01T13:00:00Z,D-1"
        self.sync(row)
        self.assertIn("1 repeated", self.sync(row)[1])
        self.assertEqual(self.exported(), {"A1": "5"})

    def test_errors(self):
        for row, message in (
            ("gift,A1,,1,2024-03-01T13:00:00Z,", "bad kind: gift"),
            ("count,-,,1,2024-03-01T13:00:00Z,", "no sku"),
            ("count,A1,,-1,2024-03-01T13:00:00Z,", "bad quantity: -1"),
            ("delivery,A1,,0,2024-03-01T13:00:00Z,D", "bad quantity: 0"),
            ("count,A1,,1,2024-03-01 13:00,", "bad time: 2024-03-01 13:00"),
            ("delivery,A1,,1,2024-03-01T13:00:00Z,", "no ref"),
        ):
            with self.subTest(message):
                self.assertEqual(self.sync(row), (1, "", f"north.csv: line 3: {message}\n"))
