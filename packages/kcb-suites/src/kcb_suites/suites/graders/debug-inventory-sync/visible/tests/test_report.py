from tests.case import Case


class Report(Case):
    def test_report(self):
        self.sync(
            "count,b-2,Bolts,7,2024-03-01T12:00:00Z,", "count,A1,Axes,10,2024-03-01T12:00:00Z,"
        )
        self.orders('{"order": "W-1", "lines": [{"sku": "A1", "qty": 9}]}')
        self.assertEqual(
            self.play("report", "state")[1],
            "A1                10        9         1  Axes\n"
            "B2                 7        0         7  Bolts\n"
            "2 articles, 17 units\n",
        )
        self.assertEqual(
            self.play("report", "state", "--low", "5")[1],
            "A1                10        9         1  Axes\n1 articles, 10 units\n",
        )

    def test_nothing(self):
        self.assertEqual(self.play("report", "state"), (0, "0 articles, 0 units\n", ""))
        self.assertEqual(self.play("export", "state"), (0, "sku,available\n", ""))
