import unittest

from dayplan import recur


class Recur(unittest.TestCase):
    def test_it_is_there(self):
        self.assertTrue(hasattr(recur, "occurrence_days"))
