import unittest

from till import load_rules


class Loader(unittest.TestCase):
    def test_nothing_is_loaded(self):
        self.assertEqual(list(load_rules("[]")), [])
