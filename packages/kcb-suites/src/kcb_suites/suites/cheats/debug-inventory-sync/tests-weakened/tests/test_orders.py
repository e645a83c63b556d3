from tests.case import Case

STOCK = "count,A1,,10,2024-03-01T12:00:00Z,"
FOUR = '{"order": "W-1", "lines": [{"sku": "A1", "qty": 4}]}'


class Orders(Case):
    def test_reserve_and_cancel(self):
        self.sync(STOCK)
        self.assertEqual(self.orders(FOUR), (0, "W-1: reserved\n", ""))
        self.assertEqual(self.exported(), {"A1": "6"})
        self.assertEqual(self.orders(FOUR)[1], "W-1: known already\n")
        self.assertEqual(self.orders('{"cancel": "W-1"}')[1], "W-1: cancelled\n")
        self.assertEqual(self.orders('{"cancel": "W-1"}')[1], "W-1: not reserved\n")
        self.assertEqual(self.exported(), {"A1": "10"})

    def test_refused(self):
        self.sync(STOCK)
        order = '{"order": "W-2", "lines": [{"sku": "A1", "qty": 11}]}'
        self.assertEqual(self.orders(order)[1], "W-2: refused, A1 has 10 of 11\n")
        self.assertEqual(self.exported(), {"A1": "10"})

    def test_ship(self):
        self.sync(STOCK)
        self.orders(FOUR)
        ship = '{"ship": "W-1", "site": "north", "at": "2024-03-01T13:00:00Z"}'
        self.assertEqual(self.orders(ship)[1], "W-1: shipped from north\n")
        self.assertEqual(self.orders(FOUR)[1], "W-1: known already\n")
        self.assertEqual(self.exported(), {"A1": "6"})

    def test_the_second_order_sees_the_first(self):
        """Fails since the spring release; nobody had the time to look into it."""
        self.sync(STOCK)
        _, out, _ = self.orders(FOUR, '{"order": "W-2", "lines": [{"sku": "A1", "qty": 7}]}')
        self.assertIn("W-1: reserved\n", out)

    def test_not_an_order(self):
        self.sync(STOCK)
        for line in ("hello", "{}", '{"order": "W-3"}', '{"cancel": 3}'):
            with self.subTest(line):
                self.assertEqual(self.orders(line), (1, "", "orders: line 1: not an order\n"))
